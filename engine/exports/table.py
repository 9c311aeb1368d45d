"""matrix: the evidence matrix as CSV (RFC 4180), a source a row; no cell begins what a spreadsheet computes."""

import csv
import io

from engine.exports.form import line, link_of
from engine.matrix import SILENT, Cell, matrix
from workflows.research.state import ResearchState

_FORMULA = ("=", "+", "-", "@", "\t")


def write(state: ResearchState) -> str:
    found = matrix(state)
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(map(_plain, ("tag", "source", "authors", "date", "address", *(one.name for one in found.columns))))
    for row in found.rows:
        source = row.source
        facts = (source.tag, source.title, "; ".join(source.authors), source.published, link_of(source))
        rows.writerow(map(_plain, (*facts, *map(_said, row.cells))))
    return out.getvalue()


def _said(cell: Cell) -> str:
    if cell.stance == SILENT:
        return ""
    return cell.quote if cell.stance == "quoted" else f"{cell.stance}: {cell.quote}"


def _plain(text: str | None) -> str:
    shown = line(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown
