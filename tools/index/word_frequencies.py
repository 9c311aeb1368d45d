"""How many chunks hold a word, asked once and remembered: what a search of a large index can
afford, and rarity."""

import math
from collections.abc import Callable
from functools import partial

from tools.index.index import ChunkIndex
from tools.search.query import affordable, any_of

BUDGET = 40_000  # matches that one query over everything may visit; counts stop there
_REMEMBERED = 8192


class Frequencies:
    """Counts of one index. Safe for threads; a count may be old, which changes a weight and never a
    result's text."""

    def __init__(self, store: ChunkIndex) -> None:
        self._store = store
        self._counts: dict[str, int] = {}

    def count(self, index: str, word: str, at_most: int = BUDGET) -> int:
        """Chunks with a word, counted up to a limit."""
        key = f"{index} {at_most} {word}"
        count = self._counts.get(key)
        if count is None:
            if len(self._counts) >= _REMEMBERED:
                self._counts.clear()
            count = self._counts[key] = self._store.frequency(index, any_of([word]), at_most)
        return count

    def affordable(self, index: str, words: list[str], budget: int = BUDGET) -> list[str]:
        """The words that a search over everything uses."""
        if self._store.chunk_count() <= budget:
            return words
        return affordable(words, partial(self.count, index, at_most=budget), budget)

    def weigher(self, index: str) -> Callable[[str], float]:
        """What gives the inverse document frequency of a word, above 0."""
        chunks = self._store.chunk_count()

        def weight(word: str) -> float:
            count = self.count(index, word)
            return math.log(1 + (max(chunks, count) - count + 0.5) / (count + 0.5))

        return weight
