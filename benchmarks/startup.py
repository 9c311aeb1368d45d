"""How long one waits before anything happens: `zorora version`, and the first page of the web
server."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from benchmarks.meter import measure, with_bytecode
from benchmarks.options import ROOT, Options, Row, at_most, shown
from benchmarks.reference import scaled, slowness

VERSION_MS, WEB_SECONDS, IDLE_MB = 100.0, 1.0, 70.0
SETTLE_SECONDS = 2.0
TICKS = os.sysconf("SC_CLK_TCK")


def run(options: Options) -> list[Row]:
    """CPU of `version`, CPU of the server up to its first answer, memory of the idle server."""
    slow = slowness()
    runs = 3 if options.quick else 7
    version = [sys.executable, "-m", "ui.terminal", "version"]
    measure(version)  # compiles the modules
    milliseconds = statistics.median(measure(version).cpu for _ in range(runs)) * 1000
    _web()
    webs = [_web() for _ in range(1 if options.quick else 3)]
    cpu = statistics.median(web[0] for web in webs)
    return [
        at_most("zorora version, CPU", scaled(milliseconds, slow), "ms", VERSION_MS, 0),
        at_most("web start to the first 200, CPU", scaled(cpu, slow), "s", WEB_SECONDS),
        shown(
            "web start to the first 200, wall", round(statistics.median(w[1] for w in webs), 2), "s"
        ),
        at_most(
            "idle web server, resident memory",
            statistics.median(w[2] for w in webs),
            "MB",
            IDLE_MB,
            1,
        ),
        shown("slowness of this machine", round(slow, 2), "x"),
    ]


def _web() -> tuple[float, float, float]:
    """(CPU seconds, wall seconds, resident MB) of a fresh server on a fresh home."""
    with tempfile.TemporaryDirectory() as home:
        words = [
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
        began = time.perf_counter()
        server = subprocess.Popen(
            words,
            cwd=ROOT,
            env=with_bytecode(),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            with urllib.request.urlopen(address_of(server), timeout=30) as answer:
                assert answer.status == 200
            cpu, wall = _cpu(server.pid), time.perf_counter() - began
            time.sleep(SETTLE_SECONDS)
            return cpu, wall, _resident(server.pid)
        finally:
            server.terminate()
            server.wait(30)


def address_of(server: "subprocess.Popen[str]") -> str:
    """Where a server started with a pipe as its standard error listens."""
    assert server.stderr is not None
    for line in server.stderr:
        match = re.search(r"http://\S+", line)
        if match:
            return match.group(0)
    raise RuntimeError("zorora web printed no address")


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _resident(pid: int) -> float:
    match = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(match.group(1)) / 1024 if match else 0.0
