"""Following leads (leads.py) in the index: which passages hold a name, and how much that moves them up."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tools.corpus.leads import Asked, Lead, gain, leads
from tools.corpus.query import any_of
from tools.corpus.store import EXACT, STEM, ChunkRow, IndexStore, Scope
from tools.text.tokens import stems

_MOST_LEADS = 24
_COMMON = 400  # chunks: a name in more is followed to headings, and to passages with further words of the question
_NEW = 10  # passages that one lead may bring in


@dataclass(slots=True)
class Followed:
    """gains: chunk -> 0..1.3. rows: the candidates, those that leads brought in included."""

    gains: dict[int, float] = field(default_factory=dict)
    rows: dict[int, ChunkRow] = field(default_factory=dict)


def follow(
    store: IndexStore,
    question: Asked,
    first: Sequence[tuple[float, ChunkRow]],
    rows: Mapping[int, ChunkRow],
    scope: Scope | None,
) -> Followed:
    """first: the best passages with their scores. rows: the candidates so far."""
    size = scope.chunks if scope else store.chunk_count()
    common = min(_COMMON, max(30, size // 10))
    chosen = sorted(leads(question, first), key=lambda lead: (-round(lead.trust, 6), lead.name))[:_MOST_LEADS]
    holding: list[tuple[Lead, float, list[int]]] = []
    for lead in chosen:
        hits = store.holding(EXACT, any_of([lead.name]), scope, common + 1)
        rarity = math.log((size + 1) / (len(hits) + 1)) / math.log(size + 1)
        holding.append((lead, rarity, _candidates(store, lead, hits, common, rows, scope)))
    found = Followed(rows={**rows, **store.chunk_rows({c for _, _, held in holding for c in held} - rows.keys())})
    held_by: dict[int, frozenset[str]] = {}
    for lead, rarity, candidates in holding:
        for chunk in candidates:
            row = found.rows[chunk]
            if chunk not in held_by:
                held_by[chunk] = frozenset(stems(f"{row.title} {row.body}"))
            value = rarity * gain(lead, question, row, held_by[chunk])
            found.gains[chunk] = max(value, found.gains.get(chunk, 0.0))
    return found


def _candidates(
    store: IndexStore,
    lead: Lead,
    hits: Sequence[int],
    common: int,
    known: Collection[int],
    scope: Scope | None,
) -> list[int]:
    """Chunks with the name: the known ones, and a few new ones, about it or with more of what is asked."""
    inside = [chunk for chunk in hits if chunk in known] if len(hits) <= common else []
    new = [chunk for chunk in hits if chunk not in known]
    if len(hits) <= common and len(new) <= _NEW:
        return [*inside, *new]
    name = any_of([lead.name])
    wanted = f"title : {name}" + (f" OR ({name} AND ({any_of(sorted(lead.open))}))" if lead.open else "")
    best = [chunk for chunk, _ in store.matches(STEM, wanted, scope, 2 * _NEW)]
    return [*inside, *[chunk for chunk in best if chunk not in inside][:_NEW]]
