"""Tables of reStructuredText: drawn with lines, marked by rules, as lists of lists, as
comma-separated values."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

SIMPLE_RULE = re.compile(r"=+(?: +=+)+\s*$")
GRID_RULE = re.compile(r"\+(?:[-=]+\+)+\s*$")
_CORNER = re.compile(r"\+")
_OUTER = re.compile(r"[*-] [*-] ?(.*)$")
_INNER = re.compile(r"  [*-] ?(.*)$")
Lines = list[str]


def csv_rows(lines: Sequence[str], delimiter: str = ",") -> Iterator[list[str]]:
    """The rows of a table of separated values."""
    try:
        yield from (
            row for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=True) if row
        )
    except csv.Error:
        yield from ([line] for line in lines)


def list_rows(lines: Lines) -> Iterator[list[str]]:
    """The rows of a list-table: a list of lists."""
    row: list[str] = []
    for line in lines:
        outer = _OUTER.match(line)
        inner = _INNER.match(line)
        if outer:
            if row:
                yield row
            row = [outer.group(1)]
        elif inner and row:
            row.append(inner.group(1))
        elif row:
            row[-1] = f"{row[-1]} {line.strip()}".strip()
    if row:
        yield row


def end_of_table(lines: Lines, at: int) -> int:
    """Where a table that begins at a line ends."""
    end = at + 1
    if lines[at][0] == "+":
        while end < len(lines) and lines[end].startswith(("+", "|")):
            end += 1
        return end
    rules = 1
    while end < len(lines):
        closing = bool(SIMPLE_RULE.match(lines[end]))
        rules += closing
        end += 1
        if (
            closing
            and (rules > 2 or (end < len(lines) and not lines[end]))
            and (end >= len(lines) or not lines[end])
        ):
            break
    return end


def simple_table(lines: Lines) -> Iterator[tuple[list[str], bool]]:
    """Rows of a table whose columns are marked by ===; a row without a first cell goes on with the
    one before."""
    starts = [match.start() for match in re.finditer(r"=+", lines[0])]
    rules = [number for number, line in enumerate(lines) if SIMPLE_RULE.match(line)]
    head = rules[1] if len(rules) > 2 else 0
    ruled = set(rules)
    rows: list[tuple[list[str], bool]] = []
    for number, line in enumerate(lines):
        if not line or number in ruled or not any(map(str.isalnum, line)):
            continue
        stops = [*starts[1:], max(len(line), starts[-1])]
        cells = [line[start:stop].strip() for start, stop in zip(starts, stops, strict=True)]
        if rows and not cells[0] and (rows[-1][1] == (number < head)):
            rows[-1] = (
                [f"{a} {b}".strip() for a, b in zip(rows[-1][0], cells, strict=True)],
                rows[-1][1],
            )
        else:
            rows.append((cells, number < head))
    yield from rows


def grid_table(lines: Lines) -> Iterator[tuple[list[str], bool]]:
    """Rows of a table drawn with + - and |. A cell that spans rows stands in each, one that spans
    columns in the first."""
    columns = _columns(lines)
    is_head = any("=" in line and GRID_RULE.match(line) for line in lines[1:])
    cells = [""] * len(columns)
    for number, line in enumerate(lines):
        ended = [_is_ruled(line[start + 1 : stop]) for start, stop in columns]
        if any(ended):
            if any(cells):
                yield cells, is_head
            is_head &= "=" not in line or not number
            cells = ["" if end else cell for cell, end in zip(cells, ended, strict=True)]
        cells = _with_line(cells, line, columns, ended)


def _columns(lines: Lines) -> list[tuple[int, int]]:
    """Where each column begins and ends, by the corners in the rules."""
    ruled = filter(GRID_RULE.match, lines)
    return list(pairwise(sorted({m.start() for line in ruled for m in _CORNER.finditer(line)})))


def _with_line(
    cells: Sequence[str], line: str, columns: Sequence[tuple[int, int]], ended: Sequence[bool]
) -> list[str]:
    """Some cells with what a line has for each; of columns without a bar between the first."""
    longer, first = list(cells), 0
    for column, (_, stop) in enumerate(columns):
        if ended[column] or line[stop : stop + 1] in ("|", "+", ""):
            part = "" if ended[column] else line[columns[first][0] + 1 : stop].strip()
            longer[first] = f"{longer[first]} {part}".strip()
            first = column + 1
    return longer


def _is_ruled(part: str) -> bool:
    return bool(part) and not part.strip("-=")
