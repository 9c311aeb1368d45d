"""Verdict on a claim to check: which verified claims speak for it and which against, and how many voices each has."""

import re
from collections.abc import Sequence

from tools.text.phrases import counted
from tools.text.tokens import stems
from tools.trust.contradict import DIRECT
from tools.trust.statement import Statement, analyse, down_words, up_words
from workflows.research.compose import Composer
from workflows.research.deps import Deps
from workflows.research.model import Claim
from workflows.research.report import Sentence, Verdict
from workflows.research.state import ResearchState
from workflows.research.supporters import voice_groups

_ON_TOPIC = 0.5  # share of the claim's own terms that a statement must hold
_FLAT = re.compile(
    r"\b(?:unchanged|stayed (?:within|flat|the same)|remained (?:flat|stable|the same|within)|no (?:\w+\s){0,2}"
    r"(?:effect|change|difference|impact|link|evidence)|(?:little|hardly any) (?:effect|change|difference))\b",
    re.I,
)
_LABELS = {
    "supported": "The claim is supported",
    "contested": "The claim is contested",
    "unsupported": "The claim is not supported by what was read",
}


def verdict(state: ResearchState, composer: Composer, ranked: Sequence[Claim], deps: Deps) -> Verdict | None:
    """The verdict of a claim check; None for other questions, and where nothing was read that could speak at all."""
    if state.understanding.query_type != "claim_check" or not any(claim.verified for claim in ranked):
        return None
    hypothesis = analyse(state.understanding.primary_anchor)
    sides: dict[int, list[Claim]] = {1: [], -1: []}
    for claim in ranked:
        side = stance(hypothesis, analyse(claim.text)) if claim.verified else 0
        if side:
            sides[side].append(claim)
    in_favour, against = (_voices(state, sides[side], deps) for side in (1, -1))
    label = _label(in_favour, against)
    balance = f"{_LABELS[label]}: {counted(in_favour, 'voice')} for it, {counted(against, 'voice')} against."
    sentences = [composer.narration(balance), *_inner(state, sides[1], composer)]
    sentences += composer.take(sides[1], 2) + composer.take(sides[-1], 2)
    return Verdict(label, in_favour, against, tuple(sentences))


def _inner(state: ResearchState, favouring: Sequence[Claim], composer: Composer) -> list[Sentence]:
    """Whether those who speak for the claim contradict each other, on its size for example."""
    ids = {claim.claim_id for claim in favouring}
    count = sum(one.nature == DIRECT and one.claim_a in ids and one.claim_b in ids for one in state.contradictions)
    return (
        [composer.narration(f"The voices for it contradict each other on {counted(count, 'point')}.")] if count else []
    )


def stance(hypothesis: Statement, statement: Statement) -> int:
    """1 for, -1 against, 0 beside the point.

    A hypothesis that says which way something goes ("batteries lower prices") is answered only by a statement that
    names both its ends, what acts and what is acted on, and says which way that goes or that it does not move.
    """
    moving = up_words() | down_words()
    wanted = hypothesis.terms - moving
    if not wanted or len(wanted & statement.terms) / len(wanted) < _ON_TOPIC or statement.hedged:
        return 0
    if not all(part & statement.terms for part in _ends(hypothesis, moving)):
        return 0
    flat = bool(_FLAT.search(statement.text)) or statement.refutes
    if hypothesis.direction:
        return _on_the_way(hypothesis, statement, flat)
    return -1 if (statement.negated or flat) != hypothesis.negated else 1


def _on_the_way(hypothesis: Statement, statement: Statement, flat: bool) -> int:
    if not statement.direction:
        return -1 if flat else 0
    agrees = hypothesis.direction == statement.direction
    if statement.negated or flat:
        return -1 if agrees else 0  # "did not rise" does not yet say that it fell
    return 1 if agrees else -1


def _ends(hypothesis: Statement, moving: frozenset[str]) -> tuple[frozenset[str], ...]:
    """The terms before and after the word that says which way it goes; empty parts are left out."""
    turn = next((i for i, term in enumerate(hypothesis.ordered) if term in moving), None)
    if turn is None:
        return ()
    parts = (frozenset(hypothesis.ordered[:turn]), frozenset(hypothesis.ordered[turn + 1 :]))
    return tuple(part - moving for part in parts if part - moving)


def _voices(state: ResearchState, claims: Sequence[Claim], deps: Deps) -> int:
    evidence = {one.evidence_id: one for one in state.evidence}
    passages: dict[str, str] = {}  # each source by its own words, or all who share a claim would look like copies
    for one in (evidence[i] for claim in claims for i in claim.evidence_ids if i in evidence):
        passages.setdefault(one.source_id, one.quote)
    sources = {source.source_id: source for source in state.sources if not source.rejected}
    return len(voice_groups(passages, sources, deps))


def _label(in_favour: int, against: int) -> str:
    if not in_favour:
        return "unsupported"
    return "contested" if against and in_favour < 4 * against else "supported"


def about(claim: Claim, subject: str) -> bool:
    """Whether a claim names a subject: at least half of its stems, and its last one."""
    wanted = stems(subject)
    found = set(stems(claim.text))
    return bool(wanted) and wanted[-1] in found and sum(w in found for w in wanted) >= len(wanted) / 2
