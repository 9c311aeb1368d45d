"""Words: the quick ways of cutting ASCII text give what the pattern for all scripts gives."""

import re
import unicodedata

from hypothesis import given, strategies as st

from tests.tables import each
from tools.text.tokens import bigrams, fold, is_word, stem, words

WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")
CJK = re.compile("[぀-ヿ㐀-䶿一-鿿가-힯฀-๿]")


def slowly(text: str) -> list[str]:
    """What words are, without any short cut."""
    folded = "".join(
        c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c)
    )
    tokens = [
        part
        for word in WORD.findall(folded)
        for part in (bigrams(word) if CJK.search(word) else [word])
    ]
    return [word for word in tokens if word != "s"]


def test_numbers_genitives_and_signs() -> None:
    assert words("Bell's 3.5kg, 1,000.5 or a3.5 (x_y)\x1d\x85é東京都") == [
        *("bell", "3.5", "kg", "1,000.5", "or", "a3", "5", "x", "y"),
        *("e東", "東京", "京都"),
    ]  # fmt: skip
    assert fold("Šárka’s Café") == "sarka’s cafe"


@given(
    st.text(
        alphabet=st.sampled_from([*map(chr, range(128)), *"éß\u0301İﬁ½²—“東京가ก"]), max_size=40
    )
)
def test_the_quick_ways_change_nothing(text: str) -> None:
    assert words(text) == slowly(text)


def test_the_plural_of_an_abbreviation_is_found_by_its_singular() -> None:
    assert [stem(word) for word in ("slos", "prs", "gpus", "apis", "css", "news", "press")] == [
        *("slo", "pr", "gpu", "api", "css", "news", "press")
    ]


@each(
    ("word", "text", "counts"),
    [
        ("r", "How do I install R?", True),
        ("d", "vitamin D in winter", True),
        ("k", "Why is -k bad?", True),
        ("k", "-k", True),
        ("k", "a well-k and -ka", False),
        ("b", "What does Company B carry?", True),
        ("i", "May I go?", False),
        ("a", "A day", False),
        ("j", "by J. Smith", False),
        ("s", "What's S-Bahn", False),
        ("d", "l'heure d'ete", False),
        ("7", "chapter 7", True),
    ],
)
def test_a_single_letter_counts_where_it_is_a_name(word: str, text: str, counts: bool) -> None:
    assert is_word(word, text) == counts
