"""What is asked of the network and what comes back: a request, the key it may carry, its answer."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode, urlsplit, urlunsplit

from tools.errors import SourceError
from tools.net.guard import Target
from tools.net.store import Kept

# Takes the body of a 200 or 206 as it comes: status, headers (names in lower case), pieces
Receive = Callable[[int, Mapping[str, str], Iterable[bytes]], None]
# Headers that let a service confirm a kept answer, and what they repeat of it
_VALIDATORS = {"If-None-Match": "etag", "If-Modified-Since": "last-modified"}


@dataclass(frozen=True, slots=True)
class Secret:
    """A key and where it may go: params or headers that are added last, and only to this origin."""

    origin: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Secret({self.origin})"


@dataclass(frozen=True, slots=True)
class Request:
    """One GET, or a POST of `body` (a question that a service takes in no other way). url gets
    `params` added.

    ttl: seconds the answer may be kept and reused; None or 0 = never. deadline: moment of
    `Http.clock` at which the answer must be there, waiting and retries included. max_bytes: None =
    by media type. guard: refuse private addresses; False only for a configured base_url. interval:
    seconds between requests to this host, None = default. robots: obey robots.txt. permit: called
    before every further request that this one leads to, a second attempt or the next hop of a
    redirect; raises SourceError when there may be no more. kept_as: params whose value in the key
    of the cache is not the one sent ("90 days" instead of two dates, which are others tomorrow).
    receive: takes the body instead of `Response.content`; a connection that breaks off is then not
    asked again here, but raised as Lost.
    """

    url: str
    params: Mapping[str, str | int] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    ttl: float | None = None
    max_bytes: int | None = None
    deadline: float | None = None
    guard: bool = True
    redirects: int | None = None
    secret: Secret | None = None
    interval: float | None = None
    robots: bool = False
    body: bytes | None = None
    permit: Callable[[], None] = lambda: None
    kept_as: Mapping[str, str] = field(default_factory=dict)
    kept_url: str = ""
    receive: Receive | None = None

    def addressed(self) -> "Request":
        """The same with its params in the address."""
        if not self.params:
            return self
        address = with_params(self.url, {**self.params, **self.kept_as}) if self.kept_as else ""
        return replace(
            self, url=with_params(self.url, self.params), params={}, kept_as={}, kept_url=address
        )

    def hop(self, url: str) -> "Request":
        """The same request to the address that a redirect names; only a configured address is
        exempt from the guard."""
        return replace(self, url=url, kept_url="", guard=True)

    @property
    def cache_key(self) -> str:
        """sha256 of what is asked: address without fragment, host in lower case, and what varies
        it: body and headers, but for those that let an answer be confirmed."""
        parts = urlsplit(self.kept_url or self.url)
        url = urlunsplit(
            (parts.scheme.lower(), parts.netloc.lower(), parts.path or "/", parts.query, "")
        )
        headers = sorted(
            (name.lower(), value) for name, value in self.headers.items() if name not in _VALIDATORS
        )
        fingerprint = hashlib.sha256(
            json.dumps(["GET" if self.body is None else "POST", url, headers]).encode()
        )
        fingerprint.update(self.body or b"")
        return fingerprint.hexdigest()

    def with_secret(self, target: Target) -> tuple[str, Mapping[str, str]]:
        """The address with the key in it and the headers that carry it, for this one request
        only."""
        if self.secret is None:
            return self.url, {}
        if target.origin != self.secret.origin:
            raise SourceError("its key was entered for another address and is not sent to this one")
        return with_params(self.url, self.secret.params), self.secret.headers


@dataclass(frozen=True, slots=True)
class Response:
    """An answer, whatever its status below 500. headers: names in lower case. answered_at: seconds
    since 1970."""

    status: int
    url: str
    headers: Mapping[str, str]
    content: bytes
    cached: bool = False
    answered_at: float = 0.0


def with_params(url: str, params: Mapping[str, str | int]) -> str:
    """The address with these parameters added, without its fragment."""
    parts = urlsplit(url)
    query = "&".join(
        part for part in (parts.query, urlencode(list(params.items()), errors="replace")) if part
    )
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", query, ""))


def validators(cached: Kept | None) -> dict[str, str]:
    """Headers that let the service confirm a kept answer."""
    if cached is None or cached.status != 200:
        return {}
    return {
        name: cached.headers[header]
        for name, header in _VALIDATORS.items()
        if cached.headers.get(header)
    }
