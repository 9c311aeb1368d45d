"""Retrieval on public sets: nDCG@10, words alone and with embeddings, one configuration for all of
them.

A set is a folder with corpus.jsonl {id, title, text}, queries.jsonl {id, text} and qrels.tsv
(query, document, gain). A document's rank is that of its best passage. Weights were chosen on one
half of the queries (split by a hash of the query's id); both halves are shown. Each step of a
search is added one after the other, to show what it brings, and the whole is held against the plain
beginning with a paired bootstrap. Vectors are kept under build/vectors, so that a second run is
quick. `spans` (wice_dev) are sentences found inside a source: benchmarks/spans.py.
"""

import hashlib
import json
import math
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import spans
from benchmarks.options import Options, Row, no_data, shown
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.index.vectors.embeddings import Embedder, find
from tools.schema import CORPUS
from tools.search.search import Corpus, Tuning
from tools.text.normalise import snapshot_text

VECTORS = Path("build/vectors")


@dataclass(frozen=True)
class Bars:
    """Floors of words alone and with embeddings, and the aim with embeddings; None where there is
    none."""

    lexical: float | None = None
    dense: float | None = None
    aim: float | None = None


# nDCG@10, and the share of queries with every gold document in the first ten
BARS = {
    "cranfield": Bars(0.385, 0.436, 0.45),
    "kag_hotpot": Bars(0.808, 0.844, 0.87),
    "kag_musique": Bars(0.577, 0.673, 0.71),
    "scifact_train": Bars(0.69, 0.74),  # what the configuration before reached
}
COMPLETE = {"kag_musique": Bars(0.26, 0.42, 0.52)}
QUICK = ("kag_hotpot",)
STEPPED = ("cranfield", "kag_hotpot", "kag_musique")  # where every step is measured
PLAIN = Tuning(exact=0, phrase=0, feedback=0, lead=0, lead_of_claim=0, next_question=0)
_FULL = Tuning()
# What is added, one after the other: the name of the step, and the tuning with it
STEPS = {
    False: (
        ("stems", PLAIN),
        ("+ exact words", PLAIN._replace(exact=_FULL.exact)),
        ("+ phrases", PLAIN._replace(exact=_FULL.exact, phrase=_FULL.phrase)),
        ("+ leads", _FULL._replace(feedback=0, next_question=0)),
    ),
    True: (
        ("stems and vectors", PLAIN),
        ("+ exact words, phrases", PLAIN._replace(exact=_FULL.exact, phrase=_FULL.phrase)),
        ("+ feedback", _FULL._replace(lead=0, lead_of_claim=0, next_question=0)),
        ("+ leads", _FULL._replace(next_question=0)),
        ("+ next question", _FULL),
    ),
}
RESAMPLES = 2000


@dataclass(frozen=True)
class TestSet:
    """Documents (id, title, text), queries (id, text), and gains by query and document."""

    documents: list[tuple[str, str, str]]
    queries: list[tuple[str, str]]
    gains: dict[str, dict[str, float]]


@dataclass(frozen=True)
class Result:
    """Of one query: its half (0: weights were chosen on it), nDCG@10, whether all gold is in the
    first ten."""

    half: int
    ndcg: float
    complete: bool


def run(options: Options) -> list[Row]:
    """Rows for every set that is there; `options.data` names one set of the same format instead."""
    folders = _folders(options)
    rows: list[Row] = [] if folders else [no_data("retrieval sets")]
    for folder in folders:
        with tempfile.TemporaryDirectory() as scratch:
            data = read(folder)
            corpus, documents = fill(data, Path(scratch), _embedder())
            rows += _rows(folder.name, data, corpus, documents, False)
            if corpus.embed_pending():
                rows += _rows(folder.name, data, corpus, documents, True)
    return rows if options.data else [*rows, *spans.rows(options)]


def read(folder: Path) -> TestSet:
    """A set as it is stored."""
    gains: dict[str, dict[str, float]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, document, gain = line.split("\t")
        gains.setdefault(query, {})[document] = float(gain)
    documents = [(d["id"], d.get("title", ""), d["text"]) for d in _lines(folder / "corpus.jsonl")]
    queries = [(q["id"], q["text"]) for q in _lines(folder / "queries.jsonl") if q["id"] in gains]
    return TestSet(documents, queries, gains)


def fill(
    data: TestSet, scratch: Path, embedder: Embedder | None
) -> tuple[Corpus, dict[str, list[str]]]:
    """A corpus with the documents of a set, and snapshot -> documents with that text."""
    snapshots = SnapshotFiles(scratch / "snapshots")
    corpus = Corpus(
        Database(scratch / "corpus.db", CORPUS, synchronous="OFF"), snapshots, embedder=embedder
    )
    documents: dict[str, list[str]] = {}
    with corpus.db.write():
        for document_id, title, raw in data.documents:
            text = snapshot_text(raw)
            snapshot_id = hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()
            corpus.add(snapshot_id, text, title=" ".join(title.split()), kind="document")
            documents.setdefault(snapshot_id, []).append(document_id)
    return corpus, documents


def evaluate(
    data: TestSet, corpus: Corpus, documents: dict[str, list[str]], dense: bool
) -> list[Result]:
    """The result of every query."""
    results = []
    for query_id, text in data.queries:
        passages = corpus.search(text, 10, per_snapshot=1, dense=dense)
        ranking = [document for passage in passages for document in documents[passage.snapshot_id]][
            :10
        ]
        gains = data.gains[query_id]
        results.append(Result(half(query_id), ndcg(ranking, gains), set(gains) <= set(ranking)))
    return results


def half(query_id: str) -> int:
    """0 or 1 by the sha256 of the id, so that the split does not depend on an order."""
    return int(hashlib.sha256(query_id.encode()).hexdigest(), 16) % 2


def ndcg(ranking: Sequence[str], gains: dict[str, float], k: int = 10) -> float:
    """Normalised discounted cumulative gain of the first k (Järvelin and Kekäläinen 2002)."""
    gain = sum(
        gains.get(document, 0.0) / math.log2(rank + 2) for rank, document in enumerate(ranking[:k])
    )
    best = sum(
        gain / math.log2(rank + 2)
        for rank, gain in enumerate(sorted(gains.values(), reverse=True)[:k])
    )
    return gain / best if best else 0.0


class Kept:
    """An embedder whose vectors are kept in files, one per batch of texts."""

    def __init__(self, embedder: Embedder, folder: Path = VECTORS) -> None:
        self._embedder, self._folder = embedder, folder
        self.model, self.dimensions = embedder.model, embedder.dimensions

    def embed(self, texts: Sequence[str], *, queries: bool = False) -> Any:
        import numpy as np

        name = hashlib.sha256("\0".join((self.model, str(queries), *texts)).encode()).hexdigest()
        path = self._folder / f"{name}.npy"
        if path.exists():
            return np.load(path)
        vectors = self._embedder.embed(texts, queries=queries)
        self._folder.mkdir(parents=True, exist_ok=True)
        np.save(path, vectors)
        return vectors


def _embedder() -> Embedder | None:
    embedder = find().embedder
    return Kept(embedder) if embedder else None


def _rows(
    name: str, data: TestSet, corpus: Corpus, documents: dict[str, list[str]], dense: bool
) -> list[Row]:
    how = "with embeddings" if dense else "lexical"
    steps = STEPS[dense] if name in STEPPED else (STEPS[dense][0], ("", _FULL))
    results: list[list[Result]] = []
    rows: list[Row] = []
    for step, tuning in steps:
        corpus.tuning = tuning
        results.append(evaluate(data, corpus, documents, dense))
        if step:
            rows.append(shown(f"  {name}, {how}: {step}", round(mean(results[-1]), 4)))
    corpus.tuning = _FULL
    low, high = gained(results[0], results[-1])
    score, bars, complete = mean(results[-1]), BARS.get(name, Bars()), COMPLETE.get(name, Bars())
    share = sum(result.complete for result in results[-1]) / len(results[-1])
    return [
        _row(f"nDCG@10 {name}, {how}", score, bars, dense),
        *rows,
        shown(f"  {name}, {how}: half it was chosen on, other half", _halves(results[-1])),
        shown(
            f"  {name}, {how}: gained over the first step, 95 % interval", f"{low:+.3f} {high:+.3f}"
        ),
        _row(f"all gold documents in the first ten, {name}, {how}", share, complete, dense),
    ]


def mean(results: Sequence[Result]) -> float:
    """nDCG@10 over queries."""
    return sum(result.ndcg for result in results) / max(1, len(results))


def gained(before: Sequence[Result], after: Sequence[Result]) -> tuple[float, float]:
    """The 95 % interval of the mean gain by a paired bootstrap over queries (Efron 1979), from a
    fixed seed."""
    gains = [new.ndcg - old.ndcg for old, new in zip(before, after, strict=True)]
    chance = random.Random(1)
    means = sorted(sum(chance.choices(gains, k=len(gains))) / len(gains) for _ in range(RESAMPLES))
    return means[int(RESAMPLES * 0.025)], means[int(RESAMPLES * 0.975)]


def _halves(results: Sequence[Result]) -> str:
    return " ".join(
        f"{mean([result for result in results if result.half == which]):.4f}" for which in (0, 1)
    )


def _row(what: str, value: float, bars: Bars, dense: bool) -> Row:
    floor, aim = (bars.dense, bars.aim) if dense else (bars.lexical, None)
    text = "" if floor is None else f">= {floor:g}" + (f", aim {aim:g}" if aim else "")
    return Row(
        what=what,
        value=round(value, 4),
        unit="",
        bar=text,
        ok=None if floor is None else round(value, 4) >= floor,
    )


def _folders(options: Options) -> list[Path]:
    if options.data:
        return [Path(options.data)]
    if not options.shared:
        return []
    names = QUICK if options.quick else tuple(BARS)
    folders = [Path(options.shared) / "bench" / "retrieval" / name for name in names]
    return [folder for folder in folders if folder.is_dir()]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)
