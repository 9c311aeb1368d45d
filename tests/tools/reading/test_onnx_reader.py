"""The reader with a model: features and model together, and the features alone where the model fails."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiny_reader import FIGURES, tiny_model
from tools.reading import onnx_reader
from tools.reading.features import FeatureReader
from tools.reading.onnx_reader import READ, OnnxReader, find_model
from tools.reading.reader import Candidate, Reading
from tools.reading.reading_model import ReadingModel

QUESTION = "What colour is the sky?"
PASSAGES = [Candidate("The sky is wide.", "", 0.9), Candidate("It is blue today.", "Weather", 0.5), Candidate("")]
FEATURES = FeatureReader(lambda word: 1.0)


def test_the_model_counts_with_the_features(tmp_path: Path) -> None:
    reader = OnnxReader(ReadingModel(tiny_model(tmp_path / "tiny.onnx")), FEATURES)
    before, after = FEATURES.read(QUESTION, PASSAGES), reader.read(QUESTION, PASSAGES)
    assert before[0].score > before[1].score and after[0].score < after[1].score
    span = after[1].span
    assert span and PASSAGES[1].text[slice(*span)] == "blue" and after[1].span_score > 0.99
    assert after[2] == Reading(after[2].score) and after[2].score < 0.01


def test_units_have_weights_of_their_own(tmp_path: Path) -> None:
    path = tiny_model(tmp_path / "tiny.onnx", figures=FIGURES | {"units": [0, 0, -1]})
    reader = OnnxReader(ReadingModel(path), FEATURES)
    passages, units = (reader.read(QUESTION, PASSAGES[:2], units=units) for units in (False, True))
    assert passages[1].score > 0.5 > units[1].score


def test_what_the_features_rank_low_is_not_read_and_comes_last(tmp_path: Path) -> None:
    reader = OnnxReader(ReadingModel(tiny_model(tmp_path / "tiny.onnx")), FEATURES)
    passages = [Candidate("The sky is wide.", "", 1 - place / 100) for place in range(READ)]
    last = [Candidate("Grass and blue.", "", 0.1), Candidate("Grass.", "", 0.05)]
    scores = [reading.score for reading in reader.read(QUESTION, [last[0], *passages, last[1]])]
    assert scores[-1] < scores[0] <= min(scores[1:-1])


def test_a_question_without_words_is_left_to_the_features(tmp_path: Path) -> None:
    reader = OnnxReader(ReadingModel(tiny_model(tmp_path / "tiny.onnx")), FEATURES)
    assert reader.read(" ", PASSAGES) == FEATURES.read(" ", PASSAGES)
    assert reader.read(QUESTION, []) == []


@pytest.mark.parametrize("damage", ["gone", "truncated", "other figures", "other outputs"])
def test_where_the_model_fails_the_features_count_and_it_is_said_once(tmp_path: Path, damage: str) -> None:
    path = tiny_model(
        tmp_path / "tiny.onnx",
        figures="{}" if damage == "other figures" else FIGURES,
        **({"start": "turned"} if damage == "other outputs" else {}),
    )
    if damage == "gone":
        path.unlink()
    elif damage == "truncated":
        path.write_bytes(path.read_bytes()[:500])
    reports: list[str] = []
    reader = OnnxReader(ReadingModel(path), FEATURES, reports.append)
    for _ in range(3):
        assert reader.read(QUESTION, PASSAGES) == FEATURES.read(QUESTION, PASSAGES)
    assert len(reports) == 1 and reports[0].startswith("The reading model ") and reports[0].endswith("without it.")


def test_the_model_of_a_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_model(tmp_path) is None
    tiny_model(tmp_path / onnx_reader.MODEL_FILE)
    reader = find_model(tmp_path)
    assert reader is not None and reader.path.parent == tmp_path
    monkeypatch.setattr(onnx_reader.importlib.util, "find_spec", lambda name: None)
    assert find_model(tmp_path) is None, "without the extra"


def test_finding_the_model_imports_nothing_heavy(tmp_path: Path) -> None:
    tiny_model(tmp_path / onnx_reader.MODEL_FILE)
    code = (
        "import sys; from pathlib import Path; from tools.reading.onnx_reader import find_model; "
        f"assert find_model(Path({str(tmp_path)!r})); assert not {{'numpy', 'onnxruntime'}} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
