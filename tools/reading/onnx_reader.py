"""The reader that has a model: it says of the best passages how they bear on the question, beside
the features."""

import importlib.util
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from tools.errors import ModelError
from tools.index.vectors import embeddings
from tools.reading.reader import EVEN_ODDS, MOST_READ, READ, Candidate, Reader, Reading, logistic
from tools.reading.reading_model import Figures, ModelReading, ReadingModel
from tools.translation.gloss import Gloss, gloss, query_languages, text_languages

MODEL_FILE = "reader.onnx"
SHA256 = "56f9d7e1a1f4661a6114c07e68ff89a203c9f1e9f7ed54b2c3418b71456410d8"
# Added to the probability that an answer begins somewhere, so that it has a logarithm
_NOWHERE = 1e-3


def find_model(folder: Path, *, shipped: bool = True, threads: int = 2) -> ReadingModel | None:
    """The reading model of a folder, else the one that the program brings; costs no import of a
    library.

    shipped: whether that one may be used. None without the packages that a model needs: the
    features of the words alone rank passages then.
    """
    if missing_packages():
        return None
    if (path := folder / MODEL_FILE).is_file():
        return ReadingModel(path, threads=threads)
    own, embedder = (
        Path(str(files("tools.data").joinpath(name))) for name in (MODEL_FILE, embeddings.FILE)
    )
    return _shipped(own, embedder, threads) if shipped else None


@lru_cache(maxsize=1)
def _shipped(own: Path, embedder: Path, threads: int) -> ReadingModel:
    """One for the whole process. Its file holds how it differs from the embedding model, and refers
    to that."""
    return ReadingModel(own, {own: SHA256, embedder: embeddings.SHA256}, threads=threads)


def missing_packages() -> list[str]:
    """The packages that a reading model needs and that are not installed."""
    return [name for name in ("numpy", "onnxruntime") if importlib.util.find_spec(name) is None]


class OnnxReader:
    """Where the model fails, the features alone count from then on, and `report` is handed the
    sentence, once."""

    def __init__(
        self,
        model: ReadingModel,
        features: Reader,
        report: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        self._model: ReadingModel | None = model
        self._features, self._report = features, report

    def read(
        self, question: str, candidates: Sequence[Candidate], *, units: bool = False
    ) -> list[Reading]:
        """See Reader. The scores, and all that is said of units, are those of the features. Raises
        nothing."""
        before = self._features.read(question, candidates, units=units)
        if self._model is None or units:
            return before
        try:
            readings = self._read_best(question, candidates, before)
        except ModelError as error:
            self._model = None
            self._report(str(error))
            return before
        if not readings:
            return before
        # What was not read is no better than the least of what was
        least = min(readings.values(), key=lambda reading: reading.by_model)
        return [
            readings.get(i) or replace(reading, by_model=least.by_model, log_odds=least.log_odds)
            for i, reading in enumerate(before)
        ]

    def _read_best(
        self, question: str, candidates: Sequence[Candidate], before: Sequence[Reading]
    ) -> dict[int, Reading]:
        """What the model says of the best candidates, by their numbers; of more of them where none
        of the first is likelier than not to answer. Raises ModelError."""
        assert self._model is not None
        ranking = sorted(range(len(before)), key=lambda i: (-before[i].score, i))
        by_number: dict[int, Reading] = {}
        for first in range(0, min(MOST_READ, len(ranking)), READ):
            best = ranking[first : first + READ]
            outputs = self._read(question, [candidates[i] for i in best])
            figures = self._model.figures
            for i, model in zip(best, outputs, strict=True):
                if model:
                    by_number[i] = _with_model(before[i], model, figures)
            if max((r.log_odds or 0.0 for r in by_number.values()), default=EVEN_ODDS) >= EVEN_ODDS:
                break
        return by_number

    def _read(self, question: str, candidates: Sequence[Candidate]) -> list[ModelReading | None]:
        """What the model, which knows English alone, says of candidates and their glosses."""
        assert self._model is not None
        of_question = query_languages(question)
        spoken = [text_languages(candidate.text, of_question) for candidate in candidates]
        pairs = list(zip(candidates, spoken, strict=True))
        texts = [gloss(candidate.text, languages) for candidate, languages in pairs]
        headings = [gloss(candidate.heading, languages).text for candidate, languages in pairs]
        readings = self._model.read(
            gloss(question, of_question).text,
            [(heading, text.text) for heading, text in zip(headings, texts, strict=True)],
        )
        return [
            reading and _of_text(reading, text)
            for reading, text in zip(readings, texts, strict=True)
        ]


def _of_text(reading: ModelReading, text: Gloss) -> ModelReading:
    """The reading of a gloss as one of the text that it stands for."""
    begins = [(*text.place(start, end), share) for start, end, share in reading.begins]
    span = text.place(*reading.span) if reading.span else None
    return replace(reading, begins=begins, span=span)


def _with_model(reading: Reading, model: ModelReading, figures: Figures) -> Reading:
    by_model = round(figures.relevance * model.relevance, 6)
    constant, by_relevance, by_marks = figures.answers
    marked = math.log(sum(share for _, _, share in model.begins) + _NOWHERE)
    reading = replace(
        reading,
        by_model=by_model,
        begins=model.begins,
        begins_weight=figures.begins,
        lead_weight=figures.lead,
        log_odds=round(constant + by_relevance * model.relevance + by_marks * marked, 6),
    )
    if model.span is None:
        return reading
    constant, by_relevance, by_odds = figures.span
    log_odds = constant + by_relevance * model.relevance + by_odds * model.odds
    return replace(reading, span=model.span, span_score=round(logistic(log_odds), 6))
