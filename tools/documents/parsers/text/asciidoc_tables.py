"""Tables of AsciiDoc: cells on one line or several, spans, separated values. https://docs.asciidoctor.org/asciidoc/latest/tables/"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from tools.documents.parsers.blocks import MAX_COLUMNS, ParsedBlock, csv_rows, table_row
from tools.documents.parsers.html.markup_tables import Cell, Row, Table

_CELL = re.compile(
    r"(?<!\\)(?:(?<!\S)(?:(\d{1,2})\*|(\d{0,2})(?:\.(\d{1,2}))?\+)?[<^>.]{0,4}([adehlmsv]?))?\|"
)
_COLUMNS = re.compile(r"\bcols\s?=\s?(?:\"([^\"]{0,1000}+)\"|([^,\s\]]{1,100}+))")
_REPEATED = re.compile(r"\s*(\d{1,3})\*")
_SEPARATOR = re.compile(r"\bseparator=\"?([^\s\"\\,])")
_FORMAT = re.compile(r"\bformat=\"?([cdt]sv)")
_HEADER = re.compile(r"(?:%|\bopt(?:ion)?s?=\"?[\w,]{0,60})(no)?header")
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
    option = _HEADER.search(options)
    # It is said, or the first row stands alone above an empty line
    stands_alone = len(lines) > 2 and bool(lines[0]) and not lines[1]
    is_headed = not option[1] if option else stands_alone
    form = _FORMAT.search(options)
    if mark[0] in ",:" or form:
        delimiter = _DELIMITERS[form[1]] if form else mark[0]
        for number, row in enumerate(csv_rows(lines, delimiter)):
            yield table_row(map(plain, row), header=is_headed and not number, begins=not number)
        return
    yield from _cell_rows(mark, lines, options, is_headed, plain, rich)


def _cell_rows(
    mark: str,
    lines: Sequence[str],
    options: str,
    is_headed: bool,
    plain: Callable[[str], str],
    rich: Callable[[list[str]], str],
) -> Iterator[ParsedBlock]:
    """The rows of a table whose cells begin with a mark each, after the text before the first."""
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

    text = "\n".join(line for line in lines if not line.startswith("//")).translate(swapped)
    first = _CELL.search(text)
    yield ParsedBlock(read_cell(text[: first.start() if first else None], None))
    if first is None:
        return
    rows = _rows(text, read_cell, _width(specs, text[first.start() :]))
    rows[0].in_head = is_headed
    yield from (block for _, block in Table(rows).blocks())


def _width(specs: Sequence[str], text: str) -> int:
    """How many columns a table has: as it is said, else those of its first line."""
    column_count = sum(int(many[1]) if (many := _REPEATED.match(spec)) else 1 for spec in specs)
    first_line = text.partition("\n")[0]
    cell_count = sum(_copies(start) * _spans(start)[0] for start in _CELL.finditer(first_line))
    return min(column_count or cell_count, MAX_COLUMNS)


def _copies(start: re.Match[str]) -> int:
    """In how many cells the same stands."""
    return max(1, int(start[1] or 1))


def _spans(start: re.Match[str]) -> tuple[int, int]:
    """The columns and rows of a cell."""
    return max(1, int(start[2] or 1)), max(1, int(start[3] or 1))


def _rows(text: str, read_cell: Callable[[str, str | None], str], width: int) -> list[Row]:
    """The cells of a table by rows: one is full where its columns are, those of cells above that
    stand in it too counted."""
    starts = list(_CELL.finditer(text))
    ends = [*(start.start() for start in starts[1:]), len(text)]
    rows = [Row(None)]
    covered: Counter[int] = Counter()  # columns of a row that cells above it stand in
    for start, end in zip(starts, ends, strict=True):
        columns, height = _spans(start)
        content = read_cell(text[start.end() : end], start[4])
        for _ in range(_copies(start)):
            rows[-1].cells.append(Cell(content, columns, height))
            covered.update(dict.fromkeys(range(len(rows), len(rows) + height), columns))
            while covered[len(rows)] >= width:
                rows.append(Row(None))
    return rows
