"""Copies of the database and the way back."""

import sqlite3
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.maintenance import backup, store
from engine.records.storage import LocalStorage
from engine.schema import ZORORA
from engine.settings.config import Config, load
from tools.database import Database
from tools.errors import NotFound, StorageError
from workflows.research.state import ResearchState

AT = datetime(2025, 1, 15, 14, 30, 22, tzinfo=UTC)


@pytest.fixture
def config(home: Path) -> Config:
    return load(home, environ={})


def fill(config: Config, *names: str) -> None:
    storage = LocalStorage(config=config)
    for name in names:
        storage.save_research(ResearchState("A question", research_id=name, status="complete"))
    storage.close()


def names(file: Path) -> list[str]:
    connection = sqlite3.connect(file)
    research_ids = [
        name
        for (name,) in connection.execute(
            "SELECT research_id FROM research_findings ORDER BY research_id"
        )
    ]
    connection.close()
    return research_ids


def test_a_copy_is_whole_private_and_named_by_its_time(config: Config) -> None:
    fill(config, "a", "b")
    copy = backup.make(config.paths, at=AT)
    assert copy == config.paths.backups / "zorora-20250115-143022-manual.db"
    assert names(copy) == ["a", "b"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [path.name for path in config.paths.backups.iterdir()] == [copy.name]


def test_a_copy_is_nobody_elses_while_it_is_made(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(config, "a")
    copied, modes = store.copy_into, []

    def copy_into(database: Path, target: Path) -> None:
        modes.append(stat.S_IMODE(target.stat().st_mode))
        copied(database, target)

    monkeypatch.setattr(store, "copy_into", copy_into)
    backup.make(config.paths, tmp_path / "shared.db")
    assert modes == [0o600]


def test_a_copy_is_made_while_another_writes(config: Config) -> None:
    storage = LocalStorage(config=config)
    storage.save_research(ResearchState("x", research_id="a"))
    with storage.database.write() as connection:
        connection.execute("UPDATE research_findings SET query = 'changed'")
        assert names(backup.make(config.paths, at=AT)) == ["a"]
    storage.close()


def test_a_copy_goes_where_one_says_and_replaces_nothing(config: Config, tmp_path: Path) -> None:
    fill(config, "a")
    assert backup.make(config.paths, tmp_path / "mine.db") == tmp_path / "mine.db"
    assert backup.make(config.paths, tmp_path, at=AT).parent == tmp_path
    with pytest.raises(StorageError, match="exists already"):
        backup.make(config.paths, tmp_path / "mine.db")
    with pytest.raises(StorageError, match=r"cannot be a folder|cannot be created"):
        backup.make(config.paths, tmp_path / "mine.db" / "below" / "x.db")


def test_two_copies_of_one_second_have_two_names(config: Config) -> None:
    fill(config, "a")
    names = [backup.make(config.paths, at=AT).name for _ in range(3)]
    assert names == [f"zorora-20250115-143022-manual{n}.db" for n in ("", "-2", "-3")]
    assert len(backup.list_copies(config.paths, backup.BY_HAND)) == 3


def test_without_a_database_there_is_nothing_to_copy(config: Config) -> None:
    with pytest.raises(NotFound, match="no database to back up"):
        backup.make(config.paths)
    assert backup.daily(config.paths, keep=7) is None


def test_one_copy_a_day_and_the_last_seven_stay(config: Config) -> None:
    fill(config, "a")
    backup.make(config.paths, at=AT)
    copies = [backup.daily(config.paths, keep=7, at=AT + timedelta(hours=6 * n)) for n in range(40)]
    assert [n for n, path in enumerate(copies) if path] == [0, 4, 8, 12, 16, 20, 24, 28, 32, 36]
    assert len(backup.list_copies(config.paths, backup.DAILY)) == 7
    assert len(backup.list_copies(config.paths, backup.BY_HAND)) == 1
    assert backup.list_copies(config.paths)[0] == copies[36]


def test_restoring_brings_the_copy_back_and_keeps_what_was_there(config: Config) -> None:
    fill(config, "a")
    copy = backup.make(config.paths, at=AT)
    fill(config, "b")
    safety = backup.restore(config.paths, copy, at=AT)
    assert safety is not None
    assert names(safety) == ["a", "b"]
    assert names(config.paths.db) == ["a"]
    storage = LocalStorage(config=config)
    assert storage.sweep().indexed == ("b",)  # its record is still there
    assert storage.stats()["research_findings"] == 2
    storage.close()


def test_a_storage_that_stays_open_sees_what_was_restored(config: Config) -> None:
    storage = LocalStorage(config=config)
    storage.save_research(ResearchState("x", research_id="a"))
    copy = backup.make(config.paths, at=AT)
    storage.save_research(ResearchState("x", research_id="b"))
    backup.restore(config.paths, copy, at=AT)
    assert storage.ids() == ["a"]
    storage.save_research(ResearchState("x", research_id="c"))
    assert storage.ids() == ["a", "c"]
    storage.close()


@pytest.mark.parametrize("kind", ["absent", "text", "damaged", "other", "newer", "empty"])
def test_what_is_not_a_sound_copy_is_refused_and_nothing_changes(
    config: Config, tmp_path: Path, kind: str
) -> None:
    fill(config, *(f"r{n}" for n in range(30)))
    file = tmp_path / "copy.db"
    if kind == "text":
        file.write_text("hello " * 1000)
    elif kind == "damaged":
        data = bytearray(backup.make(config.paths, at=AT).read_bytes())
        data[8192:40960] = b"\xa5" * (40960 - 8192)
        file.write_bytes(data)
    elif kind in ("other", "newer"):
        connection = sqlite3.connect(file)
        connection.execute(f"PRAGMA user_version = {1 if kind == 'other' else len(ZORORA) + 1}")
        connection.execute(
            f"CREATE TABLE {'theirs' if kind == 'other' else 'research_findings'} (x)"
        )
        connection.close()
    elif kind == "empty":
        file.write_bytes(b"")
    with pytest.raises(NotFound if kind == "absent" else StorageError):
        backup.restore(config.paths, file)
    assert len(names(config.paths.db)) == 30


def test_restoring_over_a_damaged_database_keeps_the_damaged_file(config: Config) -> None:
    fill(config, "a")
    copy = backup.make(config.paths, at=AT)
    config.paths.db.write_bytes(b"rubbish" * 1000)
    safety = backup.restore(config.paths, copy, at=AT)
    assert safety is not None
    assert safety.read_bytes().startswith(b"rubbish")
    assert names(config.paths.db) == ["a"]


def test_a_copy_is_kept_before_a_migration(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(config, "a")
    keep = backup.before_migration(config.paths, 7)
    newer = Database(config.paths.db, (*ZORORA, "CREATE TABLE added (x);"), before_migration=keep)
    newer.close()
    copies = backup.list_copies(config.paths)
    assert len(copies) == 1
    assert f"migration-{len(ZORORA)}" in copies[0].name
    assert names(copies[0]) == ["a"]


def test_a_migration_that_fails_leaves_the_database_as_it_was(config: Config) -> None:
    fill(config, "a")
    broken = "CREATE TABLE added (x);\nINSERT INTO absent VALUES (1);"
    with pytest.raises(sqlite3.OperationalError):
        Database(
            config.paths.db,
            (*ZORORA, broken),
            before_migration=backup.before_migration(config.paths, 7),
        )
    storage = LocalStorage(config=config)
    assert storage.ids() == ["a"]
    storage.close()


def test_an_unsound_database_is_not_copied_as_if_it_were_sound(config: Config) -> None:
    fill(config, *(f"r{n}" for n in range(40)))
    data = bytearray(config.paths.db.read_bytes())
    data[8192:60000] = b"\xa5" * (60000 - 8192)
    config.paths.db.write_bytes(data)
    with pytest.raises(StorageError):
        backup.make(config.paths, at=AT)
    assert [
        path for path in config.paths.backups.iterdir() if not path.name.startswith("zorora")
    ] == []
    assert backup.list_copies(config.paths) == []


def test_names_of_other_files_in_the_folder_do_no_harm(config: Config) -> None:
    fill(config, "a")
    for name in ("zorora-x.db", "zorora-99999999-999999-daily.db", "notes.txt"):
        (config.paths.backups / name).write_text("")
    assert backup.daily(config.paths, keep=7, at=AT) is not None
    assert replace(config).home == config.home


def test_copies_of_a_clock_that_was_set_back_neither_stop_nor_outlive_those_of_today(
    config: Config,
) -> None:
    fill(config, "a")
    for n in range(8):
        backup.daily(config.paths, keep=3, at=AT + timedelta(days=3650 + n))
    copies = [backup.daily(config.paths, keep=3, at=AT + timedelta(days=n)) for n in range(4)]
    assert None not in copies
    assert set(backup.list_copies(config.paths, backup.DAILY)) == set(copies[1:])
