"""Pages with little and with much: reports of no, one, 5, 95 and 200 sources, long titles, 40 tags,
evidence beside.

Each is an engine in memory brought into a state, with the path of its page, and what a person does
there first.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.ui import wide_research
from tests.ui.fake_engine import FakeEngine
from workflows.research.model import UserMarks

Prepare = Callable[[FakeEngine], str]
LONG = (
    "Which of the harbour basins silted up fastest, and what did the surveys of each decade say "
    "about the reasons? "
)
TITLE = (LONG * 6)[:600]
TAGS = tuple(f"harbour-survey-{number}" for number in range(1, 41))


def wide(count: int, page: str = "", **marks: Any) -> Prepare:
    """A report of so many sources, or one of its pages."""

    def prepare(engine: FakeEngine) -> str:
        state, texts = wide_research.wide(count)
        engine.states[wide_research.ID] = replace(state, **marks)
        engine.texts.update(texts)
        return f"/research/{wide_research.ID}{page}"

    return prepare


def long_title(engine: FakeEngine) -> str:
    """A question of 600 characters and 40 tags, as in the history."""
    path = wide(5, original_query=TITLE, user=UserMarks(tags=TAGS))(engine)
    state = engine.states[wide_research.ID]
    if state.report:
        engine.states[wide_research.ID] = replace(state, report=replace(state.report, title=TITLE))
    return path


def in_history(engine: FakeEngine) -> str:
    long_title(engine)
    return "/history"


def questions(engine: FakeEngine) -> str:
    return "/library/questions?ask=What+does+it+cost%3F%0AWho+decides%3F%0AWhen+does+it+end%3F"


def nothing(page: Any) -> None:
    """The page as it comes."""


def passage_opened(page: Any) -> None:
    """The source of the first passage, opened beside the text or as a sheet."""
    page.click("#p1 .doc a")
    page.wait_for_selector(".pane form.check-it")


AMOUNTS: dict[str, tuple[Prepare, Callable[[Any], None]]] = {
    "sources-none": (wide(0), nothing),
    "sources-one": (wide(1), nothing),
    "sources-5": (wide(5), nothing),
    "sources-95": (wide(95), nothing),
    "sources-200": (wide(200), nothing),
    "graph-200": (wide(200, "/graph"), nothing),
    "matrix-5": (wide(5, "/matrix"), nothing),
    "matrix-95": (wide(95, "/matrix"), nothing),
    "pane": (wide(5), passage_opened),
    "questions": (questions, nothing),
    "long-title": (long_title, nothing),
    "long-title-history": (in_history, nothing),
}
