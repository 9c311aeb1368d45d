"""The pace of requests: one per host and interval, over all threads and processes; rest for a host that refuses."""

import random
from collections.abc import Callable
from email.utils import parsedate_to_datetime

from tools.errors import SourceError
from tools.net.store import HostStore

LONGEST_RETRY_AFTER = 86400.0


class Pace:
    """Says how long to wait before asking a host. wall: seconds since 1970, the clock that processes share."""

    def __init__(self, hosts: HostStore, wall: Callable[[], float]) -> None:
        self._hosts = hosts
        self._wall = wall

    def wait(self, place: str, interval: float, patience: float) -> float:
        """Seconds until it is this request's turn.

        Raises SourceError when the host is being left alone, or when the turn comes after `patience` seconds.
        """
        now = self._wall()
        resting = self._hosts.cooling(place, now)
        if resting:
            raise SourceError(f"left alone for another {resting:.0f} s because it kept refusing", "budget")
        wait = self._hosts.book(place, interval, now, patience) if interval > 0 else self._hosts.held(place, now)
        if wait is None or wait > patience:
            raise SourceError("its turn would come after its time is over", "budget")
        return wait

    def hold(self, place: str, seconds: float) -> None:
        """The host asked for a pause: nobody asks it before that."""
        self._hosts.hold(place, self._wall() + seconds)

    def refused(self, place: str, seconds: float | None) -> None:
        """The host refuses for good; leave it alone for what it asked, or for longer each time."""
        self._hosts.refused(place, self._wall(), seconds)

    def answered(self, place: str) -> None:
        self._hosts.answered(place)


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds that a Retry-After header asks for (a number, or a date against `now`); None when it says nothing."""
    text = (value or "").strip()
    if text.isdecimal():
        return min(float(text[:9]), LONGEST_RETRY_AFTER)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(moment.timestamp() - now, 0.0), LONGEST_RETRY_AFTER)


def backoff(attempt: int, base: float) -> float:
    """Seconds before the next attempt: doubled each time, with jitter so that callers do not come back together."""
    return float(base * 2**attempt * (0.5 + random.random() / 2))
