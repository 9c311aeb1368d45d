"""Sentences that may stand in a report, and those that never do."""

import pytest

from tools.trust.worth import specificity, worth_citing

GOOD = "Street trees lowered the afternoon air temperature in Halden by 4.1 °C in July 2023."


@pytest.mark.parametrize(
    "sentence",
    [
        GOOD,
        "Batteries charge at noon and discharge after sunset.",
        "A method for shells was tested, and this method gave good results in all cases.",
        "Solar farms welcomed the change: curtailment of solar power at noon fell by a quarter.",
        "The First Conference of Norland was held in Halden in 1900.",
        "The figure of 86% was measured at the grid connection of the site.",
        "研究表明,行道树使夏季午后的气温平均降低了四点一度。",
        "Queen Elizabeth I was crowned in the abbey, and James I followed her.",
        "By August of 1965 Halden had planted four hundred trees in its streets.",
    ],
)
def test_statements_are_worth_citing(sentence: str) -> None:
    assert worth_citing(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "This lowered the temperature by 4.1 °C in July.",
        "It depends on many different things, of course.",
        "We use cookies to improve your experience on our site.",
        "Subscribe to our newsletter to read more stories like this one.",
        "How much do street trees cool the air in summer?",
        "Table 3 shows the results for the whole sample.",
        "Results and discussion of the summer campaign",
        "12.3 45.6 78.9 10.1 11.2 13.4 15.6 17.8 19.0 20.1.",
        "In August of 1865, she gave birth to twins in the house of her mother.",
        "By December she had finished a life of her father.",
        "Since nothing was said of the father, I have only changed the name.",
        "Too short.",
        "rest of a sentence that was cut by the page of a document.",
        "In the summer it added sixteen masts in streets with trees.",
        "The effect was estimated by comparing many winter evenings.",
        "The review was written for readers who want to know more.",
        "However, these effects were small in winter months.",
        "As mentioned above, street trees cool the air.",
        "The numerical example given here indicates that the flow is accurate enough.",
        "Comparisons of numerical solutions demonstrate the accuracy of this method.",
        "The first conference was held in Halden in 1900 by the city.",
        "Nobody disputes the figure, since every site has to register its capacity.",
        "The grid office therefore plans to repeat its count after the winter of 2026.",
        "Smaller towns ask for storage for another reason than the price of power.",
        "word " * 80 + ".",
        "",
    ],
)
def test_these_are_not(sentence: str) -> None:
    assert not worth_citing(sentence)


def test_numbers_and_names_make_a_sentence_specific() -> None:
    assert specificity(GOOD) > specificity("Trees may be good for many people in many ways.")
