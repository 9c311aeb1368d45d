"""Credibility against 60 000 retractions: loading the list, looking a work up, scoring a source,
importing the scorer.

Times are CPU times of this process, medians of several runs, divided by how much slower than the
nominal machine a plain reference loop runs beside them. `--data FILE` takes a Retraction Watch CSV
instead of the rows made here, or a CSV of domains and ratings to compare the scores with
(benchmarks/credibility_table.py).
"""

import csv
import io
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.credibility_table import exact, is_ratings, rated, separations
from tools.credibility.data_list import DataList
from tools.credibility.store import JournalStore
from tools.database import Database
from tools.research.credibility_scorer import assess, score_source_credibility
from tools.schema import CORPUS
from tools.sources.source import make_source

ROWS = 60_000
LOAD_SECONDS, LOOKUP_MS, SCORE_MS = 10.0, 0.2, 0.2
# CPU time of `reference` on the machine the bars were set on (2 cores, November 2026)
REFERENCE_SECONDS = 0.010
RUNS = 5
COLUMNS = (
    "Record ID", "Title", "Subject", "Institution", "Journal", "Publisher", "Country", "Author",
    "URLS", "ArticleType", "RetractionDate", "RetractionDOI", "RetractionPubMedID",
    "OriginalPaperDate", "OriginalPaperDOI", "OriginalPaperPubMedID", "RetractionNature", "Reason",
    "Paywalled", "Notes", "",
)  # fmt: skip
URLS = (
    ("https://www.nature.com/articles/s41586-019-{n:04d}-1", "Nature", "0028-0836"),
    ("https://doi.org/10.{p}/x.{n}", None, None),
    ("https://arxiv.org/abs/2301.{n:05d}", None, None),
    (
        "https://www.sciencedirect.com/science/article/pii/S01406736970{n:05d}",
        "Applied Energy",
        None,
    ),
    ("https://blog{n}.example.org/a/b/c?x=1", None, None),
)


def run(options: Any) -> list[dict[str, Any]]:
    """Rows of figures with their bars. `options.data`: a Retraction Watch CSV, or one of domains
    and ratings."""
    folder = getattr(options, "data", None)
    if folder and is_ratings(Path(folder)):
        return [dict(row) for row in rated(Path(folder))]
    right = [] if folder else [dict(row) for row in (*exact(), *separations())]
    return right + _timings(folder)


def _timings(folder: Any) -> list[dict[str, Any]]:
    data = Path(folder).read_bytes() if folder else made_rows()
    with tempfile.TemporaryDirectory() as scratch:
        database = Database(Path(scratch) / "corpus.db", CORPUS, synchronous="NORMAL")
        try:
            return _figures(JournalStore(database), data)
        finally:
            database.close()


def _figures(store: JournalStore, data: bytes) -> list[dict[str, Any]]:
    info = DataList("Retraction Watch", "retractions", "made", "2026-11-01", "2026-11-01")
    slow = slowness()
    start = time.process_time()
    loaded = store.load(data, info)
    seconds = (time.process_time() - start) / slow
    sources = [_url(number) for number in range(1000)]

    def lookups() -> None:
        for number in range(1000):
            store.notices((f"10.{1000 + number * 7 % 8000}/x.{number * 7}",), None)

    def scores(lists: JournalStore | None) -> Callable[[], None]:
        def go() -> None:
            for url, venue, issn in sources:
                score_source_credibility(
                    url, 12, 3, 2020, venue=venue, issn=issn, lists=lists, as_of="2026-11-01"
                )

        return go

    def assessments() -> None:
        for url, venue, issn in sources:
            source = make_source(
                url, "A title", venue=venue, issn=issn, cited_by_count=12, published="2020"
            )
            assess(source, voices=3, as_of="2026-11-01", journals=store)

    return [
        row("retractions loaded", loaded.rows, "rows", None, None),
        row("retractions skipped", loaded.skipped, "rows", None, None),
        row("load the list, CPU", seconds, "s", LOAD_SECONDS, seconds <= LOAD_SECONDS),
        _timed("look a DOI up", lookups, LOOKUP_MS),
        _timed("score a source, built-in tables", scores(None), SCORE_MS),
        _timed("score a source, 60 000 retractions", scores(store), SCORE_MS),
        _timed("assess a source without text", assessments, SCORE_MS),
        row("import the scorer", _import_ms(), "ms", None, None),
    ]


def row(what: str, value: float, unit: str, bar: float | None, ok: bool | None) -> dict[str, Any]:
    """One figure; bar and ok are None where it is only shown."""
    return {"what": what, "value": round(value, 4), "unit": unit, "bar": bar, "ok": ok}


def _timed(what: str, thousand: Callable[[], None], bar: float) -> dict[str, Any]:
    """Milliseconds for one of a thousand, scaled; the first run warms caches and is not counted."""
    thousand()
    runs = []
    for _ in range(RUNS):
        slow = slowness()
        start = time.process_time()
        thousand()
        runs.append((time.process_time() - start) / slow)
    value = statistics.median(runs)
    return row(what, value, "ms", bar, value <= bar)


def reference() -> None:
    """A fixed piece of plain Python work: numbers, strings, a dictionary."""
    counts: dict[str, int] = {}
    for number in range(60_000):
        key = f"k{number % 997}"
        counts[key] = counts.get(key, 0) + number % 7


def slowness() -> float:
    """How many times slower than the nominal machine this one is just now."""
    times = []
    for _ in range(3):
        start = time.process_time()
        reference()
        times.append(time.process_time() - start)
    return statistics.median(times) / REFERENCE_SECONDS


def made_rows(count: int = ROWS) -> bytes:
    """A Retraction Watch CSV of the real shape, with long institution and reason columns as the
    real one has."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    places = "; ".join(f"Department {n}, University of Somewhere {n}" for n in range(12))
    for number in range(count):
        writer.writerow(_retraction_row(number, places))
    return out.getvalue().encode()


def _retraction_row(number: int, places: str) -> Sequence[str]:
    doi = f"10.{1000 + number % 8000}/X.{number}"
    when = f"{number % 12 + 1}/{number % 28 + 1}/{2000 + number % 26} 0:00"
    reason = (
        "Concerns/Issues about Data;Investigation by Journal/Publisher;Unreliable Results "
        "and/or Conclusions;"
    )
    return (
        str(number), f"A retracted work with a title of the usual length, number {number}",
        "(B/T) Technology;", places,
        "A Journal", "A Publisher", "Nowhere", "A. Nyman;B. Oder", "", "Research Article;", when,
        f"{doi}.r", "0", when,
        doi, str(number), "Retraction", reason, "No", "", "",
    )  # fmt: skip


def _url(number: int) -> tuple[str, str | None, str | None]:
    url, venue, issn = URLS[number % len(URLS)]
    return url.format(n=number, p=1000 + number % 8000), venue, issn


def _import_ms() -> float:
    """CPU milliseconds of importing the scorer in a fresh interpreter, without the interpreter's
    own start."""
    code = (
        "import time; t=time.process_time(); import tools.research.credibility_scorer; "
        "print(time.process_time()-t)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in "123"
    ]
    return statistics.median(times) * 1000 / slowness()
