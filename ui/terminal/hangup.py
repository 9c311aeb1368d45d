"""A terminal that goes away, or a request to end, stops the work of a command the way Ctrl+C does:
it cleans up."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class HungUp(KeyboardInterrupt):
    """The terminal went away, or somebody asked the program to end: the prompt is left, too."""


@contextmanager
def interrupted_by_hangup() -> Iterator[None]:
    """While the body runs, SIGHUP and SIGTERM raise HungUp, an interrupt. Does nothing outside the
    main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, _interrupt)
        for number in (signal.SIGHUP, signal.SIGTERM)
        if signal.getsignal(number) is not signal.SIG_IGN  # nohup: meant to live on
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise HungUp
