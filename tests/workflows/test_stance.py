"""Which statements speak for a claim to check, which against, and which beside the point."""

import pytest

from tools.trust.statement import analyse
from workflows.research.model import Claim
from workflows.research.stance import about, stance


@pytest.mark.parametrize(
    ("statement", "side"),
    [
        ("Large batteries lowered evening electricity prices in Norland by 9%.", 1),
        ("After batteries were connected, evening electricity prices fell by 14%.", 1),
        ("Batteries raised evening electricity prices in Norland.", -1),
        ("Batteries did not lower evening electricity prices in Norland.", -1),
        ("Evening electricity prices stayed within one per cent after batteries were connected.", -1),
        ("Batteries had no detectable effect on evening electricity prices.", -1),
        ("It is not true that batteries lower evening electricity prices.", -1),
        ("Batteries may lower evening electricity prices.", 0),
        ("Summer evenings were not examined, since prices hardly peak in July.", 0),
        ("Nobody has examined who gains when evening electricity prices change.", 0),
        ("A clear fall of the evening electricity price changes the yearly bill a little.", 0),
        ("Batteries did not raise evening electricity prices.", 0),
        ("Batteries charge at noon and discharge in the evening when electricity is dear.", 0),
        ("The museum opens at nine.", 0),
    ],
)
def test_a_claim_with_a_direction(statement: str, side: int) -> None:
    hypothesis = analyse("batteries lower evening electricity prices")
    assert stance(hypothesis, analyse(statement)) == side


@pytest.mark.parametrize(
    ("statement", "side"),
    [
        ("Coffee causes insomnia in many adults.", 1),
        ("Coffee does not cause insomnia.", -1),
        ("There is no evidence that coffee causes insomnia.", -1),
        ("Tea is drunk in the afternoon.", 0),
    ],
)
def test_a_claim_without_a_direction(statement: str, side: int) -> None:
    assert stance(analyse("coffee cause insomnia"), analyse(statement)) == side


@pytest.mark.parametrize("claim", ["batteries lower morning electricity prices", "batteries change the morning price"])
def test_what_was_seen_in_the_evening_says_nothing_of_mornings(claim: str) -> None:
    said = "Batteries lowered winter evening electricity prices in Norland by 9%."
    assert stance(analyse(claim), analyse(said)) == 0
    assert stance(analyse(claim), analyse(said.replace("evening", "morning and evening"))) == 1


@pytest.mark.parametrize(
    ("text", "subject", "named"),
    [
        ("The Millbeck battery delivers 30 megawatts.", "Flow batteries", False),
        ("A flow battery holds its charge in two tanks.", "Flow batteries", True),
        ("A battery of lithium ions is light.", "lithium-ion", True),
        ("Porcupine quills are sharp.", "Porcupine Tree", False),
        ("The cost of community solar fell.", "large community solar", True),
    ],
)
def test_a_kind_is_named_by_all_of_its_name(text: str, subject: str, named: bool) -> None:
    assert about(Claim("C1", text), subject) is named


@pytest.mark.parametrize("claim", ["Fitbit acquire Google", "Fitbit acquired Google"])
def test_who_did_it_to_whom_stands_the_same_way_round(claim: str) -> None:
    assert stance(analyse(claim), analyse("Google acquired Fitbit in 2019.")) == 0
    assert stance(analyse(claim), analyse("Fitbit acquired Google in 2019.")) == 1


NIGHT = "street trees cool cities at night"


@pytest.mark.parametrize(
    ("said", "side"),
    [
        ("Street trees cooled the town at night by 1 °C.", 1),
        ("A narrow street under a closed canopy of trees was 0.6 °C warmer at midnight than an open one.", -1),
        ("Streets with trees were 3 °C cooler at noon than open streets.", 0),
        ("Trees cool the air by evaporating water.", 0),
    ],
)
def test_a_source_that_says_warmer_at_midnight_speaks_against_cooling_at_night(said: str, side: int) -> None:
    assert stance(analyse(NIGHT), analyse(said)) == side
