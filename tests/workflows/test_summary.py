"""The head of a report: what was asked comes first."""

from plain_deps import World

from workflows.research import pipeline
from workflows.research.model import RunConfig
from workflows.research.report import Report
from workflows.research.state import ResearchState

QUESTION = "Do grid-scale batteries lower evening electricity prices?"


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
