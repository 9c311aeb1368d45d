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
    columns: Sequence[str], rows: Sequence[Sequence[Text]], flexible: int, width: int
) -> list[RenderableType]:
    """A list with aligned columns; where they do not fit side by side, the column of running text
    goes on in a line below, indented.

    flexible: the column of running text, which may be folded.
    """
    header = [Text(name, style="dim") for name in columns]
    count = max(map(len, (header, *rows)))
    lines = [[*row, *[Text("")] * (count - len(row))] for row in (header, *rows)]
    wide = [max(row[at].cell_len for row in lines) for at in range(count)]
    needed = sum(min(cells, READABLE) if at == flexible else cells for at, cells in enumerate(wide))
    if needed + GAP * (count - 1) <= width:
        table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
        for index, name in enumerate(header):
            table.add_column(name, no_wrap=index != flexible, overflow="fold")
        for row in rows:
            table.add_row(*row)
        return [table]
    below = [row.pop(flexible) for row in lines]
    del wide[flexible]
    folded: list[RenderableType] = []
    for row, text in zip(lines, below, strict=True):
        folded.append(_aligned(row, wide))
        if text.plain.strip(" -"):
            folded.append(Padding(text, (0, 0, 0, INDENT)))
    return folded if any(columns) else folded[1:]


def _aligned(cells: Sequence[Text], wide: Sequence[int]) -> Text:
    line = Text(overflow="fold")
    for cell, columns in zip(cells, wide, strict=True):
        line.append_text(cell).append(" " * (columns - cell.cell_len + GAP))
    line.rstrip()
    return line


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
