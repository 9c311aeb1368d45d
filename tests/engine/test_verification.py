"""How a confidence adds up, for people: the parts must give what the record says."""

from dataclasses import replace

import pytest

from engine.reports.confidence_terms import confidence_sum
from tests.tables import each
from tests.ui import fake_research
from workflows.research.model import Claim
from workflows.research.state import ResearchState
from workflows.research.verify.confidence import assess_claim

IDS = tuple(source.source_id for source in fake_research.SOURCES.values())
SCORES = dict(zip(IDS, (score.score for score in fake_research.SCORES.values()), strict=False))


def make_claim(
    match: float, voices: tuple[tuple[str, ...], ...], against: float | None = None
) -> tuple[ResearchState, Claim]:
    best = [max(SCORES[source_id] for source_id in group) for group in voices]
    claim = Claim(
        "C1", "Text.", voices=voices, match_score=match, verified=True,
        contradicting_evidence_ids=() if against is None else ("E1",),
    )  # fmt: skip
    claim = assess_claim(claim, best, [] if against is None else [against])
    return fake_research.finished(), claim


@each("match", [0.6, 0.83, 1.0])
@each("count", [1, 2, 4])
@each("against", [None, 0.1, 0.95])
def test_the_parts_and_the_cap_give_the_confidence(
    match: float, count: int, against: float | None
) -> None:
    state, claim = make_claim(match, tuple((source_id,) for source_id in IDS[:count]), against)
    breakdown = confidence_sum(state, claim)
    assert breakdown is not None
    assert min(breakdown.total, breakdown.cap) == pytest.approx(claim.confidence, abs=2e-6)
    assert breakdown.value == claim.confidence and breakdown.cap_reason


def test_the_best_source_of_a_voice_counts_and_supporters_without_voices_are_one() -> None:
    state, claim = make_claim(1.0, ((IDS[0], IDS[1]),))
    best = max(SCORES[IDS[0]], SCORES[IDS[1]])
    without = replace(claim, voices=(), supporting_sources=(IDS[0], IDS[1]))
    nobody = replace(claim, voices=(), supporting_sources=())
    sums = [confidence_sum(state, state_claim) for state_claim in (claim, without, nobody)]
    assert [breakdown.credibility for breakdown in sums if breakdown] == [
        pytest.approx(best),
        pytest.approx(best),
        0.0,
    ]
    assert sums[0] is not None and sums[0].cap == 0.75


def test_what_nobody_judged_adds_up_to_nothing() -> None:
    state, claim = make_claim(1.0, ((IDS[0],),))
    assert confidence_sum(state, replace(claim, confidence=None)) is None
