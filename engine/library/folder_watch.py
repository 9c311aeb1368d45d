"""Folders that are looked at every few seconds, on demand: what is new or changed there is read
into the library.

By looking and not by notices of the operating system: it works alike on every disk, and the folders
of one person are small. A change is read when two looks in a row saw the same, so that a file that
is still being copied is left alone.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tools.errors import ZororaError
from tools.library.folder_walk import walk

SECONDS = 5.0
MOST = 50_000  # files; more are a wrong folder

Seen = dict[Path, str]


@dataclass(frozen=True, slots=True)
class WatchState:
    """reads: how often a change was read. looked_at: ISO time of the last look. problem: a
    sentence."""

    on: bool = False
    looked_at: str = ""
    reads: int = 0
    problem: str | None = None


class Watch:
    """Looks at folders from a thread until it is stopped.

    folders: which, asked anew at each look. read_folders: takes those that changed. clock: the
    present as ISO time.
    """

    def __init__(
        self,
        folders: Callable[[], Sequence[Path]],
        read_folders: Callable[[Sequence[Path]], object],
        clock: Callable[[], str],
        ignore: Sequence[str] = (),
    ) -> None:
        self._folders, self._read_folders, self._clock = folders, read_folders, clock
        self._ignore = tuple(ignore)
        self._settled: dict[Path, Seen] = {}
        self._last: dict[Path, Seen] = {}
        self._ends = threading.Event()
        self._thread: threading.Thread | None = None
        self.state = WatchState()

    def start(self) -> None:
        """Begin, once; what is there now is read as well."""
        self.state = WatchState(on=True)
        self._thread = threading.Thread(target=self._run, name="watching", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; a read that is under way is brought to its end by its own thread."""
        self._ends.set()
        self.state = replace(self.state, on=False)
        thread = self._thread
        if thread and thread is not threading.current_thread():
            thread.join(1.0)

    def look(self) -> bool:
        """One look; whether something was read. Raises what reading raises."""
        now = {folder: folder_contents(folder, self._ignore) for folder in self._folders()}
        settled = [
            folder
            for folder, state in now.items()
            if state != self._settled.get(folder) and state == self._last.get(folder)
        ]
        self._last = now
        self.state = replace(self.state, looked_at=self._clock())
        if settled:
            self._read_folders(settled)
            self._settled |= {folder: now[folder] for folder in settled}
            self.state = replace(self.state, reads=self.state.reads + 1)
        return bool(settled)

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                self.look()
                self.state = replace(self.state, problem=None)
            except (ZororaError, OSError) as problem:
                self.state = replace(self.state, problem=str(problem))
            self._ends.wait(SECONDS)


def folder_contents(folder: Path, ignore: Sequence[str] = ()) -> Seen:
    """The state of every file below a folder that would be read; a folder that is gone has none."""
    return {file.path: file.state for file in walk([folder], ignore, most=MOST).files}
