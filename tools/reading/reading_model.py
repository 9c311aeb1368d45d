"""The reading model: a small cross-encoder in ONNX that rates passages and marks the words that
answer.

Everything that belongs to one file (the lengths it was trained on, the weights that turn its
outputs into probabilities) stands in the metadata of that file; docs/models.md describes it.
Nothing is downloaded, and nothing heavy is imported before the first passage is read.
"""

import json
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tools.index.vectors.wordpiece import Token, WordPiece
from tools.onnx_model import OnnxModel

METADATA = "zorora.reader"  # the key of the figures in the metadata of the file, as JSON
_FORMAT = 3
_OVERLAP = 0.25  # the share of a window that the next one of a long passage begins with
_HEADING_SHARE = 0.25  # of a window that the heading may take
_MAX_WINDOWS = 32  # of one passage, about 25,000 characters; what follows is not read
_MAX_CHARACTERS = 40_000
_LONGEST_SPAN = 30  # tokens

Weights = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Figures:
    """What belongs to one model file.

    question_tokens, passage_tokens: the longest it was trained on. relevance: what one of its
    relevance counts in the order of passages. begins: what the log probability that the answer
    begins in the lead counts there. lead: what the probability that the answer begins in a sentence
    counts for its choice as the lead. answers: weights of (1, relevance, log probability that an
    answer begins anywhere) in the log odds that the passage answers. span: weights of (1,
    relevance, log odds of the span against no span) in the log odds that the span is right.
    """

    name: str
    licence: str
    question_tokens: int
    passage_tokens: int
    relevance: float
    begins: float
    lead: float
    answers: Weights
    span: Weights


@dataclass(frozen=True, slots=True)
class ModelReading:
    """relevance: a log odds, not calibrated. begins: how likely the answer begins with each token
    of the window, as (start, end, probability). span: of the passage, None when no words answer.
    odds: of the span."""

    relevance: float
    begins: Sequence[tuple[int, int, float]]
    span: tuple[int, int] | None
    odds: float


@dataclass(frozen=True, slots=True)
class _Window:
    """As much of a passage as the model takes at once, after its heading."""

    passage: int
    heading: Sequence[Token]
    tokens: Sequence[Token]

    @property
    def length(self) -> int:
        return len(self.heading) + len(self.tokens)


class ReadingModel:
    """One ONNX session, opened with the first question and shared by all threads."""

    def __init__(
        self, path: Path, sums: Mapping[Path, str] | None = None, *, threads: int = 2
    ) -> None:
        """sums: the sha256 that the file, and those it refers to, must have."""
        self.path = path
        self._model = OnnxModel(
            path,
            sums,
            name="reading model",
            consequence="passages are ranked without it",
            threads=threads,
        )
        self._lock = threading.Lock()
        self._figures: Figures | None = None
        self._pieces: WordPiece | None = None

    @property
    def figures(self) -> Figures:
        """Raises ModelError when the file is damaged or holds another kind of model."""
        with self._lock:
            return self._opened()

    def read(self, question: str, texts: Sequence[tuple[str, str]]) -> list[ModelReading | None]:
        """A reading for each (heading, passage), in their order; None for one without words. Raises
        ModelError.

        A passage that is longer than the model takes is read in windows; the one of the highest
        relevance counts.
        """
        with self._lock:  # the session uses all its threads already
            figures = self._opened()
            pieces = self._pieces = self._pieces or WordPiece()
            asked_ids = [token.id for token in pieces.tokens(question[:_MAX_CHARACTERS])][
                : figures.question_tokens
            ]
            head = [pieces.cls, *asked_ids, pieces.sep]
            windows = [
                w
                for i, text in enumerate(texts)
                for w in _windows(i, text, pieces, figures.passage_tokens)
            ]
            windows.sort(key=lambda window: window.length)
            best = self._best_readings(head, windows, pieces.sep) if asked_ids else {}
        return [
            _whole_words(best[i], passage) if i in best else None
            for i, (_, passage) in enumerate(texts)
        ]

    def _best_readings(
        self, head: list[int], windows: Sequence[_Window], sep: int
    ) -> dict[int, ModelReading]:
        """The reading of each passage whose window has the highest relevance."""
        best: dict[int, ModelReading] = {}
        for window in windows:
            reading = self._run(head, window, sep)
            before = best.get(window.passage)
            if before is None or reading.relevance > before.relevance:
                best[window.passage] = reading
        return best

    def _opened(self) -> Figures:
        if self._figures is None:
            try:
                self._figures = _figures(json.loads(self._model.metadata()[METADATA]))
            except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
                raise self._model.error(
                    "is of another kind: its file does not describe a reader"
                ) from error
        return self._figures

    def _run(self, head: list[int], window: _Window, sep: int) -> ModelReading:
        """One window at a time: that takes a third less of a CPU than eight at once, and what is
        read beside a passage changes no figure of it."""
        before = [*head, *(token.id for token in window.heading)]
        row = [*before, *(token.id for token in window.tokens), sep]
        outputs, mask = self._model.run([row], [len(head)])
        expected = [mask.shape[:1], mask.shape, mask.shape]
        if [getattr(output, "shape", None) for output in outputs] != expected:
            raise self._model.error("gave outputs of another shape")
        relevance, start, end = (output[0] for output in outputs)
        reading = _best_span(float(relevance), start, end, len(before), window.tokens)
        if not math.isfinite(reading.relevance + reading.odds):
            raise self._model.error("gave no usable numbers")
        return reading


def _figures(table: Mapping[str, Any]) -> Figures:
    """Raises KeyError, TypeError or ValueError for figures that are not of this format."""
    if table["format"] != _FORMAT:
        raise ValueError("another format")
    question, passage = int(table["question_tokens"]), int(table["passage_tokens"])
    if min(question, passage) < 8 or question + passage > 509:
        raise ValueError("lengths")
    relevance, begins, lead = (float(table[name]) for name in ("relevance", "begins", "lead"))
    if not math.isfinite(relevance + begins + lead):
        raise ValueError("weights")
    name, licence = str(table["name"]), str(table["licence"])
    answers, span = _weights(table["answers"]), _weights(table["span"])
    return Figures(name, licence, question, passage, relevance, begins, lead, answers, span)


def _weights(row: Any) -> tuple[float, float, float]:
    first, second, third = map(float, row)
    if not (math.isfinite(first) and math.isfinite(second) and math.isfinite(third)):
        raise ValueError("weights")
    return first, second, third


def _windows(passage: int, text: tuple[str, str], pieces: WordPiece, size: int) -> list[_Window]:
    tokens = pieces.tokens(text[1][:_MAX_CHARACTERS])
    if not tokens:
        return []
    title = text[0].strip().rstrip(".:")
    heading = (
        pieces.tokens(f"{title[:_MAX_CHARACTERS]}.")[: int(size * _HEADING_SHARE)] if title else []
    )
    room = size - len(heading)
    last = max(len(tokens) - room, 0)
    starts = [*range(0, last, room - int(room * _OVERLAP)), last]
    return [
        _Window(passage, heading, tokens[start : start + room]) for start in starts[:_MAX_WINDOWS]
    ]


def _best_span(
    relevance: float, start: Any, end: Any, first: int, tokens: Sequence[Token]
) -> ModelReading:
    """The likeliest span of a window; the likelihood that there is none stands at the position of
    [CLS]."""
    import numpy as np

    begins, ends = start[first : first + len(tokens)], end[first : first + len(tokens)]
    distance = np.arange(len(tokens))[None, :] - np.arange(len(tokens))[:, None]
    together = np.where(
        (distance >= 0) & (distance < _LONGEST_SPAN), begins[:, None] + ends[None, :], -np.inf
    )
    shares = np.exp(begins - np.logaddexp(start[0], np.logaddexp.reduce(begins))).tolist()
    shared = tuple(
        (token.start, token.end, share) for token, share in zip(tokens, shares, strict=True)
    )
    at = int(together.argmax())
    odds = float(together.flat[at] - start[0] - end[0])
    left, right = tokens[at // len(tokens)], tokens[at % len(tokens)]
    return ModelReading(relevance, shared, (left.start, right.end) if odds > 0 else None, odds)


def _whole_words(reading: ModelReading, passage: str) -> ModelReading:
    """The reading with a span that cuts no word."""
    if reading.span is None:
        return reading
    start, end = reading.span
    while start > 0 and passage[start - 1].isalnum() and passage[start].isalnum():
        start -= 1
    while end < len(passage) and passage[end].isalnum() and passage[end - 1].isalnum():
        end += 1
    return replace(reading, span=(start, end))
