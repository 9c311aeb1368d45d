"""The evidence matrix: what stands in its cells, its order and filters, and its CSV."""

import csv
import io
from dataclasses import replace

import pytest

from engine.exports import export
from engine.reports.matrix import DENIES, QUOTED, SAYS, SILENT, figure_in, filter_rows, matrix
from tests.ui.fake_research import SOURCES, finished
from tests.ui.wide_research import QUESTION, quote, wide
from workflows.research.state import ResearchState


def cells(state: ResearchState, tag: str) -> dict[str, str]:
    table = matrix(state)
    row = next(row for row in table.rows if row.source.tag == tag)
    return {column.name: cell.stance for column, cell in zip(table.columns, row.cells, strict=True)}


def test_parts_quote_and_judged_claims_say_or_deny() -> None:
    state = finished()
    winter = "The winter evening mean was 9% lower than in the reference years."
    assert cells(state, "S1")[winter] == SAYS and cells(state, "S5")[winter] == DENIES
    assert cells(state, "S1")[state.original_query] == QUOTED
    assert cells(state, "S4")[winter] == SILENT


def test_without_a_judge_nothing_says_or_denies() -> None:
    state, _ = wide(9)
    table = matrix(state)
    assert not table.judged
    assert {cell.stance for row in table.rows for cell in row.cells} == {QUOTED, SILENT}
    assert table.columns[0].name == QUESTION and table.columns[0].counts[QUOTED] == 3


def test_a_cell_has_the_passage_and_its_figure_but_no_year() -> None:
    state, _ = wide(5)
    cell = matrix(state).rows[0].cells[0]
    assert cell.quote == quote(0) and cell.figure == "3.0 m" and cell.evidence_id == "E1"


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("In part 3 the night workers slept 7 hours.", "7 hours"),
        ("It rose by 11 to 17% in 2020.", "11 to 17%"),
        ("The goal is $1-2 million.", "$1-2 million"),
        ("It cost $5 in 2019.", "$5"),
        ("Five people met on 3 May 2019.", ""),
        ("", ""),
    ],
)
def test_a_figure_is_a_number_with_its_unit(text: str, figure: str) -> None:
    assert figure_in(text) == figure


def test_rows_are_sorted_and_filtered() -> None:
    state, _ = wide(12)
    table = matrix(state)
    assert [row.source.tag for row in filter_rows(table)][:3] == ["S1", "S2", "S3"]
    assert next(row.source.tag for row in filter_rows(table, "date")) == "S12"
    assert [row.source.tag for row in filter_rows(table, text="1934 OLD")] == ["S5"]
    assert filter_rows(table, stances=[SILENT]) == ()
    quiet = replace(state, report=replace(state.report, sections=()) if state.report else None)
    assert all(row.filled for row in filter_rows(matrix(quiet)))


def test_the_csv_has_every_source_whole_and_no_formula() -> None:
    state, _ = wide(6)
    bad = replace(state.sources[1], title='=HYPERLINK("http://x.example")')
    state = replace(state, sources=(state.sources[0], bad, *state.sources[2:]))
    rows = list(csv.reader(io.StringIO(export(state, "matrix").data.decode(), newline="")))
    assert len(rows) == 7 and rows[0][:3] == ["tag", "source", "authors"]
    assert rows[2][1].startswith("'=") and quote(1) in rows[2]
    assert all(not cell.startswith(("=", "+", "@")) for row in rows for cell in row)


def test_a_report_of_one_source_and_of_none() -> None:
    for count in (0, 1):
        state, _ = wide(count)
        assert len(matrix(state).rows) == count
        assert export(state, "matrix").data.startswith(b"tag,")
    assert matrix(finished()).rows[0].source.source_id == SOURCES["S1"].source_id
