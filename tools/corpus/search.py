"""Corpus: texts in, passages out. Lexical (BM25 of SQLite) and, with an embedder, semantic search, combined per query.

Lexical = BM25 over stems + half of BM25 over exact words + BM25 over character pairs. Combined score of a passage =
dense_weight x semantic + (1 - dense_weight) x lexical, both normalised over the candidates of the query; or reciprocal
rank fusion (Cormack et al. 2009). The same index and query give the same passages in the same order.
"""

import threading
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from tools.corpus import fusion as fuse
from tools.corpus.chunker import chunks
from tools.corpus.embeddings import Embedder
from tools.corpus.model import Passage, Section
from tools.corpus.query import affordable, any_of, pairs, terms
from tools.corpus.snapshots import SnapshotFiles
from tools.corpus.store import EXACT, PAIRS, STEM, ChunkRow, IndexStore, NewChunk, Scope
from tools.corpus.vectors import VectorIndex
from tools.database import Database
from tools.errors import ModelError

CANDIDATES = 200  # of each kind, before they are combined
EXACT_WEIGHT = 0.5
BUDGET = 40_000  # matches that one query over everything may visit
_BATCH = 64
_REMEMBERED = 2048  # vectors of queries and short texts


class Corpus:
    """The searchable texts of one corpus.db. Safe for threads; several processes may use one file.

    embedder: None = lexical only. on_demand: how many candidates without a vector one search may embed at once, best
    first (background work has not reached them yet); they cost about 50 ms of CPU each.
    `problem`: why semantic search ended, when it did.
    """

    def __init__(
        self,
        db: Database,
        snapshots: SnapshotFiles,
        *,
        embedder: Embedder | None = None,
        dense_weight: float = 0.5,
        fusion: str = "weighted",
        on_demand: int = 8,
    ) -> None:
        self.store = IndexStore(db)
        self.snapshots = snapshots
        self.problem: str | None = None
        self.dense_weight, self.fusion, self.on_demand = dense_weight, fusion, on_demand
        self._embedder = embedder
        self._vectors = VectorIndex(self.store, embedder.model, embedder.dimensions) if embedder else None
        self._lock = threading.Lock()
        self._remembered: dict[str, Any] = {}
        self._frequencies: dict[str, int] = {}

    # texts

    def add(
        self, snapshot_id: str, text: str, sections: Sequence[Section] = (), *, title: str = "", kind: str = "page"
    ) -> int:
        """Index a text under its snapshot; the number of its chunks. Adding it again changes nothing.

        kind: page, abstract or document. Vectors come later, from `embed_pending` or a search.
        """
        known = self.store.has(snapshot_id)
        if known is not None:
            return known
        return self.store.add(snapshot_id, title, kind, len(text), self.prepare(text, sections, title))

    def prepare(self, text: str, sections: Sequence[Section] = (), title: str = "") -> list[NewChunk]:
        """The chunks of a text as they are stored; the part of `add` that needs no database."""
        headings = {section.section_id: section.title for section in sections}
        rows = []
        for chunk in chunks(text, sections):
            body = text[chunk.start : chunk.end]
            heading = _heading(title, headings.get(chunk.section_id or "", ""))
            found = [] if body.isascii() else pairs(body)
            rows.append(NewChunk(chunk.start, chunk.end, chunk.section_id, heading, body, " ".join(found) or None))
        return rows

    def remove(self, snapshot_id: str) -> bool:
        """Take a text out of both indexes at once; whether it was there. Its snapshot file stays."""
        return self.store.remove(snapshot_id)

    def counts(self) -> dict[str, int]:
        """texts, chunks, characters, vectors."""
        return self.store.counts()

    # search

    def search(
        self,
        query: str,
        k: int = 20,
        *,
        snapshot_ids: Collection[str] | None = None,
        per_snapshot: int | None = None,
        dense: bool = True,
        diversity: float = 0.0,
    ) -> list[Passage]:
        """The best passages for a query, best first; empty for a query without words.

        snapshot_ids: only in these. per_snapshot: at most so many of one text. diversity 0..1: how much a passage
        loses that repeats the words of better ones (maximal marginal relevance). Never raises for odd queries.
        """
        scope = self.store.scope(snapshot_ids) if snapshot_ids is not None else None
        if k <= 0 or (scope and not scope.chunks):
            return []
        lexical = self._lexical(query, scope)
        semantic = self._semantic(query, scope, lexical) if dense else None
        scores = fuse.combine(lexical, semantic, self.dense_weight, self.fusion)
        rows = self.store.chunk_rows(scores)
        ranked = sorted(
            ((round(score, 6), rows[chunk_id]) for chunk_id, score in scores.items() if chunk_id in rows),
            key=lambda pair: (-pair[0], pair[1].snapshot_id, pair[1].start),
        )
        chosen = fuse.choose(ranked, k, per_snapshot, diversity)
        best = max(lexical.values(), default=0.0) or 1.0
        return [_passage(score, row, lexical.get(row.chunk_id, 0.0) / best, semantic) for score, row in chosen]

    def similarity(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Semantic similarity 0..1 of a query to each text; None without embeddings."""
        vectors = self._embed([query, *texts])
        if vectors is None:
            return None
        return [round(min(1.0, max(0.0, float(vectors[0] @ vector))), 6) for vector in vectors[1:]]

    def embed_pending(self, limit: int | None = None, check: Callable[[], None] | None = None) -> int:
        """Make vectors of chunks that have none yet, at most `limit`; how many were made.

        check: called between batches; may raise to stop (what was made stays). Work for the background.
        """
        done = after = 0
        while self._embedder and (limit is None or done < limit):
            if check:
                check()
            rows = self.store.unembedded(self._embedder.model, min(_BATCH, limit - done if limit else _BATCH), after)
            if not rows or self._store_vectors(rows) is None:
                break
            done, after = done + len(rows), rows[-1][0]
        return done

    # parts of a search

    def _lexical(self, query: str, scope: Scope | None) -> dict[int, float]:
        """Chunk -> BM25 of the three indexes."""
        words, found = terms(query), pairs(query)
        if scope is None:
            words, found = self._affordable(STEM, words), self._affordable(PAIRS, found)
        scores: dict[int, float] = {}
        for index, weight, listed in ((STEM, 1.0, words), (EXACT, EXACT_WEIGHT, words), (PAIRS, 1.0, found)):
            if listed:
                for chunk_id, score in self.store.matches(index, any_of(listed), scope, CANDIDATES):
                    scores[chunk_id] = scores.get(chunk_id, 0.0) + weight * score
        return scores

    def _affordable(self, index: str, words: list[str]) -> list[str]:
        if self.store.chunk_count() <= BUDGET:
            return words
        return affordable(words, partial(self._frequency, index), BUDGET)

    def _frequency(self, index: str, word: str) -> int:
        key = f"{index} {word}"
        count = self._frequencies.get(key)
        if count is None:
            if len(self._frequencies) >= _REMEMBERED * 4:
                self._frequencies.clear()
            count = self._frequencies[key] = self.store.frequency(index, any_of([word]), BUDGET)
        return count

    def _semantic(self, query: str, scope: Scope | None, lexical: dict[int, float]) -> dict[int, float] | None:
        """Chunk -> cosine, of the nearest chunks and of every lexical candidate; None without embeddings."""
        vectors = self._embed([query])
        if vectors is None or self._vectors is None:
            return None
        found = self._vectors.nearest(vectors[0], CANDIDATES, scope)
        found.update(self._vectors.cosines(vectors[0], [chunk_id for chunk_id in lexical if chunk_id not in found]))
        missing = sorted((c for c in lexical if c not in found), key=lambda c: (-lexical[c], c))[: self.on_demand]
        if missing:
            rows = [(row.chunk_id, row.title, row.body) for row in self.store.chunk_rows(missing).values()]
            made = self._store_vectors(rows)
            if made is not None:
                found.update({row[0]: float(vectors[0] @ vector) for row, vector in zip(rows, made, strict=True)})
        return found

    def _store_vectors(self, rows: Sequence[tuple[int, str, str]]) -> Any:
        """Embed chunks (number, title, body) and keep the vectors; None when the model failed."""
        vectors = self._embed([embedded_text(title, body) for _, title, body in rows], remember=False)
        if vectors is not None and self._vectors is not None and self._embedder is not None:
            packed = zip([row[0] for row in rows], self._vectors.pack(vectors), strict=True)
            self.store.put_vectors(self._embedder.model, self._embedder.dimensions, packed)
        return vectors

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


def embedded_text(title: str, body: str) -> str:
    """What is embedded of a chunk: its body after its title, unless it begins with it."""
    if not title or body[: len(title)].casefold() == title.casefold():
        return body
    return f"{title}. {body}"


def _heading(title: str, section: str) -> str:
    return title if not section or section == title else f"{title} {section}".strip()


def _passage(score: float, row: ChunkRow, lexical: float, semantic: dict[int, float] | None) -> Passage:
    cosine = semantic.get(row.chunk_id) if semantic is not None else None
    return Passage(
        snapshot_id=row.snapshot_id,
        start=row.start,
        end=row.end,
        text=row.body,
        score=score,
        lexical=round(lexical, 6),
        semantic=None if cosine is None else round(min(1.0, max(0.0, cosine)), 6),
        section_id=row.section_id,
    )
