"""Vectors for documents that were read, made in the background for as long as this process lives.

One process of a home makes them at a time; what it leaves when it ends or is killed the next one
goes on with. The command `ingest` leaves them to a process of its own
(`Documents.prepare_after_exit`). A research waits a few seconds for them; from then on it makes
none, and its process makes none beside it: both would take several times as long.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from sqlite3 import Error as SqliteError

from engine.files import locked
from tools.errors import Cancelled, Conflict, ZororaError
from tools.search.search import Corpus

# Seconds a batch under way may take when the program ends; the model aborts a program it outlives
LAST_WORDS = 15.0
MOMENT = 2.0  # seconds before the model is loaded: a command that only reads files ends before
PATIENCE = 5.0  # seconds that a research waits for vectors
BEHIND = 10  # how nice the thread is to researches, which other processes may do
_TICK = 0.1
_RETRY = 1.0  # seconds between looks whether another process still makes them
log = logging.getLogger("zorora.engine")


class Vectors:
    """One thread at a time. lock: the file a process holds while it makes vectors; None without
    other processes."""

    def __init__(self, corpus: Corpus, lock: Path | None = None, moment: float = MOMENT) -> None:
        self._corpus, self._place, self._moment = corpus, lock, moment
        self._stop, self._hurry = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._researches = 0  # that have begun without waiting for the last vector
        self._thread: threading.Thread | None = None

    def start(self, at_once: bool = False) -> None:
        """Begin in a moment, unless it is under way already."""
        if at_once:
            self._hurry.set()
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="vectors", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop after the batch under way; what was made stays."""
        self._stop.set()
        self._hurry.set()
        if self._thread is not None:
            self._thread.join(LAST_WORDS)

    def is_left(self) -> bool:
        """After `close`: whether vectors are missing and no other process makes them."""
        ready, total = self._corpus.preparing()
        if ready >= total:
            return False
        try:
            with self._alone():
                return True
        except Conflict:
            return False

    def pause(self) -> None:
        """Make none after the batch under way, until `go_on` was called as often."""
        with self._lock:
            self._researches += 1

    def go_on(self) -> None:
        with self._lock:
            self._researches -= 1

    def awaited(self, check: Callable[[], None]) -> tuple[int, int]:
        """(ready, all) vectors of documents, once they are finished or PATIENCE is over.

        check: called meanwhile; may raise to end the waiting.
        """
        ready, total = self._corpus.preparing()
        if ready < total:
            self.start(at_once=True)
        until = time.monotonic() + PATIENCE
        while ready < total and time.monotonic() < until:
            check()
            time.sleep(_TICK)
            ready, total = self._corpus.preparing()
        return ready, total

    def _run(self) -> None:
        self._hurry.wait(self._moment)
        if (
            sys.platform == "linux"
        ):  # there threads have a priority of their own, as do those that the model starts
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BEHIND)
        try:
            while not self._make():
                if self._stop.wait(_RETRY):
                    return
        except Cancelled:
            return
        except (ZororaError, SqliteError, OSError) as fault:
            log.warning("Vectors of documents were not finished: %s", fault)
        finally:
            self._hurry.clear()

    def _make(self) -> bool:
        """Make what is missing; False while another process does."""
        try:
            with self._alone():
                self._corpus.embed_pending(check=self._check)
            return True
        except Conflict:
            return False

    def _alone(self) -> AbstractContextManager[None]:
        """Conflict while another process makes vectors."""
        return (
            locked(self._place, "Vectors are being made already.") if self._place else nullcontext()
        )

    def _check(self) -> None:
        while self._researches and not self._stop.wait(_TICK):
            pass
        if self._stop.is_set():
            raise Cancelled("The program is closing.")


def sentence(ready: int, total: int) -> str:
    """What is said while vectors are missing; "" when none is."""
    if ready < total:
        return f"Search by meaning is still being prepared ({ready:,} of {total:,})"
    return ""
