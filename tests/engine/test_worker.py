"""One job, one worker: checkpoints, cancel, questions, faults, and processes that die."""

import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.answers import RunOptions
from engine.extensions import Extensions
from engine.research_engine import ResearchEngine
from tests.engine.pretend import Pretend, wait_for
from tools.errors import ConfigError, Conflict, NotFound, Refused, StorageError
from workflows.research.state import ResearchState

ROOT = Path(__file__).resolve().parent.parent.parent
LOCAL = RunOptions(sources=("local",), depth=1)
Open = Callable[..., ResearchEngine]


@pytest.fixture
def open_engine(home: Path, tmp_path: Path) -> Iterator[Open]:
    """Opens engines on one home, with a pretended pipeline."""
    opened: list[ResearchEngine] = []

    def make(**how: object) -> ResearchEngine:
        pipeline = Pretend(tmp_path, **how)  # type: ignore[arg-type]
        opened.append(
            ResearchEngine(home=home, environ={}, extensions=Extensions(pipeline=pipeline))
        )
        return opened[-1]

    yield make
    for engine in opened:
        engine.close()


@pytest.fixture
def other_process(home: Path, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Runs a research with a pretended pipeline in a process of its own; prints its status when it
    ends."""
    started: list[subprocess.Popen[str]] = []

    def run(call: str, **how: object) -> subprocess.Popen[str]:
        code = f"""
            import sys
            sys.path.insert(0, {str(ROOT)!r})
            from tests.engine.pretend import Pretend
            from engine.answers import RunOptions
            from engine.research_engine import ResearchEngine
            from engine.extensions import Extensions
            added = Extensions(pipeline=Pretend({str(tmp_path)!r}, **{how!r}))
            engine = ResearchEngine(home={str(home)!r}, environ={{}}, extensions=added)
            state = engine.{call}
            print(state.status if state else "none", flush=True)
            engine.close()
        """
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def queued(engine: ResearchEngine, query: str = "What lowers prices?") -> str:
    """A job in the queue that nobody is starting."""
    return engine._researches._add(query, LOCAL, waiter=None)


def running(engine: ResearchEngine) -> str:
    return wait_for(
        lambda: next((job.research_id for job in engine.jobs() if job.status == "running"), "")
    )


def test_a_run_ends_as_a_record_with_its_events(open_engine: Open) -> None:
    engine = open_engine()
    seen = []
    state = engine.run("What lowers prices?", LOCAL, on_event=seen.append)
    assert state.status == "complete"
    assert engine._opened.storage.load_research(state.research_id) == state
    status = engine.status(state.research_id)
    assert (status.status, status.over, status.phase) == ("complete", True, "synthesis")
    events = engine.events(state.research_id)
    assert [e.kind for e in events] == ["phase_started"] * 4 + ["research_finished"]
    assert [e.seq for e in events] == [1, 2, 3, 4, 5]
    assert len(seen) == 5
    assert engine.events(state.research_id, after=4)[0].kind == "research_finished"
    assert engine.preview(state.research_id) is None  # a complete research needs no checkpoint


def test_one_who_watches_and_fails_costs_the_run_nothing(open_engine: Open) -> None:
    events = []

    def watcher(event: object) -> None:
        events.append(event)
        raise BrokenPipeError

    state = open_engine().run("What lowers prices?", LOCAL, watcher)
    assert state.status == "complete" and len(events) == 1


@pytest.mark.parametrize(
    ("query", "options", "error"),
    [
        ("", LOCAL, Refused),
        (" \n\x00 ", LOCAL, Refused),
        ("x" * 20_001, LOCAL, Refused),
        ("ok", RunOptions(depth=4), ConfigError),
        ("ok", RunOptions(sources=("gossip",)), ConfigError),
        ("ok", RunOptions(sources=()), ConfigError),
        ("ok", RunOptions(docs=("/no/such/place",)), NotFound),
    ],
)
def test_bad_input_is_refused_before_a_job_exists(
    open_engine: Open, query: str, options: RunOptions, error: type[Exception]
) -> None:
    engine = open_engine()
    with pytest.raises(error):
        engine.run(query, options)
    assert engine.jobs(over=True) == []


@pytest.mark.parametrize(
    "query", ["etc/../../passwd", "'; DROP TABLE jobs; --", "näïve\ud800 💡 question", "a" * 9999]
)
def test_any_question_gets_a_safe_name(open_engine: Open, query: str) -> None:
    engine = open_engine()
    state = engine.run(query, LOCAL)
    assert engine.load_research(state.research_id) is not None
    assert "/" not in state.research_id


def test_two_questions_in_one_second_get_two_names(open_engine: Open) -> None:
    engine = open_engine()
    names = {engine.run("The same question about batteries?", LOCAL).research_id for _ in range(3)}
    assert len(names) == 3


def begun(engine: ResearchEngine, phase: str) -> tuple[str, threading.Thread, list[ResearchState]]:
    """A research in a thread, once it is in a phase: its id, the thread, and where its state will
    be."""
    results: list[ResearchState] = []
    thread = threading.Thread(
        target=lambda: results.append(engine.run("What lowers prices?", LOCAL))
    )
    thread.start()
    research_id = running(engine)
    wait_for(lambda: engine.status(research_id).phase == phase)
    return research_id, thread, results


def test_a_cancel_waits_for_no_step_and_keeps_what_was_found(open_engine: Open) -> None:
    engine = open_engine(waits={"synthesis": 60.0})
    research_id, thread, results = begun(engine, "synthesis")
    began = time.monotonic()
    assert not engine.status(research_id).stopping and engine.cancel(research_id).stopping
    wait_for(lambda: engine.status(research_id).status == "partial")
    assert (
        time.monotonic() - began < 30
    )  # two seconds on a machine that is free; the step takes a minute
    thread.join()
    (state,) = results
    assert (state.status, state.ended_by) == ("partial", "user")
    assert state.report is not None
    assert engine._opened.storage.load_research(research_id) == state
    assert engine.status(research_id).over and not engine.status(research_id).stopping
    assert "Stopping; what was found is kept." in [
        event.message for event in engine.events(research_id)
    ]


@pytest.mark.lab
def test_a_phase_that_does_not_listen_is_left_behind(open_engine: Open, tmp_path: Path) -> None:
    steps = {"synthesis": 600.0}
    engine = open_engine(waits=steps, deaf=True)
    research_id, thread, _ = begun(engine, "synthesis")
    engine.cancel(research_id)
    wait_for(lambda: engine.status(research_id).status == "partial")
    thread.join()
    before = engine.load_research(research_id)
    (left,) = [thread for thread in threading.enumerate() if thread.name == f"run {research_id}"]
    steps["synthesis"] = 0.0
    left.join(60)  # the phase returns, and nobody takes what it brings
    assert not left.is_alive() and engine.load_research(research_id) == before


def test_a_cancel_before_anything_was_found_is_cancelled(open_engine: Open) -> None:
    engine = open_engine(waits={"plan": 60.0})
    results = []
    thread = threading.Thread(
        target=lambda: results.append(engine.run("What lowers prices?", LOCAL))
    )
    thread.start()
    engine.cancel(running(engine))
    thread.join()
    assert (results[0].status, results[0].report) == ("cancelled", None)


@pytest.mark.lab
def test_what_a_stopped_step_had_found_is_kept_when_no_report_is_made_in_time(
    open_engine: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.runs.worker.REPORT_SECONDS", 1.0)
    steps = {"aggregate": 60.0, "partial": 60.0}
    engine = open_engine(waits=steps)
    research_id, thread, results = begun(engine, "aggregate")
    engine.cancel(research_id)
    wait_for(lambda: engine.status(research_id).status == "cancelled")
    steps["aggregate"] = 0.0  # run again with nobody asked, it has its answers at once
    thread.join(30)
    steps["partial"] = 0.0
    (state,) = results
    assert state.sources and state.evidence and state.report is None
    assert (state.status, state.ended_by) == ("cancelled", "user")
    assert engine._opened.storage.load_research(research_id) == state


def test_a_mistake_in_a_phase_ends_the_job_with_a_sentence_and_keeps_what_was_found(
    open_engine: Open,
) -> None:
    engine = open_engine(dies="synthesis")
    state = engine.run("What lowers prices?", LOCAL)
    assert (state.status, state.ended_by) == ("partial", "error")
    status = engine.status(state.research_id)
    assert status.problem and "RuntimeError: a mistake in a phase" in status.problem
    early = open_engine(dies="plan").run("What lowers prices?", LOCAL)
    assert early.status == "failed"


def test_a_research_that_ended_early_goes_on_where_it_was(
    open_engine: Open, tmp_path: Path
) -> None:
    broken = open_engine(dies="synthesis")
    research_id = broken.run("What lowers prices?", LOCAL).research_id
    broken.star(research_id, True)
    mended = open_engine()
    state = mended.resume_here(research_id)
    assert (state.status, state.ended_by) == ("complete", None)
    assert Pretend(tmp_path).steps() == [
        "understand",
        "plan",
        "aggregate",
        "synthesis",
        "partial",
        "synthesis",
    ]
    record = mended.load_research(research_id)
    assert record and record.user.starred
    with pytest.raises(Conflict, match="complete"):
        mended.resume_here(research_id)


def test_repairing_a_sound_home_ends_no_research_that_waits_for_its_user(open_engine: Open) -> None:
    engine = open_engine(asks=True)
    research_id = engine.run("Who is Ada Okafor?", LOCAL).research_id
    open_engine().upkeep.repair()
    status = engine.status(research_id)
    assert (status.status, status.problem) == ("waiting_for_input", None)


def test_a_question_waits_without_a_process_and_the_first_answer_wins(
    open_engine: Open, tmp_path: Path
) -> None:
    engine = open_engine(asks=True)
    state = engine.run("Who is Ada Okafor?", LOCAL)
    assert state.status == "waiting_for_input"
    status = engine.status(state.research_id)
    assert (status.question, status.choices) == (
        "Which one do you mean?",
        ("the one at MIT", "the other"),
    )
    assert not status.over and engine.load_research(state.research_id) is None
    with pytest.raises(Refused, match="empty"):
        engine.clarify(state.research_id, " ")
    engine._opened.jobs.answer(state.research_id, "2")
    with pytest.raises(Conflict, match="answered already: 2"):
        engine.clarify(state.research_id, "1")
    ended = engine.resume_here(state.research_id)
    assert ended.status == "complete"
    clarification = ended.understanding.clarification
    assert clarification and clarification.answer == "2"
    assert Pretend(tmp_path).steps()[:2] == ["understand", "understand"]


def test_a_waiting_research_can_be_cancelled_and_is_in_the_history(open_engine: Open) -> None:
    engine = open_engine(asks=True)
    research_id = engine.run("Who is Ada Okafor?", LOCAL).research_id
    assert engine.cancel(research_id).status == "cancelled"
    record = engine.load_research(research_id)
    assert record and record.status == "cancelled"
    assert [entry.research_id for entry in engine.history().entries] == [research_id]


@pytest.mark.lab
def test_a_killed_process_loses_nothing_and_its_finished_steps_are_not_repeated(
    open_engine: Open, other_process: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    engine = open_engine()
    process = other_process(
        "run('What lowers prices?', RunOptions(sources=('local',), depth=1))",
        waits={"synthesis": 60},
    )
    research_id = running(engine)
    wait_for(lambda: "synthesis" in Pretend(tmp_path).steps())
    process.send_signal(signal.SIGKILL)
    process.wait()
    state = engine.resume_here(research_id)
    assert state.status == "complete"
    assert Pretend(tmp_path).steps() == [
        "understand",
        "plan",
        "aggregate",
        "synthesis",
        "synthesis",
    ]
    numbers = [event.seq for event in engine.events(research_id)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(signal.SIGTERM, marks=pytest.mark.lab),
        pytest.param(signal.SIGINT, marks=pytest.mark.lab),
        pytest.param(signal.SIGHUP, marks=pytest.mark.lab),
    ],
)
def test_a_signal_ends_a_process_with_what_was_found(
    open_engine: Open, other_process: Callable[..., subprocess.Popen[str]], number: signal.Signals
) -> None:
    engine = open_engine()
    process = other_process(
        "run('What lowers prices?', RunOptions(sources=('local',), depth=1))",
        waits={"synthesis": 60},
    )
    research_id = running(engine)
    wait_for(lambda: engine.status(research_id).phase == "synthesis")
    began = time.monotonic()
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert time.monotonic() - began < 40  # two seconds and the report, with room for a busy machine
    assert output.strip() == "partial"
    assert engine.status(research_id).ended_by == "user"


def test_a_worker_that_was_declared_gone_stops_without_writing(open_engine: Open) -> None:
    engine, thief = open_engine(waits={"synthesis": 60.0}), open_engine()
    results: list[ResearchState] = []
    thread = threading.Thread(
        target=lambda: results.append(engine.run("What lowers prices?", LOCAL))
    )
    thread.start()
    research_id = running(thief)
    wait_for(lambda: thief.status(research_id).phase == "synthesis")
    with thief._opened.storage.database.write() as write:
        write.execute("UPDATE jobs SET owner = 'another-boot/pid/1/1'")
    state = thief.resume_here(research_id)
    thread.join(60)
    assert state.status == "complete"
    assert thief._opened.storage.load_research(research_id) == state
    assert results == [state]  # the one that lost it followed the other to the end


@pytest.mark.lab
def test_a_third_research_waits_its_turn(
    open_engine: Open, other_process: Callable[..., subprocess.Popen[str]]
) -> None:
    engine = open_engine()
    call = "run('What lowers prices?', RunOptions(sources=('local',), depth=1))"
    first = [other_process(call, waits={"plan": 60}) for _ in range(2)]
    wait_for(lambda: sum(job.status == "running" for job in engine.jobs()) == 2)
    seen, results = [], []
    thread = threading.Thread(
        target=lambda: results.append(engine.run("Do prices fall?", LOCAL, on_event=seen.append))
    )
    thread.start()
    wait_for(lambda: any("in the queue" in event.message for event in seen))
    waiting = [job for job in engine.jobs() if job.status == "queued"]
    assert [job.position for job in waiting] == [1]
    first[0].kill()
    # The killed job comes back at its old place, in front; its slot goes to it, and nobody here can
    # work on it
    first[1].send_signal(signal.SIGTERM)
    first[1].communicate(timeout=60)
    thread.join(60)
    assert results and results[0].status == "complete"


@pytest.mark.lab
def test_following_a_research_of_another_process(
    open_engine: Open, other_process: Callable[..., subprocess.Popen[str]]
) -> None:
    engine = open_engine()
    other_process(
        "run('What lowers prices?', RunOptions(sources=('local',), depth=1))",
        waits={"synthesis": 1.0},
    )
    seen: list[object] = []
    state = engine.resume_here(running(engine), on_event=seen.append)
    assert state.status == "complete" and len(seen) == 5


def test_a_running_research_is_not_deleted(open_engine: Open) -> None:
    engine = open_engine()
    research_id = queued(engine)
    with pytest.raises(Conflict, match="cancel it first"):
        engine.delete(research_id)
    engine.cancel(research_id)
    engine.delete(research_id, now=True)
    with pytest.raises(NotFound):
        engine.status(research_id)


def test_a_checkpoint_of_another_version_starts_again(open_engine: Open, tmp_path: Path) -> None:
    engine = open_engine(dies="synthesis")
    research_id = engine.run("What lowers prices?", LOCAL).research_id
    with engine._opened.storage.database.write() as write:
        write.execute("UPDATE checkpoints SET state_version = 0")
    assert open_engine().resume_here(research_id).status == "complete"
    assert Pretend(tmp_path).steps().count("understand") == 2


def test_a_damaged_checkpoint_starts_again(open_engine: Open, tmp_path: Path) -> None:
    engine = open_engine(dies="synthesis")
    research_id = engine.run("What lowers prices?", LOCAL).research_id
    with engine._opened.storage.database.write() as write:
        write.execute("UPDATE checkpoints SET body = x'00'")
    assert open_engine().resume_here(research_id).status == "complete"
    assert Pretend(tmp_path).steps().count("understand") == 2


def test_a_record_that_cannot_be_saved_frees_the_job_and_is_saved_later(
    open_engine: Open, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.jobs.spawn.LOOK_SECONDS", 0.0)
    engine = open_engine()
    storage = engine._opened.storage
    real = storage.save_research

    def full(state: ResearchState, within: object = None) -> str:
        raise StorageError("The disk is full.")

    storage.save_research = full  # type: ignore[method-assign, assignment]
    with pytest.raises(StorageError, match="could not be saved; its last checkpoint remains"):
        engine.run("What lowers prices?", LOCAL)
    (job,) = engine.jobs(over=True)
    assert job.status == "failed" and job.problem == "It could not be saved: The disk is full."
    storage.save_research = real  # type: ignore[method-assign]
    engine.jobs()  # looks at the queue
    record = engine.load_research(job.research_id)
    assert record and record.report is not None
    assert engine.resume_here(job.research_id).status == "complete"


def test_a_record_nobody_can_write_stops_nobody(open_engine: Open) -> None:
    engine = open_engine()
    research_id = queued(engine)
    storage = engine._opened.storage

    def broken(state: ResearchState, within: object = None) -> str:
        raise RuntimeError("no such column")

    storage.save_research = broken  # type: ignore[method-assign, assignment]
    assert engine.cancel(research_id).status == "cancelled"
    assert engine.status(research_id).over
