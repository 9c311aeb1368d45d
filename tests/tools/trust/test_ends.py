"""Who did it to whom: two ends the other way round, and what only looks like it."""

import pytest

from tools.trust.ends import swapped


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Google acquired Fitbit in 2019.", "Fitbit acquired Google in 2019."),
        ("Google acquired Fitbit.", "Google was acquired in 2019 by Fitbit."),
        ("Anna Berg defeated Carl Lund in the election.", "In the election Carl Lund narrowly defeated Anna Berg."),
        ("The king was killed by his brother.", "The king killed his brother in 1410."),
        ("Solar power is cheaper than wind power.", "Wind is much cheaper than solar."),
        ("Oak grows faster than pine.", "Pine grows faster than oak."),
        ("Norland is more fertile than Sudland.", "Sudland is more fertile than Norland."),
        ("Rice uses more water than wheat.", "Wheat uses more water than rice."),
    ],
)
def test_ends_the_other_way_round_are_found(claim: str, passage: str) -> None:
    assert swapped(claim, (passage,))
    assert swapped(passage, (claim,))
    assert not swapped(claim, (claim,))


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Google acquired Fitbit.", "Fitbit was acquired by Google."),
        ("Google acquired Fitbit.", "Fitbit, which Google acquired in 2019, makes watches."),
        ("Solar power is cheaper than wind power.", "Wind power is less cheap than solar power."),
        ("Anna Berg married Carl Lund.", "Carl Lund married Anna Berg."),
        ("Paris remains the capital.", "The capital remains Paris."),
        ("Apples, pears and plums were sold.", "Plums, pears and apples were sold."),
        ("Insulin levels in blood rose.", "Blood levels of insulin rose."),
        ("Die Preise sind im Winter nicht gesunken.", "Im Winter sind die Preise nicht gesunken."),
        ("Google acquired Fitbit.", "Fitbit sued Google."),
    ],
)
def test_what_says_the_same_or_something_else_is_not_swapped(claim: str, passage: str) -> None:
    assert not swapped(claim, (passage,))


def test_a_sentence_that_has_them_in_order_outweighs_one_that_has_not() -> None:
    assert not swapped("Iran attacked Iraq.", ("Iraq attacked Iran in 1980.", "Iran attacked Iraq in 1986."))
