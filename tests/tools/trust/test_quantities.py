"""Numbers with units, as they stand in real sentences."""

import pytest

from tools.trust.quantities import quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prices fell by 9%", [(9.0, "share")]),
        ("four per cent of demand", [(4.0, "share")]),
        ("twenty-four trees", [(24.0, "count")]),
        ("1,200 MWh", [(1_200_000.0, "energy")]),
        ("1.2 GWh", [(1_200_000.0, "energy")]),
        ("1.234,5 km", [(1_234_500.0, "length")]),
        ("1 234.5 m", [(1234.5, "length")]),
        ("$1.2 billion", [(1.2e9, "dollar")]),
        ("cooler by 4.1 °C", [(4.1, "temperature")]),
        ("from 12 to 18 hours", [(43200.0, "time"), (64800.0, "time")]),
        ("in the winter of 2024", [(2024.0, "year")]),
        ("on 15 October 2023", [(1015.0, "date"), (2023.0, "year")]),
        ("-3.5 degrees", [(-3.5, "temperature")]),
        ("one of them", []),
        ("no numbers here", []),
    ],
)
def test_numbers_are_read_with_their_unit(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(q.value, q.kind) for q in quantities(text)] == expected


@pytest.mark.parametrize(
    ("a", "b", "agree"),
    [
        ("1,200 MWh", "1.2 GWh", True),
        ("9%", "9.3%", True),
        ("9.0%", "9.3%", False),
        ("9%", "12%", False),
        ("in 2021", "in 2022", False),
        ("about 5 000 people", "4,980 people", True),
    ],
)
def test_values_agree_within_the_rounding_of_the_less_precise(a: str, b: str, agree: bool) -> None:
    assert quantities(a)[0].agrees(quantities(b)[0]) is agree


def test_a_long_run_of_digits_is_read_in_linear_time() -> None:
    quantities("1" * 20_000 + "," * 5_000 + " 1 2 3" * 3_000)
