"""The journal of a running job: a thread that writes events in batches, beats, and hears the wish
to stop.

Phases call `emit` from any of their threads; nothing is written there. A fault of the database or a
lost claim is kept in `fault`, wakes the runner through `stop`, and ends the writing.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from sqlite3 import Error as SqliteError

from engine.clock import now
from engine.jobs.model import Checkpoint, Claim, RunProgress
from engine.jobs.progress import advanced
from engine.jobs.storage import Trail
from engine.jobs.store import JobStore
from tools.errors import StorageError, ZororaError
from workflows.research.events import Event

log = logging.getLogger("zorora.jobs")
BATCH_SECONDS = 0.1
ASK_SECONDS = 0.25  # how often the cancel flag is looked at: a cancel must be over within 2 s
Watcher = Callable[[Event], object]  # is told each event of a run


class Journal:
    """stop: set when the user cancelled, the claim was lost or the journal cannot be written.

    kinds: of the events that this life of the run emitted. beat: seconds between heartbeats.
    on_event: is told each event at once, in the emitting thread. bell: set together with stop.
    """

    def __init__(
        self,
        jobs: JobStore,
        claim: Claim,
        *,
        beat: float,
        on_event: Watcher | None,
        bell: threading.Event,
    ) -> None:
        self.claim = claim
        self._bell = bell
        self.kinds: set[str] = set()
        self.stop = threading.Event()
        self.fault: ZororaError | None = None
        self._jobs = jobs
        self._trail = Trail(jobs)
        self._beat = beat
        self._on_event = on_event
        self._began = time.monotonic()
        self._lock = threading.Lock()
        self._writing = threading.RLock()
        self._waiting: list[Event] = []
        self._progress: RunProgress = jobs.get(claim.research_id)
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def elapsed(self) -> float:
        """Seconds of work on this job, by earlier owners too."""
        return self.claim.elapsed + time.monotonic() - self._began

    def emit(self, event: Event) -> None:
        """Note an event; it is in the database within a tenth of a second."""
        event = replace(event, elapsed=round(self.elapsed(), 3), time=now())
        with self._lock:
            if self._closing.is_set():
                return
            self.kinds.add(event.kind)
            self._waiting.append(event)
            self._progress = advanced(self._progress, event)
        self._wake.set()
        self._tell(event)

    def _tell(self, event: Event) -> None:
        """Whoever watches; one that fails is told nothing more, and costs the run nothing."""
        watcher = self._on_event
        if watcher is None:
            return
        try:
            watcher(event)
        except Exception:
            self._on_event = None
            log.exception("what watches %s failed; it goes on unwatched", self.claim.research_id)

    def count(self, **counts: int) -> None:
        """Set counts to what is known for certain, at a checkpoint."""
        with self._lock:
            self._progress = replace(self._progress, counts={**self._progress.counts, **counts})

    def checkpoint(self, checkpoint: Checkpoint) -> None:
        """Write the events so far and the checkpoint, in one transaction."""
        with self.transaction():
            self._trail.checkpoint(self.claim, checkpoint, now())

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One transaction of the job's owner that begins with the events so far. Raises Fenced or
        StorageError; then nothing is written, and the events wait for the next one."""
        # The lock of this object comes before the one of the database, here as in every other place
        with self._writing:
            with self._lock:
                events, progress = list(self._waiting), self._progress
            with self._jobs.holding(self.claim):
                if events:
                    self._trail.append(self.claim, events, progress, self.elapsed())
                yield
            with self._lock:
                del self._waiting[: len(events)]

    def close(self) -> None:
        """End the thread. What waits is written by the next `transaction`, if there is one."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        beaten = time.monotonic()
        try:
            while not self._closing.is_set():
                # With nothing to write there is only the cancel flag to look at
                if self._wake.wait(ASK_SECONDS) and not self._closing.is_set():
                    self._closing.wait(BATCH_SECONDS)
                    self._wake.clear()
                    with self.transaction():
                        pass
                moment = time.monotonic()
                if moment - beaten >= self._beat:
                    self._jobs.beat(self.claim, self.elapsed())
                    beaten = moment
                if not self.stop.is_set() and self._jobs.cancel_wanted(self.claim):
                    self._end_run()
        except (ZororaError, SqliteError) as error:
            self.fault = error if isinstance(error, ZororaError) else StorageError(str(error))
            self._end_run()

    def _end_run(self) -> None:
        self.stop.set()
        self._bell.set()
