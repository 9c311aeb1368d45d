"""One exchange with a model's endpoint: bounded in time, stopped within a moment, answer piece by
piece.

Unlike tools/http.py it asks only hosts that the user configured, so these may lie in his own
network; it follows no redirect, keeps nothing, and takes no proxy for this computer. The socket
lives in a thread of its own: the caller looks every tenth of a second whether he shall stop, and
shutting the socket down is what wakes the thread.
"""

import contextlib
import http.client
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tools.errors import Check
from tools.models.faults import Fault
from tools.models.model import Timing, is_loopback
from tools.net.guard import is_metadata, literal_address

CHUNK = 65536
LARGEST = 64_000_000  # bytes of an answer: pictures come as text
LARGEST_ERROR = 200_000
_STEP = 0.1
_NO_BRACKETS = str.maketrans("", "", "[]")  # of an IPv6 address


@dataclass(frozen=True, slots=True)
class Sent:
    """One request. body None: a GET."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)
    timing: Timing = Timing()


@dataclass(frozen=True, slots=True)
class Wire:
    """How endpoints are reached. proxy: for endpoints on other computers.

    offline: why none may be asked, "" when they may. link_local: "host:port" of servers that the
    user allows at addresses where cloud hosts serve machine credentials.
    """

    user_agent: str = "zorora"
    proxy: str | None = None
    clock: Callable[[], float] = time.monotonic
    offline: str = ""
    link_local: frozenset[str] = frozenset()

    def open(self, call: Sent, check_cancelled: Check | None = None) -> "Exchange":
        """Begin an exchange; use it as a context manager. Raises Fault for an address that is
        none, and offline."""
        if self.offline:
            raise Fault("absent", f"it is not asked, because {self.offline}")
        try:
            parts = urlsplit(call.url)
            usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
        except ValueError:
            usable = False
        if not usable or any(ord(c) <= 32 or ord(c) == 127 for c in call.url):
            raise Fault("absent", "its address is not an http or https address")
        return Exchange(self, call, parts, check_cancelled)

    def read(
        self, call: Sent, check_cancelled: Check | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """A whole exchange: status, headers (names in lower case), body. Raises Fault,
        Cancelled."""
        with self.open(call, check_cancelled) as exchange:
            status, headers = exchange.head()
            return status, headers, b"".join(exchange.pieces())


class Exchange:
    """A request on its way. `head` first, then `pieces`."""

    def __init__(
        self, wire: Wire, call: Sent, parts: SplitResult, check_cancelled: Check | None
    ) -> None:
        self._wire = wire
        self._message = call
        self._parts = parts
        self._check = check_cancelled
        self._clock = wire.clock
        self._began = wire.clock()
        self._until = self._began + call.timing.total
        self._events: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._socket: socket.socket | None = None
        self._closed = False
        threading.Thread(target=self._work, daemon=True, name="model call").start()

    def __enter__(self) -> "Exchange":
        return self

    def __exit__(self, *raised: object) -> None:
        self._closed = True
        if (sock := self._socket) is not None:
            with contextlib.suppress(OSError):  # already closed
                sock.shutdown(socket.SHUT_RDWR)

    def head(self) -> tuple[int, dict[str, str]]:
        """Status and headers, names in lower case. Raises Fault, Cancelled."""
        timing = self._message.timing
        self._next(timing.connect, "absent", f"no connection within {timing.connect:g} s")
        status, headers = self._next(timing.first, "silent", f"no answer within {timing.first:g} s")
        return status, headers

    def pieces(self, largest: int = LARGEST) -> Iterator[bytes]:
        """The body as it comes, unpacked by nobody. Raises Fault, Cancelled."""
        patience, total = self._message.timing.first, 0
        while (
            piece := self._next(patience, "silent", f"nothing more came for {patience:g} s")
        ) is not None:
            total += len(piece)
            if total > largest:
                raise Fault("cut", f"its answer is larger than {largest / 1_000_000:g} MB")
            timing = self._message.timing
            self._until = min(self._clock() + timing.total, self._began + timing.longest)
            yield piece

    def _next(self, patience: float, kind: str, phrase: str) -> Any:
        """The next event of the thread, within the patience, the total, and the user's."""
        until = self._clock() + patience
        while True:
            if self._check:
                self._check()
            now = self._clock()
            if now >= self._until:
                raise Fault(
                    "silent",
                    f"the answer was not there within {round(self._until - self._began, 1):g} s",
                )
            if now >= until:
                raise Fault(kind, phrase)
            try:
                what, value = self._events.get(timeout=min(_STEP, until - now, self._until - now))
            except queue.Empty:
                continue
            if what == "fault":
                raise value
            return value

    # --- in the thread ----------------------------------------------------------------------------

    def _work(self) -> None:
        connection: http.client.HTTPConnection | None = None
        try:
            connection = self._connect()
            self._events.put(("open", None))
            response = self._ask(connection)
            headers = {name.lower(): value for name, value in response.getheaders()}
            self._events.put(("head", (response.status, headers)))
            while not self._closed and (piece := response.read1(CHUNK)):
                self._events.put(("data", piece))
            if response.length:  # read1 ends quietly where a body of announced length stops short
                raise Fault(
                    "cut", "the connection broke off in the middle of the answer", again=True
                )
            self._events.put(("end", None))
        except Fault as error:
            self._events.put(("fault", error))
        except (OSError, http.client.HTTPException, UnicodeError, ValueError) as error:
            # ValueError: http.client reads from a file that the shutdown of the socket has closed
            self._events.put(("fault", _in_words(error, self._socket is not None)))
        finally:
            if connection is not None:
                connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        parts, timing = self._parts, self._message.timing
        # Without a port http.client looks for one in the host
        host, port = parts.hostname or "", port_of(parts)
        proxy = self._proxy(host)
        at = proxy or (host, port)
        if parts.scheme == "https":
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                *at, timeout=timing.connect, context=_trust()
            )
            if proxy:
                connection.set_tunnel(host, port)
        else:
            connection = http.client.HTTPConnection(*at, timeout=timing.connect)
        if not is_listed(parts, self._wire.link_local):
            if proxy and (literal := literal_address(host)) and is_metadata(literal):
                raise _link_local()
            connection._create_connection = _connect_elsewhere  # type: ignore[attr-defined]
        connection.connect()
        self._socket = connection.sock
        # The caller keeps the time; this only ends a thread whose caller is gone
        connection.sock.settimeout(timing.total + 1)
        if self._closed:
            raise OSError("closed")
        return connection

    def _proxy(self, host: str) -> tuple[str, int] | None:
        """Host and port of the proxy on the way to a host; none to this machine."""
        if not self._wire.proxy or is_loopback(host):
            return None
        proxy = urlsplit(self._wire.proxy)
        return proxy.hostname or "", proxy.port or 8080

    def _ask(self, connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
        call, parts = self._message, self._parts
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        host = parts.hostname or ""
        if parts.scheme == "http" and self._proxy(host):
            path = call.url
        host = f"[{host}]" if ":" in host else host
        headers = {
            "User-Agent": self._wire.user_agent,
            "Accept-Encoding": "identity",
            "Connection": "close",
            "Host": f"{host}:{parts.port}" if parts.port else host,
            **call.headers,
        }
        connection.request("GET" if call.body is None else "POST", path, call.body, headers)
        return connection.getresponse()


def _connect_elsewhere(
    place: tuple[str, int], timeout: float | None = None, source: tuple[str, int] | None = None
) -> socket.socket:
    """Like socket.create_connection, but to no address where a cloud answers a machine with its
    keys.

    The name is looked up once, and the connection goes to the address that was looked at.
    """
    addresses = [entry[4] for entry in socket.getaddrinfo(*place, type=socket.SOCK_STREAM)]
    if any(is_metadata(ip_address(str(address[0]))) for address in addresses):
        raise _link_local()
    for address in addresses[:-1]:
        with contextlib.suppress(OSError):  # the next one may answer
            return socket.create_connection((str(address[0]), place[1]), timeout, source)
    return socket.create_connection((str(addresses[-1][0]), place[1]), timeout, source)


def _link_local() -> Fault:
    problem = "it lies at a link-local address, where clouds answer with the keys of a machine"
    return Fault(
        "absent", f"{problem}; if it is yours, list it in http.allow_model_hosts of config.toml"
    )


def port_of(parts: SplitResult) -> int:
    """The port of an http or https address."""
    return parts.port or (
        http.client.HTTPS_PORT if parts.scheme == "https" else http.client.HTTP_PORT
    )


def is_listed(parts: SplitResult, places: Collection[str]) -> bool:
    """Whether the server of an address stands in a list of "host:port"."""
    return f"{parts.hostname}:{port_of(parts)}" in {
        place.lower().translate(_NO_BRACKETS) for place in places
    }


# Why there is no connection, and whether another attempt may help; the first that fits counts
_FAULTS: tuple[tuple[type[Exception], str, bool], ...] = (
    (ssl.SSLCertVerificationError, "its certificate cannot be trusted", False),
    (socket.gaierror, "its name is not known (or there is no network)", False),
    (UnicodeError, "its name is not known (or there is no network)", False),
    (ConnectionRefusedError, "nothing is listening there", True),
    (TimeoutError, "no connection in time", False),
    (Exception, "the connection failed", True),
)


def _in_words(error: Exception, connected: bool) -> Fault:
    if connected and not isinstance(error, ssl.SSLCertVerificationError):
        return Fault("cut", "the connection broke off", again=True)
    phrase, again = next(row[1:] for row in _FAULTS if isinstance(error, row[0]))
    return Fault("absent", phrase, again=again)


@cache
def _trust() -> ssl.SSLContext:
    """The authorities to trust, read once per process (25 ms)."""
    import certifi

    return ssl.create_default_context(cafile=certifi.where())
