"""The reader's page: the whole text once, cut at the passages that the report used."""

from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as some

from engine.answers import ReaderPage
from engine.reports import reader_page
from tools.documents.model import Section, Snapshot
from tools.errors import NotFound
from tools.sources.source import make_source
from workflows.research.model import Evidence
from workflows.research.report.model import Citation, Report, ReportSection, Sentence
from workflows.research.state import ResearchState

TEXT = (
    "# Prices\n\nPrices fell by 9%. They rose later.\nA line of the same paragraph.\n\n"
    "## Storage\n\nStorage grew. It grew fast.\n"
)
SOURCE = make_source("https://agency.example/report", "A report")
SNAPSHOT = Snapshot(
    "a" * 64, SOURCE.source_id, SOURCE.url, "text/markdown", "t", "x", "full", len(TEXT),
    sections=(
        Section("s1", "Prices", 1, TEXT.index("Prices fell"), TEXT.index("## Storage")),
        Section("s2", "Storage", 2, TEXT.index("Storage grew"), len(TEXT)),
    ),
)  # fmt: skip


def evidence(number: int, quote: str, text: str = TEXT) -> Evidence:
    start = text.index(quote)
    return Evidence(
        f"E{number}",
        SOURCE.source_id,
        SNAPSHOT.snapshot_id,
        start,
        start + len(quote),
        quote,
        "Q1",
        0.5,
    )


def research(*items: Evidence, cited: tuple[str, ...] | None = None) -> ResearchState:
    names = cited if cited is not None else tuple(item.evidence_id for item in items)
    sentences = tuple(
        Sentence(
            f"s{i}", "quote", f"Sentence {i}.", citations=(Citation("S1", SOURCE.source_id, name),)
        )
        for i, name in enumerate(names, 1)
    )
    report = Report(
        "Report", summary=sentences[:1], sections=(ReportSection("Findings", sentences),)
    )
    return ResearchState(
        "Why?", "r", sources=(SOURCE,), snapshots=(SNAPSHOT,), evidence=items, report=report
    )


def page(state: ResearchState, text: str | None = TEXT) -> ReaderPage:
    source, snapshot = reader_page.source_of(state, SOURCE.source_id)
    return reader_page.page(state, source, snapshot, text)


def shape(reader_page: ReaderPage) -> list[tuple[str, str, int]]:
    return [(segment.kind, segment.text, segment.paragraph) for segment in reader_page.segments]


def test_the_text_is_cut_into_headings_paragraphs_and_passages() -> None:
    reader_page = page(research(evidence(1, "They rose later."), evidence(2, "Storage grew.")))
    assert shape(reader_page) == [
        ("heading", "# Prices", 0),
        ("text", "Prices fell by 9%. ", 1),
        ("passage", "They rose later.", 1),
        ("text", "\nA line of the same paragraph.", 1),
        ("heading", "## Storage", 2),
        ("passage", "Storage grew.", 3),
        ("text", " It grew fast.", 3),
    ]
    assert reader_page.passages == 2 and reader_page.problem is None
    assert [segment.level for segment in reader_page.segments if segment.kind == "heading"] == [
        1,
        2,
    ]
    first = reader_page.segments[2]
    assert first.number == 1 and first.evidence_ids == ("E1",)
    assert first.used_by == (("s1", "Summary", "Sentence 1."), ("s1", "Findings", "Sentence 1."))


def test_spans_that_overlap_are_one_passage_with_both_uses() -> None:
    reader_page = page(
        research(evidence(1, "Prices fell by 9%. They"), evidence(2, "They rose later."))
    )
    (passage,) = [segment for segment in reader_page.segments if segment.kind == "passage"]
    assert passage.text == "Prices fell by 9%. They rose later."
    assert passage.evidence_ids == ("E1", "E2") and len(passage.used_by) == 3


def test_a_passage_over_two_paragraphs_keeps_its_number_in_both() -> None:
    quote = "A line of the same paragraph.\n\n## Storage\n\nStorage grew."
    reader_page = page(research(evidence(1, quote)))
    passages = [
        (segment.text, segment.number)
        for segment in reader_page.segments
        if segment.kind == "passage"
    ]
    assert passages == [
        ("A line of the same paragraph.", 1),
        ("## Storage", 1),
        ("Storage grew.", 1),
    ]
    assert reader_page.passages == 1


def test_evidence_the_report_does_not_use_is_not_marked() -> None:
    assert page(research(evidence(1, "Storage grew."), cited=())).passages == 0


def test_a_quote_that_does_not_stand_there_is_said_and_not_marked() -> None:
    moved = replace(evidence(1, "Storage grew."), start=0, end=13)
    reader_page = page(research(moved, evidence(2, "They rose later.")))
    assert reader_page.passages == 1
    assert reader_page.problem and reader_page.problem.endswith(
        "not where it should be in the stored text: E1."
    )


@pytest.mark.parametrize(("start", "end"), [(-5, 3), (10**9, 10**9 + 5), (20, 10)])
def test_spans_outside_the_text_harm_nothing(start: int, end: int) -> None:
    odd = replace(evidence(1, "Storage grew."), start=start, end=end)
    assert page(research(odd)).passages == 0


def test_a_text_that_is_gone_is_said() -> None:
    assert (
        page(research(), None).problem
        == "The stored text of this source is gone; the report keeps its quotes."
    )
    bare = replace(research(), snapshots=())
    assert page(bare).problem == "No text of this source was read."


def test_a_source_of_another_research_is_not_found() -> None:
    with pytest.raises(NotFound, match="no such source"):
        reader_page.source_of(research(), "somebody else")


def test_the_text_that_was_quoted_comes_before_the_newest_one() -> None:
    newer = replace(SNAPSHOT, snapshot_id="b" * 64)
    state = replace(
        research(evidence(1, "Storage grew.")),
        sources=(replace(SOURCE, snapshot_id=newer.snapshot_id),),
        snapshots=(newer, SNAPSHOT),
    )
    assert reader_page.source_of(state, SOURCE.source_id)[1] == SNAPSHOT


@settings(max_examples=150, deadline=None)
@given(
    some.text(alphabet="ab .\n\u00e9", max_size=80),
    some.lists(some.tuples(some.integers(0, 80), some.integers(0, 80)), max_size=5),
)
def test_nothing_but_blank_lines_is_lost_and_nothing_is_doubled(
    text: str, spans: list[tuple[int, int]]
) -> None:
    items = [
        Evidence(f"E{i}", SOURCE.source_id, SNAPSHOT.snapshot_id, a, b, text[a:b], "Q", 0.5)
        for i, (a, b) in enumerate(spans)
        if a < b <= len(text)
    ]
    state = replace(research(*items), snapshots=(replace(SNAPSHOT, sections=()),))
    joined = "".join(segment.text for segment in page(state, text).segments)
    assert "".join(joined.split()) == "".join(text.split())
