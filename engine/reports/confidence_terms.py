"""How the confidence of a claim adds up, for people."""

from dataclasses import dataclass

from workflows.research.state import Claim, ResearchState
from workflows.research.verify.confidence import (
    CONTESTED,
    CREDIBILITY,
    CROSS_VALIDATED,
    MATCH,
    MOST,
    ONE_VOICE,
    ONE_WEAK_VOICE,
    WEAK,
    mean_credibility,
)


@dataclass(frozen=True, slots=True)
class ConfidenceSum:
    """How the confidence of a claim adds up: three addends, their sum, and the lowest cap that
    holds.

    match, credibility (mean of the best three voices): what is multiplied, by `weights`. cap: at
    most this much, with the reason in words. value: what the record says.
    """

    match: float
    credibility: float
    cross_validated: bool
    addends: tuple[float, float, float]
    total: float
    cap: float
    cap_reason: str
    value: float
    weights: tuple[float, float] = (MATCH, CREDIBILITY)


def confidence_sum(state: ResearchState, claim: Claim) -> ConfidenceSum | None:
    """The arithmetic of workflows/research/verify/confidence.py for one claim; None where nobody
    judged it."""
    if claim.confidence is None:
        return None
    scores = {
        source.source_id: source.credibility.score for source in state.sources if source.credibility
    }
    groups = claim.voices or ((claim.supporting_sources,) if claim.supporting_sources else ())
    voices = [max((scores.get(member, 0.0) for member in group), default=0.0) for group in groups]
    mean = round(mean_credibility(voices), 6)
    crossed = CROSS_VALIDATED if claim.cross_validated else 0.0
    addends = (round(MATCH * claim.match_score, 6), round(CREDIBILITY * mean, 6), crossed)
    total = round(sum(addends), 6)
    caps = [(MOST, "nothing is ever more certain than this")]
    if len(voices) == 1:
        weak = mean < WEAK
        caps.append(
            (ONE_WEAK_VOICE, "one weak voice alone") if weak else (ONE_VOICE, "one voice alone")
        )
    if claim.contradicting_evidence_ids and round(claim.confidence, 6) <= CONTESTED < total:
        caps.append((CONTESTED, "a source of equal standing says the opposite"))
    cap, reason = min(caps)
    return ConfidenceSum(
        claim.match_score,
        mean,
        claim.cross_validated,
        addends,
        total,
        cap,
        reason,
        claim.confidence,
    )
