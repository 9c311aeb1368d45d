"""Figures that differ: found where everything else is the same and the thing is named; nowhere
else."""

import pytest

from tests.tables import each
from tools.judging import figures
from tools.judging.figures import figures_differ

DIFFERENT = [
    ("The pact of Orvel was signed on 3 April 1967.", "The pact of Orvel was signed on 5 April "
                                                      "1967.", "3 April 1967"),
    ("Marta Kessel was born in 1871 in Linz.", "Marta Kessel was born in 1874 in Linz.", "1871"),
    ("The Orvel Tunnel is 4.2 km long.", "The Orvel Tunnel is 5.1 km long.", "4.2 km"),
    ("The museum of Tarn had 52,000 visitors in 2019.", "The museum of Tarn had 61,500 visitors in "
                                                        "2019.", "52,000"),
    ("The population of Broken Bow was 3,559 in 2010.", "In 2010 the population of Broken Bow was "
                                                        "3,491.", "3,559"),
    ("The Orvel bridge opened on 12 May 1932.", "The Orvel bridge opened in June 1932.",
        "12 May 1932"),
    ("It rained. Lake Tarn is 45 m deep.", "Lake Tarn is 60 m deep. It snowed.", "45 m"),
    ("The mill was founded in 1911 by Otto Brandt.", "The mill was established in 1913 by Otto "
                                                     "Brandt.", "1911"),
]  # fmt: skip


@each(("first", "second", "figure"), DIFFERENT)
def test_two_figures_of_one_thing_are_found_with_both(first: str, second: str, figure: str) -> None:
    difference = figures_differ(first, second)
    assert difference is not None
    assert difference.first == figure
    assert difference.first in first
    assert difference.second in second
    assert difference.subject
    assert (
        f"“{difference.first}” in one, “{difference.second}” in the other."
        in difference.explanation
    )
    assert figures_differ(second, first) is not None
    assert figures_differ(first, first) is None


@each(
    ("first", "second"),
    [
        (
            "The population was 4,624 at the 2010 census.",
            "The population was 2,097 at the 2010 census.",
        ),  # of where?
        (
            "The population of Broken Bow was 3,559 in 2010.",
            "The population of Broken Bow was 3,491 in 2020.",
        ),
        ("The population of Broken Bow was 3,559.", "The population of Alma was 1,133."),
        ("Lake Tarn is 45 m deep.", "Lake Bode is 60 m deep."),
        ("Marta Kessel was born in Linz.", "Marta Kessel was born in Austria."),
        ("Output of Varnor rose by 9% in May.", "Output of Varnor rose by 12% in June."),
        ("The Orvel bridge opened in 1932.", "The Orvel bridge opened in May 1932."),
        ("The Orvel Tunnel is 4.2 km long.", "The Orvel Tunnel is 4,200 m long."),
        ("The Orvel Tunnel is at least 4 km long.", "The Orvel Tunnel is 5 km long."),
        ("The Orvel Tunnel is 4.2 km long.", "The Orvel Tunnel is 9 m wide."),
        ("The minimum depth of Lake Tarn is 5 m.", "The maximum depth of Lake Tarn is 60 m."),
        (
            "Otto Brandt met the mayor in 1932.",
            "Otto Brandt met the mayor in 1934.",
        ),  # may happen twice
        (
            "Tarn expected 52,000 visitors and should have 3 museums.",
            "Tarn had 61,500 visitors and 3 museums.",
        ),
        (
            "[ 4 ] Demographics of Tarn [ edit ] Population.",
            "[ 5 ] Demographics of Tarn [ edit ] Population.",
        ),
        ("Tarn School takes ages 11–16.", "Tarn School takes ages 11–18."),
        ("Is Lake Tarn 45 m deep?", "Lake Tarn is 60 m deep."),
        (
            "Latino people were 22.7% of the population.",
            "Latino people were 6.0% of the population.",
        ),
        ("See Tarn Council issues/475.", "See Tarn Council issues/512."),
        ("Tarn Council settled issue #475.", "Tarn Council settled issue #512."),
        ("Step 7: Tarn Council opens the doors.", "Step 6: Tarn Council opens the doors."),
        ("The vote of Tarn Council is +1", "The vote of Tarn Council is +2"),
        ("2 Tbsp Vegetable Oil", "3 Tbsp Oil"),
        ("250g Cheddar Cheese", "400g Cheddar Cheese"),
        ("Preheat oven to 450F.", "Preheat oven to 350F."),
        ("", "Lake Tarn is 60 m deep."),
    ],
)
def test_another_time_thing_attribute_or_precision_is_no_difference(
    first: str, second: str
) -> None:
    assert figures_differ(first, second) is None
    assert figures_differ(second, first) is None


def test_a_number_without_a_time_is_of_the_time_of_its_text() -> None:
    first, second = "The council of Tarn has 4 members.", "The council of Tarn has 5 members."
    assert figures_differ(first, second) is not None
    assert figures_differ(first, second, ("2022-03-01", None)) is not None
    assert figures_differ(first, second, ("2022-03-01", "2022-03-20")) is not None
    assert figures_differ(first, second, ("2022-03-01", "2023-03-01")) is None
    dated = [f"{sentence[:-1]} in 2020." for sentence in (first, second)]
    assert figures_differ(*dated, ("2022-03-01", "2023-03-01")) is not None
    born = ("Marta Kessel was born in 1871.", "Marta Kessel was born in 1874.")
    assert figures_differ(*born, ("1901-01-01", "1950-01-01")) is not None


@pytest.mark.parametrize(
    ("factor", "first", "second"),
    [
        (0.8, "The large dam of Orvel holds 45 MWh.", "The dam of Orvel holds 60 MWh."),
        (
            1.2,
            "In spring the old museum of Tarn had 45 visitors.",
            "The museum of Tarn in spring had 60 visitors.",
        ),
    ],
)
def test_how_much_must_be_the_same_holds(
    factor: float, first: str, second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = figures_differ(first, second)
    monkeypatch.setattr(figures, "SAME_STATEMENT", figures.SAME_STATEMENT * factor)
    assert (figures_differ(first, second) is None) != (before is None)


@pytest.mark.parametrize(("date", "differ"), [("2020-03-09", True), ("2020-05-01", False)])
def test_a_figure_without_a_time_is_of_the_month_of_its_text(date: str, differ: bool) -> None:
    difference = figures_differ(
        "Lake Tarn is 45 m deep.", "Lake Tarn is 60 m deep.", ("2020-03-01", date)
    )
    assert (difference is not None) == differ


@pytest.mark.parametrize(("between", "differ"), [(5, True), (6, False)])
def test_a_date_belongs_to_an_event_six_words_before_it(between: int, differ: bool) -> None:
    crowd = " ".join("sailors farmers millers weavers smiths bakers".split()[:between])
    first, second = (f"The Orvel bridge opened {crowd} in {year}." for year in (1932, 1935))
    assert (figures_differ(first, second) is not None) == differ
