"""CPU time of a program with everything it started, also of what outlives it for a moment (Linux).

The program runs under a small process that adopts orphans and waits for all of them; so parsers in
a pool of their own are counted as well.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.options import ROOT

PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Used:
    """cpu, wall: seconds. peak: resident MB of the largest process."""

    cpu: float
    wall: float
    peak: float
    output: str


def measure(words: Sequence[str], environment: Mapping[str, str] | None = None) -> Used:
    """Run a program to its end. Raises CalledProcessError when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "used.json"
        ran = subprocess.run(
            [sys.executable, "-m", "benchmarks.meter", str(report), *words],
            cwd=ROOT,
            env=dict(environment) if environment else with_bytecode(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        figures = json.loads(report.read_text("utf-8"))
    return Used(figures["cpu"], figures["wall"], figures["peak"], ran.stdout)


def with_bytecode() -> dict[str, str]:
    """An environment in which compiled modules are kept, as in an installation."""
    environ = {
        name: value
        for name, value in os.environ.items()  # noqa: TID251
        if name != "PYTHONDONTWRITEBYTECODE"
    }
    return {
        **environ,
        "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "zorora-benchmark-bytecode"),
    }


def main(report: str, words: Sequence[str]) -> int:
    """Run the words, wait for every descendant, write what they used."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    began = time.perf_counter()
    code = subprocess.run(words, check=False).returncode
    wall = time.perf_counter() - began
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures = {"cpu": used.ru_utime + used.ru_stime, "wall": wall, "peak": used.ru_maxrss / 1024}
    Path(report).write_text(json.dumps(figures), "utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
