"""Queries fitted to services: the anchors in quotes always survive."""

import pytest

from tools.research.arxiv import terms
from tools.research.client import Limits
from tools.research.queries import boolean_query, first_day, last_day, phrases_and_words, plain_query, web_query


def test_quoted_phrases_are_told_from_words() -> None:
    assert phrases_and_words('“Satya Nadella” and the "C++" cloud cloud') == (["Satya Nadella", "C++"], ["cloud"])
    assert phrases_and_words("to be or not to be") == ([], ["to", "be", "or", "not"]), "nothing but stop words stays"


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("caffeine sleep", "caffeine AND sleep"),
        ('"deep sleep" caffeine', '"deep sleep" AND caffeine'),
        ("one1 two2 three3 four4 five5", "(one1 OR two2 OR three3 OR four4 OR five5)"),
        ('"a1 b1" one1 two2 three3 four4 five5', '"a1 b1" AND (one1 OR two2 OR three3 OR four4 OR five5)'),
        ("sleep AND (coffee OR tea) NOT milk", "sleep AND coffee AND tea AND milk"),
        ("", ""),
    ],
)
def test_few_words_must_occur_and_of_many_some(query: str, wanted: str) -> None:
    assert boolean_query(query, 300) == wanted


def test_long_questions_are_cut_at_a_word_and_keep_their_phrases() -> None:
    query = "coffee " + " ".join(f"word{n}" for n in range(200)) + ' "Anna Maria Berg"'
    for text in (boolean_query(query, 120), plain_query(query, 120), web_query(query, (), (), 120)):
        assert "Anna Maria Berg" in text and "coffee" in text and len(text) <= 130


def test_arxiv_terms_have_their_field_and_dates() -> None:
    assert terms('"attention is" all networks', Limits()) == 'all:"attention is" AND all:networks'
    assert terms("graph", Limits(since="2020-05", until="2021")) == (
        "(all:graph) AND submittedDate:[202005010000 TO 202112312359]"
    )


def test_web_queries_stay_as_typed_and_name_sites() -> None:
    assert web_query("How does  it work?", ("a.org", "b.org"), ("c.org",), 400) == (
        "How does it work? site:a.org OR site:b.org -site:c.org"
    )


def test_dates_become_days() -> None:
    assert [first_day(date) for date in ("2020", "2020-05", "2020-05-17")] == ["2020-01-01", "2020-05-01", "2020-05-17"]
    assert [last_day(date) for date in ("2020", "2024-02", "2020-05-17")] == ["2020-12-31", "2024-02-29", "2020-05-17"]
