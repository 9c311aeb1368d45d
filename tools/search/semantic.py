"""The semantic half of search: vectors of queries and chunks, their cosines, and one round of
relevance feedback.

Feedback (Rocchio 1971, without negatives): the query moves a little towards the two best passages
of the first ranking, and the candidates are compared with it again. It finds passages that say the
same in the words of an answer.
"""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tools.errors import ModelError
from tools.index.index import ChunkIndex, Scope

if TYPE_CHECKING:
    from tools.index.vectors.embeddings import Embedder

FEEDBACK_PASSAGES = 2
_BATCH = 16  # a second or two of work, so that a program that ends need not wait long
_REMEMBERED = 2048  # queries
# Seconds that a query waits for the model while it makes vectors of documents, at a low priority
_PATIENCE = 1.0


class Semantic:
    """Everything that needs an embedder. When the model fails, `problem` says why and every answer
    is None from then.
    """

    def __init__(self, store: ChunkIndex, embedder: "Embedder | None") -> None:
        self.problem: str | None = None
        self._store, self._embedder = store, embedder
        self._vectors = store.dense(embedder.model, embedder.dimensions) if embedder else None
        self._lock = threading.Lock()
        self._turn = threading.Lock()  # whoever uses the model; opening it takes a while, too
        self._is_making = False  # vectors of documents, in the background
        self._remembered: dict[str, Any] = {}  # vectors of queries
        self._finished = -1  # chunks of documents when none of them lacked its vector

    def candidates(
        self, query: str, scope: Scope | None, lexical: Mapping[int, float], limit: int
    ) -> "Cosines | None":
        """Cosines of the nearest chunks and of every lexical candidate that has a vector; None
        where none has one, without embeddings, or while the model is busy with documents.
        """
        vectors = self._vectors
        # Opening the model for a query takes longer than the rest of the search
        if vectors is None or not vectors.any_in(scope):
            return None
        vector = self._query_vector(query)
        if vector is None:
            return None
        nearest = vectors.nearest(vector, limit, scope)
        return Cosines(vector, *vectors.of({*nearest, *lexical}))

    def widened(self, cosines: "Cosines", chunk_ids: Collection[int]) -> "Cosines":
        """The same query with further chunks (those of them that have a vector)."""
        if not chunk_ids or self._vectors is None:
            return cosines
        return cosines.joined(*self._vectors.of(chunk_ids))

    def toward(self, text: str, cosines: "Cosines") -> dict[int, float]:
        """Chunk -> cosine to another text; empty when the model fails."""
        vectors = self._embed([text], queries=True)
        return cosines.to(vectors[0]) if vectors is not None else {}

    def preparing(self) -> tuple[int, int]:
        """(ready, all) vectors of the chunks of documents; equal when none is missing or no model
        is used."""
        if self._embedder is None:
            return 0, 0
        total = self._store.document_chunks()
        if total == self._finished:
            return total, total
        ready = self._store.document_vectors(self._embedder.model)
        if ready >= total:
            self._finished = total
        return ready, max(ready, total)

    def embed_pending(
        self, limit: int | None = None, check: Callable[[], None] | None = None
    ) -> int:
        """Make vectors of chunks of documents that have none yet, at most `limit`; how many were
        made.

        check: called between batches; may raise to stop (what was made stays). Work for the
        background.
        """
        self._is_making = True
        try:
            count = self._embed_pending(limit, check)
        finally:
            self._is_making = False
        if count:
            self._store.tend()
        return count

    def _embed_pending(self, limit: int | None, check: Callable[[], None] | None) -> int:
        count = after = 0
        while self._embedder and (limit is None or count < limit):
            if check:
                check()
            rows = self._store.unembedded(
                self._embedder.model, _BATCH if limit is None else min(_BATCH, limit - count), after
            )
            if not rows or not self._keep(rows):
                break
            count, after = count + len(rows), rows[-1][0]
        return count

    def _keep(self, rows: Sequence[tuple[int, str, str]]) -> bool:
        """Embed chunks (number, title, body) and store the vectors; False when the model failed."""
        texts = [embedded_text(title, body) for _, title, body in rows]
        vectors = self._embed(texts, waits=True)
        if vectors is None or self._vectors is None or self._embedder is None:
            return False
        packed = zip([row[0] for row in rows], self._vectors.pack(vectors), strict=True)
        self._store.put_vectors(self._embedder.model, self._embedder.dimensions, packed)
        return True

    def _query_vector(self, query: str) -> Any:
        """The vector of a query, made once; None without a working model."""
        with self._lock:
            if query in self._remembered:
                return self._remembered[query]
        vectors = self._embed([query], queries=True)
        if vectors is None:
            return None
        with self._lock:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[query] = vectors[0]
        return vectors[0]

    def _embed(self, texts: Sequence[str], *, queries: bool = False, waits: bool = False) -> Any:
        """Vectors of texts, or None without a working model. waits: also while it is busy with
        documents."""
        embedder = self._embedder
        patience = _PATIENCE if self._is_making and not waits else -1
        if embedder is None or not self._turn.acquire(timeout=patience):
            return None
        try:
            return embedder.embed(texts, queries=queries)
        except ModelError as error:
            self.problem, self._embedder, self._vectors = str(error), None, None
            return None
        finally:
            self._turn.release()


class Cosines:
    """Cosines of some chunks to a query."""

    def __init__(self, query: Any, chunks: Sequence[int], matrix: Any) -> None:
        self._query, self._chunks, self._matrix = query, chunks, matrix
        self.plain: dict[int, float] = self.to(query)

    def fed_back(self, best: Sequence[int], weight: float) -> "Cosines":
        """With the query moved towards the best chunks (those that have a vector)."""
        row = {chunk: number for number, chunk in enumerate(self._chunks)}
        rows = [row[chunk] for chunk in best if chunk in row][:FEEDBACK_PASSAGES]
        if not rows or not weight:
            return self
        query = self._query + weight * self._matrix[rows].mean(axis=0)
        return Cosines(query / max(float(query @ query) ** 0.5, 1e-9), self._chunks, self._matrix)

    def joined(self, chunks: Sequence[int], matrix: Any) -> "Cosines":
        """With further chunks, which are not in it yet."""
        import numpy as np

        return Cosines(
            self._query, [*self._chunks, *chunks], np.concatenate([self._matrix, matrix])
        )

    def to(self, vector: Any) -> dict[int, float]:
        """Chunk -> cosine to a vector."""
        return {
            chunk: float(c) for chunk, c in zip(self._chunks, self._matrix @ vector, strict=True)
        }


def embedded_text(title: str, body: str) -> str:
    """What is embedded of a chunk: its body after its title, unless it begins with it."""
    if not title or body[: len(title)].casefold() == title.casefold():
        return body
    return f"{title}. {body}"
