"""The power fails after any write: the databases open, what was promised is there, repair restores
the index.

The writes of a whole session (documents, a research, marks, an import, a list, the bin, a copy) are
recorded once and done again up to every point in turn. POWER=all looks at every point in both
models; otherwise at every Nth and at all points beside syncs, renames and removals.
"""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.answers import PROBLEM, HistoryQuery
from engine.maintenance import doctor
from engine.research_engine import ResearchEngine
from tests.lab import recording
from tests.lab.faults import Corrupt, Faults, Lost, proven
from tests.lab.recording import Change
from tests.lab.replay import Disk, content, lay_out, torn
from workflows.research.state import ResearchState

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(not recording.possible(), reason="programs cannot be traced here (ptrace)"),
]

ALL = os.environ.get("POWER") == "all"  # noqa: TID251 - how long to work is the caller's choice
EVERY = 1 if ALL else 23
# Points between those at which the databases are repaired or the run is resumed
REPAIRED = 12 if ALL else 15
SETTINGS = {"embeddings.enabled": False}
FIRST = "evening-prices-2024.md"
JOURNALS = (
    "Journal title,Journal ISSN (print version),Journal EISSN (online version),Publisher\n"
    "A,1677-5449,,P\n"
)


@dataclass(frozen=True)
class Recorded:
    """The changes, and the folder in which they were made."""

    changes: list[Change]
    disk: Path


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """One session, recorded."""
    folder = tmp_path_factory.mktemp("power")
    (folder / "papers").mkdir()
    for name in (FIRST, "operators-log.txt"):
        shutil.copy(recording.ROOT / "examples" / "batteries" / name, folder / "papers")
    (folder / "journals.csv").write_text(JOURNALS)
    disk = folder / "disk"
    disk.mkdir()
    words = [
        sys.executable,
        "-m",
        "tests.lab.power_work",
        *map(str, (disk, folder / "papers", folder / "journals.csv")),
    ]
    return Recorded(recording.record(disk, words, folder / "changes"), disk)


def test_the_recording_is_complete(recorded: Recorded) -> None:
    disk = Disk()
    for change in recorded.changes:
        disk.apply(change)
    assert disk.all() == dict(content(recorded.disk))
    kinds = {change.kind for change in recorded.changes}
    assert {"create", "write", "rename", "unlink", "mkdir", "sync"} <= kinds
    assert len(recorded.changes) > 800


def points(changes: list[Change]) -> Iterator[int]:
    """Where the power fails: after so many changes."""
    special = {"rename", "unlink", "link", "truncate", "create", "mkdir"}
    for at in range(len(changes)):
        near = any(change.kind in special for change in changes[max(0, at - 1) : at + 2])
        if at % EVERY == 0 or near or at == len(changes) - 1:
            yield at


@pytest.mark.parametrize("model", ["written", "synced"])
def test_after_a_power_cut_at_any_write_all_that_was_promised_is_there(
    recorded: Recorded, model: str, tmp_path: Path, faults: Faults
) -> None:
    disk, points_to_try = Disk(), set(points(recorded.changes))
    looked = repaired = resumed = 0
    for at, change in enumerate(recorded.changes):
        if at in points_to_try and change.kind == "write" and model == "written":
            check(half(recorded.changes[:at], change), tmp_path / "half", synced=False)
            looked += 1
        disk.apply(change)
        if at not in points_to_try or (model == "synced" and change.kind == "mkdir"):
            continue
        place = tmp_path / "disk"
        looked += 1
        again = looked % REPAIRED == 0
        left = check(disk, place, synced=model == "synced", repair=again)
        repaired += again
        resumed += left
    assert (
        repaired > 1
    )  # how many left a run to resume depends on where the few moments of the short form fall
    faults.count(f"power cut, {model} ({repaired} repaired, {resumed} runs resumed)", looked)


def test_a_record_that_was_never_synced_is_found_out(recorded: Recorded, tmp_path: Path) -> None:
    disk = Disk()
    for change in recorded.changes:
        if not (change.kind == "sync" and "/findings/.tmp-" in change.path):
            disk.apply(change)
    with pytest.raises(AssertionError):
        check(disk, tmp_path / "disk", synced=True)


def half(before: list[Change], change: Change) -> Disk:
    """A disk on which the last write got only half-way."""
    disk = Disk()
    for path in before:
        disk.apply(path)
    disk.apply(torn(change))
    return disk


def check(disk: Disk, place: Path, *, synced: bool, repair: bool = False) -> bool:
    """Open the home as it is after the cut and look at everything; whether a run was brought to its
    end."""
    place.mkdir()
    if synced:
        lay_out(disk.synced_folders(), disk.synced(), place)
    else:
        lay_out(disk.folders, disk.all(), place)
    promised = [line.split("\t") for line in disk.all().get("done", b"").decode().split("\n")[:-1]]
    home = place / "home"
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        check_promises(engine, promised, synced)
        sound(engine)
        resumed = repair and resume(engine)
        if repair:
            engine.upkeep.repair()
            check_promises(engine, promised, synced)
            sound(engine)
    shutil.rmtree(place)
    return resumed


def check_promises(engine: ResearchEngine, promised: list[list[str]], synced: bool) -> None:
    """Every promise is held."""
    starred, in_bin, alive = (
        ids(engine, query)
        for query in (HistoryQuery(starred=True), HistoryQuery(bin=True), HistoryQuery())
    )
    states = {
        name: engine.load_research(name) for kind, name in promised if kind in ("saved", "noted")
    }
    notes = [note.text for note in engine.memory.recall("cheap at noon", all_sessions=True).notes]
    notes_of = {name: state.user.note for name, state in states.items() if state}
    documents = {document.document_id for document in engine.library()}
    lists = {data_list.name for data_list in engine.upkeep.data_lists() if data_list.rows}
    copies = {path.name for path in engine.config.paths.backups.glob("*.db")}
    holds: dict[str, Callable[[str], bool]] = {
        "saved": lambda name: whole(states[name]) and name in alive | in_bin,
        "starred": lambda name: name in starred | in_bin,
        "noted": lambda name: whole(states[name]) and notes_of[name] == "worth reading",
        "deleted": lambda name: (
            name in in_bin | alive
        ),  # the next thing asked for is to bring it back
        "alive": lambda name: name in alive,
        "remembered": lambda name: name in notes,
        "copy": lambda name: name in copies,
        # corpus.db can be made anew, so it may lose its last moments
        "document": lambda name: synced or name in documents,
        "list": lambda name: synced or name in lists,
    }
    with proven(Lost):
        for kind, name in promised:
            assert holds[kind](name), (kind, name)


def whole(state: ResearchState | None) -> bool:
    return state is not None and state.status == "complete" and state.report is not None


def ids(engine: ResearchEngine, query: HistoryQuery) -> set[str]:
    return {entry.research_id for entry in engine.history(query).entries}


def sound(engine: ResearchEngine) -> None:
    """Nothing is half-written: both databases, every record, every text that is quoted."""
    paths = engine.config.paths
    problems = [check for check in doctor.checks(engine.config) if check.state == PROBLEM]
    assert problems == [], problems
    for path in (paths.db, paths.corpus_db):
        if path.exists():
            with proven(Corrupt), closing(sqlite3.connect(path)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    for entry in engine.history(HistoryQuery(limit=100)).entries:
        state = engine.load_research(entry.research_id)
        assert state is not None
        for item in state.evidence:
            assert engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
    for document in engine.library():
        if document.snapshot_id:
            assert len(engine.snapshot_text(document.snapshot_id)) == document.characters


def resume(engine: ResearchEngine) -> bool:
    """Bring a run that was cut off to its end; whether there was one."""
    with closing(
        sqlite3.connect(engine.config.paths.db)
    ) as connection:  # asking the engine would start a worker
        sql = "SELECT research_id FROM jobs WHERE status IN ('queued', 'running')"
        open_jobs = [research_id for (research_id,) in connection.execute(sql)]
    for research_id in open_jobs:
        state = engine.resume_here(research_id, force=True)
        assert state.status == "complete" and state.report
    return bool(open_jobs)
