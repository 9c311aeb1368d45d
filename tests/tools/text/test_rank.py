"""Ranking the sentences of a text by a claim."""

from collections.abc import Sequence
from typing import Any

from tools.text.rank import best_sentences, rank_sentences

TEXT = [
    "Home",
    "Subscribe to our newsletter.",
    "The tower was opened in 1889 for the world's fair.",
    "It is 330 metres high and made of iron.",
    "Two million people live in the city.",
]


def test_the_sentence_that_says_it_comes_first() -> None:
    assert best_sentences("The iron tower is 330 metres high", TEXT, 1) == [3]
    assert best_sentences("How many people live there?", TEXT, 1) == [4]


def test_scores_are_between_nothing_and_one_and_in_the_order_of_the_sentences() -> None:
    scores = rank_sentences("tower of iron", TEXT)
    assert len(scores) == len(TEXT) and all(0 <= score <= 1 for score in scores)
    assert rank_sentences("zebra", TEXT) == [0.0] * len(TEXT) == rank_sentences("", TEXT)
    assert rank_sentences("iron", []) == [] == best_sentences("iron", [], 3)


def test_a_neighbour_of_a_good_sentence_comes_before_a_stranger() -> None:
    assert best_sentences("iron", TEXT, 3) == [3, 2, 4]


def test_scripts_without_spaces_and_endless_sentences() -> None:
    assert best_sentences("日本の首都", ["天気がいい。", "東京は日本の首都です。"], 1) == [1]
    long = "word " * 3000 + "iron"
    assert best_sentences("iron tower", [long, "An iron tower."], 1) == [1]


def test_meaning_counts_half() -> None:
    def embed(texts: Sequence[str]) -> Any:
        import numpy as np

        return np.array([[1.0, 0.0] if "feline" in text or "cat" in text else [0.0, 1.0] for text in texts])

    assert best_sentences("felines", ["Dogs bark.", "A cat sleeps."], 1, embed) == [1]
    assert best_sentences("felines", ["Dogs bark.", "A cat sleeps."], 1) == [0]
