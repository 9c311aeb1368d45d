"""Fit the weights of the feature reader (tools/data/reader.toml).

    python -m benchmarks.training.fit_reader FOLDER

FOLDER holds public question-answer data, none of it used for a figure of the product:
xquad.json (xquad.en.json of deepmind/xquad, CC BY-SA 4.0), selqa-dev.tsv and selqa-test.tsv
(emorynlp/selqa, Apache-2.0), nqg-src-dev.txt and nqg-tgt-dev.txt, -test.txt (xinyadu/nqg, MIT;
sentences of SQuAD, CC BY-SA 4.0). Each set is indexed as a collection; the first 30 chunks of a
search are candidates, right when they hold the answer. Half of the questions of each set fit, the
other half is reported.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.reading.features import FEATURES, FeatureReader
from tools.reading.reader import Candidate
from tools.schema import CORPUS
from tools.search.search import Corpus

CANDIDATES = 30
_SENTENCES = 6  # of a document that is made of loose sentences
_QUESTIONS = 1500  # of each set
_RIDGE = 1e-3


@dataclass(frozen=True, slots=True)
class Question:
    """answers: texts of which a passage must hold one to be right."""

    text: str
    answers: tuple[str, ...]


def main(folder: Path) -> None:
    import numpy as np

    fitting: list[tuple[Any, Any]] = []
    held_out: dict[str, list[tuple[Any, Any]]] = {}
    for name, documents, questions in sets(folder):
        rows = list(candidates(documents, questions[:_QUESTIONS]))
        fitting += rows[0::2]
        held_out[name] = rows[1::2]
        print(
            f"{name}: {len(documents)} documents, {len(rows)} "
            "questions whose answer is among the candidates"
        )
    x = np.vstack([features for features, _ in fitting])
    y = np.concatenate([labels for _, labels in fitting])
    weights = logistic_regression(x, y)
    print(f"intercept = {weights[0]:.4f}")
    for name, value in zip(FEATURES, weights[1:], strict=True):
        print(f"{name} = {value:.4f}")
    for name, rows in held_out.items():
        ranked = [top(labels, features @ weights[1:]) for features, labels in rows]
        before = [top(labels, features[:, 0]) for features, labels in rows]
        print(
            name,
            "held out, right in the first 1, 3: fitted",
            np.mean(ranked, axis=0),
            "search",
            np.mean(before, axis=0),
        )


def top(labels: Any, scores: Any) -> tuple[bool, bool]:
    order = (-scores).argsort(kind="stable")
    return bool(labels[order[:1]].any()), bool(labels[order[:3]].any())


def candidates(
    documents: Sequence[str], questions: Sequence[Question]
) -> Iterator[tuple[Any, Any]]:
    """(features, labels) of each question that has a right candidate."""
    import numpy as np

    with tempfile.TemporaryDirectory() as home:
        corpus = Corpus(
            Database(Path(home) / "corpus.db", CORPUS), SnapshotFiles(Path(home) / "snapshots")
        )
        for document in documents:
            corpus.add(corpus.snapshots.put(document), document)
        reader = FeatureReader(corpus.rarity)
        for question in questions:
            hits = corpus.search(question.text, CANDIDATES)
            labels = np.array(
                [any(answer in passage.text for answer in question.answers) for passage in hits],
                float,
            )
            if labels.any():
                rows = reader.features(
                    question.text, [Candidate(p.text, p.heading, p.score) for p in hits]
                )
                yield np.array(rows), labels


def sets(folder: Path) -> Iterator[tuple[str, list[str], list[Question]]]:
    """(name, documents, questions) of each data set."""
    articles = json.loads((folder / "xquad.json").read_text())["data"]
    paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
    readable_questions = [
        Question(
            qa["question"], (_sentence_around(p["context"], qa["answers"][0]["answer_start"]),)
        )
        for p in paragraphs
        for qa in p["qas"]
    ]
    yield "xquad", [p["context"] for p in paragraphs], readable_questions
    for half in ("dev", "test"):
        rows = [
            line.split("\t") for line in (folder / f"selqa-{half}.tsv").read_text().splitlines()
        ]
        grouped = [
            (question, list(group)) for question, group in groupby(rows, key=lambda row: row[0])
        ]
        documents = list(
            dict.fromkeys(" ".join(plain(row[1]) for row in group) for _, group in grouped)
        )
        questions = [
            Question(plain(q), tuple(plain(row[1]) for row in group if row[2] == "1"))
            for q, group in grouped
        ]
        yield f"selqa {half}", documents, [q for q in questions if q.answers]
        sentences = [
            plain(line) for line in (folder / f"nqg-src-{half}.txt").read_text().splitlines()
        ]
        queries = [
            plain(line) for line in (folder / f"nqg-tgt-{half}.txt").read_text().splitlines()
        ]
        unique = list(dict.fromkeys(sentences))
        documents = [
            " ".join(unique[at : at + _SENTENCES]) for at in range(0, len(unique), _SENTENCES)
        ]
        yield (
            f"squad {half}",
            documents,
            [Question(q, (s,)) for q, s in zip(queries, sentences, strict=True)][::6],
        )


def _sentence_around(text: str, at: int) -> str:
    from tools.text.sentences import spans

    return next(
        (text[start:end] for start, end in spans(text) if start <= at < end), text[at : at + 40]
    )


def plain(text: str) -> str:
    """Tokens of a data set as running text."""
    for token, written in (
        ("-lrb- ", "("),
        (" -rrb-", ")"),
        (" ,", ","),
        (" .", "."),
        (" ?", "?"),
        (" '", "'"),
        ("`` ", '"'),
        (" ''", '"'),
    ):
        text = text.replace(token, written)
    return " ".join(text.split())


def logistic_regression(x: Any, y: Any) -> Any:
    """Intercept and coefficients by Newton's method, with a small ridge; both classes weigh the
    same."""
    import numpy as np

    design = np.hstack([np.ones((len(x), 1)), x])
    balance = np.where(y > 0, len(y) / (2 * y.sum()), len(y) / (2 * (len(y) - y.sum())))
    weights = np.zeros(design.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        gradient = design.T @ (balance * (y - p)) - _RIDGE * len(y) * np.r_[0, weights[1:]]
        hessian = (design * (balance * p * (1 - p))[:, None]).T @ design + _RIDGE * len(y) * np.eye(
            len(weights)
        )
        step = np.linalg.solve(hessian, gradient)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


if __name__ == "__main__":
    main(Path(sys.argv[1]))
