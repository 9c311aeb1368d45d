"""repair-db: databases rebuilt from records; damaged files moved aside, never deleted."""

import json
import socket
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from engine.answers import PROBLEM, HistoryQuery
from engine.clock import now, present
from engine.jobs.model import Job
from engine.jobs.store import JobStore
from engine.maintenance import backup, integrity, store
from engine.maintenance.repair import refill, repair
from engine.records.storage import LocalStorage
from engine.research_engine import ResearchEngine
from engine.settings.config import Config, load
from tools.documents.model import Section, Snapshot
from tools.documents.snapshots import SnapshotFiles
from tools.errors import StorageError
from tools.sources.source import Source
from workflows.research.state import ResearchState


@pytest.fixture
def config(home: Path) -> Config:
    return load(home, environ={})


def no_corpus(config: Config, storage: LocalStorage) -> list[str]:
    return ["corpus asked"]


def fill(config: Config, count: int = 12) -> None:
    storage = LocalStorage(config=config)
    for n in range(count):
        source = Source(f"s{n}", "http://x", f"Title {n}")
        storage.save_research(
            ResearchState(f"Question {n}", f"r{n}", status="complete", sources=(source,))
        )
    storage.star("r1")
    storage.tag("r2", ["kept"])
    storage.note("r3", "remember")
    storage.delete("r4")
    with storage.database.write() as connection:
        connection.execute(
            "INSERT INTO memory_notes (session_id, text, created_at) VALUES ('s', 'a note', '')"
        )
    storage.close()


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 : len(data) - 4096] = b"\xa5" * (len(data) - 8192)
    path.write_bytes(data)


def check_marks(storage: LocalStorage, count: int = 12) -> None:
    assert storage.stats()["research_findings"] == count
    assert [e.research_id for e in storage.history(HistoryQuery(starred=True)).entries] == ["r1"]
    assert [e.research_id for e in storage.history(HistoryQuery(text="kept")).entries] == ["r2"]
    assert [e.research_id for e in storage.history(HistoryQuery(text="remember")).entries] == ["r3"]
    assert [e.research_id for e in storage.history(HistoryQuery(bin=True)).entries] == ["r4"]


@pytest.mark.parametrize("how", ["damaged", "gone", "rubbish", "empty"])
def test_researches_and_marks_return_from_the_records(config: Config, how: str) -> None:
    fill(config)
    db = config.paths.db
    if how == "damaged":
        damage(db)
    elif how == "gone":
        db.unlink()
    else:
        db.write_bytes(b"rubbish" * 3000 if how == "rubbish" else b"")
    before = db.read_bytes() if db.exists() else b""
    output = repair(config, no_corpus)
    storage = LocalStorage(config=config)
    check_marks(storage)
    storage.close()
    copy = list(config.paths.backups.glob("damaged-*zorora.db"))
    if how in ("damaged", "rubbish"):
        assert [path.read_bytes() for path in copy] == [before]
        assert "moved to" in output[0]
        assert any("memory notes are lost" in sentence for sentence in output)
    assert any("tags and notes: 12 reports" in sentence for sentence in output)
    assert output[-1] == "corpus asked"


def test_what_stands_only_in_the_database_returns_from_the_last_sound_copy(config: Config) -> None:
    fill(config)
    backup.make(config.paths)
    (config.paths.backups / "zorora-20990101-000000-daily.db").write_bytes(b"not sound")
    damage(config.paths.db)
    output = repair(config, no_corpus)
    assert any("returned from the copy" in sentence for sentence in output)
    storage = LocalStorage(config=config)
    assert storage.stats()["memory_notes"] == 1
    check_marks(storage)
    storage.close()


@pytest.mark.parametrize("how", ["gone", "empty", "blank", "set aside"])
@pytest.mark.lab
def test_what_stands_only_in_a_lost_database_returns_from_the_last_sound_copy(
    config: Config, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    fill(config)
    backup.make(config.paths)
    db = config.paths.db
    db.unlink()
    if how == "empty":
        db.touch()
    elif how == "blank":
        with closing(sqlite3.connect(db)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
    elif how == "set aside":  # and the program that did so was killed
        db.write_bytes(b"rubbish" * 3000)
        backup.set_aside(db, config.paths.backups, present())
    state = next(
        check.state
        for check in integrity.databases(integrity.Examination(config))
        if check.name == "database"
    )
    assert state == PROBLEM
    if how in ("gone", "blank"):
        assert any("returned from the copy" in sentence for sentence in repair(config, no_corpus))
    storage = LocalStorage(config=config)
    assert storage.stats()["memory_notes"] == 1
    check_marks(storage)
    storage.close()
    assert how in ("gone", "blank") or "returned from the copy" in caplog.text


def test_what_another_program_writes_while_a_database_is_made_anew_is_in_the_new_one(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(config)
    backup.make(config.paths)
    other = LocalStorage(config=config)

    def write() -> None:
        with other.database.write() as connection:
            connection.execute(
                "INSERT INTO memory_notes (session_id, text, created_at) VALUES ('s', 'meanwhile', "
                "'')"
            )

    writer = Thread(target=write)
    poured = store.pour

    def pour(source: Path, database: Path) -> None:
        poured(source, database)
        writer.start()
        time.sleep(0.2)  # it has written by now, or waits

    def findings(database: Path, migrations: Sequence[str] = ()) -> list[str]:
        return ["one page"] if database == config.paths.db and writer.ident is None else []

    monkeypatch.setattr(store, "pour", pour)
    monkeypatch.setattr(store, "findings", findings)
    assert "damaged (one page)" in repair(config, no_corpus)[0]
    writer.join()
    monkeypatch.undo()
    storage = LocalStorage(config=config)
    assert storage.stats()["memory_notes"] == 2
    storage.close()
    other.close()


def test_a_job_that_was_open_when_the_copy_was_made_is_not_begun_again(config: Config) -> None:
    fill(config, 5)
    storage = LocalStorage(config=config)
    jobs = JobStore(storage.database, now=now)
    for name in ("r0", "under way"):
        jobs.add(Job(name, "Question", "running", 1, now(), options={}))
    storage.close()
    backup.make(config.paths)
    config.paths.db.unlink()
    storage = LocalStorage(config=config)
    result = {
        job.research_id: job.status for job in JobStore(storage.database, now=now).jobs(over=True)
    }
    assert result == {"r0": "complete", "under way": "failed"}
    storage.close()


def test_the_log_of_a_lost_database_is_not_taken_for_that_of_the_new_one(config: Config) -> None:
    fill(config)
    backup.make(config.paths)
    open_elsewhere = LocalStorage(config=config)
    with open_elsewhere.database.write() as connection:
        connection.execute("DELETE FROM research_findings")
    config.paths.db.unlink()
    assert config.paths.db.with_name("zorora.db-wal").stat().st_size
    storage = LocalStorage(config=config)
    check_marks(storage)
    storage.close()
    open_elsewhere.close()


def test_a_database_that_cannot_be_looked_at_is_not_taken_for_a_damaged_one(
    config: Config, tmp_path: Path
) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "x.db"))
        with pytest.raises(StorageError, match="could not be checked"):
            store.findings(tmp_path / "x.db")


@pytest.mark.parametrize("act", ["repair", "restore"])
def test_a_damaged_database_stays_where_it_is_until_the_new_one_is_complete(
    config: Config, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(config)
    copy = backup.make(config.paths)
    damage(config.paths.db)
    before = config.paths.db.read_bytes()

    def full(source: Path, database: Path) -> None:
        database.write_bytes(b"a part of it")
        raise StorageError("The disk is full.")

    monkeypatch.setattr(store, "pour", full)
    with pytest.raises(StorageError, match="full"):
        _ = repair(config, no_corpus) if act == "repair" else backup.restore(config.paths, copy)
    assert config.paths.db.read_bytes() == before
    assert {path.name for path in config.paths.backups.iterdir()} == {copy.name, ".lock"}
    assert list(config.home.glob(".tmp-*")) == []
    monkeypatch.undo()
    repair(config, no_corpus)
    assert config.paths.db.stat().st_mode & 0o777 == 0o600


def test_wrong_entries_of_an_index_are_named_by_the_doctor_and_mended_in_place(
    config: Config,
) -> None:
    fill(config)
    # Filled as an index of no row, and one of all rows again
    change = "UPDATE sqlite_master SET sql = {} WHERE name = 'idx_created_at'"
    for steps in (
        ("PRAGMA writable_schema=ON", change.format("sql || ' WHERE 0'")),
        ("REINDEX idx_created_at",),
        ("PRAGMA writable_schema=ON", change.format("replace(sql, ' WHERE 0', '')")),
    ):
        with closing(sqlite3.connect(config.paths.db)) as connection:
            for step in steps:
                connection.execute(step)
            connection.commit()
    (check,) = [
        check
        for check in integrity.databases(integrity.Examination(config))
        if check.name == "database"
    ]
    assert check.state == PROBLEM and "idx_created_at" in check.message
    assert any(
        "zorora.db was mended" in sentence and "index" in sentence
        for sentence in repair(config, no_corpus)
    )
    assert store.findings(config.paths.db) == [] == list(config.paths.backups.glob("damaged-*"))
    storage = LocalStorage(config=config)
    assert storage.stats()["memory_notes"] == 1
    storage.close()


def test_repairing_a_sound_home_changes_nothing_and_twice_is_once(config: Config) -> None:
    fill(config)
    repair(config, no_corpus)
    storage = LocalStorage(config=config)
    before = [storage.load_research(name) for name in storage.ids()]
    check_marks(storage)
    storage.close()
    repair(config, no_corpus)
    storage = LocalStorage(config=config)
    assert [storage.load_research(name) for name in storage.ids()] == before
    assert list(config.paths.backups.glob("damaged-*")) == []
    storage.close()


def test_a_damaged_record_is_named_and_left_while_the_rest_returns(config: Config) -> None:
    fill(config)
    storage = LocalStorage(config=config)
    path = storage.record_path("r5")
    storage.close()
    path.write_text('{"research_id": "r5", "orig')
    config.paths.db.unlink()
    output = repair(config, no_corpus)
    assert any(path.name in sentence and "left as it is" in sentence for sentence in output)
    assert path.read_text() == '{"research_id": "r5", "orig'
    storage = LocalStorage(config=config)
    check_marks(storage, 11)
    storage.close()


def test_marks_edited_by_hand_in_a_record_win(config: Config) -> None:
    fill(config)
    storage = LocalStorage(config=config)
    path = storage.record_path("r6")
    storage.close()
    record = json.loads(path.read_text())
    record["user"]["note"] = "by hand"
    path.write_text(json.dumps(record))
    repair(config, no_corpus)
    storage = LocalStorage(config=config)
    assert [e.research_id for e in storage.history(HistoryQuery(text="hand")).entries] == ["r6"]
    storage.close()


class FakeCorpus:
    def __init__(self) -> None:
        self.added: dict[str, tuple[str, str, str]] = {}
        self.store = self

    def has(self, snapshot_id: str) -> int | None:
        return 1 if snapshot_id in self.added else None

    def add(
        self,
        snapshot_id: str,
        text: str,
        sections: object = (),
        *,
        title: str = "",
        kind: str = "page",
    ) -> None:
        self.added[snapshot_id] = (text, title, kind)


def test_the_corpus_is_filled_again_from_the_texts_of_the_records(config: Config) -> None:
    storage = LocalStorage(config=config)
    files = SnapshotFiles(config.paths.snapshots)
    there, abstract = files.put("A whole page."), files.put("An abstract.")
    page = Snapshot(
        there,
        "s",
        "http://x",
        "text/html",
        "",
        "x",
        "full",
        13,
        sections=(Section("1", "Head", 1, 0, 13),),
    )
    snapshots = (
        page,
        replace(page, snapshot_id=abstract, completeness="abstract"),
        replace(page, snapshot_id="f" * 64),
    )
    state = ResearchState(
        "q", "r", sources=(Source("s", "http://x", "The title"),), snapshots=snapshots
    )
    storage.save_research(state)
    storage.save_research(replace(state, research_id="other"))
    corpus = FakeCorpus()
    assert refill(storage, corpus, files) == (2, 2)
    assert corpus.added == {
        there: ("A whole page.", "The title", "page"),
        abstract: ("An abstract.", "The title", "abstract"),
    }
    storage.close()


def test_damaged_texts_are_moved_aside_and_those_of_documents_read_again(config: Config) -> None:
    with ResearchEngine(home=config.home, environ={}) as engine:
        document = engine.upload(
            "letter.txt", b"Evening prices are lower since the batteries came."
        )
        files = SnapshotFiles(config.paths.snapshots)
        path = files.path(str(document.snapshot_id))
        path.write_bytes(path.read_bytes()[:-9])
        assert any("1 damaged text" in sentence for sentence in engine.upkeep.repair())
        assert "batteries" in files.get(str(document.snapshot_id))
    assert [path.name for path in config.paths.backups.glob("damaged-*")] == [
        f"damaged-{path.name}"
    ]


def test_a_damaged_corpus_is_said_to_have_lost_what_was_read_from_elsewhere(config: Config) -> None:
    fill(config, 5)
    config.paths.corpus_db.write_bytes(b"rubbish" * 900)
    assert any("zorora ingest PATH" in sentence for sentence in repair(config, no_corpus))
    assert not any("zorora ingest PATH" in sentence for sentence in repair(config, no_corpus))


def test_a_history_whose_database_is_gone_is_there_at_the_next_start(config: Config) -> None:
    fill(config, 5)
    for part in config.home.glob("zorora.db*"):
        part.unlink()
    with ResearchEngine(home=config.home) as engine:
        result = engine.history(HistoryQuery()).entries
    assert {entry.research_id for entry in result} == {"r0", "r1", "r2", "r3"}  # r4 lies in the bin
