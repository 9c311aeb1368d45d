"""One database and many threads: what their connections keep, and closing it while they still use it."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.database import READING, WRITING, Database

SCHEMA = ("CREATE TABLE numbers (n INTEGER);",)


def kept(database: Database) -> int:
    """Kilobytes of pages that the connection of this thread keeps in memory."""
    return -int(database.read().execute("PRAGMA cache_size").fetchone()[0])


def test_only_the_thread_that_wrote_last_keeps_much_of_the_file(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", SCHEMA)

    def write() -> int:
        with database.write() as connection:
            connection.execute("INSERT INTO numbers VALUES (1)")
        return kept(database)

    assert kept(database) == READING
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        assert one.submit(write).result() == one.submit(write).result() == WRITING
        assert other.submit(kept, database).result() == READING
        assert other.submit(write).result() == WRITING
        assert one.submit(kept, database).result() == READING
    database.close()


def test_a_thread_that_still_reads_is_left_its_connection(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", SCHEMA)
    with database.write() as connection:
        connection.executemany("INSERT INTO numbers VALUES (?)", [(n,) for n in range(2000)])
    begun, ended = threading.Event(), threading.Event()
    faults: list[str] = []

    def read() -> None:
        own = database.read()
        while not ended.is_set():
            begun.set()
            try:
                own.execute("SELECT count(*) FROM numbers a, numbers b").fetchone()
            except sqlite3.Error as fault:
                faults.append(str(fault))
        own.close()

    thread = threading.Thread(target=read)
    thread.start()
    assert begun.wait(60)
    database.close()
    ended.set()
    thread.join(60)
    assert set(faults) <= {"interrupted"}
    assert Database(tmp_path / "x.db", SCHEMA).read().execute("SELECT count(*) FROM numbers").fetchone()[0] == 2000


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors are counted in /proc")
def test_connections_of_threads_that_have_ended_are_closed(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", SCHEMA)
    begun = open_files(tmp_path)
    for _ in range(30):
        thread = threading.Thread(target=lambda: database.read().execute("SELECT 1 FROM numbers").fetchall())
        thread.start()
        thread.join()
    assert open_files(tmp_path) <= begun + 6  # one more connection at most, with its log
    assert database.read().execute("SELECT count(*) FROM numbers").fetchone()[0] == 0
    database.close()
    assert open_files(tmp_path) == 0


def open_files(folder: Path) -> int:
    """How many descriptors of this process lead to files below a folder."""
    found = 0
    for link in Path("/proc/self/fd").iterdir():
        try:
            found += link.readlink().is_relative_to(folder)
        except OSError:
            continue
    return found
