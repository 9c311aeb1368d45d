"""Steering a finished research: the same again, without a source, with one, deeper, and against
today's web."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine import ResearchEngine
from engine.answers import RunOptions
from tools.errors import Conflict, NotFound, Refused
from tools.sources.source import Mark
from workflows.research import revise
from workflows.research.state import ResearchState

pytestmark = pytest.mark.lab

QUESTION = "Do grid-scale batteries lower evening electricity prices?"
TEXTS = {
    "review.md": "# Review\n\nGrid-scale batteries lowered evening electricity prices in Norland "
                 "by 9% in 2024. "
    "Batteries supplied 18% of evening demand in Norland in 2024.",
    "monitor.md": "# Monitor\n\nIn 2024, grid-scale batteries lowered evening electricity prices "
                  "in Norland by 9%. The "
    "monitor counted 40 batteries in Norland.",
    "log.md": "# Log\n\nGrid-scale batteries lowered evening electricity prices in Norland by only "
              "1% in 2024.",
}  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ResearchEngine, str]]:
    """An engine with one finished research over three documents, and its id."""
    folder = tmp_path_factory.mktemp("texts")
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    settings = {"embeddings.enabled": False}
    with ResearchEngine(home=tmp_path_factory.mktemp("home"), overrides=settings) as engine:
        engine.ingest([folder])
        state = engine.run(QUESTION, RunOptions(depth=2, sources=("local",), offline=True))
        yield engine, state.research_id


def source_of(state: ResearchState, title: str) -> str:
    return next(source.source_id for source in state.sources if source.title == title)


def cited(state: ResearchState) -> set[str]:
    assert state.report is not None
    return {
        citation.source_id
        for sentence in state.report.sentences()
        for citation in sentence.citations
    }


def test_a_replay_is_the_same_to_the_byte(home: tuple[ResearchEngine, str]) -> None:
    engine, research_id = home
    before = engine.load_research(research_id)
    again, differ = engine.steering.replay(research_id)
    assert before is not None
    assert differ == ()
    assert again.synthesis == before.synthesis
    assert engine.load_research(research_id) == before  # nothing is saved


def test_differences_are_named(home: tuple[ResearchEngine, str]) -> None:
    engine, research_id = home
    state = engine.load_research(research_id)
    assert state is not None
    assert revise.differences(state, replace(state, synthesis="other", research_id="b")) == (
        "synthesis",
    )


def test_a_source_is_left_out_and_taken_back_in_new_revisions(
    home: tuple[ResearchEngine, str],
) -> None:
    engine, research_id = home
    first = engine.load_research(research_id)
    assert first is not None
    log = source_of(first, "Log")
    assert log in cited(first) and first.contradictions

    without = engine.steering.exclude(research_id, log)
    assert without.revision == first.revision + 1
    assert log not in cited(without) and not without.contradictions
    assert next(s.rejected for s in without.sources if s.source_id == log) == "Excluded by you."
    assert not any(piece.source_id == log for piece in without.evidence)
    with pytest.raises(Refused, match="“Log” is already excluded from this report"):
        engine.steering.exclude(research_id, log)

    back = engine.steering.include(research_id, "Log")
    assert back.revision == first.revision + 2
    assert log in cited(back) and back.contradictions

    assert engine.steering.revisions(research_id) == [1, 2, 3]
    assert engine.steering.revision(research_id, 1) == replace(first, user=first.user)
    assert engine.steering.revision(research_id, 3) == engine.load_research(research_id)
    with pytest.raises(NotFound, match="no revision 9"):
        engine.steering.revision(research_id, 9)


def test_a_changed_report_replays_alike_and_no_two_passages_share_a_name(
    home: tuple[ResearchEngine, str],
) -> None:
    engine, research_id = home
    state = engine.load_research(research_id)
    assert state is not None
    without = engine.steering.exclude(research_id, state.sources[0].source_id)
    names = [piece.evidence_id for piece in without.evidence]
    assert len(set(names)) == len(names)
    assert engine.steering.replay(research_id)[1] == ()
    engine.steering.include(research_id, state.sources[0].source_id)
    assert engine.steering.replay(research_id)[1] == ()


def test_what_cannot_be_steered_is_said(home: tuple[ResearchEngine, str]) -> None:
    engine, research_id = home
    with pytest.raises(NotFound, match="no source 'S99'"):
        engine.steering.exclude(research_id, "S99")
    with pytest.raises(NotFound, match="Neither a source"):
        engine.steering.include(research_id, "nothing.md")
    with pytest.raises(NotFound):
        engine.steering.replay("never_asked_20260101_000000")


def test_a_change_that_changes_nothing_makes_no_revision(home: tuple[ResearchEngine, str]) -> None:
    engine, research_id = home
    state = engine.load_research(research_id)
    assert state is not None
    there = engine.steering.revisions(research_id)
    for reference in ("Log", source_of(state, "Log"), "review.md"):
        with pytest.raises(Refused, match="already among the sources of this report"):
            engine.steering.include(research_id, reference)
    with pytest.raises(Refused, match="The same report came out"):
        engine.steering.rescore(research_id)
    assert (
        engine.steering.revisions(research_id) == there
        and engine.load_research(research_id) == state
    )


def test_two_who_change_at_once_do_not_lose_a_revision(home: tuple[ResearchEngine, str]) -> None:
    engine, research_id = home
    state = engine.load_research(research_id)
    assert state is not None
    with pytest.raises(Conflict, match="changed in the meantime"):
        engine.steering._revise(
            replace(state, revision=state.revision - 1), None, lambda deps: state
        )


def test_a_source_that_was_never_read_cannot_be_added(home: tuple[ResearchEngine, str]) -> None:
    engine, research_id = home
    state = engine.load_research(research_id)
    assert state is not None
    unread = replace(
        state, sources=tuple(replace(source, snapshot_id=None) for source in state.sources)
    )
    engine._opened.storage.save_research(unread)
    with pytest.raises(Refused, match="was never read"):
        engine.steering.include(research_id, state.sources[0].source_id)
    engine._opened.storage.save_research(state)


def test_going_deeper_asks_again_and_keeps_what_there_was(
    home: tuple[ResearchEngine, str], tmp_path: Path
) -> None:
    engine, research_id = home
    before = engine.load_research(research_id)
    assert before is not None
    more = tmp_path / "late.md"
    more.write_text(
        "# Late\n\nGrid-scale batteries lowered evening electricity prices in Norland by 9% in "
        "2024, it says."
    )
    engine.ingest([more])
    after = engine.steering.deepen(research_id)
    assert after.round > before.round and after.revision == before.revision + 1
    assert {s.title for s in after.sources} >= {s.title for s in before.sources} | {"Late"}


def test_a_source_retracted_since_is_seen_and_its_claims_are_scored_anew(
    home: tuple[ResearchEngine, str],
) -> None:
    engine, research_id = home
    state = engine.load_research(research_id)
    assert state is not None
    assert engine.steering.withdrawn(state) == ()
    review = source_of(state, "Review")
    marks = (Mark("retracted", "Crossref", "2026-01-01", "wrong figures", None),)
    bad = tuple(
        replace(source, doi="10.1000/bad", marks=marks) if source.source_id == review else source
        for source in state.sources
    )
    marked = replace(state, sources=bad)
    (gone,) = engine.steering.withdrawn(marked)
    assert gone.title == "Review" and "RETRACTED" in gone.notice
    engine._opened.storage.save_research(marked)
    scored = engine.steering.rescore(research_id)
    assert review not in cited(scored)
    assert engine.steering.withdrawn(scored) == ()
    assert next(source.rejected for source in scored.sources if source.source_id == review)


def test_deleting_for_good_removes_the_revisions(home: tuple[ResearchEngine, str]) -> None:
    engine, _ = home
    state = engine.run(
        "What do batteries supply in Norland?",
        RunOptions(depth=1, sources=("local",), offline=True),
    )
    engine.steering.exclude(state.research_id, state.sources[0].source_id)
    folder = engine.config.paths.findings.parent / "revisions" / state.research_id
    assert folder.is_dir()
    engine.delete(state.research_id, now=True)
    assert not folder.exists()
