"""Coverage: how much of what a question asks about a passage speaks of."""

from collections.abc import Callable
from itertools import chain

from tools.reading.thesaurus import related
from tools.text.tokens import content_stems, stem, words
from tools.translation.gloss import gloss, query_languages, text_languages
from workflows.research.understand.topic import topic_of


class Coverage:
    """Measures texts against a question. rarity: weight of a folded word in the texts that are
    searched, above 0."""

    def __init__(self, question: str, rarity: Callable[[str], float]) -> None:
        # A constant beside the rarity keeps one verb from deciding where there are few texts
        self._weights = {term: 1.0 + rarity(term) for term in topic_of(question).terms}
        self._languages = query_languages(question)
        # A word of another language is met by itself, or by all of its English words
        foreign = self._weights if self._languages else ()
        self._english = {term: words(gloss(term, self._languages).text) for term in foreign}
        every = {*self._weights, *chain.from_iterable(self._english.values())}
        self._related = {word: related(word) for word in every}
        self._total = sum(self._weights.values())

    def of(self, text: str) -> float:
        """Share 0..1 of the weight of the question's terms that a text has; a like word counts as
        it is alike."""
        if not self._total:
            return 1.0
        if self._languages:
            text = f"{text} {gloss(text, text_languages(text, self._languages)).text}"
        present = frozenset(content_stems(words(text)))
        met = (w * self._share_met(term, present) for term, w in self._weights.items())
        return sum(met) / self._total

    def _share_met(self, term: str, present: frozenset[str]) -> float:
        english = [self._share_present(word, present) for word in self._english.get(term, ())]
        return max(self._share_present(term, present), min(english, default=0.0))

    def _share_present(self, word: str, present: frozenset[str]) -> float:
        if stem(word) in present:
            return 1.0
        near = self._related[word]
        return max((likeness for other, likeness in near.items() if other in present), default=0.0)
