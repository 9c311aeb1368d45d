"""Combining lexical and semantic scores, and choosing from the ranking: caps per text."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tools.index.index import ChunkRow

_RRF = 60  # the constant of Cormack et al. 2009

Ranked = tuple[float, ChunkRow]


def combine(
    lexical: Mapping[int, float],
    semantic: Mapping[int, float] | None,
    dense_weight: float,
    method: str,
) -> dict[int, float]:
    """Chunk -> score 0..1 for every candidate of either kind.

    weighted: dense_weight x cosine + (1 - dense_weight) x lexical score divided by the best one of
    the query. (A cosine is between 0 and 1 already; laying the worst candidate on 0 as well was
    measured to be no better.) A candidate whose vector is not made yet gets the cosine that its
    words let expect.
    """
    words_ = normalised(lexical)
    if not semantic:
        return words_
    if method == "rrf":
        return _reciprocal_ranks(lexical, semantic)
    best = max(0.0, *semantic.values(), 0.0)
    return {
        chunk: dense_weight * max(0.0, semantic.get(chunk, best * words_.get(chunk, 0.0)))
        + (1 - dense_weight) * words_.get(chunk, 0.0)
        for chunk in {*words_, *semantic}
    }


def best_first(scores: Mapping[int, float], most: int) -> list[int]:
    """The chunks with the highest scores; equal ones in the order of their numbers."""
    # Two sorts without a call a chunk
    return sorted(sorted(scores), key=scores.__getitem__, reverse=True)[:most]


def normalised(scores: Mapping[int, float]) -> dict[int, float]:
    """Scores divided by the best."""
    best = max(scores.values(), default=0.0)
    return {chunk: score / best if best > 0 else 0.0 for chunk, score in scores.items()}


def _reciprocal_ranks(*rankings: Mapping[int, float]) -> dict[int, float]:
    total: dict[int, float] = {}
    for ranking in rankings:
        for rank, chunk in enumerate(
            sorted(ranking, key=lambda c: (-round(ranking[c], 6), c)), start=1
        ):
            total[chunk] = total.get(chunk, 0.0) + (_RRF + 1) / (_RRF + rank) / len(rankings)
    return total


def ranked(scores: Mapping[int, float], rows: Mapping[int, ChunkRow]) -> list[Ranked]:
    """Best first; equal ones in the order of their texts and places."""
    return sorted(
        ((round(score, 6), rows[chunk]) for chunk, score in scores.items() if chunk in rows),
        key=lambda pair: (-pair[0], pair[1].snapshot_id, pair[1].start),
    )


def of_different_texts(best: Sequence[Ranked]) -> list[Ranked]:
    """The best passage of each text, in the same order."""
    by_text: dict[str, Ranked] = {}
    for pair in best:
        by_text.setdefault(pair[1].snapshot_id, pair)
    return list(by_text.values())


def choose(ranked: Sequence[Ranked], k: int, per_snapshot: int | None) -> list[Ranked]:
    """The first k of a ranking, at most `per_snapshot` of one text."""
    most = k if per_snapshot is None else per_snapshot
    counts: Counter[str] = Counter()
    capped = []
    for score, row in ranked:
        counts[row.snapshot_id] += 1
        if counts[row.snapshot_id] <= most:
            capped.append((score, row))
    return capped[:k]
