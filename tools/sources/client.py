"""What a source client is, and all that one may touch while it is asked.

A client is one file with a pure `parse(bytes) -> list[Source]` and a `search` that is I/O over it.
It raises SourceError with a phrase in lower case; boundary.py turns it into an Outcome with one
sentence.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin

from tools.errors import FailureReason, SourceError
from tools.http import Http
from tools.net.guard import target_of
from tools.net.request import Request, Response, Secret
from tools.sources.answer_fields import clean
from tools.sources.source import Filters as Filters, Source


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """What the engine sets for one client. Seconds; budget: requests per run at depth 1, 2, 3.

    key: the user's key itself; key_origin: scheme://host:port it was entered for (None: the
    base_url's). key_name, key_page: the name it is stored under and where one is to be had, for the
    sentence that asks for it. options: further values of one client, e.g. {"days_back": 90};
    "addresses": others that it asks.
    """

    base_url: str
    min_interval: float = 0.0
    deadline: float = 30.0
    max_results: int = 20
    budget: tuple[int, int, int] = (3, 6, 10)
    enabled: bool = True
    key: str | None = None
    key_origin: str | None = None
    key_name: str = ""
    key_page: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def addresses(self) -> list[str]:
        """Those that the settings name for this client; only they may be private ones."""
        return [*filter(None, (self.base_url, *self.options.get("addresses", ())))]

    @property
    def services(self) -> int:
        """How many services one question goes to."""
        return len({*self.addresses}) or 1

    @property
    def key_advice(self) -> str:
        """What to do about a key that is missing or wrong, as the end of a sentence."""
        name = self.key_name or "NAME"
        page = f"get one at {self.key_page} and " if self.key_page else ""
        return f"{page}store it with `zorora keys set {name}` or on the settings page"


_ENDLESS = 1_000_000
UNKNOWN_FORM = "answered in an unknown form"
REFUSALS = (401, 402, 403, 407, 451)
ABSENT = (404, 410)
SearchFunction = Callable[[str, int, "Access", Filters], Sequence[Source]]
LookupFunction = Callable[[str, "Access"], Source | None]
RelatedFunction = Callable[[Source, int, "Access"], Sequence[Source]]
CompleteFunction = Callable[[Sequence[Source], "Access"], Sequence[Source]]
CostFunction = Callable[[Source, str], int]


@dataclass(frozen=True, slots=True)
class Client:
    """A source client and its defaults. kind: academic, web, newsroom, local, support.

    base_url: empty when there is no built-in one; such a client is off until its settings name an
    address. key: how the key travels, "param:NAME" or "header:NAME" ("header:Authorization" sends
    "Bearer KEY"); None: takes none. keep: which of the cache times its answers have, web or
    scholarly. enabled: asked unless switched off; False: only when the user switches it on. A
    client of the kind support is asked about works, never with queries. stand_in: the client that
    takes over when this one fails or has no key; while this one answers, it is not asked.
    per_search: requests that one search takes. per_work: requests that a question about a work
    takes at most; asked with the work and "references" or "citing". complete: the records of up to
    `batch` works, in one request.
    """

    name: str
    label: str
    kind: str
    base_url: str
    search: SearchFunction
    min_interval: float = 0.0
    deadline: float = 30.0
    max_results: int = 20
    key: str | None = None
    key_required: bool = False
    budget: tuple[int, int, int] = (3, 6, 10)
    keep: str = "scholarly"
    lookup: LookupFunction | None = None
    references: RelatedFunction | None = None
    citing: RelatedFunction | None = None
    complete: CompleteFunction | None = None
    batch: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    enabled: bool = True
    stand_in: str = ""
    per_search: int = 1
    per_work: CostFunction = lambda source, what: 1

    def settings(self, **changes: Any) -> ClientSettings:
        """The defaults as settings, with changes."""
        settings = ClientSettings(
            self.base_url,
            self.min_interval,
            self.deadline,
            self.max_results,
            self.budget,
            self.enabled,
            options=dict(self.options),
        )
        mine = replace(settings, **changes)
        return mine if mine.base_url else replace(mine, enabled=False)

    def requests_allowed(self, depth: int, settings: ClientSettings) -> int:
        """Requests of one run: the budget of the depth, never more than fit into the deadline at
        its interval.

        A client of several services that the user lists (feeds) has it for each of them.
        """
        budget = settings.budget[min(max(depth, 1), 3) - 1]
        if settings.min_interval > 0:
            budget = min(budget, max(1, int(settings.deadline / settings.min_interval)))
        return budget * settings.services


class Purse:
    """The requests that one client may make in one run; each comes out of it, cached or not.

    A kept answer costs as much as a new one, so that a run repeated from the cache asks the same.
    Safe to use from several threads. allowed: None = without end. used: what was taken out before.
    """

    def __init__(self, allowed: int | None = None, used_requests: int = 0) -> None:
        self.allowed = allowed
        self.used_requests = used_requests
        self._lock = threading.Lock()

    @property
    def requests_left(self) -> int:
        return _ENDLESS if self.allowed is None else max(0, self.allowed - self.used_requests)

    def take(self) -> None:
        """One request. Raises SourceError when there is none left."""
        with self._lock:
            if self.allowed is not None and self.used_requests >= self.allowed:
                raise SourceError(
                    f"the {self.allowed} requests it has in a research are used up",
                    FailureReason.BUDGET,
                )
            self.used_requests += 1


class Access:
    """Http bound to one client: its address, key, interval and deadline; counts what is asked.

    deadline: moment of `http.clock` by which all is answered; None = the client's deadline from
    each question on. purse: what the client may still ask in this run.
    """

    def __init__(
        self,
        http: Http,
        client: Client,
        settings: ClientSettings,
        deadline: float | None = None,
        purse: Purse | None = None,
    ) -> None:
        self.http = http
        self.client = client
        self.settings = settings
        self.purse = purse or Purse()
        self.requests = 0
        self.all_cached = True
        self.answered_at = 0.0
        self.remarks: list[str] = []
        self._fixed = deadline
        self._deadline = deadline

    def fresh(self) -> "Access":
        """The same access for one question: own counters, and its deadline running from now."""
        copy = Access(self.http, self.client, self.settings, self._fixed, self.purse)
        if self._fixed is None:
            copy._deadline = self.http.clock() + self.settings.deadline
        return copy

    def within(self, seconds: float) -> "Access":
        """The same access with less time: all is answered in so many seconds, or not at all."""
        ends = self.http.clock() + min(seconds, self.settings.deadline)
        return Access(self.http, self.client, self.settings, ends, self.purse)

    @property
    def today(self) -> str:
        """ISO date of the run's clock."""
        return datetime.fromtimestamp(self.http.wall(), UTC).date().isoformat()

    @property
    def answer_day(self) -> str:
        """ISO date of the latest answer, however long kept: "2 days ago" in it counts from then."""
        return datetime.fromtimestamp(self.answered_at or self.http.wall(), UTC).date().isoformat()

    @property
    def contact(self) -> str:
        """The mail address of who asks; empty when the user gave none."""
        contact = self.http.settings.contact
        return contact if "@" in contact else ""

    def url(self, path: str = "") -> str:
        """An address below the base_url; an absolute one stays as it is."""
        base = self.settings.base_url
        return urljoin(base if base.endswith("/") else base + "/", path) if path else base

    def remark(self, problem: str) -> None:
        """Something that went wrong although there is an answer: a phrase, told beside the hits."""
        if problem not in self.remarks:
            self.remarks.append(problem)

    def get(
        self, path: str, params: Mapping[str, str | int], kept_as: Mapping[str, str] | None = None
    ) -> Response:
        """Ask the client's service. Raises SourceError, also for refusals (401, 403).

        params: those that are empty are left out. kept_as: see Request.
        """
        values = {name: value for name, value in params.items() if value != ""}
        return self._ask(Request(self.url(path), params=values, kept_as=kept_as or {}))

    def post(self, path: str, values: Mapping[str, Any]) -> Response:
        """Ask a service that takes only posted JSON. Raises SourceError like `get`."""
        body = json.dumps(values, sort_keys=True).encode()
        headers = {"Content-Type": "application/json"}
        return self._ask(Request(self.url(path), headers=headers, body=body))

    def _ask(self, request: Request) -> Response:
        own_origins = (target_of(address).origin for address in self.settings.addresses)
        is_configured = target_of(request.url).origin in own_origins
        settings, is_scholarly = self.http.settings, self.client.keep == "scholarly"
        self._permit()
        request = replace(
            request,
            ttl=settings.scholarly_seconds if is_scholarly else settings.web_seconds,
            deadline=self._deadline,
            guard=not is_configured,
            secret=self._secret() if is_configured else None,
            interval=self.settings.min_interval,
            max_bytes=settings.max_page_bytes,
            permit=self._permit,
        )
        try:
            response = self.http.get(request)
        except SourceError as error:
            if error.status == 429 and self.client.key and not self.settings.key:
                problem = f"{error}; a key of your own raises the limit"
                raise SourceError(problem, error.reason, 429) from None
            raise
        self.all_cached = self.all_cached and response.cached
        self.answered_at = max(self.answered_at, response.answered_at)
        if response.status in REFUSALS:
            raise SourceError(
                f"refused (status {response.status}){self._about_key()}", status=response.status
            )
        return response

    def _permit(self) -> None:
        self.purse.take()
        self.requests += 1

    def json(self, path: str, params: Mapping[str, str | int]) -> Any:
        """The answer as JSON values, None when the service says that the thing does not exist."""
        response = self.get(path, params)
        return None if response.status in ABSENT else read_json(accepted(response))

    def _secret(self) -> Secret | None:
        key = self.settings.key
        if not self.client.key or not key:
            return None
        origin = self.settings.key_origin or target_of(self.settings.base_url).origin
        where, _, name = self.client.key.partition(":")
        value = f"Bearer {key}" if name.lower() == "authorization" else key
        return Secret(origin, **{"params" if where == "param" else "headers": {name: value}})

    def _about_key(self) -> str:
        if self.client.key is None:
            return ""
        what = "check its key" if self.settings.key else "it may want a key"
        return f"; {what}: {self.settings.key_advice}" if self.settings.key_name else f"; {what}"


def accepted(response: Response, explained: bytes = b"") -> bytes:
    """The body of an answer. Raises SourceError for an error status.

    explained: how the body of an error begins that says what is wrong; the parser reads that.
    """
    start = response.content.lstrip()[:1]
    if response.status >= 400 and not (start and start in explained):
        raise SourceError(f"did not accept the request (status {response.status})")
    return response.content


def search_by_id(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """The search of a client that is asked about works, not with queries: only an id finds
    something."""
    work = access.client.lookup(query, access) if access.client.lookup else None
    return [work] if work else []


def refusal(message: Any) -> SourceError:
    """The error of an answer that is none, with what the service says about it."""
    text = clean(message)[:120]
    return SourceError(f"did not accept the request ({text})" if text else UNKNOWN_FORM)


def read_object(data: bytes, *names: str) -> dict[str, Any]:
    """An answer's JSON object. Raises SourceError when it is none, or has none of the names."""
    answer = read_json(data)
    if not isinstance(answer, dict) or (names and not any(name in answer for name in names)):
        raise SourceError(UNKNOWN_FORM)
    return answer


def read_json(data: bytes) -> Any:
    """JSON values of an answer. Raises SourceError when it is something else."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise SourceError("answered with something other than JSON") from None
