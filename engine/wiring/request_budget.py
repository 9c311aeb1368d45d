"""What the clients of one research were asked so far, over all the processes that worked on it.

It travels with the checkpoint: a step that a crash cut off runs again from where its clients stood
when it began. What they had answered by then comes from the store and costs as much again, so the
resumed run asks what an undisturbed one would have asked, and no client is asked more in all than
its budget allows.
"""

from collections.abc import Mapping
from typing import Any

from tools.sources.client import Purse


class Spending:
    """before: what `plain` gave in the process that worked on the research earlier."""

    def __init__(self, before: Mapping[str, Any] | None = None) -> None:
        counts = before if isinstance(before, Mapping) else {}
        self._requests = _counts(counts.get("asked"))
        self._purses: dict[str, Purse] = {}
        # Requests that were set aside for questions about works
        self.works = _counts(counts.get("works"))
        self.hops = _count(counts.get("hops"))  # of citations for which that was settled

    def purse(self, name: str, allowed: int | None) -> Purse:
        """The purse of a client, with what it has been asked already taken out."""
        purse = self._purses[name] = Purse(allowed, self._requests.get(name, 0))
        return purse

    def about_works(self, name: str, requests: int) -> None:
        """So many requests of a client are for questions about works."""
        self.works[name] = self.works.get(name, 0) + requests

    def plain(self) -> dict[str, Any]:
        """JSON values: requests by client, those about works, hops."""
        requests = {
            **self._requests,
            **{name: purse.used_requests for name, purse in self._purses.items()},
        }
        return {
            "asked": dict(sorted(requests.items())),
            "works": dict(sorted(self.works.items())),
            "hops": self.hops,
        }


def _counts(counts: Any) -> dict[str, int]:
    if isinstance(counts, Mapping):
        return {str(name): _count(count) for name, count in counts.items()}
    return {}


def _count(count: Any) -> int:
    return count if isinstance(count, int) and count > 0 else 0
