"""Each speed beside the plain way of doing the same, on this machine, in this hour: what our way
costs, or gains.

    python -m benchmarks baselines [--quick]

The plain ways are what somebody would write in an evening: a bare interpreter and a bare Flask
page, a scan with LIKE, a JSON file without an index, FTS5 alone, a walk through a list, one request
after the other. They do less: nothing of theirs survives a crash, folds words or knows a passage.
CPU times where nothing waits, medians of several runs; the exponents say how both grow with ten
times the data.
"""

import csv
import io
import json
import math
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import baselines_runs, credibility, history, pages
from benchmarks.corpus import Words, _grow
from benchmarks.meter import measure, with_bytecode
from benchmarks.options import ROOT, Options, Row, shown
from benchmarks.startup import address_of
from engine.answers import HistoryQuery
from engine.records.storage import LocalStorage
from tools.credibility.data_list import DataList
from tools.credibility.store import JournalStore
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.schema import CORPUS
from tools.search.search import Corpus

BARE_SERVER = """
import flask, sys, waitress
app = flask.Flask(__name__)
app.add_url_rule("/", view_func=lambda: "<h1>Hello</h1>")
server = waitress.create_server(app, port=0)
print(f"http://127.0.0.1:{server.effective_port}/", file=sys.stderr, flush=True)
server.run()
"""
_RUNS = 15


def run(options: Options) -> list[Row]:
    """Pairs of figures: ours, then the plain way."""
    return [
        *_starts(options), *baselines_runs.runs(options, _pair), *_histories(options),
        *_corpora(options),
        *baselines_runs.vectors(options, _pair), *_lists(options), *_reports(),
    ]  # fmt: skip


def _pair(
    what: str, ours: float, plain: float, unit: str, plainly: str, digits: int = 2
) -> list[Row]:
    return [
        shown(what, round(ours, digits), unit),
        shown(f"  plainly: {plainly}", round(plain, digits), unit),
        shown("  ours against it", round(ours / plain, 2) if plain else None, "x"),
    ]


def _starts(options: Options) -> Iterator[Row]:
    runs = 3 if options.quick else 7
    words = [sys.executable, "-m", "ui.terminal", "version"]
    measure(words)  # compiles the modules
    ours = statistics.median(measure(words).cpu for _ in range(runs)) * 1000
    bare = (
        statistics.median(measure([sys.executable, "-c", "pass"]).cpu for _ in range(runs)) * 1000
    )
    yield from _pair("zorora version, CPU", ours, bare, "ms", "the interpreter alone", 0)
    with tempfile.TemporaryDirectory() as home:
        web = [
            sys.executable,
            "-m",
            "ui.terminal",
            "--home",
            home,
            "web",
            "--port",
            "0",
            "--no-browser",
        ]
        mine, theirs = _server(web), _server([sys.executable, "-c", BARE_SERVER])
    yield from _pair(
        "web server up to its first answer, CPU",
        mine[0],
        theirs[0],
        "s",
        "Flask and waitress, one page",
    )
    yield from _pair(
        "memory of the idle web server", mine[1], theirs[1], "MB", "Flask and waitress, one page", 1
    )


def _server(words: list[str]) -> tuple[float, float]:
    """(CPU seconds up to the first answer, resident MB after it) of a server."""
    from benchmarks.startup import _cpu, _resident

    server = subprocess.Popen(
        words,
        cwd=ROOT,
        env=with_bytecode(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        subprocess.run([sys.executable, "-c", _ASK, address_of(server)], check=True)
        return _cpu(server.pid), _resident(server.pid)
    finally:
        server.terminate()
        server.wait(30)


_ASK = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=30).read()"


def _histories(options: Options) -> Iterator[Row]:
    """Search, save and open."""
    size = 1_000 if options.quick else 10_000
    words = history.Words(1)
    with tempfile.TemporaryDirectory() as folder:
        storage = LocalStorage(Path(folder) / "zorora.db")
        times: list[tuple[float, float]] = []
        for start, end in ((0, size // 10), (size // 10, size)):
            history._filled(storage, words, start, end)
            times.append((_ours(storage, words), _like(storage, words)))
        state = history.large_state(words, size)
        plain = Path(folder) / "plain.json"
        body = state.to_dict()
        save, write = (
            _ms(lambda: storage.save_research(state)),
            _ms(lambda: plain.write_text(json.dumps(body))),
        )
        load, read = (
            _ms(lambda: storage.load_research(state.research_id)),
            _ms(lambda: json.loads(plain.read_text())),
        )
        storage.close()
        rendered = _rendered(folder)
    yield from _pair(f"search of {size} researches", *times[1], "ms", "LIKE over the same texts")
    yield shown("  growth of ours, exponent", round(_exponent(times[0][0], times[1][0]), 2))
    yield shown(
        "  growth of the plain way, exponent", round(_exponent(times[0][1], times[1][1]), 2)
    )
    yield from _pair(
        "save one of 50 sources",
        save,
        write,
        "ms",
        "write_text of its JSON, without fsync or index",
    )
    yield from _pair("open one of 50 sources", load, read, "ms", "json.loads of its file")
    for path, ours, bare in rendered:
        yield from _pair(
            f"page {path} over {size} researches",
            ours,
            bare,
            "ms",
            "a Flask page without a template",
        )


def _rendered(home: str) -> list[tuple[str, float, float]]:
    """(path, milliseconds of ours, of a bare page) of the pages that everybody sees first."""
    import flask

    from engine.research_engine import ResearchEngine
    from ui.web.app import create_app

    bare = flask.Flask("bare")
    bare.add_url_rule("/", view_func=lambda: "<h1>Hello</h1>")
    with ResearchEngine(home=home, environ={}) as engine:
        ours, plain = create_app({"ENGINE": engine}).test_client(), bare.test_client()
        for path in ("/", "/history"):
            ours.get(path)  # compiles the templates
        hello = _ms(lambda: plain.get("/"))
        return [(path, _ms(partial(ours.get, path)), hello) for path in ("/", "/history")]


def _ours(storage: LocalStorage, words: history.Words) -> float:
    return statistics.median(
        _ms(partial(storage.history, HistoryQuery(text=text))) for text in _queries(words)
    )


def _like(storage: LocalStorage, words: history.Words) -> float:
    return statistics.median(
        _ms(partial(_scan, storage.database.read(), text)) for text in _queries(words)
    )


def _scan(read: sqlite3.Connection, text: str) -> list[Any]:
    sql = (
        "SELECT rowid FROM history_text WHERE query LIKE ? OR report LIKE ? OR sources LIKE ? "
        "ORDER BY rowid DESC"
    )
    return read.execute(sql, (f"%{text}%",) * 3).fetchmany(20)


def _queries(words: history.Words) -> list[str]:
    return [words.all[rank] for rank in (30, 100, 300, 1000, 3000, 10_000, 25_000)]


def _corpora(options: Options) -> Iterator[Row]:
    """Indexing and search of passages against one bare FTS5 table over the same passages."""
    sizes = (1_000, 10_000) if options.quick else (5_000, 50_000)
    with _corpus() as corpus, sqlite3.connect(":memory:") as bare:
        bare.execute("CREATE VIRTUAL TABLE chunk USING fts5(text)")
        words = Words()
        texts, others = words.texts(900), Words().texts(100)  # of the same words
        times, ours, plainly = [], 0.0, 0.0
        for size in sizes:
            while (have := corpus.store.chunk_count()) < size:
                began = time.process_time()
                _grow(corpus, texts)
                ours += time.process_time() - began
                passages = [(next(others),) for _ in range(corpus.store.chunk_count() - have)]
                began = time.process_time()
                bare.executemany("INSERT INTO chunk VALUES (?)", passages)
                plainly += time.process_time() - began
            questions = words.questions(30)
            mine = statistics.median(_ms(partial(corpus.search, text, 20)) for text in questions)
            theirs = statistics.median(_ms(partial(_bm25, bare, text)) for text in questions)
            times.append((mine, theirs))
    bare.close()
    yield from _pair(
        f"indexing {sizes[1]} passages, CPU", ours, plainly, "s", "inserts into one FTS5 table"
    )
    yield from _pair(f"search in {sizes[1]} passages", *times[1], "ms", "bm25 over one FTS5 table")
    yield shown("  growth of ours, exponent", round(_exponent(times[0][0], times[1][0]), 2))
    yield shown(
        "  growth of the plain way, exponent", round(_exponent(times[0][1], times[1][1]), 2)
    )


def _bm25(bare: sqlite3.Connection, text: str) -> list[Any]:
    match = " OR ".join(f'"{word}"' for word in text.replace('"', " ").split())
    sql = "SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY bm25(chunk) LIMIT 20"
    return bare.execute(sql, (match,)).fetchall()


@contextmanager
def _corpus() -> Iterator[Corpus]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "corpus.db", CORPUS, synchronous="NORMAL")
        try:
            yield Corpus(database, SnapshotFiles(Path(folder) / "snapshots"))
        finally:
            database.close()


def _lists(options: Options) -> Iterator[Row]:
    """A work looked up among the retractions, against a walk through the rows."""
    data = credibility.made_rows()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "corpus.db", CORPUS, synchronous="NORMAL")
        store = JournalStore(database)
        store.load(
            data, DataList("Retraction Watch", "retractions", "made", "2026-11-01", "2026-11-01")
        )
        rows = list(csv.DictReader(io.StringIO(data.decode())))
        doi = rows[len(rows) * 2 // 3]["OriginalPaperDOI"]
        ours = _ms(lambda: store.notices([doi], None))
        plain = _ms(lambda: next(row for row in rows if row["OriginalPaperDOI"] == doi))
        database.close()
    yield from _pair(
        f"a work among {len(rows)} retractions", ours, plain, "ms", "a walk through the rows", 3
    )


def _reports() -> Iterator[Row]:
    """The page of a research with 200 sources, against its bare JSON."""
    from engine.research_engine import ResearchEngine
    from ui.web.app import create_app

    words = history.Words(1)
    with tempfile.TemporaryDirectory() as home, ResearchEngine(home=home, environ={}) as engine:
        engine.get_stats()
        state = pages.wide_state(words, 1)
        storage = LocalStorage(Path(home) / "zorora.db")
        storage.save_research(state)
        storage.close()
        client = create_app({"ENGINE": engine}).test_client()
        path = f"/research/{state.research_id}"
        client.get(path)  # compiles the templates
        ours, plain = _ms(lambda: client.get(path)), _ms(lambda: json.dumps(state.to_dict()))
    yield from _pair(
        "page of a research with 200 sources", ours, plain, "ms", "json.dumps of the same record", 1
    )


def _exponent(small: float, large: float) -> float:
    """How a time grows with ten times the data: 1 = linear."""
    return math.log10(max(large, 1e-6) / max(small, 1e-6))


def _ms(work: Callable[[], object]) -> float:
    """Milliseconds, the median of several runs."""
    times = []
    for _ in range(_RUNS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000
