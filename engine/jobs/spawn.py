"""Workers as processes of their own: started detached, watched while somebody looks, ended when
nobody hears."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.jobs import owner as owners
from engine.jobs.store import JobStore
from tools.errors import StorageError

TERM_SECONDS = 2.0
KILL_SECONDS = 10.0
log = logging.getLogger("zorora.jobs")
LOOK_SECONDS = 0.5  # a page that polls ten times a second need not look at the processes as often
# Where our packages lie: a folder `ui` or `engine` in the user's own directory must not be taken
# for ours
PACKAGES = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, slots=True)
class Launch:
    """How a worker is started: arguments before its command, its environment (None = this process's
    own), variables set beyond that, and the file that takes what it prints.
    """

    arguments: Sequence[str]
    environment: Mapping[str, str] | None
    further: Mapping[str, str]
    log: Path


def start_worker(launch: Launch, *words: str) -> owners.Owner:
    """Start `zorora WORDS`, detached: it outlives this process, its terminal and its session.

    Raises StorageError when the process cannot be started.
    """
    # `env` adds variables without this process reading its own
    variables = [f"{name}={value}" for name, value in launch.further.items()]
    program = [sys.executable, "-m", "ui.terminal", *launch.arguments, *words]
    try:
        with os.fdopen(
            os.open(launch.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab"
        ) as log:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                ["/usr/bin/env", *variables, *program],
                cwd=PACKAGES,
                env=dict(launch.environment) if launch.environment is not None else None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
    except OSError as error:
        raise StorageError(f"The worker cannot be started: {error.strerror or error}.") from error
    # Somebody has to ask how it ended, or it stays in the process table as long as this process
    # lives
    threading.Thread(target=process.wait, name=" ".join(words), daemon=True).start()
    return owners.of(process.pid)


class Foreman:
    """Keeps the queue moving for as long as somebody looks at it: whoever starts, polls or cancels
    a job calls `look`.

    settle: told the ids of jobs that ended without a record.
    """

    def __init__(self, jobs: JobStore, launch: Launch, settle: Callable[[str], None]) -> None:
        self._jobs = jobs
        self._launch = launch
        self._settle = settle
        self._looked = -LOOK_SECONDS
        self._lock = threading.Lock()

    def look(self, *, at_once: bool = False) -> None:
        """Free jobs of dead processes, end workers that do not hear a cancel, start what has a free
        slot."""
        with self._lock:
            now = time.monotonic()
            if not at_once and now - self._looked < LOOK_SECONDS:
                return
            self._looked = now
        self._jobs.recover()
        self._end_the_deaf()
        for research_id in self._jobs.unsettled():
            self._settle(research_id)
        if self._jobs.may_start():
            self.start_next()

    def start_next(self) -> None:
        """Start a worker for each queued job that has a free slot and nobody to run it."""
        me = owners.current()
        for research_id in self._jobs.reserve(me):
            try:
                child: owners.Owner | None = start_worker(self._launch, "worker", research_id)
            except StorageError as fault:
                # Whoever only wanted to know a status is not to blame; after three times the job
                # says so itself
                log.error("%s: %s", research_id, fault)
                child = None
            self._jobs.hand_over(research_id, me, child)

    def _end_the_deaf(self) -> None:
        for research_id, owner, signalled in self._jobs.overdue(TERM_SECONDS):
            if not signalled:
                owners.stop(owner, signal.SIGTERM)
                self._jobs.mark_signalled(research_id)
        for _, owner, _ in self._jobs.overdue(KILL_SECONDS):
            owners.stop(owner, signal.SIGKILL)
