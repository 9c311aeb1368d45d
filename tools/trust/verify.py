"""Does this passage support this claim? Support, contradict or neither, a calibrated score and the reasons in words.

A verifier is anything with `judge(claim, passage, context) -> Judgement`; `RuleVerifier` is the default: what differs
in words (tools/trust/differences.py) forbids support, and a small logistic regression over readable features
(tools/trust/comparison.py, weights.py) says how probable support is. What rules can do is bounded (docs/trust.md): so
the reasons say what was found and what differs, and `contradiction` is set for the definite kinds alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from tools.text.tokens import stem
from tools.trust.comparison import Comparison, Line
from tools.trust.contradict import DIRECT, Clash, clash
from tools.trust.differences import DIRECTION, POLARITY, Difference, differences
from tools.trust.statement import analyse
from tools.trust.weights import CONTRADICT, NEITHER, SUPPORT, Weights, shipped
from tools.trust.wording import HELD_UP, TAKES_BACK

__all__ = ["CONTRADICT", "NEITHER", "SUPPORT", "Judgement", "RuleVerifier", "Verifier"]
LONGEST = 200_000  # characters of a passage that are read
_LISTED = 4  # missing words named in a reason


@dataclass(frozen=True, slots=True)
class Judgement:
    """label: support, contradict, neither. score: estimated probability of support, 0..1. start, end: best span.

    reasons: words for people ("all words found", "9% here, 12% in the passage"). vetoes: those that forbid support.
    differences: the same as data. against: estimated probability of contradiction. contradiction: how the span clashes
    with the claim, for definite kinds only. verifier: who judged, with its version. held: share of the claim, by
    rarity, that one sentence of the span says; titled: that it says with the title it stands under; 1.0 each where the
    verifier does not measure it.
    """

    label: str
    score: float
    reasons: tuple[str, ...] = ()
    vetoes: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    differences: tuple[Difference, ...] = ()
    against: float = 0.0
    contradiction: Clash | None = None
    verifier: str = ""
    held: float = 1.0
    titled: float = 1.0


class Verifier(Protocol):
    """Judges whether a passage supports a claim."""

    @property
    def name(self) -> str:
        """What is recorded with each sentence it decided ("rules", the name of a model)."""
        ...

    def judge(self, claim: str, passage: str, context: str = "") -> Judgement:
        """The judgement; offsets are code points of the passage. context: the title or heading it stands under."""
        ...


class RuleVerifier:
    """The default verifier: vetoes by rules, a score by a logistic regression over readable features."""

    name = "rules"

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights or shipped()
        self._stamp = f"rules {self._weights.version}"

    def judge(self, claim: str, passage: str, context: str = "") -> Judgement:
        """See Verifier. A passage is read up to 200 000 characters."""
        comparison = Comparison(claim, passage[:LONGEST])
        if not comparison.wanted or not comparison.lines:
            return Judgement(NEITHER, 0.0, ("there is nothing to compare",), verifier=self._stamp)
        exact = verbatim(comparison)
        if exact:
            start, end = exact
            reasons = ("the passage contains these very words",)
            return Judgement(SUPPORT, 1.0, reasons, (), start, end, verifier=self._stamp)
        found = differences(comparison, context)
        chance = self._weights.probabilities(features(comparison, found))
        span = comparison.span_lines
        contradiction = _contradiction(comparison, span)
        label = label_of(chance, found, contradiction)
        vetoes = tuple(one.text for one in found)
        return Judgement(
            label=label, score=chance[SUPPORT], reasons=(_words_found(comparison, span), *vetoes), vetoes=vetoes,
            start=span[0].start, end=span[-1].end, differences=found, against=chance[CONTRADICT],
            contradiction=contradiction, verifier=self._stamp, held=comparison.held(), titled=comparison.held(context),
        )  # fmt: skip


def features(comparison: Comparison, found: tuple[Difference, ...]) -> dict[str, float]:
    """All that the learned score is made of."""
    return {**comparison.features(), "differs": float(bool(found))}


def label_of(chance: Mapping[str, float], found: tuple[Difference, ...], contradiction: Clash | None) -> str:
    """The likeliest label, except that a difference forbids support and a definite clash is a contradiction."""
    if contradiction is not None and contradiction.nature == DIRECT:
        return CONTRADICT
    likeliest = max(chance, key=lambda name: (chance[name], name))
    if not found or likeliest != SUPPORT:
        return likeliest
    opposed = any(one.kind in (POLARITY, DIRECTION) for one in found)
    return CONTRADICT if opposed else NEITHER


def verbatim(comparison: Comparison) -> tuple[int, int] | None:
    """Where whole sentences of the passage are the claim, word for word, and the next does not take them back."""
    wanted = _collapsed(comparison.claim.text)
    lines = comparison.lines
    for first, line in enumerate(lines):
        if not wanted.startswith(_collapsed(line.text)[:20]):
            continue
        for last in range(first, min(first + 4, len(lines))):
            if _collapsed(comparison.passage[line.start : lines[last].end]) == wanted:
                taken_back = last + 1 < len(lines) and TAKES_BACK.search(lines[last + 1].text)
                held_up = HELD_UP.search(comparison.passage, max(0, line.start - 40), line.start)
                return None if taken_back or held_up else (line.start, lines[last].end)
    return None


def _contradiction(comparison: Comparison, span: tuple[Line, ...]) -> Clash | None:
    """How the claim clashes with the sentence of the span that says most of it, unless others nearby agree with it."""
    best = max(span, key=lambda line: (round(comparison.coverage(line.terms), 6), -line.start))
    found = clash(comparison.claim, analyse(best.text[:4000]))
    opposed = found is not None and not found.values
    return None if opposed and comparison.lean.says_so > comparison.lean.opposes else found


def _words_found(comparison: Comparison, span: tuple[Line, ...]) -> str:
    here = frozenset().union(*(line.terms for line in span))
    missing = [term for term in dict.fromkeys(comparison.terms) if term not in here]
    if not missing:
        return "all words found"
    total = len(comparison.wanted)
    lost = [word for word in dict.fromkeys(comparison.words) if stem(word) in missing][:_LISTED]
    return f"{total - len(missing)} of {total} words found, not: {', '.join(lost)}"


def _collapsed(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
