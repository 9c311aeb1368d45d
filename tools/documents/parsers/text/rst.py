"""reStructuredText, as docutils parses it: sections, lists, literal blocks, directives, tables,
notes.

https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from docutils import nodes

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, compose, csv_rows, table_row
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.text import plain
from tools.documents.parsers.text.front_matter import front_matter, metadata_of
from tools.documents.parsers.text.rst_directives import CODE, OF_FILES, SILENT, Held, parsed
from tools.documents.parsers.text.rst_words import Words
from tools.documents.parsers.versions import with_version

_LONGEST_LINE = 10_000  # characters; docutils reads no longer one
_LONGEST_REPEATED = 1000  # characters of a cell that spans rows
_ADMONITIONS = frozenset(
    "attention caution danger error hint important note tip warning seealso".split()
)
# What they are given is no text
_STYLED = frozenset(("container", "cssclass", "rst-class", "class"))
_DESCRIBED = frozenset(
    "function class method option envvar data attribute conf confval setting".split()
)
_QUOTING = frozenset(("epigraph", "pull-quote", "highlights"))
_STATED = ("type", "required", "default", "value")  # of what is described
_CHANGED = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since",
}
_ONLY = re.compile(r"\.\. only::[ \t]*(.*)$")
_OTHER_FORMS = re.compile(r"(?:latex|latexpdf|man|texinfo|text|epub|gettext)\b")
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
    indent: int | None = None  # of what stands under "only"; 0 before its first line
    is_shown = True
    for line in lines:
        if only := _ONLY.match(line):
            indent, is_shown = 0, _shown_for_pages(only[1])
            yield ""
            continue
        if indent is not None and line.strip():
            depth = len(line) - len(line.lstrip())
            indent = None if not depth else indent or depth
        if indent is None:
            yield line
        elif is_shown:
            yield line[indent:]
    yield ""


def _shown_for_pages(condition: str) -> bool:
    """Whether what stands under "only" is part of a web page."""
    return "not html" not in condition and (
        " or " in condition or not _OTHER_FORMS.match(condition)
    )


class _Reader:
    """Makes blocks of nodes. fields: those at the top."""

    def __init__(self, document: nodes.document) -> None:
        self.fields: dict[str, str] = {}
        self._has_text = False  # whether anything but headings and fields was read
        shown = Words(document)
        self.words, self._text = shown.words, shown.text

    def read(self, children: Iterable[nodes.Node], lists: int = 0, depth: int = 0) -> Blocks:
        """The blocks of some nodes. lists: how many lists they stand in. depth: sections."""
        for child in children:
            reading = _READ.get(type(child))
            if reading:
                yield from reading(self, child, lists, depth)

    def section(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        title, *children = node.children
        yield ParsedBlock(self.words(title), min(6, depth + 1))
        yield from self.read(children, lists, depth + 1)

    def paragraph(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        self._has_text = True
        yield ParsedBlock(self.words(node), lists, kind=BlockKind.PARAGRAPH)

    def code(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        self._has_text = True
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
            counted = chr(ord("a") + (number - 1) % 26) if "alpha" in node["enumtype"] else number
            marker = f"{node['prefix']}{counted}{node['suffix']}"
            yield from _as_item(self.read(item.children, lists + 1, depth), lists + 1, marker)

    def definitions(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        for item in node.children:
            *terms, meaning = item.children
            term = " ".join(map(self.words, terms))
            yield from self._defined(term, meaning.children, lists, depth)

    def _defined(self, term: str, meaning: Iterable[nodes.Node], lists: int, depth: int) -> Blocks:
        """A term with the first paragraph of its definition as one item."""
        blocks = list(self.read(meaning, lists + 1, depth))
        is_joined = bool(blocks) and blocks[0].kind in _RUNNING
        text = f"{term}: {blocks[0].text}" if is_joined else term
        yield ParsedBlock(text, lists + 1, kind=BlockKind.LIST_ITEM)
        yield from blocks[is_joined:]

    def field(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        name, body = node.children
        value = " ".join(map(self.words, body.children))
        if self._has_text:
            yield from self._defined(self.words(name), body.children, lists, depth)
        elif value:
            self.fields.setdefault(self.words(name).lower(), value)

    def table(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        groups = node.findall(nodes.tgroup)
        for number, (row, is_header) in enumerate(row for group in groups for row in _rows(group)):
            cells = ["" if c is None else " ".join(map(self.words, c.children)) for c in row]
            yield table_row(
                [cell[:_LONGEST_REPEATED] for cell in cells], header=is_header, begins=not number
            )

    def note(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        is_labelled = isinstance(node.children[0], nodes.label)
        label = f"[{node.children[0].astext()}] " if is_labelled else ""
        words = " ".join(map(self.words, node.children[is_labelled:]))
        yield ParsedBlock(label + words, kind=BlockKind.FOOTNOTE)

    def equation(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        yield ParsedBlock(node.astext(), kind=BlockKind.EQUATION)

    def unread(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        """What docutils could not make sense of, as it stands: a heading out of place, a table that
        is drawn askew."""
        for block in node.findall(nodes.literal_block):
            lines = [line for line in block.astext().split("\n") if not _RULE.match(line.strip())]
            kind = BlockKind.CODE if len(lines) > 1 else BlockKind.PARAGRAPH
            yield ParsedBlock("\n".join(lines), lists, kind=kind)

    # directives

    def held(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        name = node["name"]
        kind = next((kind for kind, names in _HELD if name in names), None)
        if kind:
            yield from kind(self, node, lists, depth)
        elif ":" in name:
            yield from self._described(node, lists, depth)
        else:
            yield from self._other(node, lists, depth)

    def _held_code(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        text = self._text(node) if node.children else "\n".join(node["lines"])
        yield ParsedBlock(text, lists, kind=BlockKind.CODE)

    def _math(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        text = " ".join([node["argument"], *node["lines"]])
        yield ParsedBlock(text, kind=BlockKind.EQUATION)

    def _caption(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        caption = " ".join(map(self.words, node.children[1:])) or node["options"].get("alt", "")
        yield ParsedBlock(caption, kind=BlockKind.CAPTION)

    def _quoted(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        yield ParsedBlock(self.words(node), kind=BlockKind.QUOTATION)

    def _only(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        if _shown_for_pages(node["argument"]):
            yield from self.read(node.children[1:], lists, depth)

    def _silent(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        yield from ()

    def _described(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        """A function, a setting: what its options say of it stands behind its name, " (type:
        number, default: 2)"."""
        options = node["options"]
        stated = (f"{n}: {self._plain(options[n])}" for n in _STATED if n in options)
        listed = ", ".join(text.removesuffix(": ") for text in stated)
        term, *children = node.children
        self._has_text = True
        shown = self.words(term) + (f" ({listed})" if listed else "")
        yield from self._defined(shown, children, lists, depth)

    def _plain(self, text: str) -> str:
        """The words of a text with markup."""
        return " ".join(map(self.words, parsed(text).children))

    def _other(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        """Admonitions and directives of extensions: their words."""
        name, (term, *children) = node["name"], node.children
        argument = "" if name in _STYLED else self.words(term)
        prefix = "See also" if name == "seealso" else name.capitalize() * (name in _ADMONITIONS)
        if name in _CHANGED:
            version, _, argument = argument.partition(" ")
            prefix = f"{_CHANGED[name]} {version}"
        blocks = list(self.read(children, lists, depth))
        if argument or (prefix and not blocks):
            first = ParsedBlock(argument, lists, kind=BlockKind.PARAGRAPH)
            blocks.insert(0, first)
        if prefix and blocks[0].kind == BlockKind.PARAGRAPH:
            shown = f"{prefix}: {blocks[0].text}".removesuffix(": ")
            blocks[0] = blocks[0]._replace(text=shown)
        yield from blocks

    def _table_held(self, node: nodes.Element, lists: int, depth: int) -> Blocks:
        name, options = node["name"], node["options"]
        if node["argument"]:
            yield ParsedBlock(self._plain(node["argument"]), kind=BlockKind.CAPTION)
        if name == "table":
            yield from self.read(node.children[1:], lists, depth)
            return
        if name == "csv-table":
            rows = [[*map(self._plain, row)] for row in csv_rows(node["lines"])]
        else:
            rows = [[*map(self.words, row)] for row in _listed_rows(node)]
        if header := options.get("header"):
            rows[:0] = [[*map(self._plain, row)] for row in csv_rows([header])]
        heads = options.get("header-rows", "1" if header else "0")
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
    Held: _Reader.held,
}
_HELD: Sequence[tuple[_Reading, frozenset[str]]] = (
    (_Reader._silent, SILENT),
    (_Reader._held_code, CODE),
    (_Reader._caption, OF_FILES),
    (_Reader._math, frozenset(("math",))),
    (_Reader._table_held, frozenset(("table", "list-table", "csv-table"))),
    (_Reader._quoted, _QUOTING),
    (_Reader._only, frozenset(("only",))),
    (_Reader._described, _DESCRIBED),
)


def _as_item(blocks: Blocks, level: int, marker: str) -> Blocks:
    """The first paragraph of a list item becomes the item."""
    kind = BlockKind.LIST_ITEM
    for block in blocks:
        is_text = block.kind in _RUNNING
        yield ParsedBlock(block.text, level, kind=kind, marker=marker) if is_text else block
        kind = BlockKind.PARAGRAPH


def _listed_rows(node: nodes.Element) -> Iterator[list[nodes.Element]]:
    """The rows of a table that is a list of lists, each the items of the inner list."""
    for outer in node.children[1:]:
        if isinstance(outer, nodes.bullet_list):
            for row in outer.children:
                yield [cell for inner in row.children for cell in inner.children]


def _rows(group: nodes.Element) -> Iterator[tuple[list[nodes.Element | None], bool]]:
    """The cells of each row, and whether it is of the head. A cell that spans rows stands in each,
    one that spans columns in the first."""
    width = int(group.get("cols", 0))
    spanning: dict[int, tuple[int, nodes.Element | None]] = {}  # column -> further rows, cell
    for row in group.findall(nodes.row):
        cells: list[nodes.Element | None] = [None] * width
        entries = iter(row.children)
        column = 0
        while column < width:
            if spanning.get(column, (0, None))[0]:
                left, cells[column] = spanning[column]
                spanning[column] = left - 1, cells[column]
                column += 1
                continue
            entry = next(entries, None)
            if entry is None:
                break
            cells[column] = entry
            columns = 1 + entry.get("morecols", 0)
            for place in range(column, column + columns):
                shown = entry if place == column else None
                spanning[place] = entry.get("morerows", 0), shown
            column += columns
        yield cells, isinstance(row.parent, nodes.thead)
