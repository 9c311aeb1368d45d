"""A whole research against stand-in services: what the engine costs, and whether it waits in
parallel.

Six services answer with 60 works in all, of which 20 pages of 50 kB are read. First they answer at
once: CPU time of the run with all its child processes. Then each takes its time, at every depth:
the wall time against the slowest chain of requests. Then one never answers, and its deadline holds.
"""

import json
import math
import statistics
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import standin_services, standin_texts as texts
from benchmarks.meter import measure
from benchmarks.options import Options, Row, at_most, shown
from benchmarks.reference import scaled, slowness
from engine import ResearchEngine
from engine.answers import RunOptions

QUESTION = "Does coffee raise blood pressure?"
CPU_SECONDS, CPU_WITH_EMBEDDINGS = 3.0, 8.0
WALL_RATIO, GROWTH = 1.1, 1.1
PAGE_DELAY, FETCH_WORKERS = 0.5, 6
SHORT = 2  # seconds of a deadline that is put to the test
DELAYS = {
    "openalex": 1.0, "crossref": 2.0, "arxiv": 3.0, "wikipedia": 0.2, "duckduckgo": 0.6,
    "newsroom": 0.4, "page": PAGE_DELAY,
}  # fmt: skip


def run(options: Options) -> list[Row]:
    """CPU with and without embeddings, then wall time with slow services."""
    slow = slowness()
    runs = 1 if options.quick else 3
    with standin_services.start() as world:
        plain = [_research(world.settings, False) for _ in range(runs)]
        rich = [_research(world.settings, True) for _ in range(1 if options.quick else 2)]
    cpu = statistics.median(run_figures["cpu"] for run_figures in plain)
    grown = [_with_works(works) for works in ((20, 80) if options.quick else (40, 160))]
    rows = [
        at_most("depth 1, services answer at once: CPU", scaled(cpu, slow), "s", CPU_SECONDS, 2),
        *([] if not rich[0]["embeddings"] else [_with_embeddings(rich, slow)]),
        shown("hits / works / pages read", "{hits} / {sources} / {pages}".format(**plain[0])),
        shown("largest process", round(plain[0]["peak"]), "MB"),
        shown("CPU with {} and with {} works".format(*(figures["sources"] for figures in grown)),
              "{:.2f} and {:.2f}".format(*(scaled(figures["cpu"], slow) for figures in grown)),
              "s"),
        at_most("growth with works, exponent (1 = linear)", _exponent(*grown), "", GROWTH, 2),
    ]  # fmt: skip
    for depth in (1, 2, 3):
        with standin_services.start(DELAYS) as world:
            rows += _parallel(_research(world.settings, False, depth), depth, slow)
    with standin_services.start({"crossref": 60.0}) as world:
        silent = _research({**world.settings, "sources.crossref.deadline": SHORT}, False)
    return [
        *rows,
        at_most(
            f"a client that never answers, deadline {SHORT} s",
            silent["taken"]["crossref"],
            "s",
            SHORT + 0.3,
            2,
        ),
        at_most(
            "the whole research with it: wall",
            silent["seconds"],
            "s",
            SHORT + 1.0 + silent["cpu"],
            2,
        ),
        shown("slowness of this machine", round(slow, 2), "x"),
    ]


def _with_works(works: int) -> dict[str, Any]:
    """A run that keeps and reads about so many works."""
    most = {f"sources.{name}.max_results": works // 2 for name in ("openalex", "crossref", "arxiv")}
    settings = {
        "research.candidates": 2 * works,
        "research.fetch": works,
        "research.max_sources": works,
        **most,
    }
    with standin_services.start(works=240) as world:
        return _research({**world.settings, **settings}, False, question=texts.QUESTION)


def _exponent(small: dict[str, Any], large: dict[str, Any]) -> float:
    """How the CPU time grows with the works kept: 1 = linear."""
    return math.log(large["cpu"] / small["cpu"]) / math.log(large["sources"] / small["sources"])


def _with_embeddings(runs: list[dict[str, Any]], slow: float) -> Row:
    cpu = statistics.median(run["cpu"] for run in runs)
    return at_most("the same with embeddings: CPU", scaled(cpu, slow), "s", CPU_WITH_EMBEDDINGS, 2)


def _parallel(late: dict[str, Any], depth: int, slow: float) -> list[Row]:
    """Requests of one client come one after the other; clients, and six pages at a time, side by
    side.

    The chain: of each round the slowest client's searches, of the citations the slowest client's
    questions, and the pages six by six.
    """
    searching = sum(_slowest(requests) for requests in late["rounds"])
    reading = sum(-(-pages // FETCH_WORKERS) * PAGE_DELAY for pages in late["reads"])
    chain = searching + _slowest(late["followed"]) + reading
    allowed = WALL_RATIO * chain + late["cpu"]
    return [
        at_most(
            f"depth {depth}, services take 0.2 to 3 s: wall",
            late["wall"],
            "s",
            round(allowed, 2),
            2,
        ),
        shown(f"depth {depth}: slowest chain of requests", round(chain, 2), "s"),
        shown(f"depth {depth}: CPU of that run", round(scaled(late["cpu"], slow), 2), "s"),
    ]


def _slowest(requests: dict[str, int]) -> float:
    return max([DELAYS.get(name, 0.0) * count for name, count in requests.items()], default=0.0)


def _research(
    settings: Any, embeddings: bool, depth: int = 1, question: str = QUESTION
) -> dict[str, Any]:
    """One run in a process of its own on a fresh home; what it used and found."""
    with tempfile.TemporaryDirectory() as home:
        settings_file = Path(home) / "settings.json"
        settings_file.write_text(
            json.dumps({**settings, "embeddings.enabled": embeddings}), "utf-8"
        )
        words = [str(settings_file), str(Path(home) / "home"), str(depth), question]
        used = measure([sys.executable, "-m", "benchmarks.pipeline", *words])
    figures: dict[str, Any] = json.loads(used.output.strip().splitlines()[-1])
    return {**figures, "cpu": used.cpu, "wall": figures["seconds"], "peak": used.peak}


def child(settings: str, home: str, depth: str = "1", question: str = QUESTION) -> None:
    """The measured process: one research, and a line of JSON about it."""
    overrides = json.loads(Path(settings).read_text("utf-8"))
    with ResearchEngine(home=home, overrides=overrides) as engine:
        chosen = RunOptions(
            depth=int(depth), sources=("academic", "web", "newsroom"), clarify=False
        )
        state = engine.run(question, chosen)
    assert state.status == "complete", state.status
    rounds: list[dict[str, int]] = []
    for entry in state.trajectory:
        if entry.kind == "phase_started" and entry.phase == "aggregate":
            rounds.append({})
        elif entry.kind == "source_answered":
            rounds[-1][entry.data["client"]] = rounds[-1].get(entry.data["client"], 0) + 1
    searched = {
        client.client: sum(counts.get(client.client, 0) for counts in rounds)
        for client in state.clients
    }
    figures = {
        "hits": sum(client.found for client in state.clients),
        "sources": len(state.sources),
        "pages": sum(snapshot.completeness == "full" for snapshot in state.snapshots),
        "rounds": rounds,
        "followed": {
            client.client: client.requests - searched[client.client] for client in state.clients
        },
        "reads": [entry.data["pages"] for entry in state.trajectory if "pages" in entry.data],
        "taken": {client.client: client.seconds for client in state.clients},
        "seconds": state.usage.seconds,
        "embeddings": overrides["embeddings.enabled"] and find_spec("onnxruntime") is not None,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    child(*sys.argv[1:])
