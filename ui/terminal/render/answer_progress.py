"""An answer on its way, on a terminal: what is being done and what has passed so far, gone when the
answer stands."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ui.terminal.render.live import living
from ui.terminal.render.plain import plain, wrapped
from ui.terminal.screen import Screen


class Waiting:
    """step: what is being done, in words. sentence: one that passed, with its tags."""

    def __init__(self, screen: Screen) -> None:
        self._console = screen.console(progress=True)
        self._began = time.monotonic()
        self._step, self._text = "Reading the sources of this report.", ""

    def step(self, message: str) -> None:
        """Say what is being done."""
        self._step = plain(message)

    def sentence(self, text: str) -> None:
        """Show a sentence that passed."""
        self._text += plain(text)

    def rows(self) -> list[str]:
        """What to draw now: at most one row less than the terminal has."""
        lines = wrapped(self._text.strip(), self._console.width).split("\n") if self._text else []
        head = f"{self._step}  {time.monotonic() - self._began:.0f} s"[: self._console.width]
        return [head, *lines[-max(1, self._console.height - 2) :]]


@contextmanager
def waiting(screen: Screen) -> Iterator[Waiting]:
    """Shows an answer while it comes, where somebody looks at a terminal."""
    progress = Waiting(screen)
    if not screen.live:
        yield progress
        return
    with living(screen.err, screen.source, progress.rows):
        yield progress
