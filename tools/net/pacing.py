"""The pace of requests: one per host and interval, over all threads and processes; rest for a host
that refuses.

The interval counts from the moment the request before has left, whatever delayed it.
"""

import random
from collections.abc import Callable
from email.utils import parsedate_to_datetime

from tools.errors import FailureReason, SourceError
from tools.net.store import HostStore

LONGEST_RETRY_AFTER = 86400.0
_STEP = 0.1  # seconds between two looks at whether the user stopped
_TRANSIT = 0.05  # seconds added to each interval: two requests may take differently long to arrive


class Turn:
    """The right to send one request to a host. The pause before the next counts from `sent`.

    waited: another request to the host came first.
    """

    def __init__(self, report: Callable[[], None] = lambda: None) -> None:
        self.waited = False
        self._report = report
        self._reported = False

    def sent(self) -> None:
        """The request has left, or never will; further calls change nothing."""
        if not self._reported:
            self._reported = True
            self._report()


class Pace:
    """Spaces the requests to each host. wall: seconds since 1970, the clock that processes share.

    sending: seconds a request may need from its turn until it has left (name look-up, connection).
    The next turn waits that long for a process that died in between.
    """

    def __init__(self, hosts: HostStore, wall: Callable[[], float], sending: float = 10.0) -> None:
        self._hosts = hosts
        self._wall = wall
        self._sending = sending

    def take(self, place: str, interval: float, patience: float) -> Turn | float:
        """This request's turn, or the seconds after which to try again.

        Raises SourceError when the host is being left alone, or when its turn cannot come within
        `patience` seconds.
        """
        now = self._wall()
        resting = self._hosts.cooling(place, now)
        if resting:
            raise SourceError(
                f"left alone for another {resting:.0f} s because it kept refusing",
                FailureReason.BUDGET,
            )
        if interval <= 0:
            wait, turn = self._hosts.wait_seconds(place, now), Turn()
        else:
            interval += _TRANSIT
            until = now + self._sending + interval
            wait = self._hosts.take(place, now, until)
            turn = Turn(lambda: self._hosts.sent(place, until, self._wall() + interval))
        if not wait:
            return turn
        # A turn that was just taken reserves `sending` seconds, most of which it gives back
        if wait > patience and (interval <= 0 or wait - self._sending > patience):
            raise SourceError("its turn would come after its time is over", FailureReason.BUDGET)
        return wait


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds that a Retry-After header asks for (a number, or a date against `now`); None when it
    says nothing."""
    text = (value or "").strip()
    if text.isdecimal():
        return min(float(text[:9]), LONGEST_RETRY_AFTER)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(moment.timestamp() - now, 0.0), LONGEST_RETRY_AFTER)


def wait_in_steps(
    seconds: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
    check: Callable[[], None] | None,
) -> None:
    """Sleep in short steps, so that a stop is noticed: check raises then."""
    until = clock() + seconds
    while (remaining := until - clock()) > 0:
        if check:
            check()
        sleep(min(remaining, _STEP))


def backoff(attempt: int, base: float) -> float:
    """Seconds before the next attempt: doubled each time, with jitter so that callers do not come
    back together."""
    return float(base * 2**attempt * (0.5 + random.random() / 2))
