"""Pieces of a PDF page -> rows of cells, in reading order, without running heads and page numbers.

Pieces come in the order of the page's content, which most programs write as it is to be read. What
stands beside the piece before it is another cell of the same row; an ordinary column of text is a
row of one cell.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from tools.documents.parsers.authors_and_dates import dates_in
from tools.documents.parsers.pdf.characters import Piece
from tools.documents.parsers.pdf.signs import is_bullet, mend

_PAGE_NUMBER = re.compile(
    r"^\W*(?:(?:page|seite|p\.)\s*)?(?:\d{1,4}|[ivxl]{1,7})(?:\s*(?:of|/|von|de)\s*\d{1,4})?\W*$",
    re.I,
)
_DIGITS = re.compile(r"\d+")
_HIGHEST, _LOWEST = 3, 4  # rows of a page that may be running heads and feet
_SAME_PLACE = 4.0  # points
_REPEATED = 0.25  # share of the pages
_CELLS_OF_A_TABLE = 4  # running heads have at most three pieces: left, middle, right
_LINE_DROP = 2.2  # in units of the font size; what is further down begins a new row
_GAP, _BULLET_GAP = 1.2, 3.0  # in units of the font size: between words of a line, after a bullet
_Key = tuple[str, int]  # what a piece says, and where


@dataclass(slots=True)
class Cell:
    """Pieces below each other."""

    pieces: list[Piece]

    @property
    def x0(self) -> float:
        return min(piece.x0 for piece in self.pieces)

    @property
    def x1(self) -> float:
        return max(piece.x1 for piece in self.pieces)

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)


@dataclass(slots=True)
class Row:
    """Cells beside each other, from left to right."""

    cells: list[Cell]
    top: float = field(init=False)
    bottom: float = field(init=False)

    def __post_init__(self) -> None:
        self.top = self.bottom = self.cells[0].pieces[0].base

    @property
    def page(self) -> int:
        return self.cells[0].pieces[0].page

    def note(self, piece: Piece) -> None:
        """Keeps in mind how far the row reaches."""
        self.top, self.bottom = max(self.top, piece.base), min(self.bottom, piece.base)


def without_doubles(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces without those drawn a second time at nearly the same place, to look bold or for a
    shadow."""
    places: dict[str, list[Piece]] = {}
    unique = []
    for piece in pieces:
        there = places.setdefault(piece.text, [])
        near = 0.4 * piece.size
        if any(
            abs(earlier.x0 - piece.x0) < near and abs(earlier.base - piece.base) < near
            for earlier in there
        ):
            continue
        there.append(piece)
        unique.append(piece)
    return unique


def without_furniture(pages: Sequence[Sequence[Piece]]) -> list[list[Piece]]:
    """Pages without page numbers and what repeats at the same place at their top or base."""
    edges = [list(_edge_rows(page)) for page in pages]
    repeated = _repeated(edges)
    body: list[list[Piece]] = []
    for page, rows in zip(pages, edges, strict=True):
        furniture = [
            row for row in rows if any(not repeated.isdisjoint(_keys(piece)) for piece in row)
        ]
        furniture += [row for row in (rows[:1] + rows[-1:]) if _is_numbered(row, page)]
        furniture_ids = {
            id(piece) for row in furniture if len(row) < _CELLS_OF_A_TABLE for piece in row
        }
        if not body:  # the date that heads every page is kept once
            furniture_ids -= {
                id(piece)
                for piece in page
                if any(date.precision > 1 for date in dates_in(piece.text))
            }
        body.append([piece for piece in page if id(piece) not in furniture_ids])
    return body if any(body) else [list(page) for page in pages]


def _repeated(edges: Sequence[Sequence[Sequence[Piece]]]) -> set[_Key]:
    """What stands at the same place at the edges of many pages."""
    page_counts: Counter[_Key] = Counter()
    for rows in edges:
        page_counts.update({key for row in rows for piece in row for key in _keys(piece)})
    often = max(2, _REPEATED * len(edges))
    return {key for key, count in page_counts.items() if count >= often}


def _is_numbered(row: Sequence[Piece], page: Sequence[Piece]) -> bool:
    """Whether the first or last row of a page is a page number and a title in small type."""
    small = max(piece.size for piece in row) < 0.95 * median(piece.size for piece in page)
    return (
        len(row) > 1
        and small
        and any(_PAGE_NUMBER.match(piece.text) for piece in (row[0], row[-1]))
    )


def _edge_rows(page: Sequence[Piece]) -> Iterator[list[Piece]]:
    """The highest and lowest rows of a page, by the places of their base lines."""
    rows: list[list[Piece]] = []
    for piece in sorted(
        (piece for piece in page if not piece.turned), key=lambda piece: -piece.base
    ):
        if rows and rows[-1][0].base - piece.base < 0.4 * piece.size:
            rows[-1].append(piece)
            rows[-1].sort(key=lambda piece: piece.x0)
        else:
            rows.append([piece])
    yield from rows[:_HIGHEST]
    yield from rows[max(_HIGHEST, len(rows) - _LOWEST) :]


def _keys(piece: Piece) -> tuple[_Key, _Key]:
    """What it says, without numbers, and where; twice, since a place may lie at the border of
    two."""
    plain = piece.text.strip().lower()
    text = "#" if _PAGE_NUMBER.match(plain) else _DIGITS.sub("#", plain)
    at = piece.base / (2 * _SAME_PLACE)
    return (text, 2 * int(at)), (text, 2 * int(at + 0.5) + 1)


def rows_of(pieces: Iterable[Piece]) -> list[Row]:
    """The rows of a page in reading order; stamps set sideways in the margin come last."""
    rows: list[Row] = []
    for piece in _turned_last(list(pieces)):
        if not (rows and _reaches(rows[-1], piece)):
            rows.append(Row([*_first_cell(rows, piece), Cell([piece])]))
    return rows


def _first_cell(rows: list[Row], piece: Piece) -> list[Cell]:
    """What stands before a piece on its line, taken off the text above it: the first cell of a
    table."""
    last = rows[-1].cells[-1].pieces[-1] if rows and len(rows[-1].cells) == 1 else None
    if last is None or len(rows[-1].cells[0].pieces) < 2 or last.turned != piece.turned:
        return []
    if abs(last.base - piece.base) > 0.2 * piece.size or piece.x0 < last.x1:
        return []
    rows[-1].cells[0].pieces.pop()
    rows[-1].bottom = rows[-1].cells[0].pieces[-1].base
    return [Cell([last])]


def _turned_last(pieces: Sequence[Piece]) -> list[Piece]:
    turned = [piece for piece in pieces if piece.turned]
    if len(turned) > len(pieces) / 2:
        return list(pieces)
    return [piece for piece in pieces if not piece.turned] + turned


def _reaches(row: Row, piece: Piece) -> bool:
    """Puts a piece into the row where it belongs there; whether it does."""
    cell = row.cells[-1]
    last = cell.pieces[-1]
    size = max(last.size, piece.size)
    if last.turned != piece.turned:
        return False
    if _same_line(last, piece, size):
        cell.pieces[-1] = _joined(last, piece)
    elif piece.x0 > cell.x1 - 0.3 * size and _beside(row, piece, size):
        row.cells.append(Cell([piece]))
    elif (
        piece.x0 < cell.x1
        and piece.x1 > cell.x0
        and 0 < last.base - piece.base <= _LINE_DROP * size
    ):
        if len(row.cells) > 1 and not _fits_below(row, piece):
            return False
        cell.pieces.append(piece)
    else:
        return False
    row.note(piece)
    return True


def _same_line(last: Piece, piece: Piece, size: float) -> bool:
    """Whether a piece goes on where the one before it ends: raised and lowered figures come as
    pieces of their own, and bullets."""
    gap = piece.x0 - last.x1
    widest = _BULLET_GAP if is_bullet(last.text) and not is_bullet(piece.text) else _GAP
    smaller = min(last.size, piece.size) < 0.85 * size
    drop = abs(last.base - piece.base)
    return drop < (0.6 if smaller else 0.2) * size and -0.5 * size < gap < widest * size


def _beside(row: Row, piece: Piece, size: float) -> bool:
    return row.bottom - 0.5 * size <= piece.base <= row.top + 0.75 * size


def _fits_below(row: Row, piece: Piece) -> bool:
    """Whether a line may still belong to the last cell of a row: it reaches less far to the left
    than the cell."""
    cell = row.cells[-1]
    return piece.x0 > cell.x0 - 0.5 * (cell.x1 - cell.x0) and piece.x0 > row.cells[-2].x0


def _joined(last: Piece, piece: Piece) -> Piece:
    gap = piece.x0 - last.x1
    joint = " " if gap > 0.15 * max(last.size, piece.size) else ""
    text, after_bullet = f"{last.text}{joint}{piece.text}", is_bullet(last.text)
    # A bullet may be larger than its text
    is_text = after_bullet and abs(last.base - piece.base) < 0.1 * piece.size
    larger = piece if is_text or piece.size > last.size else last
    return replace(
        larger,
        text=mend(text) if after_bullet else text,
        x0=last.x0,
        x1=max(last.x1, piece.x1),
        torn=piece.torn,
        mono=last.mono and piece.mono,
        math=(last.math * len(last.text) + piece.math * len(piece.text))
        / max(1, len(last.text) + len(piece.text)),
        edges=(*last.edges, *piece.edges),
    )
