"""Whole researches against a stand-in network: a run, a run without connections, and a run stopped
half-way."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.standin import Standin, serve
from benchmarks.standin_services import mount, world_at
from benchmarks.standin_texts import QUESTION
from engine.answers import RunOptions
from engine.research_engine import ResearchEngine
from engine.runs.worker_context import Order
from engine.wiring.toolbox import Toolbox
from tests.engine.pretend import wait_for
from tools.http import Http
from ui.terminal.main import main
from ui.terminal.screen import Screen
from workflows.research.events import Event
from workflows.research.state import ResearchState


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


@pytest.fixture
def engine(home: Path, server: Standin) -> Iterator[ResearchEngine]:
    """An engine whose clients all ask the stand-in; its pages are slow enough to be interrupted."""
    world = mount(server, {"page": 0.25})
    with ResearchEngine(
        home=home, overrides={**world.settings, "embeddings.enabled": False}
    ) as engine:
        yield engine


def test_a_run_without_connections_asks_nobody(engine: ResearchEngine, server: Standin) -> None:
    for options in (RunOptions(depth=1, offline=True), RunOptions(depth=1, sources=("local",))):
        state = engine.run(f"{QUESTION} See https://example.com/page", options)
        assert state.status in ("complete", "failed")
        assert state.usage.http_requests == 0
    assert server.requests == []


@pytest.mark.lab
def test_an_offline_run_answers_from_what_was_kept(engine: ResearchEngine, server: Standin) -> None:
    first = engine.run(QUESTION, RunOptions(depth=1, clarify=False))
    request_count = len(server.requests)
    engine.upkeep.tidy()
    again = engine.run(QUESTION, RunOptions(depth=1, clarify=False, offline=True))
    assert len(server.requests) == request_count and again.usage.http_requests == 0
    assert again.status == "complete" and again.sources and again.synthesis == first.synthesis
    assert [source.source_id for source in again.sources] == [
        source.source_id for source in first.sources
    ]
    assert {snapshot.snapshot_id for snapshot in again.snapshots} == {
        snapshot.snapshot_id for snapshot in first.snapshots
    }


@pytest.mark.lab
def test_an_offline_run_weeks_later_has_the_same_answer(
    engine: ResearchEngine, server: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newsroom is asked for the last days, so its requests are others each day; pages are fresh
    for a day only."""
    options = RunOptions(depth=1, clarify=False, sources=("newsroom", "web"))
    first = engine.run(QUESTION, options)
    later = time.time() + 20 * 86400
    monkeypatch.setitem(Http.__init__.__kwdefaults__, "wall", lambda: later)
    engine._opened.tools.net.cache.purge(later)
    again = engine.run(QUESTION, replace(options, offline=True))
    assert again.status == "complete" and again.synthesis == first.synthesis
    assert any("newsroom" in source.providers for source in first.sources)
    assert [source.source_id for source in again.sources] == [
        source.source_id for source in first.sources
    ]
    assert {snapshot.snapshot_id for snapshot in again.snapshots} == {
        snapshot.snapshot_id for snapshot in first.snapshots
    }


@pytest.mark.lab
def test_when_everything_is_down_the_run_fails_and_says_what_to_do(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = {**world_at("http://127.0.0.1:9").settings, "embeddings.enabled": False}
    for flags, advice in (((), "zorora sources --check"), (("--offline",), "without --offline")):
        with ResearchEngine(home=home, overrides=nowhere) as engine:
            words = ["research", QUESTION, "--depth", "1", *flags]
            assert main(words, screen=Screen(), open_engine=lambda _: engine) == 1
            (newest, *_) = engine.search_history()
            state = engine.load_research(newest.research_id)
        output = " ".join(capsys.readouterr().out.split())
        assert state is not None and state.status == "failed" and state.report is not None
        assert advice in output and advice in state.report.notes[0]


@pytest.mark.lab
def test_a_research_stopped_while_it_reads_keeps_what_it_read(
    engine: ResearchEngine, server: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("GRACE_SECONDS", "REPORT_SECONDS"):
        # a busy machine gets to no report in the usual time
        monkeypatch.setattr(f"engine.runs.worker.{limit}", 60.0)
    orders: list[Order] = []
    build_deps = Toolbox.deps
    monkeypatch.setattr(
        Toolbox, "deps", lambda self, order: orders.append(order) or build_deps(self, order)
    )
    read = threading.Event()
    results: list[ResearchState] = []

    def seen(event: Event) -> None:
        if event.kind == "page_fetched" and event.data.get("ok"):
            read.set()

    options = RunOptions(depth=1, clarify=False)
    thread = threading.Thread(
        target=lambda: results.append(engine.run(QUESTION, options, on_event=seen))
    )
    thread.start()
    assert read.wait(30)
    (job,) = engine.jobs()
    engine.cancel(job.research_id)
    wait_for(lambda: engine.status(job.research_id).status != "running")
    request_count = len(server.requests)
    thread.join(60)
    (state,) = results
    assert (state.status, state.ended_by) == ("partial", "user")
    assert state.report is not None and state.answer is not None
    assert 0 < len(state.snapshots) < 40
    answered = {report.client for report in state.clients if report.found}
    assert answered and not any(
        report.problem for report in state.clients if report.client in answered
    )
    assert (
        len(server.requests) <= request_count + 6
    )  # pages that were on their way; nothing is asked for the report
    assert [(order.closed, order.quick) for order in orders] == [
        (False, False),
        (True, True),
        (False, True),
    ]
    # Resuming does the whole step, and reads no page twice
    ended = engine.resume_here(job.research_id)
    assert ended.status == "complete"
    paths = [request.path for request in server.requests if request.path.startswith("/page")]
    assert len(paths) == len(set(paths))
