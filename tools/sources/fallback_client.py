"""One client stands in for another: when the first fails, the second answers the same search, and
that is said."""

from dataclasses import replace

from tools.sources import boundary
from tools.sources.client import Access, Filters
from tools.sources.source import Outcome

# Of the time for one question, what the first client may use up, so that the second has some
_SHARE = 0.6


class Takeover:
    """A client and its stand-in, for one run: who refused once is not asked again by it.

    first, second: their accesses. The deadline of the first holds for both together.
    """

    def __init__(self, first: Access, second: Access) -> None:
        self._first = first
        self._second = second
        self._problem = ""

    def ask(self, query: str, limit: int, filters: Filters | None = None) -> Outcome:
        """One search. Never raises except Cancelled.

        The outcome goes under the first client's name. Its problem says who failed and who took
        over, also beside sources; with sources it has no reason.
        """
        start, seconds, requests = self._first.http.clock(), self._first.settings.deadline, 0
        if not self._problem:
            outcome = self._by(self._first, start + _SHARE * seconds, query, limit, filters)
            if outcome.sources or not outcome.problem:
                return outcome
            self._problem, requests = outcome.problem.removesuffix("; skipped"), outcome.requests
        other = self._by(self._second, start + seconds, query, limit, filters)
        elapsed = round(self._first.http.clock() - start, 3)
        second = replace(
            other,
            client=self._first.client.name,
            seconds=elapsed,
            requests=requests + other.requests,
        )
        if other.problem and not other.sources:
            return replace(second, problem=f"{self._problem}; {other.problem}")
        return replace(second, problem=f"{self._problem}; {self._second.client.label} took over")

    @staticmethod
    def _by(
        access: Access, ends: float, query: str, limit: int, filters: Filters | None
    ) -> Outcome:
        timed = Access(access.http, access.client, access.settings, ends, access.purse)
        return boundary.ask(access.client, query, limit, timed, filters)
