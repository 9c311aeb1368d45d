"""One database and many threads: what their connections keep, and closing it while they still use
it."""

import resource
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tools.database import READING, WRITING, Database
from tools.errors import StorageError
from tools.open_databases import connect

SCHEMA = ("CREATE TABLE numbers (n INTEGER);",)


def cache_size(database: Database) -> int:
    """Kilobytes of pages that the connection of this thread keeps in memory."""
    return -int(database.read().execute("PRAGMA cache_size").fetchone()[0])


def test_only_the_thread_that_wrote_last_keeps_much_of_the_file(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", SCHEMA)

    def write() -> int:
        with database.write() as connection:
            connection.execute("INSERT INTO numbers VALUES (1)")
        return cache_size(database)

    assert cache_size(database) == READING
    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as other:
        assert first.submit(write).result() == first.submit(write).result() == WRITING
        assert other.submit(cache_size, database).result() == READING
        assert other.submit(write).result() == WRITING
        assert first.submit(cache_size, database).result() == READING
    database.close()


def test_a_thread_that_still_reads_is_left_its_connection(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", SCHEMA)
    with database.write() as connection:
        connection.executemany("INSERT INTO numbers VALUES (?)", [(n,) for n in range(2000)])
    begun, ended = threading.Event(), threading.Event()
    faults: list[str] = []

    def read() -> None:
        connection = database.read()
        while not ended.is_set():
            begun.set()
            try:
                connection.execute("SELECT count(*) FROM numbers a, numbers b").fetchone()
            except sqlite3.Error as fault:
                faults.append(str(fault))
        connection.close()

    thread = threading.Thread(target=read)
    thread.start()
    assert begun.wait(60)
    database.close()
    ended.set()
    thread.join(60)
    assert set(faults) <= {"x.db was closed before this was done."}
    assert (
        Database(tmp_path / "x.db", SCHEMA)
        .read()
        .execute("SELECT count(*) FROM numbers")
        .fetchone()[0]
        == 2000
    )


def test_a_statement_that_closing_cuts_short_ends_with_a_sentence(tmp_path: Path) -> None:
    """The daily tidying runs in a thread of its own; the program that ends meanwhile shows no
    traceback."""
    database = Database(tmp_path / "x.db", SCHEMA)
    database.read()
    begun, closed = threading.Event(), threading.Event()

    def wait(number: int) -> int:
        begun.set()
        closed.wait(60)
        return number

    def delete() -> str:
        with database.write() as connection:
            connection.execute("INSERT INTO numbers VALUES (1), (2)")
        connection.create_function("wait", 1, wait)
        with pytest.raises(StorageError) as refusal:
            connection.execute("DELETE FROM numbers WHERE wait(n) > 0")
        return str(refusal.value)

    with ThreadPoolExecutor(1) as pool:
        message = pool.submit(delete)
        assert begun.wait(60)
        database.close()
        closed.set()
        assert message.result(60) == "x.db was closed before this was done."


def test_a_thread_that_opens_its_connection_while_another_closes_them_all_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(tmp_path / "x.db", SCHEMA)

    def connect_late(*arguments: Any, **options: Any) -> Any:
        with ThreadPoolExecutor(1) as another:
            another.submit(database.close).result()
        return connect(*arguments, **options)

    monkeypatch.setattr("tools.database.connect", connect_late)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(cache_size, database).result() == READING
    database.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
def test_a_new_file_may_be_opened_by_several_at_once(tmp_path: Path) -> None:
    together = threading.Barrier(4, timeout=10)

    def opened(number: int) -> int:
        together.wait()
        return Database(tmp_path / f"{number}.db", ["CREATE TABLE t (x)"]).version

    with ThreadPoolExecutor(4) as pool:
        assert (
            list(pool.map(opened, (number for number in range(30) for _ in range(4)))) == [1] * 120
        )


def test_connections_of_threads_that_have_ended_are_closed(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", SCHEMA)
    begun = open_files(tmp_path)
    for _ in range(30):
        thread = threading.Thread(
            target=lambda: database.read().execute("SELECT 1 FROM numbers").fetchall()
        )
        thread.start()
        thread.join()
    assert open_files(tmp_path) <= begun + 6  # one more connection at most, with its log
    assert database.read().execute("SELECT count(*) FROM numbers").fetchone()[0] == 0
    database.close()
    assert open_files(tmp_path) == 0


def open_files(folder: Path) -> int:
    """How many descriptors of this process lead to files below a folder."""
    count = 0
    for link in Path("/proc/self/fd").iterdir():
        try:
            count += link.readlink().is_relative_to(folder)
        except OSError:
            continue
    return count


def numbers(database: Database) -> list[int]:
    return [n for (n,) in database.read().execute("SELECT n FROM numbers")]


def put(database: Database, number: int) -> None:
    with database.write() as connection:
        connection.execute("INSERT INTO numbers VALUES (?)", (number,))


def test_what_is_written_goes_into_the_file_that_stands_at_the_path_now(tmp_path: Path) -> None:
    old, path = Database(tmp_path / "x.db", SCHEMA), tmp_path / "x.db"
    put(old, 1)
    with ThreadPoolExecutor(1) as other:
        assert other.submit(numbers, old).result() == [1]
        path.rename(tmp_path / "aside.db")
        for ending in ("-wal", "-shm"):
            path.with_name(f"x.db{ending}").rename(tmp_path / f"aside.db{ending}")
        new = Database(path, SCHEMA)
        put(new, 2)
        put(old, 3)
        assert numbers(new) == numbers(old) == other.submit(numbers, old).result() == [2, 3]
    old.close()
    new.close()
    aside = Database(tmp_path / "aside.db", SCHEMA)
    assert numbers(aside) == [1]
    aside.close()


def test_a_file_that_was_moved_away_takes_no_write_and_none_is_made_in_its_place(
    tmp_path: Path,
) -> None:
    database = Database(tmp_path / "x.db", SCHEMA)
    (tmp_path / "x.db").rename(tmp_path / "aside.db")
    with pytest.raises(StorageError, match="moved away or deleted"):
        put(database, 1)
    with ThreadPoolExecutor(1) as other, pytest.raises(StorageError):
        other.submit(put, database, 1).result()
    assert not (tmp_path / "x.db").exists()
    assert numbers(database) == []
    database.close()


def test_a_disk_that_is_full_during_a_migration_is_a_sentence(tmp_path: Path) -> None:
    Database(tmp_path / "x.db", SCHEMA).close()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        with pytest.raises(StorageError, match=r"disk that holds .* is full"):
            Database(
                tmp_path / "x.db", (*SCHEMA, "INSERT INTO numbers VALUES (zeroblob(9999999));")
            )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    database = Database(tmp_path / "x.db", SCHEMA)
    assert numbers(database) == []
    database.close()


def test_a_revision_tells_of_every_change(tmp_path: Path) -> None:
    database, other = Database(tmp_path / "x.db", SCHEMA), Database(tmp_path / "x.db", SCHEMA)
    seen = [database.revision()]
    assert database.revision() == seen[0]

    def add(where: Database) -> None:
        with where.write() as connection:
            connection.execute("INSERT INTO numbers VALUES (1)")

    for change in (lambda: add(database), lambda: add(other)):
        change()
        seen.append(database.revision())
        assert database.revision() == seen[-1]
    with pytest.raises(ZeroDivisionError), database.write() as connection:
        connection.execute("INSERT INTO numbers VALUES (2)")
        seen += [database.revision(), database.revision()]
        raise ZeroDivisionError
    seen.append(database.revision())
    with ThreadPoolExecutor(1) as thread:
        thread.submit(add, database).result()
    seen.append(database.revision())
    assert len(set(seen)) == len(seen)
    database.close()
    other.close()
