"""The MCP server over streamable HTTP: on this computer alone, and for who sends the access token
of the web page."""

import time
from collections.abc import Callable, MutableMapping
from http import HTTPStatus
from typing import Any

from engine.research_engine import ResearchEngine
from ui.mcp.server import server
from ui.web.access_token import SECONDS, Failures, Token
from ui.web.server import listen

HOST, PORT, PATH = "127.0.0.1", 5001, "/mcp"
Scope = dict[str, Any]
Receive = Callable[[], Any]
Send = Callable[[MutableMapping[str, Any]], Any]


def serve(
    engine: ResearchEngine, port: int, research_id: str | None, say: Callable[[str], object]
) -> None:
    """Serve until interrupted. ConfigError when the port cannot be had."""
    import uvicorn

    listening = listen(HOST, port)
    token = Token(engine.config.home / "web_token")
    secret = None if token.exists() else token.renew()
    say(f"The MCP server is at http://{HOST}:{listening.getsockname()[1]}{PATH}")
    if secret:
        say(f"The access token, shown this once: {secret}")
    else:
        say(
            "It wants the access token that was shown when it was made; `zorora web --new-token` "
            "makes another."
        )
    config = uvicorn.Config(
        application(engine, token, research_id), log_level="warning", access_log=False
    )
    uvicorn.Server(config).run(sockets=[listening])


def application(engine: ResearchEngine, token: Token, research_id: str | None = None) -> "Guard":
    """The ASGI application: the SDK's own, which refuses foreign Host and Origin headers, behind
    the token."""
    return Guard(
        server(engine, research_id).streamable_http_app(streamable_http_path=PATH, host=HOST), token
    )


class Guard:
    """Lets nobody in without the token; ten wrong ones within a minute are the last that are looked
    at."""

    def __init__(self, app: Any, token: Token) -> None:
        self._app, self._token = app, token
        self._failures = Failures(time.monotonic)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = self._refused(scope) if scope["type"] == "http" else None
        if status is None:
            await self._app(scope, receive, send)
            return
        from starlette.responses import JSONResponse

        detail, headers = _REFUSALS[status]
        body = {
            "type": "about:blank",
            "title": status.phrase,
            "status": status.value,
            "detail": detail,
        }
        answer = JSONResponse(body, status, headers, "application/problem+json")
        await answer(scope, receive, send)

    def _refused(self, scope: Scope) -> HTTPStatus | None:
        """Why a request is not let in. The right token always is, whatever others at the same
        address sent."""
        token_header = next(
            (value for name, value in scope["headers"] if name == b"authorization"), b""
        )
        kind, _, secret = token_header.decode("latin-1").partition(" ")
        if kind.lower() == "bearer" and self._token.fits(secret.strip()):
            return None
        address = (scope.get("client") or ("",))[0]
        if self._failures.too_many(address):
            return HTTPStatus.TOO_MANY_REQUESTS
        if secret:
            self._failures.add(address)
        return HTTPStatus.UNAUTHORIZED


# The detail and the headers of an answer
_REFUSALS = {
    HTTPStatus.UNAUTHORIZED: (
        "Send the access token: Authorization: Bearer TOKEN.",
        {"WWW-Authenticate": "Bearer"},
    ),
    HTTPStatus.TOO_MANY_REQUESTS: (
        "Too many wrong tokens. Wait a minute and try again.",
        {"Retry-After": str(int(SECONDS))},
    ),
}
