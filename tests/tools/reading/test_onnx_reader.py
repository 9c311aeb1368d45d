"""The reader with a model: features and model together, and the features alone where the model
fails."""

import math
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tiny_reader import FIGURES, tiny_model
from tools.errors import ModelError
from tools.reading import onnx_reader
from tools.reading.features import FeatureReader
from tools.reading.onnx_reader import OnnxReader, _with_model, find_model
from tools.reading.reader import READ, Candidate, Reading
from tools.reading.reading_model import Figures, ModelReading, ReadingModel

QUESTION = "What colour is the sky?"
PASSAGES = [
    Candidate("The sky is wide.", "", 0.9),
    Candidate("It is blue today.", "Weather", 0.5),
    Candidate(""),
]
FEATURES = FeatureReader(lambda word: 1.0)


def test_the_model_adds_to_what_the_features_say(tmp_path: Path) -> None:
    reader = OnnxReader(ReadingModel(tiny_model(tmp_path / "tiny.onnx")), FEATURES)
    wide, blue, empty = reader.read(QUESTION, PASSAGES)
    assert [reading.score for reading in (wide, blue, empty)] == [
        r.score for r in FEATURES.read(QUESTION, PASSAGES)
    ]
    assert (wide.by_model, blue.by_model, empty.by_model) == (-0.5, 0.5, -0.5)
    assert blue.span and PASSAGES[1].text[slice(*blue.span)] == "blue" and blue.span_score > 0.99
    assert empty.span is None
    assert (wide.log_odds, blue.log_odds, empty.log_odds) == (-5, 5, -5)


def test_of_the_units_of_a_passage_the_features_alone_tell(tmp_path: Path) -> None:
    reader = OnnxReader(ReadingModel(tiny_model(tmp_path / "tiny.onnx")), FEATURES)
    assert reader.read(QUESTION, PASSAGES, units=True) == FEATURES.read(
        QUESTION, PASSAGES, units=True
    )


def test_what_the_features_rank_low_is_not_read_and_is_no_better_than_the_least(
    tmp_path: Path,
) -> None:
    reader = OnnxReader(ReadingModel(tiny_model(tmp_path / "tiny.onnx")), FEATURES)
    passages = [
        Candidate("The sky is wide." if place else "Blue.", "", 1 - place / 100)
        for place in range(READ)
    ]
    readings = reader.read(QUESTION, [Candidate("Grass and blue.", "", 0.1), *passages])
    assert [reading.by_model for reading in readings] == [-0.5, 0.5, *[-0.5] * (READ - 1)]
    assert [reading.log_odds for reading in readings] == [-5, 5, *[-5] * (READ - 1)]


@pytest.mark.parametrize(("likeliest", "count"), [(0.01, 12), (-0.01, 24)])
def test_more_is_read_where_no_passage_is_likelier_than_not_to_answer(
    likeliest: float, count: int
) -> None:
    class Features:
        def read(
            self, question: str, candidates: Sequence[Candidate], *, units: bool = False
        ) -> list[Reading]:
            return [Reading(candidate.retrieval) for candidate in candidates]

    class Model:
        """One that finds of each passage what stands in it."""

        figures = Figures("", "", 8, 8, 0, 0, 0, answers=(0, 1, 0), span=(0, 0, 0))

        def read(self, question: str, texts: Sequence[tuple[str, str]]) -> list[ModelReading]:
            return [ModelReading(float(text), [(0, 1, 0.0)], None, 0.0) for _, text in texts]

    odds = [-1.0] * 30
    odds[11], odds[23] = likeliest, -0.5
    passages = [Candidate(str(odd), retrieval=1 - place / 100) for place, odd in enumerate(odds)]
    readings = OnnxReader(Model(), Features()).read("mill?", passages)  # type: ignore[arg-type]
    assert [r.log_odds for r in readings if r.begins] == odds[:count]


def test_a_passage_in_which_no_answer_begins_is_a_thousand_times_less_likely_to_answer() -> None:
    figures = Figures("", "", 8, 8, 0.0, 0.0, 0.0, answers=(0.0, 0.0, 1.0), span=(0.0, 0.0, 0.0))
    nowhere, surely = (
        _with_model(Reading(0.5), ModelReading(0.0, begins, None, 0.0), figures).log_odds
        for begins in ([], [(0, 3, 1.0)])
    )
    assert nowhere is not None and surely is not None
    assert math.isclose(math.exp(surely - nowhere), 1001, rel_tol=1e-3)


def test_where_the_answer_begins_counts_for_the_lead() -> None:
    reading = Reading(0.5, by_model=1.0, begins=[(0, 3, 0.2), (4, 8, 0.3)], begins_weight=2.0)
    assert reading.with_lead(0, 8) == pytest.approx(1 + 2 * math.log(0.5))
    assert reading.with_lead(4, 5) == pytest.approx(1 + 2 * math.log(0.3))
    assert reading.with_lead(8, 20) == pytest.approx(1 - 2 * 20.72, abs=0.1)
    assert Reading(0.5, by_model=1.0).with_lead(0, 8) == 1
    assert (reading.begins_within(0, 8), Reading(0.5).begins_within(0, 8)) == (0.5, 0)


def test_the_shipped_model_reads_under_a_heading_what_answers() -> None:
    model = find_model(Path("no folder"))
    assert model is not None and find_model(Path("no folder"), shipped=False) is None
    texts = [
        ("Style. Maximum Line Length", "Limit all lines to 79 characters."),
        ("Bears", "Pandas live in China."),
    ]
    candidates = [Candidate(text, heading) for heading, text in texts]
    line, pandas = OnnxReader(model, FEATURES).read("What is the maximum line length?", candidates)
    assert line.by_model > pandas.by_model + 0.5
    assert line.log_odds and pandas.log_odds and line.log_odds > 1 > -2 > pandas.log_odds
    start = texts[0][1].index("79")
    assert line.with_lead(start, start + 2) > line.with_lead(0, start)


@pytest.mark.parametrize("name", ["reader.onnx", "embedder.onnx"])
def test_a_damaged_file_of_the_shipped_model_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    data = Path(onnx_reader.__file__).parents[1] / "data"
    for file in ("reader.onnx", "embedder.onnx"):
        shutil.copy(data / file, tmp_path)
    with (tmp_path / name).open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"damage")
    monkeypatch.setattr(onnx_reader, "files", lambda package: tmp_path)
    model = find_model(tmp_path / "none")
    assert model is not None
    with pytest.raises(
        ModelError, match=r"is damaged \(its sha256 differs\); passages are ranked without it"
    ):
        model.read(QUESTION, [("", "blue")])


def test_a_question_without_words_is_left_to_the_features(tmp_path: Path) -> None:
    reader = OnnxReader(ReadingModel(tiny_model(tmp_path / "tiny.onnx")), FEATURES)
    assert reader.read(" ", PASSAGES) == FEATURES.read(" ", PASSAGES)
    assert reader.read(QUESTION, []) == []


@pytest.mark.parametrize("damage", ["gone", "truncated", "other figures", "other outputs"])
def test_where_the_model_fails_the_features_count_and_it_is_said_once(
    tmp_path: Path, damage: str
) -> None:
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
    assert (
        len(reports) == 1
        and reports[0].startswith("The reading model ")
        and reports[0].endswith("without it.")
    )


def test_the_model_of_a_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_model(tmp_path / onnx_reader.MODEL_FILE)
    reader = find_model(tmp_path)
    assert reader is not None and reader.path.parent == tmp_path
    monkeypatch.setattr(onnx_reader.importlib.util, "find_spec", lambda name: None)
    assert find_model(tmp_path) is None, "without the extra"


def test_finding_the_model_imports_nothing_heavy(tmp_path: Path) -> None:
    tiny_model(tmp_path / onnx_reader.MODEL_FILE)
    code = (
        "import sys; from pathlib import Path; from tools.reading.onnx_reader import find_model; "
        f"assert find_model(Path({str(tmp_path)!r})); assert not {{'numpy', 'onnxruntime'}} & "
        "set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
