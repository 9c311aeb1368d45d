"""Vectors of documents are made beside everything else, their making ends with the program, and
nobody waits for them to be told what a stopped run has found.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.library.document_vectors import Vectors
from engine.research_engine import ResearchEngine
from engine.runs.worker_context import Order
from engine.wiring.toolbox import Toolbox
from tests.engine.pretend import wait_for
from tools.errors import StorageError
from workflows.research.model import RunConfig


class Corpus:
    """Makes one vector after the other until it is told to stop."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.count, self.runs, self.fault = 0, 0, fault
        self.go_on = threading.Event()

    def embed_pending(
        self, limit: int | None = None, check: Callable[[], None] | None = None
    ) -> int:
        self.runs += 1
        if self.fault:
            raise self.fault
        while check and not self.go_on.wait(0.001):
            check()
            self.count += 1
        return self.count


def test_closing_stops_after_the_batch_under_way() -> None:
    corpus = Corpus()
    vectors = Vectors(corpus, moment=0.0)  # type: ignore[arg-type]
    vectors.start()
    wait_for(lambda: corpus.count > 2)
    vectors.start()  # under way already
    vectors.close()
    assert corpus.runs == 1


def test_a_fault_ends_it_quietly_and_the_next_document_tries_again() -> None:
    corpus = Corpus(StorageError("The disk is full."))
    vectors = Vectors(corpus, moment=0.0)  # type: ignore[arg-type]
    for runs in (1, 2):
        vectors.start()
        wait_for(lambda runs=runs: corpus.runs == runs)
        vectors.close()


class Hearing:
    """An embedder that knows how many texts it was asked for."""

    model, dimensions = "hearing", 2

    def __init__(self) -> None:
        self.texts = 0

    def embed(self, texts: Sequence[str], *, queries: bool = False) -> Any:
        import numpy as np

        self.texts += len(texts)
        return np.tile(np.array([0.6, 0.8], dtype=np.float32), (len(texts), 1))


def test_who_waits_for_the_report_of_a_stopped_run_waits_for_no_vectors(
    home: Path, tmp_path: Path
) -> None:
    (tmp_path / "tea.txt").write_text("Tea is a drink. It is made of leaves and of hot water.")
    with ResearchEngine(home=home) as engine:
        engine.ingest([str(tmp_path / "tea.txt")])
        tools = Toolbox(engine._opened.config)
        tools.__dict__["embedder"] = model = Hearing()
        texts = tools.library.quotable()
        for quick in (True, False):
            if not quick:
                tools.corpus.embed_pending()
            order = Order(
                "r", RunConfig(), (), "2026-01-01", lambda _: None, lambda: None, quick=quick
            )
            with tools.deps(order) as deps:
                (passage,) = deps.retrieve("tea", texts, 3)
                assert (passage.semantic is None) is quick
            assert (model.texts == 0) is quick
        tools.close()
