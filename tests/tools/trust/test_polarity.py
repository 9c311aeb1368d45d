"""Polar words: their sign, what turns them, and when two of them are opposed."""

import pytest

from tools.text.tokens import words
from tools.trust.polarity import denials, denied, marks, relation


@pytest.mark.parametrize(
    ("a", "b", "how"),
    [
        ("prices rose", "prices increased", 1),
        ("prices rose", "prices fell", -1),
        ("prices did not rise", "prices rose", -1),
        ("prices did not rise", "prices did not increase", 1),
        ("prices did not rise", "prices did not fall", 0),
        ("it has no effect", "it reduces pain", -1),
        ("it has an effect", "it reduces pain", 0),
        ("it is effective", "it is useless", -1),
        ("it is effective", "it is rare", 0),
        ("it is not only effective", "it is effective", 1),
        ("it is independent", "it reduces pain", 0),
    ],
)
def test_relation_of_two_polar_words(a: str, b: str, how: int) -> None:
    found = {relation(one, two) for one in marks(tuple(words(a))) for two in marks(tuple(words(b)))}
    back = {relation(two, one) for one in marks(tuple(words(a))) for two in marks(tuple(words(b)))}
    assert found == back
    assert found - {0} == ({how} - {0})


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("prices did not fall in winter", {"fall"}),
        ("prices didn't fall", {"fall"}),
        ("T cell tolerance", set()),
        ("not necessarily harmful", set()),
        ("without wind", set()),
        ("it does little to stop colds", {"stop"}),
        ("it is far from curing colds", {"cure"}),
        ("the town is far from the coast", set()),
        ("zinc rather than garlic helps", {"garlic"}),
        ("the town lacks a station", {"station"}),
        ("the lack of rain", set()),
        ("the bridge was almost destroyed", {"destroy"}),
        ("prices nearly doubled", set()),
        ("almost all towns", set()),
    ],
)
def test_a_negation_turns_what_follows_it(text: str, turned: set[str]) -> None:
    assert denied(tuple(words(text))) == turned


def test_what_is_denied_ends_with_its_clause() -> None:
    assert denials(tuple(words("She never won the prize but wrote a novel"))) == (("won", "prize"),)
    assert denials(tuple(words("Nobody was hurt when the bridge fell"))) == (("hurt",),)
    assert denials(tuple(words("Nobody was hurt when the bridge fell")), of_verbs=True) == ()
    assert denials(tuple(words("It is not only cheap"))) == ()


def test_a_sentence_without_end_is_not_read_to_its_end() -> None:
    assert len(marks(("rise",) * 5000)) == 60
