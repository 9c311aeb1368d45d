"""The semantic half of search: vectors of queries and chunks, their cosines, and one round of relevance feedback.

Feedback (Rocchio 1971, without negatives): the query moves a little towards the two best passages of the first
ranking, and the candidates are compared with it again. It finds passages that say the same in the words of an answer.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tools.corpus.embeddings import Embedder
from tools.corpus.store import IndexStore, Scope
from tools.corpus.vectors import VectorIndex
from tools.errors import ModelError

FEEDBACK_PASSAGES, FEEDBACK_WEIGHT = 2, 0.3
_BATCH = 16  # a second or two of work, so that a program that ends need not wait long
_REMEMBERED = 2048  # vectors of queries and short texts


class Semantic:
    """Everything that needs an embedder. When the model fails, `problem` says why and every answer is None from then.

    on_demand: how many candidates without a vector one search may embed itself.
    """

    def __init__(self, store: IndexStore, embedder: Embedder | None, on_demand: int) -> None:
        self.problem: str | None = None
        self._store, self._embedder, self._on_demand = store, embedder, on_demand
        self._vectors = VectorIndex(store, embedder.model, embedder.dimensions) if embedder else None
        self._lock = threading.Lock()
        self._remembered: dict[str, Any] = {}

    def candidates(self, query: str, scope: Scope | None, lexical: Mapping[int, float], limit: int) -> "Cosines | None":
        """Cosines of the nearest chunks and of every lexical candidate; None without embeddings."""
        vectors = self._embed([query])
        if vectors is None or self._vectors is None:
            return None
        nearest = self._vectors.nearest(vectors[0], limit, scope)
        chunks, matrix = self._vectors.of({*nearest, *lexical})
        missing = sorted(set(lexical) - set(chunks), key=lambda c: (-lexical[c], c))[: self._on_demand]
        if missing and self._make(missing):
            chunks, matrix = self._vectors.of({*chunks, *missing})
        return Cosines(vectors[0], chunks, matrix)

    def similarity(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Cosine 0..1 of a query to each text."""
        vectors = self._embed([query, *texts])
        if vectors is None:
            return None
        return [round(min(1.0, max(0.0, float(vectors[0] @ vector))), 6) for vector in vectors[1:]]

    def embed_pending(self, limit: int | None, check: Callable[[], None] | None) -> int:
        """Make vectors of chunks that have none; how many."""
        done = after = 0
        while self._embedder and (limit is None or done < limit):
            if check:
                check()
            rows = self._store.unembedded(
                self._embedder.model, _BATCH if limit is None else min(_BATCH, limit - done), after
            )
            if not rows or not self._keep(rows):
                break
            done, after = done + len(rows), rows[-1][0]
        return done

    def _make(self, chunk_ids: Sequence[int]) -> bool:
        rows = self._store.chunk_rows(chunk_ids)
        return self._keep([(chunk_id, row.title, row.body) for chunk_id, row in sorted(rows.items())])

    def _keep(self, rows: Sequence[tuple[int, str, str]]) -> bool:
        """Embed chunks (number, title, body) and store the vectors; False when the model failed."""
        vectors = self._embed([embedded_text(title, body) for _, title, body in rows], remember=False)
        if vectors is None or self._vectors is None or self._embedder is None:
            return False
        packed = zip([row[0] for row in rows], self._vectors.pack(vectors), strict=True)
        self._store.put_vectors(self._embedder.model, self._embedder.dimensions, packed)
        return True

    def _embed(self, texts: Sequence[str], remember: bool = True) -> Any:
        """Vectors of texts, or None without a working model."""
        if self._embedder is None:
            return None
        with self._lock:
            known = {text: self._remembered[text] for text in texts if text in self._remembered}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        try:
            made = dict(zip(new, self._embedder.embed(new), strict=True)) if new else {}
        except ModelError as error:
            self.problem, self._embedder, self._vectors = str(error), None, None
            return None
        if remember:
            with self._lock:
                if len(self._remembered) + len(made) > _REMEMBERED:
                    self._remembered.clear()
                self._remembered.update(made)
        known.update(made)
        return [known[text] for text in texts]


class Cosines:
    """Cosines of some chunks to a query."""

    def __init__(self, query: Any, chunks: Sequence[int], matrix: Any) -> None:
        self._query, self._chunks, self._matrix = query, chunks, matrix
        self._row = {chunk: row for row, chunk in enumerate(chunks)}
        self.plain: dict[int, float] = self._with(query)

    def after_feedback(self, best: Sequence[int]) -> dict[int, float]:
        """Chunk -> cosine to the query moved towards the best chunks (those that have a vector)."""
        rows = [self._row[chunk] for chunk in best if chunk in self._row][:FEEDBACK_PASSAGES]
        if not rows:
            return self.plain
        moved = self._query + FEEDBACK_WEIGHT * self._matrix[rows].mean(axis=0)
        return self._with(moved / max(float(moved @ moved) ** 0.5, 1e-9))

    def _with(self, query: Any) -> dict[int, float]:
        if not self._chunks:
            return {}
        return {chunk: float(c) for chunk, c in zip(self._chunks, self._matrix @ query, strict=True)}


def embedded_text(title: str, body: str) -> str:
    """What is embedded of a chunk: its body after its title, unless it begins with it."""
    if not title or body[: len(title)].casefold() == title.casefold():
        return body
    return f"{title}. {body}"
