"""The head of a report: what was asked comes first, and what could not be asked is said once."""

from plain_deps import World

from workflows.research import pipeline
from workflows.research.model import RunConfig
from workflows.research.report import Report
from workflows.research.state import ResearchState
from workflows.research.synthesis import unanswered

QUESTION = "Do grid-scale batteries lower evening electricity prices?"
NO_NETWORK = "no network; skipped"


def report(world: World, question: str = QUESTION) -> Report:
    state = ResearchState(question, config=RunConfig(), as_of="2026-01-01T00:00:00Z")
    done = pipeline.run(state, world.deps(), save=lambda step, state: None)
    assert done.report is not None
    return done.report


def test_an_answer_the_sources_disagree_about_opens_the_summary_with_both_sides(world: World) -> None:
    made = report(world)
    first, second, told = made.summary[:3]
    assert "by 9%" in first.text and "only 1%" in second.text
    assert first.citations and second.citations and not told.citations
    assert told.text.startswith("On this the sources contradict each other: the statement of S")
    assert 3 <= len(made.summary) <= 6
    # and not once more further down
    said = [sentence.text for sentence in made.sentences() if sentence.citations]
    assert len(said) == len(set(said))
    assert not any("on 1 point" in sentence.text for sentence in made.summary)


def test_clients_with_one_reason_are_named_together(world: World) -> None:
    world.fails = {"openalex": f"OpenAlex: {NO_NETWORK}", "wikipedia": "Wikipedia: rate limited; skipped"}
    assert "Not every source answered. OpenAlex: no network. Wikipedia: rate limited." in report(world).notes
    world.fails = {"openalex": f"OpenAlex: {NO_NETWORK}", "wikipedia": f"Wikipedia: {NO_NETWORK}"}
    assert "Not every source answered. OpenAlex, Wikipedia: no network." in report(world).notes


def test_a_machine_without_a_network_is_told_so_and_not_a_list_of_names() -> None:
    unknown = "the name is not known (or there is no network); skipped"
    (note,) = unanswered([f"Service {n}: {unknown}" for n in range(12)])
    assert note == "Not every source answered. There is no network: none of 12 sources on it was reached."
    (note,) = unanswered([f"Service {n}: rate limited; skipped" for n in range(4)])
    assert "Service 3: rate limited." in note


def test_where_nothing_was_read_there_is_no_verdict() -> None:
    assert report(World({}), "Does coffee raise blood pressure?").verdict is None


def test_one_of_a_kind_is_not_called_many() -> None:
    world = World({"Tea": ("local", "Green tea lowered the average blood pressure of 40 adults by 3% in 2021.")})
    report(world, "Does green tea lower blood pressure?")
    said = " ".join(event.message for event in world.events)
    assert "1 source scored" in said and "among 1 source," in said and "1 sources" not in said
    empty = World({})
    report(empty)
    assert "mean credibility" not in " ".join(event.message for event in empty.events)
