"""Large bodies are taken in only from those who may send them.

waitress reads a whole request, into a file when it is large, before the application sees its first line. So the headers
of a large one are looked at here, and who would be refused is refused before anything is kept.
"""

from http import HTTPStatus
from io import BytesIO

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import Error
from werkzeug.exceptions import HTTPException

from engine.models import ZororaError
from ui.web.errors import describe
from ui.web.security import FORM_BYTES, check_sender


class Turned(Error):  # type: ignore[misc]
    """An answer to the headers alone."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.reason = status, HTTPStatus(status).phrase


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
                self.body_rcv, self.chunked, self.content_length, self.expect_continue = None, False, 0, False

    class Channel(HTTPChannel):  # type: ignore[misc]
        parser_class = Parser

    return Channel


def refusal(app: Flask, asked: HTTPRequestParser) -> Turned | None:
    """Why a body is not taken in; None when it is."""
    environ = {f"HTTP_{name}": value for name, value in asked.headers.items()}
    environ |= {
        "REQUEST_METHOD": asked.command, "PATH_INFO": asked.path, "SERVER_NAME": "localhost",
        "SERVER_PORT": str(app.config["PORT"] or 80), "wsgi.url_scheme": "http", "wsgi.input": BytesIO(),
    }  # fmt: skip
    with app.request_context(environ):
        try:
            check_sender()
        except (ZororaError, HTTPException) as problem:
            told = describe(problem)
            return Turned(told.status, told.sentence)
    return None
