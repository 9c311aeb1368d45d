"""Tables in the rows of a PDF page: columns that stay in their place over several rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from tools.documents.parsers.blocks import NUMBER, has_header
from tools.documents.parsers.pdf.characters import Piece
from tools.documents.parsers.pdf.rows import Cell, Row

_LABEL = re.compile(
    r"^(?:[•▪■●◦‣∙·–—*▸✓☐☒-]|\(?\d{1,3}[.)]?|\[[\w+-]{1,12}\]|\(?[a-zA-Z][.)]|[ivxIVX]{1,5}[.)])$"
)
_MAX_CELL = 400  # characters; what is longer is text beside other text
_MIN_ROWS = 3  # with two columns; two rows with more
_FAR = 6.0  # in units of the font size: how far below each other rows of one table may stand
_SEEDS = 6  # rows that are tried as the model of a table
_FEW_CELLS = 0.5  # share of the columns that the second line of a row fills at most


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, all as wide as the table; "" is an empty cell. header: whether the first row
    names the columns."""

    rows: tuple[tuple[str, ...], ...]
    page: int
    header: bool


@dataclass(slots=True)
class _Column:
    x0: float
    x1: float


def with_tables(rows: Sequence[Row]) -> list[Row | Table]:
    """The rows of a page, those of a table put together; labels of list items are joined to their
    text."""
    plain = [_with_label(row) for row in rows]
    items: list[Row | Table] = []
    at = 0
    while at < len(plain):
        end = _run(plain, at)
        grid = _table(plain[at:end]) if end - at > 1 else None
        if grid is None:
            items.append(plain[at])
            at += 1
        else:
            table, skipped, row_count = grid
            items += [*plain[at : at + skipped], table]
            at += row_count
    return items


def _with_label(row: Row) -> Row:
    """A row that begins with a bullet or number by itself: this goes to the text beside it."""
    if (
        len(row.cells) < 2
        or not _LABEL.match(row.cells[0].text.strip())
        or len(row.cells[0].pieces) > 1
    ):
        return row
    label, first = row.cells[0].pieces[0], row.cells[1].pieces[0]
    numeric = all(NUMBER.match(cell.text.strip()) for cell in row.cells)
    if numeric or len(row.cells) > 2 or first.x0 - label.x1 > 4 * first.size:
        return row
    joined = replace(first, text=f"{label.text.strip()} {first.text}", x0=label.x0, edges=())
    return Row([Cell([joined, *row.cells[1].pieces[1:]])])


def _run(rows: Sequence[Row], at: int) -> int:
    """Where the rows that may form a table with this one end."""
    if len(rows[at].cells) < 2:
        return at
    end = at + 1
    while end < len(rows) and _follows(rows[end - 1], rows[end]):
        end += 1
    while end > at and len(rows[end - 1].cells) < 2:
        end -= 1
    return end


def _follows(above: Row, row: Row) -> bool:
    size = max(piece.size for piece in above.cells[0].pieces)
    short = max(len(cell.text) for cell in row.cells) <= _MAX_CELL
    return above.page == row.page and short and -0.5 * size < above.bottom - row.top < _FAR * size


def _table(run: Sequence[Row]) -> tuple[Table, int, int] | None:
    """The table at the beginning of some rows, how many before it are none, and how many were used
    in all."""
    columns = _columns(run)
    if len(columns) < 2:
        return None
    placed = [_placed(row, columns) for row in run]
    first = next((n for n, cells in enumerate(placed) if cells), 0)
    end = next((n for n, cells in enumerate(placed) if n > first and cells is None), len(run))
    while end > first and sum(map(bool, placed[end - 1] or ())) < 2:
        end -= 1
    if end == first:  # each row falls into one column: text beside text
        return None
    grid = _continued([cells for cells in placed[first:end] if cells], run[first:end])
    full = sum(1 for cells in grid if sum(map(bool, cells)) > 1)
    if full < (2 if len(columns) > 2 else _MIN_ROWS) or _is_prose(grid):
        return None
    return Table(tuple(map(tuple, grid)), run[0].page, has_header(grid)), first, end


def _columns(run: Sequence[Row]) -> list[_Column]:
    """The columns that most rows agree with, of those that the rows with many cells would make."""
    most = max(len(row.cells) for row in run)
    seeds = [row for row in run if len(row.cells) >= max(2, most - 2)]
    step = max(1, len(seeds) // _SEEDS)
    columns = [_grown(seed, run) for seed in seeds[::step]]
    return max(columns, key=lambda columns: (sum(_fits(row, columns) for row in run), len(columns)))


def _grown(seed: Row, run: Sequence[Row]) -> list[_Column]:
    """The columns of one row, as wide as the rows that have the same ones."""
    columns = [_Column(cell.x0, cell.x1) for cell in seed.cells]
    for row in run:
        if len(row.cells) == len(columns) and _fits(row, columns):
            for cell, column in zip(row.cells, columns, strict=True):
                column.x0, column.x1 = min(column.x0, cell.x0), max(column.x1, cell.x1)
    return columns


def _fits(row: Row, columns: Sequence[_Column]) -> bool:
    """Whether every cell of a row stands in a column of its own."""
    places = [_overlapping(cell.x0, cell.x1, columns) for cell in row.cells]
    return (
        all(len(place) == 1 for place in places)
        and len({place[0] for place in places}) == len(places) > 1
    )


def _placed(row: Row, columns: Sequence[_Column]) -> list[str] | None:
    """The texts of a row by column; None when it does not fit, such as a line of text across the
    columns."""
    cells = [""] * len(columns)
    # Surely a row of this table, whatever one cell does
    loose = len(row.cells) > max(2, len(columns) / 2)
    for cell in row.cells:
        for piece in cell.pieces:
            over = _overlapping(piece.x0, piece.x1, columns)
            if len(over) > 1 and not loose and not _is_split(piece, over, columns):
                return None
            for column, text in _parts(piece, over, columns):
                cells[column] = f"{cells[column]} {text}".strip()
    return cells


def _is_split(piece: Piece, over: Sequence[int], columns: Sequence[_Column]) -> bool:
    """Whether a piece over several columns is a line of their names rather than a line of text."""
    parts = _parts(piece, over, columns)
    words = len(piece.text.split())
    return (
        len(parts) == len(over)
        and words <= 3 * len(over)
        and not re.search(r"[.;:]\s|[.;]$", piece.text)
    )


def _parts(piece: Piece, over: Sequence[int], columns: Sequence[_Column]) -> list[tuple[int, str]]:
    """The words of a piece by the column that each stands in, or nearest to."""
    words = piece.text.split()
    if len(over) < 2 or len(words) != len(piece.edges) // 2:
        middle = (piece.x0 + piece.x1) / 2
        return [(over[0] if over else _nearest(middle, columns), piece.text)]
    parts: dict[int, list[str]] = {}
    for word, x0, x1 in zip(words, piece.edges[::2], piece.edges[1::2], strict=True):
        parts.setdefault(_nearest((x0 + x1) / 2, columns), []).append(word)
    return [(column, " ".join(words)) for column, words in parts.items()]


def _overlapping(x0: float, x1: float, columns: Sequence[_Column]) -> list[int]:
    return [n for n, column in enumerate(columns) if x0 < column.x1 and x1 > column.x0]


def _nearest(x: float, columns: Sequence[_Column]) -> int:
    return min(range(len(columns)), key=lambda n: max(columns[n].x0 - x, x - columns[n].x1, 0.0))


def _continued(grid: list[list[str]], rows: Sequence[Row]) -> list[list[str]]:
    """Second lines of rows put to the first: nothing in the first column, few cells, and close
    below."""
    drops = [above.top - row.top for above, row in pairwise(rows)]
    usual = median(drops) if drops else 0.0
    merged = [grid[0]]
    for cells, drop in zip(grid[1:], drops, strict=False):
        close = drop < 0.8 * usual
        if not cells[0] and close and sum(map(bool, cells)) <= _FEW_CELLS * len(cells):
            merged[-1] = [
                f"{old} {new}".strip() for old, new in zip(merged[-1], cells, strict=True)
            ]
        else:
            merged.append(cells)
    return merged


def _is_prose(grid: Sequence[Sequence[str]]) -> bool:
    """Two columns of a page rather than a table: its cells are long, and most are neither short nor
    numbers."""
    texts = [text for cells in grid for text in cells if text]
    return len(grid) < _MIN_ROWS and median(map(len, texts)) > 60


def numbers_only(text: str) -> bool:
    """A row of a table without wide gaps: mostly numbers, at least three of them.

    Where a comma or a full stop follows a number, the line belongs to a sentence or a reference.
    """
    parts = text.split()
    if text.rstrip().endswith((".", ",", ";")) or any(part.endswith((",", ";")) for part in parts):
        return False
    return sum(1 for part in parts if NUMBER.match(part)) >= max(3, 0.5 * len(parts) + 0.1)
