"""Corpus: texts in, passages out. Lexical (BM25 of SQLite) and, with an embedder, semantic search,
combined per query.

A search goes in steps: words (BM25 over stems + half of BM25 over exact words + BM25 over character
pairs, words in titles counting three times), words that stand together (phrases.py), meaning
(vectors), both combined (fusion.py), one round of feedback (semantic.py), leads to passages that
the question does not name (leads.py), and the choice from the ranking. What each step adds is
measured by `python -m benchmarks retrieval`; the numbers in Tuning were chosen there, on one half
of the queries. The same index and query give the same passages in the same order.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from tools.database import Database
from tools.documents.passage import Block, Cut, Passage
from tools.index.index import EXACT, PAIRS, STEM, ChunkIndex, ChunkRow, NewChunk, Scope
from tools.index.store import IndexStore
from tools.index.word_frequencies import Frequencies
from tools.search import fusion as fuse
from tools.search.lead_search import Field, follow
from tools.search.leads import PASSAGES, Asked, asks, next_question, read_question
from tools.search.passage_words import Reading
from tools.search.query import any_of, further_words, terms
from tools.search.semantic import Cosines, Semantic
from tools.search.word_runs import with_phrases
from tools.text.tokens import content_stems, words
from tools.translation.gloss import query_languages, text_languages

if TYPE_CHECKING:
    from tools.documents.model import Section
    from tools.documents.snapshots import SnapshotFiles
    from tools.index.block_store import BlockStore
    from tools.index.vectors.embeddings import Embedder

CANDIDATES = 200  # of each kind, before they are combined
_SHARED_BEGINNING = 3  # letters of all forms of a word
STEM_CANDIDATES = 500  # by stems alone, before exact words are looked at
DENSE_WEIGHT = 2 / 3
_LEAD_BUDGET = 10_000  # matches that a search for names may visit
# chunks: a search over more would take longer than one waits for if it followed leads as well
_NO_LEADS = 400_000
_LONGEST_PART = 200  # characters of a title, a heading or a piece of context in the index
_POOL = 12  # best passages among which the first of different texts are looked for


class Tuning(NamedTuple):
    """What each step of a search weighs; 0 leaves it out.

    exact: BM25 of exact words beside that of stems. phrase: words of the query that stand together.
    feedback: how far the query's vector moves. lead, lead_of_claim: names from the first passages,
    for a query that asks and for one that states. next_question: the vector of what is still asked
    after the first passage.
    """

    exact: float = 0.5
    phrase: float = 0.1
    feedback: float = 0.3
    lead: float = 0.6
    lead_of_claim: float = 0.2
    next_question: float = 0.4


class PreparedText(NamedTuple):
    """A text to be indexed, with its chunks. kind: page, abstract or document."""

    snapshot_id: str
    title: str
    kind: str
    characters: int
    rows: Sequence[NewChunk]
    blocks: Sequence[Block] = ()


class Corpus:
    """The searchable texts of one corpus.db. Safe for threads; several processes may use one file.

    embedder: None = lexical only. index: where the chunks lie, when that is not the database
    itself. `cut` may be set: the size of chunks made from then on; `tuning` and `dense_weight` too:
    the weights of the searches from then on.
    """

    def __init__(
        self,
        db: Database,
        snapshots: "SnapshotFiles",
        *,
        embedder: "Embedder | None" = None,
        fusion: str = "weighted",
        index: ChunkIndex | None = None,
    ) -> None:
        self.store: ChunkIndex = index or IndexStore(db)
        self.db, self.snapshots = db, snapshots
        self.dense_weight, self.fusion, self.cut, self.tuning = (
            DENSE_WEIGHT,
            fusion,
            Cut(),
            Tuning(),
        )
        self._semantic = Semantic(self.store, embedder)
        # Their docstrings say what each of these does
        self.counts, self.preparing = self.store.counts, self._semantic.preparing
        self.embed_pending = self._semantic.embed_pending
        self._frequencies = Frequencies(self.store)

    @property
    def problem(self) -> str:
        """Why the embedder failed since the corpus was opened, "" where it did not."""
        return self._semantic.problem or ""

    @cached_property
    def _blocks(self) -> "BlockStore":
        from tools.index.block_store import BlockStore

        return BlockStore(self.db)

    # texts

    def add(
        self,
        snapshot_id: str,
        text: str,
        sections: "Sequence[Section]" = (),
        *,
        title: str = "",
        kind: str = "page",
        blocks: Sequence[Block] = (),
    ) -> None:
        """Index a text under its snapshot. Adding it again changes nothing.

        One that was indexed without its blocks is indexed anew with them. kind: page, abstract or
        document, which alone gets vectors, from `embed_pending`.
        """
        if self.store.has(snapshot_id) is None or (blocks and not self._blocks.has(snapshot_id)):
            rows = self.prepare(text, sections, title, blocks)
            self.put(PreparedText(snapshot_id, title, kind, len(text), rows, blocks))

    def put(self, text: "PreparedText") -> None:
        """Index a text whose chunks are made."""
        if text.blocks and self._blocks.put(text.snapshot_id, text.blocks):
            self.store.remove(text.snapshot_id)  # it came back from a report, which knows no blocks
        self.store.add(text.snapshot_id, text.title, text.kind, text.characters, text.rows)

    def prepare(
        self,
        text: str,
        sections: "Sequence[Section]" = (),
        title: str = "",
        blocks: Sequence[Block] = (),
    ) -> list[NewChunk]:
        """The chunks of a text as they are stored; the part of `add` that needs no database."""
        from tools.index.chunker import chunks  # a search needs none of it

        titles = {section.section_id: section.title for section in sections}
        languages = text_languages(text)
        rows = []
        for chunk in chunks(text, sections, self.cut, blocks):
            body = text[chunk.start : chunk.end]
            context = [text[start:end] for start, end in chunk.context]
            path = chunk.heading_path or (titles.get(chunk.section_id or "", ""),)
            heading = _heading([title, *path, *context])
            further = further_words(f"{heading} {body}" if languages else body, languages)
            rows.append(
                NewChunk(
                    chunk.start,
                    chunk.end,
                    chunk.section_id,
                    heading,
                    body,
                    " ".join(further) or None,
                )
            )
        return rows

    def blocks(
        self, snapshot_id: str, text: str, sections: "Sequence[Section]" = ()
    ) -> tuple[Block, ...]:
        """The blocks of an indexed text, as its parser gave them or else as the text shows them."""
        from tools.documents.blocks import blocks_of_text

        return self._blocks.get(snapshot_id, text) or blocks_of_text(text, sections)

    def remove(self, snapshot_id: str) -> None:
        """Take a text out of both indexes at once. Its snapshot file stays."""
        self._blocks.remove(snapshot_id)
        self.store.remove(snapshot_id)

    # search

    def search(
        self,
        query: str,
        k: int = 20,
        *,
        snapshot_ids: Collection[str] | None = None,
        per_snapshot: int | None = None,
        dense: bool = True,
    ) -> list[Passage]:
        """The best passages for a query, best first; empty for a query without words.

        snapshot_ids: only in these. per_snapshot: at most so many of one text. Never raises for odd
        queries.
        """
        scope = self._scope(snapshot_ids)
        if k <= 0 or (scope and not scope.chunks):
            return []
        lexical = self._lexical(query, scope)
        cosines = self._semantic.candidates(query, scope, lexical, CANDIDATES) if dense else None
        words, meaning = fuse.normalised(lexical), cosines.plain if cosines else {}
        # What a passage must reach is known where the ranking alone decides
        places = k if cosines is None and per_snapshot is None else None
        scores, rows = self._scored(query, scope, lexical, cosines, places)
        ranked = fuse.ranked(scores, rows)
        most = max(1.0, ranked[0][0]) if ranked else 1.0  # the best score is 1 at most
        return [
            _passage(
                round(score / most, 6), row, words.get(row.chunk_id, 0.0), meaning.get(row.chunk_id)
            )
            for score, row in fuse.choose(ranked, k, per_snapshot)
        ]

    def occurring(
        self, terms: Collection[str], snapshot_ids: Collection[str] | None = None
    ) -> frozenset[str]:
        """Those of some words that stand in a text, in any form of the same stem. snapshot_ids:
        only in these."""
        scope = self._scope(snapshot_ids)
        return frozenset(
            term for term in terms if self.store.holding(STEM, any_of([term]), scope, 1)
        )

    def spelled_like(self, word: str, cognates: bool = False) -> list[str]:
        """Words of the texts that are written nearly like a folded word, likeliest first."""
        from tools.index.spelling import nearest_spellings  # most questions need none of it

        return nearest_spellings(word, self.store.vocabulary(word[:1]), cognates)

    def forms(self, word: str, language: str) -> list[str]:
        """Other words of the texts that have the stem of a folded word in a language (ISO 639-1),
        frequent ones first."""
        from tools.text.inflection import stem_in  # most questions need none of it

        stem = stem_in(word, language)
        alike = (
            (-frequency, other)
            for other, frequency in self.store.vocabulary(word[:_SHARED_BEGINNING])
            if other != word and stem_in(other, language) == stem
        )
        return [other for _, other in sorted(alike)]

    def rarity(self, word: str) -> float:
        """Inverse document frequency of a word over the chunks, above 0."""
        return self._frequencies.weigher(STEM)(word)

    # parts of a search

    def _scope(self, snapshot_ids: Collection[str] | None) -> Scope | None:
        return None if snapshot_ids is None else self.store.scope(snapshot_ids)

    def _lexical(self, query: str, scope: Scope | None) -> dict[int, float]:
        """Chunk -> BM25 of the three indexes."""
        content = terms(query)
        further = further_words(query, query_languages(query)) or content_stems(words(query))
        if scope is None:
            content = self._frequencies.affordable(STEM, content)
            further = self._frequencies.affordable(PAIRS, further)
        scores: dict[int, float] = {}
        if content:
            scores.update(self.store.matches(STEM, any_of(content), scope, STEM_CANDIDATES))
        if content and self.tuning.exact:
            for chunk_id, score in self.store.scores(EXACT, any_of(content), scores).items():
                # a word found exactly is found by its stem too
                scores[chunk_id] += self.tuning.exact * score
        if further:
            for chunk_id, score in self.store.matches(PAIRS, any_of(further), scope, CANDIDATES):
                scores[chunk_id] = scores.get(chunk_id, 0.0) + score
        return {chunk_id: scores[chunk_id] for chunk_id in fuse.best_first(scores, CANDIDATES)}

    def _scored(
        self,
        query: str,
        scope: Scope | None,
        lexical: dict[int, float],
        cosines: Cosines | None,
        places: int | None,
    ) -> tuple[dict[int, float], dict[int, ChunkRow]]:
        """Scores of all candidates, those found on the way included, and their rows.

        places: how many of the best are wanted; the scores of those that cannot be among them may
        be too low.
        """
        rows = self.store.chunk_rows({*lexical, *(cosines.plain if cosines else ())})
        weight, read_chunk = self._frequencies.weigher(STEM), cache(Reading)
        if self.tuning.phrase:
            lexical = with_phrases(query, lexical, rows, weight, self.tuning.phrase, read_chunk)
        combine = partial(fuse.combine, dense_weight=self.dense_weight, method=self.fusion)
        if cosines:
            first = fuse.ranked(combine(lexical, cosines.plain), rows)
            best = fuse.of_different_texts(first[:_POOL])
            cosines = cosines.fed_back([row.chunk_id for _, row in best], self.tuning.feedback)
        scores = combine(lexical, cosines.plain if cosines else None)
        strength = self.tuning.lead if asks(query) else self.tuning.lead_of_claim
        size = scope.chunks if scope else self.store.chunk_count()
        if not strength or size > _NO_LEADS:
            return scores, rows
        ranked = fuse.ranked(scores, rows)
        rows = {row.chunk_id: row for _, row in ranked}
        first = fuse.of_different_texts(ranked[:_POOL])[:PASSAGES]
        question = read_question(query, weight)
        affordable = partial(self._frequencies.affordable, STEM, budget=_LEAD_BUDGET)
        needed = partial(_needed_gain, scores, _score_at(ranked, places), strength)
        led = follow(
            Field(self.store, scope, size, affordable, read_chunk, needed), question, first, rows
        )
        if cosines:
            cosines = self._semantic.widened(cosines, led.rows.keys() - rows.keys())
            scores = combine(lexical, self._with_next_question(question, first[:1], cosines))
        for chunk, gain in led.gains.items():
            scores[chunk] = scores.get(chunk, 0.0) + strength * gain
        return scores, led.rows

    def _with_next_question(
        self, question: Asked, first: Sequence[tuple[float, ChunkRow]], cosines: Cosines
    ) -> dict[int, float]:
        """Cosines to the query, and to what is still to be asked after the best passage."""
        if self.dense_weight and asks(question.text):
            share = self.tuning.next_question / self.dense_weight
        else:
            share = 0.0
        text = next_question(question, Reading(first[0][1])) if first and share else None
        further = self._semantic.toward(text, cosines) if text else {}
        return {
            chunk: cosine + share * max(0.0, further.get(chunk, 0.0))
            for chunk, cosine in cosines.plain.items()
        }


def _score_at(ranked: Sequence[tuple[float, ChunkRow]], places: int | None) -> float:
    """The score of the last of the wanted places; 0 where any score may be among them."""
    return ranked[places - 1][0] if places and len(ranked) >= places else 0.0


def _needed_gain(scores: Mapping[int, float], least: float, strength: float, chunk: int) -> float:
    """What leads must give a chunk so that it reaches a score, but for rounding."""
    return (least - scores.get(chunk, 0.0)) / strength - 1e-5


def _heading(parts: Sequence[str]) -> str:
    """What a chunk stands under, in one line: title, headings and context, each once."""
    return " ".join(
        dict.fromkeys(" ".join(part.split())[:_LONGEST_PART] for part in parts if part.strip())
    )


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
        heading=row.title,
    )
