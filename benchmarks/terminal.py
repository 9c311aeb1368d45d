"""How fast the terminal answers: start, prompt, router, completion with 10 000 researches, an edit
of a 1 MB file."""

import os
import pty
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

from benchmarks.history import Words, _filled
from benchmarks.meter import measure, with_bytecode
from benchmarks.options import ROOT, Options, Row, at_most, shown
from benchmarks.reference import scaled, slowness
from engine.records.storage import LocalStorage
from engine.research_engine import ResearchEngine
from tools.host import files
from tools.host.place import Workplace
from ui.terminal.prompt import line_editor
from ui.terminal.session import Session
from workflows.routing.router import route

VERSION_MS, PROMPT_MS, ROUTER_MS, COMPLETION_MS, EDIT_MS = 100.0, 350.0, 1.0, 50.0, 100.0
RESEARCHES = 10_000
LINES = (
    "show me the evidence that naps help memory", "save this as notes.md", "why do files get "
                                                                           "corrupted",
    "fix the bug in engine/records/storage.py", "write a function that sorts",
    "draw a cat in the rain",
    "what does the literature say about how people save money " * 8, "delete my last research",
)  # fmt: skip


def run(options: Options) -> list[Row]:
    """The figures of this benchmark."""
    slow = slowness()
    runs = 3 if options.quick else 7
    version = [sys.executable, "-m", "ui.terminal", "version"]
    measure(version)  # compiles the modules
    start = statistics.median(measure(version).cpu for _ in range(runs)) * 1000
    waited = statistics.median(_prompt_seconds() for _ in range(3 if options.quick else 5)) * 1000
    routed = max(_best(partial(route, line), 20) for line in LINES) * 1000
    completed = _completion(1000 if options.quick else RESEARCHES)
    edited = statistics.median(_edits(runs)) * 1000
    return [
        at_most("zorora version, CPU", scaled(start, slow), "ms", VERSION_MS, 0),
        at_most("start to the first prompt, CPU", scaled(waited, slow), "ms", PROMPT_MS, 0),
        at_most("route of the slowest of the lines", scaled(routed, slow), "ms", ROUTER_MS),
        *(
            at_most(f"completion of {what}", scaled(t * 1000, slow), "ms", COMPLETION_MS, 2)
            for what, t in completed
        ),
        at_most("edit of a 1 MB file, with diff and fsync", scaled(edited, slow), "ms", EDIT_MS, 1),
        shown("slowness of this machine", round(slow, 2), "x"),
    ]


def _prompt_seconds() -> float:
    """CPU from the start of `zorora` on a terminal to its prompt; what waits for a busy machine is
    not counted."""
    with tempfile.TemporaryDirectory() as home:
        mine, theirs = pty.openpty()
        program = subprocess.Popen(
            [sys.executable, "-m", "ui.terminal", "--home", home],
            cwd=ROOT,
            env={**with_bytecode(), "TERM": "xterm"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        try:
            _wait_for_prompt(mine)
            return _cpu(program.pid)
        finally:
            program.kill()
            program.wait(10)
            os.close(mine)


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wait_for_prompt(handle: int) -> None:
    seen = b""
    while b"zorora>" not in seen:
        if not select.select([handle], [], [], 30)[0]:
            raise RuntimeError(f"no prompt came, but {seen[-200:]!r}")
        piece = os.read(handle, 4096)
        seen += piece
        if b"\x1b[6n" in piece:
            # The answer of a terminal that is asked where its cursor is
            os.write(handle, b"\x1b[1;1R")


def _completion(count: int) -> list[tuple[str, float]]:
    """(what, seconds of the slowest of some) with so many researches kept."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir(mode=0o700)
        storage = LocalStorage(home / "zorora.db")
        _filled(storage, Words(3), 0, count)
        storage.close()
        for number in range(1000):
            (Path(folder) / f"paper-{number}.pdf").touch()
        with ResearchEngine(home=home, environ={}) as engine:
            session = Session(screen=cast(Any, None), open_engine=lambda _: engine)
            cases = (("commands", "/re"), ("ids, none typed", "/show "), ("ids", "/show made_20"),
                     ("ids without a match", "/show zzz"),
                     ("1 000 paths", f"/ingest {folder}/pa"))  # fmt: skip
            # Loads the line editor and opens the database
            next(iter(line_editor.completions(session, "/show ")), None)
            return [(what, _best(partial(_offered, session, text), 10)) for what, text in cases]


def _offered(session: Session, text: str) -> list[object]:
    return list(line_editor.completions(session, text))


def _edits(runs: int) -> list[float]:
    """Seconds of edits in a file of 1 MB, near its end."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(Path(folder))
        text = "".join(
            f"line {number} of a file with some words in it, {number % 97}\n"
            for number in range(22_000)
        )
        (Path(folder) / "big.txt").write_text(text)
        files.open_text(place, "big.txt")
        for number in range(runs):
            began = time.perf_counter()
            files.edit_file(place, "big.txt", f"line {21_000 + number} of", f"LINE {number} of")
            times.append(time.perf_counter() - began)
    return times


def _best(work: Callable[[], object], runs: int) -> float:
    """The median of some runs."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)
