"""Pages of finished researches, kept in this process while nothing that they show changes; 304 for
who has them.

A page is kept without the token of its forms: a placeholder stands there, so that every visitor
gets a token of their own. What a page shows besides the research (theme, notices about the
configuration) is part of its key; a page with a message of this visit is never kept. Browsers may
keep a page too, and must ask before they show it again.
"""

import hashlib
import secrets
from collections.abc import Callable
from typing import cast

from flask import Response, current_app, g, make_response, request, session
from jinja2.utils import LRUCache

from ui.web.context import configuration_problems, this_page
from ui.web.filters import theme
from ui.web.security import served_here
from ui.web.session import csrf_token

MOST, LARGEST = 40, 1_000_000  # kept at once, and bytes of one


class Pages:
    """What one application keeps. salt: new with every start, so that no browser shows a page of an
    older program."""

    def __init__(self) -> None:
        self.salt = secrets.token_hex(16)
        self.placeholder = secrets.token_hex(32)
        self.pages, self.files = LRUCache(MOST), LRUCache(MOST)

    def digest(self, *parts: object) -> str:
        return hashlib.sha256(repr((self.salt, *parts)).encode()).hexdigest()


def page(version: str, render: Callable[[], str], *depends: object) -> Response:
    """A page from the cache, or rendered; 304 when the browser has it.

    version: of the research, "" for a page that must not be kept. depends: whatever else the page
    shows.
    """
    if not version or request.method not in ("GET", "HEAD") or "_flashes" in session:
        return make_response(render())
    store, token = _pages(), csrf_token()
    key = store.digest(
        version, this_page(), theme(), configuration_problems(), served_here(), depends
    )
    etag = store.digest(key, token)
    if request.if_none_match.contains_weak(etag):
        return _with_etag(Response(status=304), etag)
    body = store.pages.get(key)
    if body is None:
        g.csrf_placeholder = store.placeholder
        try:
            body = render().encode()
        finally:
            del g.csrf_placeholder
        if len(body) <= LARGEST:
            store.pages[key] = body
    html = body.replace(store.placeholder.encode(), token.encode())
    return _with_etag(Response(html, content_type="text/html; charset=utf-8"), etag)


def file(version: str, make: Callable[[], Response], *depends: object) -> Response:
    """A file that is made from a research, in the same way; depends: which file."""
    if not version:
        return make()
    store = _pages()
    key = store.digest(version, depends)
    if request.if_none_match.contains_weak(key):
        return _with_etag(Response(status=304), key)
    answer = store.files.get(key)
    if answer is None:
        answer = make()
        if len(answer.get_data()) <= LARGEST:
            store.files[key] = answer
    copy = Response(answer.get_data(), answer.status_code, answer.headers.copy())
    return _with_etag(copy, key)


def _with_etag(answer: Response, etag: str) -> Response:
    answer.set_etag(etag)
    return answer


def _pages() -> Pages:
    return cast(Pages, current_app.extensions.setdefault("zorora_pages", Pages()))
