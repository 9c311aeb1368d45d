"""What services know of a work beyond searches: whom it cites, who cites it, and where an open copy of it lies.

Citations are asked of every client that offers them, at the same time, and the answers are merged. A client's number
of requests for the depth is here the number of works it is asked about, counted apart from its searches.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tools.research import boundary
from tools.research.client import Access, Client
from tools.research.merge import merge
from tools.research.outcome import Outcome
from tools.research.source import Source
from workflows.research.parallel import each

_PATIENCE = 9.0  # seconds all services have for one question about one work
COPIES = ("unpaywall", "core", "doaj")  # who knows of open copies, in the order of asking
Ask = Callable[[Client, Source, int, Access], Outcome]


class Works:
    """Asks about works for one run. accesses: the clients that may be asked. Safe to use from several threads."""

    def __init__(
        self, accesses: Sequence[Access], depth: int, workers: int, check_cancelled: Callable[[], None]
    ) -> None:
        self._accesses = tuple(accesses)
        self._depth = depth
        self._workers = workers
        self._check = check_cancelled
        self._asked: dict[str, set[str]] = {}
        self._lock = threading.Lock()

    def references(self, source: Source, limit: int) -> Outcome:
        """The works a source cites, as any client knows them: those described first, then those known by id alone."""
        return self._related(source, limit, "references", boundary.references)

    def citing(self, source: Source, limit: int) -> Outcome:
        """The works that cite a source, in the same way."""
        return self._related(source, limit, "citing", boundary.citing)

    def copies(self, source: Source) -> Iterator[str]:
        """Addresses of open copies of a scholarly work, best first; the next service is asked only when needed."""
        if source.source_type != "academic" or not source.doi:
            return
        named = {access.client.name: access for access in self._accesses}
        for name in COPIES:
            access = named.get(name)
            if access is None or not self._may_ask(access, source, f"copies:{name}"):
                continue
            for work in boundary.lookup(access.client, source.doi, self._hurried(access)).sources:
                yield from copies_of(work)

    def _related(self, source: Source, limit: int, what: str, ask: Ask) -> Outcome:
        asked = [
            access
            for access in self._accesses
            if getattr(access.client, what) is not None and self._may_ask(access, source, access.client.name)
        ]
        outcomes = each(
            asked,
            lambda access: ask(access.client, source, limit, self._hurried(access)),
            workers=1 if self._workers == 1 else max(1, len(asked)),
            deadline=_PATIENCE,
            clock=asked[0].http.clock if asked else lambda: 0.0,
            check_cancelled=self._check,
        )
        return _united(f"{what} of {source.title}", source, [outcome for outcome in outcomes if outcome])

    def _hurried(self, access: Access) -> Access:
        patience = min(_PATIENCE, access.settings.deadline)
        return Access(access.http, access.client, access.settings, access.http.clock() + patience)

    def _may_ask(self, access: Access, source: Source, purse: str) -> bool:
        allowed = access.client.requests_allowed(self._depth, access.settings)
        with self._lock:
            works = self._asked.setdefault(purse, set())
            if source.source_id not in works and len(works) >= allowed:
                return False
            works.add(source.source_id)
        return True


def copies_of(work: Source) -> list[str]:
    """The addresses of copies that a record names, the best first."""
    listed = work.fields.get("copies") or ()
    urls = [copy.get("url", "") if isinstance(copy, dict) else str(copy) for copy in listed]
    return list(dict.fromkeys(url for url in (work.fulltext_url, *urls) if url))


def _united(question: str, source: Source, outcomes: Sequence[Outcome]) -> Outcome:
    found = merge((), [work for outcome in outcomes for work in outcome.sources])
    # A work does not cite itself; a version of it that a service keeps apart would look as if it did
    others = [work for work in found if work.source_id != source.source_id]
    ordered = sorted(others, key=lambda work: not work.title)
    problem = next((outcome.problem for outcome in outcomes if outcome.problem), None)
    asked = ",".join(outcome.client for outcome in outcomes)
    united = Outcome(asked, question, tuple(ordered), problem, seconds=max([o.seconds for o in outcomes], default=0.0))
    return united if ordered else replace(united, reason="error" if problem else "no_results")
