"""Fit the weights of units of the feature reader (tools/data/reader.toml): which sentence or item
of a passage leads it.

    python -m benchmarks.training.fit_leads CLONES [NAME ...]

CLONES: as for reader_data. NAME: a collection (all of those that are there, without any). Of each
question, asked blindly or not, the passages among the first twelve count that hold its answer in
some of what may lead them. The weights make that likely to be chosen (softmax over them, with a
ridge), beside that of "defines", which comes from fit_definitions; the intercept is not fitted.
Every sixth collection is held out in turn and reported. What is shipped was fitted on letsencrypt,
pihole, restic, oss, curl, devguide, ushistory, redis, anatomy, cncf, etcd, helm, content, methods,
foundation, gdsway, rfcs, statistics, k8s, eips and wsl.
"""

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.training.fit_order import Indexed
from benchmarks.training.fit_reader import FOLDS, NOT_USED, fit
from benchmarks.training.reader_data import ASKED, SETS, WRITTEN, Question, letters
from tools.reading.features import FEATURES, FeatureReader, reader_weights
from tools.reading.reader import READ
from workflows.research.answer import ranking, selection
from workflows.research.answer.wording import word_for
from workflows.research.understand.parts import parts_of

Groups = list[tuple[Any, Any]]


def main(clones: Path, names: list[str]) -> None:
    shipped = reader_weights("units")
    chosen = [name for name in FEATURES if shipped[name] and name != "defines"]
    columns = [FEATURES.index(name) for name in chosen]
    fixed = {FEATURES.index("defines"): shipped["defines"]}
    of_collections = {
        name: [group for key in (name, f"{ASKED}{name}") for group in groups(clones, key)]
        for name in names or [name for name in WRITTEN if _is_there(clones, name)]
    }
    fitted = fit([group for rows in of_collections.values() for group in rows], columns, fixed)
    print(*(f"{n} {w:.2f}" for n, w in zip(chosen, fitted, strict=True)))
    right = {"shipped": 0, "fitted": 0}
    for fold in range(FOLDS):
        out = list(of_collections)[fold::FOLDS]
        rest = [g for name, rows in of_collections.items() if name not in out for g in rows]
        if not rest:
            raise SystemExit("Name two collections or more: one is held out in turn.")
        fitted = fit(rest, columns, fixed)
        for x, answers in (group for name in out for group in of_collections[name]):
            defines = shipped["defines"] * x[:, FEATURES.index("defines")]
            scores = {
                "shipped": x @ [shipped[name] for name in FEATURES],
                "fitted": x[:, columns] @ fitted + defines,
            }
            for name, values in scores.items():
                right[name] += bool(answers[values.argmax()])
    count = sum(map(len, of_collections.values()))
    print(f"leads that answer, of {count} passages of {len(of_collections)} collections: {right}")


def _is_there(clones: Path, name: str) -> bool:
    repository = WRITTEN[name][0].replace("/", "+")
    return (clones / repository).exists() and f"{ASKED}{name}" not in NOT_USED


def groups(clones: Path, name: str) -> Groups:
    """(features, whether it answers) of what may lead the passages that answer the questions of a
    set; none for a set that there is not."""
    if name not in SETS:
        return []
    documents, questions = SETS[name](clones, random.Random(name.removeprefix(ASKED)))
    with tempfile.TemporaryDirectory() as home:
        collection = Indexed(Path(home), documents)
        return [group for question in questions for group in _leads(question, collection)]


def _leads(question: Question, collection: Indexed) -> Iterator[tuple[Any, Any]]:
    import numpy as np

    answers = [answer for text in (question.answer, *question.also) if (answer := letters(text))]
    part = word_for(parts_of(question.text)[0], collection).part
    reader = FeatureReader(collection.rarity)
    for chunk in ranking.rank_chunks(part, collection)[:READ]:
        _, candidates = selection.leads(part, chunk.passage, collection)
        right = np.array([_holds(candidate.text, answers) for candidate in candidates], bool)
        if right.any() and not right.all():
            yield np.array(reader.features(part.question, candidates)), right


def _holds(text: str, answers: list[str]) -> bool:
    """Whether a text holds an answer, or is a sentence of one."""
    ours = letters(text)
    return any(answer in ours or (len(ours) > 20 and ours in answer) for answer in answers)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
