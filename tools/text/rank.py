"""Which of some sentences say what a claim or question says? The order in which to look at the sentences of a text."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from tools.text.tokens import stems

_LENGTH = 0.4  # how much a long sentence loses (b of BM25)
_REPEATED = 1.2  # how soon a repeated word stops counting (k1 of BM25)
_NEIGHBOUR = 0.1  # of a neighbour's score: what is said in two sentences, and pronouns
_MEANING = 0.5
_READ = 2000  # characters of one sentence that are looked at

Embed = Callable[[Sequence[str]], Any]


def rank_sentences(claim: str, sentences: Sequence[str], embed: Embed | None = None) -> list[float]:
    """A score 0..1 for each sentence, in their order; all 0 when none shares a word with the claim.

    BM25 of stems with the rarity of words among these sentences (Robertson and Zaragoza 2009), divided by the best,
    and a little of the better neighbour. embed: texts -> rows of length 1, e.g. of an Embedder; halves then with the
    cosine to the claim. Finds a gold sentence among the first three in 97 % of wice_dev (benchmarks/spans.py).
    """
    words = [Counter(stems(sentence[:_READ])) for sentence in sentences]
    scores = _shared(frozenset(stems(claim)), words)
    if embed is not None and sentences:
        vectors = embed([claim[:_READ], *[sentence[:_READ] for sentence in sentences]])
        cosines = [max(0.0, float(vectors[0] @ vector)) for vector in vectors[1:]]
        scores = [(1 - _MEANING) * score + _MEANING * cosine for score, cosine in zip(scores, cosines, strict=True)]
    padded = [0.0, *scores, 0.0]
    near = [max(padded[at], padded[at + 2]) for at in range(len(scores))]
    return [
        round((score + _NEIGHBOUR * other) / (1 + _NEIGHBOUR), 6) for score, other in zip(scores, near, strict=True)
    ]


def best_sentences(claim: str, sentences: Sequence[str], k: int, embed: Embed | None = None) -> list[int]:
    """The numbers of the best k, best first; earlier ones first among equals."""
    scores = rank_sentences(claim, sentences, embed)
    return sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:k]


def _shared(wanted: frozenset[str], words: Sequence[Counter[str]]) -> list[float]:
    """BM25 of each sentence, divided by the best."""
    held = Counter(term for counts in words for term in counts if term in wanted)
    rarity = {term: math.log(1 + (len(words) - count + 0.5) / (count + 0.5)) for term, count in held.items()}
    typical = sum(counts.total() for counts in words) / max(1, len(words)) or 1.0
    found = []
    for counts in words:
        length = _REPEATED * (1 - _LENGTH + _LENGTH * counts.total() / typical)
        terms = sorted(wanted & counts.keys())
        found.append(sum(rarity[t] * counts[t] * (_REPEATED + 1) / (counts[t] + length) for t in terms))
    best = max(found, default=0.0)
    return [score / best if best else 0.0 for score in found]
