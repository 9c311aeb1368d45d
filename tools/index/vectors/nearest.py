"""Nearest vectors. Numpy is imported only in here, when asked.

Up to 50 000 vectors are held as float32 (77 MB) and compared exactly. Above, sign codes
(sign_codes.py) choose 1 200, and these are read from the database and compared exactly.
"""

import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tools.index.vectors.dense import StoredVectors
from tools.index.vectors.sign_codes import CodeIndex

if TYPE_CHECKING:
    from tools.index.index import Scope
    from tools.index.store import IndexStore  # which makes these

_BLOCK = 8192
_READ_AT_ONCE = 20_000
_SMALL_SCOPE = 6_000  # chunks: fewer are read from the database each time instead of held in memory
_HELD = 50_000  # vectors held in memory; above, only their codes are
_RESCORED = 1_200


class VectorIndex(StoredVectors):
    """The vectors of one model in one store. Safe for threads; sees what other processes add and
    remove."""

    def __init__(
        self, store: "IndexStore", model: str, dimensions: int, most_held: int = _HELD
    ) -> None:
        super().__init__(partial(store.vectors_of, model), dimensions)
        self._store, self._model, self._most_held = store, model, most_held
        self._lock = threading.Lock()
        self._cached: _Held | None = None
        self._codes = CodeIndex(store, model, dimensions)

    def any_in(self, scope: "Scope | None") -> bool:
        """Whether a chunk of the scope (None: of all) has a vector."""
        return self._store.has_vector(self._model, scope)

    def nearest(self, query: Any, limit: int, scope: "Scope | None") -> list[int]:
        """The `limit` chunks of the scope (None: of all) that are nearest to a vector, in no
        order."""
        import numpy as np

        if scope is not None and scope.chunks <= _SMALL_SCOPE:
            stored = self._store.vectors_in(self._model, scope)
            return _best(
                np,
                [row[0] for row in stored],
                self._matrix(np, [row[1] for row in stored]),
                query,
                limit,
            )
        if self._store.vector_count() > self._most_held:
            return self._by_codes(np, query, limit, scope)
        vectors = self._all(np)
        if scope is None:
            return _best(np, vectors.chunks, vectors.matrix, query, limit)
        allowed = np.isin(vectors.texts, np.array(scope.text_ids, dtype=np.int64))
        return _best(np, vectors.chunks[allowed], vectors.matrix[allowed], query, limit)

    def _by_codes(self, np: Any, query: Any, limit: int, scope: "Scope | None") -> list[int]:
        self._cached = None
        chunks, matrix = self.of(self._codes.candidates(query, max(limit, _RESCORED), scope))
        return _best(np, chunks, matrix, query, limit)

    def _all(self, np: Any) -> "_Held":
        """Everything in memory, brought up to date: new vectors are appended, after a removal all
        are read again."""
        with self._lock:
            removals = self._store.removals()
            vectors = self._cached
            if vectors is None or vectors.removals != removals:
                vectors = _Held(np, self._dimensions, removals)
            while rows := self._store.vectors_after(self._model, vectors.last, _READ_AT_ONCE):
                vectors = vectors.with_rows(np, rows, self._matrix(np, [row[3] for row in rows]))
            self._cached = vectors
            return vectors


def _best(np: Any, chunks: Sequence[int], matrix: Any, query: Any, limit: int) -> list[int]:
    """The rows with the largest products with the query."""
    if len(chunks) <= limit:
        return [int(chunk) for chunk in chunks]
    blocks = [
        matrix[at : at + _BLOCK].astype(np.float32, copy=False) @ query
        for at in range(0, len(chunks), _BLOCK)
    ]
    rows = np.argpartition(-np.concatenate(blocks), limit - 1)[:limit]
    return [int(chunks[row]) for row in rows]


class _Held:
    """Vectors in memory: matrix, and for each row its chunk and its text."""

    def __init__(self, np: Any, dimensions: int, removals: int) -> None:
        self.removals, self.last = removals, 0
        self.matrix: Any = np.zeros((0, dimensions), dtype=np.float32)
        self.chunks: Any = np.zeros(0, dtype=np.int64)
        self.texts: Any = np.zeros(0, dtype=np.int64)

    def with_rows(
        self, np: Any, rows: Sequence[tuple[int, int, int, bytes]], matrix: Any
    ) -> "_Held":
        grown = _Held(np, matrix.shape[1], self.removals)
        grown.last = rows[-1][0]
        grown.matrix = np.concatenate([self.matrix, matrix.astype(np.float32)])
        grown.chunks = np.concatenate(
            [self.chunks, np.array([row[1] for row in rows], dtype=np.int64)]
        )
        grown.texts = np.concatenate(
            [self.texts, np.array([row[2] for row in rows], dtype=np.int64)]
        )
        return grown
