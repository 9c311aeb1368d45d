"""Lists and lines in the width of a terminal: nothing is cut off, and words are broken only where
they must be."""

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

GAP = 2  # columns between two columns
INDENT = 4  # of what did not fit into the first line of a row
READABLE = 30  # columns that a column of running text needs at least


def grid(
    columns: Sequence[str], rows: "Sequence[Sequence[Text]]", flexible: int, width: int
) -> "list[RenderableType]":
    """A list with aligned columns; where they do not fit side by side, a row goes on in lines
    below, indented.

    flexible: the column of running text, which may be folded.
    """

    count = max([len(columns), *(len(row) for row in rows)], default=0)
    wide = [
        max(
            [
                cell_len(columns[at]) if at < len(columns) else 0,
                *(row[at].cell_len for row in rows if at < len(row)),
            ]
        )
        for at in range(count)
    ]
    needed = sum(
        min(width, READABLE) if at == flexible else width for at, width in enumerate(wide)
    ) + GAP * (count - 1)
    if needed <= width:
        return _side_by_side(columns, rows, flexible)
    return _folded(columns, rows, flexible, wide, width)


def _side_by_side(
    columns: Sequence[str], rows: "Sequence[Sequence[Text]]", flexible: int
) -> "list[RenderableType]":

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, GAP, 0, 0))
    for index, name in enumerate(columns):
        table.add_column(Text(name), no_wrap=index != flexible, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return [table]


def _folded(
    columns: Sequence[str],
    rows: "Sequence[Sequence[Text]]",
    flexible: int,
    wide: Sequence[int],
    width: int,
) -> "list[RenderableType]":

    header = [Text(name, style="dim") for name in columns]
    table = [[*row, *[Text("")] * (len(wide) - len(row))] for row in (header, *rows)]
    filled_columns = [
        at for at in range(len(wide)) if any(row[at].plain.strip(" -") for row in table[1:])
    ]
    lines = _lines(wide, sorted(filled_columns, key=lambda at: at == flexible), width)
    folded: list[RenderableType] = []
    for row in table if any(columns) else table[1:]:
        for number, cells in enumerate(lines):
            folded += _line([row[at] for at in cells], [wide[at] for at in cells], number)
    return folded


def _lines(wide: Sequence[int], order: Sequence[int], width: int) -> list[list[int]]:
    """Which columns stand in which line: as many as fit."""
    lines: list[list[int]] = [[]]
    room = width
    for at in order:
        if lines[-1] and wide[at] > room:
            lines.append([])
            room = width - INDENT
        lines[-1].append(at)
        room -= wide[at] + GAP
    return lines


def _line(cells: "Sequence[Text]", wide: Sequence[int], number: int) -> "list[RenderableType]":

    if number and not any(cell.plain.strip(" -") for cell in cells):
        return []
    line = Text(overflow="fold")
    for cell, columns in zip(cells, wide, strict=True):
        padded = cell.copy()
        padded.pad_right(max(0, columns - cell.cell_len) + GAP)
        line.append_text(padded)
    line.rstrip()
    return [Padding(line, (0, 0, 0, INDENT if number else 0))]


def flowed(text: str, column: int, width: int) -> tuple[str, int]:
    """A further piece of a text that is written as it comes, and the column after it.

    column: where the cursor is. A word that would not fit begins the next line; one in two pieces
    may be broken.
    """

    rows = []
    for part in re.split(r"(\n| +)", text):
        if part == "\n":
            column = 0
        elif column and column + cell_len(part) > width:
            part, column = ("\n", 0) if part.isspace() else (f"\n{part}", cell_len(part))
        else:
            column += cell_len(part)
        rows.append(part)
    return "".join(rows), column
