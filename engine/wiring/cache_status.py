"""What the cache of answers holds, for `zorora cache`."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine.answers import CacheEntry
from engine.clock import iso
from tools.errors import NotFound

if TYPE_CHECKING:
    from tools.net.store import Kept, NetStore

SHOWN = 100_000  # characters of a body


def entries(net: "NetStore", limit: int) -> list[CacheEntry]:
    """Kept answers, newest first, without their bodies."""
    return [
        CacheEntry(one.cache_id, one.url, one.status, one.size, _moment(one.stored_at), _moment(one.expires_at))
        for one in net.cache.entries(limit)
    ]


def entry(net: "NetStore", cache_id: str) -> CacheEntry:
    """One kept answer with its body as text. NotFound when there is none."""
    kept = net.cache.entry(cache_id.strip())
    if kept is None:
        raise NotFound(f"There is no cached answer {cache_id[:40]!r}; `zorora cache list` lists them.")
    times = _moment(kept.stored_at), _moment(kept.expires_at)
    return CacheEntry(kept.cache_id, kept.url, kept.status, len(kept.body), *times, dict(kept.headers), _text(kept))


def _text(kept: "Kept") -> str:
    if b"\0" in kept.body[:1000]:
        return f"({len(kept.body)} bytes that are no text)"
    return kept.body.decode("utf-8", "replace")[:SHOWN]


def _moment(seconds: float) -> str:
    return iso(datetime.fromtimestamp(seconds, UTC))
