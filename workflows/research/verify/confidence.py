"""Confidence in a claim: arithmetic over match, credibility and voices. The numbers are those of
docs/credibility.md.

    confidence = 0.5 x match + 0.35 x C + 0.15 when cross-validated, at most 0.95

C is the mean credibility of the best source of each voice, the best three voices only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from workflows.research.model import Claim

MATCH, CREDIBILITY, CROSS_VALIDATED = 0.5, 0.35, 0.15
MOST = 0.95
ONE_VOICE = 0.75
ONE_WEAK_VOICE = 0.55
WEAK = 0.6
CONTESTED = 0.55
VOICES_COUNTED = 3

STRONG, GOOD, DOUBTFUL = "✓✓", "✓", "⚠"


def mean_credibility(voices: Iterable[float]) -> float:
    """C: mean of the best three of the voices' best credibilities; 0.0 without any."""
    best = sorted(voices, reverse=True)[:VOICES_COUNTED]
    return sum(best) / len(best) if best else 0.0


def is_contested(voices: Iterable[float], against: Iterable[float]) -> bool:
    """Whether a source that says the opposite is at least as credible as the best that supports the
    claim.

    against: credibilities of the sources of direct contradictions. Retracted and predatory ones are
    not handed in.
    """
    opponents = list(against)
    return bool(opponents) and max(opponents) >= max(voices, default=0.0)


def confidence(
    match: float, voices: Sequence[float], cross_validated: bool, contested: bool = False
) -> float:
    """Confidence in a claim, rounded to 6 places.

    match: 0..1, how well the passage supports the sentence. voices: the best credibility of each
    voice. No voice at all means nothing supports the claim: 0.0.
    """
    if not voices:
        return 0.0
    mean = mean_credibility(voices)
    value = (
        MATCH * _unit(match)
        + CREDIBILITY * _unit(mean)
        + (CROSS_VALIDATED if cross_validated else 0.0)
    )
    return round(min(value, *_caps(len(voices), mean, contested)), 6)


def _caps(voices: int, mean: float, contested: bool) -> tuple[float, ...]:
    caps = [MOST]
    if voices == 1:
        caps.append(ONE_WEAK_VOICE if mean < WEAK else ONE_VOICE)
    if contested:
        caps.append(CONTESTED)
    return tuple(caps)


def level(voices: int, mean: float, contested: bool = False) -> str:
    """high: 3 or more voices, C above 0.7, uncontested. medium: 2 or more, C at least 0.5. low:
    otherwise."""
    if voices >= 3 and round(mean, 6) > 0.7 and not contested:
        return "high"
    if voices >= 2 and round(mean, 6) >= 0.5:
        return "medium"
    return "low"


def indicator(
    value: float,
    level: str,
    cross_validated: bool,
    contested: bool = False,
    thresholds: tuple[float, float] = (0.8, 0.6),
) -> str:
    """Two ticks: cross-validated, at or above the first threshold, at least medium. One: at or
    above the second.

    The warning sign: below that, or contested.
    """
    strong, good = thresholds
    if contested or value < good:
        return DOUBTFUL
    if cross_validated and value >= strong and level in ("high", "medium"):
        return STRONG
    return GOOD


def assess_claim(
    claim: Claim,
    voices: Sequence[float],
    against: Sequence[float] = (),
    *,
    cross_validation: bool = True,
    thresholds: tuple[float, float] = (0.8, 0.6),
) -> Claim:
    """The claim with what is derived from its match, the best credibility of each voice, and those
    who say the opposite: confidence 0..0.95, level, indicator, cross_validated.

    cross_validation: False when the user turned it off; then no claim counts as cross-validated.
    """
    contested = is_contested(voices, against)
    crossed = cross_validation and len(voices) >= 2
    value = confidence(claim.match_score, voices, crossed, contested)
    mean = round(mean_credibility(voices), 6)
    grade = level(len(voices), mean, contested)
    mark = indicator(value, grade, crossed, contested, thresholds)
    return replace(claim, confidence=value, level=grade, indicator=mark, cross_validated=crossed)


def _unit(value: float) -> float:
    # NaN fails both comparisons and must not pass as a confidence
    return min(1.0, max(0.0, value)) if value == value else 0.0
