"""Vectors of documents are finished in the background: by one process at a time, after a kill too,
and no research makes them itself or waits long for them.
"""

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.library.document_vectors import Vectors, sentence
from engine.research_engine import ResearchEngine
from engine.runs.worker_context import Order
from engine.settings.config import load
from engine.wiring.toolbox import Toolbox
from tests.engine.pretend import wait_for
from tools.errors import ModelError
from workflows.research.events import Event
from workflows.research.model import RunConfig

pytest.importorskip("numpy", reason="the embeddings extra is not installed")
ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = 40


class Embedder:
    """Makes a vector of every text; a batch waits while `gate` is closed, and fails when it is
    broken."""

    model, dimensions = "pretend", 2

    def __init__(self) -> None:
        self.texts, self.broken = 0, False
        self.gate = threading.Event()
        self.gate.set()

    def embed(self, texts: Sequence[str], *, queries: bool = False) -> Any:
        import numpy as np

        if len(texts) > 1:
            self.gate.wait(20.0)
        if self.broken:
            raise ModelError("The model failed.")
        self.texts += len(texts)
        return np.tile(np.array([0.6, 0.8], dtype=np.float32), (len(texts), 1))


@pytest.fixture
def tools(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toolbox]:
    """A library whose vectors are missing; its model is `tools.embedder`, and nobody waits long for
    it."""
    monkeypatch.setattr("tools.search.semantic._PATIENCE", 0.1)
    folder = tmp_path / "teas"
    folder.mkdir()
    for number in range(DOCUMENTS):
        (folder / f"{number}.txt").write_text(
            f"Tea number {number} is a drink. It is made of leaves and hot water."
        )
    toolbox = Toolbox(load(home))
    toolbox.__dict__["embedder"] = Embedder()
    toolbox.ingest([folder], None)
    yield toolbox
    toolbox.close()


def _order(events: list[Event]) -> Order:
    return Order("r", RunConfig(), (), "2026-01-01", events.append, lambda: None)


def _notes(events: list[Event]) -> list[str]:
    return [
        event.message for event in events if event.kind == "note" and "meaning" in event.message
    ]


def test_a_search_does_not_wait_for_a_model_that_is_busy_with_documents(tools: Toolbox) -> None:
    model: Any = tools.embedder
    turn, embed = threading.Lock(), model.embed

    def one_after_the_other(
        texts: Sequence[str], *, queries: bool = False
    ) -> Any:  # as a session that all threads share
        with turn:
            return embed(texts)

    model.embed = one_after_the_other
    model.gate.clear()
    making = threading.Thread(target=tools.corpus.embed_pending)
    making.start()
    wait_for(turn.locked)
    finished = threading.Event()
    hits: list[Any] = []
    search = threading.Thread(
        target=lambda: (hits.extend(tools.corpus.search("tea")), finished.set())
    )
    search.start()
    in_time = finished.wait(5.0)
    model.gate.set()
    making.join()
    search.join()
    assert in_time and hits and hits[0].semantic is None
    assert tools.corpus.preparing() == (DOCUMENTS, DOCUMENTS)
    assert tools.corpus.search("tea")[0].semantic is not None


def test_a_research_over_unfinished_vectors_makes_none_itself_and_says_how_far_they_are(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.library.document_vectors.PATIENCE", 0.1)
    model: Any = tools.embedder
    assert tools.corpus.embed_pending(limit=16) == 16
    model.gate.clear()  # the background comes to nothing
    events: list[Event] = []
    began = time.monotonic()
    with tools.deps(_order(events)) as deps:
        assert (
            deps.search("local", "tea leaves", 5).sources
            and deps.search("local", "hot water", 5).sources
        )
    assert time.monotonic() - began < 4.0
    assert _notes(events) == ["Search by meaning is still being prepared (16 of 40)."]
    assert tools.corpus.preparing() == (16, DOCUMENTS)
    model.gate.set()


def test_none_are_made_beside_a_research_that_did_without_and_all_after_it(
    tools: Toolbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.library.document_vectors.PATIENCE", 0.1)
    model: Any = tools.embedder
    model.gate.clear()
    with tools.deps(_order([])) as deps:
        deps.search("local", "tea leaves", 5)
        model.gate.set()
        wait_for(lambda: tools.corpus.preparing()[0] == 16)  # the batch under way
        time.sleep(0.3)
        assert tools.corpus.preparing() == (16, DOCUMENTS)
    wait_for(lambda: tools.corpus.preparing() == (DOCUMENTS, DOCUMENTS))


def test_vectors_that_are_ready_in_time_are_used_and_nothing_is_said(tools: Toolbox) -> None:
    events: list[Event] = []
    with tools.deps(_order(events)) as deps:
        deps.search("local", "tea leaves", 5)
    assert tools.corpus.preparing() == (DOCUMENTS, DOCUMENTS) and _notes(events) == []


def test_a_model_that_fails_is_not_waited_for(tools: Toolbox) -> None:
    model: Any = tools.embedder
    model.broken = True
    events: list[Event] = []
    began = time.monotonic()
    with tools.deps(_order(events)) as deps:
        assert deps.search("local", "tea leaves", 5).sources
    assert (
        time.monotonic() - began < 4.0
        and _notes(events) == []
        and tools.corpus.preparing() == (0, 0)
    )


def test_waiting_for_vectors_can_be_cancelled(tools: Toolbox) -> None:
    model: Any = tools.embedder
    model.gate.clear()

    def stop() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        tools.vectors.awaited(stop)
    model.gate.set()


KILLED = """
import os, signal, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from engine.settings.config import load
from engine.wiring.toolbox import Toolbox
from tests.engine.test_vectors_awaited import Embedder
class Dies(Embedder):
    def embed(self, texts, *, queries=False):
        if self.texts:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().embed(texts)
tools = Toolbox(load(Path({home!r})))
tools.__dict__["embedder"] = Dies()
tools.vectors.start(at_once=True)
tools.vectors._thread.join(30)
"""


@pytest.mark.lab
def test_what_a_killed_process_left_is_made_by_the_next(tools: Toolbox, home: Path) -> None:
    code = KILLED.format(root=str(ROOT), home=str(home))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert tools.corpus.preparing() == (16, DOCUMENTS)
    tools.vectors.start(at_once=True)
    wait_for(lambda: tools.corpus.preparing() == (DOCUMENTS, DOCUMENTS))
    model: Any = tools.embedder
    assert model.texts == DOCUMENTS - 16


@pytest.mark.lab
def test_one_process_at_a_time_makes_them(tools: Toolbox, tmp_path: Path) -> None:
    model: Any = tools.embedder
    model.gate.clear()
    lock = tmp_path / "vectors.lock"
    first, second = Vectors(tools.corpus, lock, 0.0), Vectors(tools.corpus, lock, 0.0)
    first.start()
    wait_for(lambda: lock.exists())
    second.start()
    model.gate.set()
    wait_for(lambda: tools.corpus.preparing() == (DOCUMENTS, DOCUMENTS))
    first.close()
    second.close()
    assert model.texts == DOCUMENTS
    os.close(os.open(lock, os.O_RDWR))  # it stays, for nobody


def test_an_engine_that_only_reads_files_loads_no_model_and_a_server_goes_on(
    home: Path, tmp_path: Path
) -> None:
    (tmp_path / "tea.txt").write_text("Tea is a drink. It is made of leaves and of hot water.")
    for begin in (False, True):
        with ResearchEngine(home=home) as engine:
            model = Embedder()
            engine._opened.tools.__dict__["embedder"] = model
            engine.ingest([str(tmp_path / "tea.txt")])
            assert engine.preparing(begin=begin) == (0, 1)
            if begin:
                engine._opened.tools.vectors.start(at_once=True)
                wait_for(lambda engine=engine: engine.preparing() == (1, 1))
        assert model.texts == int(begin)


def test_a_program_that_ends_leaves_the_rest_to_one_process_of_its_own(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        "engine.jobs.spawn.start_worker", lambda launch, *words: started.append(words)
    )
    (tmp_path / "tea.txt").write_text("Tea is a drink. It is made of leaves and of hot water.")
    with ResearchEngine(home=home) as engine:
        engine._opened.tools.__dict__["embedder"] = Embedder()
        engine.prepare_after_exit()
        assert not started  # there is nothing to make
        engine.ingest([str(tmp_path / "tea.txt")])
        with (home / "vectors.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            engine.prepare_after_exit()
        assert not started  # another process is at it
        engine.prepare_after_exit()
        assert started == [("ingest", "--wait")]


def test_the_sentence_counts() -> None:
    assert (
        sentence(80, 2400) == "Search by meaning is still being prepared (80 of 2,400)"
        and sentence(5, 5) == ""
    )
