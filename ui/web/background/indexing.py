"""Documents being read in the background, so that a page answers while a folder or an upload is indexed."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.models import Cancelled, IngestedFile, ZororaError

Report = Callable[[str, int, int, str | None], None]  # name, done, total, problem
Work = Callable[[Report], tuple[IngestedFile, ...] | None]


@dataclass(frozen=True, slots=True)
class Indexed:
    """How far it is. stopping: it ends after the file at hand.

    failed: (name, reason) of the last files that could not be read. files: at the end, what became of each.
    """

    running: bool = False
    name: str = ""
    done: int = 0
    total: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    problem: str | None = None
    stopping: bool = False
    files: tuple[IngestedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """How many passages of documents search by meaning knows already, of how many."""

    ready: int
    total: int


class Indexing:
    """One piece of work at a time for one application."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state = Indexed()
        self._thread: threading.Thread | None = None

    @property
    def state(self) -> Indexed:
        return self._state

    def start(self, work: Work, wait: float = 1.5) -> bool:
        """Begin; False when something is being indexed already. Short work is done when this returns."""
        with self._lock:
            if self._state.running:
                return False
            self._state = Indexed(running=True)
        self._thread = threading.Thread(target=self._run, args=(work,), name="indexing", daemon=True)
        self._thread.start()
        self._thread.join(wait)
        return True

    def stop(self) -> None:
        """End what runs after the file it reads just now; what was read is kept."""
        with self._lock:
            self._state = replace(self._state, stopping=self._state.running)

    def _run(self, work: Work) -> None:
        files: tuple[IngestedFile, ...] = ()
        problem: str | None = "Reading stopped unexpectedly; the files read so far are kept."
        try:
            files = work(self._report) or ()
            problem = None
        except Cancelled:
            problem = f"Stopped after {self._state.done:,} of {self._state.total:,}. The files read so far are kept."
        except ZororaError as wrong:
            problem = str(wrong)
        finally:
            with self._lock:
                self._state = replace(self._state, running=False, stopping=False, problem=problem, files=files)

    def _report(self, name: str, done: int, total: int, problem: str | None) -> None:
        with self._lock:
            failed = (*self._state.failed, (name, problem)) if problem else self._state.failed
            self._state = replace(self._state, name=name, done=done, total=total, failed=failed[-50:])
            if self._state.stopping and done < total:
                raise Cancelled("Stopped.")

    def join(self) -> None:
        """Wait for the end (tests, shutdown)."""
        if self._thread:
            self._thread.join()
