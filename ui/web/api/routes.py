"""The table of routes as addresses of the application, and the design's short address
/api/research."""

from functools import cache, partial
from typing import Any

from flask import Blueprint, Response, g, jsonify, request
from werkzeug.exceptions import MethodNotAllowed, NotFound

from engine.answers import JobStatus
from ui.web import forms
from ui.web.api import research
from ui.web.api.model import Route, plain, read_input
from ui.web.api.openapi import POLL_SECONDS, PREFIX, document
from ui.web.api.table import ROUTES

bp = Blueprint("api", __name__, url_prefix=PREFIX)
short = Blueprint("short", __name__)


def respond(route: Route, /, **path: Any) -> Response:
    """Read the input, call the view, answer with JSON."""
    return as_json(route, route.view(**read_input(route, path)))


def as_json(route: Route, value: Any) -> Response:
    """A result with the status that is declared for its type."""
    if isinstance(value, Response):
        return value
    answer = jsonify(plain(value))
    answer.status_code = next(
        (status for status, kind in route.answers.items() if kind is type(value)), route.status
    )
    if answer.status_code == 202 and isinstance(value, JobStatus):
        answer.headers["Location"] = f"{PREFIX}/research/{value.research_id}"
        answer.headers["Retry-After"] = str(POLL_SECONDS)
    return answer


for _route in ROUTES:
    bp.add_url_rule(_route.path, _route.name, partial(respond, _route), methods=[_route.method])

START = next(route for route in ROUTES if route.name == "start")


@bp.get("/openapi.json")
def openapi() -> Response:
    """The description of this interface."""
    return jsonify(described())


@cache
def described() -> dict[str, Any]:
    """The document, which is the same as long as the program runs."""
    return document(ROUTES)


@bp.route("/<path:unknown>", methods=["GET", "POST", "PUT", "DELETE", "PATCH"])
def unknown(unknown: str) -> Response:
    raise NotFound(
        "There is nothing at this address. The interface is described at /api/v1/openapi.json."
    )


@short.post("/api/research")
def start() -> Response:
    """The same as POST /api/v1/research."""
    return respond(START)


@short.get("/api/research")
def start_by_get() -> Response:
    """Starts only for programs with the token: a GET from a page must never start work."""
    if not g.get("bearer"):
        raise MethodNotAllowed(
            ["POST"], "Start a report with POST /api/v1/research, or send the access token."
        )
    args = request.args
    wait = min(300.0, max(0.0, args.get("wait", 0.0, type=float)))
    return as_json(
        START,
        research.start(
            args.get("q", ""), depth=forms.depth(args.get("depth"), 0) or None, wait=wait
        ),
    )
