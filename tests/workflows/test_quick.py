"""A quick search: newsroom, web, synthesis, each announced; tags say where a sentence comes
from."""

from dataclasses import replace

import pytest
from plain_deps import World

from tools.errors import Cancelled
from tools.sources.source import ClientInfo
from workflows.conversation.quick_search import quick
from workflows.research.deps import Deps
from workflows.research.model import RunConfig
from workflows.research.state import ResearchState

QUESTION = "By how much did batteries lower the evening electricity price in Norland?"
NEWS = ClientInfo("news", "Newsroom", "newsroom", 6, 5.0, 20)
WEB = ClientInfo("wikipedia", "Wikipedia", "web", 6, 5.0, 10)


def deps_of(world: World) -> Deps:
    """The world's scholarly source as the newsroom; no others but the web."""
    sources = [replace(source, source_type="newsroom") for source in world.sources["openalex"]]
    world.sources = {"news": sources, "wikipedia": world.sources["wikipedia"], "local": []}
    return replace(world.deps(), clients=(NEWS, WEB))


def searched(deps: Deps, question: str = QUESTION) -> ResearchState:
    state = ResearchState(
        question, config=RunConfig(depth=1, follow=False, workers=1), as_of="2026-01-01"
    )
    return quick(state, deps)


def test_three_steps_are_announced_and_sources_carry_their_kind(world: World) -> None:
    state = searched(deps_of(world))
    steps = [
        event.message
        for event in world.events
        if event.kind == "phase_started" and "Step" in event.message
    ]
    assert steps == [
        "Step 1 of 3: newsroom.",
        "Step 2 of 3: web.",
        "Step 3 of 3: writing the answer.",
    ]
    assert state.kind == "search" and state.status == "complete"
    assert {source.tag for source in state.sources} == {"N1", "W1"}
    assert state.answer is not None and "1%" in state.answer.passages[0].lead.text
    assert "1%" in state.synthesis and "[Web W1]" in state.synthesis
    for piece in state.evidence:
        assert world.texts[piece.snapshot_id][piece.start : piece.end] == piece.quote


def test_own_documents_are_searched_too(world: World) -> None:
    local_sources = world.sources["local"]
    deps = deps_of(world)
    world.sources["local"] = local_sources
    state = searched(deps, "How much of evening demand did batteries supply in Norland in 2024?")
    assert state.answer is not None
    assert "12%" in state.answer.passages[0].lead.text
    assert state.answer.passages[0].tag.startswith("D")


def test_one_kind_of_source_is_enough(world: World) -> None:
    state = searched(replace(deps_of(world), clients=(WEB,)))
    assert "[Web W1]" in state.synthesis
    assert any("no source of this kind is switched on" in event.message for event in world.events)


def test_a_source_that_fails_is_named_and_costs_only_itself(world: World) -> None:
    deps = deps_of(world)
    world.fails["news"] = "Newsroom: no answer within 5 s."
    state = searched(deps)
    assert state.report is not None
    assert "Not every source answered: 1 of 2 did not (Newsroom)." in state.report.notes
    assert "[Web W1]" in state.synthesis


@pytest.mark.parametrize("question", ["Who was the first king of Atlantis?", "?!"])
def test_where_nothing_answers_that_is_said(world: World, question: str) -> None:
    answer = searched(deps_of(world), question).answer
    assert answer is not None and answer.status == "not_found" and not answer.passages


@pytest.mark.lab
def test_a_question_of_two_thousand_words_is_answered(world: World) -> None:
    state = searched(deps_of(world), "batteries " * 2000)
    assert state.status == "complete" and state.answer is not None


def test_a_stop_is_heard(world: World) -> None:
    def stop() -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        searched(replace(deps_of(world), check_cancelled=stop))
