"""Past one machine: PostgreSQL beside SQLite on the same chunks, a cluster beside one process on
the same documents.

Times are the clock's, since the work is done in other processes; the load of the machine is in
them. Needs the extras postgres, cluster and embeddings and a PostgreSQL server with pgvector
(postgres_server.py of its tests says where). Not part of `all`: it starts servers and takes
minutes. docs/scaling.md says what follows from the figures.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from benchmarks.corpus import Words
from benchmarks.options import Options, Row, at_least, shown
from engine.cluster.cluster import Cluster, connected
from engine.research_engine import ResearchEngine
from tests.engine.cluster import dask_cluster
from tests.tools.index.postgres import postgres_server
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.index.postgres.connection import Postgres, address
from tools.index.postgres.store import PostgresIndex
from tools.schema import CORPUS
from tools.search.search import Corpus

AGREEMENT, RECALL = 0.9, 0.95
_QUERIES, _DIMENSIONS, _BLOCK = 40, 384, 2000
_PIECES, _WAIT = 40, 0.5
_OPTIONS = "-c fsync=on -c shared_buffers=512MB -c max_wal_size=4GB"


def run(options: Options) -> list[Row]:
    """Rows of both back ends, then of the cluster."""
    if postgres_server.programs() is None:
        return [shown("PostgreSQL", "there is no server with pgvector here")]
    with tempfile.TemporaryDirectory() as scratch, postgres_server.server(_OPTIONS) as socket:
        rows = _back_ends(Path(scratch), socket, 10_000 if options.quick else 60_000)
    with tempfile.TemporaryDirectory() as scratch:
        return rows + _cluster(Path(scratch), 20 if options.quick else 60)


def _back_ends(folder: Path, socket: Path, size: int) -> list[Row]:
    database = Database(folder / "corpus.db", CORPUS, synchronous="NORMAL")
    files = SnapshotFiles(folder / "snapshots")
    server = Postgres(address(f"postgresql://zorora@/zorora?host={socket}"))
    index = PostgresIndex(server)
    kinds = {"SQLite": Corpus(database, files), "PostgreSQL": Corpus(database, files, index=index)}
    rows = [
        shown(f"{name}, chunks added", round(_filled(corpus, size)), "/s")
        for name, corpus in kinds.items()
    ]
    rows.append(shown("PostgreSQL, statistics after it", round(_clock(index.tend), 1), "s"))
    questions, rankings = Words().questions(_QUERIES), {}
    for name, corpus in kinds.items():
        corpus.search(questions[0], 10)
        rankings[name], times = _searched(corpus, questions)
        rows.append(
            shown(
                f"{name}, search in {size} chunks, median", round(statistics.median(times), 1), "ms"
            )
        )
        rows.append(
            shown(f"{name}, the same, p95", round(sorted(times)[int(_QUERIES * 0.95)], 1), "ms")
        )
    shared = [
        len(set(a) & set(b)) / max(1, len(a)) for a, b in zip(*rankings.values(), strict=True)
    ]
    rows.append(
        at_least(
            "passages among the first 10 that both give", statistics.mean(shared), "", AGREEMENT
        )
    )
    rows += _vectors(index, size)
    sizes = server.run(
        "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c"
        " WHERE relkind = 'r' AND relnamespace = 'zorora'::regnamespace"
    )
    rows.append(
        shown(
            "PostgreSQL, on disk with vectors and all indexes",
            round(float(sizes[0][0]) / size),
            "bytes a chunk",
        )
    )
    index.close()
    database.close()
    return rows


def _filled(corpus: Corpus, size: int) -> float:
    """Chunks a second, in texts of about ten."""
    texts, began, done, number = Words().texts(900), time.perf_counter(), 0, 0
    while done < size:
        text = " ".join(next(texts) for _ in range(9))
        number += 1
        corpus.add(f"{number:064x}", text, title=text[:40])
        done += corpus.store.has(f"{number:064x}") or 0
    return done / (time.perf_counter() - began)


def _searched(corpus: Corpus, questions: list[str]) -> tuple[list[list[str]], list[float]]:
    rankings: list[list[str]] = []
    times = []
    for question in questions:
        began = time.perf_counter()
        passages = corpus.search(question, 10)
        times.append((time.perf_counter() - began) * 1000)
        rankings.append([f"{passage.snapshot_id}:{passage.start}" for passage in passages])
    return rankings, times


def _vectors(index: PostgresIndex, size: int) -> list[Row]:
    """Nearest neighbours among clustered vectors of length 1."""
    import numpy as np

    random = np.random.default_rng(1)
    centres = random.standard_normal((2000, _DIMENSIONS)).astype(np.float32)

    def random_vectors(count: int) -> Any:
        block = centres[random.integers(0, 2000, count)] + 0.7 * random.standard_normal(
            (count, _DIMENSIONS)
        )
        return (block / np.linalg.norm(block, axis=1, keepdims=True)).astype(np.float32)

    dense = index.dense("made", _DIMENSIONS)
    chunks = [row[0] for row in index.server.run("SELECT chunk_id FROM chunks ORDER BY chunk_id")]
    matrix, began = random_vectors(len(chunks)), time.perf_counter()
    for at in range(0, len(chunks), _BLOCK):
        index.put_vectors(
            "made",
            _DIMENSIONS,
            zip(chunks[at : at + _BLOCK], dense.pack(matrix[at : at + _BLOCK]), strict=True),
        )
    rows = [
        shown("PostgreSQL, vectors added", round(len(chunks) / (time.perf_counter() - began)), "/s")
    ]
    rows.append(
        shown(
            "PostgreSQL, index of vectors made (from 50 000 on)", round(_clock(index.tend), 1), "s"
        )
    )
    numbers, hits, times = np.array(chunks), 0, []
    for query in random_vectors(_QUERIES):
        best = set(numbers[np.argsort(-(matrix @ query))[:50]].tolist())
        began = time.perf_counter()
        hits += len(best & set(dense.nearest(query, 50, None)))
        times.append((time.perf_counter() - began) * 1000)
    rows.append(
        at_least("PostgreSQL, recall of the nearest 50", hits / (50 * _QUERIES), "", RECALL)
    )
    return [
        *rows,
        shown(
            f"PostgreSQL, nearest among {size}, median", round(statistics.median(times), 1), "ms"
        ),
    ]


def _cluster(folder: Path, documents: int) -> list[Row]:
    """Documents with their vectors: in this process, then on one and two workers; and how well
    waiting is spread."""
    texts, papers = Words().texts(3000), folder / "papers"
    papers.mkdir()
    for number in range(documents):
        (papers / f"{number}.txt").write_text(next(texts), "utf-8")
    with ResearchEngine(home=folder / "alone", environ={}) as engine:
        began = time.perf_counter()
        engine.ingest([papers])
        engine._opened.tools.corpus.embed_pending()
        chunks = engine._opened.tools.corpus.counts()["vectors"]
        alone = chunks / (time.perf_counter() - began)
    rows = [
        shown(
            f"ingest with vectors, {chunks} chunks, one process of two threads",
            round(alone, 1),
            "chunks/s",
        )
    ]
    for size in (1, 2, 4):
        place = folder / str(size)
        place.mkdir()
        with dask_cluster.cluster(place, size) as (where, _):
            waited = _waiting(where, size)
            speed = _ingested(place / "home", papers, where, chunks) if size <= 2 else None
        workers = f"{size} worker{'s' * (size > 1)} of one thread"
        if speed:
            rows.append(shown(f"the same on {workers}", round(speed, 1), "chunks/s"))
        rows.append(
            shown(
                f"{_PIECES} pieces of work that wait {_WAIT:g} s, on {workers}",
                round(waited, 2),
                "s",
            )
        )
    return rows


def _ingested(home: Path, papers: Path, where: str, chunks: int) -> float:
    """Chunks a second."""
    with (
        ResearchEngine(home=home, environ={}) as engine,
        connected(engine.config, where) if where else nullcontext() as machines,
    ):
        # Every worker has its parser and model then
        engine.ingest([min(papers.iterdir())], None, machines)
        began = time.perf_counter()
        engine.ingest([papers], None, machines)
        return chunks / (time.perf_counter() - began)


def _waiting(where: str, size: int) -> float:
    """Seconds for pieces of work that cost no processor: what passing work around takes, on any
    machine."""
    while True:
        with closing(Cluster(where)) as cluster:
            if cluster.width >= size:
                orders = ((_WAIT,) for _ in range(_PIECES))
                return _clock(lambda: list(cluster.each(time.sleep, orders)))  # noqa: B023 (called at once)
        time.sleep(0.2)


def _clock(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
