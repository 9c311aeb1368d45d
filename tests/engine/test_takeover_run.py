"""DuckDuckGo stands in for Brave in whole researches, and the progress, the record and the report
say so."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.standin import Reply, Standin, serve
from benchmarks.standin_services import mount
from benchmarks.standin_texts import QUESTION
from engine.answers import RunOptions
from engine.research_engine import ResearchEngine
from engine.settings.settings_table import KEYS
from tools.sources.registry import SOURCES
from workflows.research.events import Event

KEY = "BRAVE_SEARCH_API_KEY"
OPTIONS = RunOptions(depth=1, sources=("web",), clarify=False)


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


@pytest.fixture
def brave() -> Iterator[Standin]:
    with serve() as running:
        yield running


@pytest.fixture
def engine(home: Path, server: Standin, brave: Standin) -> Iterator[ResearchEngine]:
    world = mount(server, characters=1500)
    moved = {"sources.brave.base_url": f"{brave.url}/", "embeddings.enabled": False}
    with ResearchEngine(home=home, overrides={**world.settings, **moved}) as engine:
        yield engine


@pytest.mark.lab
def test_a_brave_that_refuses_costs_nothing_and_is_named_in_the_progress(
    engine: ResearchEngine, server: Standin, brave: Standin
) -> None:
    engine.set_key(KEY, "b-key-0123456789abcdef")
    brave.on("/web/search", Reply(b"{}", 429, {"Retry-After": "3600"}))
    events: list[Event] = []
    state = engine.run(QUESTION, OPTIONS, on_event=events.append)
    message = "Brave: rate limited, asked to wait 3600 s; DuckDuckGo took over"
    answers = [
        event
        for event in events
        if event.kind == "source_answered" and event.data["client"] == "brave"
    ]
    assert answers and all(event.message.startswith(f"{message}; 10 hits for") for event in answers)
    assert {event.data["problem"] for event in answers} == {message}
    assert not any(event.data.get("client") == "duckduckgo" for event in events)
    (report,) = [client for client in state.clients if client.client == "brave"]
    assert report.problem == message and report.found == 10 * len(answers)
    assert any("duckduckgo" in source.providers for source in state.sources)
    assert any(message in entry.message for entry in state.trajectory)
    assert state.report is not None and not any("Brave" in note for note in state.report.notes), (
        "it was answered for"
    )
    assert len(brave.requests) == 1 and all(
        "b-key" not in request.target for request in server.requests
    )
    assert all("x-subscription-token" not in request.headers for request in server.requests)


@pytest.mark.lab
def test_without_a_key_duckduckgo_is_asked_and_the_progress_says_why(
    engine: ResearchEngine, brave: Standin
) -> None:
    events: list[Event] = []
    state = engine.run(QUESTION, OPTIONS, on_event=events.append)
    notes = [event.message for event in events if event.kind == "note" and "Brave" in event.message]
    assert notes == ["Brave has no key; DuckDuckGo took over."]
    assert not brave.requests and {"duckduckgo", "wikipedia"} == {
        client.client for client in state.clients
    }
    assert not any(client.problem for client in state.clients)


def test_the_keys_of_the_services_are_listed_with_where_to_get_them(engine: ResearchEngine) -> None:
    wanting = {client.name for client in SOURCES if client.key_required}
    served = {name for key in KEYS if key.where_to_get for name in key.used_by}
    assert wanting <= served
    keys = {status.name: status for status in [*engine.keys()]}
    for name in (KEY, "TAVILY_API_KEY", "SERPER_API_KEY"):
        assert keys[name].origin == "none" and keys[name].where_to_get.startswith("https://")


def test_feeds_and_searxng_are_on_once_they_have_an_address(home: Path) -> None:
    with ResearchEngine(home=home) as engine:
        off = {client.name for client in engine.sources() if not client.enabled}
        assert {"feeds", "searxng"} <= off
        engine.set_setting("newsroom.feeds", "https://news.example/rss")
        engine.set_setting("sources.searxng.base_url", "http://127.0.0.1:8888/")
        on = {client.name for client in engine.sources() if client.enabled}
        assert {"feeds", "searxng"} <= on
