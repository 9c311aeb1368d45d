"""Stored vectors as numbers: what the vector search of every back end shares. Numpy is imported
when it is asked."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

# chunk ids -> (chunk, float16 little endian) of those that have a vector
Stored = Callable[[Collection[int]], Sequence[tuple[int, bytes]]]


class StoredVectors:
    """The vectors of one model as a store hands them out."""

    def __init__(self, stored: Stored, dimensions: int) -> None:
        self._stored, self._dimensions = stored, dimensions

    def of(self, chunk_ids: Collection[int]) -> tuple[list[int], Any]:
        """Those of the chunks that have a vector, in order, and a float32 matrix of their
        vectors."""
        import numpy as np

        stored = sorted(self._stored(chunk_ids))
        return [row[0] for row in stored], self._matrix(np, [row[1] for row in stored]).astype(
            np.float32
        )

    def pack(self, vectors: Any) -> list[bytes]:
        """Vectors as they are stored."""
        import numpy as np

        return [row.tobytes() for row in np.asarray(vectors, dtype="<f2")]

    def _matrix(self, np: Any, blobs: Sequence[bytes]) -> Any:
        return np.frombuffer(b"".join(blobs), dtype="<f2").reshape(len(blobs), self._dimensions)
