"""The corpus at size: splitting sentences, reading plain text in, searching it, with the exponent
of growth.

Texts are made from 20 000 words with the frequencies of real language (Zipf), from a fixed seed.
Times are CPU times of this process, divided by how much slower a reference loop runs than on the
nominal machine; the clock's own figure of the ingest, with the parsing processes beside, is shown
too. `--data FOLDER` ingests that folder.
"""

import math
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from benchmarks import soak
from benchmarks.credibility import slowness
from tools.database import Database
from tools.documents.parse_pool import ParsePool
from tools.documents.snapshots import SnapshotFiles
from tools.library.library import Library
from tools.schema import CORPUS
from tools.search.search import Corpus
from tools.text.sentences import spans

SPLIT_MB_PER_SECOND, INGEST_MB_PER_SECOND = 10.0, 5.0
SEARCH_MS, GROWTH = 100.0, 1.1  # growth: 1 is linear; a tenth of it is noise
SIZES, QUICK_SIZES = (12_500, 50_000, 100_000), (2_500, 10_000)
# Those of the web server, and what they may hold together of the database they search
THREADS, THREADS_MB = (
    16,
    120,
)
FILES, FILE_CHARACTERS = 100, 150_000
QUERIES, SCOPE = 60, 40
_WORDS = 20_000
_SMALL = 100  # the most common words are no names


def run(options: Any) -> list[dict[str, Any]]:
    """Rows of ingest speed and search latency; `options.quick`: smaller."""
    with tempfile.TemporaryDirectory() as scratch:
        rows = [_splitting(), *_ingest(options, Path(scratch))]
    with tempfile.TemporaryDirectory() as scratch:
        return rows + _search(QUICK_SIZES if options.quick else SIZES, Path(scratch))


def _splitting() -> dict[str, Any]:
    texts = Words(5).texts(2000)
    text = "\n\n".join(next(texts) for _ in range(1000))
    slow = slowness()
    speed = len(text.encode()) / 1e6 / (_seconds(lambda: spans(text)) / slow)
    return row("sentences split", speed, "MB/s", SPLIT_MB_PER_SECOND, speed >= SPLIT_MB_PER_SECOND)


def _ingest(options: Any, scratch: Path) -> list[dict[str, Any]]:
    folder = (
        Path(options.data)
        if options.data
        else made_folder(scratch / "texts", FILES // (10 if options.quick else 1))
    )
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    pool = ParsePool()
    try:
        corpus = _corpus(scratch)
        library = Library(corpus, lambda: pool, corpus.snapshots, lambda: "2026-11-01T00:00:00Z")
        pool.parse(b"The first text starts the processes.", name="first.txt")
        # The machine is measured before and after: one run of the fixed work may fall into a moment
        # that is not typical
        before, begun = slowness(), time.perf_counter()
        seconds = _seconds(lambda: library.ingest([folder]))
        wall = time.perf_counter() - begun
        slow = (before + slowness()) / 2
        seconds /= slow
        again = _seconds(lambda: library.ingest([folder])) / slow
    finally:
        pool.close()
    speed = size / 1e6 / seconds
    bar = None if options.data else INGEST_MB_PER_SECOND
    return [
        row("plain text ingested, lexical index", speed, "MB/s", bar, bar is None or speed >= bar),
        row("the same by the clock", size / 1e6 / wall, "MB/s", None, True),
        row("the same again, unchanged", again * 1000, "ms", None, True),
        row("index on disk per text", _bytes(scratch / "corpus.db") / size, "x", None, True),
    ]


def _search(sizes: tuple[int, ...], scratch: Path) -> list[dict[str, Any]]:
    corpus, words = _corpus(scratch), Words()
    texts = words.texts(900)
    rows, costs, ids = [], [], []
    for size in sizes:
        while corpus.store.chunk_count() < size:
            ids += _grow(corpus, texts)
        questions = words.questions(QUERIES)
        slow = slowness()
        scopes = {"all": None, f"{SCOPE} texts": ids[-SCOPE:], "every other text": ids[::2]}
        for name, scope in scopes.items():
            times = sorted(
                _ms(partial(corpus.search, question, 20, snapshot_ids=scope)) / slow
                for question in questions
            )
            bar = SEARCH_MS if scope is None else None
            value = times[int(len(times) * 0.95)]
            rows.append(
                row(
                    f"search in {size} chunks, {name}, p95",
                    value,
                    "ms",
                    bar,
                    bar is None or value <= bar,
                )
            )
            if scope is None:
                costs.append((size, statistics.median(times)))
    exponent = math.log(costs[-1][1] / costs[0][1]) / math.log(costs[-1][0] / costs[0][0])
    rows.append(
        row(
            "growth of search with chunks (1 = linear)",
            exponent,
            "exponent",
            GROWTH,
            exponent <= GROWTH,
        )
    )
    gained = _held_by_threads(corpus, words.questions(QUERIES))
    what = f"memory gained when {THREADS} threads search {sizes[-1]} chunks"
    return [*rows, row(what, gained, "MB", THREADS_MB, gained <= THREADS_MB)]


def _held_by_threads(corpus: Corpus, questions: list[str]) -> float:
    """MB that this process gains when each of the threads asks every question, while all of them
    live."""
    together = threading.Barrier(THREADS)

    def ask(_: int) -> float:
        for question in questions:
            corpus.search(question, 20)
        together.wait()
        resident = soak.resources(None, corpus.db.path.parent)["rss"]
        together.wait()
        return resident

    before = soak.resources(None, corpus.db.path.parent)["rss"]
    with ThreadPoolExecutor(THREADS) as threads:
        return max(threads.map(ask, range(THREADS))) - before


def _grow(corpus: Corpus, texts: Iterator[str]) -> list[str]:
    """A hundred texts of about ten chunks in one transaction; no files, only the index is
    measured."""
    added = []
    with corpus.db.write():
        for _ in range(100):
            text = " ".join(next(texts) for _ in range(9))
            added.append(f"{random.getrandbits(256):064x}")
            corpus.add(added[-1], text, title=text[:40])
    return added


class Words:
    """Made words with the frequencies of a language, sentences of them, and questions of three to
    six rarer ones.

    Of the words that are not among the most common, one in eight is a name, written with a capital.
    """

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        syllables = [
            c + v for c in "bcdfghklmnprstvz" for v in ("a", "e", "i", "o", "u", "ar", "en", "ist")
        ]
        words: dict[str, None] = {}
        while len(words) < _WORDS:
            words["".join(self._random.choices(syllables, k=self._random.randint(2, 4)))] = None
        self._words = [
            w.capitalize() if rank > _SMALL and rank % 8 == 0 else w for rank, w in enumerate(words)
        ]
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(_WORDS)))

    def texts(self, characters: int) -> Iterator[str]:
        """Endless texts of about so many characters, in sentences of 12 words."""
        while True:
            picked = iter(
                self._random.choices(self._words, cum_weights=self._weights, k=characters // 6)
            )
            sentences = []
            while sentence := [word for _, word in zip(range(12), picked, strict=False)]:
                sentences.append(" ".join([sentence[0].capitalize(), *sentence[1:]]) + ".")
            yield " ".join(sentences)

    def questions(self, count: int) -> list[str]:
        """Questions with words of every frequency, the most common 50 (stop words of a language)
        left out."""
        ranks = [
            int(math.exp(self._random.uniform(math.log(50), math.log(_WORDS - 1))))
            for _ in range(count * 6)
        ]
        picked = [
            " ".join(self._words[r] for r in ranks[i * 6 : i * 6 + 3 + i % 4]) for i in range(count)
        ]
        return [f"Which {words}?" for words in picked]


def made_folder(folder: Path, files: int) -> Path:
    """A folder of plain text files in paragraphs."""
    folder.mkdir(parents=True)
    texts = Words(11).texts(1500)
    for number in range(files):
        paragraphs = [next(texts) for _ in range(FILE_CHARACTERS // 1500)]
        (folder / f"text-{number:04d}.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")
    return folder


def row(what: str, value: float, unit: str, bar: float | None, ok: bool) -> dict[str, Any]:
    return {"what": what, "value": round(value, 3), "unit": unit, "bar": bar, "ok": ok}


def _corpus(scratch: Path) -> Corpus:
    return Corpus(
        Database(scratch / "corpus.db", CORPUS, synchronous="NORMAL"),
        SnapshotFiles(scratch / "a" / "b"),
    )


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _ms(work: Callable[[], object]) -> float:
    return _seconds(work) * 1000


def _bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in path.parent.glob(path.name + "*"))
