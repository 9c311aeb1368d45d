"""Vectors for documents that were just read, made in the background for as long as this process lives.

What it does not reach a search makes for its best candidates, or the next process goes on.
"""

import logging
import threading
from sqlite3 import Error as SqliteError

from tools.corpus.search import Corpus
from tools.errors import Cancelled, ZororaError

LAST_WORDS = 15.0  # seconds a batch under way may take when the program ends; the model aborts a program it outlives
log = logging.getLogger("zorora.engine")


class Vectors:
    """One thread at a time."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, unless it is under way already."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="vectors", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop after the batch under way; what was made stays."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(LAST_WORDS)

    def _run(self) -> None:
        try:
            self._corpus.embed_pending(check=self._check)
        except Cancelled:
            return
        except (ZororaError, SqliteError) as fault:
            log.warning("Vectors of documents were not finished: %s", fault)

    def _check(self) -> None:
        if self._stop.is_set():
            raise Cancelled("The program ends.")
