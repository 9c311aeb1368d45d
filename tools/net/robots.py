"""robots.txt of the hosts whose pages are fetched (RFC 9309). Official APIs are not asked for
theirs."""

import threading
from collections.abc import Callable
from typing import Any

from tools.errors import FailureReason, SourceError
from tools.net.guard import target_of

AGENT = "zorora"
LARGEST = 512_000
LONGEST_DELAY = 5.0  # seconds; Crawl-delay is meant for crawlers, we read single pages


class Robots:
    """Rules by origin, each read once per process. read: address -> (status, body); raises
    SourceError."""

    def __init__(self, fetch: Callable[[str, float], tuple[int, bytes]]) -> None:
        self._fetch = fetch
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._rules: dict[str, Any] = {}

    def check(self, url: str, deadline: float) -> float:
        """The delay that the site asks for between pages, seconds. Raises SourceError when the page
        is closed to us."""
        rules = self._of(url, deadline)
        if rules is None:
            return 0.0
        if not rules.can_fetch(url, AGENT):
            raise SourceError(
                "its robots.txt asks programs not to read this page", FailureReason.PAYWALL
            )
        return min(float(rules.crawl_delay(AGENT) or 0.0), LONGEST_DELAY)

    def _of(self, url: str, deadline: float) -> Any:
        target = target_of(url)
        with self._lock:
            lock = self._locks.setdefault(target.origin, threading.Lock())
        with lock:
            if target.origin not in self._rules:
                status, body = self._fetch(
                    f"{target.scheme}://{target.netloc}/robots.txt", deadline
                )
                self._rules[target.origin] = _parse(body) if status == 200 else None
            return self._rules[target.origin]


def _parse(body: bytes) -> Any:
    from protego import Protego  # 40 ms

    return Protego.parse(body.decode("utf-8", "replace"))
