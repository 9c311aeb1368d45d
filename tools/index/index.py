"""The chunk index as search sees it: add, remove, search by words, search by meaning, count.

store.py is the default (SQLite, in corpus.db); a server can keep it for collections that outgrow
one machine. tests/tools/index/test_index_contract.py says what both must do.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from tools.search.query import Lookup

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
    """The texts a search is limited to, as their numbers and the range of their chunks. Empty:
    nothing can be found.

    ranges: of chunks, where a few of them hold these texts and no others; else empty.
    """

    text_ids: tuple[int, ...]
    first: int
    last: int
    chunks: int
    ranges: tuple[tuple[int, int], ...] = ()


class DenseIndex(Protocol):
    """The vectors of one model. Vectors are float32 of length 1."""

    def any_in(self, scope: Scope | None) -> bool:
        """Whether a chunk of the scope (None: of all) has a vector."""

    def nearest(self, query: Any, limit: int, scope: Scope | None) -> list[int]:
        """The `limit` chunks of the scope (None: of all) that are nearest to a vector, in no
        order."""

    def of(self, chunk_ids: Collection[int]) -> tuple[list[int], Any]:
        """Those of the chunks that have a vector, in order, and a float32 matrix of their
        vectors."""

    def pack(self, vectors: Any) -> list[bytes]:
        """Vectors as `put_vectors` takes them: float16, little endian."""


class ChunkIndex(Protocol):
    """Texts cut into chunks. Safe for threads and for several processes at once; every change is
    whole or not at all.

    An index name is STEM, EXACT or PAIRS . Scores are BM25, higher is better. Raises
    StorageError when the index cannot be used.
    """

    def has(self, snapshot_id: str) -> int | None:
        """The number of chunks of an indexed snapshot, or None."""

    def add(
        self, snapshot_id: str, title: str, kind: str, characters: int, rows: Sequence[NewChunk]
    ) -> None:
        """Store a text with its chunks. A text that is there stays as it is, but becomes a document
        where it is added as one."""

    def together(self) -> AbstractContextManager[None]:
        """What is added inside becomes searchable at its end, which is quicker than text by
        text."""

    def remove(self, snapshot_id: str) -> None:
        """Take a text out, where it is there."""

    def chunk_rows(self, chunk_ids: Collection[int]) -> dict[int, ChunkRow]:
        """Chunks by their number."""

    def scope(self, snapshot_ids: Collection[str]) -> Scope:
        """What a search limited to these snapshots may look at; unknown ids are left out."""

    def matches(
        self, index: str, query: Lookup, scope: Scope | None, limit: int
    ) -> list[tuple[int, float]]:
        """(chunk, score) of the best matches, best first."""

    def scores(self, index: str, query: Lookup, chunk_ids: Collection[int]) -> dict[int, float]:
        """Scores of those of the chunks that match."""

    def holding(self, index: str, query: Lookup, scope: Scope | None, limit: int) -> list[int]:
        """The first chunks, at most `limit`, that match, in the order of their numbers."""

    def frequency(self, index: str, query: Lookup, at_most: int) -> int:
        """In how many chunks a query matches, counted up to `at_most`."""

    def vocabulary(self, beginning: str) -> list[tuple[str, int]]:
        """(word, number of chunks) of all words that begin so; empty where the index cannot
        tell."""

    def unembedded(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str, str]]:
        """(chunk, title, body) of chunks of documents that this model has no vector of, in
        order."""

    def document_chunks(self) -> int:
        """How many chunks documents have; what researches read is left out."""

    def document_vectors(self, model: str) -> int:
        """How many of them have a vector of this model."""

    def put_vectors(
        self, model: str, dimensions: int, vectors: Iterable[tuple[int, bytes]]
    ) -> None:
        """Store vectors of chunks; of chunks that were removed meanwhile nothing is stored."""

    def dense(self, model: str, dimensions: int) -> DenseIndex:
        """The vectors of one model, to be searched."""

    def tend(self) -> None:
        """After much was added: whatever keeps searching fast. Cheap when there is nothing to
        do."""

    def chunk_count(self) -> int:
        """About how many chunks there are."""

    def counts(self) -> dict[str, int]:
        """texts, chunks, characters, vectors."""

    def close(self) -> None:
        """End connections of its own."""
