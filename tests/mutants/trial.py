"""Runs chosen tests in a child process that starts with the heavy libraries already loaded."""

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import lxml.etree
import lxml.html
import pytest
import requests

PRELOADED = (hypothesis, lxml.etree, lxml.html, requests)
_FELL_OVER = 70  # the child's exit status where pytest itself raised
_BROKEN = (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR, _FELL_OVER)
_OURS = ("tools", "workflows", "engine", "ui", "zorora", "tests", "benchmarks")


@dataclass(frozen=True)
class Trial:
    """status: the exit status of pytest, negative for the signal that ended it."""

    status: int
    failed: list[str]

    @property
    def unnoticed(self) -> bool:
        """Whether every test passed, or there was none."""
        if self.status in _BROKEN:
            raise RuntimeError(f"pytest ended with {self.status} and tried nothing.")
        return self.status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


class _Chosen:
    """Keeps the chosen tests, in the given order, and learns which fail."""

    def __init__(self, tests: list[str]) -> None:
        self._place = {test: place for place, test in enumerate(tests)}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self._place]
        items[:] = sorted(chosen, key=lambda item: self._place[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def run_tests(root: Path, tests: list[str], *, stop_at_first: bool, seconds: int) -> Trial:
    """How the tests end in the tree at root, and which fail; a run that takes longer is killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _in_child(root, tests, stop_at_first, seconds, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        failed = stream.read().split("\n")
    _, status = os.waitpid(child, 0)
    return Trial(os.waitstatus_to_exitcode(status), [name for name in failed if name])


def _in_child(
    root: Path, tests: list[str], stop_at_first: bool, seconds: int, writing: int
) -> None:
    status = _FELL_OVER
    try:
        os.setsid()
        signal.alarm(seconds)
        for name in [name for name in sys.modules if name.split(".")[0] in _OURS]:
            del sys.modules[name]
        sys.path[:] = [str(root), *(path for path in sys.path if path not in {"", str(root)})]
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        chosen = _Chosen(tests)
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        options = ["-q", "-x"] if stop_at_first else ["-q"]
        off = [part for name in ("xdist", "cov", "cacheprovider") for part in ("-p", f"no:{name}")]
        off += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what is loaded before
        status = int(
            pytest.main([*options, *off, f"--basetemp={root}.tmp", *files], plugins=[chosen])
        )
        os.write(writing, "\n".join(chosen.failed).encode())
    finally:
        os._exit(status)
