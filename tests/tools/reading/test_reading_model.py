"""The reading model, with a tiny one made here: it takes "blue" for the answer to everything."""

import threading
from pathlib import Path

import pytest

from tests.tables import each
from tests.tiny_reader import FIGURES, tiny_model
from tools.errors import ModelError
from tools.reading.reading_model import ModelReading, ReadingModel

QUESTION = "What colour is the sky?"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ReadingModel:
    """The tiny model, of windows of 16 tokens."""
    return ReadingModel(tiny_model(tmp_path_factory.mktemp("model") / "tiny.onnx"))


def read(
    model: ReadingModel, *passages: str, question: str = QUESTION, heading: str = ""
) -> list[ModelReading]:
    readings = model.read(question, [(heading, passage) for passage in passages])
    return [reading for reading in readings if reading is not None]


def words(reading: ModelReading, passage: str) -> str | None:
    return passage[slice(*reading.span)] if reading.span else None


def test_the_answer_is_found_with_its_place(model: ReadingModel) -> None:
    passages = ["The sky is blue today.", "Grass is green.", ""]
    blue, green, empty = model.read(QUESTION, [("", passage) for passage in passages])
    assert blue and blue.relevance == 5 and words(blue, passages[0]) == "blue" and blue.odds == 20
    assert green and (green.relevance, green.span, green.odds) == (-5, None, 0)
    assert empty is None


def test_a_reading_says_how_likely_the_answer_begins_with_each_word(model: ReadingModel) -> None:
    (reading,) = read(model, "The sky is blue.")
    *others, (start, end, likely), last = reading.begins
    assert (
        (start, end) == (11, 15)
        and likely > 0.999
        and all(share < 0.001 for *_, share in [*others, last])
    )


def test_readings_keep_the_order_of_the_passages(model: ReadingModel) -> None:
    passages = [f"{'word ' * (i % 7)}{'blue' if i % 3 == 0 else 'red'}" for i in range(40)]
    assert [reading.span is not None for reading in read(model, *passages)] == [
        i % 3 == 0 for i in range(40)
    ]


@each("heading", ["", "Colours of the day", "word " * 500])
@each("before", [0, 15, 16, 17, 40, 200])
def test_a_long_passage_is_read_in_windows(model: ReadingModel, before: int, heading: str) -> None:
    passage = "grey " * before + "Blue" + " grey" * 100
    (reading,) = read(model, passage, heading=heading)
    assert reading.relevance == 5 and words(reading, passage) == "Blue"


def test_a_passage_without_end_costs_a_bounded_time(model: ReadingModel) -> None:
    (reading,) = read(model, "grey " * 1_000_000 + "blue")
    assert reading.span is None and reading.relevance == -5


@pytest.mark.parametrize(
    ("passage", "expected"),
    [
        ("Der Himmel ist BLÜE!", "BLÜE"),
        ("the blu\u0301e\u0301 sky", "blu\u0301e\u0301"),
        ("\ud800 blue", "blue"),
        ("東京 blue ✓", "blue"),
        ("of bluexq", "bluexq"),
    ],
)
def test_spans_are_whole_words_of_the_passage(
    model: ReadingModel, passage: str, expected: str
) -> None:
    (reading,) = read(model, passage)
    assert words(reading, passage) == expected


def test_a_question_without_words_gives_no_reading(model: ReadingModel) -> None:
    assert model.read(" \n", [("", "The sky is blue.")]) == [None]
    assert model.read(QUESTION, []) == []


def test_only_the_passage_can_hold_the_answer(model: ReadingModel) -> None:
    (reading,) = read(model, "Grass is green.", question="Why is it blue?")
    assert reading.span is None
    (reading,) = read(model, "Grass is green.", heading="Blue")
    assert reading.span is None


def test_threads_share_the_model(tmp_path: Path) -> None:
    shared = ReadingModel(tiny_model(tmp_path / "tiny.onnx"))
    readings: list[list[ModelReading]] = []
    threads = [
        threading.Thread(target=lambda: readings.append(read(shared, "blue", "red")))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(readings) == 6 and all(reading == readings[0] for reading in readings)


@pytest.mark.parametrize("left", [0, 1, 100, -40])
def test_a_truncated_model_is_refused(tmp_path: Path, left: int) -> None:
    path = tiny_model(tmp_path / "tiny.onnx")
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(ModelError, match=r"The reading model .*; passages are ranked without it\."):
        read(ReadingModel(path), "blue")


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tiny.onnx"
    path.write_text("<html>404 Not Found</html>")
    with pytest.raises(ModelError, match="could not be opened"):
        read(ReadingModel(path), "blue")


def test_a_missing_model_is_a_sentence_without_its_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read") as caught:
        read(ReadingModel(tmp_path / "gone.onnx"), "blue")
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize(
    ("outputs", "problem"),
    [
        ({"start": "turned"}, "outputs of another shape"),
        ({"score": "place"}, "outputs of another shape"),
        ({"second_score": "relevance"}, "outputs of another shape"),
        ({"start": None, "end": None}, "outputs of another shape"),
        ({"score": "nothing"}, "no usable numbers"),
    ],
)
def test_a_model_of_another_shape_is_refused(
    tmp_path: Path, outputs: dict[str, str], problem: str
) -> None:
    with pytest.raises(ModelError, match=problem):
        read(ReadingModel(tiny_model(tmp_path / "tiny.onnx", **outputs)), "The sky is blue.")


def test_a_model_with_other_inputs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="other inputs"):
        read(ReadingModel(tiny_model(tmp_path / "tiny.onnx", inputs=("pixels",))), "blue")


@pytest.mark.parametrize(
    "figures",
    [
        None,
        "no JSON",
        "[" * 100_000,
        "[]",
        "null",
        FIGURES | {"format": 2},
        FIGURES | {"span": [1, 2]},
        FIGURES | {"relevance": "abc"},
        FIGURES | {"begins": float("nan")},
        FIGURES | {"lead": float("nan")},
        FIGURES | {"answers": [1, 2]},
        FIGURES | {"relevance": float("inf")},
        FIGURES | {"span": [0, float("nan"), 1]},
        FIGURES | {"passage_tokens": 100_000},
        FIGURES | {"question_tokens": 0},
        {name: value for name, value in FIGURES.items() if name != "licence"},
    ],
)
def test_a_model_that_does_not_describe_itself_is_refused(tmp_path: Path, figures: object) -> None:
    with pytest.raises(ModelError, match="does not describe a reader"):
        read(ReadingModel(tiny_model(tmp_path / "tiny.onnx", figures=figures)), "blue")
