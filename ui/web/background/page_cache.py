"""Pages of finished researches, kept in this process while nothing that they show changes; 304 for
who has them.

A page is kept without the token of its forms: a placeholder stands there, so that every visitor
gets a token of their own. What a page shows besides the research (theme, notices about the
configuration) is part of its key; a page with a message of this visit is never kept. Browsers may
keep a page too, and must ask before they show it again.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from flask import Response, current_app, g, make_response, request, session

from ui.web.addresses import this_page
from ui.web.context import configuration_problems
from ui.web.filters import theme
from ui.web.security import served_here
from ui.web.session import csrf_token

MOST_BYTES, LARGEST = 8_000_000, 1_000_000
T = TypeVar("T")


class Cache(Generic[T]):
    """The last used values, up to so many bytes. Safe for threads."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._bytes = most, 0
        self._lock = threading.Lock()
        self._values: OrderedDict[str, tuple[T, int]] = OrderedDict()

    def get(self, key: str) -> T | None:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: str, value: T, size: int) -> None:
        """Keep a value; the longest unused ones go when it gets too much. One larger than LARGEST
        is not kept."""
        if size > LARGEST:
            return
        with self._lock:
            _, replaced = self._values.pop(key, (None, 0))
            self._values[key] = (value, size)
            self._bytes += size - replaced
            while self._bytes > self._most:
                self._bytes -= self._values.popitem(last=False)[1][1]


class Pages:
    """What one application keeps. salt: new with every start, so that no browser shows a page of an
    older program."""

    def __init__(self) -> None:
        self.salt = secrets.token_hex(16)
        self.placeholder = secrets.token_hex(32)
        self.pages: Cache[bytes] = Cache()
        self.files: Cache[Response] = Cache()

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
        store.pages.put(key, body, len(body))
    answer = Response(
        body.replace(store.placeholder.encode(), token.encode()),
        content_type="text/html; charset=utf-8",
    )
    return _with_etag(answer, etag)


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
        store.files.put(key, answer, len(answer.get_data()))
    copy = Response(answer.get_data(), answer.status_code, answer.headers.copy())
    return _with_etag(copy, key)


def _with_etag(answer: Response, etag: str) -> Response:
    answer.set_etag(etag)
    return answer


def _pages() -> Pages:
    store: Pages = current_app.extensions.setdefault("zorora_pages", Pages())
    return store
