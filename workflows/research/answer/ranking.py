"""Ranking: the chunks that a search brings, best first by the reader."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from tools.documents.model import Passage
from tools.reading.reader import Candidate, Reading
from workflows.research.answer.collection import TextCollection
from workflows.research.understand.parts import Part

CANDIDATES = 50
_RELATED = 0.6  # what the score of a passage counts that only words of like meaning found


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk with what the reader says of it."""

    passage: Passage
    reading: Reading

    @property
    def score(self) -> float:
        return self.reading.score


def rank_chunks(
    part: Part, collection: TextCollection, among: Collection[str] | None = None, related: str = ""
) -> list[Ranked]:
    """The candidates for a part of the question, best first by the reader.

    related: a query with words of like meaning, whose passages come after those of the question's
    own.
    """
    passages: dict[tuple[str, int], Passage] = {}
    for query, weight in ((part.query, 1.0), (related, _RELATED)):
        for passage in collection.search(query, CANDIDATES, among) if query else ():
            score = round(weight * passage.score, 6)
            key = (passage.snapshot_id, passage.start)
            if key not in passages or score > passages[key].score:
                passages[key] = replace(passage, score=score)
    best = sorted(passages.values(), key=lambda p: (-p.score, p.snapshot_id, p.start))[:CANDIDATES]
    readings = collection.reader.read(
        part.whole, [Candidate(p.text, p.heading, p.score, p.start) for p in best]
    )
    return in_ranked_order(map(Ranked, best, readings))


def in_ranked_order(ranked: Iterable[Ranked]) -> list[Ranked]:
    """Chunks, each once, best first by the reader."""
    chunks = {(r.passage.snapshot_id, r.passage.start): r for r in ranked}
    return [
        chunks[key] for key in sorted(chunks, key=lambda key: (-round(chunks[key].score, 6), key))
    ]
