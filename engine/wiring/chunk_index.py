"""The chunk index where it is not in corpus.db: the door to the optional part that keeps it."""

from engine.postgres.chunk_index import described, is_at, opened

__all__ = ["described", "is_at", "opened"]
