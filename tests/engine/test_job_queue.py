"""The queue: who may run what, in which order, and who may still write."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from signal import SIGKILL, SIGTERM

import pytest

from engine.jobs import owner as owners
from engine.jobs.model import Checkpoint, Ending, Fenced, Job, RunProgress
from engine.jobs.spawn import Foreman, Launch
from engine.jobs.storage import Trail, pack, unpack
from engine.jobs.store import JobStore
from engine.schema import load
from tools.database import Database
from tools.errors import Conflict, NotFound
from workflows.research.events import Event

NOW = "2025-01-15T14:30:22Z"
ME = owners.current()


class Clock:
    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def jobs(tmp_path: Path, clock: Clock) -> JobStore:
    database = Database(tmp_path / "zorora.db", (load("zorora_002_jobs.sql"),))
    return JobStore(database, parallel=2, lease=60.0, clock=clock, now=lambda: NOW)


@pytest.fixture
def another() -> Iterator[owners.Owner]:
    """A living process that is not this one."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield owners.of(process.pid)
    process.kill()
    process.communicate()


@pytest.fixture(scope="module")
def gone() -> owners.Owner:
    """A process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    owner = owners.of(process.pid)
    process.wait()
    return owner


def add(jobs: JobStore, *names: str) -> None:
    for name in names:
        jobs.add(Job(name, f"What about {name}?", "queued", 2, NOW, options={}))


def test_jobs_run_in_the_order_they_were_asked_for(jobs: JobStore) -> None:
    add(jobs, "c", "a", "b")
    assert jobs.claim("b", ME) is None  # two are in front of it, and two may run
    assert [job.position for job in jobs.jobs(over=False)] == [1, 2, 3]
    first, second = jobs.claim("c", ME), jobs.claim("a", ME)
    assert first and second
    assert jobs.claim("b", ME) is None
    jobs.end(second, Ending("complete"), saved=True)
    assert jobs.claim("b", ME)


def test_one_job_has_one_owner(jobs: JobStore, another: owners.Owner) -> None:
    add(jobs, "a")
    assert jobs.claim("a", another)
    with pytest.raises(Conflict, match="already running"):
        jobs.claim("a", ME)


def test_an_unknown_job_is_not_found(jobs: JobStore) -> None:
    with pytest.raises(NotFound, match="no report called 'x'"):
        jobs.claim("x", ME)


def test_a_job_whose_process_is_gone_can_be_claimed_whatever_the_clock_says(
    jobs: JobStore, gone: owners.Owner, clock: Clock
) -> None:
    add(jobs, "a")
    assert jobs.claim("a", gone)
    clock.seconds -= 10_000
    assert jobs.claim("a", ME)


def test_a_living_silent_owner_keeps_his_job(
    jobs: JobStore, another: owners.Owner, clock: Clock
) -> None:
    add(jobs, "a")
    assert jobs.claim("a", another)
    clock.seconds += 10_000
    with pytest.raises(Conflict):
        jobs.claim("a", ME)


def test_after_a_reboot_a_job_is_free_at_once(jobs: JobStore) -> None:
    add(jobs, "a")
    assert jobs.claim("a", replace(ME, boot="another-boot"))
    assert jobs.claim("a", ME)


def test_where_nobody_can_look_the_owner_up_his_lease_decides(jobs: JobStore, clock: Clock) -> None:
    add(jobs, "a")
    assert jobs.claim("a", replace(ME, namespace="pid:[1]"))
    with pytest.raises(Conflict):
        jobs.claim("a", ME)
    clock.seconds += 61
    assert jobs.claim("a", ME)


def test_an_owner_that_lost_his_job_writes_nothing(jobs: JobStore, gone: owners.Owner) -> None:
    add(jobs, "a")
    old = jobs.claim("a", gone)
    new = jobs.claim("a", ME)
    assert old and new and new.epoch > old.epoch
    trail = Trail(jobs)
    event = Event("note", "aggregate", "from the grave", time=NOW)
    with pytest.raises(Fenced):
        trail.append(old, [event], RunProgress(), 1.0)
    with pytest.raises(Fenced):
        trail.checkpoint(old, Checkpoint(1, "plan", 0, b""), NOW)
    with pytest.raises(Fenced):
        jobs.end(old, Ending("complete"), saved=True)
    with pytest.raises(Fenced):
        jobs.cancel_wanted(old)
    assert trail.events("a") == [] and trail.last_checkpoint("a") is None
    assert jobs.get("a").status == "running"


def test_three_claims_without_a_checkpoint_end_a_job_until_it_is_forced(
    jobs: JobStore, gone: owners.Owner
) -> None:
    add(jobs, "a")
    claim = jobs.claim("a", gone)
    assert claim
    Trail(jobs).checkpoint(claim, Checkpoint(1, "follow", 1, b"x"), NOW)
    for _ in range(3):
        assert jobs.claim("a", gone)
    jobs.recover()
    job = jobs.get("a")
    assert job.status == "failed"
    assert job.problem and "stopped three times at follow" in job.problem
    assert jobs.unsettled() == ["a"]
    with pytest.raises(Conflict, match="three times"):
        jobs.requeue("a")
    jobs.requeue("a", force=True)
    assert jobs.claim("a", ME)


def test_a_checkpoint_counts_as_progress(jobs: JobStore, gone: owners.Owner) -> None:
    add(jobs, "a")
    for _ in range(7):
        claim = jobs.claim("a", gone)
        assert claim
        Trail(jobs).checkpoint(claim, Checkpoint(1, "follow", 1, b"x"), NOW)
    jobs.recover()
    assert jobs.get("a").status == "queued"


def test_the_first_answer_wins_and_the_job_goes_in_front(jobs: JobStore) -> None:
    add(jobs, "a", "b", "c", "d")
    claim = jobs.claim("a", ME)
    assert claim
    jobs.wait(claim, "Which one?", ("the one at MIT", "the other"))
    waiting = jobs.get("a")
    assert (waiting.status, waiting.question, waiting.choices) == (
        "waiting_for_input", "Which one?", ("the one at MIT", "the other"),
    )  # fmt: skip
    assert waiting.owner is None
    assert jobs.claim("b", ME) and jobs.claim("c", ME)  # waiting holds no slot
    jobs.answer("a", "the other")
    with pytest.raises(Conflict, match="answered already: the other"):
        jobs.answer("a", "the one at MIT")
    assert jobs.get("a").position == 1 and jobs.get("a").answer == "the other"


def test_an_answer_nobody_asked_for_is_refused(jobs: JobStore) -> None:
    add(jobs, "a")
    with pytest.raises(Conflict, match="not waiting"):
        jobs.answer("a", "yes")


def test_cancelling_a_queued_or_waiting_job_ends_it_at_once(jobs: JobStore) -> None:
    add(jobs, "a", "b")
    claim = jobs.claim("a", ME)
    assert claim
    jobs.wait(claim, "Which one?", ())
    for name in ("a", "b"):
        jobs.cancel(name)
        assert jobs.get(name).status == "cancelled"
    assert sorted(jobs.unsettled()) == ["a", "b"]


def test_cancelling_a_running_job_is_a_wish_its_owner_hears(jobs: JobStore) -> None:
    add(jobs, "a")
    claim = jobs.claim("a", ME)
    assert claim and not jobs.cancel_wanted(claim)
    jobs.cancel("a")
    assert jobs.cancel_wanted(claim) and jobs.get("a").status == "running"


def test_a_cancelled_job_whose_process_died_does_not_start_again(
    jobs: JobStore, gone: owners.Owner
) -> None:
    add(jobs, "a")
    assert jobs.claim("a", gone)
    jobs.cancel("a")
    assert jobs.get("a").status == "running"
    jobs.recover()
    assert jobs.get("a").status == "cancelled"


def test_a_queued_job_is_started_once_and_again_when_its_starter_died(
    jobs: JobStore, gone: owners.Owner
) -> None:
    add(jobs, "a", "b", "c")
    assert jobs.reserve(gone) == ["a", "b"]
    assert jobs.reserve(ME) == ["a", "b"]
    assert jobs.reserve(ME) == []
    jobs.hand_over("a", ME, gone)
    assert jobs.reserve(ME) == ["a"]


def test_a_worker_that_never_starts_does_not_start_for_ever(
    jobs: JobStore, gone: owners.Owner
) -> None:
    add(jobs, "a")
    for _ in range(5):
        jobs.reserve(gone)
    assert jobs.get("a").status == "failed"
    assert "could not be started" in (jobs.get("a").problem or "")


def test_a_deaf_worker_is_named_only_when_the_process_does_nothing_else(
    jobs: JobStore, clock: Clock
) -> None:
    add(jobs, "a", "b")
    assert jobs.claim("a", ME, dedicated=True) and jobs.claim("b", ME, dedicated=False)
    jobs.cancel("a")
    jobs.cancel("b")
    assert jobs.overdue(2.0) == []
    clock.seconds += 2.5
    assert jobs.overdue(2.0) == [("a", ME, False)]
    jobs.mark_signalled("a")
    assert jobs.overdue(2.0) == [("a", ME, True)]


def test_a_deaf_worker_is_told_after_two_seconds_and_ended_after_ten(
    jobs: JobStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(owners, "stop", lambda owner, number: sent.append(number))
    foreman = Foreman(jobs, Launch((), None, {}, Path()), lambda research_id: None)
    add(jobs, "a")
    assert jobs.claim("a", ME, dedicated=True)
    jobs.cancel("a")
    for seconds, expected in (
        (1.9, []),
        (0.2, [SIGTERM]),
        (7.8, [SIGTERM]),
        (0.2, [SIGTERM, SIGKILL]),
    ):
        clock.seconds += seconds
        foreman.look(at_once=True)
        assert sent == expected


def test_work_is_begun_again_only_on_what_is_over(jobs: JobStore) -> None:
    trail, more = Trail(jobs), Checkpoint(1, "plan", 0, b"")
    add(jobs, "a")
    for ending in (Ending("partial", finishing=True), Ending("partial")):
        with pytest.raises(Conflict, match="already being worked on"):
            trail.begin_again(jobs.get("a"), more, NOW)
        claim = jobs.claim("a", ME)
        assert claim
        with pytest.raises(Conflict, match="already being worked on"):
            trail.begin_again(jobs.get("a"), more, NOW)
        jobs.end(claim, ending, saved=not ending.finishing)
        if ending.finishing:
            with pytest.raises(Conflict, match="already being worked on"):
                trail.begin_again(jobs.get("a"), more, NOW)
            jobs.end(claim, Ending("partial"), saved=True)
        trail.begin_again(jobs.get("a"), more, NOW)
        assert jobs.get("a").status == "queued"


def test_events_are_numbered_and_asked_for_after_the_last_seen(jobs: JobStore) -> None:
    add(jobs, "a")
    claim = jobs.claim("a", ME)
    assert claim
    trail = Trail(jobs)
    for batch in (("one", "two"), ("three",)):
        trail.append(
            claim,
            [Event("note", "aggregate", m, {"m": m}, 0.5, NOW) for m in batch],
            RunProgress(),
            1.0,
        )
    assert [(e.seq, e.message) for e in trail.events("a")] == [(1, "one"), (2, "two"), (3, "three")]
    assert [e.data for e in trail.events("a", after=2)] == [{"m": "three"}]
    assert [e.seq for e in trail.events("a", limit=2)] == [1, 2]


def test_hostile_texts_in_events_are_stored_as_text(jobs: JobStore) -> None:
    add(jobs, "a")
    claim = jobs.claim("a", ME)
    assert claim
    trail = Trail(jobs)
    bad = "lone \ud800 surrogate, '); DROP TABLE jobs; -- " + "x" * 5000
    trail.append(
        claim,
        [Event("note", "p", bad, {"t": "\udfff", "big": "y" * 20_000}, time=NOW)],
        RunProgress(),
        0.0,
    )
    (event,) = trail.events("a")
    assert len(event.message) == 2000 and "\ud800" not in event.message
    assert event.data == {}


def test_a_state_survives_packing() -> None:
    value = {"text": "ÅΩ\n" * 1000, "none": None}
    assert unpack(pack(value)) == value
    with pytest.raises(ValueError, match="unpacked"):
        unpack(b"nonsense")


@pytest.mark.lab
def test_two_processes_claiming_at_once_get_one_job(tmp_path: Path) -> None:
    """Real processes, one database: exactly one of four is let in."""
    database = Database(tmp_path / "zorora.db", (load("zorora_002_jobs.sql"),))
    add(JobStore(database, now=lambda: NOW), "a")
    code = (
        "import sys, pathlib; from tools.database import Database; from engine.schema import load\n"
        "from engine.jobs.store import JobStore; from engine.jobs import owner\n"
        "from tools.errors import Conflict\n"
        f"jobs = JobStore(Database(pathlib.Path({str(tmp_path)!r}) / 'zorora.db', "
        "(load('zorora_002_jobs.sql'),)),"
        " now=lambda: 'now')\n"
        "input()\n"
        "try: print('got' if jobs.claim('a', owner.current()) else 'none', flush=True)\n"
        "except Conflict: print('refused', flush=True)\n"
        "input()\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    answers = sorted(process.stdout.readline().strip() for process in processes if process.stdout)
    for process in processes:
        process.communicate("\n")
    assert answers == ["got", "refused", "refused", "refused"]
