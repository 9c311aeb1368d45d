"""A finished research again: the same texts give the same record, another set of sources another one."""

from conftest import TEXTS
from plain_deps import World

from workflows.research import pipeline, revise
from workflows.research.model import RunConfig
from workflows.research.state import ResearchState

QUESTION = "Do grid-scale batteries lower evening electricity prices?"


def finished(world: World, question: str = QUESTION) -> ResearchState:
    state = ResearchState(question, config=RunConfig(), as_of="2026-01-01T00:00:00Z")
    return pipeline.run(state, world.deps(), save=lambda step, state: None)


def test_the_same_texts_give_the_same_record_to_the_byte(world: World) -> None:
    for question in (QUESTION, "What is known about batteries in Norland?", "batteries vs pumped hydro"):
        state = finished(world, question)
        made = revise.again(revise.gathered(state), world.deps())
        assert revise.differences(state, made) == ()
        assert made.synthesis.encode() == state.synthesis.encode()


def test_differences_are_named_and_ids_and_times_are_none(world: World) -> None:
    state = finished(world)
    other = ResearchState.from_dict({**state.to_dict(), "research_id": "b", "completed_at": "2027-01-01T00:00:00Z"})
    assert revise.differences(state, other) == ()
    assert revise.differences(state, ResearchState.from_dict({**state.to_dict(), "synthesis": "x"})) == ("synthesis",)


def test_without_a_source_nothing_of_it_is_left_but_its_name(world: World) -> None:
    state = finished(world)
    press = next(source for source in state.sources if source.title == "Trade press")
    made = revise.changed(state, world.deps(), exclude={press.source_id})
    assert not any(one.source_id == press.source_id for one in made.evidence)
    assert not any(press.source_id in claim.supporting_sources for claim in made.claims)
    assert "only 1%" not in made.synthesis and "only 1%" in state.synthesis
    assert next(one.rejected for one in made.sources if one.source_id == press.source_id) == revise.EXCLUDED
    assert len(made.trajectory) > len(state.trajectory)
    assert world.fetches == finished_fetches(state)

    back = revise.changed(made, world.deps(), add=(press,))
    assert "only 1%" in back.synthesis
    assert next(one.tag for one in back.sources if one.source_id == press.source_id) == press.tag


def finished_fetches(state: ResearchState) -> list[str]:
    """What the run itself had fetched: steering adds nothing to it."""
    world = World(TEXTS)
    finished(world)
    return world.fetches


def test_passages_are_numbered_after_the_last_and_not_by_their_count() -> None:
    from workflows.research.model import Evidence, last_number

    def passage(name: str) -> Evidence:
        return Evidence(name, "s", "t", 0, 1, "x", "Q1", 0.5)

    assert last_number([passage(f"E{n}") for n in range(11, 35)]) == 34
    assert last_number([]) == 0 and last_number([passage("E2"), passage("F1")]) == 2


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
    assert sum(one.query == "who counts batteries" for one in state.asked) >= 2
    assert revise.deeper(state, world.deps()).quality.searches >= counts[-1]
