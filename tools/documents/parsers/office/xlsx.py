"""Excel workbooks: sheet by sheet, a row a line, each value with the name of its column.

ECMA-376 part 1, 18 (SpreadsheetML). Sheets are read piecemeal.
"""

import datetime
import re
from collections.abc import Iterator
from typing import Any

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, TableCell, compose, has_header, table_row
from tools.documents.parsers.office.docx import core_properties
from tools.documents.parsers.office.zip_package import Package, attribute, forget, relation_of
from tools.documents.parsers.text.csv_table import MAX_NAMED_COLUMNS, named_row
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError

_WHAT = "Excel workbook"
_REFERENCE = re.compile(r"([A-Z]{1,3})\d+$")
_DATE_FORMAT = re.compile(r"(?<!\\)[dmyhs]", re.I)
_IN_QUOTES = re.compile(r'"[^"]*"|\[[^\[\]]*\]|\\.')
# Built-in formats, 18.8.30
_DATES = {
    *range(14, 23),
    *range(27, 37),
    *range(45, 48),
    *range(50, 59),
}
_EPOCH = datetime.datetime(1899, 12, 30)
MAX_ROWS = 200_000
MAX_WIDTH = 500


def parse(request: Request) -> Extracted:
    """The rows of all sheets that hold something."""
    package = Package(request.data, _WHAT)
    book = package.xml("xl/workbook.xml") if package.has("xl/workbook.xml") else None
    if book is None:
        raise ParseError("This Excel workbook is damaged: it does not say which sheets it has.")
    cells = _Cells(package, attribute(book.find("{*}workbookPr"), "date1904") in ("1", "true"))
    sheets = list(_sheets(package, book))
    blocks = [block for name, part in sheets for block in _sheet(package, cells, name, part)]
    if not any(not block.level for block in blocks):
        raise ParseError("This Excel workbook contains no text.")
    return compose(blocks).extracted(with_version("zorora-xlsx"), core_properties(package))


def _sheets(package: Package, book: Any) -> Iterator[tuple[str, str]]:
    """(name, part) of the sheets, hidden ones left out."""
    targets = package.relations("xl/workbook.xml")
    for sheet in book.iterfind("{*}sheets/{*}sheet"):
        part = targets.get(relation_of(sheet), "")
        if package.has(part) and attribute(sheet, "state", "visible") == "visible":
            yield attribute(sheet, "name"), part


def _sheet(package: Package, cells: "_Cells", name: str, part: str) -> Iterator[ParsedBlock]:
    """A heading with the name of the sheet, then its tables: rows with an empty row between them
    are apart."""
    yield ParsedBlock(name, 2)
    run: list[list[TableCell]] = []
    last = 0
    for number, row in enumerate(package.elements(part, "row")):
        if number >= MAX_ROWS:
            raise ParseError(
                f"This Excel workbook has a sheet with more than {MAX_ROWS:,} rows; save it as CSV."
            )
        values = [TableCell(text) for text in cells.row(row)]
        at = attribute(row, "r")
        position = int(at) if at.isdecimal() else last + 1
        if not any(cell.text for cell in values) or position > last + 1:
            yield from _rows(run)
            run = []
        if any(cell.text for cell in values):
            run.append(values)
        last = position
        forget(row)
    yield from _rows(run)


def _rows(run: list[list[TableCell]]) -> list[ParsedBlock]:
    """The rows of one table; a single filled column is text."""
    filled = [[cell.text for cell in row if cell.text] for row in run]
    if all(len(texts) <= 1 for texts in filled):
        return [ParsedBlock(texts[0]) for texts in filled if texts]
    first_column = min(next(n for n, cell in enumerate(row) if cell.text) for row in run)
    grid = [[cell.text for cell in row[first_column:]] for row in run]
    if (
        not has_header(grid)
        or len(grid[0]) > MAX_NAMED_COLUMNS
        or max(map(len, grid)) > len(grid[0])
    ):
        return [table_row(row, begins=not number) for number, row in enumerate(grid)]
    rows = (ParsedBlock(named_row(grid[0], row), kind=BlockKind.TABLE_ROW) for row in grid[1:])
    return [table_row(grid[0], header=True, begins=True), *rows]


class _Cells:
    """The values of cells as a reader of the sheet sees them."""

    def __init__(self, package: Package, from_1904: bool) -> None:
        self._epoch = datetime.datetime(1904, 1, 1) if from_1904 else _EPOCH
        self._shared: list[str] = []
        if package.has("xl/sharedStrings.xml"):
            for item in package.elements("xl/sharedStrings.xml", "si"):
                self._shared.append(_string(item))
                forget(item)
        self._formats = _formats(package)

    def row(self, row: Any) -> list[str]:
        """The texts of a row, "" where a cell is empty."""
        cells: list[str] = []
        for cell in row.iterfind("{*}c"):
            match = _REFERENCE.match(attribute(cell, "r"))
            column = _column(match.group(1)) if match else len(cells)
            text = self._value(cell)
            if text and column < MAX_WIDTH:
                cells += [""] * (column - len(cells))
                cells[column:] = [text]
        return cells

    def _value(self, cell: Any) -> str:
        kind = attribute(cell, "t", "n")
        if kind == "inlineStr":
            return _string(cell.find("{*}is"))
        value = cell.find("{*}v")
        raw = (value.text or "").strip() if value is not None else ""
        if kind == "s":
            return (
                self._shared[int(raw)] if raw.isdecimal() and int(raw) < len(self._shared) else ""
            )
        if kind == "b":
            return "yes" if raw == "1" else "no"
        if kind != "n" or not raw:
            return " ".join(raw.split())
        return self._number(raw, attribute(cell, "s", "0"))

    def _number(self, raw: str, style: str) -> str:
        try:
            number = float(raw)
        except ValueError:
            return raw
        has_format = style.isdecimal() and int(style) < len(self._formats)
        number_format = self._formats[int(style)] if has_format else ""
        if number_format == "date" and 0 < number < 2_958_466:
            moment = self._epoch + datetime.timedelta(days=number)
            is_day = number == int(number)
            return moment.date().isoformat() if is_day else moment.isoformat(" ", "minutes")
        if number_format == "percent":
            return f"{round(number * 100, 6):g}%"
        return (
            str(int(number)) if number == int(number) and abs(number) < 1e15 else f"{number:.12g}"
        )


def _string(item: Any) -> str:
    """The text of a shared or inline string, without its phonetic reading."""
    if item is None:
        return ""
    pieces = [*item.iterfind("{*}t"), *item.iterfind("{*}r/{*}t")]
    return " ".join("".join(piece.text or "" for piece in pieces).split())


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _formats(package: Package) -> list[str]:
    """How the cells of each style are shown: date, percent, or "" for a plain number."""
    if not package.has("xl/styles.xml"):
        return []
    root = package.xml("xl/styles.xml")
    codes = {
        attribute(element, "numFmtId"): _IN_QUOTES.sub("", attribute(element, "formatCode"))
        for element in root.iterfind("{*}numFmts/{*}numFmt")
    }
    formats = []
    for style in root.iterfind("{*}cellXfs/{*}xf"):
        number = attribute(style, "numFmtId", "0")
        code = codes.get(number, "")
        date = (number.isdecimal() and int(number) in _DATES) or bool(_DATE_FORMAT.search(code))
        formats.append(
            "date" if date else "percent" if number in ("9", "10") or "%" in code else ""
        )
    return formats
