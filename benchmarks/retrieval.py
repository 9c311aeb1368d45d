"""Retrieval on public sets: nDCG@10, lexical alone and with embeddings, one configuration for all of them.

A set is a folder with corpus.jsonl {id, title, text}, queries.jsonl {id, text} and qrels.tsv (query, document, gain).
A document's rank is that of its best passage. Vectors are kept under build/vectors, so that a second run is quick.
"""

import hashlib
import json
import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.corpus.embeddings import Embedder, find
from tools.corpus.search import Corpus
from tools.corpus.snapshots import SnapshotFiles
from tools.database import Database
from tools.schema import CORPUS
from tools.text.normalise import snapshot_text

VECTORS = Path("build/vectors")
# set: floor lexical, floor with embeddings, floor of "all gold documents in the first ten" for both; None = only shown
BARS: dict[str, tuple[float, float, float | None, float | None]] = {
    "cranfield": (0.385, 0.436, None, None),
    "kag_hotpot": (0.808, 0.844, None, None),
    "kag_musique": (0.577, 0.673, 0.26, 0.42),
}
SHOWN = (*BARS, "scifact_train")
QUICK = ("kag_hotpot",)


@dataclass(frozen=True)
class TestSet:
    """Documents (id, title, text), queries (id, text), and gains by query and document."""

    documents: list[tuple[str, str, str]]
    queries: list[tuple[str, str]]
    gains: dict[str, dict[str, float]]


def run(options: Any) -> list[dict[str, Any]]:
    """Rows for every set that is there; `options.data` names one set of the same format instead."""
    rows: list[dict[str, Any]] = []
    for folder in _folders(options):
        bars = BARS.get(folder.name, (None, None, None, None))
        with tempfile.TemporaryDirectory() as scratch:
            corpus, documents = fill(read(folder), Path(scratch), _embedder())
            rows += _rows(folder, corpus, documents, "lexical", False, (bars[0], bars[2]))
            if corpus.embed_pending():
                rows += _rows(folder, corpus, documents, "with embeddings", True, (bars[1], bars[3]))
    return rows


def read(folder: Path) -> TestSet:
    """A set as it is stored."""
    gains: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, document, gain = line.split("\t")
        gains.setdefault(query, {})[document] = float(gain)
    documents = [(d["id"], d.get("title", ""), d["text"]) for d in _lines(folder / "corpus.jsonl")]
    queries = [(q["id"], q["text"]) for q in _lines(folder / "queries.jsonl") if q["id"] in gains]
    return TestSet(documents, queries, gains)


def fill(data: TestSet, scratch: Path, embedder: Embedder | None) -> tuple[Corpus, dict[str, list[str]]]:
    """A corpus with the documents of a set, and snapshot -> documents with that text."""
    snapshots = SnapshotFiles(scratch / "snapshots")
    corpus = Corpus(Database(scratch / "corpus.db", CORPUS, synchronous="OFF"), snapshots, embedder=embedder)
    documents: dict[str, list[str]] = {}
    with corpus.store.db.write():
        for document_id, title, raw in data.documents:
            text = snapshot_text(raw)
            snapshot_id = hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()
            corpus.add(snapshot_id, text, title=" ".join(title.split()))
            documents.setdefault(snapshot_id, []).append(document_id)
    return corpus, documents


def evaluate(data: TestSet, corpus: Corpus, documents: dict[str, list[str]], dense: bool) -> tuple[float, float]:
    """(mean nDCG@10, share of queries with every gold document in the first ten)."""
    scores, complete = [], 0
    for query_id, text in data.queries:
        passages = corpus.search(text, 10, per_snapshot=1, dense=dense)
        ranking = [document for passage in passages for document in documents[passage.snapshot_id]][:10]
        scores.append(ndcg(ranking, data.gains[query_id]))
        complete += set(data.gains[query_id]) <= set(ranking)
    return sum(scores) / len(scores), complete / len(scores)


def ndcg(ranking: Sequence[str], gains: dict[str, float], k: int = 10) -> float:
    """Normalised discounted cumulative gain of the first k (Järvelin and Kekäläinen 2002)."""
    found = sum(gains.get(document, 0.0) / math.log2(rank + 2) for rank, document in enumerate(ranking[:k]))
    best = sum(gain / math.log2(rank + 2) for rank, gain in enumerate(sorted(gains.values(), reverse=True)[:k]))
    return found / best if best else 0.0


class Kept:
    """An embedder whose vectors are kept in files, one per batch of texts."""

    def __init__(self, embedder: Embedder, folder: Path = VECTORS) -> None:
        self._embedder, self._folder = embedder, folder
        self.model, self.dimensions = embedder.model, embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        name = hashlib.sha256("\0".join((self.model, *texts)).encode()).hexdigest()
        path = self._folder / f"{name}.npy"
        if path.exists():
            return np.load(path)
        vectors = self._embedder.embed(texts)
        self._folder.mkdir(parents=True, exist_ok=True)
        np.save(path, vectors)
        return vectors


def _embedder() -> Embedder | None:
    embedder = find().embedder
    return Kept(embedder) if embedder else None


def _rows(
    folder: Path, corpus: Corpus, documents: dict[str, list[str]], how: str, dense: bool, bars: Sequence[float | None]
) -> list[dict[str, Any]]:
    score, complete = evaluate(read(folder), corpus, documents, dense)
    return [
        _row(f"nDCG@10 {folder.name}, {how}", score, bars[0]),
        _row(f"all gold documents in the first ten, {folder.name}, {how}", complete, bars[1]),
    ]


def _row(what: str, value: float, bar: float | None) -> dict[str, Any]:
    return {
        "what": what,
        "value": round(value, 4),
        "unit": "",
        "bar": bar,
        "ok": bar is None or round(value, 4) >= bar,
    }


def _folders(options: Any) -> list[Path]:
    if options.data:
        return [Path(options.data)]
    if not options.shared:
        return []
    names = QUICK if options.quick else SHOWN
    found = [Path(options.shared) / "bench" / "retrieval" / name for name in names]
    return [folder for folder in found if folder.is_dir()]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)
