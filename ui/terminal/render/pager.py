"""Long reports go through the pager that the user has: $PAGER, else less, on a terminal only."""

import re
import select
import shlex
import shutil
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TextIO

from engine.signals import handled
from ui.terminal.screen import ROWS_BELOW
from ui.terminal.session import Session

LESS = ("-F", "-R", "-X")  # leave when all fits, keep colours, leave the text on the screen
_COLOURED = frozenset("less more most moar moor ov bat".split())
_STYLES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)")


@dataclass
class Page:
    """ready: a pager would show what does not fit. is_visible: it did."""

    ready: bool = False
    is_visible: bool = False


class _Buffer(StringIO):
    """What is written is held back; its reader is a terminal all the same."""

    def isatty(self) -> bool:
        return True


@contextmanager
def paging(session: Session, enabled: bool = True) -> Iterator[Page]:
    """What the body prints goes through the pager when that is wanted and it is higher than the
    terminal."""
    screen, command = session.screen, _command(session) if enabled else []
    page = Page(ready=bool(command))
    if not command:
        yield page
        return
    out, buffer = screen.out, _Buffer()
    screen.out = buffer
    try:
        yield page
    finally:
        screen.out = out
        text = buffer.getvalue()
        fits = text.count("\n") <= shutil.get_terminal_size().lines - ROWS_BELOW
        # A pager would take what was typed meanwhile for its own keys
        page.is_visible = (
            not fits and not _keys_waiting(screen.source) and _run_pager(command, text, out)
        )
        if not page.is_visible:
            out.write(text)
            out.flush()


def _command(session: Session) -> list[str]:
    """The pager's command line; empty where none is to be used."""
    screen = session.screen
    if not (session.pager and screen.on_terminal and screen.interactive and _is_real(screen.out)):
        return []
    setting: str | None = session.engine.config.pager
    try:
        command = shlex.split("less" if setting is None else setting)
    except ValueError:  # a quotation mark that is not closed
        return []
    if not command or command[0] == "cat" or shutil.which(command[0]) is None:
        return []
    return [*command, *LESS] if command == ["less"] else command


def _is_real(stream: TextIO) -> bool:
    try:
        return stream.fileno() >= 0
    except (OSError, ValueError):
        return False


def _keys_waiting(source: TextIO) -> bool:
    """Whether somebody has typed something that was not read yet, half a line included."""
    try:
        handle = source.fileno()
        before = termios.tcgetattr(handle)
        by_key = [*before]
        by_key[3] &= ~termios.ICANON  # else a line counts when it is whole
        termios.tcsetattr(handle, termios.TCSANOW, by_key)
        try:
            return bool(select.select([handle], [], [], 0)[0])
        finally:
            termios.tcsetattr(handle, termios.TCSANOW, before)
    except (OSError, ValueError, termios.error):
        return False


def _run_pager(command: list[str], text: str, out: TextIO) -> bool:
    """Whether the pager ran; it has the keyboard until it is left, Ctrl+C included."""
    if Path(command[0]).name not in _COLOURED:
        text = _STYLES.sub("", text)
    out.flush()
    with handled((signal.SIGINT,), signal.SIG_IGN), suppress(OSError):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out.fileno())  # noqa: S603
        process.communicate(text.encode(out.encoding or "utf-8", "legible"))
        return process.returncode == 0
    return False
