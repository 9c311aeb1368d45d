"""The numbers of the readers, each at its edge."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.tables import each
from tests.tiny_reader import tiny_model
from tools.index.vectors.wordpiece import Token, WordPiece
from tools.reading.answer_type import defines
from tools.reading.features import FEATURES, FeatureReader
from tools.reading.onnx_reader import OnnxReader
from tools.reading.reader import Candidate
from tools.reading.reading_model import ReadingModel, _best_span, _windows
from tools.reading.thesaurus import related


@each(
    ("subject", "sentence", "share"),
    [
        ("migrain", "Of it all migraine is a disease.", 1.0),  # three words before the subject
        ("migrain", "Now of it all migraine is a disease.", 0.0),
        ("migrain", "Migraine in some people is a disease.", 1.0),  # three words before the verb
        ("migrain", "Migraine in some young people is a disease.", 0.0),
        (
            "heart failur",
            "Heart that pumps far too little blood failure is a disease.",
            1.0,
        ),  # eight words beside it
        ("heart failur", "Heart that pumps far too little warm blood failure is a disease.", 0.0),
    ],
)
def test_a_definition_has_its_words_close_together(
    subject: str, sentence: str, share: float
) -> None:
    assert defines(subject.split(), sentence) == share


def test_the_fitted_weights_give_five_passages_these_probabilities() -> None:
    """Every weight has a part in one of them."""
    candidates = [
        Candidate("The mill of the physician was built of stone.", "Stone mill", 0.5),
        Candidate("A mill is a house. The stone is cut by hand.", "Work", 1.0, 3000),
        Candidate("Wheat is ground there in a stone mill by the sea.", "", 0.8),
        Candidate("A mill is a house.", "Mills", 0.2),
        Candidate("A stone mill is a house.", "", 0.0, 9000),
    ]
    reader = FeatureReader(lambda word: 1.0)

    def read(units: bool) -> list[float]:
        return [
            reading.score
            for reading in reader.read("What is a stone mill?", candidates, units=units)
        ]

    assert read(units=False) == pytest.approx([0.8970, 0.8618, 0.8094, 0.1878, 0.9141], abs=1e-4)
    assert read(units=True) == pytest.approx(
        [0.96852, 0.98907, 0.95841, 0.87868, 0.99992], abs=1e-5
    )


def covered(question: str, texts: Sequence[str], weights: dict[str, float]) -> list[float]:
    """The soft coverage of each text."""
    rows = FeatureReader(lambda word: weights.get(word, 1.0)).features(
        question, [Candidate(text) for text in texts]
    )
    return [row[FEATURES.index("best_pair")] for row in rows]


@pytest.mark.parametrize(("weight", "less"), [(0.9, False), (1.1, True)])
def test_a_like_word_covers_four_fifths_of_what_it_is_alike(weight: float, less: bool) -> None:
    likeness = related("doctor")["physician"]
    by_like_word, by_word = covered(
        "Where is the doctor with a harmonium?",
        ["A physician came.", "A harmonium came."],
        {"doctor": 1.0, "harmonium": 0.8 * likeness * weight},
    )
    assert (by_like_word < by_word) == less


def test_a_thousand_characters_behind_its_beginning_a_document_opens_half_as_much() -> None:
    reader = FeatureReader(lambda word: 1.0)
    at = FEATURES.index("opening")
    rows = reader.features("Mills", [Candidate("Mills.", start=start) for start in (0, 1000)])
    assert [row[at] for row in rows] == [1.0, 0.5]


def test_where_no_kind_of_answer_is_sought_a_text_has_half_of_it() -> None:
    reader = FeatureReader(lambda word: 1.0)
    at = FEATURES.index("answer_type")
    sought = "How many mills are there?"
    with_number, without, any_kind = (
        reader.features(question, [Candidate(text)])[0][at]
        for question, text in (
            (sought, "There are 9."),
            (sought, "Mills stand."),
            ("Mills", "Mills."),
        )
    )
    assert any_kind == (with_number + without) / 2


def test_the_twelve_best_passages_are_read(tmp_path: Path) -> None:
    reader = OnnxReader(
        ReadingModel(tiny_model(tmp_path / "tiny.onnx")), FeatureReader(lambda word: 1.0)
    )
    candidates = [Candidate("It is blue.", "", 1 - n / 100) for n in range(30)]
    assert (
        sum(
            reading.span is not None
            for reading in reader.read("What colour is the sky?", candidates)
        )
        == 12
    )


def test_windows_share_a_quarter_and_the_heading_takes_a_quarter_at_most() -> None:
    pieces = WordPiece()
    first, second, *_ = _windows(0, ("", "grey " * 500), pieces, 100)
    shared = {token.start for token in first.tokens} & {token.start for token in second.tokens}
    assert (len(first.tokens), len(shared)) == (100, 25)
    with_heading = _windows(0, ("grey " * 200, "grey " * 500), pieces, 100)[0]
    assert (len(with_heading.heading), len(with_heading.tokens)) == (25, 75)


@pytest.mark.parametrize(("length", "whole"), [(30, True), (31, False)])
def test_a_span_has_thirty_tokens_at_most(length: int, whole: bool) -> None:
    tokens = [Token(7, n * 2, n * 2 + 1) for n in range(60)]
    start, end = np.full(61, -5.0), np.full(61, -5.0)
    start[1 + 10], end[1 + 10 + length - 1] = 9.0, 9.0
    span = _best_span(1.0, start, end, 1, tokens).span
    assert (span == (20, (10 + length - 1) * 2 + 1)) == whole


@each(
    ("text", "share"),
    [
        ("- keg: a place\n- cask: a package of files\n- tap: a folder", 1.0),
        ("keg | a place\ncask | a package of files\ntap | a folder", 1.0),
        ("keg | a place\ncask | version 2 only\ntap | a folder", 0.5),
        ("It holds a keg. A cask is\na package of files.", 1.0),
    ],
)
def test_an_entry_of_a_glossary_and_a_sentence_over_lines_define(text: str, share: float) -> None:
    (row,) = FeatureReader(lambda word: 1.0).features("What is a cask?", [Candidate(text)])
    assert row[FEATURES.index("defines")] == share


def test_the_parts_of_a_name_are_read_for_though_they_are_words_of_asking() -> None:
    reader = FeatureReader(lambda word: 1.0)
    rows = [
        Candidate("score: the points of a team"),
        Candidate("score_difference: points more than the other team"),
    ]
    first, second = reader.read("score_difference meaning", rows, units=True)
    assert second.score > first.score
