"""Every sentence of the specification's "Verification" 4 and 5."""

import math

import pytest

from tools.trust.confidence import (
    assess_claim,
    confidence,
    indicator,
    is_contested,
    level,
    mean_credibility,
    weighted_mean,
)


def test_the_formula() -> None:
    assert confidence(0.8, [0.7, 0.7], True) == pytest.approx(0.5 * 0.8 + 0.35 * 0.7 + 0.15)
    assert confidence(0.8, [0.7, 0.7], False) == pytest.approx(0.5 * 0.8 + 0.35 * 0.7)


def test_at_most_095() -> None:
    assert confidence(1.0, [0.95, 0.95, 0.95], True) == 0.95


def test_c_is_the_mean_of_the_best_three_voices() -> None:
    assert mean_credibility([0.2, 0.9, 0.6, 0.3]) == pytest.approx(0.6)
    assert mean_credibility([0.9]) == 0.9
    assert mean_credibility([]) == 0.0


def test_one_voice_is_capped_at_075_and_at_055_when_weak() -> None:
    assert confidence(1.0, [0.9], False) == 0.75
    assert confidence(1.0, [0.6], False) == pytest.approx(0.5 + 0.35 * 0.6)
    assert confidence(1.0, [0.59], False) == 0.55
    assert confidence(0.6, [0.5], False) == pytest.approx(0.475)


def test_two_weak_voices_are_not_capped_as_one() -> None:
    assert confidence(1.0, [0.5, 0.5], True) == pytest.approx(0.825)


def test_a_direct_contradiction_of_equal_or_better_credibility_caps_at_055() -> None:
    assert confidence(1.0, [0.9, 0.9, 0.9], True, contested=True) == 0.55
    assert is_contested([0.7], [0.7])
    assert is_contested([0.7], [0.3, 0.8])
    assert not is_contested([0.7], [0.69])
    assert not is_contested([0.7], [])


def test_without_a_voice_nothing_is_confident() -> None:
    assert confidence(1.0, [], True) == 0.0
    found = assess_claim(1.0, [])
    assert (found.confidence, found.level, found.indicator) == (0.0, "low", "⚠")


@pytest.mark.parametrize(
    ("voices", "mean", "contested", "expected"),
    [
        (3, 0.71, False, "high"),
        (3, 0.70, False, "medium"),
        (3, 0.9, True, "medium"),
        (2, 0.9, False, "medium"),
        (2, 0.5, False, "medium"),
        (2, 0.49, False, "low"),
        (1, 0.95, False, "low"),
        (9, 0.1, False, "low"),
    ],
)
def test_levels(voices: int, mean: float, contested: bool, expected: str) -> None:
    assert level(voices, mean, contested) == expected


@pytest.mark.parametrize(
    ("value", "grade", "crossed", "contested", "expected"),
    [
        (0.8, "medium", True, False, "✓✓"),
        (0.8, "high", True, False, "✓✓"),
        (0.8, "low", True, False, "✓"),
        (0.8, "high", False, False, "✓"),
        (0.799, "high", True, False, "✓"),
        (0.6, "low", False, False, "✓"),
        (0.599, "medium", True, False, "⚠"),
        (0.95, "high", True, True, "⚠"),
    ],
)
def test_indicators(value: float, grade: str, crossed: bool, contested: bool, expected: str) -> None:
    assert indicator(value, grade, crossed, contested) == expected


def test_thresholds_are_settings() -> None:
    assert indicator(0.85, "high", True, thresholds=(0.9, 0.7)) == "✓"
    assert indicator(0.65, "high", True, thresholds=(0.9, 0.7)) == "⚠"


def test_cross_validation_can_be_turned_off() -> None:
    on, off = assess_claim(0.8, [0.7, 0.7]), assess_claim(0.8, [0.7, 0.7], cross_validation=False)
    assert (on.cross_validated, off.cross_validated) == (True, False)
    assert on.confidence - off.confidence == pytest.approx(0.15)


def test_everything_about_a_contested_claim() -> None:
    found = assess_claim(1.0, [0.8, 0.75, 0.75], [0.8])
    assert (found.confidence, found.level, found.indicator, found.contested) == (0.55, "medium", "⚠", True)


def test_section_and_overall_means_are_weighted_by_questions() -> None:
    assert weighted_mean([(0.9, 0.3), (0.5, 0.1)]) == pytest.approx(0.8)
    assert weighted_mean([(0.9, 0.0), (0.5, 0.0)]) == pytest.approx(0.7)
    assert weighted_mean([]) == 0.0


def test_nonsense_never_becomes_confidence() -> None:
    for match in (math.nan, -5.0, 99.0):
        assert 0.0 <= confidence(match, [0.7, 0.7], True) <= 0.95
    assert confidence(0.5, [7.0, 7.0], True) <= 0.95
