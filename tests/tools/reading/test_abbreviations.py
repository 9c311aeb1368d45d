"""Abbreviations are known by the letters of the words before or in the bracket."""

from tests.tables import each
from tools.reading.abbreviations import introduces


@each(
    ("text", "short"),
    [
        ("Service level objectives (SLOs) set a target.", "slo"),
        ("The FTL (faster than light) engine answers.", "FTL"),
        ("A heat shock transcription factor (HSF) binds.", "hsf"),
        ("An application programming interface (API, see below) is open.", "API"),
        ("The APIs (application programming interfaces) are open.", "api"),
        ("We use hypertext markup language (HTML).", "HTML"),
    ],
)
def test_an_abbreviation_behind_or_before_its_long_form(text: str, short: str) -> None:
    assert introduces(text, short)


@each(
    ("text", "short"),
    [
        ("It is an old engine (FTL).", "FTL"),
        ("Our APIs (API) are open.", "API"),
        ("Service level objectives (SLOs) set a target.", "SLI"),
        ("It has level objectives (SLO).", "SLO"),  # no word before these begins with an S
        ("The year (2003) was hot.", "2003"),
        ("Elements of a table (e) are rows.", "e"),
        ("(SLO)", "SLO"),
        ("", "SLO"),
    ],
)
def test_what_only_stands_in_a_bracket_is_none(text: str, short: str) -> None:
    assert not introduces(text, short)


@each(("between", "found"), [(3, True), (4, False)])
def test_the_long_form_has_at_most_twice_as_many_words_as_letters(
    between: int, found: bool
) -> None:
    words = f"quick {'or ' * between}delivery men"
    assert introduces(f"We send {words} (QDM).", "QDM") is found
    assert introduces(f"We send the QDM ({words}).", "QDM") is found


def test_a_long_text_is_searched_in_little_time() -> None:
    assert not introduces("abc " * 50_000 + "(abd) " * 2_000, "abd")
