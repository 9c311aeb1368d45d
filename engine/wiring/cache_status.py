"""What the cache of answers holds, for `zorora cache`."""

from engine.answers import CacheEntry
from engine.clock import at
from tools.errors import NotFound
from tools.net.store import Kept, NetStore

SHOWN = 100_000  # characters of a body


def entries(net: NetStore, limit: int) -> list[CacheEntry]:
    """Kept answers, newest first, without their bodies."""
    return [
        CacheEntry(
            entry.cache_id,
            entry.url,
            entry.status,
            entry.size,
            at(entry.stored_at),
            at(entry.expires_at),
        )
        for entry in net.cache.entries(limit)
    ]


def entry(net: NetStore, cache_id: str) -> CacheEntry:
    """One kept answer with its body as text. NotFound when there is none."""
    cached = net.cache.entry(cache_id.strip())
    if cached is None:
        raise NotFound(
            f"There is no cached answer {cache_id[:40]!r}; `zorora cache list` lists them."
        )
    times = at(cached.stored_at), at(cached.expires_at)
    return CacheEntry(
        cached.cache_id,
        cached.url,
        cached.status,
        len(cached.body),
        *times,
        dict(cached.headers),
        _text(cached),
    )


def _text(cached: Kept) -> str:
    if b"\0" in cached.body[:1000]:
        return f"({len(cached.body)} bytes that are no text)"
    return cached.body.decode("utf-8", "replace")[:SHOWN]
