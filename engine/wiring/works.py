"""What services know of a work beyond searches: whom it cites, who cites it, and where an open copy
of it lies.

Of a client's requests a part is kept for this (`reserved`). Who is asked about which work is
settled for all works of a hop together (`allot`), before threads ask, so that the same run always
asks the same; every work has somebody before any has two.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.wiring.request_budget import Spending
from tools.errors import FailureReason
from tools.sources import boundary
from tools.sources.client import Access, Client, ClientSettings
from tools.sources.merge import merge
from tools.sources.source import Outcome, Source, SourceKind
from workflows.research.gather.parallel import each

_PATIENCE = 9.0  # seconds all services have for one question about one work
_RESERVED = 0.5  # share of a client's requests that is kept from searches
COPIES = ("unpaywall", "core", "doaj")  # who knows of open copies, in the order of asking
RECORDS = ("openalex", "crossref", "semantic_scholar")  # who completes records, in the same way
# Who says that a work was retracted
_MARKING = frozenset(("openalex", "crossref", "pubmed", "europepmc"))

Task = tuple[Source, str]  # a work, and "references" or "citing"


def reserved(client: Client, settings: ClientSettings, depth: int, hops: int) -> int:
    """Requests that searches leave for questions about works."""
    most = client.requests_allowed(depth, settings)
    if client.kind == SourceKind.SUPPORT:
        return most
    can_follow = (hops and (client.references or client.citing)) or client.name in COPIES
    return int(most * _RESERVED) if can_follow else 0


class Works:
    """Asks about works for one run. accesses: the clients that may be asked. hops: how far
    citations are followed.

    spending: what was asked before, when the run began in another process.
    """

    def __init__(
        self,
        accesses: Sequence[Access],
        depth: int,
        hops: int,
        workers: int,
        check_cancelled: Callable[[], None],
        spending: Spending | None = None,
    ) -> None:
        self._spending = spending or Spending()
        self._accesses = tuple(accesses)
        self._by_name = {access.client.name: access for access in accesses}
        self._hops_left = hops - self._spending.hops
        self._workers = workers
        self._check = check_cancelled
        self._room = {
            name: reserved(access.client, access.settings, depth, hops)
            - self._spending.works.get(name, 0)
            for name, access in self._by_name.items()
        }
        self._first_of_records = next((name for name in RECORDS if name in self._by_name), "")
        self._allotted: dict[tuple[str, str], list[Access]] = {}

    def allot(self, tasks: Sequence[Task]) -> tuple[Outcome, ...]:
        """Settle who is asked about what in one hop. Gives an Outcome for each client whose budget
        was too small."""
        budget = {access.client.name: self._for_citations(access) for access in self._accesses}
        self._hops_left -= 1
        self._spending.hops += 1
        allotted: dict[int, list[Access]] = {number: [] for number in range(len(tasks))}
        progress = True
        while progress:
            progress = False
            for number, task in enumerate(tasks):
                able = [
                    a
                    for a in self._able(task)
                    if a not in allotted[number] and budget[a.client.name] >= _cost(a, task)
                ]
                if not able:
                    continue
                # The first of equals
                richest = max(able, key=lambda access: budget[access.client.name])
                allotted[number].append(richest)
                budget[richest.client.name] -= _cost(richest, task)
                self._set_aside(richest.client.name, _cost(richest, task))
                progress = True
        for number, (source, what) in enumerate(tasks):
            self._allotted[source.source_id, what] = [
                a for a in self._accesses if a in allotted[number]
            ]
        return self._refused(tasks)

    def references(self, source: Source, limit: int) -> Outcome:
        """The works a source cites, as those asked know them: those described first, then those
        known by id alone."""
        return self._related(source, limit, "references")

    def citing(self, source: Source, limit: int) -> Outcome:
        """The works that cite a source, in the same way."""
        return self._related(source, limit, "citing")

    def complete(self, sources: Sequence[Source]) -> tuple[tuple[Source, ...], tuple[Outcome, ...]]:
        """The works with what services know of them (title, authors, year, venue, counts,
        retraction), their ids as they were; and what each service said, which is asked once about
        those that the one before did not know.
        """
        works, outcomes = tuple(sources), []
        for name in RECORDS:
            lacking = [source for source in works if _lacks(source)]
            access = self._by_name.get(name)
            if access is None or not lacking or self._requests_left(access) < 1:
                continue
            self._set_aside(name, 1)
            outcome = boundary.complete(access.client, lacking, access.within(_PATIENCE))
            merged = merge(works, outcome.sources)[: len(works)]
            works = tuple(replace(new, hop=old.hop) for old, new in zip(works, merged, strict=True))
            outcomes.append(outcome)
        return works, tuple(outcomes)

    def copies(self, sources: Sequence[Source]) -> tuple[tuple[str, ...], ...]:
        """Addresses of open copies of each work, best first; the next service is asked only where
        one knew none."""
        addresses: dict[int, tuple[str, ...]] = {}
        for name in COPIES:
            access = self._by_name.get(name)
            unknown = [
                i
                for i, source in enumerate(sources)
                if i not in addresses and source.source_type == SourceKind.ACADEMIC and source.doi
            ]
            if access is None or not unknown:
                continue
            batch = unknown[: self._requests_left(access)]
            self._set_aside(name, len(batch))
            for i, urls in zip(
                batch, self._looked_up(access, [sources[i] for i in batch]), strict=True
            ):
                known_urls = (sources[i].url, sources[i].fulltext_url)
                if others := tuple(url for url in urls if url not in known_urls):
                    addresses[i] = others
        return tuple(addresses.get(i, ()) for i in range(len(sources)))

    def _set_aside(self, name: str, requests: int) -> None:
        self._room[name] -= requests
        self._spending.about_works(name, requests)

    def _looked_up(self, access: Access, sources: Sequence[Source]) -> list[tuple[str, ...]]:
        outcomes = each(
            sources,
            lambda source: boundary.lookup(
                access.client, source.doi or "", access.within(_PATIENCE)
            ),
            workers=1 if self._workers == 1 else max(1, len(sources)),
            deadline=_PATIENCE,
            clock=access.http.clock,
            check_cancelled=self._check,
        )
        return [
            tuple(url for work in (o.sources if o else ()) for url in copies_of(work))
            for o in outcomes
        ]

    def _related(self, source: Source, limit: int, what: str) -> Outcome:
        accesses = self._allotted.get((source.source_id, what), [])
        outcomes = each(
            accesses,
            lambda access: boundary.related(
                access.client, what, source, limit, access.within(_PATIENCE)
            ),
            workers=1 if self._workers == 1 else max(1, len(accesses)),
            deadline=_PATIENCE,
            clock=accesses[0].http.clock if accesses else lambda: 0.0,
            check_cancelled=self._check,
        )
        return _united(
            f"{what} of {source.title}", source, [outcome for outcome in outcomes if outcome]
        )

    def _requests_left(self, access: Access) -> int:
        return max(0, min(self._room[access.client.name], access.purse.requests_left))

    def _for_citations(self, access: Access) -> int:
        """Requests of a client for the citations of this hop; who completes records first keeps one
        for each hop."""
        reserve = self._hops_left if access.client.name == self._first_of_records else 0
        return -(-max(0, self._requests_left(access) - reserve) // max(1, self._hops_left))

    def _able(self, task: Task) -> list[Access]:
        return [access for access in self._accesses if getattr(access.client, task[1]) is not None]

    def _refused(self, tasks: Sequence[Task]) -> tuple[Outcome, ...]:
        outcomes = []
        for access in self._accesses:
            missed = [
                t
                for t in tasks
                if access in self._able(t) and access not in self._allotted[t[0].source_id, t[1]]
            ]
            if missed:
                message = (
                    f"{access.client.label}: {len(missed)} of {len(tasks)} questions about "
                    "citations were not asked"
                )
                problem = f"{message}, the budget of this depth is used up."
                outcomes.append(
                    Outcome(
                        access.client.name,
                        "",
                        problem=problem,
                        reason=FailureReason.BUDGET,
                        requests=0,
                        label=access.client.label,
                    )
                )
        return tuple(outcomes)


def _lacks(source: Source) -> bool:
    """Whether something is unknown that a work is shown, ranked or scored by."""
    facts = (source.title, source.authors, source.published, source.venue)
    return not all(facts) or source.cited_by_count is None or not _MARKING & set(source.providers)


def _cost(access: Access, task: Task) -> int:
    return access.client.per_work(*task)


def copies_of(work: Source) -> list[str]:
    """The addresses of copies that a record names, the best first."""
    entries = work.fields.get("copies") or ()
    urls = [copy.get("url", "") if isinstance(copy, dict) else str(copy) for copy in entries]
    return list(dict.fromkeys(url for url in (work.fulltext_url, *urls) if url))


def _united(question: str, source: Source, outcomes: Sequence[Outcome]) -> Outcome:
    works = merge((), [work for outcome in outcomes for work in outcome.sources])
    # A work does not cite itself; a version of it that a service keeps apart would look as if it
    # did
    others = [work for work in works if work.source_id != source.source_id]
    ordered = sorted(others, key=lambda work: not work.title)
    problem = next((outcome.problem for outcome in outcomes if outcome.problem), None)
    clients = ",".join(outcome.client for outcome in outcomes)
    seconds = max([o.seconds for o in outcomes], default=0.0)
    united = Outcome(
        clients, question, tuple(ordered), problem, seconds=seconds, parts=tuple(outcomes)
    )
    if ordered:
        return united
    return replace(united, reason=FailureReason.ERROR if problem else FailureReason.NO_RESULTS)
