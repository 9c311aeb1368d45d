"""What passage of another source counts as a voice for a claim: it says nearly all of it, in one sentence."""

import pytest

from tools.trust.verify import SUPPORT, Judgement, RuleVerifier
from workflows.research.supporters import says_it_too

THE_SAME = [
    ("Tree canopy covered 22% of Ostervale in 2023.", "In 2023, 22% of Ostervale was covered by tree canopy."),
    (
        "Gas plants ran 31% fewer evening hours in Norvalen in 2024 than in 2019.",
        "Compared with 2019, gas plants in Norvalen ran 31% fewer hours of the evening in 2024.",
    ),
    ("The cost of planting a street tree is 1,900 crowns.", "It costs 1,900 crowns to plant one street tree."),
]
OTHERS = [
    (
        "China Clipper is most famously associated with basketball.",
        "She became a legendary figure in the history of Chinese sport, and basketball was played in every school.",
    ),
    (
        "The prevalence of multiple sclerosis shows considerable variability all over the world.",
        "Multiple sclerosis shows a multifold increase in prevalence with an increase in latitude.",
    ),
    (
        "The risk of Alzheimer disease increased with the number of vascular risk factors.",
        "We have shown that the CD33 gene is a risk factor for Alzheimer disease. We observed increased expression.",
    ),
    ("Laminar and turbulent boundary layers were considered.", "Both laminar and turbulent boundary layers separate."),
    ("Heat-transfer rates are compared with predictions.", "Heat-transfer rates were below the predictions compared."),
    (
        "The effects with turbulent boundary layers may not be so severe.",
        "Smaller effects are to be expected in turbulent boundary layers.",
    ),
    (
        "Batteries lose a little energy each time they are charged and discharged.",
        "On windy evenings there was no reason to discharge. Most of the energy is bought around noon.",
    ),
]


@pytest.mark.parametrize(("claim", "passage"), THE_SAME)
def test_the_same_in_other_words_is_a_voice(claim: str, passage: str) -> None:
    assert says_it_too(claim, RuleVerifier().judge(claim, passage), 0.6)


@pytest.mark.parametrize(("claim", "passage"), OTHERS)
def test_a_sentence_on_the_same_topic_is_no_voice(claim: str, passage: str) -> None:
    assert not says_it_too(claim, RuleVerifier().judge(claim, passage), 0.6)


def test_the_title_may_say_whom_a_sentence_means_and_half_of_a_claim_is_not_enough_without_it() -> None:
    claim = "The city walls of Ostervale were torn down in 1862 to make room for a railway."
    passage = "The city walls were torn down in 1862 to make room for a railway."
    judge = RuleVerifier().judge
    assert says_it_too(claim, judge(claim, passage, "History of Ostervale"), 0.6)
    assert not says_it_too(claim, judge(claim, passage, "History of Norvalen"), 0.6)
    assert not says_it_too(claim, Judgement(SUPPORT, 0.9, held=0.55, titled=0.6), 0.6)
    assert not says_it_too(claim, Judgement(SUPPORT, 0.9, held=0.4, titled=0.9), 0.6)


def test_what_a_text_says_of_its_own_work_is_supported_by_a_copy_alone() -> None:
    claim = "The equations of the boundary layer were solved by iteration."
    assert says_it_too(claim, RuleVerifier().judge(claim, f"We begin. {claim} Then we end."), 0.6)
    assert not says_it_too(claim, Judgement(SUPPORT, 0.9, held=0.95), 0.6)


def test_a_verifier_that_does_not_measure_words_decides_by_its_score() -> None:
    assert says_it_too("Trees cool streets.", Judgement(SUPPORT, 0.7), 0.6)
    assert not says_it_too("Trees cool streets.", Judgement(SUPPORT, 0.5), 0.6)
