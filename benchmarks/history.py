"""History at size: search, open and save over 100 000 researches. `python -m benchmarks history
[--quick]`.

The researches are made of words drawn with Zipf's law, so that some stand in nearly every research
and most in few. They are put into the database as `LocalStorage` would; records are written only
for those that are saved and opened. The questions are a fixed mix of rare, middling and very common
words, several words, and beginnings of words.
"""

import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from math import log
from pathlib import Path

from benchmarks.options import Options, Row, at_most, shown
from benchmarks.reference import scaled, slowness
from engine.answers import HistoryQuery
from engine.records import store
from engine.records.files import Fingerprint
from engine.records.storage import LocalStorage
from tools.documents.model import Snapshot, snapshot_id_of
from tools.sources.source import Credibility, Source, make_source
from workflows.research.model import Claim, Evidence, Quality, TrajectoryEntry, UserMarks
from workflows.research.report.model import Citation, Report, ReportSection, Sentence
from workflows.research.state import ResearchState

FULL, QUICK = 100_000, 5_000
VOCABULARY = 40_000
BATCH = 2_000
BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
SAVED = 40
SEARCH_BAR, OPEN_BAR, SAVE_BAR = 50, 20, 50  # ms


class Words:
    """Words that nobody has, drawn with Zipf's law."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        parts = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
        self.all = [
            "".join(syllables) + "x" for syllables in itertools.product(parts, parts, parts[:12])
        ][:VOCABULARY]
        self.random.shuffle(self.all)
        self._weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(self.all))))

    def text(self, count: int) -> str:
        """So many words."""
        return " ".join(self.random.choices(self.all, cum_weights=self._weights, k=count))


def run(options: Options) -> list[Row]:
    """The figures of this benchmark."""
    size = QUICK if options.quick else FULL
    words = Words(1)
    with tempfile.TemporaryDirectory() as folder:
        storage = LocalStorage(Path(folder) / "zorora.db")
        filled = _filled(storage, words, 0, size // 10)
        first = _search_times(storage, words)
        filled += _filled(storage, words, size // 10, size)
        slow = slowness()
        searched = _search_times(storage, words)
        plain = [_seconds(lambda: storage.history(HistoryQuery())) for _ in range(20)]
        pages = _paging(storage, words)
        saved, opened = _save_and_open(storage, words, size)
        swept = _seconds(storage.sweep)
        storage.close()
    growth = log(statistics.median(searched) / statistics.median(first)) / log(10)
    return [
        shown("researches", size),
        at_most("search, p95", _ms(_p95(searched), slow), "ms", SEARCH_BAR),
        shown("search, median", round(_ms(statistics.median(searched), slow), 1), "ms"),
        at_most("tenth page of a search, p95", _ms(_p95(pages), slow), "ms", SEARCH_BAR),
        at_most("newest first without a text, p95", _ms(_p95(plain), slow), "ms", SEARCH_BAR),
        at_most("open one of 50 sources, p95", _ms(_p95(opened), slow), "ms", OPEN_BAR),
        at_most("save one of 50 sources, p95", _ms(_p95(saved), slow), "ms", SAVE_BAR),
        at_most("search: exponent of growth", growth, "", 1.0, digits=2),
        shown("sweep at start", round(_ms(swept, slow)), "ms"),
        shown("one research into the database", round(_ms(filled / size, slow), 2), "ms"),
        shown("slowness of the machine", round(slow, 2)),
    ]


def _filled(storage: LocalStorage, words: Words, start: int, end: int) -> float:
    """Put researches into the database; the seconds it took, making them not counted."""
    spent = 0.0
    for low in range(start, end, BATCH):
        states = [small_state(words, number) for number in range(low, min(low + BATCH, end))]
        before = time.perf_counter()
        with storage.database.write() as connection:
            for state in states:
                store.put_record(
                    connection,
                    state,
                    f"research/findings/{state.research_id}.json",
                    Fingerprint("", 0, 0),
                )
        spent += time.perf_counter() - before
    return spent


def small_state(words: Words, number: int) -> ResearchState:
    """A research of eight sources and a report of 450 words."""
    at = BEGIN + timedelta(minutes=20 * number)
    sources = tuple(_source(words, number * 8 + n) for n in range(8))
    sentences = tuple(Sentence(f"s{n}", "quote", words.text(18)) for n in range(25))
    claims = tuple(
        Claim(f"C{n}", sentences[n].text, verified=True, confidence=0.7) for n in range(8)
    )
    chance = words.random.random()
    tags = ("storage", "markets", "later")[: int(chance * 30) if chance < 0.1 else 0]
    return ResearchState(
        words.text(10),
        research_id=f"made_{at:%Y%m%d_%H%M%S}",
        status="complete" if chance < 0.9 else "partial",
        started_at=at.isoformat(),
        sources=sources,
        claims=claims,
        report=Report(
            words.text(8),
            summary=sentences[:4],
            sections=(ReportSection("Findings", sentences[4:]),),
        ),
        quality=Quality(overall_confidence=round(chance, 2)),
        user=UserMarks(starred=chance < 0.02, tags=tags),
    )


def large_state(words: Words, number: int) -> ResearchState:
    """A research of depth 2 as it is saved: 50 sources, 60 passages, 24 claims, 150 steps."""
    state = small_state(words, number)
    sources = tuple(
        replace(_source(words, 10_000_000 + number * 50 + n), tag=f"S{n}") for n in range(50)
    )
    ids = [snapshot_id_of(f"{number} {n}") for n in range(20)]
    snapshots = tuple(
        Snapshot(
            ids[n],
            sources[n].source_id,
            sources[n].url,
            "text/html",
            state.started_at,
            "x 1",
            "full",
            20_000,
        )
        for n in range(20)
    )
    evidence = tuple(
        Evidence(
            f"E{n}", sources[n % 20].source_id, ids[n % 20], n, n + 150, words.text(22), "Q1", 0.8
        )
        for n in range(60)
    )
    claims = tuple(
        Claim(f"C{n}", words.text(20), "Findings", "Q1", (f"E{n}", f"E{n + 24}"), verified=True,
            confidence=0.8,
              supporting_sources=(sources[n % 20].source_id,), independent_sources=2)
        for n in range(24)
    )  # fmt: skip
    sentences = tuple(
        Sentence(f"s{n}", "quote", words.text(20), claim_ids=(f"C{n % 24}",),
                 citations=(Citation(f"S{n % 20}", sources[n % 20].source_id, f"E{n}"),))
        for n in range(50)
    )  # fmt: skip
    steps = tuple(
        TrajectoryEntry(n, state.started_at, "aggregate", "note", words.text(8), {"n": n})
        for n in range(150)
    )
    return replace(
        state,
        sources=sources,
        snapshots=snapshots,
        evidence=evidence,
        claims=claims,
        trajectory=steps,
        report=Report(
            words.text(8),
            summary=sentences[:5],
            sections=(ReportSection("Findings", sentences[5:]),),
        ),
        synthesis="\n".join(sentence.text for sentence in sentences),
        citation_graph={
            source.source_id: tuple(s.source_id for s in sources[:5]) for source in sources[5:]
        },
    )


def _source(words: Words, number: int) -> Source:
    credibility = Credibility(
        0.7, "made", 0.7, {"citation": 1.0}, breakdown=words.text(8), eeat={"overall": 0.6}
    )
    return make_source(
        f"https://site{number % 5000}.example.org/page/{number}",
        words.text(9),
        authors=("Ada Example", "Bo Example"),
        source_type=("web", "academic")[number % 2],
        credibility=credibility,
        snippet=words.text(25),
    )


def questions(words: Words) -> Iterator[str]:
    """The mix: ranks in Zipf's order, 0 stands in nearly every research."""
    at = words.all
    for rank in (0, 5, 30, 100, 300, 1000, 3000, 10_000, 25_000):
        yield at[rank]
    for ranks in (
        (0, 300),
        (20, 200, 1000),
        (3, 7, 11),
        (400, 5000),
        (2000, 2100, 2200),
        (50, 90, 20_000, 30_000),
    ):
        yield " ".join(at[rank] for rank in ranks)
    for rank in (10, 500, 5000):
        yield at[rank][:5]
    yield f'"{at[100]}" OR NEAR({at[40]} -{at[300]}*'


def _search_times(storage: LocalStorage, words: Words) -> list[float]:
    times = []
    for text in questions(words):
        for query in (
            HistoryQuery(text=text, sort="best"),
            HistoryQuery(text=text, sort="newest"),
            HistoryQuery(text=text, sort="best", status=("complete",), min_confidence=0.5),
        ):
            # The best of three, so that what else the machine does is left out
            times.append(min(_seconds(partial(storage.history, query)) for _ in range(3)))
    return times


def _paging(storage: LocalStorage, words: Words) -> list[float]:
    times = []
    for text in questions(words):
        query = HistoryQuery(text=text, sort="best")
        for _ in range(9):
            following = storage.history(query).next
            if following is None:
                break
            query = replace(query, before=following)
        times.append(min(_seconds(lambda query=query: storage.history(query)) for _ in range(3)))  # type: ignore[misc]
    return times


def _save_and_open(
    storage: LocalStorage, words: Words, size: int
) -> tuple[list[float], list[float]]:
    states = [
        replace(large_state(words, size + n), research_id=f"large_{n}_20260101_000000")
        for n in range(SAVED)
    ]
    saved = [_seconds(partial(storage.save_research, state)) for state in states]
    opened = [_seconds(partial(storage.load_research, state.research_id)) for state in states]
    return saved, opened


def _seconds(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def _p95(times: list[float]) -> float:
    return sorted(times)[max(0, int(len(times) * 0.95) - 1)]


def _ms(seconds: float, slow: float) -> float:
    """Milliseconds on the machine of the bars."""
    return scaled(seconds, slow) * 1000
