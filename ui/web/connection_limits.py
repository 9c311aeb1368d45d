"""What connections may take of the server before a request is complete: bodies, time, and room for
others.

waitress reads a whole request, into a file when it is large, before the application sees its first
line. So the headers of a large one are looked at here, and who would be refused is refused before
anything is kept. It also waits two minutes for a connection that says nothing, and beyond a limit
takes no new ones: a hundred silent connections would shut everybody else out. Here they have less
time, and make room when somebody comes.
"""

import json
import time
from collections.abc import Collection
from http import HTTPStatus
from io import BytesIO
from typing import Any

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import Error
from werkzeug.exceptions import HTTPException

from engine.models import ZororaError
from ui.web.errors import PROBLEM_TYPE, Problem, describe, problem_details, wants_json
from ui.web.security import FORM_BYTES, check_sender

CONNECTIONS = 100  # beyond these a new one takes the place of one that waits
MOST = 1000  # beyond these nobody is let in until one ends
REQUEST_SECONDS = 20.0  # for the headers of a request, and for the first byte of a connection


class Turned(Error):  # type: ignore[misc]
    """An answer to the headers alone; to a program in JSON, as every other problem."""

    def __init__(self, problem: Problem, is_api: bool) -> None:
        super().__init__(problem.sentence)
        self.code, self.reason = problem.status, HTTPStatus(problem.status).phrase
        self._details = problem_details(problem) if is_api else None

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        status, headers, body = super().to_response(ident)
        if self._details is not None:
            headers, body = [("Content-Type", PROBLEM_TYPE)], json.dumps(self._details).encode()
        return status, headers, body


def channel(app: Flask) -> type[HTTPChannel]:
    """The connections of a server of this application."""

    class Parser(HTTPRequestParser):  # type: ignore[misc]
        chunked: bool
        content_length: int

        def parse_header(self, header_plus: bytes) -> None:
            super().parse_header(header_plus)
            if self.chunked or self.content_length > FORM_BYTES:
                self.error = refusal(app, self)
            if self.error:  # nothing more is read of it
                self.body_rcv, self.chunked, self.content_length, self.expect_continue = (
                    None,
                    False,
                    0,
                    False,
                )

    class Channel(Connection):
        parser_class = Parser

    return Channel


class Connection(HTTPChannel):  # type: ignore[misc]
    """One connection, in the one thread that looks after all of them."""

    def __init__(self, server: Any, *arguments: Any, **more: Any) -> None:
        self.waits_since = time.monotonic()  # for the headers of a request
        super().__init__(server, *arguments, **more)
        make_room(server.active_channels.values())

    def received(self, data: bytes) -> bool:
        if self.request is None and not self.requests:
            self.waits_since = time.monotonic()
        return bool(super().received(data))

    def readable(self) -> bool:
        """Asked at least once a second."""
        is_new = self.request is None and self.last_activity == self.creation_time
        in_headers = self.request is not None and not self.request.headers_finished
        if (is_new or in_headers) and time.monotonic() - self.waits_since > REQUEST_SECONDS:
            self.will_close = True
        return bool(super().readable())

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is owed to the other side: no request of it is complete, no answer on its
        way."""
        return not (self.requests or self.total_outbufs_len or self.will_close)


def make_room(connections: Collection[Connection]) -> None:
    """Close the connection that has waited longest for the other side, where there are too many."""
    if len(connections) <= CONNECTIONS:
        return
    waiting = [connection for connection in connections if connection.is_waiting]
    if waiting:
        min(waiting, key=lambda connection: connection.waits_since).will_close = True


def refusal(app: Flask, parser: HTTPRequestParser) -> Turned | None:
    """Why a body is not taken in; None when it is."""
    environ = {f"HTTP_{name}": value for name, value in parser.headers.items()}
    environ |= {
        "REQUEST_METHOD": parser.command, "PATH_INFO": parser.path, "SERVER_NAME": "localhost",
        "SERVER_PORT": str(app.config["PORT"] or 80), "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
    }  # fmt: skip
    with app.request_context(environ):
        try:
            check_sender()
        except (ZororaError, HTTPException) as problem:
            return Turned(describe(problem), wants_json())
    return None
