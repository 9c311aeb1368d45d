"""Chunks as an index takes and gives them, and the texts that a search is limited to."""

from typing import NamedTuple

STEM, EXACT, PAIRS = "chunk_stem", "chunk_exact", "chunk_pairs"  # the full-text indexes


class NewChunk(NamedTuple):
    """A chunk to be stored."""

    start: int
    end: int
    section_id: str | None
    title: str
    body: str
    pairs: str | None = None


class ChunkRow(NamedTuple):
    """A stored chunk with the snapshot it belongs to."""

    chunk_id: int
    text_id: int
    snapshot_id: str
    start: int
    end: int
    section_id: str | None
    title: str
    body: str


class Scope(NamedTuple):
    """The texts a search is limited to, as their numbers and the range of their chunks. Empty: nothing can be found.

    ranges: of chunks, where a few of them hold these texts and no others; else empty.
    """

    text_ids: tuple[int, ...]
    first: int
    last: int
    chunks: int
    ranges: tuple[tuple[int, int], ...] = ()
