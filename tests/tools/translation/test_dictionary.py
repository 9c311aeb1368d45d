"""English words for words of other languages."""

from itertools import chain

import pytest

from tests.tables import each
from tools.text.tokens import stems
from tools.translation.dictionary import STEMMERS, meanings


@each(
    ("language", "word", "english"),
    [
        ("de", "gegründet", "founded"), ("de", "Temperaturen", "temperature"),
        ("fr", "largeur", "width"),
        ("fr", "impôts", "taxes"), ("es", "lluvia", "rain"), ("es", "ciudades", "cities"),
        ("de", "Tabellen", "table"), ("de", "Spalten", "column"), ("fr", "gestionnaire", "manager"),
        ("es", "semanas", "week"), ("it", "riunione", "meeting"),
        ("pt", "segurança", "safety"), ("nl", "vergadering", "meeting"),
    ],
)  # fmt: skip
def test_a_word_in_any_of_its_forms_has_english_words(
    language: str, word: str, english: str
) -> None:
    assert stems(english)[0] in _stems(word, language)


def _stems(word: str, language: str) -> set[str]:
    return set(stems(" ".join(chain.from_iterable(meanings(word, [language])))))


def test_accents_may_be_missing() -> None:
    assert _stems("impots", "fr") & _stems("impôts", "fr")


def test_a_compound_has_the_words_of_its_halves() -> None:
    assert {"bridg", "water"} <= _stems("Wasserbrücke", "de")


@pytest.mark.parametrize(
    ("word", "english"), [("Waldbrücke", "forest"), ("Wasserwald", "forest"), ("Teebrücke", "")]
)
def test_each_half_of_a_compound_has_four_letters(word: str, english: str) -> None:
    assert _stems(word, "de") >= set(stems(english)) and bool(_stems(word, "de")) == bool(english)


@pytest.mark.parametrize("word", ["Qxzzvwq", "12", "x"])
def test_what_is_no_word_has_none(word: str) -> None:
    assert meanings(word, STEMMERS) == ()
