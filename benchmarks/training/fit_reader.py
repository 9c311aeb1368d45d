"""Fit the weights of passages of the feature reader (tools/data/reader.toml).

    python -m benchmarks.training.fit_reader CLONES

CLONES: as for reader_data, of which the collections whose questions were asked blindly are used, by
one who saw only the names of the files. Each collection is indexed; the first 50 chunks of a search
are candidates, right where they hold the answer. The weights make a right one likely among the
candidates of its question (softmax over them, with a ridge). Every sixth collection is held out in
turn and reported. What is shipped was fitted without etcd, traefik, rustc, physics, brew and otel.

Three weights are not what fits here. "defines" comes from fit_definitions. "opening" is half of
what fits: one who looks for an answer afterwards takes the first place that gives it. "length" is
higher than what fits. Both were chosen on the odd questions of bench/answers.
"""

import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.training.reader_data import ASKED, BLIND, SETS, Question, indexed, letters
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.reading.features import FEATURES, FeatureReader, reader_weights
from tools.reading.reader import Candidate
from tools.schema import CORPUS
from tools.search.search import Corpus

CANDIDATES = 50
# Collections that answers are measured on
NOT_USED = ("asked-sourcegraph", "asked-owasp")
FOLDS, _STEPS, _RATE, _RIDGE = 6, 400, 0.05, 1.0
_OPENING = 1.3

Groups = list[tuple[Any, Any]]  # (features, right) of the candidates of each question


def main(clones: Path) -> None:
    shipped = reader_weights("passages")
    sets = {name: groups(clones, name) for name in BLIND if name not in NOT_USED}
    names = [name for name in FEATURES if shipped[name] and name != "opening"]
    columns = [FEATURES.index(name) for name in names]
    fixed = {FEATURES.index("opening"): _OPENING}
    fitted = fit([group for rows in sets.values() for group in rows], columns, fixed)
    print("opening", _OPENING, *(f"{n} {w:.2f}" for n, w in zip(names, fitted, strict=True)))
    places: dict[str, list[int]] = {"search": [], "shipped": [], "fitted": []}
    for fold in range(FOLDS):
        out = list(sets)[fold::FOLDS]
        rest = [group for name in sets if name not in out for group in sets[name]]
        fitted = fit(rest, columns, fixed)
        for x, right in (group for name in out for group in sets[name]):
            scores = {
                "search": x[:, FEATURES.index("retrieval")],
                "shipped": x @ [shipped[name] for name in FEATURES],
                "fitted": x[:, columns] @ fitted + _OPENING * x[:, FEATURES.index("opening")],
            }
            for name, values in scores.items():
                places[name].append(int(right[(-values).argsort(kind="stable")].argmax()))
    for name, ranks in places.items():
        within = [sum(rank < first for rank in ranks) for first in (1, 3, 8)]
        print(f"{name}: right within the first 1, 3, 8 of {len(ranks)}: {within}")


def groups(clones: Path, name: str) -> Groups:
    """(features, labels) of each question of a set that has a right candidate."""
    import numpy as np

    documents, questions = SETS[name](clones, random.Random(name.removeprefix(ASKED)))
    with tempfile.TemporaryDirectory() as home:
        corpus = Corpus(
            Database(Path(home) / "corpus.db", CORPUS), SnapshotFiles(Path(home) / "snapshots")
        )
        for document in documents:
            indexed(corpus, *document)
        reader = FeatureReader(corpus.rarity)
        return [
            (np.array(reader.features(question.text, candidates)), np.array(right))
            for question in questions
            for candidates, right in _candidates(corpus, question)
        ]


def _candidates(
    corpus: Corpus, question: Question
) -> Iterator[tuple[Sequence[Candidate], Sequence[bool]]]:
    answers = [letters(text) for text in (question.answer, *question.also) if text]
    passages = corpus.search(question.text, CANDIDATES)
    right = [any(answer in letters(passage.text) for answer in answers) for passage in passages]
    if any(right):
        yield [Candidate(p.text, p.heading, p.score, p.start) for p in passages], right


def fit(rows: Groups, columns: Sequence[int], fixed: Mapping[int, float] | None = None) -> Any:
    """The weights of some columns, beside those of others that are given (Adam; weights as they
    are, not standardised)."""
    import numpy as np

    every = np.vstack([x[:, columns] for x, _ in rows])
    mean, spread = every.mean(0), every.std(0) + 1e-9
    offsets = [sum(w * x[:, i] for i, w in (fixed or {}).items()) for x, _ in rows]
    scaled = [(x[:, columns] - mean) / spread for x, _ in rows]
    weights, first, second = (np.zeros(len(columns)) for _ in range(3))
    for step in range(1, _STEPS + 1):
        gradient = _RIDGE * weights
        for x, offset, (_, right) in zip(scaled, offsets, rows, strict=True):
            share = np.exp(x @ weights + offset - np.max(x @ weights + offset))
            ours, theirs = share / share.sum(), share * right / (share * right).sum()
            gradient = gradient + x.T @ (ours - theirs)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        weights -= _RATE * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights / spread


if __name__ == "__main__":
    main(Path(sys.argv[1]))
