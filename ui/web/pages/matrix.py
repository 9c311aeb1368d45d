"""The evidence matrix of a report: sources in rows, parts of the report in columns; the address
sorts and filters."""

from typing import NamedTuple

from flask import Blueprint, render_template, request

from engine.models import Source
from engine.reports.matrix import (
    DENIES,
    QUOTED,
    SAYS,
    SILENT,
    SORTS,
    Cell,
    Column,
    Matrix,
    filter_rows,
    matrix,
)
from ui.web.context import loaded
from ui.web.scope import MOST
from ui.web.views.citations import Citing, author
from ui.web.views.labels import day, many
from ui.web.views.quote_trimming import cut

bp = Blueprint("matrix", __name__)

SHORT = 80  # characters of a passage
ROWS = 20
SORT_WORDS = {"source": "Source", "date": "Date, newest first", "filled": "Cells filled"}
STANCE_WORDS = {SAYS: "say it", DENIES: "deny it", QUOTED: "are quoted", SILENT: "are silent"}


class Shown(NamedTuple):
    """A cell. words: the stance and the figure; href: the passage in the reader."""

    stance: str
    words: str
    quote: str
    href: str


class Line(NamedTuple):
    """A row. href: its text in the reader; facts: who and when."""

    source: Source
    href: str
    facts: str
    cells: list[Shown]


@bp.get("/research/<research_id>/matrix")
def show(research_id: str) -> str:
    """The matrix; ?sort=, ?k= (a stance, several times), ?q= (words) and ?all=1."""
    state = loaded(research_id)
    citing, table = Citing(state), matrix(state)
    sort = request.args.get("sort", "")
    sort = sort if sort in SORTS else SORTS[0]
    stances = [name for name in request.args.getlist("k") if name in STANCE_WORDS]
    text = request.args.get("q", "")[:200]
    rows = filter_rows(table, sort, stances, text)
    most = len(rows) if request.args.get("all") == "1" else ROWS
    return render_template(
        "matrix.html", state=state, matrix=table, heads=[_head(column) for column in table.columns],
        rows=[_line(row.source, row.cells, citing) for row in rows[:most]],
        left=len(rows) - most,
        sort=sort, sorts=SORT_WORDS, stances=stances or [SAYS, DENIES, QUOTED], text=text,
        total=len(table.rows),
        kinds=_kinds(table),
        documents=[row.source.document_id for row in table.rows if row.source.document_id][:MOST],
    )  # fmt: skip


def _kinds(table: Matrix) -> list[tuple[str, str, int]]:
    """(stance, words, how many sources take it) of the stances there are."""
    counted = (
        (name, words, sum(name in row.stances for row in table.rows))
        for name, words in STANCE_WORDS.items()
    )
    return [kind for kind in counted if kind[2]]


def _head(column: Column) -> tuple[str, str]:
    """The name of a column, and how many sources are behind it."""
    counts = column.counts
    if not column.judged:
        return column.name, many(counts.get(QUOTED, 0), "source")
    words = (
        ("say" if counts.get(SAYS) != 1 else "says", SAYS),
        ("deny" if counts.get(DENIES) != 1 else "denies", DENIES),
    )
    return column.name, ", ".join(
        f"{counts[name]} {word}" for word, name in words if counts.get(name)
    )


def _line(source: Source, cells: tuple[Cell, ...], citing: Citing) -> Line:
    facts = ", ".join(part for part in (author(source), day(source.published)) if part)
    href = citing.reader(source.source_id) if source.snapshot_id else ""
    return Line(source, href, facts, [_cell(cell, source, citing) for cell in cells])


def _cell(cell: Cell, source: Source, citing: Citing) -> Shown:
    stance = "" if cell.stance == QUOTED else cell.stance.capitalize()
    words = ": ".join(part for part in (stance, cell.figure) if part)
    quote = cut(cell.quote, cell.figure or cell.quote, SHORT)
    return Shown(cell.stance, words, quote, citing.reader(source.source_id, cell.evidence_id))
