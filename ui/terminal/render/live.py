"""A picture that is drawn over itself on a terminal and leaves nothing behind: no rows, no hidden
cursor, no mute keys.

Between two drawings the cursor waits at the picture's first row. A terminal that becomes lower
gives up the rows below its cursor first, and one that becomes narrower breaks them: both happen to
rows that are drawn over a moment later. A program hears of the new size late (tmux: a quarter of a
second), so no drawing breaks rows or scrolls by itself.
"""

import os
import signal
import termios
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, TextIO

FRAMES = 6  # a second
HIDE, SHOW, ERASE = "\x1b[?25l", "\x1b[?25h", "\r\x1b[J"
# No row is broken, and the cursor returns to where it was
HOLD, BACK = "\x1b[?7l\x1b7", "\x1b8\x1b[?7h"
DOWN = "\x1b[B\r"


class Live:
    """Draws what `rows` returns, several times a second, on `stream`. source: where typed keys come
    from.

    While it draws, the terminal keeps what is typed and does not show it; Ctrl+C and Ctrl+Z still
    work. Where the terminal belongs to another program (a job in the background), nothing is drawn
    and nothing is changed.
    """

    def __init__(self, stream: TextIO, source: TextIO, rows: Callable[[], Sequence[str]]) -> None:
        self._stream, self._source, self._rows = stream, source, rows
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._settings: list[Any] | None = None  # of the terminal, before it was made mute
        self._stands = False
        # How many rows, and in what terminal
        self._drawn: tuple[int, tuple[int, int] | None] | None = None

    def run(self) -> None:
        """Draw until `stop`; the body of a thread."""
        while not self._over.is_set():
            self.draw()
            self._over.wait(1 / FRAMES)

    def draw(self) -> None:
        """The picture as it is now, over the one before."""
        rows = self._rows()
        with self._lock:
            if self._over.is_set() or not ours(self._stream):
                return
            begin = "" if self._stands else self._mute()
            # A row is emptied before it is written: at the end of a full one the cursor stands on
            # its last character
            body = "".join(f"\x1b[K{row}{DOWN}" for row in rows[:-1]) + "".join(
                f"\x1b[J{row}" for row in rows[-1:]
            )
            self._write(f"{begin}\r{self._room(len(rows))}{HOLD}{body}{BACK}")

    def _room(self, rows: int) -> str:
        """Scrolls the terminal where the picture has become higher than what is left of it, and no
        further."""
        size = _size(self._stream)
        rows = min(rows, size[1] if size else rows)
        before = self._drawn[0] if self._drawn and self._drawn[1] == size else 1
        self._drawn = (max(rows, before), size)
        if rows <= before:
            return ""
        down = f"\x1b[{before - 1}B" if before > 1 else ""
        return down + "\n" * (rows - before) + f"\x1b[{rows - 1}A"

    def stop(self) -> None:
        """Take the picture away for good."""
        self._over.set()
        self.leave()

    def leave(self) -> None:
        """Take the picture away, and give the terminal back as it was."""
        with self._lock:
            if self._stands and ours(self._stream):
                self._write(f"{ERASE}{SHOW}")
                _set_terminal(self._source, self._settings)
            self._stands, self._drawn = False, None

    def _mute(self) -> str:
        self._stands = True
        self._settings = _settings(self._source)
        if self._settings is not None:
            silent = [*self._settings]
            silent[3] &= ~termios.ECHO
            _set_terminal(self._source, silent)
        return HIDE

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._over.set()  # the terminal went away: there is nobody to draw for


@contextmanager
def living(stream: TextIO, source: TextIO, rows: Callable[[], Sequence[str]]) -> Iterator[None]:
    """Draws while the body runs, and gives the terminal back before the program is suspended
    (Ctrl+Z)."""
    live = Live(stream, source, rows)
    thread = threading.Thread(target=live.run, name="picture", daemon=True)
    thread.start()
    try:
        with _leaving_when_suspended(live):
            yield
    finally:
        live.stop()
        thread.join()


@contextmanager
def _leaving_when_suspended(live: Live) -> Iterator[None]:
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGTSTP) != signal.SIG_DFL
    ):
        yield
        return

    def suspend(number: int, frame: FrameType | None) -> None:
        live.leave()
        signal.signal(number, signal.SIG_DFL)
        # To this thread, so that it has stopped before the next line; the picture comes back by
        # itself afterwards
        signal.pthread_kill(threading.get_ident(), number)
        signal.signal(number, suspend)

    signal.signal(signal.SIGTSTP, suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)


def ours(stream: TextIO) -> bool:
    """Whether the terminal behind a stream is this program's to draw on; also true of what is no
    real terminal."""
    try:
        return os.tcgetpgrp(stream.fileno()) == os.getpgrp()
    except (AttributeError, ValueError, OSError):
        return True


def _size(stream: TextIO) -> tuple[int, int] | None:
    """Columns and rows of a terminal, where they are known."""
    try:
        columns, rows = os.get_terminal_size(stream.fileno())
    except (ValueError, OSError):
        return None
    return (columns, rows) if rows else None  # a terminal nobody has measured says 0


def _settings(source: TextIO) -> list[Any] | None:
    """The settings of the terminal; None where there is none, or where it is not ours to change."""
    try:
        return termios.tcgetattr(source.fileno()) if ours(source) else None
    except (AttributeError, ValueError, OSError, termios.error):
        return None


def _set_terminal(source: TextIO, settings: list[Any] | None) -> None:
    if settings is not None:
        with suppress(OSError, ValueError, termios.error):  # the terminal may have gone away by now
            termios.tcsetattr(source.fileno(), termios.TCSADRAIN, settings)
