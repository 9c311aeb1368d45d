"""The judge that is always there: restatement supports, a hard check forbids support, the rest is
left open.

The same checks stand before and after every other judge (`guarded`): what they veto is supported by
nobody.
"""

from collections.abc import Sequence
from dataclasses import replace

from tools.judging.judge import JudgeKind, Judgement, Label, Pair, Passage, other_language
from tools.judging.restatement import restates
from tools.judging.sentence import sentences_of
from tools.judging.vetoes import Veto, vetoes
from tools.judging.windows import LONGEST

_MOST_SENTENCES = 50  # of a claim, each of which is compared with every sentence of the passage
_RESTATED = "The passage says the same in the same words."


class Checks:
    """Judges by rules of words: affirms restatements and nothing else. Never raises."""

    name = "checks"
    kind = JudgeKind.NONE

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement a pair, in order. Only restatements have a probability."""
        return [
            _judged(claim, [_bounded(passage) for passage in passages]) for claim, passages in pairs
        ]


def vetoes_of(claim: str, passage: Passage) -> list[Veto]:
    """What forbids saying that the passage supports any sentence of the claim."""
    return [
        veto
        for sentence in sentences_of(claim)[:_MOST_SENTENCES]
        for veto in vetoes(sentence.text, _bounded(passage))
    ]


def guarded(claim: str, passages: Sequence[Passage], judgement: Judgement) -> Judgement:
    """Another judge's judgement after the checks: a vetoed support is none, whatever its
    probability."""
    if judgement.label != Label.SUPPORT or judgement.passage is None:
        return judgement
    passage = passages[judgement.passage]
    if restates(claim, passage.text[:LONGEST]):
        return judgement
    vetoes = vetoes_of(claim, passage)
    if not vetoes:
        return judgement
    reasons = tuple(veto.reason for veto in vetoes)
    return replace(judgement, label=Label.NEITHER, probability=None, reasons=reasons, vetoed=True)


def is_open(judgement: Judgement) -> bool:
    """Whether the checks leave it to others: not restated, and in a language that can be compared.

    What they veto is read too: it is supported by nobody, but may be contradicted.
    """
    return judgement.label == Label.NEITHER and (judgement.vetoed or not judgement.reasons)


def _judged(claim: str, passages: Sequence[Passage]) -> Judgement:
    for index, passage in enumerate(passages):
        if restates(claim, passage.text):
            return Judgement(Label.SUPPORT, 1.0, (_RESTATED,), Checks.name, index)
    foreign = other_language(claim, passages)
    if foreign:
        return Judgement(Label.NEITHER, reasons=(foreign,), judge=Checks.name)
    for index, passage in enumerate(passages):
        vetoes = vetoes_of(claim, passage)
        if vetoes:
            reasons = tuple(veto.reason for veto in vetoes)
            return Judgement(
                Label.NEITHER, reasons=reasons, judge=Checks.name, passage=index, vetoed=True
            )
    return Judgement(Label.NEITHER, judge=Checks.name)


def _bounded(passage: Passage) -> Passage:
    return (
        passage if len(passage.text) <= LONGEST else replace(passage, text=passage.text[:LONGEST])
    )
