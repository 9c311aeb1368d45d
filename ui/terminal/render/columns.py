"""Lists and lines in the width of a terminal: nothing is cut off, and words are broken only where
they must be."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ui.terminal.render.plain import marked

GAP = 2  # columns between two columns
INDENT = 4  # of what did not fit into the first line of a row
READABLE = 30  # columns that a column of running text needs at least


def grid(
    columns: Sequence[str], rows: Sequence[Sequence[Text]], flexible: int, width: int
) -> list[RenderableType]:
    """A list with aligned columns; where they do not fit side by side, what does not fit and the
    column of running text go on in a line below, indented.

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
    folded = list(_folded(lines, flexible, wide, width))
    return folded if any(columns) else folded[1:]


def _folded(
    lines: Sequence[Sequence[Text]], flexible: int, wide: Sequence[int], width: int
) -> Iterator[RenderableType]:
    order = _order(lines, flexible)
    count = _fitting([wide[at] for at in order if at != flexible], width)
    above, rest = order[:count], order[count:]
    for row in lines:
        yield _aligned([row[at] for at in above], [wide[at] for at in above])
        if below := [row[at] for at in rest if _says(row[at])]:
            yield Padding(Text(" " * GAP).join(below), (0, 0, 0, INDENT))


def _order(lines: Sequence[Sequence[Text]], flexible: int) -> list[int]:
    """The columns that say something below their header, that of running text last."""
    filled = [at for at in range(len(lines[0])) if any(_says(row[at]) for row in lines[1:])]
    return sorted(filled, key=lambda at: at == flexible)


def _fitting(wide: Sequence[int], width: int) -> int:
    """How many columns, from the first, fit beside each other; at least one."""
    ends = accumulate(columns + GAP for columns in wide)
    return max(1, sum(end - GAP <= width for end in ends))


def _aligned(cells: Sequence[Text], wide: Sequence[int]) -> Text:
    line = Text(overflow="fold")
    for cell, columns in zip(cells, wide, strict=True):
        line.append_text(cell).append(" " * (columns - cell.cell_len + GAP))
    line.rstrip()
    return line


def _says(cell: Text) -> bool:
    return bool(cell.plain.strip(" -"))


def matches(snippet: str, style: str, match_style: str) -> Text:
    """A snippet of the engine's with its matches in a style of their own."""
    return Text.assemble(
        *((piece, match_style if match else style) for piece, match in marked(snippet))
    )


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
