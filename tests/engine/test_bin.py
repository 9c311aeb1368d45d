"""The bin: emptied by what the clock said a day before, beside other programs, and after one that
was killed."""

import json
import os
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from engine.answers import HistoryQuery
from engine.bin import store as bin_store
from engine.records.storage import LocalStorage
from engine.research_engine import ResearchEngine
from tests.engine.pretend import Clock
from tools.documents.model import Snapshot
from tools.documents.snapshots import SnapshotFiles
from workflows.research.state import ResearchState

SNAP = "a" * 64


def research(query: str = "Do batteries help?", text: str = SNAP) -> ResearchState:
    snapshot = Snapshot(text, "s1", "", "text/html", "", "x", "full", 9)
    return ResearchState(query, status="complete", snapshots=(snapshot,))


def test_a_clock_that_was_set_far_ahead_does_not_empty_the_bin(
    storage: LocalStorage, clock: Clock
) -> None:
    research_id = storage.save_research(research())
    storage.delete(research_id)
    storage.sweep()
    for hours in (400 * 24, 1, -400 * 24, 40):
        clock.at += timedelta(hours=hours)
        storage.sweep()
    assert storage.has(research_id)


@pytest.mark.parametrize("other", ["undelete", "delete"])
def test_what_another_program_does_while_the_bin_is_emptied_counts(
    storage: LocalStorage, clock: Clock, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = storage.save_research(research("One")), storage.save_research(research("Two"))
    for research_id in (first, second):
        storage.delete(research_id)
    overdue = bin_store.overdue

    def slow(connection: sqlite3.Connection, before: str) -> list[str]:
        overdue_ids = overdue(connection, before)
        _ = storage.undelete(first) if other == "undelete" else storage.delete(first, now=True)
        return overdue_ids

    monkeypatch.setattr(bin_store, "overdue", slow)
    for days in (32, 1):
        clock.at += timedelta(days=days)
        storage.sweep()
    assert (storage.has(first), storage.has(second)) == (other == "undelete", False)


@pytest.mark.parametrize("deleted_at", ["", "soon"])
def test_what_is_no_date_puts_nothing_into_the_bin(
    storage: LocalStorage, clock: Clock, deleted_at: str
) -> None:
    research_id = storage.save_research(research())
    path = storage.record_path(research_id)
    record = json.loads(path.read_text())
    record["user"]["deleted_at"] = deleted_at
    path.write_text(json.dumps(record))
    for days in (0, 40, 1):
        clock.at += timedelta(days=days)
        storage.sweep()
    assert [entry.research_id for entry in storage.history(HistoryQuery()).entries] == [research_id]
    assert path.exists()


def test_what_a_killed_removal_has_left_is_named_by_the_next_sweeps(
    storage: LocalStorage, clock: Clock
) -> None:
    research_id = storage.save_research(research())
    assert storage.delete(research_id, now=True) == [SNAP]  # and nobody came to remove that text
    again = [storage.sweep() for _ in range(4)]
    assert [sweep.snapshots for sweep in again] == [(SNAP,)] * 3 + [()]
    assert [sweep.purged for sweep in again] == [(research_id,)] * 3 + [()]


def test_a_text_that_is_needed_again_since_is_not_named(storage: LocalStorage) -> None:
    storage.delete(storage.save_research(research("One")), now=True)
    storage.save_research(research("Two"))
    assert storage.sweep().snapshots == ()


def test_a_text_whose_removal_was_cut_off_goes_with_the_next_tidying(home: Path) -> None:
    with ResearchEngine(home=home, environ={}) as engine:
        document = str(engine.upload("letter.txt", b"A letter that a report quotes.").snapshot_id)
        files = SnapshotFiles(engine.config.paths.snapshots)
        text, later = files.put("Only this report has it."), files.put("Stored anew since.")
        os.utime(files.path(text), (0, 0))
        storage = engine._opened.storage
        for text_id in (text, later, document):
            # And the program was killed here
            storage.delete(storage.save_research(research(text_id, text_id)), now=True)
        files.remove(later)
        files.put("Stored anew since.")
        checks = [check for check in engine.upkeep.doctor() if check.name == "texts"]
        assert (
            checks[0].state == "warning"
            and text[:12] in checks[0].message
            and document[:12] not in checks[0].message
        )
        engine.upkeep.tidy()
        assert set(files.ids()) == {later, document}
