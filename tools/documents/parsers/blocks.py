"""Parsed blocks: what parsers make of a document before it becomes one text with headings, pages
and blocks. Tables are rows of equal width: merged cells repeated where they are needed, header rows
recognised."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from tools.documents.blocks import Span, with_heading_paths
from tools.documents.model import CELL_SEPARATOR, Block, BlockKind, Extracted, Page
from tools.documents.sections import sections_of
from tools.errors import ParseError
from tools.text.normalise import snapshot_text
from tools.text.sentences import spans

# Kinds that stand line under line, without an empty line between two of the same kind
_TIGHT = (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW)
MAX_BLOCKS = 100_000  # more are put together to blocks of this many characters
_CROWDED = 2000
_LONG_LEAD_IN = 300  # characters; of a longer paragraph only its last sentence introduces a list
NUMBER = re.compile(r"^[^\w]*\d[\d.,:%/()\u2013-]*[^\w]*$")
_MAX_NAME = 60  # characters of the name of a column
_MIN_ROWS = 3
MAX_COLUMNS = 1000


class ParsedBlock(NamedTuple):
    """One block as a parser gives it. Without a kind, `level` above 0 makes it a heading, else it
    is a paragraph.

    text: without its list marker; cells of a table row are joined by CELL_SEPARATOR.
    level: of headings, 1 is the highest; of list items and of what stands inside one, the depth of
    the list. marker: of a list item, as it is to be read ("-", "3."). page: the page that it begins
    on (0: no pages). continues: the block goes on with the one before it (cut by a page break);
    they become one block, with `joint` between them ("" inside a word). header: a table row that
    names the columns, or what labels the whole text. begins: the first row of a table, where the
    format tells.
    """

    text: str
    level: int = 0
    page: int = 0
    continues: bool = False
    kind: BlockKind | None = None
    marker: str = "-"
    header: bool = False
    joint: str = " "
    begins: bool = False

    @property
    def block_kind(self) -> BlockKind:
        return self.kind or (BlockKind.HEADING if self.level else BlockKind.PARAGRAPH)


def table_row(
    cells: Iterable[str], *, header: bool = False, page: int = 0, begins: bool = False
) -> ParsedBlock:
    """A row of a table. Empty cells keep their place; a separator inside a cell is written as a
    broken bar."""
    plain = [" ".join(cell.split()).replace(CELL_SEPARATOR, " \N{BROKEN BAR} ") for cell in cells]
    row = CELL_SEPARATOR.join(plain)
    return ParsedBlock(row, page=page, kind=BlockKind.TABLE_ROW, header=header, begins=begins)


def csv_rows(lines: Iterable[str], delimiter: str = ",") -> Iterator[list[str]]:
    """The rows of a table of separated values that stands within a text."""
    try:
        yield from (
            row for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True) if row
        )
    except csv.Error:
        yield from ([line] for line in lines)


@dataclass(frozen=True, slots=True)
class Composed:
    """Parsed blocks as one snapshot text, with the places of its pages and blocks."""

    text: str
    pages: tuple[Page, ...]
    blocks: tuple[Block, ...]

    def extracted(
        self,
        extractor: str,
        metadata: Mapping[str, object] = MappingProxyType({}),
        *,
        empty: str = "This file contains no text.",
        **others: Any,
    ) -> Extracted:
        """The extraction of a file; ParseError with the sentence `empty` where it has no text.

        metadata: what is empty in it is left out; its title is that of the document. others: as in
        Extracted.
        """
        if not self.text:
            raise ParseError(empty)
        values = {name: value for name, value in metadata.items() if value or value is False}
        title = str(values.get("title", ""))
        return Extracted(
            self.text, "", extractor, title, sections_of(self.text, self.blocks, title),
            self.pages,
            metadata=values,
            blocks=self.blocks, **others,
        )  # fmt: skip


def compose(parsed: Iterable[ParsedBlock], page_count: int = 0) -> Composed:
    """One text: blocks in snapshot form with a blank line between them; empty ones are left out.

    Items of a list and rows of a table stand line under line; list items are written with their
    marker, indented by their depth. page_count: pages 1..n get a start each; a page without text
    starts where the next one does.
    """
    writer = _Writer()
    for block in parsed:
        if block.kind == BlockKind.CODE:
            text = snapshot_text(block.text).strip("\n")
        else:
            text = snapshot_text(block.text)
        text = text.rstrip() if block.kind == BlockKind.CODE else text.strip(" \t\n")
        if text.strip():
            writer.add(block, text)
    text = "".join(writer.parts)
    blocks = with_heading_paths(text, writer.blocks)
    return Composed(text, _pages(writer.starts, page_count, writer.at), blocks)


@dataclass(slots=True)
class _Writer:
    """The text so far, and what the next block may need as context."""

    parts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    starts: dict[int, int] = field(default_factory=dict)
    at: int = 0
    last_text: str = ""  # of the last block
    lead_in: Span | None = None  # of the list that is being read
    # List items that the next may stand in, by depth
    parents: list[tuple[int, Span]] = field(default_factory=list)
    # Caption and header rows of the table that is being read
    columns: list[Span] = field(default_factory=list)

    def add(self, parsed: ParsedBlock, text: str) -> None:
        kind = parsed.block_kind
        if self.blocks and (parsed.continues or self._is_crowded(kind)):
            joint = parsed.joint if parsed.continues else self._joint(parsed)
            self._continue(parsed, text, joint)
            return
        joint = "" if not self.parts else self._joint(parsed)
        if kind == BlockKind.LIST_ITEM and parsed.marker:
            marker = f"{'  ' * (parsed.level - 1)}{parsed.marker} "
        else:
            marker = ""
        start = self.at + len(joint) + len(marker)
        self._write(joint + marker + text)
        if parsed.page:
            self.starts.setdefault(parsed.page, start)
        context = self._context(parsed, kind, (start, self.at))
        level = max(1, parsed.level) if kind == BlockKind.HEADING else parsed.level
        self.blocks.append(Block(kind, start, self.at, level, parsed.header, (), context))
        self.last_text = text

    def _is_crowded(self, kind: BlockKind) -> bool:
        """Whether a block is to be put into the one before it: in files of millions of lines
        several lines are one."""
        last = self.blocks[-1]
        return (
            len(self.blocks) >= MAX_BLOCKS
            and last.kind == kind
            and last.end - last.start < _CROWDED
        )

    def _continue(self, parsed: ParsedBlock, text: str, joint: str) -> None:
        last = self.blocks[-1]
        start = self.at + len(joint)
        self._write(joint + text)
        self.last_text += joint + text
        if parsed.page:
            self.starts.setdefault(parsed.page, start)
        self.blocks[-1] = Block(
            last.kind, last.start, self.at, last.level, last.header, (), last.context
        )

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self.at += len(text)

    def _joint(self, parsed: ParsedBlock) -> str:
        kind = parsed.block_kind
        if kind in _TIGHT and self.blocks[-1].kind == kind and not parsed.begins:
            return "\n"
        return "\n\n"

    def _context(self, parsed: ParsedBlock, kind: BlockKind, span: Span) -> tuple[Span, ...]:
        """The spans that the block needs; keeps in mind what later ones will."""
        previous = self.blocks[-1] if self.blocks else None
        inside_list = kind == BlockKind.LIST_ITEM or (
            parsed.level > 0 and kind != BlockKind.HEADING
        )
        if not inside_list:
            self.parents = []
        if kind != BlockKind.TABLE_ROW:
            self.columns = [span] if kind == BlockKind.CAPTION else []
        if inside_list:
            return self._list_context(parsed, kind, span, previous)
        if kind == BlockKind.TABLE_ROW:
            return self._row_context(parsed, span, previous)
        if kind in (BlockKind.CODE, BlockKind.QUOTATION) and previous is not None:
            return self._introduction(previous)
        return ()

    def _list_context(
        self, parsed: ParsedBlock, kind: BlockKind, span: Span, previous: Block | None
    ) -> tuple[Span, ...]:
        depth = max(1, parsed.level)
        if kind != BlockKind.LIST_ITEM:
            return tuple(parent for level, parent in self.parents if level <= depth)[-1:]
        if not self.parents:
            introduction = (
                self._introduction(previous) if previous and self._leads_in(previous) else ()
            )
            self.lead_in = introduction[0] if introduction else None
        self.parents = [(level, parent) for level, parent in self.parents if level < depth]
        context = ((self.lead_in,) if self.lead_in else ()) + tuple(
            parent for _, parent in self.parents
        )
        self.parents.append((depth, span))
        return context

    def _row_context(
        self, parsed: ParsedBlock, span: Span, previous: Block | None
    ) -> tuple[Span, ...]:
        if previous is not None and previous.kind == BlockKind.TABLE_ROW:
            if parsed.begins or (parsed.header and not previous.header):
                self.columns = []  # a second table directly under the first
        elif not self.columns and previous is not None and self.last_text.rstrip().endswith(":"):
            self.columns = list(self._introduction(previous))
        context = tuple(self.columns)
        if parsed.header:
            self.columns.append(span)
        return context

    def _leads_in(self, previous: Block) -> bool:
        """Whether a block introduces the list after it: it ends with a colon, or is one sentence.

        Of several sentences without a colon most say something of their own, as a note before a
        list of settings.
        """
        text = self.last_text.rstrip()
        return text.endswith(":") or len(list(spans(text, 0, len(text)))) <= 1

    def _introduction(self, previous: Block) -> tuple[Span, ...]:
        """What introduces the next block: the paragraph or list item before it, its last sentence
        when it is long."""
        if previous.header or previous.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            return ()
        if previous.end - previous.start <= _LONG_LEAD_IN:
            return ((previous.start, previous.end),)
        text = self.last_text
        sentences = list(spans(text, 0, len(text)))
        start, end = sentences[-1] if sentences else (0, len(text))
        return ((previous.start + start, previous.start + end),)


def _pages(starts: dict[int, int], count: int, length: int) -> tuple[Page, ...]:
    page_list: list[Page] = []
    following = length
    for number in range(count, 0, -1):
        following = starts.get(number, following)
        page_list.append(Page(number, following))
    return tuple(reversed(page_list))


@dataclass(frozen=True, slots=True)
class TableCell:
    """The text of a cell; how many columns it spans; whether it goes on from the row above."""

    text: str
    columns: int = 1
    continued: bool = False


def table_blocks(
    rows: Iterable[Sequence[TableCell]], headers: int | None = None, page: int = 0
) -> list[ParsedBlock]:
    """The rows of a table. headers: how many of them name the columns; None: the first, when it
    looks like names."""
    grid: list[list[str]] = []
    for cells in rows:
        above = grid[-1] if grid else []
        grid.append(_spread(cells, above, is_header=len(grid) < (headers or 0)))
    grid = [row for row in grid if any(row)]
    if headers is None:
        headers = 1 if has_header(grid) else 0
    return [
        table_row(row, header=number < headers, page=page, begins=not number)
        for number, row in enumerate(grid)
    ]


def _spread(cells: Sequence[TableCell], above: Sequence[str], is_header: bool) -> list[str]:
    """One text a column: a name over several columns stands in each, a value in the first."""
    spread: list[str] = []
    for cell in cells:
        at = len(spread)
        text = above[at] if cell.continued and at < len(above) else cell.text
        width = max(1, min(cell.columns, MAX_COLUMNS))
        spread += [text, *([text if is_header else ""] * (width - 1))]
    return spread


def has_header(grid: Sequence[Sequence[str]]) -> bool:
    """Whether the first row of a table names its columns: short texts without numbers, no label
    with its value."""
    if len(grid) < _MIN_ROWS or len(grid[0]) < 2:
        return False
    first = [text for text in grid[0] if text]
    if any(
        NUMBER.match(text) or len(text) > _MAX_NAME or text.rstrip().endswith(":") for text in first
    ):
        return False
    labels = sum(1 for row in grid if row and row[0].rstrip().endswith(":"))
    return len(first) >= max(2, len(grid[0]) - 1) and labels < len(grid) / 2
