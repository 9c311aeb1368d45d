"""Calibrate the reader on questions about documents that it was not trained on.

    python -m benchmarks.training.reader_calibrate WORK reader.onnx > FIGURES.json

Prints the weights that reader_export puts into the metadata of the file: of features and model together for passages
and for units (logistic regression), and of the span (the probability that its words are right). What the probability
is worth is printed to standard error, on the half of the questions that did not fit it.
"""

import json
import math
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.training.fit_reader import logistic_regression
from benchmarks.training.reader_pairs import Index, held_out
from tools.reading.features import FeatureReader
from tools.reading.reader import Candidate
from tools.reading.reading_model import ModelReading, ReadingModel
from tools.text.sentences import spans
from tools.text.tokens import words

_CANDIDATES = 10
_QUESTIONS = 160  # of each collection
_NEAR = 0.6  # F1 of words from which a span is right
THRESHOLDS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)

Row = tuple[float, float]  # log odds of the features, relevance


@dataclass(slots=True)
class Rows:
    """What is fitted: inputs, and whether each is right."""

    inputs: list[Row]
    right: list[bool]

    def weights(self) -> list[float]:
        return [round(float(w), 4) for w in logistic_regression(np.array(self.inputs), np.array(self.right, float))]


def main(work: Path, path: Path) -> None:
    model, passages, units, answers = ReadingModel(path), Rows([], []), Rows([], []), Rows([], [])
    count = 0
    for question, candidates in questions(work):
        count += 1
        texts = [c["text"] for c in candidates]
        features = FeatureReader(rarity(texts))
        rows = read(model, features, question["text"], texts)
        for candidate, (row, _) in zip(candidates, rows, strict=True):
            passages.inputs.append(row)
            passages.right.append(str(candidate["number"]) in question["answers"])
        best = max(range(len(rows)), key=lambda i: sum(rows[i][0]))
        cut = spans(texts[best])
        readings = read(model, features, question["text"], [texts[best][a:b] for a, b in cut], units=True)
        places = question["answers"].get(str(candidates[best]["number"]), [])
        for (a, b), (row, _) in zip(cut, readings, strict=True):
            if places:
                units.inputs.append(row)
                units.right.append(any(a <= start < b for start, _ in places))
        (start, end), (row, reading) = max(zip(cut, readings, strict=True), key=lambda one: sum(one[1][0]))
        if reading.span:
            words_shown = texts[best][start:end][slice(*reading.span)]
            answers.inputs.append((row[1], reading.odds))
            answers.right.append(any(same(words_shown, answer) for answer in question["expected"]))
    report(answers, count)
    print(json.dumps({"passages": passages.weights(), "units": units.weights(), "span": answers.weights()}))


def questions(work: Path) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Held-out questions with stated answers, and the best passages of their collection, best first."""
    passages = [json.loads(line) for line in (work / "passages.jsonl").open()]
    by_collection: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (work / "questions.jsonl").open():
        question = json.loads(line)
        first = passages[int(next(iter(question["answers"])))]
        if any(question["answers"].values()) and held_out(first["document"]):
            by_collection[question["collection"]].append(question)
    for collection, count in by_collection.items():
        inside = [p for p in passages if p["collection"] == collection]
        index = Index(inside)
        for question in random.Random(31).sample(count, min(len(count), _QUESTIONS)):
            places = ((passages[int(n)]["text"], a, b) for n, p in question["answers"].items() for a, b in p)
            question["expected"] = [text[a:b] for text, a, b in places]
            readings = [inside[number] for number in index.best(question["text"])[:_CANDIDATES]]
            if readings:
                yield question, readings


def rarity(texts: Sequence[str]) -> Callable[[str], float]:
    """Inverse frequency of words in some texts."""
    spread = Counter(word for text in texts for word in set(words(text)))
    return lambda word: math.log(1 + len(texts) / (0.5 + spread[word]))


def read(
    model: ReadingModel, features: FeatureReader, question: str, texts: Sequence[str], *, units: bool = False
) -> list[tuple[Row, ModelReading]]:
    candidates = [Candidate(text, "", 0.0 if units else 1 / (1 + place)) for place, text in enumerate(texts)]
    by_features = [reading.score for reading in features.read(question, candidates, units=units)]
    readings = [one or ModelReading(-9.0, None, 0.0) for one in model.read(question, [("", text) for text in texts])]
    return [((log_odds(score), one.relevance), one) for score, one in zip(by_features, readings, strict=True)]


def log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))


def same(text: str, expected: str) -> bool:
    """Whether the words of a text are the expected ones, or hold them among few others."""
    left, right = (
        [w for w in re.findall(r"[a-z0-9]+", t.lower()) if w not in ("a", "an", "the")] for t in (text, expected)
    )
    shared = sum((Counter(left) & Counter(right)).values())
    held = " ".join(right) in " ".join(left) and len(left) <= len(right) + 6
    return bool(right) and (held or 2 * shared >= _NEAR * (len(left) + len(right)))


def report(answers: Rows, count: int) -> None:
    inputs, right = np.array(answers.inputs), np.array(answers.right)
    weights = logistic_regression(inputs[::2], right[::2].astype(float))
    sure = 1 / (1 + np.exp(-(weights[0] + inputs[1::2] @ weights[1:])))
    print(f"spans for {len(right)} of {count} questions, {right.mean():.0%} right", file=sys.stderr)
    for threshold in THRESHOLDS:
        sure_enough = sure >= threshold
        hits = right[1::2][sure_enough].mean() if sure_enough.any() else float("nan")
        share = sure_enough.mean() * len(right) / count
        print(f"probability {threshold}: shown for {share:.0%}, {hits:.1%} right", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
