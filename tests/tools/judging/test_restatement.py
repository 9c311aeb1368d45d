"""Restatement: the same words but for order and inflection. One other word is another statement,
and still a copy."""

import time

import pytest

from tests.tables import each
from tools.judging import restatement
from tools.judging.restatement import is_copy, is_statement, restates

COPIED = "The old bridge over the river was opened in 1932."


@each(
    ("claim", "passage"),
    [
        ("The bridge opened in 1932.", "In 1932, the bridge opened."),
        ("Output rose by 9 per cent in May.", "In May output rose by 9%."),
        (
            "The council has rejected the plan.",
            "It rained. The council has rejected the plans. It was late.",
        ),
        ("Twelve members voted.", "12 members voted."),
        ("The lamps were lit.", "The lamp was lit."),
        ("The treaty was signed on 3 April 1667.", "The treaty was signed on April 3, 1667."),
        ("Müller won. He was glad.", "He was glad. Muller won."),
    ],
)
def test_order_of_a_phrase_and_inflection_change_nothing(claim: str, passage: str) -> None:
    assert restates(claim, passage)


@each(
    ("claim", "passage"),
    [
        ("Germany beat France in Paris.", "France beat Germany in Paris."),
        ("The bridge opened in 1932.", "The bridge opened in 1933."),
        ("The treaty was signed on 3 April 1676.", "The treaty was signed on 3 April 1667."),
        ("It fell from 9 to 5.", "It fell from 5 to 9."),
        ("He ate at least 5 eggs.", "He ate at most 5 eggs."),
        ("Rates are <5%.", "Rates are >5%."),
        ("The dose was 20 mg.", "The dose was 20 g."),
        ("It is a universe.", "It is a university."),
        ("The plan was accepted.", "The plan was not accepted."),
        ("The plan was accepted.", "The plan accepted."),
        ("The mill is open.", "The mill was open."),
        ("Ada owns the mill.", "Ida owns the mill."),
        ("The mill is hers.", "Critics say that the mill is hers."),
        ("The mill burned.", "If the mill burned, who paid?"),
        ("Was it built?", "Was it built?"),
        ("It was built. Was it sold?", "It was built."),
        ("It was built. It was sold.", "It was built."),
        ("", ""),
        ("...", "..."),
    ],
)
def test_one_other_word_number_or_role_is_another_statement(claim: str, passage: str) -> None:
    assert not restates(claim, passage)


def test_what_lies_beyond_the_words_that_are_read_is_not_taken_for_the_same() -> None:
    long = "The list names " + " ".join(
        f"thing{letter}{other}" for letter in "abcdefgh" for other in "abcdefghijk"
    )
    assert not restates(f"{long} and a cat.", f"{long} and a dog.")


def test_one_changed_word_letter_or_number_is_a_copy() -> None:
    for other in (
        COPIED,
        COPIED.replace("opened", "closed"),
        COPIED.replace("1932", "1933"),
        COPIED.replace("old", "odd"),
    ):
        assert is_copy(COPIED, other)
    longer = f"{COPIED} Two architects had planned it for many years before the war."
    assert is_copy(longer, longer.replace("planned", "drawn"))


def test_statements_in_other_words_and_short_ones_are_no_copies() -> None:
    assert not is_copy(
        COPIED, "In 1932 traffic began to cross the river on the bridge that is now called old."
    )
    assert not is_copy("The bridge opened in 1932.", "The bridge opened in 1932.")
    assert not is_copy("", "")


@each(
    ("text", "stated"),
    [
        ("The bridge opened in 1932.", True),
        ("“The bridge was opened by ships.”", True),
        ("The bridge opened in 1932", False),  # a heading
        ("SQLite Is Serverless", False),
        ("Removed from the agenda.", False),
        ("License", False),
        ("When was the long bridge opened?", False),
        ("", False),
    ],
)
def test_what_is_no_whole_sentence_states_nothing(text: str, stated: bool) -> None:
    assert is_statement(text) == stated


@pytest.mark.parametrize(
    ("factor", "text"),
    [(0.6, "It was removed from the agenda."), (1.4, "The bridge opened in 1932.")],
)
def test_how_many_words_make_a_statement_holds(
    factor: float, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = is_statement(text)
    monkeypatch.setattr(restatement, "STATED_WORDS", round(restatement.STATED_WORDS * factor))
    assert is_statement(text) != before


@pytest.mark.lab
def test_a_passage_of_200_000_characters_takes_seconds_at_most() -> None:
    passage = "The dose of the drug was 20 mg in the first week of May 2020. " * 3300
    began = time.perf_counter()
    assert not restates("The dose of the drug was 30 mg in the first week of May 2020.", passage)
    assert not is_copy(passage, passage.replace("week", "month").replace("drug", "pill")[:150_000])
    assert time.perf_counter() - began < 8


@pytest.mark.parametrize(
    ("constant", "factor", "other", "copy"),
    [
        ("COPY_LIKENESS", 1.2, "One two three four other six seven", True),
        ("COPY_LIKENESS", 0.8, "One two other four other six seven", False),
        ("COPY_SHARE", 1.2, "One two three four five six seven eight other", True),
        ("COPY_SHARE", 0.8, "One two three four five six seven other words", False),
        ("COPY_WORDS", 1.2, "One two three four five six seven", True),
    ],
)
def test_each_constant_holds(
    constant: str, factor: float, other: str, copy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "One two three four five six seven"
    if constant == "COPY_SHARE":
        text += " eight nine"
        monkeypatch.setattr(restatement, "COPY_LIKENESS", 2.0)  # the other way to be a copy
    assert is_copy(text, other) == copy
    monkeypatch.setattr(restatement, constant, getattr(restatement, constant) * factor)
    assert is_copy(text, other) != copy


def test_six_words_may_be_the_same_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_copy("One two three four five six", "One two three four five six")
    monkeypatch.setattr(restatement, "COPY_WORDS", restatement.COPY_WORDS * 0.8)
    assert is_copy("One two three four five six", "One two three four five six")


@pytest.mark.parametrize(("fronted", "same"), [("cold windy", True), ("cold windy dark", False)])
def test_a_phrase_of_up_to_ten_words_may_be_moved_to_the_front(fronted: str, same: bool) -> None:
    phrase = f"seven long years of {fronted} winters without rain"
    passage = f"After {phrase} the mayor of Tarn resigned."
    assert restates(f"The mayor of Tarn resigned after {phrase}.", passage) == same
