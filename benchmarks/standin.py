"""A small web server on loopback that stands in for the network: it serves what it is told to, also
the worst.

    with serve() as server:
        server.on("/page", Reply(b"hello"))                 # a path answers
        server.on("/busy", Reply(status=429), Reply(b"ok")) # first this, then that, the last one
        for ever server.url + "/page"

Thread per connection, keep-alive, no dependency. `python -m benchmarks.standin_services` serves the
canned services in a process of its own, so that a benchmark does not count the server's CPU time.
"""

import contextlib
import json
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

_REASONS = {
    200: "OK",
    301: "Moved",
    302: "Found",
    304: "Not Modified",
    404: "Not Found",
    429: "Too Many Requests",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer.

    delay: seconds before anything is sent. drip: seconds between two bytes of the body. cut: close
    after so many bytes of the body. endless: repeat the body for ever. chunked: no length is
    announced. length: announce this instead. raw: send exactly these bytes instead of an HTTP
    answer, and close.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "text/html; charset=utf-8"
    delay: float = 0.0
    drip: float = 0.0
    cut: int | None = None
    endless: bool = False
    chunked: bool = False
    length: int | None = None
    raw: bytes | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came. headers: names in lower case. query: last value of each parameter, of
    posted JSON too."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    target: str
    at: float
    body: bytes = b""


Route = Reply | Callable[[Asked], Reply]


class Standin:
    """The running server. `asked` is everything that was requested, in order."""

    def __init__(
        self, host: str = "127.0.0.1", wrap: Callable[[socket.socket], socket.socket] | None = None
    ) -> None:
        self.requests: list[Asked] = []
        self.connections = 0
        self._routes: dict[str, list[Route]] = {}
        self._lock = threading.Lock()
        self._server = _Server((host, 0), self, wrap)
        self.port: int = self._server.server_address[1]
        self.place = f"{host}:{self.port}"
        self.url = f"http://{self.place}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()

    def on(self, path: str, *replies: Route) -> str:
        """Answer a path, and everything below it when it ends in "/", with these in turn. Returns
        the address."""
        self._routes[path] = list(replies)
        return self.url + path

    def count(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(1 for request in list(self.requests) if request.path == path)

    def close(self) -> None:
        with contextlib.suppress(
            OSError
        ):  # ends the wait for the next connection, where the system allows it
            self._server.socket.shutdown(socket.SHUT_RDWR)
        self._server.shutdown()
        self._server.close_all()
        self._server.server_close()
        self._thread.join()

    def reply_to(self, request: Asked) -> Reply:
        with self._lock:
            self.requests.append(request)
            route = self._next(request.path)
        return route(request) if callable(route) else route

    def _next(self, path: str) -> Route:
        prefixes = sorted(
            (p for p in self._routes if p.endswith("/") and path.startswith(p)),
            key=len,
            reverse=True,
        )
        replies = self._routes.get(path) or (
            self._routes[prefixes[0]] if prefixes else [Reply(b"no", 404)]
        )
        return replies.pop(0) if len(replies) > 1 else replies[0]


@contextmanager
def serve(**options: Any) -> Iterator[Standin]:
    """A running server, closed at the end."""
    server = Standin(**options)
    try:
        yield server
    finally:
        server.close()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128
    block_on_close = False

    def __init__(
        self,
        address: tuple[str, int],
        owner: Standin,
        wrap: Callable[[socket.socket], socket.socket] | None,
    ) -> None:
        self.owner = owner
        self.closing = False
        self._wrap = wrap
        self._open: set[socket.socket] = set()
        super().__init__(address, _Connection)

    def get_request(self) -> tuple[socket.socket, Any]:
        sock, address = super().get_request()
        self._open.add(sock)
        self.owner.connections += 1
        return sock, address

    def finish_request(self, request: Any, client_address: Any) -> None:
        if self._wrap is None:
            super().finish_request(request, client_address)
            return
        with self._wrap(request) as sock:
            super().finish_request(sock, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that hung up is no error here."""

    def close_all(self) -> None:
        self.closing = True
        for sock in list(self._open):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


def _posted(body: bytes) -> dict[str, str]:
    """The values of a posted JSON object, as text."""
    try:
        values = json.loads(body)
    except ValueError:
        return {}
    return {name: str(value) for name, value in values.items()} if isinstance(values, dict) else {}


class _Connection(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    server: _Server

    def handle(self) -> None:
        while (line := self.rfile.readline(65537)) and line.strip():
            target = line.split(b" ")[1].decode("latin-1")
            headers = self._headers()
            parts = urlsplit(target)
            query = {
                name: values[-1]
                for name, values in parse_qs(parts.query, keep_blank_values=True).items()
            }
            body = self.rfile.read(int(headers.get("content-length", "0")))
            request = Asked(
                unquote(parts.path), query | _posted(body), headers, target, time.monotonic(), body
            )
            if (
                not self._send(self.server.owner.reply_to(request))
                or headers.get("connection", "").lower() == "close"
            ):
                return

    def _headers(self) -> dict[str, str]:
        headers = {}
        while (line := self.rfile.readline(65537).strip()) and b":" in line:
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.strip().lower()] = value.strip()
        return headers

    def _send(self, reply: Reply) -> bool:
        """Send an answer; False when the connection is over with it."""
        if reply.delay:
            time.sleep(reply.delay)
        if reply.raw is not None:
            self.wfile.write(reply.raw)
            return False
        length = len(reply.body) if reply.length is None else reply.length
        size = (
            {"Transfer-Encoding": "chunked"} if reply.chunked else {"Content-Length": str(length)}
        )
        if reply.endless and not reply.chunked:
            size = {}
        headers = {"Content-Type": reply.media_type, **size, **reply.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = (
            f"HTTP/1.1 {reply.status} {_REASONS.get(reply.status, 'Status')}\r\n{lines}\r\n".encode(
                "latin-1"
            )
        )
        if not (reply.drip or reply.endless or reply.chunked or reply.cut is not None):
            self.wfile.write(head + (b"" if reply.status == 304 else reply.body))
            return reply.length is None
        self.wfile.write(head)
        return self._body(reply)

    def _body(self, reply: Reply) -> bool:
        body = reply.body if reply.cut is None else reply.body[: reply.cut]
        while True:
            pieces = [body[i : i + 1] for i in range(len(body))] if reply.drip else [body]
            for piece in pieces:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if reply.chunked else piece)
                if reply.drip:
                    self.wfile.flush()
                    time.sleep(reply.drip)
                if self.server.closing:
                    return False
            if not reply.endless:
                break
        if reply.cut is not None:
            return False
        if reply.chunked:
            self.wfile.write(b"0\r\n\r\n")
        return True
