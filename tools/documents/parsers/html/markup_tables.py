"""Tables of HTML: which of them hold data, and their cells as rows that are right when read one by
one.

The text of a cell that spans columns or rows stands in each of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.documents.parsers.blocks import ParsedBlock, table_row

_MAX_COLUMNS = 100  # further ones that a cell claims to span are not there
_MAX_REPEATED = 300  # characters; a longer text stands only where its span begins
_LONG_CELL = 600  # characters; a table without column names and with longer texts is layout
_LONG_LABELLED_CELL = 4000
_HEADINGS = frozenset(["h1", "h2", "h3", "h4"])
_COUNTED = ("table", "tr", "td", "th", "caption", "thead", "pre", *sorted(_HEADINGS))


@dataclass(slots=True)
class Cell:
    """A cell as it is written. head: it is a <th>; bold: all its text is."""

    text: str
    columns: int = 1
    rows: int = 1
    head: bool = False
    bold: bool = False


@dataclass(slots=True)
class Row:
    """A row with the element it comes from. in_head: it stands in <thead>."""

    element: Any
    in_head: bool = False
    cells: list[Cell] = field(default_factory=list)
    linked: int = 0  # characters of links

    @property
    def is_header(self) -> bool:
        labelled = [cell for cell in self.cells if cell.text]
        return bool(labelled) and (self.in_head or all(cell.head for cell in labelled))


@dataclass(slots=True)
class Table:
    """The rows of a table that holds data, in the order of the page."""

    rows: list[Row] = field(default_factory=list)

    @property
    def linked(self) -> int:
        return sum(row.linked for row in self.rows)

    def take_title(self) -> str:
        """The text of a first row that is one cell over all columns ("" without one); the row is
        taken out."""
        rows = [row for row in self.rows if row.cells]
        width = max((sum(cell.columns for cell in row.cells) for row in rows[1:3]), default=0)
        if len(rows) < 3 or width < 2 or len(rows[0].cells) > 1 or rows[0].cells[0].columns < width:
            return ""
        self.rows.remove(rows[0])
        return rows[0].cells[0].text

    def blocks(self) -> list[tuple[Row, ParsedBlock]]:
        """One block a row with text; rows that name the columns are marked."""
        grid = _Grid()
        filled = [(row, texts) for row in self.rows if any(texts := grid.add(row.cells))]
        filled_columns = {
            column for _, texts in filled for column, text in enumerate(texts) if text
        }
        bold = _has_bold_header(self.rows)
        return [
            (
                row,
                table_row(
                    [text for column, text in enumerate(texts) if column in filled_columns],
                    header=row.is_header or (bold and row is self.rows[0]),
                    begins=row is filled[0][0],
                ),
            )
            for row, texts in filled
        ]

    def inline(self) -> str:
        """The table as one line, for a cell that holds it: its rows apart by semicolons, each value
        with its column."""
        grid = _Grid()
        names: Sequence[str] = ()
        rows: list[str] = []
        for row in self.rows:
            texts = grid.add(row.cells)
            if row.is_header and not rows:
                names = texts
            elif any(texts):
                pairs = zip(texts, [*names, *[""] * len(texts)], strict=False)
                rows.append(
                    ", ".join(f"{name}: {text}" if name else text for text, name in pairs if text)
                )
        return "; ".join(rows) or ", ".join(name for name in names if name)


def span_of(element: Any, name: str) -> int:
    """How many columns or rows a cell spans; 1 where it does not tell."""
    value = (element.get(name) or "").strip()
    return max(1, min(int(value[:6]), 1000)) if value[:6].isdecimal() else 1


class _Grid:
    """Fills rows with the cells of earlier ones that reach into them."""

    def __init__(self) -> None:
        self._reaching: dict[int, tuple[str, int]] = {}  # column: text, rows that it still fills
        # Characters that may still be repeated, so that spans cannot fill the memory
        self._allowance = 20_000

    def add(self, cells: Sequence[Cell]) -> list[str]:
        texts: list[str] = []
        whole_row = len(cells) == 1 and not self._reaching
        for cell in cells:
            self._fill(texts)
            self._allowance += 4 * len(cell.text)
            again = cell.text if len(cell.text) <= _MAX_REPEATED else ""
            for offset in range(1 if whole_row else min(cell.columns, _MAX_COLUMNS - len(texts))):
                if cell.rows > 1:
                    self._reaching[len(texts)] = (again, cell.rows - 1)
                texts.append(self._repeated(again) if offset else cell.text)
        while self._reaching and max(self._reaching) >= len(texts):
            self._fill(texts)
            if self._reaching and max(self._reaching) >= len(texts):
                texts.append("")  # the row is shorter than what reaches into it from above
        return texts

    def _fill(self, texts: list[str]) -> None:
        while len(texts) in self._reaching:
            text, rows_below = self._reaching.pop(len(texts))
            if rows_below > 1:
                self._reaching[len(texts)] = (text, rows_below - 1)
            texts.append(self._repeated(text))

    def _repeated(self, text: str) -> str:
        self._allowance -= len(text)
        return text if self._allowance > 0 else ""


def _has_bold_header(rows: Sequence[Row]) -> bool:
    """Whether the first row names the columns in bold cells, in a table without <th>."""
    if len(rows) < 2 or any(cell.head for row in rows for cell in row.cells):
        return False
    first, second = ([cell for cell in row.cells if cell.text] for row in rows[:2])
    return (
        len(first) > 1
        and all(cell.bold for cell in first)
        and not all(cell.bold for cell in second)
    )


@dataclass(slots=True)
class _Facts:
    """What decides whether a table holds data; of nested tables only their number counts."""

    element: Any
    rows: int = 0
    cells: int = 0
    widest: int = 0  # cells of the widest row
    row_cells: int = 0
    labelled: bool = False  # it names columns or rows, or itself
    headings: int = 0
    code: int = 0  # <pre> of several lines
    longest: int = 0  # characters of the longest cell, with what is nested in it

    @property
    def holds_data(self) -> bool:
        if (self.element.get("role") or "").lower() in ("presentation", "none"):
            return False
        if self.widest < 2 and not (self.labelled and self.rows > 1):
            return False
        if self.labelled:
            return self.longest <= _LONG_LABELLED_CELL
        is_short = not self.code and self.longest <= _LONG_CELL
        return is_short and (not self.headings or self.cells > 2 * self.headings)


def data_tables(root: Any) -> set[Any]:
    """The <table> elements under `root` that hold data; the others only place things on the
    page."""
    from lxml import etree

    tables: set[Any] = set()
    if next(root.iter("{*}table"), None) is None:
        return tables
    open_tables: list[_Facts] = []
    for event, element in etree.iterwalk(
        root, events=("start", "end"), tag=tuple(f"{{*}}{tag}" for tag in _COUNTED)
    ):
        tag = element.tag.rsplit("}", 1)[-1]
        if tag == "table" and event == "start":
            open_tables.append(_Facts(element))
        elif tag == "table":
            if open_tables.pop().holds_data:
                tables.add(element)
        elif open_tables and event == "start":
            _note(open_tables[-1], tag, element)
    return tables


def _note(facts: _Facts, tag: str, element: Any) -> None:
    if tag == "tr":
        facts.rows += 1
        facts.row_cells = 0
    elif tag in ("td", "th"):
        facts.cells += 1
        facts.row_cells += 1
        facts.widest = max(facts.widest, facts.row_cells)
        facts.labelled |= tag == "th"
        facts.longest = max(facts.longest, int(element.xpath("string-length(normalize-space())")))
    elif tag in ("caption", "thead"):
        facts.labelled = True
    elif tag == "pre":
        facts.code += "\n" in element.xpath("string()").strip()
    else:
        facts.headings += 1
