"""The transport under tools/http.py: connects to checked addresses only, and lets no answer outlive
its deadline.

Loads requests (half a second), so tools/http.py imports this module when the first request leaves.
"""

import contextlib
import http.client
import logging
import os
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import certifi
import requests
from requests.adapters import HTTPAdapter
from urllib3 import exceptions as faults
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from tools.errors import SourceError
from tools.net.body import CHUNK, Limits, Lost, Unreachable, read_body
from tools.net.guard import Guard, NameUnknown, target_of
from tools.net.request import Receive

_ADDRESSES_TRIED = 3
_TOO_LATE = "it did not answer in the time it had"
# .cutoff: the Cutoff of this thread's request; .report_sent: called when it has left
_running = threading.local()

# urllib3 writes whole request lines, keys in them included, to its debug log
logging.getLogger("urllib3").setLevel(logging.WARNING)


class Cutoff:
    """Ends the connections of one request when its time is over.

    The timeouts of a socket count from the last byte, so a server that drips can hold a reader for
    ever; shutting the socket down from outside is what wakes the reader. A duplicate descriptor
    stays valid while TLS takes the first one over.
    """

    def __init__(self, seconds: float) -> None:
        self._lock = threading.Lock()
        self._watched: list[socket.socket] = []
        self.over = False
        self._timer = threading.Timer(max(seconds, 0.0), self._cut)
        self._timer.daemon = True

    def __enter__(self) -> "Cutoff":
        _running.cutoff = self
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        _running.cutoff = None
        with self._lock:
            for sock in self._watched:
                sock.close()
            self._watched.clear()

    def watch(self, sock: socket.socket) -> None:
        """Add a connection of this request."""
        with self._lock:
            self._watched.append(socket.socket(fileno=os.dup(sock.fileno())))
        if self.over:
            self._cut()

    def _cut(self) -> None:
        with self._lock:
            self.over = True
            for sock in self._watched:
                with contextlib.suppress(OSError):  # the other side may have closed it already
                    sock.shutdown(socket.SHUT_RDWR)


def _watch(sock: Any) -> None:
    cutoff = getattr(_running, "cutoff", None)
    if cutoff is not None and sock is not None:
        cutoff.watch(sock)


class _Plain(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        sock = super()._new_conn()
        _watch(sock)
        return sock

    def request(self, *args: Any, **kwargs: Any) -> None:
        _watch(self.sock)  # a connection kept from an earlier request
        super().request(*args, **kwargs)
        report_sent = getattr(_running, "report_sent", None)
        if report_sent is not None:
            report_sent()


class _Secure(_Plain, HTTPSConnection):
    """The same over TLS: what `_Plain` adds comes before HTTPSConnection."""


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _Secure


_POOLS = {"http": _PlainPool, "https": _SecurePool}


class PinnedAdapter(HTTPAdapter):
    """Resolves and checks the host of every request, then connects to that very address.

    checked: whether private addresses are refused (page fetches) or not (a configured base_url).
    TLS still names the host: server name indication and the certificate check use it, not the
    address.
    """

    def __init__(self, guard: Guard, checked: bool, context: ssl.SSLContext) -> None:
        self._guard = guard
        self._checked = checked
        self._context = context
        super().__init__(pool_connections=32, pool_maxsize=8, max_retries=0)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def send(
        self, request: requests.PreparedRequest, *args: Any, **kwargs: Any
    ) -> requests.Response:
        target = target_of(request.url or "")
        if (kwargs.get("proxies") or {}).get(target.scheme):
            # The proxy resolves the name; what we can see of it is checked all the same
            with contextlib.suppress(NameUnknown):  # behind some proxies no name can be resolved
                self._guard.addresses(target, self._checked)
            _running.address = None
            return super().send(request, *args, **kwargs)
        request.headers["Host"] = target.netloc
        addresses = self._guard.addresses(target, self._checked)[:_ADDRESSES_TRIED]
        for address in addresses[:-1]:
            try:
                _running.address = address
                return super().send(request, *args, **kwargs)
            except requests.exceptions.ConnectionError:
                continue  # the next address of the same host may answer
        _running.address = addresses[-1]
        return super().send(request, *args, **kwargs)

    def get_connection_with_tls_context(
        self, request: requests.PreparedRequest, verify: Any, proxies: Any = None, cert: Any = None
    ) -> Any:
        address = getattr(_running, "address", None)
        if address is None:
            return super().get_connection_with_tls_context(
                request, verify, proxies=proxies, cert=cert
            )
        target = target_of(request.url or "")
        tls = {"ssl_context": self._context, "server_hostname": target.host}
        return self.poolmanager.connection_from_host(
            address,
            target.port,
            target.scheme,
            pool_kwargs=tls if target.scheme == "https" else {},
        )

    def proxy_manager_for(self, proxy: str, **proxy_kwargs: Any) -> Any:
        """Connections through a proxy end at the deadline like all others."""
        manager = super().proxy_manager_for(proxy, **proxy_kwargs)
        manager.pool_classes_by_scheme = _POOLS
        return manager

    def cert_verify(self, conn: Any, url: str, verify: Any, cert: Any) -> None:
        """Nothing to add: the shared context requires and checks certificates.

        The original would load the authorities anew for every connection, 20 ms each.
        """
        if getattr(_running, "address", None) is None:
            super().cert_verify(conn, url, verify, cert)  # type: ignore[no-untyped-call]


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> None:
        """Redirects are ours to follow; looking at one here would read its body without any
        bound."""
        return None


def open_session(guard: Guard, checked: bool, proxy: str | None) -> requests.Session:
    """A session that reads no environment, keeps no cookies and follows nothing by itself."""
    session = _Session()
    session.trust_env = False
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    session.headers.clear()
    if proxy:
        session.proxies = {"http": proxy, "https": proxy}
    adapter = PinnedAdapter(guard, checked, _context())
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session


@cache
def _context() -> ssl.SSLContext:
    """The authorities to trust, read once per process (25 ms)."""
    return ssl.create_default_context(cafile=certifi.where())


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One request as it leaves: a GET, or a POST of `body`. sent: called when the last byte of it
    was written.

    receive: takes the body of a good answer instead of the caller.
    """

    url: str
    headers: dict[str, str]
    body: bytes | None = None
    report_sent: Callable[[], None] | None = None
    receive: Receive | None = None


def exchange(
    session: requests.Session, outgoing: Outgoing, limits: Limits
) -> tuple[int, dict[str, str], bytes]:
    """Send a request: status, headers (names in lower case) and the whole answer.

    Raises Lost when another attempt may help, SourceError when not. Their words never hold the
    address.
    """
    _running.report_sent = outgoing.report_sent
    with Cutoff(limits.total) as cutoff:
        try:
            answer = _send(session, _prepared(session, outgoing), limits, outgoing.receive)
            if cutoff.over:
                raise SourceError(_TOO_LATE)
            return answer
        except (Lost, OSError) as error:
            if cutoff.over:
                raise SourceError(_TOO_LATE) from None
            raise (error if isinstance(error, Lost) else Lost("the connection broke off")) from None


def _send(
    session: requests.Session,
    request: requests.PreparedRequest,
    limits: Limits,
    receive: Receive | None,
) -> tuple[int, dict[str, str], bytes]:
    timeout = (min(limits.connect, limits.total), min(limits.read, limits.total))
    settings = session.merge_environment_settings(request.url or "", {}, True, None, None)
    try:
        response = session.send(request, allow_redirects=False, timeout=timeout, **settings)
    except requests.exceptions.RequestException as error:
        raise _in_words(error, limits) from None
    try:
        headers = {name.lower(): value for name, value in response.headers.items()}
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        chunks = response.raw.stream(CHUNK, decode_content=False)
        if receive and response.status_code in (200, 206):
            receive(response.status_code, headers, chunks)
            return response.status_code, headers, b""
        return response.status_code, headers, read_body(chunks, headers, limits.largest(media_type))
    except faults.ReadTimeoutError:
        raise Lost(f"no more of the answer came for {limits.read:g} s") from None
    except (faults.HTTPError, http.client.HTTPException):
        raise Lost("the answer was cut off") from None
    finally:
        response.close()


def _prepared(session: requests.Session, outgoing: Outgoing) -> requests.PreparedRequest:
    try:
        method = "GET" if outgoing.body is None else "POST"
        return session.prepare_request(
            requests.Request(method, outgoing.url, headers=outgoing.headers, data=outgoing.body)
        )
    except (requests.exceptions.RequestException, UnicodeError):
        raise SourceError("the address or a header is malformed") from None


def _in_words(error: requests.exceptions.RequestException, limits: Limits) -> SourceError:
    if isinstance(error, requests.exceptions.ConnectTimeout):
        return Unreachable(f"no connection within {limits.connect:g} s")
    if isinstance(error, requests.exceptions.ReadTimeout):
        return Lost(f"no answer within {limits.read:g} s")
    if isinstance(error, requests.exceptions.ProxyError):
        return Unreachable("the proxy could not be reached or refused")
    if isinstance(error, requests.exceptions.SSLError):
        if "CERTIFICATE_VERIFY_FAILED" in str(error) or "match" in str(error):
            return SourceError("its certificate cannot be trusted")
        return Lost("the secure connection failed")
    if isinstance(error, requests.exceptions.ConnectionError):
        hung_up = bool(error.args) and isinstance(error.args[0], faults.ProtocolError)
        return Lost("the connection broke off") if hung_up else Unreachable("the connection failed")
    return SourceError("the answer is not proper HTTP")
