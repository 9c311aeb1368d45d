"""A record that was exported comes in whole elsewhere; one that was forged, damaged or is something
else does not."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import exports
from engine.models import Refused
from engine.research_engine import ResearchEngine
from tests.tables import each
from tests.ui import fake_research
from tools.documents.model import Section, Snapshot, snapshot_id_of
from tools.sources.source import Credibility, make_source
from workflows.research.model import Claim, Evidence, TrajectoryEntry, UserMarks
from workflows.research.report.model import Citation, Report, ReportSection, Sentence
from workflows.research.state import ResearchState

TEXT = (
    "# Storage\n\nBatteries lowered the winter evening price by 9% in 2024.\n\nPumped hydro did "
    "not change it.\n"
)
QUOTE = "Batteries lowered the winter evening price by 9% in 2024."


@pytest.fixture
def record() -> dict[str, Any]:
    """The record of a finished research with its text, as another Zorora exports it."""
    source = replace(make_source("https://agency.example/report", "A report"), tag="S1",
                     credibility=Credibility(0.85, "Government source", 0.85))  # fmt: skip
    snapshot = Snapshot(snapshot_id_of(TEXT), source.source_id, source.url, "text/html",
        "2026-01-02T03:04:05Z", "x/1",
                        "full", len(TEXT), (),
                        (Section("1", "Storage", 1, 11, len(TEXT)),))  # fmt: skip
    evidence = Evidence("E1", source.source_id, snapshot.snapshot_id, TEXT.index(QUOTE),
        TEXT.index(QUOTE) + len(QUOTE),
                        QUOTE, "q1", 0.9)  # fmt: skip
    sentence = Sentence(
        "s1", "quote", QUOTE, claim_ids=("C1",), citations=(Citation("S1", source.source_id, "E1"),)
    )
    claim = Claim(
        "C1",
        QUOTE,
        evidence_ids=("E1",),
        verified=True,
        confidence=0.7,
        supporting_sources=(source.source_id,),
    )
    state = ResearchState(
        "How did batteries change evening prices?", "how_did_batteries_20260102_030405",
        status="complete",
        as_of="2026-01-02", started_at="2026-01-02T03:04:00Z", completed_at="2026-01-02T03:04:09Z",
        sources=(source,), snapshots=(snapshot,), evidence=(evidence,), claims=(claim,),
        trajectory=(TrajectoryEntry(1, "2026-01-02T03:04:00Z", "understand", "research_started",
            "Begun."),),
        report=Report("A report", (sentence,), sections=(ReportSection("Findings", (sentence,)),)),
        synthesis="# A report", user=UserMarks(True, ("storage",), "", "2026-01-03T00:00:00Z"),
    )  # fmt: skip
    return json.loads(exports.export(state, "json", lambda _: TEXT).data)  # type: ignore[no-any-return]


def data(record: Any) -> bytes:
    return json.dumps(record).encode()


def test_a_record_comes_in_with_marks_texts_and_passages_that_open(
    engine: ResearchEngine, record: Any
) -> None:
    done = engine.import_record(data(record))
    assert (
        done.new
        and done.notes == ()
        and done.missing == 0
        and done.texts == len(record["snapshots"])
    )
    state = engine.load_research(done.research_id)
    assert state is not None and state.report is not None and state.versions["imported"]
    assert state.user.starred and state.user.tags == ("storage",)
    assert state.user.deleted_at is None
    assert engine.history().entries[0].research_id == done.research_id == record["research_id"]
    cited = next(c for s in state.report.sentences() for c in s.citations)
    page = engine.reader(done.research_id, cited.source_id)
    assert page.problem is None and page.passages > 0
    assert engine.search_history("batteries")


def test_the_same_record_twice_changes_nothing(engine: ResearchEngine, record: Any) -> None:
    first = engine.import_record(data(record))
    engine.note(first.research_id, "mine")
    again = engine.import_record(data(record))
    assert not again.new and "already" in again.notes[0] and again.research_id == first.research_id
    assert engine.load_research(first.research_id).user.note == "mine"  # type: ignore[union-attr]
    back = engine.export(first.research_id, "json", with_snapshots=True).data
    assert not engine.import_record(back).new, "what was exported from here is here"


def test_another_research_of_the_same_name_is_kept_beside_it(
    engine: ResearchEngine, record: Any
) -> None:
    first = engine.import_record(data(record))
    record["quality"]["searches"] = 99
    second = engine.import_record(data(record))
    assert (
        second.new
        and second.research_id.startswith("how_did_batteries_change_")
        and "imported as" in second.notes[0]
    )
    assert engine.load_research(first.research_id).quality.searches != 99  # type: ignore[union-attr]


def test_a_record_without_its_texts_says_so_unless_they_are_here(
    engine: ResearchEngine, record: Any
) -> None:
    without = copy.deepcopy(record)
    for snapshot in without["snapshots"]:
        del snapshot["text"]
    done = engine.import_record(data(without))
    assert done.missing == len(record["snapshots"]) and "not in the file" in done.notes[0]


@pytest.mark.parametrize("status", ({}, {"status": "running"}))
def test_the_older_format_comes_in(engine: ResearchEngine, status: dict[str, str]) -> None:
    older = status | {
        "research_id": "../../etc/passwd", "original_query": "AI trends?", "max_depth": 1,
        "synthesis": "# AI\n\nWords.",
        "created_at": "2025-01-15T14:30:22", "findings": [{"claim": "x"}],
        "sources": [{"source_id": "a1", "url": "https://a.example/", "title": "A",
            "credibility_score": 0.5}],
    }  # fmt: skip
    done = engine.import_record(data(older))
    state = engine.load_research(done.research_id)
    assert state is not None and state.status == "complete" and state.synthesis.startswith("# AI")
    assert done.research_id.startswith("ai_trends_")
    assert [
        source.credibility and (source.credibility.score, source.credibility.category)
        for source in state.sources
    ] == [(0.5, "unknown")]


def test_a_research_of_every_part_without_a_report_of_quotations_is_typed_right() -> None:
    from engine.records.checking import check

    check(replace(fake_research.finished(), report=None), fake_research.texts())


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Put a value at a place like "sources.0.title"."""

    def with_value(record: dict[str, Any]) -> None:
        at: Any = record
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        for step in steps:
            at = at[step]
        at[last] = value

    return with_value


def first_cited(record: dict[str, Any]) -> dict[str, Any]:
    sentences = [
        *record["report"]["summary"],
        *(s for part in record["report"]["sections"] for s in part["sentences"]),
    ]
    return next(sentence for sentence in sentences if sentence["citations"])


def forge_sentence(record: dict[str, Any]) -> None:
    first_cited(record)["text"] = "Batteries cause earthquakes."


def cite_nothing(record: dict[str, Any]) -> None:
    first_cited(record)["citations"] = []


def cite_elsewhere(record: dict[str, Any]) -> None:
    first_cited(record)["citations"][0]["evidence_id"] = "E999"


def forge_text(record: dict[str, Any]) -> None:
    record["snapshots"][0]["text"] += " And batteries cause earthquakes."


def twice(record: dict[str, Any]) -> None:
    record["sources"].append(record["sources"][0])


@pytest.mark.parametrize(("forge", "message"), [
    (change("evidence.0.quote", "Batteries cause earthquakes."), "is not in the text"),
    (change("evidence.0.start", -5), "is not in the text"),
    (change("evidence.0.source_id", "nobody"), "belongs to a source"),
    (forge_sentence, "not the quotation"), (cite_nothing, "cites nothing"),
    (cite_elsewhere, "does not contain"),
    (forge_text, "was changed"), (twice, "two entries"),
    (change("sources.0.title", {"a": 1}), "title is not a text"),
    (change("sources.0.authors", "Jane"), "damaged|list|entry|text"),
    (change("sources.0.source_id", "../../x"), "cannot be the id"),
    (change("sources.0.source_id", "a\nb"), "cannot be the id"),
    (change("sources.0.credibility.score", 7), "not between 0 and 1"),
    (change("claims.0.confidence", "high"), "could not convert"),
    (change("config.depth", 1.5), "whole number"),
    (change("snapshots.0.snapshot_id", "../../../etc/passwd"), "was changed"),
    (change("snapshots.0.sections",
        [{"section_id": "1", "title": "x", "level": 1, "start": 9, "end": 1}]), "outside"),
    (change("status", "running"), "only a finished report"),
    (change("format", "zorora-research/2"), "newer"),
    (change("format", ["zorora"]), "not the record"),
    (change("query", 5), "no question"),
    (change("original_query", "   "), "no question"),
    (change("sources", {"a": 1}), "damaged|entry"),
    (change("report", "text"), "damaged"),
    (change("user", {"tags": [1], "note": 2}), "user: tags, entry 1 is not a text"),
    (change("user", {"note": "x" * 30_000}), "at most"),
    (change("trajectory.0.data", {"x": "\ud800"}), "surrogate"),
    (change("revision", 10**30), "revision is a number of more than"),
    (change("config.depth", -(10**30)), "depth is a number of more than"),
    (change("trajectory.0.data", {"x": 10**30}), "number of more than"),
])  # fmt: skip
def test_a_forged_record_is_refused_and_nothing_is_stored(
    engine: ResearchEngine, record: Any, forge: Any, message: str
) -> None:
    if message == "no question" and record.get("original_query") and forge is not None:
        record["query"] = record["original_query"] = ""
    forge(record)
    with pytest.raises(Refused, match=message):
        engine.import_record(data(record))
    assert engine.history().total == 0 and not list(engine.config.paths.snapshots.rglob("*.gz"))


@each("content", [
    b"", b"no json", b"[1]", b'"x"', b"{}", b'{"query": NaN}', b"\x00\x01",
    b'{"query":"a","sources":[[]]}',
    b"[" * 100_000, b'{"query":"q","format":"other/1"}', b'{"query": "q", "claims": '
                                                         b'[{"confidence": 1e999}]}',
])  # fmt: skip
def test_another_file_is_refused_with_a_sentence(engine: ResearchEngine, content: bytes) -> None:
    with pytest.raises(Refused, match=r"\.$|\)\."):
        engine.import_record(content)
