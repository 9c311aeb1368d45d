"""Words that mean nearly the same, and words that go together."""

from tools.text.synonyms import alike, related
from tools.text.tokens import stem


def test_synonyms_go_both_ways_and_leave_out_the_word_itself() -> None:
    assert stem("midnight") in alike(stem("night"))
    assert stem("night") in alike(stem("midnight"))
    assert stem("night") not in alike(stem("night"))
    assert alike("qwertz") == frozenset()


def test_related_words_are_no_synonyms() -> None:
    assert stem("shade") in related(stem("cool"))
    assert stem("shade") not in alike(stem("cool"))
