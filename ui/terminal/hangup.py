"""A terminal that goes away, or a request to end, stops the work of a command the way Ctrl+C does:
it cleans up."""

import signal
from contextlib import AbstractContextManager
from types import FrameType

from engine.signals import handled


class HungUp(KeyboardInterrupt):
    """The terminal went away, or somebody asked the program to end: the prompt is left, too."""


def interrupted_by_hangup() -> AbstractContextManager[None]:
    """While the body runs, SIGHUP and SIGTERM raise HungUp, an interrupt."""
    return handled((signal.SIGHUP, signal.SIGTERM), _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise HungUp
