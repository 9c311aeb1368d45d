"""Documents against questions over a real library."""

import csv
import io
from collections.abc import Iterator

import pytest

from engine import ResearchEngine
from engine.library.document_questions import filter_rows, table_csv

QUESTIONS = ("How deep is the basin?", "When was it dredged?")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ResearchEngine]:
    """A library of four documents, which no test changes."""
    texts = {
        "north": "# North basin\n\nThe north basin is 7.5 m deep at low water.\n\nIt was dredged "
        "in 1998.",
        "south": "# South basin\n\nThe south basin is 3.0 m deep at low water.",
        "menu": "# Canteen\n\nSoup is served on Fridays.",
        "formula": "# =SUM(A1)\n\n=SUM(A1) says how deep the basin is.",
    }
    place = tmp_path_factory.mktemp("questions")
    folder = place / "texts"
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text)
    with ResearchEngine(home=place / "home", environ={}) as engine:
        engine.ingest([str(folder)])
        yield engine


def test_each_document_has_its_best_passage_or_none(engine: ResearchEngine) -> None:
    rows = {row.document.name: row for row in engine.asking.document_table(QUESTIONS)}
    deep, dredged = rows["north.md"].passages
    assert deep and "7.5 m" in deep.text and dredged and "1998" in dredged.text
    south = rows["south.md"].passages[0]
    assert south and "3.0 m" in south.text
    assert rows["menu.md"].passages == (None, None) and rows["menu.md"].filled == 0


def test_only_the_documents_that_are_named_are_asked(engine: ResearchEngine) -> None:
    south = next(document for document in engine.library() if document.name == "south.md")
    (row,) = engine.asking.document_table(QUESTIONS, [south.document_id])
    assert row.document.name == "south.md"
    assert engine.asking.document_table(["   ", "!?"], [south.document_id])[0].filled == 0


def test_rows_are_sorted_and_filtered_and_written_without_formulas(engine: ResearchEngine) -> None:
    rows = engine.asking.document_table(QUESTIONS)
    assert filter_rows(rows, "filled")[0].document.name == "north.md"
    assert [row.document.name for row in filter_rows(rows, text="SOUTH 3.0")] == ["south.md"]
    written = list(csv.reader(io.StringIO(table_csv(QUESTIONS, rows), newline="")))
    assert written[0] == ["document", "file", "date", *QUESTIONS] and len(written) == len(rows) + 1
    assert not any(cell.startswith(("=", "+", "@")) for line in written for cell in line)
