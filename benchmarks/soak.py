"""Long use: 50 researches in a row in one process, and a day of looks at the web pages. Nothing may
pile up.

`make soak`; minutes. The researches alternate between the stand-in services and the example
documents. The day is simulated: a page that shows the newest of a running research asks for its
progress every two seconds, 43 200 times, and once a simulated minute the research says something
and somebody opens the first page, the history, a report and the library; all that as fast as the
server answers. Memory, descriptors and threads are read from /proc (Linux).
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from benchmarks import standin_services
from benchmarks.meter import with_bytecode
from benchmarks.options import ROOT, Options, Row, at_most, shown
from benchmarks.startup import address_of

RESEARCHES, LOOKS = 50, 43_200
WARM_RESEARCHES, WARM_LOOKS = 10, 2_000  # before the first measurement: caches fill, pools start
MINUTE = 30  # looks
# Of the server by its settings; of every page, a thread, before the first measurement
THREADS, VISITS = (
    16,
    8,
)
MB_A_RESEARCH, MB_A_DAY = 0.25, 4.0
DATA_SPREAD = 1.15  # bytes a research, the last ten against those after the warm-up
BYTES_AN_EVENT = 600
REST_SECONDS = 5.0
NOISE = 4  # descriptors: a connection that is just being opened or closed, with its log
QUESTIONS = (
    "How do batteries change evening electricity prices?",
    "Do street trees cool cities?",
    "What do battery storage sites cost to run?",
    "Which trees are planted in towns?",
)


def run(options: Options) -> list[Row]:
    """The figures of both halves."""
    count, looks = (14, 4_000) if options.quick else (RESEARCHES, LOOKS)
    with tempfile.TemporaryDirectory() as folder:
        samples = _researches(Path(folder) / "researches", count)
        before, after, slowest, events = _day(Path(folder) / "day", looks)
    first, last = samples[WARM_RESEARCHES - 1], samples[-1]
    more = len(samples) - WARM_RESEARCHES
    tail = min(2 * len(QUESTIONS) * 2, more // 2)  # each question twice from either kind of source
    settled = samples[WARM_RESEARCHES - 1 : WARM_RESEARCHES - 1 + tail]
    early = _bytes(samples[WARM_RESEARCHES - 1 + tail]) - _bytes(first)
    late = _bytes(last) - _bytes(samples[-1 - tail])
    return [
        shown("researches in a row", count),
        at_most(
            "memory gained a research, after the tenth",
            (last["rss"] - first["rss"]) / more,
            "MB",
            MB_A_RESEARCH,
        ),
        at_most(
            "descriptors gained after the tenth", _most(samples[-tail:]) - _most(settled), "", NOISE
        ),
        at_most("threads gained after the tenth", last["threads"] - first["threads"], "", 0),
        at_most(
            "bytes stored a research, last ones against first ones",
            late / max(1, early),
            "",
            DATA_SPREAD,
            2,
        ),
        shown("stored a research", round(late / tail / 1000), "kB"),
        shown("memory of the process at the end", round(last["rss"], 1), "MB"),
        shown("looks at the pages of a running research", looks),
        at_most("memory gained by the server", after["rss"] - before["rss"], "MB", MB_A_DAY, 2),
        at_most(
            "descriptors gained by the server",
            after["descriptors"] - before["descriptors"],
            "",
            NOISE,
        ),
        at_most("threads gained by the server", after["threads"] - before["threads"], "", 0),
        at_most(
            "bytes of the databases an event",
            (_bytes(after) - _bytes(before)) / events,
            "",
            BYTES_AN_EVENT,
            0,
        ),
        shown("slowest look, wall", round(slowest * 1000), "ms"),
    ]


def _researches(home: Path, count: int) -> list[dict[str, float]]:
    """One process, many researches; what it held after each."""
    with standin_services.start() as world:
        settings_file = home.with_suffix(".json")
        settings_file.write_text(
            json.dumps({**world.settings, "embeddings.enabled": False}), "utf-8"
        )
        words = [sys.executable, "-m", "benchmarks.soak", str(settings_file), str(home), str(count)]
        ran = subprocess.run(
            words, cwd=ROOT, env=with_bytecode(), stdout=subprocess.PIPE, text=True, check=True
        )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def child(settings: str, home: str, count: str) -> None:
    """The measured process: a line of JSON after each research."""
    from engine.answers import RunOptions
    from engine.research_engine import ResearchEngine

    overrides = json.loads(Path(settings).read_text("utf-8"))
    with ResearchEngine(home=home, overrides=overrides) as engine:
        engine.ingest([ROOT / "examples"])
        for number in range(int(count)):
            sources = ("academic", "web", "newsroom") if number % 2 else ("local",)
            question = QUESTIONS[number // 2 % len(QUESTIONS)]
            state = engine.run(question, RunOptions(depth=1, sources=sources, clarify=False))
            assert state.status == "complete", state.status
            _settle(engine)
            print(json.dumps(resources(None, Path(home))), flush=True)


def _settle(engine: Any) -> None:
    """A look from a new thread, which closes what the threads of the research have left; and a
    moment in which the system takes back threads that have ended for Python, if they have.
    """
    thread = threading.Thread(target=lambda: (engine.history(), engine.library()))
    thread.start()
    thread.join()
    ends = time.monotonic() + REST_SECONDS
    while (
        len(list(Path("/proc/self/task").iterdir())) > threading.active_count()
        and time.monotonic() < ends
    ):
        time.sleep(0.01)


def _day(home: Path, looks: int) -> tuple[dict[str, float], dict[str, float], float, int]:
    """The server before and after the looks (the warm-up not counted), the slowest look, the events
    told."""
    slowest, reports = 0.0, 0
    with _running(home) as say, _served(home) as (address, pid):
        pages = ("/", "/history", "/library", f"/research/{_RUNNING}", "/settings")
        before: dict[str, float] = {}
        for number in range(WARM_LOOKS + looks):
            if number == WARM_LOOKS:
                _all_at_once(address, pages)
                before = resources(pid, home)
                reports, slowest = 0, 0.0
            if number % MINUTE == 0:
                say(number)
                reports += 1
                _get(address + pages[number // MINUTE % len(pages)])
            began = time.perf_counter()
            _get(f"{address}/research/{_RUNNING}/progress")
            slowest = max(slowest, time.perf_counter() - began)
        return before, resources(pid, home), slowest, max(1, reports)


def _all_at_once(address: str, pages: Sequence[str]) -> None:
    """Every page from every thread of the server, so that each has opened its connections and has
    their statements."""
    with ThreadPoolExecutor(2 * THREADS) as visitors:
        for page in pages:
            list(visitors.map(_get, [address + page] * (THREADS * VISITS)))


_RUNNING = "a_research_that_takes_a_day_20260101_000000"


@contextmanager
def _running(home: Path) -> Iterator[Any]:
    """A research that this process holds; call what is given to let it say something."""
    from engine.clock import now
    from engine.jobs import owner as owners
    from engine.jobs.model import Job, RunProgress
    from engine.jobs.storage import Trail
    from engine.research_engine import ResearchEngine
    from workflows.research.events import Event

    with ResearchEngine(home=home, environ={}, overrides={"embeddings.enabled": False}) as engine:
        engine.ingest([ROOT / "examples"])
        jobs, me = engine._opened.jobs, owners.current()
        jobs.add(Job(_RUNNING, "What takes a day?", "queued", 1, now(), options={}), waiter=me)
        claim = jobs.claim(_RUNNING, me)
        assert claim is not None
        trail = Trail(jobs)

        def say(number: int) -> None:
            with jobs.holding(claim):
                event = Event(
                    "note", "aggregate", f"Still looking, {number} looks later.", time=now()
                )
                progress = RunProgress(phase="aggregate", phase_number=3)
                trail.append(claim, [event], progress, float(number))

        yield say


@contextmanager
def _served(home: Path) -> Iterator[tuple[str, int]]:
    """A web server in a process of its own: its address and its number."""
    words = [
        sys.executable,
        "-m",
        "ui.terminal",
        "--home",
        str(home),
        "web",
        "--port",
        "0",
        "--no-browser",
    ]
    server = subprocess.Popen(
        words,
        cwd=ROOT,
        env=with_bytecode(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield address_of(server), server.pid
    finally:
        server.terminate()
        server.wait(30)


def _get(address: str) -> None:
    with closing(urllib.request.urlopen(address, timeout=30)) as answer:
        answer.read()


def resources(pid: int | None, home: Path) -> dict[str, float]:
    """What a process (None: this one) holds now: MB of memory, descriptors, threads; and bytes of
    the databases."""
    place = Path("/proc") / (str(pid) if pid else "self")
    lines = dict(
        line.split(":", 1) for line in (place / "status").read_text().splitlines() if ":" in line
    )
    return {
        "rss": int(lines["VmRSS"].split()[0]) / 1024,
        "threads": int(lines["Threads"]),
        "descriptors": len(list((place / "fd").iterdir())),
        **{path.name: _size(path) for path in sorted(home.glob("*.db"))},
    }


def _most(samples: Sequence[Mapping[str, float]]) -> float:
    return max(sample["descriptors"] for sample in samples)


def _size(database: Path) -> int:
    """Bytes of a database with what still stands in its log, free pages left out."""
    with closing(sqlite3.connect(database, timeout=30)) as connection:
        pages, free, size = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
    return (pages - free) * size


def _bytes(sample: Mapping[str, float]) -> float:
    return sum(size for name, size in sample.items() if name.endswith(".db"))


if __name__ == "__main__":
    child(*sys.argv[1:])
