"""Tables of documents as rows of equal width: merged cells repeated where they are needed, header
rows recognised."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.documents.parsers.blocks import ParsedBlock, table_row

NUMBER = re.compile(r"^[^\w]*\d[\d.,:%/()\u2013-]*[^\w]*$")
_MAX_NAME = 60  # characters of the name of a column
_MIN_ROWS = 3
MAX_COLUMNS = 1000


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
