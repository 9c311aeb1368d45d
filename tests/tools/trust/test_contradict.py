"""Only definite clashes are direct; scope and hedges say what they are."""

import pytest

from tools.trust.contradict import clash, pairs
from tools.trust.statement import analyse

NINE = "Large batteries lowered the average evening price in Norland by 9% in the winter of 2024."


@pytest.mark.parametrize(
    ("a", "b", "nature"),
    [
        (NINE, "Large batteries lowered the average evening price in Norland by 1% in the winter of 2024.", "direct"),
        (NINE, "Large batteries lowered the average evening price in Norland by 9.2% in the winter of 2024.", None),
        (NINE, "Large batteries lowered the average evening price in Norland by 14% in the summer of 2024.", "scope"),
        (NINE, "Large batteries lowered the average evening price in Norland by 14% in the winter of 2021.", "scope"),
        ("Grid batteries lowered prices in spring.", "Grid batteries raised prices in autumn.", "scope"),
        ("Grid batteries lowered prices in March.", "Grid batteries raised prices in August.", "scope"),
        ("Grid batteries lowered prices in March.", "Grid batteries raised prices in March.", "direct"),
        (NINE, "Large batteries may lower the average evening price in Norland by 14%.", "nuanced"),
        (NINE, "Large batteries raised the average evening price in Norland in the winter of 2024.", "direct"),
        (NINE, "In 2024 batteries supplied 12% of evening demand in Norland.", None),
        (NINE, "Large batteries lowered the average evening price by at least 3% in Norland in winter 2024.", None),
        (
            "Street trees do not lower air temperature at night.",
            "Street trees lower air temperature at night.",
            "direct",
        ),
        ("The tower is 90 m high.", "The bridge is 40 m long.", None),
        ("It is not true that trees cool streets at night.", "Trees cool streets at night.", None),
        # one thing denied in two ways
        ("No prize was awarded in 2019.", "The prize was not awarded in 2019.", None),
        ("The rule has no exceptions.", "The rule applies without exceptions.", None),
        (
            "Harvol use is not associated with a risk of liver cancer.",
            "There was no association with gout; Harvol use was associated with a risk of liver cancer.",
            "direct",
        ),
        # other subjects: a clash would be wrong
        ("Ada Miller of Norland lifted 75 kg in the event.", "Ben Smith of Sudland lifted 85 kg in the event.", None),
        ("The rate of injuries was 12% in Harbour trials.", "The rate of injuries was 20% in Valley trials.", None),
        ("The BRCA 1 gene raises the risk of cancer.", "The BRCA 2 gene raises the risk of cancer.", None),
        # a change and a level; shares of two things
        (
            "Wind power in Norland fell by 10% in 2023.",
            "Wind power supplied 35% of the power of Norland in 2023.",
            None,
        ),
        ("Wind covers 35% of the demand of Norland.", "Wind covers 80% of the land of Norland.", None),
        # other people: context, not contradiction
        ("The injury rate was 12% among young players.", "The injury rate was 20% among older players.", "scope"),
        ("Statin use lowers mortality in men.", "Statin use raises mortality in women.", "scope"),
        # asked is not said
        ("Statin use lowers mortality in patients.", "We asked if statin use raises patients' mortality.", "nuanced"),
        ("Statin use lowers patients' mortality, if at all.", "Statin use raises mortality in patients.", "nuanced"),
        # denied, opposite, no effect
        ("Statin use is effective in elderly patients.", "Statin use is ineffective in elderly patients.", "direct"),
        ("Statin use has no effect on mortality.", "Statin use reduces mortality by half.", "direct"),
        ("Statin use is not only cheap, it lowers mortality.", "Statin use lowers mortality and is cheap.", None),
        # the same comparison told from its other end
        ("Mortality is higher after surgery than therapy.", "Therapy has lower mortality than surgery.", None),
        # other units and formats of one value
        ("The reservoir stores 1.2 GWh in winter.", "The reservoir stores 1,200 MWh in winter.", None),
        ("The plant stores 5 GW for evening demand.", "The plant stores 8 GWh for evening demand.", None),
        ("The park covers 1.234 hectares of the town.", "The park covers 1,234 hectares of the town.", None),
    ],
)  # fmt: skip
def test_nature_of_a_clash(a: str, b: str, nature: str | None) -> None:
    found = clash(analyse(a), analyse(b))
    assert (found.nature if found else None) == nature


def test_the_explanation_names_both_values() -> None:
    found = clash(analyse(NINE), analyse(NINE.replace("9%", "1%")))
    assert found is not None
    assert "9% against 1%" in found.explanation


def test_pairs_come_from_the_index_and_not_from_all_pairs() -> None:
    statements = [analyse(f"Unrelated subject{i} alpha{i} beta{i}.") for i in range(200)]
    statements += [analyse(NINE), analyse(NINE.replace("9%", "1%"))]
    assert list(pairs(statements)) == [(200, 201)]


def test_the_index_finds_every_pair_that_clashes() -> None:
    words = [f"alpha{i} beta{i} gamma{i} delta{i}" for i in range(40)]
    texts = [f"The {w} price fell by {9 + i % 2}% in winter." for i, w in enumerate(words)]
    texts += [f"In winter the {w} price fell by {30 + i}%." for i, w in enumerate(words)]
    statements = [analyse(text) for text in texts]
    every = {(i, j) for i in range(80) for j in range(i) if clash(statements[i], statements[j])}
    assert {(j, i) for i, j in pairs(statements)} >= every
    assert len(every) == 40


@pytest.mark.parametrize(
    ("a", "b", "nature"),
    [
        ("The Kelm tunnel opened on 3 April 1967.", "The Kelm tunnel opened on 3 May 1967.", "direct"),
        ("The Kelm tunnel opened in April 1967.", "On 3 May 1968, the Kelm tunnel opened.", "direct"),
        ("Ada Miller was born in 1921 in Leeds.", "Ada Miller was born in Leeds in 1923 and died in 1990.", "direct"),
        ("The ferry Aurora sank on 12 November 1988.", "The ferry Aurora sank in the autumn of 1989.", "direct"),
        ("Ada Miller published her first novel in 1990.", "Ada Miller published her first novel in 1991.", "direct"),
        ("The Kelm Dam was completed on 3 April 1967.", "The Kelm Dam, completed in 1971, is high.", "direct"),
        ("Mount Kelm was first climbed in 1953.", "Mount Kelm was first climbed in 1954.", "direct"),
        ("Ada Miller may have been born in 1921.", "Ada Miller was born in 1923.", "nuanced"),
        ("The Aker office opened in Oslo in 1990.", "The Aker office opened in 1992.", "direct"),
        # the coarser of two dates agrees, and so does one reading of an ambiguous one
        ("The Kelm tunnel opened on 3 April 1967.", "The Kelm tunnel opened in 1967.", None),
        ("The Kelm tunnel opened on 3 April 1967.", "The Kelm tunnel opened on 04/03/1967.", None),
        ("The Kelm tunnel opened in 1967.", "The Kelm tunnel opened before 1968.", None),
        # what happens again, and two things of one subject
        ("Ada Miller won the Norland cup in 1990.", "Ada Miller won the Norland cup in 1994.", None),
        ("Ada Miller opened a shop in 1990.", "Ada Miller opened a shop in 1994.", None),
        ("Ada Miller completed the Kelm marathon in 1990.", "Ada Miller completed the Kelm marathon in 1994.", None),
        ("The Kelm festival opened on 3 May 1967.", "The Kelm festival opened on 4 May 1968.", None),
        ("Kelm traffic rose in the first quarter of 2020.", "Kelm traffic rose in the first quarter of 2021.", None),
        ("Ada Miller won first prize in Kelm in 1990.", "Ada Miller won first prize in Kelm in 1994.", None),
        ("The Kelm tunnel was completed in 1966.", "The Kelm tunnel opened in 1967.", None),
        ("The Kelm tunnel opened in 1967.", "The east tube of the Kelm tunnel opened in 1968.", None),
        ("The Kelm tunnel opened to traffic in 1967.", "The Kelm tunnel opened to cyclists in 1990.", None),
        ("The Kelm tunnel opened in 1967.", "The Kelm bridge opened in 1968.", None),
        ("The Aker office opened in Oslo in 1990.", "The Aker office opened in Halden in 1992.", None),
        ("She was born in Leeds on 3 April 1967.", "She was born on 3 November 1988.", None),
        ("The tunnel with a toll opened on 3 April 1967.", "The tunnel with a toll opened in 1988.", None),
        ("The Kelm tunnel opened after a test; by 1968 it was busy.", "The Kelm tunnel opened in 1967.", None),
    ],
)  # fmt: skip
def test_two_dates_of_what_happens_once_are_a_contradiction(a: str, b: str, nature: str | None) -> None:
    for first, second in ((a, b), (b, a)):
        found = clash(analyse(first), analyse(second), across=True)
        assert (found.nature if found else None) == nature
    if nature == "direct":
        assert found is not None and found.attribute == "date" and " against " in found.explanation
        assert list(pairs([analyse(a), analyse(b)])) == [(0, 1)]
