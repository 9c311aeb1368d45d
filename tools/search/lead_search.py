"""Following leads (leads.py) in the index: which passages hold a name, and how much that moves them
up."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from tools.index.index import EXACT, STEM, ChunkIndex, ChunkRow, Scope
from tools.index.word_frequencies import BUDGET
from tools.search.leads import Asked, Lead, gain, leads
from tools.search.passage_words import Read, Reading
from tools.search.query import Lookup, any_of

_MOST_LEADS = 16
_MOST_SOUGHT = 6  # names that are searched for beyond the candidates
# chunks: a name in more is followed to headings, and to passages with further words of the question
_COMMON = 400
_LOOKED_AT = 120  # candidates, best first, that leads can move up
_NEW = 10  # passages that a name brings in by itself
_UNKNOWN = 0  # the number of no chunk: what one that is no candidate must gain
_SOUGHT = 40  # passages sought for the names that would bring in more


class Followed(NamedTuple):
    """gains: chunk -> 0..1.3. rows: the candidates, those that leads brought in included."""

    gains: dict[int, float]
    rows: dict[int, ChunkRow]


class _Traced(NamedTuple):
    """A lead in the index. chunks: those that hold it, all or the first; rarity 0..1; whole: these
    are all."""

    lead: Lead
    chunks: frozenset[int]
    rarity: float
    whole: bool


class Field(NamedTuple):
    """Where leads are followed. affordable: those of some words that can be searched in so large an
    index.

    size: chunks; of many, only a third as many leads are followed in the time a search may take.
    needed: what a passage must gain to be among the results at all, where that is known.
    """

    store: ChunkIndex
    scope: Scope | None
    size: int
    affordable: Callable[[list[str]], list[str]]
    read_chunk: Read
    needed: Callable[[int], float] = lambda chunk: 0.0


def follow(
    field: Field,
    question: Asked,
    first: Sequence[tuple[float, ChunkRow]],
    rows: Mapping[int, ChunkRow],
) -> Followed:
    """first: the best passages with their scores. rows: the candidates so far, best first."""
    part = 3 if field.size > BUDGET else 1
    lead_list = leads(question, [(score, field.read_chunk(row)) for score, row in first])
    best_leads = sorted(lead_list, key=lambda lead: (-round(lead.trust, 6), lead.name))[
        : _MOST_LEADS // part
    ]
    traced = [_traced(field, lead) for lead in best_leads]
    new = _new_rows(field, traced, rows, _MOST_SOUGHT // part)
    rows_looked_at = {**dict(islice(rows.items(), _LOOKED_AT // part)), **new}
    looked_at = {chunk: field.read_chunk(row) for chunk, row in rows_looked_at.items()}
    return Followed(_gains(question, traced, looked_at, field.needed), {**rows, **new})


def _new_rows(
    field: Field, traced: Sequence[_Traced], rows: Mapping[int, ChunkRow], most_sought: int
) -> dict[int, ChunkRow]:
    """The passages beyond the candidates to which leads point, where any can still reach the best
    ones."""
    if not any(_most(lead) >= field.needed(_UNKNOWN) for lead in traced):
        return {}
    few = [lead for lead in traced if _brings_few(lead, rows)]
    many = [lead for lead in traced if not _brings_few(lead, rows)]
    sought = _sought(field, [traced_lead.lead for traced_lead in many[:most_sought]])
    return field.store.chunk_rows(
        {*chain.from_iterable(lead.chunks for lead in few), *sought} - rows.keys()
    )


def _traced(field: Field, lead: Lead) -> _Traced:
    size = field.size
    common = min(_COMMON, max(30, size // 10))
    hits = field.store.holding(EXACT, any_of([lead.name]), field.scope, common + 1)
    rarity = math.log((size + 1) / (min(len(hits), size) + 1)) / math.log(size + 1)
    return _Traced(lead, frozenset(hits), rarity, len(hits) <= common)


def _most(traced: _Traced) -> float:
    """The most that a lead gives any passage."""
    return traced.rarity * traced.lead.trust


def _brings_few(traced: _Traced, chunk_ids: Collection[int]) -> bool:
    return traced.whole and len(traced.chunks.difference(chunk_ids)) <= _NEW


def _sought(field: Field, followed: Sequence[Lead]) -> list[int]:
    """Chunks that are about one of the names by their heading, or hold one with more of what is
    asked."""
    searched = field.affordable([lead.name for lead in followed])
    if not searched:
        return []
    affordable_terms = field.affordable(sorted({term for lead in followed for term in lead.open}))
    query = Lookup(tuple(searched), headed=True, beside=tuple(affordable_terms))
    return [chunk for chunk, _ in field.store.matches(STEM, query, field.scope, _SOUGHT)]


def _gains(
    question: Asked,
    traced: Sequence[_Traced],
    passages: Mapping[int, Reading],
    needed: Callable[[int], float],
) -> dict[int, float]:
    """Chunk -> the largest gain that a lead gives it; of those that it can bring among the
    results."""
    gains: dict[int, float] = {}
    least = {chunk: needed(chunk) for chunk in passages}
    for traced_lead in sorted(traced, key=_most, reverse=True):
        inside = traced_lead.chunks & passages.keys() if traced_lead.whole else passages.keys()
        most = _most(traced_lead)
        for chunk in inside:
            if most < least[chunk] or most <= gains.get(
                chunk, 0.0
            ):  # too little, or another lead gives it as much
                continue
            if traced_lead.whole or passages[chunk].has_name(traced_lead.lead.name):
                value = traced_lead.rarity * gain(traced_lead.lead, question, passages[chunk])
                gains[chunk] = max(value, gains.get(chunk, 0.0))
    return gains
