"""Vectors of documents are made beside everything else, and their making ends with the program."""

import threading
from collections.abc import Callable

from engine.vectors import Vectors
from tests.engine.pretend import wait_for
from tools.errors import StorageError


class Corpus:
    """Makes one vector after the other until it is told to stop."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.made, self.runs, self.fault = 0, 0, fault
        self.go_on = threading.Event()

    def embed_pending(self, limit: int | None = None, check: Callable[[], None] | None = None) -> int:
        self.runs += 1
        if self.fault:
            raise self.fault
        while check and not self.go_on.wait(0.001):
            check()
            self.made += 1
        return self.made


def test_closing_stops_after_the_batch_under_way() -> None:
    corpus = Corpus()
    vectors = Vectors(corpus)  # type: ignore[arg-type]
    vectors.start()
    wait_for(lambda: corpus.made > 2)
    vectors.start()  # under way already
    vectors.close()
    assert corpus.runs == 1


def test_a_fault_ends_it_quietly_and_the_next_document_tries_again() -> None:
    corpus = Corpus(StorageError("The disk is full."))
    vectors = Vectors(corpus)  # type: ignore[arg-type]
    for runs in (1, 2):
        vectors.start()
        wait_for(lambda runs=runs: corpus.runs == runs)
        vectors.close()
