"""SQLite as everything here uses it: one connection per thread, immediate writes, forward-only
migrations.

This module knows no table. A package that owns tables hands in its migrations as SQL texts; their
number is the database's `user_version`. Why immediate: a transaction that reads first and writes
later fails with "database is locked" under other writers, whatever the busy timeout.
"""

import itertools
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from tools.database_schema import statements
from tools.errors import StorageError
from tools.open_databases import BUSY_SECONDS, Connection, UnusableDatabase, connect

# Kilobytes of pages that a connection keeps. Sixteen threads of a server read; the system keeps the
# pages of files anyway, and a search takes no longer. Who writes needs the same pages again from
# one transaction to the next.
READING, WRITING = 2_000, 20_000
ATTEMPTS = 3  # at a file that others keep replacing
_PAUSE = 0.02  # seconds
File = tuple[int, int]  # device and inode
_serial = itertools.count(1)


class Database:
    """One SQLite file with its schema.

    migrations: SQL texts in order; each runs once, all missing ones in one transaction.
    synchronous: FULL for what must survive power loss, NORMAL for what can be rebuilt.
    before_migration: called with (path, version found) before an existing file is changed, to keep
    a copy. Raises StorageError when the file cannot be opened, is newer than this program, or is
    not a database.
    """

    def __init__(
        self,
        path: Path,
        migrations: Sequence[str],
        *,
        synchronous: str = "FULL",
        before_migration: Callable[[Path, int], None] | None = None,
    ) -> None:
        self.path = Path(path)
        self.version = len(migrations)
        self._synchronous = synchronous
        self._migrations = tuple(migrations)
        self._is_migrated = False
        self._local = threading.local()
        self._all: list[tuple[threading.Thread, Connection]] = []
        self._writer: sqlite3.Connection | None = None  # the one that wrote last
        self._lock = threading.Lock()
        self._opened = 0  # connections so far
        self._replaced = 0  # how often it was closed, or another file was met at the path
        with _readable(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _make_private(self.path)
            try:
                self._migrate(before_migration)
            except BaseException:
                self.close()  # who is refused asks again and again: a page of a server, for example
                raise

    def read(self) -> Connection:
        """This thread's connection, in autocommit mode; rows are sqlite3.Row."""
        # A connection must not cross a fork
        mine = (os.getpid(), self._replaced)
        if getattr(self._local, "mine", None) != mine and not self._is_writing(mine):
            self._local.connection = self._open()
            self._local.mine = mine
        connection: Connection = self._local.connection
        if self._local.cache_size == WRITING and self._writer is not connection:
            self._keep(connection, READING)
        return connection

    def revision(self) -> tuple[int, ...]:
        """What stays the same, in this thread, for as long as nobody changes the file; new within a
        transaction."""
        connection = self.read()
        others = connection.execute("PRAGMA data_version").fetchone()[0]
        # What a transaction changed may be rolled back, which no number of SQLite's tells
        return (
            self._local.opened,
            others,
            connection.total_changes,
            next(_serial) if connection.in_transaction else 0,
        )

    def write(self) -> AbstractContextManager[sqlite3.Connection]:
        """One transaction that holds the write lock from its first statement; rolled back on any
        error.

        Nested use joins the outer transaction.
        """
        if self._is_writing((os.getpid(), self._replaced)):
            return nullcontext(self._local.connection)
        return self._transaction()

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """One statement that writes, in a transaction of its own or in the one under way."""
        with self.write() as connection:
            return connection.execute(sql, parameters)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _readable(self.path):
            connection = self._begin()
            self._local.afterwards = []
            try:
                self._writer = connection
                if self._local.cache_size != WRITING:
                    self._keep(connection, WRITING)
                self._check_version(connection)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            due = self._local.afterwards
        for call in due:
            call()

    def afterwards(self, call: Callable[[], object]) -> None:
        """Do something outside this database once the transaction under way is committed, and never
        if it is not.

        Without one, at once. For what cannot be rolled back.
        """
        if self.read().in_transaction:
            self._local.afterwards.append(call)
        else:
            call()

    def close(self) -> None:
        """Close the connections of this thread and of threads that have ended.

        One that another thread still uses is interrupted and left to it: closing it under that
        thread's hands can bring down the process.
        """
        with self._lock:
            for thread, connection in self._all:
                if thread is threading.current_thread() or not thread.is_alive():
                    connection.close()
                else:
                    connection.interrupt()
            self._all.clear()
            # Other threads open anew when they read again; a call they are in needs its values
            self._replaced += 1
        vars(self._local).clear()

    def _begin(self) -> Connection:
        """The write lock of the file that stands at the path now.

        One that was moved away meanwhile (`repair-db` does so with a damaged one) would take writes
        that nobody finds.
        """
        for _ in range(ATTEMPTS):
            connection = self.read()
            connection.execute("BEGIN IMMEDIATE")
            there = _file_at(self.path)
            if there == self._local.file:
                return connection
            connection.execute("ROLLBACK")
            if there is None:
                break
            self._replaced += 1
        raise StorageError(
            f"{self.path} was moved away or deleted while it was open; start Zorora again."
        )

    def _is_writing(self, mine: tuple[int, int]) -> bool:
        """Whether this thread is within a transaction, which ends on the connection it began on."""
        current: tuple[int, int] | None = getattr(self._local, "mine", None)
        return (
            current is not None
            and current[0] == mine[0]
            and bool(self._local.connection.in_transaction)
        )

    def _open(self) -> Connection:
        # Never creating: a file of SQLite's own making would stand in the place of one that was
        # moved away
        for _ in range(ATTEMPTS):
            self._local.file = _file_at(self.path)
            connection = connect(self.path, "rw", any_thread=True)
            if self._local.file == _file_at(self.path):
                break
            connection.close()
        else:
            raise StorageError(
                f"{self.path} is being replaced by other programs all the time; try again."
            )
        with self._lock:
            self._opened += 1
            self._local.opened = self._opened
            # What ended threads have left: a process that lives long would run out of descriptors
            for thread, connection_left in self._all:
                if not thread.is_alive():
                    connection_left.close()
            self._all = [entry for entry in self._all if entry[0].is_alive()]
            self._all.append((threading.current_thread(), connection))
        connection.row_factory = sqlite3.Row
        connection.migrations = self._migrations if self._is_migrated else ()
        _write_ahead(connection)
        connection.execute(f"PRAGMA synchronous={self._synchronous}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA temp_store=MEMORY")
        self._keep(connection, READING)
        return connection

    def _keep(self, connection: sqlite3.Connection, kilobytes: int) -> None:
        """How much of the file this thread's connection keeps in memory; what is beyond it is given
        back at once."""
        connection.execute(f"PRAGMA cache_size=-{kilobytes}")
        self._local.cache_size = kilobytes

    def _migrate(self, before: Callable[[Path, int], None] | None) -> None:
        existed = self.path.exists() and self.path.stat().st_size > 0
        connection = self.read()
        version = format_version(connection)
        self._check_version(connection, at_most=True)
        if version != self.version:
            self._run_migrations(version, before if existed else None)
        self._is_migrated = True
        connection.migrations = self._migrations  # until now no fault could be held against them

    def _run_migrations(self, version: int, before: Callable[[Path, int], None] | None) -> None:
        if version and before:
            before(self.path, version)
        connection = self._begin()
        try:
            # Somebody else may have been faster, and newer
            self._check_version(connection, at_most=True)
            for sql in self._migrations[format_version(connection) :]:
                for statement in statements(sql):
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version={self.version}")
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:  # a full disk ends it
                connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                connection.migrations = self._migrations[:version] or self._migrations
                raise connection.explained(error) from error
            raise
        self.path.chmod(0o600)

    def _check_version(self, connection: sqlite3.Connection, at_most: bool = False) -> None:
        version = format_version(connection)
        if version > self.version:
            raise StorageError(
                f"Zorora was updated; restart it: {self.path.name} has format {version}, "
                f"this program knows up to {self.version}."
            )
        if version < self.version and not at_most:
            raise StorageError(
                f"{self.path.name} was replaced by an older copy while open; restart Zorora."
            )


def _make_private(path: Path) -> None:
    """Make a new file the owner's alone before SQLite does: the files beside it (-wal, -shm) take
    its mode.

    One that exists is left alone: closing a descriptor of it would end the locks that this process
    holds on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _write_ahead(connection: Connection) -> None:
    """Where two programs change the mode of a new file at once, SQLite refuses one of them without
    waiting."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except UnusableDatabase as error:
            is_busy = getattr(error.__cause__, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > deadline:
                raise
        time.sleep(_PAUSE)


def _file_at(path: Path) -> File | None:
    """The file that stands at a path; None where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def format_version(connection: sqlite3.Connection) -> int:
    """How many migrations a database has had."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Faults of the file system as sentences; those of SQLite are some already
    (tools/open_databases.py)."""
    try:
        yield
    except PermissionError as error:
        raise StorageError(
            f"{path.parent} cannot be written. Check its permissions, or set ZORORA_HOME."
        ) from error
    except OSError as error:
        raise StorageError(f"{path} cannot be used: {error.strerror or error}.") from error
