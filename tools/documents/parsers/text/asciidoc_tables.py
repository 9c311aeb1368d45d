"""Tables of AsciiDoc: cells on one line or several, spans, separated values. https://docs.asciidoctor.org/asciidoc/latest/tables/"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from tools.documents.parsers.blocks import ParsedBlock, table_row
from tools.documents.parsers.tables import MAX_COLUMNS, TableCell, table_blocks
from tools.documents.parsers.text.rst_tables import csv_rows

_CELL = re.compile(
    r"(?<!\\)(?:(?<!\S)(?:(\d{1,2})\*|(\d{0,2})(?:\.(\d{1,2}))?\+)?[<^>.]{0,4}([adehlmsv]?))?\|"
)
_COLUMNS = re.compile(r"\bcols\s?=\s?(?:\"([^\"]{0,1000}+)\"|([^,\s\]]{1,100}+))")
_REPEATED = re.compile(r"\s*(\d{1,3})\*")
_SEPARATOR = re.compile(r"\bseparator=\"?([^\s\"\\,])")
_FORMAT = re.compile(r"\bformat=\"?([cdt]sv)")
_HEADER = re.compile(r"(?:%|\bopt(?:ion)?s?=\"?[\w,]{0,60})(no)?header")
_MOST_REPEATED = 20_000  # cells of a table that stand there because one above them goes on
_DELIMITERS = {"tsv": "\t", "dsv": ":", "csv": ","}


def table(
    mark: str,
    lines: Sequence[str],
    options: str,
    plain: Callable[[str], str],
    rich: Callable[[list[str]], str],
) -> Iterator[ParsedBlock]:
    """The rows of a table. mark: the line before it; options: what the line in brackets above it
    says.

    plain, rich: read a cell as words, and one that holds lists or code.
    """
    is_headed = _is_headed(lines, options)
    form = _FORMAT.search(options)
    if mark[0] in ",:" or form:
        delimiter = _DELIMITERS[form[1]] if form else mark[0]
        for number, row in enumerate(csv_rows(lines, delimiter)):
            yield table_row(map(plain, row), header=is_headed and not number, begins=not number)
        return
    lines = [line for line in lines if not line.startswith("//")]
    option = _SEPARATOR.search(options)
    separator = option[1] if option else mark[0]
    swapped = {ord(separator): "|", ord("|"): separator}
    columns = _COLUMNS.search(options)
    specs = re.split("[,;]", columns[1] or columns[2] or "") if columns else []
    are_rich = any("a" in spec for spec in specs)

    def read_cell(content: str, style: str | None) -> str:
        content = (
            content.strip()
            .translate(swapped)
            .replace(f"\\{separator}", separator)
            .replace(" +\n", "\n")
        )
        is_rich = "\n" in content and (are_rich or style == "a")
        return rich([line.strip() for line in content.split("\n")]) if is_rich else plain(content)

    text = "\n".join(lines).translate(swapped)
    first = _CELL.search(text)
    yield ParsedBlock(read_cell(text[: first.start() if first else None], None))
    width = _width(specs, text[first.start() :] if first else "")
    yield from table_blocks(_rows(_cells(text, read_cell), width), int(is_headed))


def _width(specs: Sequence[str], text: str) -> int:
    """How many columns a table has: as it is said, else those of its first line."""
    column_count = sum(int(many[1]) if (many := _REPEATED.match(spec)) else 1 for spec in specs)
    first_line = text.partition("\n")[0]
    cell_count = sum(_copies(start) * _spans(start)[0] for start in _CELL.finditer(first_line))
    return min(column_count or cell_count, MAX_COLUMNS)


def _is_headed(lines: Sequence[str], options: str) -> bool:
    """Whether the first row names the columns: it is said, or the row stands alone above an empty
    line."""
    option = _HEADER.search(options)
    return not option[1] if option else len(lines) > 2 and bool(lines[0]) and not lines[1]


def _copies(start: re.Match[str]) -> int:
    """In how many cells the same stands."""
    return max(1, int(start[1] or 1))


def _spans(start: re.Match[str]) -> tuple[int, int]:
    """The columns and rows of a cell."""
    return max(1, int(start[2] or 1)), max(1, int(start[3] or 1))


def _cells(
    text: str, read_cell: Callable[[str, str | None], str]
) -> Iterator[tuple[TableCell, int]]:
    """Each cell with the number of rows that it stands in."""
    starts = list(_CELL.finditer(text))
    for start, end in zip(
        starts, [*(match.start() for match in starts[1:]), len(text)], strict=False
    ):
        columns, rows = _spans(start)
        yield from [
            (TableCell(read_cell(text[start.end() : end], start[4]), columns), rows)
        ] * _copies(start)


def _rows(cells: Iterable[tuple[TableCell, int]], width: int) -> Iterator[list[TableCell]]:
    """The cells by rows; in the place of one that stands in several rows, that it goes on."""
    row: list[TableCell] = []
    at = 0
    below: dict[int, int] = {}  # column -> rows that a cell above still stands in

    repeated = 0

    def go_on() -> Iterator[TableCell]:
        nonlocal repeated
        for column in range(at, width):
            if not below.get(column) or repeated >= _MOST_REPEATED:
                return
            repeated += 1
            below[column] -= 1
            yield TableCell("", continued=True)

    for cell, rows in cells:
        row.append(cell)
        at, begun = at + cell.columns, at
        row += (more := list(go_on()))
        at += len(more)
        if rows > 1:
            below[begun] = rows - 1
        if at >= width:
            yield row
            at = 0
            row = list(go_on())
            at = len(row)
    if any(not cell.continued for cell in row):
        yield row
