"""One run's view of the outside: its clients, its network door, what it may ask of each, how its
pages are read."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.clock import now
from engine.library.document_vectors import sentence
from engine.runs.worker_context import Order
from engine.settings.config import Config
from engine.wiring.network_door import door
from engine.wiring.source_settings import client_settings, full_texts
from engine.wiring.works import Works, reserved
from tools.documents.model import Snapshot
from tools.errors import FailureReason, NotFound, ZororaError
from tools.research.credibility_scorer import assess
from tools.sources import boundary
from tools.sources.client import Access, Client, Filters
from tools.sources.fallback_client import Takeover
from tools.sources.page import PageReader
from tools.sources.registry import IMAGES, SOURCES
from tools.sources.source import ClientInfo, Credibility, FetchedPage, Outcome, Source, SourceKind
from tools.sources.text_locations import Visits
from tools.text.normalise import snapshot_text
from workflows.research.events import Event, EventKind
from workflows.research.model import RunConfig

if TYPE_CHECKING:
    from engine.wiring.toolbox import Toolbox

LOCAL = ClientInfo("local", "Your documents", "local", 1000, 30.0, 20)
_ENDLESS = 1_000_000


class Run:
    """The functions behind one run's Deps."""

    def __init__(self, tools: "Toolbox", order: Order, counted: bool = True) -> None:
        """counted: the budgets of a research hold; without them a client may be asked as often as
        it lets itself."""
        self.order = order
        self._counted = counted
        self._tools = tools
        self._filters = order.config.filters
        self.http = door(
            tools.config,
            tools.net,
            # Documents of the user's alone need no connection
            offline=order.closed
            or order.config.offline
            or set(order.config.sources) <= {LOCAL.kind},
            fresh=order.fresh,
            check=order.check_cancelled,
        )
        self._clients = [
            c for c in tools.extensions.clients if _is_wanted(c, order.config, tools.config)
        ]
        self._access = {c.name: self._open(c) for c in self._clients}
        # A stand-in is asked for nothing else
        self._takeovers = {
            client.name: Takeover(self._access[client.name], self._access[client.stand_in])
            for client in self._clients
            if client.stand_in in self._access
        }
        self.clients = self._infos()
        self._notes = self._without_key()
        self.works = self._works()  # what is asked about works, not with queries
        self._waiting = threading.Lock()
        self._waited = self._pausing = False
        self._visits = Visits()
        self._places = full_texts(tools.config)

    def search(self, name: str, query: str, limit: int) -> Outcome:
        """One request to one client."""
        if name == LOCAL.name:
            return self._search_documents(query, limit)
        access = self._access[name]
        if takeover := self._takeovers.get(name):
            outcome = takeover.ask(query, limit, self._filters)
        else:
            outcome = boundary.ask(access.client, query, limit, access, self._filters)
        if self.order.closed and outcome.reason == FailureReason.OFFLINE:
            problem = f"{access.client.label}: stopped before it answered"
            return replace(outcome, problem=problem, reason=FailureReason.STOPPED)
        return replace(outcome, note=self._notes.pop(name, ""))

    @property
    def images(self) -> Callable[[str, int], Outcome] | None:
        """One search for images; None where no service for it is set up. Whoever fails, the next
        one is asked."""
        able = [client for client in IMAGES if client.name in self._access]
        return (lambda query, limit: self._find_images(able, query, limit)) if able else None

    def _find_images(self, able: Sequence[Client], query: str, limit: int) -> Outcome:
        problems = []
        for client in able:
            outcome = boundary.ask(client, query, limit, self._access[client.name], self._filters)
            if not outcome.problem or outcome.sources:
                break
            problems.append(outcome.problem)
        if outcome.sources or len(problems) < 2:
            return outcome
        return replace(outcome, problem="; ".join(problems))

    def fetch(self, source: Source) -> FetchedPage:
        """The text of a source: of a document from the library, of everything else from its
        page."""
        if source.source_type == LOCAL.kind:
            return self._document(source)
        return self._reader().read(source)

    def fetch_copy(self, source: Source, copies: Sequence[str]) -> FetchedPage:
        """The text of a source whose own page would not do, from an open copy of it."""
        return self._reader().read(source, copies)

    def store_text(self, source: Source, text: str, completeness: str) -> Snapshot:
        """Keep a text that came with a source."""
        text = snapshot_text(text)
        snapshot_id = self._tools.snapshots.put(text)
        self._tools.corpus.add(snapshot_id, text, (), title=source.title, kind="abstract")
        origin = ", ".join(source.providers) or "unknown"
        return Snapshot(
            snapshot_id,
            source.source_id,
            source.url,
            "text/plain",
            now(),
            origin,
            completeness,
            len(text),
        )

    def left(self, name: str) -> int:
        """Requests a client may still make in this run."""
        return self._access[name].purse.requests_left if name in self._access else _ENDLESS

    def moved(self, ids: Mapping[str, str]) -> None:
        """Sources that turned out to be others: their fetches go with them."""
        for old, new in sorted(ids.items()):
            self._tools.net.fetches.move(self.order.research_id, old, new)

    def score(self, source: Source, voices: int | None, text: str) -> Credibility:
        return assess(
            source,
            voices=voices,
            as_of=self.order.as_of,
            journals=self._tools.journals,
            text=text,
            rules=self._tools.rules,
        )

    def _open(self, client: Client) -> Access:
        settings = client_settings(client, self._tools.config)
        most = client.requests_allowed(self.order.config.depth, settings) if self._counted else None
        return Access(
            self.http, client, settings, purse=self.order.spending.purse(client.name, most)
        )

    def _reader(self) -> PageReader:
        tools = self._tools
        return PageReader(
            self.http,
            tools.pool,
            tools.snapshots,
            tools.corpus,
            tools.net.fetches,
            self.order.research_id,
            now,
            self._places,
            self._visits,
        )

    def _without_key(self) -> dict[str, str]:
        """What to say with the first answer of a client that stands in because another has no
        key."""
        return {
            client.stand_in: f"{client.label} has no key; "
            f"{self._access[client.stand_in].client.label} took over."
            for client in SOURCES
            if client.stand_in in self._access and client.name not in self._access
            if (mine := client_settings(client, self._tools.config)).enabled and not mine.key
        }

    def _infos(self) -> tuple[ClientInfo, ...]:
        standing_by = {
            client.stand_in for client in self._clients if client.name in self._takeovers
        }
        infos = [self._info(client) for client in self._clients if client.name not in standing_by]
        return (*infos, LOCAL) if LOCAL.kind in self.order.config.sources else tuple(infos)

    def _info(self, client: Client) -> ClientInfo:
        mine, depth = self._access[client.name].settings, self.order.config.depth
        reserve, each = reserved(client, mine, depth, self._hops), client.per_search * mine.services
        searches = max(1, (client.requests_allowed(depth, mine) - reserve) // each)
        return ClientInfo(
            client.name, client.label, client.kind, searches, mine.deadline, mine.max_results, each
        )

    @property
    def _hops(self) -> int:
        """How far citations are followed in this run."""
        config, get = self.order.config, self._tools.config.get
        if config.follow and get("research.follow_citations"):
            return int(get("research.hops")[config.depth - 1])
        return 0

    def _await_vectors(self) -> None:
        """Whoever searches first waits a few seconds for vectors of documents, and says so when
        some are missing."""
        with self._waiting:
            if self._waited or self.order.quick:
                return
            ready, total = self._tools.vectors.awaited(self.order.check_cancelled)
            self._waited, self._pausing = True, ready < total
            if self._pausing:
                self._tools.vectors.pause()
                self.order.emit(
                    Event(EventKind.NOTE, "aggregate", f"{sentence(ready, total)}.", {})
                )

    def close(self) -> None:
        """End connections; vectors that were left are made again."""
        self.http.close()
        if self._pausing:
            self._pausing = False
            self._tools.vectors.go_on()

    def _search_documents(self, query: str, limit: int) -> Outcome:
        start = time.monotonic()
        dates = Filters(self._filters.since, self._filters.until)
        # Some are left out for their dates
        most = 3 * limit if dates.since or dates.until else limit
        try:
            self._await_vectors()
            sources = self._tools.library.search_sources(query, most, self.order.config.documents)
        except ZororaError as error:
            return Outcome(
                LOCAL.name, query, problem=f"Your documents: {error}", reason=FailureReason.ERROR
            )
        passing = tuple(source for source in sources if boundary.passes(source, dates))[:limit]
        seconds = round(time.monotonic() - start, 3)
        return Outcome(
            LOCAL.name, query, passing, None, None if passing else FailureReason.NO_RESULTS, seconds
        )

    def _document(self, source: Source) -> FetchedPage:
        try:
            snapshot = self._tools.library.record_of(source)
        except NotFound as error:
            return FetchedPage(
                source.source_id, source.url, problem=str(error), reason=FailureReason.ERROR
            )
        if snapshot is None:
            return FetchedPage(
                source.source_id,
                source.url,
                problem="No text of it is stored.",
                reason=FailureReason.ERROR,
            )
        return FetchedPage(source.source_id, source.url, snapshot, source.title)

    def _works(self) -> Works:
        """The clients that may be asked about works: those of this run, and with the scholarly ones
        the supporting."""
        order, config, run = self.order, self._tools.config, self.order.config
        # They are asked about scholarly works, so with the scholarly clients or not at all
        support = [
            client
            for client in SOURCES
            if client.kind == SourceKind.SUPPORT
            and _is_wanted(replace(client, kind="academic"), run, config)
        ]
        accesses = [*self._access.values(), *map(self._open, support)]
        return Works(
            accesses, run.depth, self._hops, run.workers, order.check_cancelled, order.spending
        )


def _is_wanted(client: Client, config: RunConfig, settings: Config) -> bool:
    if client.kind not in config.sources:
        return False
    mine = client_settings(client, settings)
    return mine.enabled and (mine.key is not None or not client.key_required)
