"""Absence: whether the texts answer a question at all, and which of its words stand in none of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.reading.thesaurus import related
from tools.text.language import language_of
from tools.text.tokens import stem, stems
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.forms.comparison import compared_things
from workflows.research.answer.selection import Ranked
from workflows.research.answer.wording import Wording
from workflows.research.understand.intent import Intent
from workflows.research.understand.topic import topic_of

# Share of what a question asks about that one passage must speak of to answer it. Chosen on the odd questions of
# bench/answers, put to their own collection and to another one (`python -m benchmarks answers`)
LEAST_COVERAGE = 0.5
_ABOUT_ALL = (Intent.OVERVIEW, Intent.DISAGREEMENT)  # what they ask about is mostly the documents themselves


@dataclass(frozen=True, slots=True)
class Presence:
    """found: whether any passage may answer. absent: words of the topic that stand in no text, rarest first."""

    found: bool
    absent: tuple[str, ...] = ()


def presence(wording: Wording, ranked: Sequence[Ranked], collection: TextCollection) -> Presence:
    """Whether the best passages speak of enough of what is asked; what they do not answer, they are only near to."""
    if not ranked:
        return Presence(False, wording.missing)
    if wording.part.intent in _ABOUT_ALL and not wording.missing:
        return Presence(True)
    if _in_another_language(wording.part.question, ranked):
        return Presence(True)
    titles = {info.snapshot_id: f"{info.title} {info.name}" for info in collection.texts()}
    passages = [f"{titles.get(one.passage.snapshot_id, '')} {_whole(one)}" for one in ranked]
    for asked in compared_things(wording.part.question) or (wording.part.question,):
        weights = {term: 1.0 + collection.rarity(term) for term in topic_of(asked).terms}
        if max(_coverage(weights, text) for text in passages) >= LEAST_COVERAGE:
            return Presence(True)
    return Presence(False, tuple(sorted(wording.missing, key=lambda term: (-collection.rarity(term), term))))


def _whole(ranked: Ranked) -> str:
    return f"{ranked.passage.heading or ''} {ranked.passage.text}"


def _coverage(weights: Mapping[str, float], text: str) -> float:
    """Share 0..1 of the weight of the terms that a text has; a word of like meaning counts as far as it is alike."""
    held = frozenset(stems(text))
    total = sum(weights.values())
    if not total:
        return 1.0
    return sum(weight * _held(term, held) for term, weight in weights.items()) / total


def _held(term: str, held: frozenset[str]) -> float:
    if stem(term) in held:
        return 1.0
    return max((likeness for near, likeness in related(term).items() if near in held), default=0.0)


def _in_another_language(question: str, ranked: Sequence[Ranked]) -> bool:
    """Whether the question is in a language that the nearest texts are not in, so that its words cannot stand there."""
    asked = language_of(question)
    return bool(asked) and asked not in {language_of(one.passage.text) for one in ranked[:5]}
