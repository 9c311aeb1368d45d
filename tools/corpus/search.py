"""Corpus: texts in, passages out. Lexical (BM25 of SQLite) and, with an embedder, semantic search, combined per query.

Lexical = BM25 over stems + half of BM25 over exact words + BM25 over character pairs, words in titles counting three
times. How both are combined: tools/corpus/fusion.py; the numbers were chosen on cranfield, kag_hotpot and kag_musique
(python -m benchmarks retrieval). The same index and query give the same passages in the same order.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from tools.corpus import fusion as fuse
from tools.corpus.chunker import DEFAULT, chunks
from tools.corpus.embeddings import Embedder
from tools.corpus.model import Passage, Section
from tools.corpus.query import affordable, any_of, pairs, terms
from tools.corpus.semantic import Cosines, Semantic
from tools.corpus.snapshots import SnapshotFiles
from tools.corpus.store import EXACT, PAIRS, STEM, ChunkRow, IndexStore, NewChunk, Scope
from tools.database import Database

CANDIDATES = 200  # of each kind, before they are combined
STEM_CANDIDATES = 500  # by stems alone, before exact words are looked at
EXACT_WEIGHT = 0.5
DENSE_WEIGHT = 2 / 3
BUDGET = 40_000  # matches that one query over everything may visit
_FEEDBACK_POOL = 12  # best passages among which two of different texts are looked for
_REMEMBERED = 8192  # word frequencies


class Corpus:
    """The searchable texts of one corpus.db. Safe for threads; several processes may use one file.

    embedder: None = lexical only. on_demand: how many candidates without a vector one search may embed at once, best
    first (background work has not reached them yet); they cost about 50 ms of CPU each. `cut` may be set: the size of
    chunks made from then on.
    """

    def __init__(
        self,
        db: Database,
        snapshots: SnapshotFiles,
        *,
        embedder: Embedder | None = None,
        dense_weight: float = DENSE_WEIGHT,
        fusion: str = "weighted",
        on_demand: int = 8,
    ) -> None:
        self.store = IndexStore(db)
        self.snapshots = snapshots
        self.dense_weight, self.fusion, self.cut = dense_weight, fusion, DEFAULT
        self._semantic = Semantic(self.store, embedder, on_demand)
        self._frequencies: dict[str, int] = {}

    @property
    def problem(self) -> str | None:
        """Why semantic search ended, when the model failed."""
        return self._semantic.problem

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
        for chunk in chunks(text, sections, self.cut):
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
        cosines = self._semantic.candidates(query, scope, lexical, CANDIDATES) if dense else None
        scores, rows = self._combined(lexical, cosines)
        ranked = sorted(
            ((round(score, 6), rows[chunk_id]) for chunk_id, score in scores.items() if chunk_id in rows),
            key=lambda pair: (-pair[0], pair[1].snapshot_id, pair[1].start),
        )
        chosen = fuse.choose(ranked, k, per_snapshot, diversity)
        words, meaning = fuse.normalised(lexical), cosines.plain if cosines else {}
        return [_passage(score, row, words.get(row.chunk_id, 0.0), meaning.get(row.chunk_id)) for score, row in chosen]

    def similarity(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """Semantic similarity 0..1 of a query to each text; None without embeddings."""
        return self._semantic.similarity(query, texts)

    def embed_pending(self, limit: int | None = None, check: Callable[[], None] | None = None) -> int:
        """Make vectors of chunks that have none yet, at most `limit`; how many were made.

        check: called between batches; may raise to stop (what was made stays). Work for the background.
        """
        return self._semantic.embed_pending(limit, check)

    # parts of a search

    def _lexical(self, query: str, scope: Scope | None) -> dict[int, float]:
        """Chunk -> BM25 of the three indexes."""
        words, found = terms(query), pairs(query)
        if scope is None:
            words, found = self._affordable(STEM, words), self._affordable(PAIRS, found)
        scores: dict[int, float] = {}
        if words:
            scores.update(self.store.matches(STEM, any_of(words), scope, STEM_CANDIDATES))
            for chunk_id, score in self.store.scores(EXACT, any_of(words), scores).items():
                scores[chunk_id] += EXACT_WEIGHT * score  # a word found exactly is found by its stem too
        if found:
            for chunk_id, score in self.store.matches(PAIRS, any_of(found), scope, CANDIDATES):
                scores[chunk_id] = scores.get(chunk_id, 0.0) + score
        best = sorted(scores, key=lambda c: (-scores[c], c))[:CANDIDATES]
        return {chunk_id: scores[chunk_id] for chunk_id in best}

    def _affordable(self, index: str, words: list[str]) -> list[str]:
        if self.store.chunk_count() <= BUDGET:
            return words
        return affordable(words, partial(self._frequency, index), BUDGET)

    def _frequency(self, index: str, word: str) -> int:
        key = f"{index} {word}"
        count = self._frequencies.get(key)
        if count is None:
            if len(self._frequencies) >= _REMEMBERED:
                self._frequencies.clear()
            count = self._frequencies[key] = self.store.frequency(index, any_of([word]), BUDGET)
        return count

    def _combined(
        self, lexical: dict[int, float], cosines: Cosines | None
    ) -> tuple[dict[int, float], dict[int, ChunkRow]]:
        """Scores of all candidates, after feedback, and their rows."""
        scores = fuse.combine(lexical, cosines.plain if cosines else None, self.dense_weight, self.fusion)
        rows = self.store.chunk_rows(scores)
        if cosines is None:
            return scores, rows
        best: dict[str, int] = {}
        first = sorted(rows, key=lambda c: (-round(scores[c], 6), rows[c].snapshot_id, rows[c].start))
        for chunk_id in first[:_FEEDBACK_POOL]:
            best.setdefault(rows[chunk_id].snapshot_id, chunk_id)
        moved = cosines.after_feedback(list(best.values()))
        return fuse.combine(lexical, moved, self.dense_weight, self.fusion), rows


def _heading(title: str, section: str) -> str:
    return title if not section or section == title else f"{title} {section}".strip()


def _passage(score: float, row: ChunkRow, lexical: float, cosine: float | None) -> Passage:
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
