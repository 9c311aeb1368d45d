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
