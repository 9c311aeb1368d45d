"""The numbers of follow-up questions and quick searches, each at its edge."""

from dataclasses import replace

import pytest
from plain_deps import World

from tests.scripted_models import Script
from tests.workflows.test_quick import deps_of, searched
from tools.documents.model import Snapshot
from tools.models.folding import Summary
from tools.models.model import CHARACTERS_PER_TOKEN, Endpoint, Role
from tools.models.roles import Models
from tools.sources.source import make_source
from workflows.conversation.about_report import about_report
from workflows.conversation.follow_up import _before, standalone
from workflows.research.modelled.work import Work
from workflows.research.report.model import Report, Turn
from workflows.research.state import ResearchState

WINDOW = 20_000
REPORT = replace(ResearchState("Do mills grind?"), report=Report(""))


def told(state: ResearchState) -> str:
    """What a model is told that came before a question."""
    role = Role("reasoning", Endpoint("script", "http://127.0.0.1:1"), "m", window=WINDOW)
    return _before(
        state,
        Work(Models({role.name: role}, Script(lambda *_: "")), 1, lambda event: None, lambda: None),
    )


def test_ten_sources_of_a_report_are_named_and_the_others_counted() -> None:
    sources = tuple(make_source(f"https://s{n}.example/", f"Mill {n}") for n in range(12))
    read = tuple(
        Snapshot(s.source_id, s.source_id, s.url, "text/plain", "t", "e", "full", 9)
        for s in sources
    )
    (line,) = about_report(replace(REPORT, sources=sources, snapshots=read), "List the sources")
    assert line.text.count("“") == 10
    assert line.text.endswith(" and 2 more.")


def test_a_model_is_told_the_first_1500_characters_of_an_earlier_answer() -> None:
    assert (
        told(replace(REPORT, conversation=(Turn("", "Why?", text="x" * 2000),))).count("x") == 1500
    )


def test_a_model_is_told_every_turn_of_a_conversation_in_full_or_in_a_summary() -> None:
    turns = tuple(Turn("", f"Why {n}?", text=f"Because of {n}.") for n in range(7))
    text = told(
        replace(REPORT, conversation=turns, summaries=(Summary(0, "Seven reasons.", 1, 2),))
    )
    assert [f"Because of {n}." in text for n in range(7)] == [False, False, *(True,) * 5]
    assert "Seven reasons." in text


def test_the_report_and_the_conversation_each_take_a_twelfth_of_a_window_at_most() -> None:
    turns = tuple(Turn("", "Why?", text="x" * 1500) for _ in range(9))
    text = told(replace(REPORT, original_query="mills " * 9000, conversation=turns))
    assert 1 / 14 < len(text) / 2 / CHARACTERS_PER_TOKEN / WINDOW < 1 / 12


@pytest.mark.parametrize(
    ("question", "asked"),
    [("Birds?", "mills grind Birds?"), ("Birds in winter?", "Birds in winter?")],
)
def test_a_question_of_one_word_is_asked_with_the_topic_of_the_one_before(
    question: str, asked: str
) -> None:
    assert standalone(REPORT, question) == asked


def test_a_quick_search_reads_four_pages_of_a_kind_and_names_twelve_sources() -> None:
    texts = {
        f"{kind} {n}": (kind, f"Batteries lowered the price by {n}% here.")
        for kind in ("openalex", "wikipedia")
        for n in range(10)
    }
    world = World(texts)
    assert len(searched(deps_of(world)).sources) == 12
    assert len(world.fetches) == 8
