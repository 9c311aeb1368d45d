"""Edits are listed, replay to the sentence, and change nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.trust.edits import QuoteEdit, replay, smooth


@pytest.mark.parametrize(
    ("quote", "sentence"),
    [
        ("However, trees cool streets.", "Trees cool streets."),
        ("Trees cool streets [3, 4-6].", "Trees cool streets."),
        ("Trees cool streets (Okafor et al., 2020).", "Trees cool streets."),
        ("In addition, Norland planted 400 trees.", "Norland planted 400 trees."),
        ("Trees cool\nstreets.", "Trees cool streets."),
        ("Butter is made of milk.", "Butter is made of milk."),
        ("Here, we show that trees cool streets.", "[The authors] show that trees cool streets."),
        ("In this study we found that trees cool streets.", "[The authors] found that trees cool streets."),
        ("It was found that trees cool streets.", "Trees cool streets."),
        ("However, it is also shown that, in May, trees cool streets.", "In May, trees cool streets."),
        # wrong answer: what is believed, denied or left open said as found
        ("It was not found that trees cool streets.", "It was not found that trees cool streets."),
        ("It has been suggested that trees cool streets.", "It has been suggested that trees cool streets."),
        ("It was shown whether trees cool streets.", "It was shown whether trees cool streets."),
        ("Here they show that trees cool streets.", "Here they show that trees cool streets."),
    ],
)
def test_smoothing(quote: str, sentence: str) -> None:
    assert smooth(quote)[0] == sentence


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_every_edit_replays_to_its_sentence(quote: str) -> None:
    sentence, edits = smooth(quote)
    assert replay(quote, edits) == sentence


def test_edits_that_overlap_are_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        replay("abcdef", [QuoteEdit(0, 4, "", "connective"), QuoteEdit(2, 5, "", "citation_mark")])
