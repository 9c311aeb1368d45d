"""Which heading a sentence answers, with the wrong heading named."""

import pytest

from workflows.research.roles import defines, fit


@pytest.mark.parametrize(
    ("sentence", "anchor", "value"),
    [
        ("Autophagy is a process that degrades parts of a cell.", "autophagy", 1.0),
        ("Canopy cover refers to the share of ground below crowns.", "canopy cover", 1.0),
        ("Ada Okafor (born 3 May 1950) is a Norlandic chemist.", "Ada Okafor", 1.0),
        ("The share of ground below crowns is called canopy cover.", "canopy cover", 0.8),
        ("The Reign of Terror was a period of the French Revolution.", "Reign of Terror", 1.0),
        ("A regulator of autophagy is the protein Vps34.", "autophagy", 0.0),
        ("Autophagy is not a disease of the liver.", "autophagy", 0.0),
        ("Tree canopy covered 22% of Ostervale in 2023.", "canopy cover", 0.0),
        ("Bo Lind is a friend of Ada Okafor.", "Ada Okafor", 0.0),
        ("Grey Owls Are Loud is an album by the Grey Owls.", "Grey Owls", 0.0),
        ("Grey Owls (a band of Halden) are a folk band.", "Grey Owls", 1.0),
        ("Anything is a thing.", "", 0.0),
    ],
)
def test_definitions(sentence: str, anchor: str, value: float) -> None:
    assert defines(sentence, anchor) == value


@pytest.mark.parametrize(
    ("sentence", "heading", "not_heading"),
    [
        ("Trees cool the air by evaporating water.", "How it works", "Uses"),
        ("Batteries are used to store solar power for the evening.", "Uses", "History"),
        ("The bridge was first described in 1871.", "History", "Criticism and limits"),
        ("Why the effect is small remains unclear.", "Criticism and limits", "Uses"),
        ("By 2030 the capacity is expected to double.", "Outlook", "Criticism and limits"),
        ("She graduated from the university of Halden in 1972.", "Background and education", "Reception"),
        ("He won the Norland prize for chemistry.", "Achievements", "Outlook"),
        ("A complete battery system cost 210 crowns per kilowatt-hour.", "Cost", "Lifetime and reliability"),
        ("The weather station warns that closed canopies hold back heat.", "Who says so", "Outlook"),
        ("The council should plant trees where there is no park.", "Implications", "Outlook"),
    ],
)
def test_turns_of_phrase(sentence: str, heading: str, not_heading: str) -> None:
    assert fit(heading, sentence, "x") > 0
    assert fit(not_heading, sentence, "x") == 0


def test_an_unknown_heading_goes_by_its_cue_words() -> None:
    assert fit("Noise", "The fans are loud at night.", "fans", ("loud", "noise")) == 0.5
    assert fit("Noise", "The fans are green.", "fans", ("loud", "noise")) == 0


def test_moores_law_is_no_definition_of_canon_law() -> None:
    assert defines("Moore's law is the observation that transistors double every two years.", "canon law") == 0
    assert defines("Canon law is a set of rules made by church authority.", "canon law") == 1.0
    assert defines("Batteries are a means to store energy.", "grid batteries") == 1.0
