"""Sentences and table cells of real pages: whether they read as they stand in a browser, each cell
under its header.

document_sentences.csv and document_cells.csv were drawn from what Chromium shows of the pages of
bench/answers, bench/documents and recorded/web_pages, and read beside them; exponents are written
as ^ and struck words between ~~, as the parser has to. A column "#2" is the second of a table that
names none.
"""

import csv
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tools.documents.model import BlockKind, Extracted, cell_spans
from tools.documents.parse_pool import ParsePool

_HERE = Path(__file__).parent


def rows(pool: ParsePool, shared: Path) -> Iterator[dict[str, Any]]:
    """The figures, of all that was drawn."""

    @cache
    def page(name: str) -> Extracted:
        return pool.parse((shared / name).read_bytes(), name=name, media_type="text/html")

    sentences = [
        reads_as_shown(page(row["file"]), row["sentence"])
        for row in _drawn("document_sentences.csv")
    ]
    yield _row("sentences with inline markup that read as on the page", sentences)
    cells = [
        stands_under(page(row["file"]), row["row"], row["column"], row["value"])
        for row in _drawn("document_cells.csv")
    ]
    yield _row("table cells under their header", cells)


def reads_as_shown(page: Extracted, sentence: str) -> bool:
    """Whether a sentence stands in one block, word for word."""
    return any(sentence in _plain(page.text[block.start : block.end]) for block in page.blocks)


def stands_under(page: Extracted, name: str, column: str, value: str) -> bool:
    """Whether in a row with a cell `name` the value stands in a column that its table calls
    `column`."""
    for block in page.blocks:
        cells = (
            _cells(page, block.start, block.end)
            if block.kind == BlockKind.TABLE_ROW and not block.header
            else []
        )
        if name in cells:
            headers = [
                _cells(page, other.start, other.end) for other in page.blocks if other.header
            ]
            near = [_cells(page, start, end) for start, end in block.context]
            if value in _under(cells, column, [header for header in headers if header in near]):
                return True
    return False


def _under(cells: list[str], column: str, headers: list[list[str]]) -> list[str]:
    if column.startswith("#"):
        return [] if headers else cells[int(column[1:]) - 1 :][:1]
    return [
        cell
        for header in headers
        for title, cell in zip(header, cells, strict=False)
        if title == column
    ]


def _cells(page: Extracted, start: int, end: int) -> list[str]:
    row = page.text[start:end]
    return [_plain(row[first:last]) for first, last in cell_spans(row)]


def _plain(text: str) -> str:
    return " ".join(text.split())


def _drawn(name: str) -> Iterable[dict[str, str]]:
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _row(what: str, right: list[bool]) -> dict[str, Any]:
    return {
        "what": what,
        "value": sum(right),
        "unit": f"of {len(right)}",
        "bar": f">= {len(right)}",
        "ok": all(right),
    }
