"""Do the first hundred words of an answer hold the conclusion of the abstract that answers?

`--data`: ori_pqal.json of PubMedQA (Jin et al. 2019, github.com/pubmedqa/pubmedqa, MIT): 1,000
abstracts, each with a question that its conclusion answers. The abstracts are one collection,
without titles: those are the questions. The weight of the end of an abstract was chosen on the
first half (by a fixed shuffle); the figures are of the second.
"""

import json
import random
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from benchmarks.options import Options, Row, shown
from tools.database import Database
from tools.documents.model import Block, Passage
from tools.documents.snapshots import SnapshotFiles
from tools.reading.features import FeatureReader
from tools.reading.onnx_reader import OnnxReader, find_model
from tools.reading.reader import Reader
from tools.schema import CORPUS
from tools.search.search import Corpus
from workflows.research.answer.collection import TextInfo
from workflows.research.answer.phase import answer_part
from workflows.research.understand.parts import parts_of

WORDS = 100
_BEGINNING = 40  # characters of a conclusion by which it is known again


class Abstracts:
    """Texts by snapshot, as a TextCollection."""

    def __init__(self, corpus: Corpus, snapshots: SnapshotFiles, texts: Sequence[str]) -> None:
        self._corpus = corpus
        self._texts = {snapshots.put(text): text for text in texts}
        self._infos = {
            key: TextInfo(key, key, "", kind="academic", abstract=True) for key in self._texts
        }
        for key, text in self._texts.items():
            corpus.add(key, text, kind="abstract")
        self.rarity, self.spelled_like = corpus.rarity, corpus.spelled_like
        self.forms = corpus.forms
        self.reader: Reader = FeatureReader(corpus.rarity)

    def texts(self) -> Sequence[TextInfo]:
        return list(self._infos.values())

    def search(
        self, query: str, limit: int, among: Collection[str] | None = None, meaning: bool = True
    ) -> Sequence[Passage]:
        return self._corpus.search(
            query, limit, snapshot_ids=self._texts.keys() & set(among or self._texts)
        )

    def text(self, snapshot_id: str) -> str:
        return self._texts[snapshot_id]

    def info(self, snapshot_id: str) -> TextInfo:
        return self._infos[snapshot_id]

    def blocks(self, snapshot_id: str) -> Sequence[Block]:
        return self._corpus.blocks(snapshot_id, self._texts[snapshot_id])

    def occurring(self, words: Collection[str]) -> frozenset[str]:
        return self._corpus.occurring(words, self._texts.keys())


def run(options: Options) -> list[Row]:
    """Two rows for words alone and two with the reading model, or one that says what is missing."""
    if options.data is None:
        return [shown("ori_pqal.json of PubMedQA is not here (--data)", "-")]
    works: dict[str, dict[str, Any]] = json.loads(options.data.read_text("utf-8"))
    keys = sorted(works)
    random.Random(7).shuffle(keys)
    half = keys[len(keys) // 2 :][: 60 if options.quick else None]
    with tempfile.TemporaryDirectory() as folder:
        snapshots = SnapshotFiles(Path(folder) / "snapshots")
        corpus = Corpus(Database(Path(folder) / "corpus.db", CORPUS), snapshots)
        collection = Abstracts(corpus, snapshots, [_text(works[key]) for key in keys])
        rows = _rows("words", [works[key] for key in half], collection)
        if model := find_model(Path(folder)):
            collection.reader = OnnxReader(model, collection.reader)
            rows += _rows("with the reading model", [works[key] for key in half], collection)
    return rows


def _rows(of: str, works: Sequence[dict[str, Any]], collection: Abstracts) -> list[Row]:
    beginnings = [_beginning(work["QUESTION"], collection) for work in works]
    right = sum(_text(work) == text for work, (text, _) in zip(works, beginnings, strict=True))
    concluded = sum(
        work["LONG_ANSWER"][:_BEGINNING] in words
        for work, (_, words) in zip(works, beginnings, strict=True)
    )
    return [
        shown(
            f"{of}: the first passage is of the right abstract, of {len(works)}",
            round(right / len(works), 3),
        ),
        shown(
            f"{of}: the conclusion is in its first {WORDS} words, of {len(works)}",
            round(concluded / len(works), 3),
        ),
    ]


def _text(work: dict[str, Any]) -> str:
    sections = [
        *zip(work["LABELS"], work["CONTEXTS"], strict=True),
        ("Conclusions", work["LONG_ANSWER"]),
    ]
    return " ".join(f"{label.capitalize()}: {text}" for label, text in sections)


def _beginning(question: str, collection: Abstracts) -> tuple[str, str]:
    """(abstract, first words) of the first passage for a question; empty where nothing answers."""
    passages = [
        passage
        for part in parts_of(question)
        for passage in answer_part(part, collection).draft.passages[:1]
    ]
    if not passages:
        return "", ""
    text, window = collection.text(passages[0].snapshot_id), passages[0].window
    return text, " ".join(text[window.start : window.end].split()[:WORDS])
