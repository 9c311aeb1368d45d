"""Whole researches and documents as tools answer."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.answers import Exported, JobStatus
from engine.exports import FORMATS
from engine.research_engine import ResearchEngine
from engine.wiring.tool_texts import Listener, ResearchText
from tools.errors import Cancelled, NotFound, Refused
from tools.registry import find_tool
from tools.toolset.tool import TEXT_FORMATS, checked_arguments
from workflows.research.state import ResearchState

STATUS = JobStatus(
    "tea_1", "tea", "running", 2, "2026-01-02", phase="plan", phase_number=2, message="Plan made."
)


RECORD = ResearchState("tea", status="complete")


class Engine:
    """A research that is over at its third look."""

    def __init__(self, state: object = RECORD) -> None:
        self.looks, self.cancelled, self.state = 0, False, state

    def start(self, query: str, options: Any) -> str:
        assert not options.clarify
        return "tea_1"

    def status(self, research_id: str) -> JobStatus:
        self.looks += 1
        return replace(
            STATUS, over=self.looks > 2, status="complete" if self.looks > 2 else "running"
        )

    def cancel(self, research_id: str) -> None:
        self.cancelled = True

    def load_research(self, research_id: str) -> object:
        return self.state

    def export(self, research_id: str, format: str) -> Exported:
        return Exported(b"# Tea", "text/markdown", "tea.md")


@pytest.fixture
def start_research(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ResearchText]:
    monkeypatch.setattr("engine.wiring.tool_texts._POLL", 0.001)
    return lambda engine, *more: ResearchText(engine, *more)


def test_a_research_is_followed_to_its_report(start_research: Callable[..., ResearchText]) -> None:
    progress: list[tuple[int, str]] = []
    results: list[dict[str, Any]] = []
    listener = Listener(lambda phase, message: progress.append((phase, message)), results.append)
    assert start_research(Engine(), None, listener).deep("tea", 2) == "# Tea"
    assert progress == [(2, "Plan made.")] and [result["original_query"] for result in results] == [
        "tea"
    ]
    assert (
        start_research(Engine(None), None).deep("tea", 1)
        == "tea_1: complete, 0 s. Nothing was written."
    )


def test_a_cancelled_call_cancels_the_research(start_research: Callable[..., ResearchText]) -> None:
    def stop() -> None:
        raise Cancelled("Stopped.")

    engine = Engine()
    with pytest.raises(Cancelled):
        start_research(engine, stop).deep("tea", 3)
    assert engine.cancelled


def test_depths_and_formats_that_are_none_are_refused(
    start_research: Callable[..., ResearchText],
) -> None:
    for depth in (0, 4, -1):
        with pytest.raises(Refused, match="depth is 1, 2 or 3"):
            start_research(Engine(), None).deep("tea", depth)
    for name in ("pdf", "docx", "../x"):
        with pytest.raises(Refused, match="is not a text format"):
            start_research(Engine(), None).export("tea_1", name)


def test_a_status_says_where_it_is(start_research: Callable[..., ResearchText]) -> None:
    assert (
        start_research(Engine(), None).status("tea_1")
        == "tea_1: running, phase 2 of 6 (plan), 0 s."
    )
    asks = SimpleNamespace(
        status=lambda research_id: replace(STATUS, question="Which tea?", position=2)
    )
    assert (
        start_research(asks, None)
        .status("tea_1")
        .endswith("number 2 in the queue, 0 s. It asks: Which tea?")
    )


def test_the_tools_over_a_research_have_what_it_had(home: Path) -> None:
    def saved(name: str, *sources: str) -> str:
        state = ResearchState(
            name, status="complete", synthesis="x", started_at="2026-01-02T10:00:00Z"
        )
        return engine._opened.storage.save_research(
            replace(state, config=replace(state.config, sources=sources))
        )

    with ResearchEngine(home=home, environ={}, overrides={"embeddings.enabled": False}) as engine:
        fetching, of_documents = (
            {"extract_links", "get_link_summaries", "get_full_content"},
            {"list_sections"},
        )
        assert fetching | of_documents <= {tool.name for tool in engine.tools.offered()}
        for sources, there in ((("web",), set()), (("web", "local"), of_documents)):
            tools = engine.tools.over(saved(f"about {len(sources)}", *sources))
            assert {tool.name for tool in tools.offered()} & (fetching | of_documents) == there
            with pytest.raises(Refused, match="not offered"):
                tools.call("get_full_content", {"source": "https://example.org"})
        with pytest.raises(NotFound):
            engine.tools.over("nothing_20260102_100000")


def test_models_may_have_every_format_that_is_text() -> None:
    assert {form.name for form in FORMATS} - {"pdf", "docx"} == set(TEXT_FORMATS)


@pytest.mark.parametrize("name", TEXT_FORMATS)
def test_every_format_that_is_text_is_given(
    start_research: Callable[..., ResearchText], name: str
) -> None:
    checked_arguments(find_tool("export_research"), {"research_id": "tea_1", "format": name})
    assert start_research(Engine(), None).export("tea_1", name) == "# Tea"
