"""Statements of two texts contradict each other only when they speak of one thing."""

import pytest

from tools.trust.contradict import DIRECT, clash
from tools.trust.statement import analyse
from tools.trust.subject import within

UNRELATED = [
    (
        "Mutations in presenilin cause familial Alzheimer disease.",
        "Memory and language decline in familial Alzheimer disease.",
    ),
    (
        "The influence of interference on the transition from laminar to turbulent flow is investigated.",
        "The streaks in the photo-multiplier data are interpreted as transition from laminar to turbulent flow.",
    ),
    (
        "During the acute stages of a worm infection both CD4 and CD8 T cells are anergized.",
        "After 12 months, deficiencies had improved for the CD4 but not the CD8 T cell compartment.",
    ),
    ("The limiting cases near 0 and 180 are not considered.", "Two cases of interest are considered."),
    (
        "At zero yaw the drag is reduced by 34 percent and the pressure drag by 60 percent.",
        "Further increases in retrorocket thrust resulted in increases in the pressure drag.",
    ),
    (
        "Mass transfer cooling at a high mach number is studied.",
        "At first the heat transfer remains unaffected but then begins to increase with mach number and wall heating.",
    ),
    (
        "Gusts as strong as 14 percent of the mean wind speed behind the outer breakwater were seen.",
        "Forecasts of the new harbour model differ from the buoys by only 2 percent of the mean wind speed behind the"
        " outer breakwater.",
    ),
    ("There was a negligible effect of reynolds number on pressures.", "Pressures were measured at a reynolds number."),
]
OPPOSED = [
    ("Street trees lowered the air temperature by 2.1 °C.", "Street trees lowered the air temperature by 0.4 °C."),
    ("Grid batteries raised evening prices in Norvalen.", "Grid batteries lowered evening prices in Norvalen."),
    # a short statement and a long one that says nearly all of it; told from either end
    (
        "Pyridostatin decreases telomere fragility in BRCA2-deficient cells.",
        "Treatment with the compound pyridostatin (PDS) increases telomere fragility in BRCA2-deficient cells that"
        " were grown in a culture of six weeks under the microscope.",
    ),
    (
        "Treatment with the compound pyridostatin (PDS) increases telomere fragility in BRCA2-deficient cells that"
        " were grown in a culture of six weeks under the microscope.",
        "Pyridostatin decreases telomere fragility in BRCA2-deficient cells.",
    ),
    ("Vitamin D prevents respiratory infections.", "Vitamin D does not prevent respiratory infections."),
]


@pytest.mark.parametrize(("a", "b"), UNRELATED)
def test_sentences_that_only_share_words_do_not_contradict_each_other(a: str, b: str) -> None:
    found = clash(analyse(a), analyse(b), across=True)
    assert found is None or found.nature != DIRECT


@pytest.mark.parametrize(("a", "b"), OPPOSED)
def test_opposite_statements_about_one_thing_do(a: str, b: str) -> None:
    found = clash(analyse(a), analyse(b), across=True)
    assert found is not None and found.nature == DIRECT


def test_a_sentence_that_leaves_its_subject_to_its_text_is_about_what_the_title_names() -> None:
    a, b = "The annual average rainfall is 784 mm.", "The annual average rainfall is 1400 mm."
    assert clash(within(analyse(a), "Bellary"), within(analyse(b), "Coorg"), across=True) is None
    same = clash(within(analyse(a), "Bellary"), within(analyse(b), "Bellary"), across=True)
    assert same is not None and same.nature == DIRECT


def test_the_title_says_nothing_where_the_sentence_names_its_subject() -> None:
    statement = analyse("Batteries in Norvalen supplied 18% of demand.")
    assert within(statement, "Storage Review Twelve") == statement


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("It is both an administrative and a judicial district.", "It is not a judicial district."),
        ("The school currently serves 125 pupils.", "The school currently serves 73 pupils."),
        ("The city's annual rainfall average stands at 1,177 mm.", "The annual average rainfall is 1400 mm."),
        ("RESULTS The mortality rate was 14%.", "The mortality rate was 40%."),
    ],
)
def test_sentences_that_name_nobody_contradict_each_other_only_under_titles_that_meet(a: str, b: str) -> None:
    for one, other in ((a, b), (b, a)):
        found = clash(within(analyse(one), "Mechelen"), within(analyse(other), "Mouscron"), across=True)
        assert found is None or found.nature != DIRECT
