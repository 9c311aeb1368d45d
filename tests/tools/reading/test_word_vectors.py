"""Static word vectors: what means the same is alike, and texts without words are like nothing."""

import pytest

from tools.index.vectors.wordpiece import read_vocabulary
from tools.reading.features import FeatureReader
from tools.reading.reader import Candidate
from tools.reading.word_vectors import SIZE, Likeness, _table


def test_there_is_a_vector_for_each_token() -> None:
    assert len(_table()[0]) == SIZE * len(read_vocabulary())


def test_what_means_the_same_is_more_alike_than_what_shares_a_word() -> None:
    likeness = Likeness("How do I shrink the database file?")
    assert likeness.of("Its size is reduced on disk.") > likeness.of("How do I feed a cat?") > -1.0


@pytest.mark.parametrize(
    ("question", "text"), [("", "A word."), ("A word?", ""), ("A word?", "\u200b \ufffd")]
)
def test_without_words_nothing_is_alike(question: str, text: str) -> None:
    assert Likeness(question).of(text) == 0.0


def test_a_question_is_like_itself_however_long() -> None:
    words = "tides move the mills " * 500
    assert Likeness(words).of(words) == pytest.approx(1.0)


def test_the_passage_with_the_meaning_is_read_as_the_better_one() -> None:
    reader = FeatureReader(lambda _: 1.0)
    passages = [
        Candidate("Deer live in the forest near the lake."),
        Candidate("Physicians treat sick people daily."),
    ]
    deer, physicians = reader.read("Which doctors help patients?", passages)
    assert physicians.score > deer.score
