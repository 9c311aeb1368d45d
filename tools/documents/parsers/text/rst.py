"""reStructuredText: sections, lists, literal blocks, directives, tables, notes.

https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html. What is indented below a line
belongs to it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, compose, table_row
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.text.front_matter import front_matter, metadata_of
from tools.documents.parsers.text.plain import UNDERLINE
from tools.documents.parsers.text.rst_lines import (
    BULLETS,
    DIRECTIVE,
    ITEM,
    Lines,
    dedented,
    end_of_indented,
    with_conditions,
    with_numbers,
)
from tools.documents.parsers.text.rst_tables import (
    GRID_RULE,
    SIMPLE_RULE,
    csv_rows,
    end_of_table,
    grid_table,
    list_rows,
    simple_table,
)
from tools.documents.parsers.text.rst_words import (
    Names,
    names_defined,
    plain_words,
    shown_for_pages,
)
from tools.documents.parsers.versions import with_version

_NOTE = re.compile(r"\.\. \[([^\]\n]{1,60})\][ \t]*+(.*)$")
_TARGET = re.compile(r"\.\. (?:_|\|)|__ ")
_FIELD = re.compile(r":([^:\n]{1,60}):(?:[ \t]++(.*))?$")
_ARGUMENT = r"(?:[ =]<?[\w|.\[\]-]{1,40}>?)?"
_OPTION = re.compile(
    rf"(-{{1,2}}[\w?][\w-]{{0,40}}{_ARGUMENT}(?:, -{{1,2}}[\w-]{{1,40}}{_ARGUMENT}){{0,3}})"
    r" {2,}(\S.*)$"
)
_CODE = frozenset(
    "code code-block sourcecode parsed-literal literalinclude doctest testcode testoutput prompt "
    "productionlist highlight ipython console graphviz digraph mermaid plantuml".split()
)
_SILENT = frozenset(
    "toctree contents include index raw meta image currentmodule module role default-role "
    "sectnum target-notes highlightlang tabularcolumns automodule autoclass autofunction "
    "automethod literalinclude replace unicode date todo testsetup testcleanup header footer "
    "sectionauthor codeauthor".split()
)
_OF_FILES = frozenset(("figure", "image"))
_ADMONITIONS = frozenset(
    "attention caution danger error hint important note tip warning seealso".split()
)
_STYLED = frozenset(("container", "cssclass", "rst-class"))  # what they are given is no text
_DESCRIBED = frozenset(
    "function class method option envvar data attribute conf confval setting".split()
)
_STATED = ("type", "required", "default", "value")  # of what is described
_DEEPEST = 50
_PLAIN = BlockKind.PARAGRAPH
_RUNNING = (BlockKind.PARAGRAPH, BlockKind.QUOTATION)


def parse(request: Request) -> Extracted:
    """The text without markup; the fields at the top become metadata."""
    fields, body = front_matter(text_of(request))
    lines = [line.expandtabs(8).rstrip() for line in body.split("\n")]
    reader = _Reader(names_defined(body))
    composed = compose(reader.read(with_conditions(lines), 0))
    return composed.extracted(with_version("zorora-rst"), metadata_of(fields or reader.fields))


@dataclass(slots=True)
class _Reader:
    """Reads lines; knows which signs stand under headings of which level, the fields at the top,
    and what stands for names."""

    names: Names = field(default_factory=Names)
    fields: dict[str, str] = field(default_factory=dict)
    _styles: list[str] = field(default_factory=list)
    _text: bool = False  # whether anything but headings and fields was read

    def read(self, lines: Lines, depth: int, lists: int = 0) -> Iterator[ParsedBlock]:
        """The blocks of some lines."""
        lines = with_numbers(lines)
        at = 0
        while at < len(lines) and depth < _DEEPEST:
            line = lines[at]
            if not line:
                at += 1
            elif line.startswith(" "):
                end = end_of_indented(lines, at)
                yield from _quoted(self.read(dedented(lines[at:end]), depth + 1, lists))
                at = end
            elif title := self._title(lines, at, depth):
                heading, at = title
                yield heading
            elif line.startswith(".. ") or line == ".." or line.startswith("__ "):
                end = end_of_indented(lines, at + 1)
                yield from self._explicit(line, lines[at + 1 : end], depth)
                at = end
            else:
                end, blocks = self._body(lines, at, depth, lists)
                yield from blocks
                at = end

    def _words(self, text: str) -> str:
        return plain_words(text, self.names)

    def _title(self, lines: Lines, at: int, depth: int) -> tuple[ParsedBlock, int] | None:
        """A heading at this line and where the text goes on; None where there is none."""
        line, following = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
        over = (
            UNDERLINE.match(line)
            and at + 2 < len(lines)
            and lines[at + 2] == line
            and following.strip()
        )
        if over:
            return self._heading(following.strip(), line[0] * 2), at + 3
        if (
            depth
            or not UNDERLINE.match(following)
            or UNDERLINE.match(line)
            or len(following) < 0.7 * len(line)
        ):
            return None
        return self._heading(line, following[0]), at + 2

    def _heading(self, text: str, style: str) -> ParsedBlock:
        if style not in self._styles:
            self._styles.append(style)
        return ParsedBlock(self._words(text), min(6, self._styles.index(style) + 1))

    def _explicit(self, line: str, inner: Lines, depth: int) -> Iterator[ParsedBlock]:
        """A directive, a footnote, or what is not shown: targets, comments."""
        # Behind an empty line no options stand
        content = [*inner[:1], *dedented(inner)] if inner[:1] == [""] else dedented(inner)
        note = _NOTE.match(line)
        directive = DIRECTIVE.match(line)
        if note:
            label = "" if note.group(1).startswith("#") else f"[{note.group(1)}] "
            words = self._words(" ".join([note.group(2), *content]))
            yield ParsedBlock(label + words, kind=BlockKind.FOOTNOTE)
        elif directive and not _TARGET.match(line.replace("|", " ", 1) if "|" in line else line):
            yield from self._directive(
                directive.group(1).lower(), directive.group(2), content, depth
            )

    def _directive(
        self, name: str, argument: str, content: Lines, depth: int
    ) -> Iterator[ParsedBlock]:
        # The name of a file may stand in the next line
        options, body = _options(content[1:] if name in _OF_FILES and not argument else content)
        if name == "parsed-literal":
            body = [line[: len(line) - len(line.lstrip())] + self._words(line) for line in body]
        if name in _CODE and body:
            yield ParsedBlock("\n".join(body), kind=BlockKind.CODE)
        elif name == "math":
            yield ParsedBlock(" ".join([argument, *body]), kind=BlockKind.EQUATION)
        elif name in _OF_FILES:
            caption = " ".join(body) or options.get("alt", "")
            yield ParsedBlock(self._words(caption), kind=BlockKind.CAPTION)
        elif name in ("list-table", "csv-table", "table"):
            yield from self._table_directive(name, argument, options, body, depth)
        elif name in ("epigraph", "pull-quote", "highlights"):
            yield ParsedBlock(self._words(" ".join(body)), kind=BlockKind.QUOTATION)
        elif name == "only":
            yield from self.read(body if shown_for_pages(argument) else [], depth + 1)
        elif name.partition(":")[2] or name in _DESCRIBED:
            term = argument + self._stated(options)
            yield from _definition(term, self.read(body, depth + 1, 1), 1)
        elif name not in _SILENT and name not in _CODE:
            yield from self._other(name, "" if name in _STYLED else argument, body, depth)

    def _stated(self, options: dict[str, str]) -> str:
        """What the options of a description say: " (type: number, default: 2)"."""
        stated = (
            f"{name}: {self._words(options[name])}".removesuffix(": ")
            for name in _STATED
            if name in options
        )
        listed = ", ".join(stated)
        return f" ({listed})" if listed else ""

    def _other(self, name: str, argument: str, body: Lines, depth: int) -> Iterator[ParsedBlock]:
        """Admonitions and directives of extensions: their words."""
        label = {
            "versionadded": "New in version",
            "versionchanged": "Changed in version",
            "deprecated": "Deprecated since",
        }
        prefix = label.get(name) or (name.capitalize() if name in _ADMONITIONS else "")
        if name in label:
            prefix, argument = f"{prefix} {argument.split(' ', 1)[0]}", argument.partition(" ")[2]
        first = [argument] if name in _ADMONITIONS or name in label else [argument, ""]
        blocks = list(self.read([*first, *body] if argument else body, depth + 1))
        if prefix and blocks and blocks[0].kind == _PLAIN:
            blocks[0] = blocks[0]._replace(text=f"{prefix}: {blocks[0].text}")
        yield from blocks

    def _table_directive(
        self, name: str, argument: str, options: dict[str, str], body: Lines, depth: int
    ) -> Iterator[ParsedBlock]:
        if argument:
            yield ParsedBlock(self._words(argument), kind=BlockKind.CAPTION)
        if name == "table":
            yield from self.read(body, depth + 1)
            return
        rows = list(csv_rows(body)) if name == "csv-table" else list(list_rows(body))
        if options.get("header"):
            rows[:0] = list(csv_rows([options["header"]]))
        heads = options.get("header-rows", "1" if options.get("header") else "0")
        count = int(heads) if heads.isdecimal() else 0
        for number, row in enumerate(rows):
            yield table_row(
                [self._words(cell) for cell in row], header=number < count, begins=not number
            )

    def _body(
        self, lines: Lines, at: int, depth: int, lists: int
    ) -> tuple[int, Iterator[ParsedBlock]]:
        """A list item, table, field, or paragraph at this line; where the text goes on."""
        line = lines[at]
        if GRID_RULE.match(line) or SIMPLE_RULE.match(line):
            end = end_of_table(lines, at)
            rows = grid_table(lines[at:end]) if line[0] == "+" else simple_table(lines[at:end])
            return end, (
                table_row([self._words(c) for c in cells], header=head, begins=not number)
                for number, (cells, head) in enumerate(rows)
            )
        if (UNDERLINE.match(line) and not lines[at + 1 : at + 2]) or (
            UNDERLINE.match(line) and not any(map(str.isalnum, line))
        ):
            return at + 1, iter(())  # a line between parts
        match = ITEM.match(line)
        if match and _is_item(match.group(1), lines[at + 1 : at + 2]):
            return self._list_item(lines, at, match.group(1), match.end(), depth, lists)
        option = _OPTION.match(line)
        if option:
            end = end_of_indented(lines, at + 1)
            text = self._words(" ".join([option.group(2), *lines[at + 1 : end]]))
            item = ParsedBlock(f"{option.group(1)}: {text}", lists + 1, kind=BlockKind.LIST_ITEM)
            return end, iter((item,))
        field = _FIELD.match(line)
        if field:
            return self._field(lines, at, field, lists)
        return self._paragraph(lines, at, depth, lists)

    def _list_item(
        self, lines: Lines, at: int, marker: str, width: int, depth: int, lists: int
    ) -> tuple[int, Iterator[ParsedBlock]]:
        end = end_of_indented(lines, at + 1)
        below = lines[at + 1 : end]
        inner = [lines[at][width:], *([""] if below and not below[0] else []), *dedented(below)]
        return end, _as_item(
            self.read(inner, depth + 1, lists + 1), lists + 1, "-" if marker in BULLETS else marker
        )

    def _field(
        self, lines: Lines, at: int, match: re.Match[str], lists: int
    ) -> tuple[int, Iterator[ParsedBlock]]:
        end = end_of_indented(lines, at + 1)
        name = match.group(1)
        parts = [match.group(2) or "", *(line.strip() for line in lines[at + 1 : end])]
        value = " ".join(parts).strip()
        if not self._text and value:
            self.fields.setdefault(name.lower(), self._words(value))
        text = self._words(f"{name}: {value}")
        return end, iter(
            (ParsedBlock(text, lists + 1, kind=BlockKind.LIST_ITEM),)
            if value and self._text
            else ()
        )

    def _paragraph(
        self, lines: Lines, at: int, depth: int, lists: int
    ) -> tuple[int, Iterator[ParsedBlock]]:
        """A paragraph, a term with its definition, lines of verse, or text that introduces a
        literal block."""
        self._text = True
        end = at
        while end < len(lines) and lines[end] and not lines[end].startswith(" "):
            end += 1
        text = lines[at:end]
        if text[0].startswith("| "):
            verse = "\n".join(self._words(line.lstrip("| ")) for line in text)
            return end, iter((ParsedBlock(verse, lists, kind=_PLAIN),))
        if text[0].startswith(">>> "):
            while end < len(lines) and lines[end]:
                end += 1
            text = lines[at:end]
            return end, iter((ParsedBlock("\n".join(text), kind=BlockKind.CODE),))
        following = end_of_indented(lines, end)
        # Indented directly below: a definition
        if end < len(lines) and lines[end] and end - at == 1:
            inner = dedented(lines[end:following])
            return following, _definition(
                self._words(text[0]), self.read(inner, depth + 1, lists + 1), lists + 1
            )
        joined = " ".join(line.strip() for line in text)
        if not joined.endswith("::"):
            return end, iter((ParsedBlock(self._words(joined), lists, kind=_PLAIN),))
        code = "\n".join(dedented(lines[end:following])).strip("\n")
        lead = self._words(
            joined[:-2].rstrip() + (":" if joined[:-2].strip() and joined[-3] != " " else "")
        )
        return following, iter(
            (ParsedBlock(lead, lists, kind=_PLAIN), ParsedBlock(code, lists, kind=BlockKind.CODE))
        )


def _quoted(blocks: Iterator[ParsedBlock]) -> Iterator[ParsedBlock]:
    """Indented text is a quotation; lists and code in it stay what they are."""
    for block in blocks:
        quotation = block.kind == _PLAIN and not block.level
        yield ParsedBlock(block.text, kind=BlockKind.QUOTATION) if quotation else block


def _as_item(blocks: Iterator[ParsedBlock], level: int, marker: str) -> Iterator[ParsedBlock]:
    """The first paragraph of a list item becomes the item."""
    kind = BlockKind.LIST_ITEM
    for block in blocks:
        is_text = block.kind in _RUNNING
        yield ParsedBlock(block.text, level, kind=kind, marker=marker) if is_text else block
        kind = BlockKind.PARAGRAPH


def _definition(term: str, blocks: Iterator[ParsedBlock], level: int) -> Iterator[ParsedBlock]:
    """A term with the first paragraph of its definition as one item."""
    block_list = list(blocks)
    joined = bool(block_list) and block_list[0].kind in _RUNNING
    text = f"{term}: {block_list[0].text}" if joined else term
    yield ParsedBlock(text, level, kind=BlockKind.LIST_ITEM)
    yield from block_list[1 if joined else 0 :]


def _is_item(marker: str, following: Lines) -> bool:
    """Whether a line that begins with a marker is an item: text like "J. Smith" goes on at the
    margin."""
    return (
        marker in BULLETS
        or not following
        or following[0][:1] in ("", " ")
        or bool(ITEM.match(following[0]))
    )


def _options(content: Lines) -> tuple[dict[str, str], Lines]:
    """The options of a directive, and its content."""
    options: dict[str, str] = {}
    at = 0
    while at < len(content) and (match := _FIELD.match(content[at])):
        end = _end_of_value(content, at + 1)
        value = " ".join([match.group(2) or "", *map(str.strip, content[at + 1 : end])])
        options[match.group(1).lower()] = value.strip()
        at = end
    return options, dedented(content[at:])


def _end_of_value(content: Lines, at: int) -> int:
    """Where the lines end that go on with an option."""
    return next(
        (n for n in range(at, len(content)) if not content[n].startswith(" ")), len(content)
    )
