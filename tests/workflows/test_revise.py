"""A finished research again: the same texts give the same record, another set of sources another
one."""

from conftest import TEXTS
from plain_deps import World

from workflows.research import pipeline, revise
from workflows.research.state import ResearchState

QUESTION = "Do grid-scale batteries lower evening electricity prices?"


def finished(world: World, question: str = QUESTION) -> ResearchState:
    state = ResearchState(question, as_of="2026-01-01T00:00:00Z")
    return pipeline.run(state, world.deps(), save=lambda step, state: None)


def test_the_same_texts_give_the_same_record_to_the_byte(world: World) -> None:
    for question in (
        QUESTION,
        "What is known about batteries in Norland?",
        "batteries vs pumped hydro",
    ):
        state = finished(world, question)
        revision = revise.again(revise.gathered(state), world.deps())
        assert revise.differences(state, revision) == ()
        assert revision.synthesis.encode() == state.synthesis.encode()


def test_differences_are_named_and_ids_and_times_are_none(world: World) -> None:
    state = finished(world)
    other = ResearchState.from_dict(
        {**state.to_dict(), "research_id": "b", "completed_at": "2027-01-01T00:00:00Z"}
    )
    assert revise.differences(state, other) == ()
    assert revise.differences(
        state, ResearchState.from_dict({**state.to_dict(), "synthesis": "x"})
    ) == ("synthesis",)


def test_without_a_source_nothing_of_it_is_left_but_its_name(world: World) -> None:
    state = finished(world)
    press = next(source for source in state.sources if source.title == "Trade press")
    revision = revise.changed(state, world.deps(), exclude={press.source_id})
    assert not any(piece.source_id == press.source_id for piece in revision.evidence)
    assert not any(press.source_id in claim.supporting_sources for claim in revision.claims)
    assert "only 1%" not in revision.synthesis and "only 1%" in state.synthesis
    assert (
        next(source.rejected for source in revision.sources if source.source_id == press.source_id)
        == revise.EXCLUDED
    )
    assert len(revision.trajectory) > len(state.trajectory)
    assert world.fetches == finished_fetches(state)

    back = revise.changed(revision, world.deps(), add=(press,))
    assert "only 1%" in back.synthesis
    assert (
        next(source.tag for source in back.sources if source.source_id == press.source_id)
        == press.tag
    )


def finished_fetches(state: ResearchState) -> list[str]:
    """What the run itself had fetched: steering adds nothing to it."""
    world = World(TEXTS)
    finished(world)
    return world.fetches


def test_passages_are_numbered_after_the_last_and_not_by_their_count() -> None:
    from workflows.research.model import last_number

    assert last_number([f"E{n}" for n in range(11, 35)]) == 34
    assert last_number([]) == 0 and last_number(["E2", "F1", "other"]) == 2


def test_queries_are_counted_over_all_revisions_and_may_be_asked_again(world: World) -> None:
    first = finished(world)
    without = revise.changed(first, world.deps(), exclude={first.sources[0].source_id})
    assert first.quality.searches > 2 and without.quality.searches == first.quality.searches
    counts, state = [without.quality.searches], without
    for _ in range(2):
        ready = revise.further(state, "Who counts batteries?", "who counts batteries")
        state = pipeline.run(ready, world.deps(), save=lambda step, state: None, step="aggregate")
        counts.append(state.quality.searches)
    assert counts == sorted(set(counts)), "what was asked for the revisions before is not forgotten"
    assert sum(search.query == "who counts batteries" for search in state.asked) >= 2
    assert revise.deeper(state, world.deps()).quality.searches >= counts[-1]
