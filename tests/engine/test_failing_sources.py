"""Whole researches over real sockets, all sources on: some fail, nothing is asked twice, citations
lead two hops."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Reply, Standin, serve
from benchmarks.standin_services import mount
from benchmarks.standin_texts import QUESTION
from engine.answers import RunOptions
from engine.extensions import Extensions
from engine.research_engine import ResearchEngine
from engine.runs.worker_context import Pipeline
from engine.settings.settings_table import KEYS
from tests.web_app import web_app
from tools.sources.registry import SOURCES
from ui.terminal.main import main
from ui.terminal.screen import Screen

pytestmark = pytest.mark.lab  # many real sockets, most of the time spent waiting

KINDS = ("academic", "web", "newsroom")
FAILING = {
    "openalex": "unavailable (status 500)",
    "arxiv": "did not answer",
    "wikipedia": "something other than JSON",
}


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


def every_source(server: Standin) -> dict[str, Any]:
    """Settings with which every client that has a stand-in is on."""
    settings = dict(mount(server, characters=2000).settings)
    for client in SOURCES:
        if f"sources.{client.name}.base_url" in settings:
            settings[f"sources.{client.name}.enabled"] = True
    return {
        **settings,
        "newsroom.feeds": [f"{server.url}/feeds/news.xml"],
        "embeddings.enabled": False,
    }


def opened(
    home: Path, settings: Mapping[str, Any], pipeline: Pipeline | None = None
) -> ResearchEngine:
    overrides = {**settings, "storage.keyring": False}
    engine = ResearchEngine(
        home=home, environ={}, overrides=overrides, extensions=Extensions(pipeline=pipeline)
    )
    for key in KEYS:
        if set(key.used_by) & {client.name for client in SOURCES}:
            engine.set_key(key.name, "a-made-up-key")
    return engine


def fail(server: Standin) -> None:
    """Three services, each in its own way."""
    for path in ("/openalex/works", "/openalex/works/"):
        server.on(path, Reply(b"<h1>Oops</h1>", 500))
    server.on("/arxiv/query", Reply(b"", delay=300.0))
    server.on("/wikipedia/w/api.php", Reply(b"<html>Maintenance</html>"))


def test_three_that_fail_are_named_everywhere_and_cost_nothing_else(
    home: Path, server: Standin, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # Only the one that never answers may run out of time, on a busy machine as well
    patient = {f"sources.{client.name}.deadline": 60 for client in SOURCES}
    settings = {**every_source(server), **patient, "sources.arxiv.deadline": 2}
    options = RunOptions(depth=1, clarify=False, sources=KINDS, max_sources=500)
    off = {f"sources.{name}.enabled": False for name in FAILING}
    with opened(tmp_path / "without", {**settings, **off}) as engine:
        without = engine.run(QUESTION, options)
    fail(server)
    began = time.monotonic()
    with opened(home, settings) as engine:
        state = engine.run(QUESTION, options)
        assert time.monotonic() - began < 120
        assert state.status in ("complete", "partial") and state.report is not None
        labels = {client.name: client.label for client in SOURCES}
        reports = {report.client: report for report in state.clients}
        problems = {name: report.problem for name, report in reports.items() if report.problem}
        assert problems.keys() == FAILING.keys(), problems  # whoever else fails says why
        assert [
            name for name, report in reports.items() if not report.found and name not in FAILING
        ] == []
        lost = {source.source_id: source.title for source in without.sources}
        for source in state.sources:
            lost.pop(source.source_id, None)
        assert lost == {}
        web = web_app(engine).test_client()
        page = web.get(f"/research/{state.research_id}").get_data(as_text=True)
        log = web.get(f"/research/{state.research_id}/log").get_data(as_text=True)
        assert (
            main(["show", state.research_id], screen=Screen(), open_engine=lambda home: engine) == 0
        )
        shown = " ".join(capfd.readouterr().out.split())
        for name, message in FAILING.items():
            assert message in problems[name]
            assert any(end.client == name and message in end.message for end in state.dead_ends)
            assert any(labels[name] in note for note in state.report.notes)
            for text in (page, log, shown):
                assert labels[name] in text
        events = [
            event for event in engine.events(state.research_id) if event.kind == "source_answered"
        ]
        assert set(FAILING) <= {
            str(event.data["client"]) for event in events if event.data["problem"]
        }


def test_the_same_question_within_the_day_asks_nothing_again(home: Path, server: Standin) -> None:
    options = RunOptions(depth=2, clarify=False, sources=KINDS)
    with opened(home, every_source(server)) as engine:
        first = engine.run(QUESTION, options)
        request_count = len(server.requests)
        assert request_count > 30
        second = engine.run(QUESTION, options)
        assert [request.target for request in server.requests[request_count:]] == []
        assert second.usage.http_requests == 0
        assert [source.source_id for source in second.sources] == [
            source.source_id for source in first.sources
        ]


def test_citations_are_followed_over_two_hops(home: Path, server: Standin) -> None:
    # Few works of this world are beyond the reach of its searches
    wide = {"sources.openalex.budget": [3, 20, 20]}
    with opened(home, {**every_source(server), **wide}) as engine:
        state = engine.run(QUESTION, RunOptions(depth=3, clarify=False, sources=("academic",)))
        hops = {source.source_id: source.hop for source in state.sources}
        assert {0, 1, 2} <= set(hops.values())
        edges = [
            (hops.get(citing), hops.get(cited))
            for citing, works in state.citation_graph.items()
            for cited in works
        ]
        assert (0, 1) in edges or (1, 0) in edges
        assert (1, 2) in edges or (2, 1) in edges
        assert any(cited is None for _, cited in edges)  # works that were not read keep their edges
        assert engine.export(state.research_id, "graphml").data.count(b"<edge") >= 3
        page = web_app(engine).test_client().get(f"/research/{state.research_id}/graph")
        assert page.status_code == 200
