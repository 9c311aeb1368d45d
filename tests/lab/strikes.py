"""A home with a finished research on which programs are killed at moments of their work, drawn by
chance."""

import random
import shutil
import subprocess
import time
import urllib.error
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from engine.research_engine import ResearchEngine
from tests.lab.faults import Faults
from tests.lab.places import Browser, Place, kill

PATIENCE = 1.0  # seconds for a program that may have nothing more to write
WATCHED = (
    "",
    "zorora.db-wal",
    "corpus.db-wal",
    "research/findings",
    "backups",
    "documents/uploads",
    "../out",
)


class Home(Place):
    """A place with a finished research, and a random number generator that says when to kill."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder)
        self.rng = random.Random(seed)
        self.number = 0  # of the moment
        self.rows = 0  # of the list in use
        (folder / "out").mkdir()

    def strike(self, process: subprocess.Popen[bytes]) -> bool:
        """Kill at a moment of one of the three kinds; whether the program was still at work."""
        when = self.rng.random()
        if when < 0.2:
            time.sleep(self.rng.uniform(0.0, 0.5))
        else:
            first, ends = self._trace(), time.monotonic() + PATIENCE
            while self._trace() == first and process.poll() is None and time.monotonic() < ends:
                time.sleep(0.0005)
            time.sleep(self.rng.uniform(0.0, 0.03 if when < 0.7 else 0.4))
        alive = process.poll() is None
        kill(process)
        return alive

    def engine(self) -> ResearchEngine:
        return ResearchEngine(home=self.home, environ={})

    def research_id(self) -> str:
        return next(iter(self.saved))

    def _trace(self) -> list[tuple[int, int]]:
        changes = []
        for name in WATCHED:
            with suppress(FileNotFoundError):
                status = (self.home / name).stat()
                changes.append((status.st_mtime_ns, status.st_size))
        return changes


def filled(researched: Path, folder: Path, seed: int = 1, kind: type[Home] = Home) -> Home:
    """A place with a copy of the home on which one undisturbed research has run."""
    home = kind(folder, seed)
    shutil.copytree(researched / "home", home.home)
    home.check_ended(str(home.job()))
    return home


@contextmanager
def served(home: Home) -> Iterator[Browser]:
    """A web server that is up; killed in any case."""
    browser = Browser(home)
    try:
        browser.wait()
        yield browser
    except urllib.error.HTTPError as refused:
        raise AssertionError(f"{refused.url}: {refused.read()[:2000]!r}") from refused
    finally:
        kill(browser.process)


Kept = TypeVar("Kept", bound=Home)


def strike(
    home: Kept, moments: Sequence[Callable[[Kept], bool]], times: int, faults: Faults
) -> None:
    """Kill so often, at each kind of moment in turn, and look every time whether all that was saved
    is there and whole.

    A moment says whether the program was still alive when it was killed.
    """
    for home.number in range(times):
        moment = moments[home.number % len(moments)]
        alive = moment(home)
        home.check_databases()
        home.check_saved()
        faults.count(
            f"kill -9, {moment.__name__.replace('_', ' ')}{'' if alive else ' (it had ended)'}"
        )
    home.check_errors()
