"""Answers that several pages give (another page with a message, a part of a live page, a file), and
addresses of this server that stand in links, forms and redirects."""

from typing import Any

from flask import Response, flash, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse


def see_other(address: str, message: str, category: str = "message") -> AnyResponse:
    """Another page, which begins with a message."""
    flash(message, category)
    return redirect(address, 303)


def live_part(template: str, running: bool, **values: Any) -> Response:
    """The part of a page that changes, for HTMX; at the end the page is loaded again."""
    answer = make_response(render_template(template, **values))
    if not running:
        answer.headers["HX-Refresh"] = "true"
    return answer


def attachment(data: bytes | str, media_type: str, file_name: str) -> Response:
    """A file to keep. It may not run or load anything if a browser shows it after all."""
    answer = make_response(data)
    answer.headers["Content-Type"] = media_type
    answer.headers.set("Content-Disposition", "attachment", filename=file_name)
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer


def own_path(target: str) -> str:
    """A path on this server, never another site: "//x" and "/\\x" would lead away."""
    plain = target.startswith("/") and not target.startswith(("//", "/\\"))
    return target if plain and target.isprintable() else "/"


def this_page() -> str:
    """The address of the page that was asked for, of a form without its query; another site's
    becomes "/".

    A request for `/%5cevil.example/` arrives here as `/\\evil.example/`, which browsers take for
    another site.
    """
    return own_path(request.full_path.rstrip("?") if request.method == "GET" else request.path)
