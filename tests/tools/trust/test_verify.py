"""Support, contradiction, neither: with the reason in words, and the wrong answer named."""

import pytest

from tools.trust.verify import CONTRADICT, NEITHER, SUPPORT, RuleVerifier

CLAIM = "Evening prices in Norland fell by 9% in the winter of 2024."


@pytest.mark.parametrize(
    ("claim", "passage", "label"),
    [
        (CLAIM, CLAIM, SUPPORT),
        (CLAIM, "In the winter of 2024 evening prices fell by 9% in Norland, the agency says.", SUPPORT),
        (CLAIM, "Evening prices in Norland fell by 1% in the winter of 2024.", CONTRADICT),
        (CLAIM, "Evening prices in Sudland fell by 9% in the winter of 2024.", NEITHER),
        (CLAIM, "Evening prices in Norland rose by 9% in the winter of 2024.", CONTRADICT),
        (CLAIM, "Evening prices in Norland did not fall by 9% in the winter of 2024.", CONTRADICT),
        (CLAIM, "The museum opens at nine.", NEITHER),
        (CLAIM, "", NEITHER),
        ("Aspirin prevents heart attacks.", "It is not true that aspirin prevents heart attacks.", CONTRADICT),
        ("1.2 GWh were stored in the reservoir.", "In the reservoir 1,200 MWh were stored.", SUPPORT),
        ("树木使夏季气温降低4.1度。", "研究表明,树木使夏季气温降低4.1度。", SUPPORT),
    ],
)
def test_judgements(claim: str, passage: str, label: str) -> None:
    judged = RuleVerifier().judge(claim, passage)
    assert judged.label == label, judged
    assert judged.label != SUPPORT or not judged.vetoes


COLDS = "Vitamin C prevents colds."


@pytest.mark.parametrize(
    "passage",
    [
        "Later trials refuted the idea that vitamin C prevents colds.",
        "We disproved the claim that vitamin C prevents colds.",
        "The hypothesis that vitamin C prevents colds was rejected.",
        "The belief that vitamin C prevents colds is mistaken.",
        "There is no proof that vitamin C prevents colds.",
        "It remains unproven that vitamin C prevents colds.",
        "Congress never said that vitamin C prevents colds.",
        "Few believe that vitamin C prevents colds.",
        "Vitamin C does little to prevent colds.",
        "Vitamin C is useless for preventing colds.",
        "Vitamin C is far from preventing colds.",
        "Zinc rather than vitamin C prevents colds.",
        "MYTH: Vitamin C prevents colds.",
        "Myth 1: vitamin C prevents colds. Fact: it does not.",
        "Myth 1\n\nVitamin C prevents colds.",
        "Claim: vitamin C prevents colds. Verdict: false.",
        "Claim: vitamin C prevents colds.",
        "Claim 3:\n\nVitamin C prevents colds.",
        "Fact check: vitamin C prevents colds.",
        "Fact check: vitamin C prevents colds. Rating: mostly false.",
        "Had vitamin C prevented colds, hospitals would offer it.",
        "Vitamin C prevents colds, or so its sellers would like you to think.",
        "Some people say vitamin C prevents colds.",
        "In 1970 a famous chemist claimed that vitamin C prevents colds.",
        "Vitamin C was said to prevent colds.",
    ],
)
def test_what_is_refuted_or_only_heard_is_no_support(passage: str) -> None:
    assert RuleVerifier().judge(COLDS, passage).label != SUPPORT


def test_a_refutation_in_german_is_no_support() -> None:
    passage = "Es ist ein Irrtum, dass Vitamin C Erkältungen verhindert."
    assert RuleVerifier().judge("Vitamin C verhindert Erkältungen.", passage).label != SUPPORT


WON = "Maria Lopez was awarded the Cervantes Prize in 2003."


@pytest.mark.parametrize(
    ("claim", "passage", "label"),
    [
        ("Maria Lopez never won the Cervantes Prize.", WON, NEITHER),
        ("Maria Lopez never won the Cervantes Prize.", "Maria Lopez did not receive the Cervantes Prize.", SUPPORT),
        ("Maria Lopez won the Cervantes Prize.", "Maria Lopez never received the Cervantes Prize.", NEITHER),
        ("The physician John Harlow never married.", "John Harlow was a physician of Leeds.", NEITHER),
        ("The physician John Harlow never married.", "The physician John Harlow did not smoke.", NEITHER),
        ("Nobody was injured when the bridge fell.", "When the bridge fell, there were no injuries.", SUPPORT),
        ("The minister did not attend the meeting.", "The minister refused to attend the meeting.", SUPPORT),
        ("John Harlow never married.", "John Harlow remained unmarried.", SUPPORT),
        ("The town has no railway station.", "The town lacks a railway station.", SUPPORT),
        ("The bill was signed without opposition.", "The bill was signed with opposition.", NEITHER),
        ("The bill was signed with opposition.", "The bill was signed with or without opposition.", SUPPORT),
        ("Trees cool streets.", "Trees cool streets but do not clean the air of streets.", SUPPORT),
        ("The bridge fell in 2012 in Norland.", "Nobody was hurt when the bridge fell in 2012 in Norland.", SUPPORT),
        ("The drug does not cure malaria.", "It is false that the drug cures malaria.", NEITHER),
        ("The bridge was destroyed by a flood.", "The bridge was almost destroyed by a flood.", CONTRADICT),
    ],
)
def test_a_denial_needs_a_denial(claim: str, passage: str, label: str) -> None:
    judged = RuleVerifier().judge(claim, passage)
    assert judged.label == label, judged


def test_swapped_roles_are_told_with_their_words() -> None:
    judged = RuleVerifier().judge("Google acquired Fitbit in 2019.", "Fitbit acquired Google in 2019.")
    assert judged.label == NEITHER
    assert judged.vetoes == ("role: google acquired fitbit here, fitbit acquired google in the passage",)


def test_what_differs_is_said() -> None:
    judged = RuleVerifier().judge(CLAIM, "Evening prices in Norland fell by 12% in the winter of 2024.")
    assert "number: 9% here, 12% in the passage" in judged.reasons


def test_the_span_is_the_sentence_that_supports() -> None:
    passage = f"The weather was mild. {CLAIM} Nothing else changed."
    paraphrase = "In the winter of 2024 evening prices in Norland fell by 9%."
    judged = RuleVerifier().judge(paraphrase, passage)
    assert passage[judged.start : judged.end] == CLAIM


def test_a_sentence_of_three_thousand_words_is_judged() -> None:
    RuleVerifier().judge("trees " * 3000 + ".", "trees cool streets " * 1000 + ".")
