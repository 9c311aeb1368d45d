"""Nearest vectors by exact search: every vector of the scope is compared. Numpy is imported only in here, when asked.

Up to 50 000 vectors are held as float32 (77 MB), more as float16, widened a block at a time: right, but slower. A
coarser first pass for a million vectors belongs into `_best` and nowhere else.
"""

import threading
from collections.abc import Collection, Sequence
from typing import Any

from tools.corpus.store import IndexStore, Scope

_BLOCK = 8192
_READ_AT_ONCE = 20_000
_SMALL_SCOPE = 6_000  # chunks: fewer are read from the database each time instead of held in memory
_HELD_WIDE = 50_000  # vectors held as float32


class VectorIndex:
    """The vectors of one model in one store. Safe for threads; sees what other processes add and remove."""

    def __init__(self, store: IndexStore, model: str, dimensions: int) -> None:
        self._store, self._model, self._dimensions = store, model, dimensions
        self._lock = threading.Lock()
        self._held: _Held | None = None

    def nearest(self, query: Any, limit: int, scope: Scope | None) -> list[int]:
        """The `limit` chunks of the scope (None: of all) that are nearest to a vector, in no order."""
        import numpy as np

        if scope is not None and scope.chunks <= _SMALL_SCOPE:
            stored = self._store.vectors_in(self._model, scope)
            return _best(np, [row[0] for row in stored], self._matrix(np, [row[1] for row in stored]), query, limit)
        held = self._all(np)
        if scope is None:
            return _best(np, held.chunks, held.matrix, query, limit)
        allowed = np.isin(held.texts, np.array(scope.text_ids, dtype=np.int64))
        return _best(np, held.chunks[allowed], held.matrix[allowed], query, limit)

    def of(self, chunk_ids: Collection[int]) -> tuple[list[int], Any]:
        """Those of the chunks that have a vector, in order, and a float32 matrix of their vectors."""
        import numpy as np

        stored = sorted(self._store.vectors_of(self._model, chunk_ids))
        return [row[0] for row in stored], self._matrix(np, [row[1] for row in stored]).astype(np.float32)

    def pack(self, vectors: Any) -> list[bytes]:
        """Vectors as they are stored."""
        import numpy as np

        return [row.tobytes() for row in np.asarray(vectors, dtype="<f2")]

    def _matrix(self, np: Any, blobs: Sequence[bytes]) -> Any:
        return np.frombuffer(b"".join(blobs), dtype="<f2").reshape(len(blobs), self._dimensions)

    def _all(self, np: Any) -> "_Held":
        """Everything in memory, brought up to date: new vectors are appended, after a removal all are read again."""
        with self._lock:
            removals = self._store.removals()
            held = self._held
            if held is None or held.removals != removals:
                held = _Held(np, self._dimensions, removals)
            while rows := self._store.vectors_after(self._model, held.last, _READ_AT_ONCE):
                held = held.with_rows(np, rows, self._matrix(np, [row[3] for row in rows]))
            self._held = held
            return held


def _best(np: Any, chunks: Sequence[int], matrix: Any, query: Any, limit: int) -> list[int]:
    """The rows with the largest products with the query."""
    if len(chunks) <= limit:
        return [int(chunk) for chunk in chunks]
    blocks = [matrix[at : at + _BLOCK].astype(np.float32, copy=False) @ query for at in range(0, len(chunks), _BLOCK)]
    rows = np.argpartition(-np.concatenate(blocks), limit - 1)[:limit]
    return [int(chunks[row]) for row in rows]


class _Held:
    """Vectors in memory: matrix, and for each row its chunk and its text."""

    def __init__(self, np: Any, dimensions: int, removals: int) -> None:
        self.removals, self.last = removals, 0
        self.matrix: Any = np.zeros((0, dimensions), dtype="<f2")
        self.chunks: Any = np.zeros(0, dtype=np.int64)
        self.texts: Any = np.zeros(0, dtype=np.int64)

    def with_rows(self, np: Any, rows: Sequence[tuple[int, int, int, bytes]], matrix: Any) -> "_Held":
        grown = _Held(np, matrix.shape[1], self.removals)
        grown.last = rows[-1][0]
        kind = np.float32 if len(self.matrix) + len(matrix) <= _HELD_WIDE else np.float16
        grown.matrix = np.concatenate([self.matrix.astype(kind, copy=False), matrix.astype(kind)])
        grown.chunks = np.concatenate([self.chunks, np.array([row[1] for row in rows], dtype=np.int64)])
        grown.texts = np.concatenate([self.texts, np.array([row[2] for row in rows], dtype=np.int64)])
        return grown
