"""What interrupted programs leave behind goes once it is old; what anybody may still need stays."""

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from engine.answers import OK, WARNING, Exported
from engine.clock import days_ago
from engine.jobs import owner as owners
from engine.jobs.model import Ending, Job, RunProgress
from engine.jobs.store import JobStore
from engine.maintenance import doctor, leftovers
from engine.research_engine import ResearchEngine
from ui.terminal.export_files import write
from workflows.research.events import Event
from workflows.research.state import ResearchState

LONG_AGO = time.time() - 60 * 86_400
KEPT = "a_question_20250101_000000"
GONE = "another_20250101_000000"
UNFINISHED = (
    ".tmp-abc", "research/findings/.tmp-1", f"research/revisions/{KEPT}/.tmp-2",
    "research/snapshots/ab/.0.txt.gz.12.34.tmp", "documents/uploads/.0.pdf.12.34.tmp",
    "backups/.zorora-20250101-000000-daily.db.77.tmp",
    "backups/.zorora-20250101-000000-daily.db.77.tmp-journal",
)  # fmt: skip


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    """One finished research that has an older revision."""
    with ResearchEngine(home=home, environ={}) as engine:
        engine._opened.storage.save_research(ResearchState("Why?", KEPT, status="complete"))
        put(home / "research/revisions" / KEPT / "1.json")
        yield engine


def finished(engine: ResearchEngine, name: str, days: float, saved: bool) -> None:
    """A job with one event that ended some days ago."""
    jobs = JobStore(
        engine._opened.storage.database, parallel=2, lease=60.0, now=lambda: days_ago(days)
    )
    jobs.add(Job(name, "Why?", "queued", 1, days_ago(days), options={}))
    claim = jobs.claim(name, owners.current())
    assert claim
    engine._opened.trail.append(
        claim, [Event("note", "plan", "begun", time=days_ago(days))], RunProgress(), 1.0
    )
    jobs.end(claim, Ending("complete"), saved=saved)


def put(path: Path, old: bool = True) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"half a fi")
    if old:
        for entry in (path, path.parent):
            os.utime(entry, (LONG_AGO, LONG_AGO))
    return path


def test_unfinished_files_are_named_by_the_doctor_and_go_when_they_are_old(
    engine: ResearchEngine, home: Path
) -> None:
    old = [put(home / name) for name in UNFINISHED]
    young = [put(home / name.replace(".tmp-", ".tmp-9").replace(".0.",
        ".1.")
                 .replace(".77.", ".78."), old=False) for name in UNFINISHED]  # fmt: skip
    (check,) = [check for check in doctor.checks(engine.config) if check.name == "unfinished files"]
    assert check.state == WARNING and check.message.startswith(
        f"{len(UNFINISHED)} files were never finished"
    )
    before = {path for path in home.rglob("*") if path.is_file()}
    assert set(engine.upkeep.clear_leftovers()) == set(old)
    assert {path for path in home.rglob("*") if path.is_file()} == before - set(old) > set(young)
    (check,) = [check for check in doctor.checks(engine.config) if check.name == "unfinished files"]
    assert check.state == OK
    assert engine.upkeep.clear_leftovers() == []


def test_answers_of_models_stay_while_a_run_may_come_back_to_them(
    engine: ResearchEngine, home: Path
) -> None:
    engine._opened.jobs.add(Job(GONE, "Why?", "queued", 1, "2025-01-01T00:00:00+00:00", options={}))
    paths = engine.config.paths
    working, recent, over = (
        leftovers.answers_of(paths, name) for name in (GONE, "stopped_today", "long_over")
    )
    for path in (working, over):
        put(path)
    put(recent, old=False)
    assert engine.upkeep.clear_leftovers() == [over]
    assert working.exists() and recent.exists()


def test_older_revisions_go_with_their_research_and_not_before(
    engine: ResearchEngine, home: Path
) -> None:
    orphan = put(home / "research/revisions" / GONE / "1.json").parent
    damaged = put(home / "research/revisions" / "third_20250101_000000" / "1.json").parent
    # a record that cannot be read may need them
    put(home / "research/findings/2025-01-01_third_000000.json")
    assert engine.upkeep.clear_leftovers() == [orphan]
    assert damaged.is_dir() and (home / "research/revisions" / KEPT / "1.json").exists()
    answers = put(leftovers.answers_of(engine.config.paths, KEPT))
    engine.delete(KEPT)
    assert (home / "research/revisions" / KEPT / "1.json").exists()
    engine.delete(KEPT, now=True)
    assert not (home / "research/revisions" / KEPT).exists() and not answers.exists()


def test_what_lay_in_the_bin_too_long_takes_everything_with_it(
    engine: ResearchEngine, home: Path
) -> None:
    engine._opened.jobs.add(
        Job(KEPT, "Why?", "complete", 1, "2025-01-01T00:00:00+00:00", options={})
    )
    state = engine.load_research(KEPT)
    assert state is not None
    long_ago = replace(state, user=replace(state.user, deleted_at="2025-01-01T00:00:00+00:00"))
    storage = engine._opened.storage
    storage.change(KEPT, lambda _: long_ago)
    present = storage._clock
    storage._clock = lambda: present() - timedelta(days=1)
    storage.sweep()
    storage._clock = present
    engine.upkeep.tidy()
    assert engine.load_research(KEPT) is None and engine._opened.jobs.find(KEPT) is None
    assert not (home / "research/revisions" / KEPT).exists()


def test_an_export_clears_what_a_killed_one_left_beside_it(tmp_path: Path) -> None:
    old, young = put(tmp_path / ".zorora-abcd1234"), put(tmp_path / ".zorora-abcd5678", old=False)
    file = put(tmp_path / ".zorora-settings-of-mine")
    write(Exported(b"new", "text/plain", "report.md"), tmp_path / "report.md")
    assert not old.exists() and young.exists() and file.exists()
    assert (tmp_path / "report.md").read_bytes() == b"new"


def test_events_go_a_week_after_the_record_holds_them_and_never_before(
    engine: ResearchEngine,
) -> None:
    for name, days, saved in (("old", 7.1, True), ("young", 6.9, True), ("unsaved", 7.1, False)):
        finished(engine, name, days, saved)
    engine.upkeep.tidy()
    trail = engine._opened.trail
    assert [len(trail.events(name)) for name in ("old", "young", "unsaved")] == [0, 1, 1]
