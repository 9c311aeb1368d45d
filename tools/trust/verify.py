"""Does this passage support this claim? Rules over readable features, with the reasons in words.

A verifier is anything with `judge(claim, passage) -> Judgement`; this module is the default one. What rules can do is
bounded (docs/trust.md): so it says what was found and what differs, and calls refutation only what is definite.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from tools.text.sentences import spans
from tools.text.tokens import stems, words
from tools.trust.quantities import Quantity
from tools.trust.statement import Statement, analyse

SUPPORT, CONTRADICT, NEITHER = "support", "contradict", "neither"
# Logistic weights over (coverage, matched numbers, order, length): fitted by hand on the shape of the features and
# checked by `python -m benchmarks verification`; the score is an estimate of the probability of support.
WEIGHTS = {"bias": -5.2, "coverage": 7.4, "bigrams": 1.6, "numbers": 0.6, "missing_names": -1.2}
_HOPELESS = 0.25  # below this coverage nothing more is looked at
_WINDOW = 2  # neighbouring sentences read together, since a statement is often spread over two


@dataclass(frozen=True, slots=True)
class Judgement:
    """label: support, contradict, neither. score: estimated probability of support, 0..1. start, end: best span.

    reasons: words for people ("all words found", "9% here, 12% in the passage"). vetoes: reasons that forbid support.
    """

    label: str
    score: float
    reasons: tuple[str, ...] = ()
    vetoes: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


class Verifier(Protocol):
    """Judges whether a passage supports a claim."""

    name: str

    def judge(self, claim: str, passage: str) -> Judgement:
        """The judgement; offsets are code points of the passage."""


class RuleVerifier:
    """The default verifier. weight: how much a stem counts (its rarity), 1.0 for all when nothing is known."""

    name = "rules"

    def __init__(self, weight: Callable[[str], float] | None = None) -> None:
        self._weight = weight or _length_weight

    def judge(self, claim: str, passage: str) -> Judgement:
        """The best judgement over the passage's sentences and pairs of neighbours."""
        if _collapsed(claim) and _collapsed(claim) in _collapsed(passage):
            return Judgement(SUPPORT, 1.0, ("the passage contains these very words",), (), 0, len(passage))
        wanted = analyse(claim)
        judged = [
            self._one(wanted, passage, start, end)
            for start, end in _windows(passage)
            if self._coverage(wanted, frozenset(stems(passage[start:end]))) >= _HOPELESS
        ]
        return max(judged, key=lambda j: (not j.vetoes, round(j.score, 2), j.start - j.end, -j.start), default=_NOTHING)

    def _coverage(self, claim: Statement, terms: frozenset[str]) -> float:
        total = sum(self._weight(term) for term in claim.terms) or 1.0
        return sum(self._weight(term) for term in claim.terms & terms) / total

    def _one(self, claim: Statement, passage: str, start: int, end: int) -> Judgement:
        found = analyse(passage[start:end])
        features = self.features(claim, found)
        score = 1 / (1 + math.exp(-sum(WEIGHTS.get(name, 0.0) * value for name, value in features.items())))
        vetoes, reasons = _vetoes(claim, found), _reasons(claim, found)
        label = NEITHER
        if vetoes and features["coverage"] >= 0.6:
            label = CONTRADICT if any(v.startswith(("polarity", "direction")) for v in vetoes) else NEITHER
        elif not vetoes and score >= 0.5:
            label = SUPPORT
        return Judgement(label, round(score, 6), reasons + vetoes, vetoes, start, end)

    def features(self, claim: Statement, found: Statement) -> Mapping[str, float]:
        """The numbers the score is made of; each 0..1 apart from the bias."""
        pairs = set(zip(claim.ordered, claim.ordered[1:], strict=False))
        shared = pairs & set(zip(found.ordered, found.ordered[1:], strict=False))
        names = claim.names - _lower_words(found.text)
        return {
            "bias": 1.0,
            "coverage": self._coverage(claim, found.terms),
            "bigrams": len(shared) / len(pairs) if pairs else 0.0,
            "numbers": 1.0 if claim.quantities and not missing_quantities(claim, found) else 0.0,
            "missing_names": min(1.0, len(names) / 2) if names else 0.0,
        }


_NOTHING = Judgement(NEITHER, 0.0, ("hardly a word of it is in the passage",))


def missing_quantities(claim: Statement, found: Statement) -> tuple[Quantity, ...]:
    """Numbers of the claim that have no counterpart of the same kind and value in the passage."""
    return tuple(
        wanted
        for wanted in claim.quantities
        if not any(_kinds_match(wanted, one) and wanted.agrees(one) for one in found.quantities)
    )


def _kinds_match(a: Quantity, b: Quantity) -> bool:
    return a.kind == b.kind


def _vetoes(claim: Statement, found: Statement) -> tuple[str, ...]:
    """Definite differences: a number, date, unit, name or polarity without counterpart."""
    vetoes = []
    for wanted in missing_quantities(claim, found):
        near = [one.text for one in found.quantities if one.kind == wanted.kind]
        vetoes.append(
            f"number: {wanted.text} here, {', '.join(near)} in the passage"
            if near
            else f"number: {wanted.text} is not in the passage"
        )
    if claim.negated != found.negated or claim.refutes != found.refutes:
        vetoes.append("polarity: one of the two denies it")
    if claim.direction * found.direction < 0:
        vetoes.append("direction: one says up, the other down")
    missing = sorted(name for name in claim.names if name not in _lower_words(found.text))
    if missing:
        vetoes.append(f"name: {', '.join(missing)} is not in the passage")
    return tuple(vetoes)


def _reasons(claim: Statement, found: Statement) -> tuple[str, ...]:
    missing = [term for term in claim.ordered if term not in found.terms]
    if not missing:
        return ("all words found",)
    return (f"{len(set(claim.ordered)) - len(set(missing))} of {len(set(claim.ordered))} words found",)


def _windows(passage: str) -> list[tuple[int, int]]:
    sentences = spans(passage)
    pairs = [
        (sentences[i][0], sentences[i + width - 1][1])
        for width in range(1, _WINDOW + 1)
        for i in range(len(sentences) - width + 1)
    ]
    return pairs or ([(0, len(passage))] if passage else [])


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def _length_weight(term: str) -> float:
    """Without counts, longer words are the rarer ones."""
    return min(2.0, 0.4 + 0.2 * len(term))


@lru_cache(maxsize=4096)
def _lower_words(text: str) -> frozenset[str]:
    return frozenset(words(text))
