"""Workers that sleep past their lease, and clocks that jump: one owner at a time, nothing done
twice, nothing lost."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.answers import HistoryQuery
from engine.jobs import owner as owners
from engine.research_engine import ResearchEngine
from tests.engine.pretend import wait_for
from tests.lab.faults import Faults
from tests.lab.places import LONGEST, QUESTION, ROOT, Place

pytestmark = pytest.mark.lab

LEASE = 5  # seconds, the shortest there is
RESEARCHES = 2  # under a clock that jumps
OWNER = "SELECT owner FROM jobs WHERE research_id = ? AND owner IS NOT NULL"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path)
    place.home.mkdir()
    (place.home / "config.toml").write_text(
        f"[embeddings]\nenabled = false\n[jobs]\nlease = {LEASE}\nheartbeat = 1\n"
    )
    return place


def asleep(place: Place, rng: random.Random) -> tuple[str, owners.Owner]:
    """A research whose worker was put to sleep somewhere in the middle."""
    for _ in range(20):
        words = (
            "research",
            QUESTION,
            "--docs",
            place.papers(),
            "--sources",
            "local",
            "--depth",
            "1",
            "--detach",
        )
        assert place.program(*words).wait(LONGEST) == 0
        research_id = str(place.job())
        wait_for(
            lambda name=research_id: place.is_complete(name) or place.sql(OWNER, name), LONGEST
        )
        time.sleep(rng.uniform(0.0, 0.3))
        rows = place.sql(OWNER, research_id)
        if rows and place.status(research_id) == "running":
            owner = owners.read_owner(rows[0]["owner"])
            owners.stop(owner, signal.SIGSTOP)
            # One that sleeps within a transaction lets nobody else write, as SQLite means it
            if place.status(research_id) == "running" and place.is_writable():
                return research_id, owner
            owners.stop(owner, signal.SIGCONT)
        wait_for(lambda name=research_id: place.is_complete(name), LONGEST)
    raise AssertionError("no worker could be put to sleep in time")


def look(place: Place, research_id: str, seconds: float) -> None:
    """Look at the research now and then, as a page does."""
    with ResearchEngine(home=place.home, environ={}) as engine:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends and not engine.status(research_id).over:
            time.sleep(0.25)


def test_a_worker_that_slept_past_its_lease_goes_on_as_the_only_one(
    place: Place, faults: Faults
) -> None:
    research_id, owner = asleep(place, random.Random(1))
    (before,) = place.sql("SELECT epoch, claims FROM jobs WHERE research_id = ?", research_id)
    look(place, research_id, LEASE + 2)
    (after,) = place.sql(
        "SELECT epoch, claims, status FROM jobs WHERE research_id = ?", research_id
    )
    assert (after["epoch"], after["claims"], after["status"]) == (
        before["epoch"],
        before["claims"],
        "running",
    )
    state = place.snapshot(research_id)
    owners.stop(owner, signal.SIGCONT)
    place.wait_over(research_id)
    place.check_not_repeated(research_id, state)
    place.check_ended(research_id)
    place.check_databases()
    faults.count("slept past the lease (SIGSTOP)")


def test_a_worker_that_was_replaced_while_it_slept_writes_nothing_when_it_wakes(
    place: Place, faults: Faults
) -> None:
    research_id, owner = asleep(place, random.Random(2))
    # As if it ran in another container: nobody can look its process up, so the lease decides
    elsewhere = owners.Owner(owner.boot, "pid:[1]", owner.pid, owner.started)
    with (
        ResearchEngine(home=place.home, environ={}) as engine,
        engine._opened.storage.database.write() as write,
    ):
        write.execute(
            "UPDATE jobs SET owner = ? WHERE research_id = ?", (str(elsewhere), research_id)
        )
    state = place.snapshot(research_id)
    look(place, research_id, LONGEST)
    place.check_not_repeated(research_id, state)
    place.check_ended(research_id)
    record = (place.home / "research" / "findings" / place.saved[research_id]).read_bytes()
    rows = place.sql("SELECT * FROM events WHERE research_id = ?", research_id)
    job = tuple(place.sql("SELECT * FROM jobs WHERE research_id = ?", research_id)[0])
    owners.stop(owner, signal.SIGCONT)
    wait_for(lambda: owners.fate(owner) == "gone", LONGEST)
    assert (place.home / "research" / "findings" / place.saved[research_id]).read_bytes() == record
    assert place.sql("SELECT * FROM events WHERE research_id = ?", research_id) == rows
    assert tuple(place.sql("SELECT * FROM jobs WHERE research_id = ?", research_id)[0]) == job
    place.check_databases()
    faults.count("replaced while it slept")


def test_a_clock_that_jumps_at_every_look_loses_nothing(place: Place, faults: Faults) -> None:
    research = (
        "research",
        QUESTION,
        "--docs",
        place.papers(),
        "--sources",
        "local",
        "--depth",
        "1",
        "--json",
    )
    for seed in range(RESEARCHES):
        place.check_ended(json.loads(jumping(place, f"research {seed}", *research))["research_id"])
    names = sorted(place.saved)
    for seed, research_id in enumerate(names):
        jumping(place, f"note {seed}", "note", research_id, f"note {seed}")
        jumping(place, f"delete {seed}", "delete", research_id)
        jumping(place, f"undelete {seed}", "undelete", research_id)
        jumping(place, f"backup {seed}", "backup")
        faults.count("jumping clock", 5)
    place.check_databases()
    with ResearchEngine(home=place.home, environ={}) as engine:
        engine.upkeep.tidy()
        assert (
            sorted(entry.research_id for entry in engine.history(HistoryQuery()).entries) == names
        )
        states = [engine.load_research(name) for name in names]
        assert [state.user.note for state in states if state] == [
            f"note {n}" for n in range(len(names))
        ]
        assert len({place.saved[name] for name in names}) == len(names) == RESEARCHES
        # Today's copy is made although there are some of tomorrow
        assert list(
            (place.home / "backups").glob(
                f"zorora-{time.strftime('%Y%m%d', time.gmtime())}-*-daily.db"
            )
        )


def jumping(place: Place, seed: str, *words: str) -> str:
    """Run a command under such a clock; what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.lab.jumping", seed, "--home", str(place.home), *words],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr[-3000:]
    return done.stdout
