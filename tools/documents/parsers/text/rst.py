"""reStructuredText, as docutils parses it: sections, lists, literal blocks, directives, tables,
notes.

https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from textwrap import dedent

from docutils import nodes

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, compose, table_row
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.text import plain
from tools.documents.parsers.text.front_matter import front_matter, metadata_of
from tools.documents.parsers.text.rst_directives import (
    CODE,
    OF_FILES,
    SILENT,
    DirectiveNode,
    is_described,
    parsed,
)
from tools.documents.parsers.text.rst_words import Words
from tools.documents.parsers.versions import with_version

_LONGEST_LINE = 10_000  # characters; the time of docutils grows with the square of a line
_LONGEST_REPEATED = 1000  # characters of a cell that spans rows
_ADMONITIONS = frozenset(
    "attention caution danger error hint important note tip warning seealso".split()
)
# What they are given is no text
_STYLED = frozenset(("container", "cssclass", "rst-class"))
_QUOTING = frozenset(("epigraph", "pull-quote", "highlights"))
_CHANGED = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since",
}
_ONLY = re.compile(r"\.\. only::[ \t]*+(.*)$")
_OTHER_FORMS = re.compile(r"(?:latex|latexpdf|man|texinfo|text|epub|gettext)\b")
_ERROR = 3  # level of a message of docutils; one below it says nothing that the text lacks
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_RULE = re.compile(r"[^\w\s|]+$")
_RUNNING = (BlockKind.PARAGRAPH, BlockKind.QUOTATION)
Blocks = Iterator[ParsedBlock]


def parse(request: Request) -> Extracted:
    """The text without markup; the fields at the top become metadata.

    What docutils does not read, for it is nested too deeply or has too long lines, is plain text.
    """
    fields, body = front_matter(text_of(request))
    lines = body.split("\n")
    try:
        if max(map(len, lines)) > _LONGEST_LINE:
            return plain.parse(request)
        document = parsed("\n".join(_with_conditions(lines)))
        reader = _Reader(document)
        composed = compose(reader.read(document.children))
    except RecursionError:
        return plain.parse(request)
    return composed.extracted(with_version("zorora-rst"), metadata_of(fields or reader.fields))


def _with_conditions(lines: Sequence[str]) -> Iterator[str]:
    """The lines where what stands under "only" at the margin stands there itself: it may have
    sections."""
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        only, begin = _ONLY.match(line), at
        if not only:
            yield line
            continue
        while at < len(lines) and (not lines[at].strip() or lines[at][0] in " \t"):
            at += 1
        inner = dedent("\n".join(line.expandtabs(8) for line in lines[begin:at]))
        yield f"\n{inner}\n" if _is_for_pages(only[1]) else ""


def _is_for_pages(condition: str) -> bool:
    """Whether what stands under "only" is part of a web page."""
    return "not html" not in condition and (
        " or " in condition or not _OTHER_FORMS.match(condition)
    )


class _Reader:
    """Makes blocks of nodes. fields: those at the top."""

    def __init__(self, document: nodes.document) -> None:
        self.fields: dict[str, str] = {}
        self._has_text = False  # whether anything but headings and fields was read
        inline = Words(document)
        self.words, self._text, self._of_blocks = inline.words, inline.text, inline.of_blocks

    def read(self, children: Iterable[nodes.Node], lists: int = 0, depth: int = 0) -> Blocks:
        """The blocks of some nodes. lists: how many lists they stand in. depth: sections."""
        for child in children:
            reading = _READ.get(type(child))
            for block in reading(self, child, lists, depth) if reading else ():
                self._has_text |= block.block_kind != BlockKind.HEADING
                yield block

    def section(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        title, *children = node.children
        yield ParsedBlock(self.words(title), min(6, depth + 1))
        yield from self.read(children, lists, depth + 1)

    def paragraph(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        yield ParsedBlock(self.words(node), lists, kind=BlockKind.PARAGRAPH)

    def code(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        yield ParsedBlock(node.astext(), lists, kind=BlockKind.CODE)

    def quotation(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        """Indented text; lists and code in it stay what they are."""
        for block in self.read(node.children, lists, depth):
            is_plain = block.kind == BlockKind.PARAGRAPH and not block.level
            yield block._replace(kind=BlockKind.QUOTATION) if is_plain else block

    def verse(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        lines = "\n".join(map(self.words, node.findall(nodes.line)))
        yield ParsedBlock(lines, lists, kind=BlockKind.PARAGRAPH)

    def bullets(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        for item in node.children:
            yield from _as_item(self.read(item.children, lists + 1, depth), lists + 1, "-")

    def numbers(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        for number, item in enumerate(node.children, node.get("start", 1)):
            marker = f"{node['prefix']}{_counted(number, node['enumtype'])}{node['suffix']}"
            yield from _as_item(self.read(item.children, lists + 1, depth), lists + 1, marker)

    def definitions(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        for item in node.children:
            *terms, meaning = item.children
            term = " ".join(map(self._term, terms))
            yield from self._defined(term, meaning.children, lists, depth)

    def _term(self, node: nodes.Element) -> str:
        # docutils joins the parts of options as they are typed
        return str(node.astext()) if isinstance(node, nodes.option_group) else self.words(node)

    def _defined(self, term: str, meaning: Iterable[nodes.Node], lists: int, depth: int) -> Blocks:
        """A term with the first paragraph of its definition as one item."""
        blocks = list(self.read(meaning, lists + 1, depth))
        is_joined = bool(blocks) and blocks[0].kind in _RUNNING
        text = f"{term}: {blocks[0].text}" if is_joined else term
        yield ParsedBlock(text, lists + 1, kind=BlockKind.LIST_ITEM)
        yield from blocks[is_joined:]

    def field(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        name, body = node.children
        value = self._of_blocks(body.children)
        if self._has_text:
            yield from self._defined(self.words(name), body.children, lists, depth)
        elif value:
            self.fields.setdefault(self.words(name).lower(), value)

    def table(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        """A cell that spans rows stands in each, in short behind the first."""
        seen_ids: set[int] = set()
        groups = (child for child in node.children if isinstance(child, nodes.tgroup))
        for number, (row, is_header) in enumerate(row for group in groups for row in _rows(group)):
            cells = [
                self._of_blocks(cell.children)[
                    : _LONGEST_REPEATED if id(cell) in seen_ids else None
                ]
                for cell in row
            ]
            seen_ids.update(map(id, row))
            yield table_row(cells, header=is_header, begins=not number)

    def note(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        is_labelled = isinstance(node.children[0], nodes.label)
        label = f"[{node.children[0].astext()}] " if is_labelled else ""
        words = self._of_blocks(node.children[is_labelled:])
        yield ParsedBlock(label + words, kind=BlockKind.FOOTNOTE)

    def equation(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        yield ParsedBlock(node.astext(), kind=BlockKind.EQUATION)

    def unread(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        """What docutils could not make sense of, as it stands: a heading out of place, a table that
        is drawn askew."""
        for block in node.findall(nodes.literal_block) if node["level"] >= _ERROR else ():
            lines = [line for line in block.astext().split("\n") if not _RULE.match(line.strip())]
            kind = BlockKind.CODE if len(lines) > 1 else BlockKind.PARAGRAPH
            yield ParsedBlock("\n".join(lines), lists, kind=kind)

    # directives

    def directive(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        name = node["name"]
        kind = next((kind for kind, names in _DIRECTIVES if name in names), None)
        if kind:
            yield from kind(self, node, lists, depth)
        elif is_described(name):
            yield from self._described(node, lists, depth)
        else:
            yield from self._other(node, lists, depth)

    def _code_of_directive(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        text = self._text(node) if node.children else "\n".join(node["lines"])
        yield ParsedBlock(text, lists, kind=BlockKind.CODE)

    def _math(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        text = " ".join([node["argument"], *node["lines"]])
        yield ParsedBlock(text, kind=BlockKind.EQUATION)

    def _caption(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        caption = self._of_blocks(node.children[1:]) or node["options"].get("alt", "")
        yield ParsedBlock(caption, kind=BlockKind.CAPTION)

    def _quoted(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        yield ParsedBlock(self._of_blocks(node.children), kind=BlockKind.QUOTATION)

    def _only(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        if _is_for_pages(node["argument"]):
            yield from self.read(node.children[1:], lists, depth)

    def _silent(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        yield from ()

    def _described(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        """A function, a setting: what its options say of it stands behind its name, " (type:
        number, default: 2)"."""
        stated = (f"{key}: {self.words(value)}" for key, value in node["stated"].items())
        listed = ", ".join(text.removesuffix(": ") for text in stated)
        term, *children = node.children
        whole = self.words(term) + (f" ({listed})" if listed else "")
        yield from self._defined(whole, children, lists, depth)

    def _other(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        """Admonitions and directives of extensions: their words."""
        name, (term, *children) = node["name"], node.children
        argument = "" if name in _STYLED else self.words(term)
        label = "See also" if name == "seealso" else name.capitalize() * (name in _ADMONITIONS)
        if name in _CHANGED:
            version, _, argument = argument.partition(" ")
            label = f"{_CHANGED[name]} {version}"
        blocks = list(self.read(children, lists, depth))
        if label and not argument and blocks and blocks[0].kind == BlockKind.PARAGRAPH:
            argument = blocks.pop(0).text
        first = ": ".join(filter(None, (label, argument)))
        yield ParsedBlock(first, lists, kind=BlockKind.PARAGRAPH)
        yield from blocks

    def _table_of_directive(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        name, options = node["name"], node["options"]
        yield ParsedBlock(self.words(node.children[0]), kind=BlockKind.CAPTION)
        if name == "table":
            yield from self.read(node.children[1:], lists, depth)
            return
        rows = [[self._of_blocks([cell]) for cell in row] for row in _listed_rows(node)]
        heads = options.get("header-rows", "1" if "header" in options else "0")
        count = int(heads) if heads.isdecimal() else 0
        for number, row in enumerate(rows):
            yield table_row(row, header=number < count, begins=not number)


_Reading = Callable[[_Reader, nodes.Element, int, int], Blocks]
_READ: Mapping[type, _Reading] = {
    nodes.section: _Reader.section,
    nodes.paragraph: _Reader.paragraph,
    nodes.attribution: _Reader.paragraph,
    nodes.literal_block: _Reader.code,
    nodes.doctest_block: _Reader.code,
    nodes.math_block: _Reader.equation,
    nodes.block_quote: _Reader.quotation,
    nodes.line_block: _Reader.verse,
    nodes.bullet_list: _Reader.bullets,
    nodes.enumerated_list: _Reader.numbers,
    nodes.definition_list: _Reader.definitions,
    nodes.option_list: _Reader.definitions,
    nodes.field_list: lambda reader, node, lists, depth: (
        block for item in node.children for block in reader.field(item, lists, depth)
    ),
    nodes.table: _Reader.table,
    nodes.footnote: _Reader.note,
    nodes.citation: _Reader.note,
    nodes.system_message: _Reader.unread,
    DirectiveNode: _Reader.directive,
}
_DIRECTIVES: Sequence[tuple[_Reading, frozenset[str]]] = (
    (_Reader._silent, SILENT),
    (_Reader._code_of_directive, CODE),
    (_Reader._caption, OF_FILES),
    (_Reader._math, frozenset(("math",))),
    (_Reader._table_of_directive, frozenset(("table", "list-table", "csv-table"))),
    (_Reader._quoted, _QUOTING),
    (_Reader._only, frozenset(("only",))),
)


def _as_item(blocks: Blocks, level: int, marker: str) -> Blocks:
    """The first paragraph of a list item becomes the item."""
    kind = BlockKind.LIST_ITEM
    for block in blocks:
        is_text = block.kind in _RUNNING and block.level <= level
        yield ParsedBlock(block.text, level, kind=kind, marker=marker) if is_text else block
        kind = BlockKind.PARAGRAPH


def _listed_rows(node: nodes.Element) -> Iterator[Sequence[nodes.Element]]:
    """The cells of the rows of a table of separated values, or of one that is a list of lists."""
    for child in node.children:
        if isinstance(child, nodes.row):
            yield child.children
        elif isinstance(child, nodes.bullet_list):
            for row in child.children:
                yield [cell for inner in row.children for cell in inner.children]


def _counted(number: int, form: str) -> str:
    """A number as an enumeration has it: arabic, or with letters or Roman numerals."""
    if form == "arabic":
        return str(number)
    numeral = ""
    if form.endswith("alpha"):
        numeral = chr(ord("a") + (number - 1) % 26)
    else:
        for value, sign in _ROMAN:
            times, number = divmod(number, value)
            numeral += sign * times
    return numeral.upper() if form.startswith("upper") else numeral


def _rows(group: nodes.Element) -> Iterator[tuple[list[nodes.Element], bool]]:
    """The cells of each row, and whether it is of the head. A cell that spans rows stands in each,
    one that spans columns in the first."""
    width, empty = int(group.get("cols", 0)), nodes.entry()
    spanning: dict[int, tuple[int, nodes.Element]] = {}  # column -> further rows, cell
    parts = (child for child in group.children if isinstance(child, (nodes.thead, nodes.tbody)))
    for row in chain.from_iterable(part.children for part in parts):
        cells = [empty] * width
        entries, column = iter(row.children), 0
        while column < width:
            further, cells[column] = spanning.pop(column, (0, empty))
            if further:
                spanning[column] = further - 1, cells[column]
                column += 1
                continue
            entry = cells[column] = next(entries, empty)
            columns = 1 + entry.get("morecols", 0)
            for place in range(column, column + columns):
                spanning[place] = entry.get("morerows", 0), entry if place == column else empty
            column += columns
        yield cells, isinstance(row.parent, nodes.thead)
