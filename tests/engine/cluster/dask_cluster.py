"""A real Dask scheduler and worker processes on loopback, for tests and measurements."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_FILE = "scheduler.json"


@contextmanager
def cluster(folder: Path, size: int = 2) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Address of the scheduler, and the workers; ended with it are those added to the list."""
    scheduler = _started(folder, "scheduler", "--host", "127.0.0.1", "--port", "0")
    workers: list[subprocess.Popen[bytes]] = []
    try:
        workers += [worker(folder) for _ in range(size)]
        yield _address(folder, scheduler), workers
    finally:
        for process in [*workers, scheduler]:
            process.kill()
            process.wait()


def worker(folder: Path) -> subprocess.Popen[bytes]:
    """One more worker of the cluster in a folder."""
    words = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
    return _started(folder, "worker", *words, "--local-directory", str(folder))


def _started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}  # noqa: TID251
    environment["ZORORA_HOME"] = str(folder / "nowhere")
    command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
    command += ["--scheduler-file", str(folder / _FILE)]
    with (folder / "dask.log").open("ab") as log:
        return subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)


def _address(folder: Path, scheduler: subprocess.Popen[bytes]) -> str:
    file = folder / _FILE
    while scheduler.poll() is None:
        if file.exists() and file.stat().st_size:
            return str(json.loads(file.read_text())["address"])
        time.sleep(0.1)
    raise AssertionError("the scheduler did not start")
