"""What the checks of form make of a model's sentence before anybody judges it."""

import pytest
from test_writing_limits import passage

from tests.tables import each
from workflows.research.writing.gate import drafts_of


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (
            "Batteries lowered the price by **9%** in 2024.",
            "Batteries lowered the price by 9% in 2024.",
        ),
        (
            "The method **__init__** is called ** twice ** here.",
            "The method __init__ is called ** twice ** here.",
        ),
        ("It costs 2**8 bytes, not 2**9 bytes each.", "It costs 2**8 bytes, not 2**9 bytes each."),
    ],
)
def test_marks_of_emphasis_do_not_reach_a_report(written: str, text: str) -> None:
    (draft,) = drafts_of({"text": written, "cites": []}, [])
    assert draft.text == text


@each(
    ("written", "stands"),
    [
        ("Logs of this type are found under /api/log/activity.", True),
        ("Logs of this type are found under /etc/other/place.", False),
        ("The sign {mill} opens the list of all mills here.", True),
        ("- The mills are listed in a file of their own.", False),
        ("The address is https://mill.example/all of them.", False),
        ("The picture <img src='/mill/wheel'> shows the mill here.", False),
    ],
)
def test_markup_stands_only_as_a_word_of_the_passage(written: str, stands: bool) -> None:
    cited = passage(
        1,
        "The endpoint is /api/log/activity, and {mill} opens a list of mills in a file of their "
        "own. "
        "See https://mill.example/all and <img src='/mill/wheel'>.",
    )
    (draft,) = drafts_of({"text": written, "cites": [cited.ref]}, [cited])
    assert bool(draft.problem) != stands
