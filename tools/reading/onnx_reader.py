"""The reader that has a model: what it reads in a passage counts together with the features of its words."""

import importlib.util
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tools.errors import ModelError
from tools.reading.reader import Candidate, Reader, Reading
from tools.reading.reading_model import ModelReading, ReadingModel, Weights

MODEL_FILE = "reader.onnx"
READ, READ_UNITS = 20, 4  # passages, and units of one, best first by the features, that the model reads
_NO_WORDS = 1e-6  # probability that a passage without words answers


def find_model(folder: Path, *, threads: int = 2) -> ReadingModel | None:
    """The reading model of a folder; costs no import of a library.

    None without one, or without the packages that it needs: the features of the words alone rank passages then.
    """
    path = folder / MODEL_FILE
    return ReadingModel(path, threads=threads) if path.is_file() and not missing_packages() else None


def missing_packages() -> list[str]:
    """The packages that a reading model needs and that are not installed."""
    return [name for name in ("numpy", "onnxruntime") if importlib.util.find_spec(name) is None]


class OnnxReader:
    """Where the model fails, the features alone count from then on, and `report` is handed the sentence, once."""

    name = "model"

    def __init__(
        self, model: ReadingModel, features: Reader, report: Callable[[str], object] = lambda sentence: None
    ) -> None:
        self._model: ReadingModel | None = model
        self._features, self._report = features, report

    def read(self, question: str, candidates: Sequence[Candidate], *, units: bool = False) -> list[Reading]:
        """See Reader. Raises nothing."""
        before = self._features.read(question, candidates, units=units)
        if self._model is None:
            return before
        ranking = sorted(range(len(before)), key=lambda i: (-before[i].score, i))
        best = ranking[: READ_UNITS if units else READ]
        try:
            readings = self._model.read(question, [(candidates[i].heading, candidates[i].text) for i in best])
            figures = self._model.figures
        except ModelError as error:
            self._model = None
            self._report(str(error))
            return before
        if not any(readings):
            return before  # the question has no words
        weights = figures.units if units else figures.passages
        pairs = zip(best, readings, strict=True)
        after = {i: _together(before[i].score, model, weights, figures.span) for i, model in pairs}
        return _in_place(before, after)


def _in_place(before: Sequence[Reading], after: Mapping[int, Reading]) -> list[Reading]:
    """All readings, those that the model did not make below the ones that it made."""
    lowest = min(reading.score for reading in after.values())
    return [after.get(i) or Reading(round(lowest * reading.score, 6)) for i, reading in enumerate(before)]


def _together(features: float, model: ModelReading | None, weights: Weights, span: Weights) -> Reading:
    if model is None:
        return Reading(_NO_WORDS)
    constant, by_features, by_relevance = weights
    score = _probability(constant + by_features * _log_odds(features) + by_relevance * model.relevance)
    if model.span is None:
        return Reading(score)
    constant, by_relevance, by_odds = span
    return Reading(score, model.span, _probability(constant + by_relevance * model.relevance + by_odds * model.odds))


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))


def _probability(log_odds: float) -> float:
    return round(1 / (1 + math.exp(-max(-50.0, min(50.0, log_odds)))), 6)
