"""Tables of reStructuredText: drawn with lines, marked by rules, as lists of lists, as
comma-separated values."""

import csv
import re
from collections.abc import Iterator, Sequence

SIMPLE_RULE = re.compile(r"=+(?: +=+)+\s*$")
GRID_RULE = re.compile(r"\+(?:[-=]+\+)+\s*$")
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
    """Rows of a table drawn with + - and |."""
    head = next(
        (
            number
            for number, line in enumerate(lines)
            if number and "=" in line and GRID_RULE.match(line)
        ),
        0,
    )
    cells: list[str] = []
    for number, line in enumerate(lines):
        if line.startswith("+"):
            if any(cells):
                yield cells, number <= head
            cells = []
            continue
        parts = [part.strip() for part in line.strip().strip("|").split("|")]
        cells += [""] * (len(parts) - len(cells))
        for column, part in enumerate(parts):
            cells[column] = f"{cells[column]} {part}".strip()
