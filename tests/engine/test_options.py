"""What a user chose for one run is checked before the run begins."""

import pytest

from engine.runs.run_options import addresses, limits, question, searchable
from tests.tables import each
from tools.errors import ConfigError, Refused
from workflows.research.model import Filters


def test_a_bare_address_is_https() -> None:
    assert addresses(("example.org/a", " http://example.org:8080/b ")) == (
        "https://example.org/a",
        "http://example.org:8080/b",
    )


@each("typed", ["javascript:alert(1)", "file:///etc/passwd", "ftp://example.org", "https://", " "])
def test_what_no_page_can_be_read_from_is_refused(typed: str) -> None:
    with pytest.raises(ConfigError, match="not a web address"):
        addresses((typed,))


@pytest.mark.parametrize(
    ("since", "until"),
    [("2025-05-01", "2024-01-01"), ("2025", "2024-05"), ("2024-05", "2024-04-30")],
)
def test_a_span_that_ends_before_it_begins_is_refused_with_both_days(
    since: str, until: str
) -> None:
    with pytest.raises(ConfigError, match=f"since {since} and until {until}"):
        limits(Filters(since=since, until=until))


@pytest.mark.parametrize(
    ("since", "until"),
    [("2024-05-01", "2024"), ("2024", "2024-01-31"), ("2024-05-01", "2024-05-01")],
)
def test_a_span_of_one_year_or_day_is_none_too_short(since: str, until: str) -> None:
    assert limits(Filters(since=since, until=until)).since == since


@each("lang", ["klingon", "xx", "german", "e", "-", "en/../x"])
def test_a_language_that_no_source_knows_is_refused_by_name(lang: str) -> None:
    with pytest.raises(ConfigError, match="is not a language code"):
        limits(Filters(lang=lang))


@each(
    ("lang", "expected"),
    [("de", "de"), (" pt-BR ", "pt-BR"), ("en_GB", "en_GB"), ("", None), (None, None)],
)
def test_codes_of_languages_are_taken_with_their_country(
    lang: str | None, expected: str | None
) -> None:
    assert limits(Filters(lang=lang)).lang == expected


@each("typed", ["?", "a", "the", "ls -la", "asdf"])
def test_what_is_no_question_is_asked_back_with_an_example(typed: str) -> None:
    with pytest.raises(
        Refused, match=r"What do you want to find out\?.*for example: How do vaccines work\?"
    ):
        searchable(typed)
    assert question(typed) == typed  # to a report or a model it may be one: "Why?"
