"""A short text made of a long one's own sentences: those that say most of what the whole says, in
their order."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from tools.text.sentences import spans
from tools.text.tokens import stems

MAX_SENTENCES = 3000  # of a longer text the first ones are looked at
_SHORTEST, _LONGEST = 30, 600  # characters of a sentence worth quoting
# Share of words in common with a chosen sentence above which another says nothing new
_REPEATED = 0.7


def digest(text: str, count: int = 3, query: str = "") -> list[str]:
    """The `count` most telling sentences, word for word, in the order of the text.

    A sentence counts by how often its words occur in all of the text (logarithm, averaged over its
    length, as in SumBasic, Nenkova & Vanderwende 2005), by its share of the words of `query`, and a
    little by standing early. Deterministic.
    """
    candidates = [(a, b) for a, b in spans(text)[:MAX_SENTENCES] if _SHORTEST <= b - a <= _LONGEST]
    words = [frozenset(stems(text[a:b])) for a, b in candidates]
    counts = Counter(chain.from_iterable(words))
    query_stems = frozenset(stems(query))
    scores = [
        _score(these, counts, query_stems, place, len(candidates))
        for place, these in enumerate(words)
    ]
    places = sorted(islice(_best(scores, words), count))
    return [" ".join(text[slice(*candidates[at])].split()) for at in places] or _opening(text)


def _best(scores: Sequence[float], words: Sequence[frozenset[str]]) -> Iterator[int]:
    """The sentences, best first, without those that repeat a better one."""
    places: list[int] = []
    for at in sorted(range(len(scores)), key=scores.__getitem__, reverse=True):
        repeats = (
            len(words[at] & words[other]) > _REPEATED * min(len(words[at]), len(words[other]))
            for other in places
        )
        if scores[at] > 0 and not any(repeats):
            places.append(at)
            yield at


def _score(
    these: frozenset[str], counts: Counter[str], query_stems: frozenset[str], place: int, total: int
) -> float:
    answers = len(these & query_stems) / len(query_stems) if query_stems else 0.0
    if len(these) < 4 and not answers:
        return 0.0
    weight = sum(math.log1p(counts[word]) for word in sorted(these)) / (len(these) + 6)
    return round(weight * (1.15 - 0.15 * place / total) + answers, 6)


def _opening(text: str) -> list[str]:
    """Of a text without such sentences: how it begins."""
    bare = " ".join(text[:2000].split())
    return [bare[:300] + (" ..." if len(bare) > 300 else "")] if bare else []
