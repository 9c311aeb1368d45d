"""From a question to an FTS5 query, and how two rankings become one."""

import pytest

from tests.tables import each
from tools.index.full_text.store import expression
from tools.index.index import ChunkRow
from tools.search.fusion import combine, normalised
from tools.search.passage_words import Reading
from tools.search.query import affordable, any_of, pairs, terms
from tools.search.word_runs import with_phrases


@each(
    ("query", "expected"),
    [
        ("How high is the Eiffel Tower?", ["high", "eiffel", "tower"]),
        ("who is who", ["who", "is"]),
        ("state-of-the-art X-ray", ["state", "art", "ray"]),
        ("GPT-4 in 2024, 3.5%", ["gpt", "4", "2024", "3.5"]),
        ("tower Tower TÓWER", ["tower"]),
        ("東京タワー height", ["height"]),
        ("", []),
    ],
)
def test_the_words_that_count(query: str, expected: list[str]) -> None:
    assert terms(query) == expected


def test_pairs_of_scripts_without_spaces() -> None:
    assert pairs("東京都 is Tokyo 駅") == ["東京", "京都", "駅"]
    assert pairs("no such script") == []


def test_every_word_is_quoted() -> None:
    assert expression(any_of(['a"b', "OR"])) == '"a""b" OR "OR"'
    assert expression(any_of([])) == ""


def test_common_words_are_left_out_when_rarer_ones_fill_the_budget() -> None:
    counts = {"the": 900, "iron": 40, "tower": 90, "unknown": 0}
    assert affordable(["the", "iron", "tower", "unknown"], counts.__getitem__, 150) == [
        "iron",
        "tower",
        "unknown",
    ]
    assert affordable(["the", "unknown"], counts.__getitem__, 150) == ["the", "unknown"]
    assert affordable([], counts.__getitem__, 150) == []


def test_scores_are_divided_by_the_best() -> None:
    assert normalised({1: 4.0, 2: 1.0}) == {1: 1.0, 2: 0.25}
    assert normalised({}) == {}
    assert normalised({1: 0.0}) == {1: 0.0}


def test_both_rankings_count_and_every_score_is_between_nothing_and_one() -> None:
    scores = combine({1: 8.0, 2: 4.0}, {2: 0.9, 3: 0.6, 1: -0.2}, 0.5, "weighted")
    assert scores == {1: 0.5, 2: 0.7, 3: 0.3}
    assert combine({1: 8.0}, None, 0.5, "weighted") == {1: 1.0}


def test_a_chunk_without_a_vector_is_not_preferred() -> None:
    scores = combine({1: 8.0, 2: 7.9}, {2: 0.7}, 0.5, "weighted")
    assert scores[1] == pytest.approx(0.85) and scores[2] == pytest.approx(0.84, abs=0.01)


def test_reciprocal_ranks() -> None:
    scores = combine({1: 9.0, 2: 3.0}, {1: 0.9, 3: 0.8}, 0.5, "rrf")
    assert scores[1] == 1.0 and scores[2] == scores[3] < 0.5


def test_words_that_stand_together_raise_a_passage() -> None:
    def row(number: int, body: str) -> ChunkRow:
        return ChunkRow(number, number, "s", 0, 1, None, "", body)

    rows = {
        1: row(1, "Salt is cheap. Its intake fell."),
        2: row(2, "The intake of salt and salt intake in Japan."),
    }
    raised = with_phrases(
        "salt intake", {1: 2.0, 2: 2.0, 3: 1.0}, rows, lambda word: 1.0, 0.1, Reading
    )
    assert raised == {1: 2.0, 2: 2.2, 3: 1.0}
    assert with_phrases("salt", {1: 2.0}, rows, lambda word: 1.0, 0.1, Reading) == {1: 2.0}
    assert with_phrases("", {}, {}, lambda word: 1.0, 0.1, Reading) == {}
