"""Following leads (leads.py) in the index: which passages hold a name, and how much that moves them up."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tools.corpus.leads import Asked, Candidate, Lead, candidate, gain, leads
from tools.corpus.query import any_of
from tools.corpus.store import EXACT, STEM, ChunkRow, IndexStore, Scope
from tools.text.tokens import fold, words

_MOST_LEADS = 16
_COMMON = 400  # chunks: a name in more is followed to headings, and to passages with further words of the question
_LOOKED_AT = 120  # candidates, best first, that leads can move up
_NEW = 10  # passages that a name brings in by itself
_SOUGHT = 40  # passages sought for the names that would bring in more


@dataclass(frozen=True, slots=True)
class Followed:
    """gains: chunk -> 0..1.3. rows: the candidates, those that leads brought in included."""

    gains: dict[int, float]
    rows: dict[int, ChunkRow]


@dataclass(frozen=True, slots=True)
class _Traced:
    """A lead in the index. chunks: those that hold it, all or the first; rarity 0..1; whole: these are all."""

    lead: Lead
    chunks: frozenset[int]
    rarity: float
    whole: bool


def follow(
    store: IndexStore,
    question: Asked,
    first: Sequence[tuple[float, ChunkRow]],
    rows: Mapping[int, ChunkRow],
    scope: Scope | None,
    affordable: Callable[[list[str]], list[str]],
) -> Followed:
    """first: the best passages with their scores. rows: the candidates so far, best first.

    affordable: those of some words that can be searched in so large an index.
    """
    chosen = sorted(leads(question, first), key=lambda lead: (-round(lead.trust, 6), lead.name))[:_MOST_LEADS]
    if not chosen:
        return Followed({}, dict(rows))
    traced = [_traced(store, lead, scope) for lead in chosen]
    few = {c for one in traced if _brings_few(one, rows) for c in one.chunks}
    sought = _sought(store, [one.lead for one in traced if not _brings_few(one, rows)], scope, affordable)
    new = store.chunk_rows({*few, *sought} - rows.keys())
    looked_at = {**dict(islice(rows.items(), _LOOKED_AT)), **new}
    return Followed(_gains(question, traced, looked_at), {**rows, **new})


def _traced(store: IndexStore, lead: Lead, scope: Scope | None) -> _Traced:
    size = scope.chunks if scope else store.chunk_count()
    common = min(_COMMON, max(30, size // 10))
    hits = store.holding(EXACT, any_of([lead.name]), scope, common + 1)
    rarity = math.log((size + 1) / (min(len(hits), size) + 1)) / math.log(size + 1)
    return _Traced(lead, frozenset(hits), rarity, len(hits) <= common)


def _brings_few(one: _Traced, known: Collection[int]) -> bool:
    return one.whole and len(one.chunks.difference(known)) <= _NEW


def _sought(
    store: IndexStore, followed: Sequence[Lead], scope: Scope | None, affordable: Callable[[list[str]], list[str]]
) -> list[int]:
    """Chunks that are about one of the names by their heading, or hold one with more of what is asked."""
    searched = affordable([lead.name for lead in followed])
    if not searched:
        return []
    named = any_of(searched)
    left = affordable(sorted({term for lead in followed for term in lead.open}))
    query = f"title : ({named})" + (f" OR (({named}) AND ({any_of(left)}))" if left else "")
    return [chunk for chunk, _ in store.matches(STEM, query, scope, _SOUGHT)]


def _gains(question: Asked, traced: Sequence[_Traced], rows: Mapping[int, ChunkRow]) -> dict[int, float]:
    """Chunk -> the largest gain that a lead gives it."""
    gains: dict[int, float] = {}
    read: dict[int, Candidate] = {}
    folded = {} if all(one.whole for one in traced) else {c: fold(f"{r.title} {r.body}") for c, r in rows.items()}
    for one in traced:
        inside = one.chunks & rows.keys()
        if not one.whole:
            inside |= {chunk for chunk, text in folded.items() if _holds(text, one.lead.name)}
        for chunk in inside:
            if chunk not in read:
                read[chunk] = candidate(rows[chunk])
            value = one.rarity * gain(one.lead, question, read[chunk])
            gains[chunk] = max(value, gains.get(chunk, 0.0))
    return gains


def _holds(folded: str, name: str) -> bool:
    return all(part in folded for part in name.split()) and f" {name} " in f" {' '.join(words(folded))} "
