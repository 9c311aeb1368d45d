"""Whoever looks at the queue keeps it moving; settings travel to workers; homes are kept in
order."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.jobs import owner as owners
from engine.jobs.model import Job
from engine.jobs.spawn import Foreman, Launch, start_worker
from engine.jobs.store import JobStore
from engine.maintenance import upkeep
from engine.research_engine import ResearchEngine
from engine.resources import launch
from engine.schema import load as schema
from engine.settings.config import load
from tests.engine.pretend import wait_for
from tools.database import Database
from tools.errors import StorageError

NOW = "2025-01-15T14:30:22Z"
DEAF = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', "
    "flush=True); time.sleep(60)"
)


@pytest.fixture
def deaf() -> Iterator[subprocess.Popen[bytes]]:
    """A process that does not end when it is asked to."""
    process = subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


def test_a_worker_that_does_not_hear_is_asked_and_then_ended(
    tmp_path: Path, deaf: subprocess.Popen[bytes]
) -> None:
    seconds = [1000.0]
    database = Database(tmp_path / "zorora.db", (schema("zorora_002_jobs.sql"),))
    jobs = JobStore(database, clock=lambda: seconds[0], now=lambda: NOW)
    settled: list[str] = []
    foreman = Foreman(jobs, Launch((), {}, {}, tmp_path / "log"), settled.append)
    jobs.add(Job("a", "Why?", "queued", 1, NOW, options={}))
    assert jobs.claim("a", owners.of(deaf.pid), dedicated=True)
    jobs.cancel("a")
    for wait, alive in ((1.0, True), (1.5, True), (8.0, False)):
        seconds[0] += wait
        foreman.look(at_once=True)
        if alive:
            time.sleep(0.05)
            assert deaf.poll() is None
    assert deaf.wait(60) == -signal.SIGKILL
    wait_for(lambda: foreman.look(at_once=True) or settled)
    assert jobs.get("a").status == "cancelled" and settled[0] == "a"


def test_a_signal_is_sent_to_no_process_that_took_the_number_over(
    deaf: subprocess.Popen[bytes],
) -> None:
    mine = owners.of(deaf.pid)
    owners.stop(owners.Owner(mine.boot, mine.namespace, mine.pid, "1"), signal.SIGKILL)
    owners.stop(
        owners.Owner("another-boot", mine.namespace, mine.pid, mine.started), signal.SIGKILL
    )
    time.sleep(0.05)
    assert deaf.poll() is None
    assert owners.fate(mine) == "alive"


def test_a_zombie_is_gone() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    owner = owners.of(process.pid)
    wait_for(lambda: owners.fate(owner) == "gone")
    process.wait()


def test_where_there_is_no_proc_the_process_list_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(owners, "_PROC", tmp_path)
    start_time = owners._started(os.getpid())
    if not start_time:
        pytest.skip("there is no `ps` here")
    assert start_time == owners._started(os.getpid())
    assert owners._started(2**22 - 1) is None


def test_a_worker_is_told_the_home_and_what_the_engine_was_told(tmp_path: Path) -> None:
    config = load(
        tmp_path / "h",
        tmp_path / "elsewhere.db",
        {},
        {"jobs.parallel": 3, "corpus.ignore": ("a", "b")},
    )
    how = launch(config, {"PATH": "/bin"})
    assert how.arguments == ("--home", str(tmp_path / "h"))
    assert how.further == {
        "ZORORA_JOBS_PARALLEL": "3",
        "ZORORA_CORPUS_IGNORE": "a, b",
        "ZORORA_STORAGE_DB_PATH": str(tmp_path / "elsewhere.db"),
        "ZORORA_STORAGE_HOME": str(tmp_path / "h"),
        "ZORORA_STORAGE_JSON_PATH": str(tmp_path / "h" / "research" / "findings"),
    }
    again = load(how.arguments[1], environ=how.further)
    assert again.paths.db == config.paths.db and again.get("corpus.ignore") == ("a", "b")


def test_a_worker_that_cannot_be_started_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="worker cannot be started"):
        start_worker(Launch((), {}, {}, tmp_path / "no" / "log"), "worker", "a")


def test_what_a_worker_prints_is_for_its_owner_alone(tmp_path: Path) -> None:
    start_worker(
        Launch(("--home", str(tmp_path / "home")), None, {}, tmp_path / "log"), "worker", "nobody"
    )
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


def test_a_worker_that_cannot_be_started_is_tried_three_times_and_then_said(tmp_path: Path) -> None:
    database = Database(tmp_path / "zorora.db", (schema("zorora_002_jobs.sql"),))
    jobs = JobStore(database, now=lambda: NOW)
    foreman = Foreman(jobs, Launch((), {}, {}, tmp_path / "no" / "log"), lambda research_id: None)
    jobs.add(Job("a", "Why?", "queued", 1, NOW, options={}))
    for _ in range(4):
        foreman.look(at_once=True)
    assert jobs.get("a").status == "failed" and "could not be started" in (
        jobs.get("a").problem or ""
    )


def test_a_home_is_tidied_once_a_day(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    monkeypatch.setattr(upkeep.Upkeep, "tidy", lambda self: done.append(1))
    with ResearchEngine(home=home, environ={}) as engine:
        home.mkdir(exist_ok=True)
        first = engine.upkeep.tidy_when_due()
        assert first
        first.join(60)
        assert engine.upkeep.tidy_when_due() is None
        old = time.time() - 2 * upkeep.DAY
        os.utime(home / upkeep.TIDIED, (old, old))
        second = engine.upkeep.tidy_when_due()
        assert second
        second.join(60)
    assert done == [1, 1]


def test_tidying_copies_the_database_and_harms_nothing(home: Path) -> None:
    with ResearchEngine(home=home, environ={}) as engine:
        engine.upkeep.tidy()
        engine.upkeep.tidy()
        assert len(list((home / "backups").glob("zorora-*-daily.db"))) == 1
