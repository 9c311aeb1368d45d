"""Every older schema becomes the present one with all its rows, after a copy; a newer one is
refused."""

import hashlib
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.answers import HistoryQuery
from engine.jobs.model import Job
from engine.maintenance import backup, store
from engine.research_engine import ResearchEngine
from engine.schema import ZORORA
from engine.settings.config import load
from tests.lab.older import older
from tools.database import Database
from tools.errors import StorageError
from tools.schema import CORPUS
from workflows.research.state import ResearchState

SETTINGS = {"embeddings.enabled": False}
# What homes out there were made with: a change of any of these would leave them behind
RELEASED = {
    "zorora 5": "ae14b6ecaa826ba5",
    "zorora 4": "91a788ff88657b9b",
    "zorora 3": "6a8f1b3240022471",
    "zorora 2": "438cf30d24afa452",
    "zorora 1": "11132dd66cebf001",
    "corpus 3": "561eee79518cb4d0",
    "corpus 2": "2fbc33fb1e8e5532",
    "corpus 1": "834cf61036a05ce7",
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of the present version with something in every corner."""
    folder = tmp_path_factory.mktemp("filled")
    (folder / "note.md").write_text("# Badgers\n\nA badger digs its sett in the woods at night.\n")
    with ResearchEngine(home=folder / "home", environ={}, overrides=SETTINGS) as engine:
        engine.ingest([folder / "note.md"])
        storage = engine._opened.storage
        for n in range(3):
            storage.save_research(ResearchState(f"Question {n}", f"r{n}", status="complete"))
        storage.star("r1")
        storage.note("r2", "to be kept")
        engine.memory.remember("Setts are old.")
        engine._opened.jobs.add(
            Job("q", "What lives in a sett?", "queued", 2, "2026-01-01T00:00:00+00:00", options={})
        )
        engine._opened.jobs.cancel("q")
    return folder / "home"


def old_home(filled: Path, tmp_path: Path, name: str, version: int) -> Path:
    """The same home with one database as an earlier version left it."""
    home = tmp_path / "home"
    shutil.copytree(filled, home)
    for part in home.glob(f"{name}*"):
        part.unlink()
    older(filled / name, home / name, (ZORORA if name == "zorora.db" else CORPUS)[:version])
    return home


def test_schemas_that_homes_were_made_with_are_never_edited() -> None:
    all_ = [(f"zorora {n}", sql) for n, sql in enumerate(ZORORA, 1)]
    all_ += [(f"corpus {n}", sql) for n, sql in enumerate(CORPUS, 1)]
    now = {name: hashlib.sha256(sql.encode()).hexdigest()[:16] for name, sql in all_}
    assert {name: now.get(name) for name in RELEASED} == RELEASED


@pytest.mark.parametrize("version", range(1, len(ZORORA)))
def test_every_older_database_of_researches_is_brought_up_to_date(
    filled: Path, tmp_path: Path, version: int
) -> None:
    home = old_home(filled, tmp_path, "zorora.db", version)
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        assert {entry.research_id for entry in engine.history(HistoryQuery()).entries} == {
            "r0",
            "r1",
            "r2",
        }
        assert [
            entry.research_id for entry in engine.history(HistoryQuery(starred=True)).entries
        ] == ["r1"]
        assert [
            entry.research_id for entry in engine.history(HistoryQuery(text="kept")).entries
        ] == ["r2"]
        assert [
            note.text for note in engine.memory.recall("old setts", all_sessions=True).notes
        ] == ["Setts are old."]
        assert len(engine._opened.jobs.jobs(over=True)) == (1 if version >= 2 else 0)
        assert (
            engine._opened.storage.save_research(ResearchState("New", "new", status="complete"))
            == "new"
        )
    assert store.version(home / "zorora.db") == len(ZORORA)
    assert schema(home / "zorora.db") == schema(filled / "zorora.db")
    (copy,) = (home / "backups").glob("zorora-*-migration-*.db")
    assert store.version(copy) == version and store.findings(copy) == []
    # The copy is a way back, also for this version
    backup.restore(load(home, environ={}).paths, copy)
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        engine._opened.storage.sweep()
        assert engine._opened.storage.has("new") and engine._opened.storage.has("r0")


@pytest.mark.parametrize("version", range(1, len(CORPUS)))
def test_every_older_index_is_brought_up_to_date(
    filled: Path, tmp_path: Path, version: int
) -> None:
    home = old_home(filled, tmp_path, "corpus.db", version)
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        names = [hit.name for hit in engine.search_library("badger sett")]
        assert names == (["note.md"] if version >= 2 else [])
    assert schema(home / "corpus.db") == schema(filled / "corpus.db")


def schema(database: Path) -> set[tuple[str, str]]:
    """Names and columns of everything a database holds."""
    with closing(sqlite3.connect(database)) as connection:
        names = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
            )
        ]
        return {
            (name, row[1])
            for name in names
            for row in connection.execute(f"PRAGMA table_info('{name}')")
        }


def test_a_migration_that_fails_leaves_the_old_database_and_its_copy(tmp_path: Path) -> None:
    path, copies = tmp_path / "some.db", []
    Database(path, ["CREATE TABLE a (x); ", "INSERT INTO a VALUES (1);"]).close()

    def keep(database: Path, version: int) -> None:
        copies.append((database, version))

    broken = [
        "CREATE TABLE a (x); ",
        "INSERT INTO a VALUES (1);",
        "CREATE TABLE b (y);\nINSERT INTO missing VALUES (1);",
    ]
    with pytest.raises(sqlite3.OperationalError, match="missing"):
        Database(path, broken, before_migration=keep)
    assert copies == [(path, 2)] and store.version(path) == 2 and not store.has_table(path, "b")
    again = Database(path, [*broken[:2], "CREATE TABLE b (y);"])
    assert [tuple(row) for row in again.read().execute("SELECT x FROM a")] == [(1,)]
    again.close()


def test_two_programs_that_migrate_at_once_do_it_once(tmp_path: Path) -> None:
    path, first = tmp_path / "some.db", "CREATE TABLE a (x);"
    Database(path, [first]).close()
    faults: list[BaseException] = []
    start = threading.Barrier(4)

    def migrate() -> None:
        start.wait()
        try:
            Database(path, [first, "INSERT INTO a VALUES (1);", "CREATE TABLE b (y);"]).close()
        except BaseException as fault:  # noqa: BLE001
            faults.append(fault)

    threads = [threading.Thread(target=migrate) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM a").fetchone() == (1,)


def test_who_migrates_while_a_newer_program_was_faster_does_not_turn_the_version_back(
    tmp_path: Path,
) -> None:
    path, first, second = tmp_path / "some.db", "CREATE TABLE a (x);", "CREATE TABLE b (y);"
    Database(path, [first]).close()

    def newer(database: Path, version: int) -> None:
        Database(database, [first, second, "CREATE TABLE c (z);"]).close()

    with pytest.raises(StorageError, match="Zorora was updated"):
        Database(path, [first, second], before_migration=newer)
    assert store.version(path) == 3


@pytest.mark.parametrize("name", ["zorora.db", "corpus.db"])
def test_a_newer_database_is_refused_by_every_door_and_left_as_it_is(
    filled: Path, tmp_path: Path, name: str
) -> None:
    home = tmp_path / "home"
    shutil.copytree(filled, home)
    with closing(sqlite3.connect(home / name)) as connection:
        connection.execute("CREATE TABLE of_a_later_format (x)")
        connection.execute("PRAGMA user_version = 9000")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = (home / name).read_bytes()
    doors: list[Callable[[ResearchEngine], object]] = [
        lambda engine: engine.history() if name == "zorora.db" else engine.library(),
        lambda engine: (
            engine.start("A question about batteries")
            if name == "zorora.db"
            else engine.ingest([tmp_path])
        ),
        lambda engine: engine.upkeep.repair(),
    ]
    for door in doors:
        with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
            with pytest.raises(StorageError, match="Zorora was updated"):
                door(engine)
            (message,) = [
                check
                for check in engine.upkeep.doctor()
                if check.name == ("database" if name == "zorora.db" else "corpus")
            ]
            assert "newer Zorora" in message.message
    assert (home / name).read_bytes() == before
