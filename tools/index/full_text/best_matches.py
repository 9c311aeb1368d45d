"""Which matches of a query can be among the best, before any is scored: most of a BM25 search is
scoring the others.

A chunk gets at most (k1 + 1) times the rarity of a word for it, so those whose words cannot add up
to the score of the last wanted place need no score (Turtle and Flood 1995, "max score"). That score
is guessed at first; the search that follows shows whether the guess was too high, and then knows a
score that is not.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

_MOST = 2.2 * (1 + 1e-9)  # k1 + 1 of FTS5, and what rounding may add
_LEAST_RARITY = 1e-6  # that FTS5 gives a word of more than half of all chunks
_FEW_WORDS = 12  # for more, chunks are chosen by single words: pairs of them would be too many
_STEPS = 4  # of a rarity, in which scores are guessed
_GUESS = 1.15  # words of one subject stand together more often than by chance


class Word(NamedTuple):
    """A word of a query. most: what it adds to a score at most. chunks: how many hold it."""

    most: float
    chunks: int
    text: str


def known_words(counts: Sequence[tuple[str, int]], chunks: int) -> list[Word]:
    """The words that occur, rarest first. counts: chunks that hold each. chunks: how many there
    are, or more."""
    return sorted(
        (Word(_MOST * _rarity(count, chunks), count, word) for word, count in counts if count),
        reverse=True,
    )


def likely_score(words: Sequence[Word], chunks: int, searched: int, limit: int) -> float:
    """About the score of the last of the best `limit` among `searched` chunks, if words stood
    together by chance."""
    shares = {0: 1.0}  # rarities, added up in steps -> the share of chunks
    for word in words[:_FEW_WORDS]:
        step, share = round(word.most / _MOST * _STEPS), min(1.0, word.chunks / chunks)
        new = {total: part * (1 - share) for total, part in shares.items()}
        for total, part in shares.items():
            new[total + step] = new.get(total + step, 0.0) + part * share
        shares = new
    score = 0.0
    for total in sorted(shares, reverse=True):
        score += shares[total] * searched
        if score >= limit:
            return _GUESS * total / _STEPS
    return 0.0


def reaching(words: Sequence[Word], least: float) -> list[tuple[str, list[str]]]:
    """(word, others) for all chunks that may reach a score, and some more: they hold such a word
    beside an other one.

    Without others the word alone is enough.
    """
    bounds = [0.0]
    for word in reversed(words):
        bounds.append(bounds[-1] + word.most)
    bounds.reverse()  # left[i]: the most of all words from the i-th on
    pairs: list[tuple[str, list[str]]] = []
    for i, word in enumerate(words):
        gap = least - word.most
        beside = [words[j].text for j in range(i + 1, len(words)) if bounds[j] >= gap]
        if gap <= 0 or (beside and len(words) > _FEW_WORDS):
            pairs.append((word.text, []))
        elif beside:
            pairs.append((word.text, beside))
    return pairs


def _rarity(count: int, chunks: int) -> float:
    return max(_LEAST_RARITY, math.log((max(chunks, count) - count + 0.5) / (count + 0.5)))
