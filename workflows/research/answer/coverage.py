"""Coverage: how much of what a question asks about a passage speaks of."""

from collections.abc import Callable, Mapping

from tools.reading.thesaurus import related
from tools.text.tokens import STOP, content_stems, stem, words
from workflows.research.understand.topic import topic_of


class Coverage:
    """Measures texts against a question. rarity: weight of a folded word in the texts that are
    searched, above 0."""

    def __init__(self, question: str, rarity: Callable[[str], float]) -> None:
        # A constant beside the rarity keeps one verb from deciding where there are few texts
        self._weights = {term: 1.0 + rarity(term) for term in topic_of(question).terms}
        self._small = STOP.intersection(self._weights)  # "shall or must"
        self._related = {term: related(term) for term in self._weights}
        self._total = sum(self._weights.values())

    def of(self, text: str) -> float:
        """Share 0..1 of the weight of the question's terms that a text has; a like word counts as
        it is alike."""
        if not self._total:
            return 1.0
        tokens = words(text)
        present = frozenset(content_stems(tokens)).union(
            map(stem, self._small.intersection(tokens))
        )
        met = (
            w * self._share_present(term, self._related[term], present)
            for term, w in self._weights.items()
        )
        return sum(met) / self._total

    @staticmethod
    def _share_present(term: str, near: Mapping[str, float], present: frozenset[str]) -> float:
        if stem(term) in present:
            return 1.0
        return max((likeness for other, likeness in near.items() if other in present), default=0.0)
