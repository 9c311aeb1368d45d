"""Numbers with units, as they stand in real sentences."""

import pytest

from tests.tables import each
from tools.text.quantities import quantities


@each(
    ("text", "expected"),
    [
        ("prices fell by 9%", [(9.0, "share")]),
        ("four per cent of demand", [(4.0, "share")]),
        ("twenty-four trees", [(24.0, "count")]),
        ("twenty four trees", [(24.0, "count")]),
        ("forty to fifty foot cliffs", [(12.192, "length"), (15.24, "length")]),
        ("10 to 15 feet", [(3.048, "length"), (4.572, "length")]),
        ("two or three million people", [(2e6, "count"), (3e6, "count")]),
        ("a saving of $545 million has been estimated", [(545e6, "dollar")]),
        ("10 lbs", [(4.5359, "mass")]),
        ("four and a half feet", [(4.0, "count")]),
        ("at 9:38", [(578.0, "clock")]),
        ("at 21:05", [(1265.0, "clock")]),
        ("in the 1960s", [(1960.0, "decade")]),
        ("the late 1990's", [(1990.0, "decade")]),
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
        ("1.2e6 people", [(1.2e6, "count")]),
        ("1.2 x 10^6 cells", [(1.2e6, "count")]),
        ("3×10⁵ km", [(3e8, "length")]),
        ("12 Mio. Euro", [(1.2e7, "euro")]),
        ("12 million euros", [(1.2e7, "euro")]),
        ("1'234 hectares", [(12_340_000.0, "area")]),
        ("15/10/2023", [(1015.0, "date"), (2023.0, "year")]),
        ("2023-10-15", [(1015.0, "date"), (2023.0, "year")]),
        ("October 15, 2023", [(1015.0, "date"), (2023.0, "year")]),
        ("le 15 octobre 2023", [(1015.0, "date"), (2023.0, "year")]),
        ("el 15 de octubre de 2023", [(1015.0, "date"), (2023.0, "year")]),
        ("in May 2023", [(5.0, "month"), (2023.0, "year")]),
        ("it may 5 times", [(5.0, "count")]),
        ("45/99/2020", [(45.0, "count"), (99.0, "count"), (2020.0, "year")]),
        ("COVID-19 and IL-6", []),
        ("5 GW of 8 GWh", [(5e6, "power"), (8e6, "energy")]),
        ("26½ weeks", [(16_027_200.0, "time")]),
        ("26 1/2 weeks", [(16_027_200.0, "time")]),
        ("261⁄2 weeks", [(16_027_200.0, "time")]),
        ("¾ of the town", [(0.75, "count")]),
        (
            "a 12/8 bar in phase 1/2",
            [(12.0, "count"), (8.0, "count"), (1.0, "count"), (2.0, "count")],
        ),
        ("open 24/7", [(24.0, "count"), (7.0, "count")]),
        ("68 °F", [(20.0, "temperature")]),
        ("20 ° C", [(20.0, "temperature")]),
        ("the 2018–19 season", [(2018.0, "year"), (2019.0, "year")]),
        ("on 13/4/21", [(413.0, "date"), (2021.0, "year")]),
        ("東京の人口は1400万人です。", [(14e6, "count")]),
        ("人口は1億2000万人", [(1.2e8, "count")]),
        ("高さは333mです", [(333.0, "length")]),
        ("서울의 인구는 940만 명이다", [(9.4e6, "count")]),
        ("完成は2023-10-15です", [(1015.0, "date"), (2023.0, "year")]),
        ("1 250,75 metres", [(1250.75, "length")]),
        ("1\u202f234,5 million", [(1_234_500_000.0, "count")]),
        ("sailed at 9 a.m. and 9.30 pm", [(540.0, "clock"), (1290.0, "clock")]),
        ("the twenty-first century", [(21.0, "ordinal")]),
        ("the second longest bridge, a second bridge", [(2.0, "ordinal")]),
        ("on 03.04.1967", [(403.0, "date"), (1967.0, "year")]),
        ("no numbers here", []),
    ],
)
def test_numbers_are_read_with_their_unit(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(q.value, q.kind) for q in quantities(text)] == expected


@each(
    ("a", "b", "agree"),
    [
        ("1,200 MWh", "1.2 GWh", True),
        ("9%", "9.3%", True),
        ("9.0%", "9.3%", False),
        ("9%", "12%", False),
        ("in 2021", "in 2022", False),
        ("1.234 people", "1,234 people", True),
        ("05/10/2023", "10 May 2023", True),
        ("05/10/2023", "11 May 2023", False),
        ("4/3/21", "3 April 2021", True),
        ("20 °C", "68 °F", True),
        ("20 °C", "70 °F", False),
        ("10 °C", "18 degrees Fahrenheit", True),
        ("26½ weeks", "26.5 weeks", True),
        ("26½ weeks", "26¼ weeks", False),
        ("100 km", "62 miles", True),
        ("about 100 km", "104 km", True),
        ("5 GW", "5 GWh", False),
        ("about 5 000 people", "4,980 people", True),
        ("half million people", "540,000 people", True),
        ("half million people", "580,000 people", False),
        ("three million people", "3.4 million people", True),
    ],
)
def test_values_agree_within_the_rounding_of_the_less_precise(a: str, b: str, agree: bool) -> None:
    assert quantities(a)[0].agrees(quantities(b)[0]) is agree


@pytest.mark.lab
def test_a_long_run_of_digits_is_read_in_linear_time() -> None:
    quantities("1" * 20_000 + "," * 5_000 + " 1 2 3" * 3_000)


@each(
    ("claim", "passage", "covered"),
    [
        ("more than 5%", "9%", True),
        ("more than 5%", "4%", False),
        ("at most 5%", "3%", True),
        ("100 or more people", "at least 370 people", True),
        ("100 or fewer people", "370 people", False),
        ("9%", "more than 9%", False),
        ("in October 2023", "on 15 October 2023", True),
        ("on 15 October 2023", "in October 2023", False),
        ("at 9 a.m.", "at 9 p.m.", False),
        ("at 9 p.m.", "at 9 pm", True),
        ("at 9 p.m.", "um 21 Uhr", True),
        ("at 9", "at 9 a.m.", True),
        ("at 9:38", "at 9:38 pm", True),
        ("at 9:38", "at 8:38 pm", False),
        ("in the 1960s", "in 1963", True),
        ("in the 1960s", "in 1970", False),
        ("in the 1800s", "in 1888", True),
        ("after 1921", "in 1922", True),
        ("before 1531", "in 1837", False),
        ("in the first quarter", "in the fourth quarter", False),
        ("in the 5th century", "in the fifth century", True),
        ("in the first quarter of 2020", "in Q1 2020", True),
        ("on 3 April 1967", "on 04/03/1967", False),
        ("on 4 March 1967", "on 04/03/1967", False),
        ("on 04/03/1967", "on 04/03/1967", True),
        ("on 3 April 1967", "on 03.04.1967", True),
        ("1400万人", "1300万人", False),
    ],
)
def test_bounds_and_months_cover_what_lies_within_them(
    claim: str, passage: str, covered: bool
) -> None:
    assert quantities(claim)[0].covered_by(quantities(passage)[0]) is covered
