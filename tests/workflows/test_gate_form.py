"""What the checks of form make of a model's sentence before anybody judges it."""

import pytest

from workflows.research.writing.gate import drafts_of


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("Batteries lowered the price by **9%** in 2024.", "Batteries lowered the price by 9% in 2024."),
        ("The method **__init__** is called ** twice ** here.", "The method __init__ is called ** twice ** here."),
        ("It costs 2**8 bytes, not 2**9 bytes each.", "It costs 2**8 bytes, not 2**9 bytes each."),
    ],
)
def test_marks_of_emphasis_do_not_reach_a_report(written: str, text: str) -> None:
    (draft,) = drafts_of({"text": written, "cites": []}, [])
    assert draft.text == text
