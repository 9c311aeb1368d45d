"""matrix: the evidence matrix as CSV, a source a row."""

from collections.abc import Sequence

from engine.exports.form import link_of
from engine.reports.matrix import SILENT, Cell, matrix
from tools.text.spreadsheet import to_csv
from workflows.research.state import ResearchState


def write(state: ResearchState) -> str:
    table = matrix(state)
    rows: list[Sequence[str | None]] = [
        ("tag", "source", "authors", "date", "address", *(column.name for column in table.columns))
    ]
    for row in table.rows:
        source = row.source
        facts = (
            source.tag,
            source.title,
            "; ".join(source.authors),
            source.published,
            link_of(source),
        )
        rows.append((*facts, *map(_cell_text, row.cells)))
    return to_csv(rows)


def _cell_text(cell: Cell) -> str:
    if cell.stance == SILENT:
        return ""
    return cell.quote if cell.stance == "quoted" else f"{cell.stance}: {cell.quote}"
