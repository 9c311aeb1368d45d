"""Disagreement: what two sources say differently. Without a judge only figures that differ, both
quoted."""

from dataclasses import replace
from itertools import combinations

from tools.judging.figures import figures_differ
from tools.judging.judge import JudgeKind, Label, Passage
from workflows.research.answer.model import AnswerPassage, shown_passages
from workflows.research.deps import Deps
from workflows.research.model import Contradiction
from workflows.research.report.model import Disagreement
from workflows.research.report.sentences import Sentence, SentenceKind
from workflows.research.state import ResearchState

FIGURES, DIRECT = "figures", "direct"
_MOST_PASSAGES = 24  # of which every two are compared
_MOST_JUDGED = 40  # pairs that a judge is asked about


def with_disagreements(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with the contradictions among the leads of its passages, and what its claims stand
    against."""
    assert state.answer is not None
    passages = [*shown_passages(state.answer), *state.passages][:_MOST_PASSAGES]
    pairs = [(a, b) for a, b in combinations(passages, 2) if _can_differ(a, b)]
    if deps.judge.kind == JudgeKind.NONE:
        contradictions = _figures(pairs)
    else:
        contradictions = _judged(pairs[:_MOST_JUDGED], deps)
    numbered = tuple(
        replace(contradiction, contradiction_id=f"X{n}")
        for n, contradiction in enumerate(contradictions, 1)
    )
    against: dict[str, list[str]] = {}
    for contradiction in numbered if deps.judge.kind != JudgeKind.NONE else ():
        against.setdefault(contradiction.claim_a, []).append(contradiction.evidence_b)
        against.setdefault(contradiction.claim_b, []).append(contradiction.evidence_a)
    claims = tuple(
        replace(claim, contradicting_evidence_ids=tuple(against.get(claim.claim_id, ())))
        for claim in state.claims
    )
    return replace(state, contradictions=numbered, claims=claims)


def disagreements_of(state: ResearchState) -> tuple[Disagreement, ...]:
    """Both sides of each contradiction as quotations."""
    leads = {
        p.claim_id: p
        for p in (*(shown_passages(state.answer) if state.answer else ()), *state.passages)
    }
    disagreements = []
    for contradiction in state.contradictions:
        sides = tuple(
            _quoted(f"{contradiction.contradiction_id}{side}", leads[claim])
            for side, claim in (("a", contradiction.claim_a), ("b", contradiction.claim_b))
            if claim in leads
        )
        if len(sides) == 2:
            disagreements.append(Disagreement(contradiction.contradiction_id, sides))
    return tuple(disagreements)


def _quoted(name: str, passage: AnswerPassage) -> Sentence:
    return Sentence(
        name,
        SentenceKind.QUOTE,
        passage.lead.claim,
        (),
        (passage.claim_id,),
        passage.lead.citations,
    )


def _can_differ(a: AnswerPassage, b: AnswerPassage) -> bool:
    return (
        bool(a.claim_id and b.claim_id) and a.source_id != b.source_id and b.source_id not in a.also
    )


def _figures(pairs: list[tuple[AnswerPassage, AnswerPassage]]) -> list[Contradiction]:
    return [
        Contradiction(
            "", a.claim_id, b.claim_id, a.lead.citations[0].evidence_id,
            b.lead.citations[0].evidence_id, FIGURES, difference.subject, difference.attribute,
            difference.explanation,
        )
        for a, b in pairs
        if (difference := figures_differ(a.lead.claim, b.lead.claim, (a.date, b.date))) is not None
    ]  # fmt: skip


def _judged(pairs: list[tuple[AnswerPassage, AnswerPassage]], deps: Deps) -> list[Contradiction]:
    judgements = deps.judge.judge(
        [(a.lead.claim, [Passage(b.text, heading=" ".join(b.heading_path))]) for a, b in pairs]
    )
    return [
        Contradiction(
            "", a.claim_id, b.claim_id, a.lead.citations[0].evidence_id,
            b.lead.citations[0].evidence_id,
            DIRECT, "", "", "; ".join(judgement.reasons),
        )
        for (a, b), judgement in zip(pairs, judgements, strict=True)
        if judgement.label == Label.CONTRADICT
    ]  # fmt: skip
