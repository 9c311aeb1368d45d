"""Search in a million chunks with a million vectors: latency, first query, memory, recall of the
coarse first pass.

The texts are those of `corpus`. The vectors are mixtures of pairs of real ones (of 2 000 abstracts
of the public data where it is there, of made texts elsewhere) with a little noise: the shape of
real vectors, without embedding for a day. Not part of `all`: it takes five minutes and 3 GB of
disk.
"""

import json
import statistics
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.corpus import Words, _grow, _ms
from benchmarks.options import Options, Row, at_least, at_most, shown
from benchmarks.reference import slowness
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.index.store import IndexStore
from tools.index.vectors import embeddings
from tools.index.vectors.nearest import VectorIndex
from tools.schema import CORPUS
from tools.search.search import Corpus

LEXICAL_MS, HYBRID_MS, FIRST_MS, RSS_MB, RECALL = 100.0, 300.0, 2000.0, 300.0, 0.97
_QUERIES, _BASE, _BLOCK = 40, 2000, 20_000


def run(options: Options) -> list[Row]:
    """Rows of search at a million chunks, a twentieth of that when quick; none of vectors without
    the extra."""
    size = 50_000 if options.quick else 1_000_000
    with tempfile.TemporaryDirectory() as scratch:
        folder, words = Path(scratch), Words()
        _fill_texts(_open(folder), words, size)
        model = embeddings.find()
        if model.embedder is None:
            return [_lexical(_open(folder), words, size), shown("vectors", model.problem)]
        real = model.embedder.embed(_texts(options, words))
        _fill_vectors(_open(folder), model.embedder.model, real)
        _open(folder, model.embedder).search("warm the codes beside the database", 5)
        # A process of its own, so that its memory is that of searching alone
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
            return [
                _lexical(_open(folder), words, size),
                *fresh.submit(_hybrid, folder, real).result(),
            ]


def _open(folder: Path, embedder: Any = None) -> Corpus:
    """A fresh corpus, as a program that was just started has it."""
    database = Database(folder / "corpus.db", CORPUS, synchronous="OFF")
    return Corpus(database, SnapshotFiles(folder / "snapshots"), embedder=embedder)


def _fill_texts(corpus: Corpus, words: Words, size: int) -> None:
    texts = words.texts(900)
    while corpus.store.chunk_count() < size:
        _grow(corpus, texts)


def _texts(options: Options, words: Words) -> list[str]:
    file = (
        (options.shared or Path("nowhere"))
        / "bench"
        / "retrieval"
        / "scifact_train"
        / "corpus.jsonl"
    )
    if file.is_file():
        with file.open(encoding="utf-8") as lines:
            return [
                json.loads(line)["text"][:600] for _, line in zip(range(_BASE), lines, strict=False)
            ]
    texts = words.texts(300)
    return [next(texts) for _ in range(_BASE)]


def _mixed(real: Any, count: int, seed: int = 1) -> Iterator[Any]:
    """Blocks of made vectors of length 1, float16."""
    import numpy as np

    random, real = np.random.default_rng(seed), np.asarray(real, dtype=np.float32)
    for at in range(0, count, _BLOCK):
        rows = min(_BLOCK, count - at)
        a, b = (real[random.integers(0, len(real), rows)] for _ in range(2))
        weight = random.uniform(0.5, 1, (rows, 1)).astype(np.float32)
        mixture = (
            weight * a + (1 - weight) * b + 0.02 * random.standard_normal(a.shape, dtype=np.float32)
        )
        yield (mixture / np.linalg.norm(mixture, axis=1, keepdims=True)).astype("<f2")


def _fill_vectors(corpus: Corpus, model: str, real: Any) -> None:
    count = corpus.store.chunk_count()
    for number, block in enumerate(_mixed(real, count)):
        rows = ((number * _BLOCK + i + 1, row.tobytes()) for i, row in enumerate(block))
        corpus.store.put_vectors(model, block.shape[1], rows)


def _lexical(corpus: Corpus, words: Words, size: int) -> Row:
    slow = slowness()
    times = sorted(
        _ms(partial(corpus.search, question, 20)) / slow for question in words.questions(_QUERIES)
    )
    return at_most(
        f"lexical search in {size} chunks, p95", times[int(_QUERIES * 0.95)], "ms", LEXICAL_MS, 1
    )


def _hybrid(folder: Path, real: Any) -> list[Row]:
    corpus, words = _open(folder, embeddings.find().embedder), Words()
    slow, before = slowness(), _rss_mb()
    first = _ms(partial(corpus.search, "the first question of a fresh program", 20)) / slow
    times = sorted(
        _ms(partial(corpus.search, question, 20)) / slow for question in words.questions(_QUERIES)
    )
    # Recall last: the exact search it is held against takes memory of its own
    return [
        at_most("hybrid search, p95", times[int(_QUERIES * 0.95)], "ms", HYBRID_MS, 1),
        shown("hybrid search, median", round(statistics.median(times), 1), "ms"),
        at_most("first hybrid query, the model's loading included", first, "ms", FIRST_MS, 0),
        at_most(
            "memory gained by hybrid search, the model included",
            _rss_mb() - before,
            "MB",
            RSS_MB,
            0,
        ),
        at_least(
            "recall of the nearest 50 against exact search", _recall(corpus, real), "", RECALL
        ),
    ]


def _recall(corpus: Corpus, real: Any) -> float:
    """Share of the 50 nearest vectors by exact search that the coarse first pass leads to."""
    import numpy as np

    model = str(corpus.db.read().execute("SELECT model FROM vectors LIMIT 1").fetchone()[0])
    queries = np.asarray(np.concatenate(list(_mixed(real, 20, seed=2))), dtype=np.float32)
    index = VectorIndex(IndexStore(corpus.db), model, queries.shape[1])
    best = [np.zeros((0, 2)) for _ in queries]
    last = 0
    while rows := IndexStore(corpus.db).vectors_after(model, last, _BLOCK):
        last = rows[-1][0]
        matrix = (
            np.frombuffer(b"".join(row[3] for row in rows), dtype="<f2")
            .reshape(len(rows), -1)
            .astype(np.float32)
        )
        chunks = np.array([row[1] for row in rows])
        for i, scores in enumerate(queries @ matrix.T):
            both = np.concatenate([best[i], np.stack([scores, chunks], axis=1)])
            best[i] = both[np.argsort(-both[:, 0])[:50]]
    hits = [
        len(set(index.nearest(query, 50, None)) & set(best[i][:, 1]))
        for i, query in enumerate(queries)
    ]
    return sum(hits) / (50 * len(hits))


def _rss_mb() -> float:
    """Memory of this process now; its peak would be inherited from the process that started it."""
    fields = dict(
        line.split(":", 1) for line in Path("/proc/self/status").read_text("ascii").splitlines()
    )
    return int(fields["VmRSS"].split()[0]) / 1024
