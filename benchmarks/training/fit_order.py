"""Fit what decides the order of passages where no model reads
(workflows/research/answer/selection.py).

    python -m benchmarks.training.fit_order CLONES

CLONES: as for fit_reader, whose blind questions are asked. Of the first twelve chunks of each,
those are right whose passage holds the answer as it would be shown. Every sixth collection is held
out in turn; printed is how often the first passage and one of the first three are right.
"""

import random
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.training.fit_reader import FOLDS, NOT_USED, fit
from benchmarks.training.reader_data import ASKED, BLIND, SETS, Question, add_document, letters
from tools.database import Database
from tools.documents.model import Block, Passage
from tools.documents.snapshots import SnapshotFiles
from tools.reading.features import FeatureReader
from tools.reading.reader import READ, Reader
from tools.schema import CORPUS
from tools.search.search import Corpus
from workflows.research.answer import ranking, selection
from workflows.research.answer.collection import TextInfo, quotable_blocks
from workflows.research.answer.wording import word_for
from workflows.research.understand.parts import parts_of

_NAMES = ("log odds", "coverage", "named", "opening")


class Indexed:
    """A TextCollection over documents that are given as (name, text)."""

    def __init__(self, home: Path, documents: Sequence[tuple[str, str]]) -> None:
        self._corpus = Corpus(Database(home / "corpus.db", CORPUS), SnapshotFiles(home / "texts"))
        added = (add_document(self._corpus, name, text) for name, text in documents)
        self._infos = {each[0].snapshot_id: each[0] for each in added if each}
        self.reader: Reader = FeatureReader(self._corpus.rarity)
        self.rarity, self.text = self._corpus.rarity, self._corpus.snapshots.get

    def texts(self) -> Sequence[TextInfo]:
        return list(self._infos.values())

    def info(self, snapshot_id: str) -> TextInfo:
        return self._infos[snapshot_id]

    def blocks(self, snapshot_id: str) -> Sequence[Block]:
        text = self.text(snapshot_id)
        return quotable_blocks(text, self._corpus.blocks(snapshot_id, text))

    def search(
        self, query: str, limit: int, among: Collection[str] | None = None, meaning: bool = True
    ) -> Sequence[Passage]:
        return self._corpus.search(query, limit, snapshot_ids=among)

    def occurring(self, words: Collection[str]) -> frozenset[str]:
        return self._corpus.occurring(words, self._infos.keys())

    def spelled_like(self, word: str, cognates: bool = False) -> Sequence[str]:
        return self._corpus.spelled_like(word, cognates)

    def forms(self, word: str, language: str) -> Sequence[str]:
        return self._corpus.forms(word, language)


def main(clones: Path) -> None:
    import numpy as np

    sets = {name: list(groups(clones, name)) for name in BLIND if name not in NOT_USED}
    columns = range(len(_NAMES))
    fitted = fit([group for rows in sets.values() for group in rows], columns)
    print(dict(zip(_NAMES, fitted.round(2).tolist(), strict=True)))
    counts = {"shipped": np.zeros(2), "fitted": np.zeros(2)}
    for fold in range(FOLDS):
        out = list(sets)[fold::FOLDS]
        fitted = fit([group for name in sets if name not in out for group in sets[name]], columns)
        for x, right in (group for name in out for group in sets[name]):
            for name, weights in (("shipped", selection.ORDER_WEIGHTS), ("fitted", fitted)):
                in_order = right[(-(x @ weights)).argsort(kind="stable")]
                counts[name] += in_order[0], in_order[:3].any()
    questions = sum(map(len, sets.values()))
    for name, each in counts.items():
        print(f"{name}: first, first three of {questions}: {each.astype(int).tolist()}")


def groups(clones: Path, name: str) -> Iterator[tuple[Any, Any]]:
    """(measures, whether it is right) of the passages of each question that has a right one."""
    import numpy as np

    documents, questions = SETS[name](clones, random.Random(name.removeprefix(ASKED)))
    with tempfile.TemporaryDirectory() as home:
        collection = Indexed(Path(home), documents)
        for question in questions:
            rows = list(_passages(question, collection))
            if any(right for _, right in rows):
                yield np.array([row for row, _ in rows]), np.array([right for _, right in rows])


def _passages(question: Question, collection: Indexed) -> Iterator[tuple[tuple[float, ...], bool]]:
    answers = [letters(text) for text in (question.answer, *question.also) if text]
    part = word_for(parts_of(question.text)[0], collection).part
    ranked = ranking.rank_chunks(part, collection)[:READ]
    for passage, measures in selection.measured(part, ranked, collection):
        text = letters(selection.shown_text(passage, collection))
        yield measures, any(answer in text for answer in answers)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
