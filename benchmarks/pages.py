"""How long the server takes to make a page: `python -m benchmarks pages [--quick]`.

`/` and history (first page, a later one, a search) over 10 000 researches, and one research of 200
sources: report, reader, graph. Through the whole application with a test client, so without the
network; the cookie is kept.
"""

import gc
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import history
from benchmarks.options import Options, Row, at_most, shown
from benchmarks.reference import scaled, slowness
from engine import ResearchEngine
from engine.answers import HistoryQuery
from engine.records.storage import LocalStorage
from tools.sources.source import Credibility
from ui.web.app import create_app
from workflows.research.model import Authority
from workflows.research.state import ResearchState

RESEARCHES, QUICK = 10_000, 2_000
SOURCES, TIMES = 200, 25
LIST_BAR, AGAIN_BAR, CHANGED_BAR = 25, 8, 60  # ms


def run(options: Options) -> list[Row]:
    """The figures of this benchmark."""
    size = QUICK if options.quick else RESEARCHES
    words = history.Words(1)
    with tempfile.TemporaryDirectory() as home, ResearchEngine(home=home, environ={}) as engine:
        engine.get_stats()
        storage = LocalStorage(Path(home) / "zorora.db")
        history._filled(storage, words, 0, size)
        state = wide_state(words, size + 1)
        storage.save_research(state)
        storage.close()
        second = engine.history(HistoryQuery(limit=20)).next
        base = f"/research/{state.research_id}"
        lists = (
            "/",
            "/history",
            f"/history?before={second}",
            f"/history?q={words.all[300]}",
            "/history?starred=1",
        )
        pages = (base, f"{base}/source/{state.sources[0].source_id}", f"{base}/graph")
        client = create_app({"ENGINE": engine}).test_client()
        slow = slowness()
        gc.collect()
        gc.freeze()  # as the server does
        rows = [shown("researches", size), shown("sources of the one research", SOURCES)]
        rows += [
            at_most(f"{name(path)}, p95", timed(client, path, slow), "ms", LIST_BAR, 1)
            for path in lists
        ]
        rows += [
            at_most(f"{name(path)}, p95", timed(client, path, slow), "ms", AGAIN_BAR, 1)
            for path in pages
        ]
        changed = timed(client, base, slow, partial(engine.star, state.research_id))
        rows.append(
            at_most("report whose star was set or taken away, p95", changed, "ms", CHANGED_BAR, 1)
        )
        rows.append(shown("report", round(len(client.get(base).data) / 1000), "kB"))
        return rows


def name(path: str) -> str:
    """What a page is called in the table."""
    plain, _, query = path.partition("?")
    if plain.startswith("/research"):
        return ("report", "reader", "graph")[("source" in plain) + 2 * plain.endswith("graph")]
    return plain + (f", {query.partition('=')[0]}" if query else "")


def timed(
    client: Any, path: str, slow: float, change: Callable[[bool], None] | None = None
) -> float:
    """p95 of the CPU time of one page in ms, as the machine of the bars would take it. The first
    one is not counted: it compiles the template once per server. change: made before each look, so
    that no kept page can be used.
    """
    times = []
    for number in range(TIMES + 1):
        if change:
            change(number % 2 == 0)
        began = time.process_time()
        answer = client.get(path)
        times.append(time.process_time() - began)
        assert answer.status_code == 200, (path, answer.status_code)
    return scaled(statistics.quantiles(times[1:], n=20)[-1], slow) * 1000


def wide_state(words: history.Words, number: int) -> ResearchState:
    """A research of 200 sources that cite each other, as depth 3 leaves it."""
    luck = random.Random(3)
    state = history.large_state(words, number)
    more = [s for n in range(4) for s in history.large_state(words, number + 10 + n).sources][
        : SOURCES - 50
    ]
    score = Credibility(0.7, "Government source", 0.85,
        {"citation": 1.0, "cross_reference": 0.9, "journal": 1.0},
                        (), "Base: 0.85", {"overall": 0.6},
                        {"voices": 1, "citations": 12})  # fmt: skip
    sources = tuple(
        replace(s, tag=f"S{n + 1}", credibility=score)
        for n, s in enumerate((*state.sources, *more))
    )
    ids = [source.source_id for source in sources]
    graph = {name: tuple(luck.sample(ids, 3)) for name in ids}
    authority = tuple(Authority(name, 3, 0.005, round(luck.random() * 2, 6)) for name in ids)
    return replace(state, sources=sources, citation_graph=graph, authority=authority)
