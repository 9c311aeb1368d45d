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
    ],
)
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
