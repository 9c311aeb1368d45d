"""The one door to the network: timeouts, retries, politeness, cache, size caps, the SSRF guard,
keys.

Faults of the other side become a SourceError whose message is a phrase about it in lower case
("rate limited, asked to wait 12 s"); whoever asked puts the name in front. No message, log line or
cache key ever holds a user's key.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urljoin

from tools.errors import FailureReason, SourceError, StorageError
from tools.net.body import ACCEPTED, Limits, Lost, Unreachable
from tools.net.guard import Guard, Resolver, Target, target_of
from tools.net.pacing import Pace, Turn, backoff, retry_after, wait_in_steps
from tools.net.request import Request, Response, validators
from tools.net.robots import LARGEST, Robots
from tools.net.store import Kept, NetStore

log = logging.getLogger("zorora.http")

REDIRECTS = frozenset((301, 302, 303, 307, 308))
BUSY = frozenset((429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529))
REFUSING = frozenset((429, 503, 529))
GONE = frozenset((404, 410))
DAY = 86400.0
_TURN_STEP = 0.25  # seconds between two looks at whether a host may be asked
_LOST_REST = 15.0  # seconds a host is left alone after it could not be reached
_KEPT_HEADERS = ("content-type", "etag", "last-modified", "content-language", "link", "location")
_PAGE_TYPES = (
    "text/",
    "application/json",
    "application/xml",
    "application/xhtml",
    "application/atom",
)


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """Numbers of the [http] section. Times in seconds, sizes in bytes.

    contact: e-mail or address of the user, sent in the User-Agent so that a service can complain.
    allow_fetch_hosts: "host:port" places exempt from the private-address rule for page fetches.
    page_interval: pause between two pages of one host. offline: no socket is opened, kept answers
    serve at any age; offline_reason: why, as part of a sentence.
    """

    version: str = "0"
    contact: str = ""
    connect_timeout: float = 5.0
    read_timeout: float = 15.0
    deadline: float = 30.0
    max_page_bytes: int = 10_000_000
    max_document_bytes: int = 50_000_000
    redirects: int = 5
    retries: int = 2
    backoff: float = 0.5
    page_interval: float = 0.3
    proxy: str | None = None
    allow_fetch_hosts: tuple[str, ...] = ()
    web_seconds: float = DAY
    scholarly_seconds: float = 30 * DAY
    offline: bool = False
    offline_reason: str = "the run is offline"

    @property
    def user_agent(self) -> str:
        contact = "".join(c for c in self.contact if c.isprintable() and c.isascii()).strip()
        return f"zorora/{self.version}" + (f" (+{contact})" if contact else "")


class Http:
    """The door. Safe to use from several threads.

    clock: monotonic seconds (deadlines). wall: seconds since 1970 (cache, pace). sleep: how to
    wait; may raise Cancelled. check: called between steps; raises Cancelled when the user stopped.
    resolver: names to addresses.
    """

    def __init__(
        self,
        settings: HttpSettings,
        store: NetStore,
        *,
        resolver: Resolver | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self.store = store
        self.clock = clock
        self.wall = wall
        self.check: Callable[[], None] = lambda: None
        self.requests = 0
        self.bytes = 0
        self._sleep = sleep
        self._guard = Guard(settings.allow_fetch_hosts, resolver, settings.connect_timeout)
        self._pace = Pace(store.hosts, wall, 2 * settings.connect_timeout)
        self._robots = Robots(self._read_robots)
        self._sessions: dict[bool, Any] = {}
        self._turns: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, request: Request) -> Response:
        """The answer to a request, from the cache when it may. Raises SourceError when there is
        none below 500."""
        target_of(request.url)  # malformed addresses end here
        request = request.addressed()
        if request.deadline is None:
            request = replace(request, deadline=self.clock() + self.settings.deadline)
        redirects_left = self.settings.redirects if request.redirects is None else request.redirects
        hop, cached = request, True
        while True:  # each hop is checked, asked and kept like the first
            response = self._answer(hop)
            cached = cached and response.cached
            location = response.headers.get("location", "")
            if response.status not in REDIRECTS or not location:
                return replace(response, cached=cached)
            _check_redirect(request, redirects_left)
            redirects_left -= 1
            request.permit()
            hop = hop.hop(_next(hop.url, location))

    def close(self) -> None:
        """Close the kept connections."""
        with self._lock:
            for session in self._sessions.values():
                session.close()
            self._sessions.clear()

    def _answer(self, request: Request) -> Response:
        """One hop, from the cache when it may be; equal questions at one time are asked once."""
        if not request.ttl:
            return self._ask_network(request, None)
        with self._alone(request):
            cached = self.store.cache.get(request.cache_key)
            if cached and (self.settings.offline or cached.fresh(self.wall())):
                log.debug("kept answer: %s %s", cached.status, request.url)
                return _from_cache(cached)
            return self._keep(request, cached, self._ask_network(request, cached))

    def _ask_network(self, request: Request, cached: Kept | None) -> Response:
        if self.settings.offline:
            raise SourceError(
                f"nothing is kept of it, and {self.settings.offline_reason}", FailureReason.OFFLINE
            )
        return self._attempts(replace(request, headers={**request.headers, **validators(cached)}))

    @contextmanager
    def _alone(self, request: Request) -> Iterator[None]:
        """Wait for an equal question of another thread to be answered; its answer will be in the
        cache."""
        with self._lock:
            turn = self._turns.setdefault(request.cache_key, threading.Lock())
        while not turn.acquire(timeout=0.1):
            self.check()
            if self._seconds_left(request) <= 0:
                raise SourceError("its time was over before it could be asked")
        try:
            yield
        finally:
            turn.release()

    def _attempts(self, request: Request) -> Response:
        target = target_of(request.url)
        attempt = 0
        while True:
            turn = self._take_turn(request, target)
            if cached := self._answered_meanwhile(request, turn):
                turn.sent()
                return cached
            wait: float | None = None
            rest: float | None = _LOST_REST
            try:
                response = self._once(request, target, turn)
                if response.status not in BUSY:
                    self.store.hosts.answered(target.place)
                    return response
                wait = rest = retry_after(response.headers.get("retry-after"), self.wall())
                problem = SourceError(_refusal(response.status, wait), status=response.status)
                refused = response.status in REFUSING
            except Lost as error:
                if request.receive is not None:
                    raise  # what has come may be of use: the caller asks for the rest
                problem, refused = SourceError(str(error)), isinstance(error, Unreachable)
            if attempt >= self.settings.retries or not self._pause(request, target, attempt, wait):
                if refused:
                    self.store.hosts.refused(target.place, self.wall(), rest)
                raise problem
            request.permit()
            attempt += 1

    def _take_turn(self, request: Request, target: Target) -> Turn:
        """Wait until the host may be asked."""
        self.check()
        interval = self.settings.page_interval if request.interval is None else request.interval
        if request.guard and self._guard.exempt(target):
            interval = request.interval or 0.0
        if request.robots and not self._guard.exempt(target):
            interval = max(interval, self._robots.check(request.url, request.deadline or 0.0))
        waited = False
        while not isinstance(
            turn := self._pace.take(target.place, interval, self._seconds_left(request)), Turn
        ):
            self.wait(min(turn, _TURN_STEP))  # a turn may be free earlier than announced
            waited = True
        turn.waited = waited
        return turn

    def _answered_meanwhile(self, request: Request, turn: Turn) -> Response | None:
        """What another process was answered while this one waited for its turn."""
        cached = self.store.cache.get(request.cache_key) if turn.waited and request.ttl else None
        return _from_cache(cached) if cached and cached.fresh(self.wall()) else None

    def _pause(
        self, request: Request, target: Target, attempt: int, retry_after: float | None
    ) -> bool:
        """Wait before another attempt; False when the time does not allow it."""
        seconds = backoff(attempt, self.settings.backoff) if retry_after is None else retry_after
        if seconds >= self._seconds_left(request):
            return False
        if retry_after:
            self.store.hosts.hold(target.place, self.wall() + retry_after)
        self.wait(seconds)
        return True

    def _once(self, request: Request, target: Target, turn: Turn) -> Response:
        # Loads requests, half a second: only when a request leaves
        from tools.net.transport import Outgoing, exchange

        url, secret = request.with_secret(target)
        try:
            seconds = self._seconds_left(request)
            if seconds <= 0:
                raise SourceError("its time was over before it could be asked")
            limits = Limits(
                self.settings.connect_timeout,
                self.settings.read_timeout,
                seconds,
                partial(self._largest, request),
            )
            headers = {
                "User-Agent": self.settings.user_agent,
                "Accept": "*/*",
                "Accept-Encoding": ACCEPTED,
                **request.headers,
                **secret,
            }
            outgoing = Outgoing(url, headers, request.body, turn.sent, request.receive)
            status, answer_headers, content = exchange(
                self._session(request.guard), outgoing, limits
            )
        finally:
            turn.sent()
        with self._lock:
            self.requests += 1
            self.bytes += len(content)
        log.info("%s %s (%d bytes)", status, request.url, len(content))
        return Response(status, request.url, answer_headers, content, False, self.wall())

    def _keep(self, request: Request, cached: Kept | None, response: Response) -> Response:
        """Put the answer into the cache; a 304 renews the kept one."""
        now, ttl = self.wall(), request.ttl or 0.0
        if response.cached:
            return response
        try:
            if cached and response.status == 304:
                self.store.cache.confirm(cached.key, now, now + ttl)
                return replace(_from_cache(cached), answered_at=now)
            if response.status in {200} | GONE | REDIRECTS:
                self.store.cache.put(_cache_entry(request, response, now, ttl))
        except StorageError as error:
            log.warning("An answer could not be kept: %s", error)
        return response

    def _largest(self, request: Request, media_type: str) -> int:
        if request.max_bytes is not None:
            return request.max_bytes
        page = not media_type or media_type.startswith(_PAGE_TYPES)
        return self.settings.max_page_bytes if page else self.settings.max_document_bytes

    def _session(self, checked: bool) -> Any:
        from tools.net.transport import open_session

        with self._lock:
            if checked not in self._sessions:
                self._sessions[checked] = open_session(self._guard, checked, self.settings.proxy)
            return self._sessions[checked]

    def _read_robots(self, url: str, deadline: float) -> tuple[int, bytes]:
        response = self.get(Request(url, ttl=DAY, max_bytes=LARGEST, deadline=deadline))
        return response.status, response.content

    def _seconds_left(self, request: Request) -> float:
        return (request.deadline or 0.0) - self.clock()

    def wait(self, seconds: float) -> None:
        """Sleep in short steps, so that a stop is noticed."""
        wait_in_steps(seconds, self.clock, self._sleep, self.check)


def _from_cache(cached: Kept) -> Response:
    return Response(
        cached.status, cached.final_url, cached.headers, cached.body, True, cached.stored_at
    )


def _refusal(status: int, retry_after: float | None) -> str:
    what = "rate limited" if status == 429 else f"unavailable (status {status})"
    return f"{what}, asked to wait {retry_after:.0f} s" if retry_after is not None else what


def _next(url: str, location: str) -> str:
    try:
        return urljoin(url, location.strip())
    except ValueError:
        raise SourceError("it redirects to a malformed address") from None


def _check_redirect(request: Request, redirects_left: int) -> None:
    if request.secret or request.body is not None:
        what = "with a key" if request.secret else "that posts something"
        raise SourceError(f"it answers with a redirect, and a request {what} follows none")
    if redirects_left <= 0:
        raise SourceError("it redirects too often")


def _cache_entry(request: Request, response: Response, now: float, ttl: float) -> Kept:
    expires = now + (min(ttl, DAY) if response.status in GONE else ttl)
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    body = b"" if response.status in REDIRECTS else response.content
    return Kept(
        request.cache_key,
        request.url,
        response.url,
        response.status,
        headers,
        body,
        now,
        expires,
    )
