"""Fixtures for every test. No test may open a connection beyond loopback."""

import contextlib
import gc
import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.options import FETCH_DATA, public_data
from tests import warm_start
from tests.lab.faults import Faults

ROOT = Path(__file__).resolve().parent.parent
SHARED = public_data()
LOOPBACK = ("127.0.0.1", "::1", "localhost", "0.0.0.0")


# Memory where Linux offers it: thousands of small databases that wait for a disk would double the
# time of all tests
MEMORY = Path("/dev/shm")
# Where compiled modules go when the environment wants none beside the sources
BYTECODE = ROOT / "build" / "bytecode"
# A file whose tests all belong to the lab, or all ask real services
NOT_BY_DEFAULT = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.(?:lab|live)\b", re.M)


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the process that runs the tests: compiled modules, signals, network, environment,
    temporary folders.

    A shell that runs the tests in the background ignores these signals, and processes inherit that.
    """
    if sys.dont_write_bytecode:
        # Otherwise each of a few hundred processes compiles everything anew: a third of the time of
        # all tests
        sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # noqa: TID251
        os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)  # noqa: TID251
    configure_hypothesis()
    # Not while coverage is measured: in Python 3.11 two threads that start at once then fail in
    # sys.settrace, as soon as any audit hook is written in Python
    if Path("/proc/self/fd").is_dir() and not config.pluginmanager.hasplugin("_cov"):
        sys.addaudithook(refuse_plain_open)
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(
                number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
            )
    close_network()
    # A home or a setting in the environment of whoever runs the tests must not reach them
    for name in [name for name in os.environ if name.startswith("ZORORA_")]:  # noqa: TID251
        del os.environ[name]  # noqa: TID251
    if without_lab(config) and roomy(MEMORY):  # the lab breaks a real disk
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # noqa: TID251
        warm_start.install()


def configure_hypothesis() -> None:
    """How long a made example takes is the machine's affair, and it may be busy. Every run makes
    others.

    Imported here, or its modules would be compiled anew in every process.
    """
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "zorora", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("zorora")


def without_lab(config: pytest.Config) -> bool:
    """Whether this run leaves the tests of the lab out."""
    return "not lab" in config.getoption("markexpr")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files of which no test would run."""
    if collection_path.suffix != ".py" or not without_lab(config):
        return None
    return bool(NOT_BY_DEFAULT.search(collection_path.read_text("utf-8"))) or None


def roomy(folder: Path) -> bool:
    """Whether a folder may be written to and has a gigabyte to spare (containers often give it far
    less)."""
    return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= 1 << 30


def refuse_plain_open(event: str, arguments: tuple[Any, ...]) -> None:
    """Fail a test in which anything but SQLite opens a database that this process has open: closing
    it again would drop the locks of the connections (tools/open_databases.py). SQLite's own opening
    raises no audit event `open`.
    """
    if (
        event != "open"
        or not isinstance(arguments[0], str | bytes)
        or (arguments[2] or 0) & os.O_EXCL
    ):
        return
    path = Path(os.fsdecode(arguments[0]))
    if not path.name.endswith((".db", ".db-wal", ".db-shm", ".db-journal")) or not path.exists():
        return
    for descriptor in list(Path("/proc/self/fd").iterdir()):
        with contextlib.suppress(FileNotFoundError):  # the one of the listing
            if descriptor.samefile(path):
                raise AssertionError(
                    f"{path} is opened as a plain file while SQLite has it open in this process"
                )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare what was collected the search for cycles: it stays, and searching it took a third of
    the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # Seldom: the syntax trees that some tests read took three times as long
        gc.set_threshold(50_000, 20, 20)
        gc.enable()


def pytest_sessionfinish() -> None:
    """Leave no process behind."""
    warm_start.end()


may_leave_loopback = False  # while a test marked live runs


def close_network() -> None:
    """Let connections leave loopback only in tests marked live."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        beyond = self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK
        if beyond and not may_leave_loopback:
            raise OSError(f"a test tried to reach {address[0]}")
        real(self, address)

    socket.socket.connect = connect  # type: ignore[method-assign]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Open the network for tests marked live."""
    global may_leave_loopback
    may_leave_loopback = item.get_closest_marker("live") is not None


@pytest.fixture(scope="session")
def shared() -> Iterator[Path]:
    """The folder of recorded answers and benchmark data; skips where it is absent or only a part of
    it was fetched."""
    if SHARED is None or not (SHARED / "recorded" / "MANIFEST.jsonl").is_file():
        pytest.skip(f"the recorded answers and public data are not here; {FETCH_DATA}")
    yield SHARED


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home directory for one engine."""
    return tmp_path / "home"


@pytest.fixture
def faults() -> Faults:
    """Where a test of the laboratory counts what was survived."""
    return Faults()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test counted travels with its report, which may come from another process. One that
    counts faults and fails has found one that was not survived.
    """
    report = yield
    if "faults" in getattr(item, "fixturenames", ()):
        counted = getattr(item, "funcargs", {}).get("faults")
        counts = Faults(
            counted.counts if call.when == "call" and isinstance(counted, Faults) else {}
        )
        if report.failed:
            counts.fail(item.nodeid, call.excinfo.value if call.excinfo else None)
        report.user_properties.append(("faults", (counts.counts, counts.broken)))
    return report


def recorded_values(terminalreporter: pytest.TerminalReporter, name: str) -> Iterator[Any]:
    """What tests put under a name, file by file: processes that share the work report in any
    order."""
    reports = [
        report
        for some in terminalreporter.stats.values()
        for report in some
        if isinstance(report, pytest.TestReport)
    ]
    for report in sorted(reports, key=lambda report: report.nodeid.partition("::")[0]):
        if report.when == "call" or report.failed:
            yield from (value for key, value in report.user_properties if key == name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The tables of faults and of attacks, under the results."""
    faults = Faults()
    for counts, broken in recorded_values(terminalreporter, "faults"):
        faults.add(counts, broken)
    if faults.counts or faults.broken:
        terminalreporter.section("faults")
        for line in faults.lines():
            terminalreporter.write_line(line)
    rows = list(recorded_values(terminalreporter, "security"))
    if rows:
        terminalreporter.section("security")
        for (
            what,
            tried,
            through,
        ) in rows:  # in the order of the tests: "the same ..." goes on from the row above
            terminalreporter.write_line(f"{what:<74} {tried:>7} tried {through:>4} got through")
