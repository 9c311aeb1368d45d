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


@contextmanager
def cluster(folder: Path, size: int = 2) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Address of the scheduler, and the workers."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}  # noqa: TID251
    environment["ZORORA_HOME"] = str(folder / "nowhere")
    file = folder / "scheduler.json"
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: object) -> None:
        command = [
            sys.executable,
            "-m",
            "dask",
            *map(str, words),
            "--no-dashboard",
            "--scheduler-file",
            str(file),
        ]
        log = (folder / f"{len(started)}.log").open("wb")
        with log:
            started.append(
                subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
            )

    try:
        start("scheduler", "--host", "127.0.0.1", "--port", 0)
        for _ in range(size):
            start(
                "worker",
                "--nthreads",
                1,
                "--no-nanny",
                "--local-directory",
                folder,
                "--host",
                "127.0.0.1",
            )
        yield _address(file, started[0]), started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def _address(file: Path, scheduler: subprocess.Popen[bytes]) -> str:
    while scheduler.poll() is None:
        if file.exists() and file.stat().st_size:
            return str(json.loads(file.read_text())["address"])
        time.sleep(0.1)
    raise AssertionError("the scheduler did not start")
