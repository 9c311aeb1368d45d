"""Tables of reStructuredText: drawn with lines, marked by rules, as lists of lists, as
comma-separated values."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from unicodedata import east_asian_width

SIMPLE_RULE = re.compile(r"=+(?: +=+)+\s*$")
GRID_RULE = re.compile(r"\+(?:[-=]+\+)+\s*$")
_LONGEST_REPEATED = 1000  # characters of a cell that spans rows
_MOST_COLUMNS = 200
_FILLER = "\ue000"  # the second place of a wide character
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
    for number, line in enumerate(map(_in_places, lines)):
        ended = _ended(line, columns)
        if any(ended):
            if any(cells):
                yield cells, is_head
            is_head &= "=" not in line or not number
            cells = _carried(cells, ended)
        for column, part in enumerate(_parts(line, columns, ended)):
            cells[column] = f"{cells[column]} {part}".strip()


def _carried(cells: Sequence[str], ended: Sequence[bool]) -> list[str]:
    """What the next row begins with: the cells that are not ruled off, cut where they are long."""
    pairs = zip(cells, ended, strict=True)
    return ["" if is_end else cell[:_LONGEST_REPEATED] for cell, is_end in pairs]


def _columns(lines: Lines) -> list[tuple[int, int]]:
    """Where each column begins and ends, by the corners in the rules that are as long as the
    first."""
    ruled = (line for line in lines if len(line) == len(lines[0]) and GRID_RULE.match(line))
    corners = {match.start() for line in ruled for match in _CORNER.finditer(line)}
    return list(pairwise(sorted(corners)))[:_MOST_COLUMNS]


def _in_places(line: str) -> str:
    """A line with a character for each place that it takes: two for a wide one."""
    if line.isascii():
        return line
    return "".join(char + _FILLER * (east_asian_width(char) in "WF") for char in line)


def _parts(line: str, columns: Sequence[tuple[int, int]], ended: Sequence[bool]) -> list[str]:
    """What a line has for each column; of columns without a bar between the first has it. Where
    the outer bars stand elsewhere the columns are told by the bars alone."""
    first, last = columns[0][0], columns[-1][1]
    if {line[first : first + 1], line[last:]} - {"|", "+"}:
        between = [] if any(ended) else line.strip("| ").split("|")[: len(columns)]
        return [part.replace(_FILLER, "").strip() for part in between]
    parts, begin = [""] * len(columns), 0
    for column, (_, stop) in enumerate(columns):
        if ended[column] or line[stop] in "|+":
            if not ended[column]:
                text = line[columns[begin][0] + 1 : stop]
                parts[begin] = text.replace(_FILLER, "").strip()
            begin = column + 1
    return parts


def _ended(line: str, columns: Sequence[tuple[int, int]]) -> list[bool]:
    """Which columns a line rules off; a rule of another length than the first all of them."""
    if GRID_RULE.match(line) and len(line) != columns[-1][1] + 1:
        return [True] * len(columns)
    parts = (line[start + 1 : stop] for start, stop in columns)
    return [bool(part) and not part.strip("-=") for part in parts]
