"""What is typed while a picture is redrawn must not appear in it: the terminal shows it again when it is read."""

import os
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO


@contextmanager
def without_echo(source: TextIO) -> Iterator[None]:
    """While the body runs, the terminal keeps what is typed and does not show it; Ctrl+C and Ctrl+Z still work."""
    before = _settings(source)
    if before is None:
        yield
        return
    handle = source.fileno()
    silent = [*before]
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(handle, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        # Of a job that was sent to the background meanwhile, the terminal belongs to the shell
        if _settings(source) is not None:
            termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _settings(source: TextIO) -> list[Any] | None:
    """The settings of the terminal; None where there is none, or where it is not ours to change."""
    try:
        handle = source.fileno()
        return termios.tcgetattr(handle) if os.tcgetpgrp(handle) == os.getpgrp() else None
    except (AttributeError, ValueError, OSError, termios.error):
        return None
