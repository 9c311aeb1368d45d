"""The outermost handler of the web page: every problem becomes a page or a JSON answer that says
what to do."""

import logging
import secrets
import traceback
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from flask import Response, current_app, g, jsonify, make_response, render_template, request
from markupsafe import escape
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from engine.models import (
    Cancelled,
    ConfigError,
    Conflict,
    ModelError,
    NotFound,
    ParseError,
    Refused,
    SourceError,
    StorageError,
    ZororaError,
)
from ui.web.access_token import SECONDS
from ui.web.context import this_page

log = logging.getLogger("zorora.web")

PROBLEM_TYPE = "application/problem+json"

STATUS: tuple[tuple[type[ZororaError], int], ...] = (
    (NotFound, 404), (Conflict, 409), (Refused, 403), (ConfigError, 400), (ParseError, 422),
    (Cancelled, 409),
    (SourceError, 502), (ModelError, 502), (StorageError, 503), (ZororaError, 400),
)  # fmt: skip

HEADINGS = {
    400: "This request cannot be carried out",
    401: "Access token needed",
    403: "Not allowed",
    404: "Page not found",
    405: "This address does not support that",
    409: "Something changed in the meantime",
    413: "Too large",
    415: "This kind of data is not supported",
    422: "Not readable",
    429: "Too many attempts",
    502: "A service gave an invalid answer",
    503: "The stored data is unavailable",
}
SENTENCES = {
    400: "The request could not be understood.",
    404: "There is no page at this address.",
    405: "This address does not accept this request; start from the first page.",
    413: "One file may have 50 MB and one upload 200 MB; a question may have 20 000 characters.",
    415: "Send JSON with the header Content-Type: application/json.",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """What an error page shows. number: of the log entry, only for our own faults; place: where
    they happened."""

    status: int
    heading: str
    sentence: str
    number: str = ""
    place: str = ""


def answer(exception: Exception) -> Response:
    """The answer to a request that failed."""
    if isinstance(exception, HTTPException) and (exception.code or 500) < 400:
        return make_response(exception.get_response())
    problem = describe(exception)
    response = as_json(problem) if wants_json() else as_page(problem)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if problem.status == 429:
        response.headers["Retry-After"] = str(int(SECONDS))
    if isinstance(exception, MethodNotAllowed) and exception.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(exception.valid_methods))
    return response


def describe(exception: Exception) -> Problem:
    """Status and sentence of an exception; an unexpected one is logged under a number."""
    if isinstance(exception, ZororaError):
        status = next(code for kind, code in STATUS if isinstance(exception, kind))
        if isinstance(exception, ModelError) and exception.kind == "unset":
            status = 400  # nobody was asked, so nobody failed
        return Problem(status, HEADINGS[status], str(exception) or HEADINGS[status])
    if isinstance(exception, HTTPException) and exception.code and exception.code < 500:
        return _of_http(exception, exception.code)
    number, place = secrets.token_hex(2), ""
    if current_app.config["SHOW_FAULTS"]:
        # Files, lines and the kind of fault. Its message is left to the log, which hides keys
        place = "".join(traceback.format_tb(exception.__traceback__)) + type(exception).__name__
    log.error("request %s failed, number %s", request.path, number, exc_info=exception)
    return Problem(
        500,
        "Something went wrong inside Zorora.",
        "Your reports are safe; this page could not be made. Load it again; "
        "if it fails again, the log says why under the number below.",
        number,
        place,
    )


def _of_http(exception: HTTPException, status: int) -> Problem:
    """A refusal of werkzeug's; its own description counts only where we wrote it."""
    is_ours = type(exception).description != exception.description
    sentence = (exception.description if is_ours else None) or SENTENCES.get(status, SENTENCES[400])
    return Problem(status, HEADINGS.get(status, HEADINGS[400]), sentence)


def wants_json() -> bool:
    """Whether the request is one to the interface for programs."""
    return request.path.startswith("/api/")


def as_json(problem: Problem) -> Response:
    response = jsonify(problem_details(problem))
    response.status_code = problem.status
    response.mimetype = PROBLEM_TYPE
    return response


def problem_details(problem: Problem) -> dict[str, Any]:
    """A problem by RFC 9457; log_entry: the number of an entry of our log, only where the fault is
    ours."""
    details = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": problem.sentence,
    }
    return {**details, "log_entry": problem.number} if problem.number else details


def as_page(problem: Problem) -> Response:
    """The error page; a bare one under a foreign name, and when no other can be made (no database,
    no key)."""
    try:
        page = bare(problem) if g.get("foreign") else full(problem)
    except Exception:
        log.exception("the error page could not be made")
        page = bare(problem)
    return make_response(page, problem.status)


def full(problem: Problem) -> str:
    same_page = this_page() if request.method == "GET" else ""
    return render_template(
        "error.html",
        problem=problem,
        asked=request.path[:200],
        back=came_from(),
        same_page=same_page,
    )


def came_from() -> str:
    """The page that a refused form stood on, as far as its address tells; "" for a page that was
    only looked at."""
    first, _, rest = request.path.lstrip("/").partition("/")
    if request.method == "GET":
        return ""
    if first == "research":
        return f"/research/{quote(rest.partition('/')[0])}" if rest else "/"
    return f"/{first}" if first in ("library", "settings", "history", "import") else ""


def bare(problem: Problem) -> str:
    number = (
        f"<p>Number of the log entry: <code>{problem.number}</code></p>" if problem.number else ""
    )
    doctor = (
        "<p>On the command line, <code>zorora doctor</code> finds out what is wrong with the "
        "stored data.</p>"
    )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Zorora</title>'
        '<link rel="stylesheet" href="/static/zorora.css"></head><body><main class="grid"><div '
        'class="text">'
        f'<h1 class="title">{escape(problem.heading)}</h1><p>{escape(problem.sentence)}</p>{number}'
        f"{'' if g.get('foreign') else doctor}</div></main></body></html>"
    )
