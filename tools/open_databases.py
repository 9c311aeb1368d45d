"""The one way to a SQLite file, and the one way to read a file that might be one.

POSIX drops every lock a process holds on a file when that process closes any descriptor of the
file, so a plain `open` and `close` of a database beside a live connection takes the locks of that
connection away. The next process then believes that nobody uses the database, deletes its log, and
what is written afterwards is lost (sqlite.org/howtocorrupt.html, 2.2). Locks belong to the process,
and so does the register in this module.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from tools.database_schema import schema_problem
from tools.errors import Refused, StorageError

BUSY_SECONDS = 10.0
# Files that SQLite keeps beside a database, and locks as well
COMPANIONS = (
    "-wal",
    "-shm",
    "-journal",
)
DAMAGE = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))
# What the full text says of its own tables behind a code that wrong statements have, too
FULL_TEXT_DAMAGE = ("invalid fts5 file format", "vtable constructor failed")
FAULTS = (sqlite3.DatabaseError, UnicodeDecodeError)
Inode = tuple[int, int]  # device, inode


class DamagedDatabase(StorageError, sqlite3.DatabaseError):
    """A file that makes no sense to SQLite, or a text in it that is none. The message is a sentence
    for people.

    why: what is wrong, as a phrase.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} is damaged ({why}). `zorora repair-db` rebuilds it.")
        self.why = why


class UnusableDatabase(StorageError, sqlite3.OperationalError):
    """A disk that is full or failing, a file that may not be opened or written, a lock. The message
    is a sentence."""


def _explaining(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a cursor whose faults are sentences where they say something about the file."""

    def call(cursor: "Cursor", *arguments: Any) -> Any:
        try:
            return method(cursor, *arguments)
        except FAULTS as error:
            raise cursor.connection.explained(error) from error

    return call


class Cursor(sqlite3.Cursor):
    """A cursor whose faults are sentences where they say something about the file."""

    connection: "Connection"
    execute: Callable[..., "Cursor"] = _explaining(sqlite3.Cursor.execute)
    executemany: Callable[..., "Cursor"] = _explaining(sqlite3.Cursor.executemany)
    fetchone: Callable[[], Any] = _explaining(sqlite3.Cursor.fetchone)
    fetchall: Callable[[], list[Any]] = _explaining(sqlite3.Cursor.fetchall)

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        try:
            yield from iter(super().fetchone, None)
        except FAULTS as error:
            raise self.connection.explained(error) from error


class Connection(sqlite3.Connection):
    """A connection that is registered while it is open.

    migrations: what made the database, where that is known; its tables are looked at when a
    statement makes no sense.
    """

    path = Path()
    migrations: Sequence[str] = ()

    def cursor(self, *arguments: Any, **more: Any) -> Cursor:  # type: ignore[override]
        return super().cursor(factory=Cursor)

    def execute(self, *arguments: Any) -> Cursor:
        return self.cursor().execute(*arguments)

    def executemany(self, *arguments: Any) -> Cursor:
        return self.cursor().executemany(*arguments)

    def explained(self, error: Exception) -> Exception:
        """A fault as a sentence where it says something about the file; else the fault itself,
        which is ours."""
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_ERROR and self._is_changed():
            return DamagedDatabase(self.path, "its tables are not those that Zorora made")
        return explained(self.path, error)

    def close(self) -> None:
        super().close()
        with _lock:
            _open.pop(self, None)

    def _is_changed(self) -> bool:
        """Whether the schema is not what the migrations make: "no such table" may be a flipped bit
        in its name."""
        migrations, self.migrations = self.migrations, ()
        try:
            return bool(migrations and schema_problem(self, migrations))
        except FAULTS:
            return True
        finally:
            self.migrations = migrations


def _damage(path: Path, error: Exception, text: str) -> str:
    """What is wrong with the file itself; empty where a fault says nothing about that."""
    if isinstance(error, UnicodeDecodeError) or "Could not decode" in text:
        # sqlite3 raises these where a message quotes a damaged schema, and for a text that is none
        return "a text in it is not readable"
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGE or any(
        sign in text for sign in FULL_TEXT_DAMAGE
    ):
        return text
    return "it is a folder" if path.is_dir() else ""


def explained(path: Path, error: Exception) -> Exception:
    """A fault of SQLite as a sentence, where it says something about the file; else the fault
    itself."""
    text = " ".join(str(error).split())[:200]
    if isinstance(error, StorageError):
        return error
    if damage := _damage(path, error, text):
        return DamagedDatabase(path, damage)
    if "disk is full" in text or "disk I/O" in text:
        return UnusableDatabase(
            f"The disk that holds {path} is full or failing ({text}). Free some space."
        )
    if "readonly" in text or "unable to open" in text:
        return UnusableDatabase(
            f"{path} cannot be written ({text}). Check that the folder is yours."
        )
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
        return UnusableDatabase(f"{path.name} was closed before this was done.")
    if "locked" in text:
        return UnusableDatabase(
            f"{path.name} has been held by another program for {BUSY_SECONDS:.0f} s."
        )
    return error


_lock = threading.Lock()
_open: WeakKeyDictionary[Connection, Inode] = WeakKeyDictionary()


def connect(
    path: Path, mode: str, *, timeout: float = BUSY_SECONDS, any_thread: bool = False
) -> Connection:
    """A connection in autocommit mode.

    mode: "ro" to read, "rw" to write, "rwc" to create the file as well. any_thread: another thread
    than the one that opened the connection may close it. Raises StorageError.
    """
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    try:
        connection = sqlite3.connect(
            uri,
            uri=True,
            timeout=timeout,
            isolation_level=None,
            check_same_thread=not any_thread,
            factory=Connection,
        )
    except FAULTS as error:
        raise explained(path, error) from error
    connection.path = path
    if (inode := _inode(path)) is not None:
        with _lock:
            _open[connection] = inode
    return connection


def is_open(path: str | Path, folder: int | None = None) -> bool:
    """Whether this process has a connection to the database at a path, or the path is a file that
    SQLite keeps beside such a database.

    folder: descriptor of the folder that a bare name stands in. Without it links are followed.
    """
    # Looked up only where it may matter: thousands of files are read in a row
    name = str(path)
    may_lead = folder is None and (name.endswith(COMPANIONS) or os.path.islink(name))  # noqa: PTH114
    real = os.path.realpath(name) if may_lead else name
    beside = (real.removesuffix(ending) for ending in COMPANIONS if real.endswith(ending))
    inodes = {_inode(name, folder) for name in (real, *beside)} - {None}
    with _lock:
        return not inodes.isdisjoint(_open.values())


def refuse_open(path: str | Path, folder: int | None = None) -> None:
    """Raises Refused for a database that this process has open; see `is_open`."""
    if is_open(path, folder):
        raise Refused(
            f"{Path(path).name} is a database that Zorora is "
            "using; it is not read or written as a file."
        )


def read_file(path: Path) -> bytes:
    """The bytes of a file that a user named. Raises Refused for a database that this process has
    open, OSError."""
    refuse_open(path)
    return path.read_bytes()


def sync_file(path: Path) -> None:
    """Make the content of a file durable: of a database that SQLite has made and closed, for
    example.

    Raises Refused for one that this process has open, OSError.
    """
    refuse_open(path)
    sync(path)


def sync(path: str | Path) -> None:
    """Make a file, or what a folder lists, safe from a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _inode(path: str | Path, folder: int | None = None) -> Inode | None:
    try:
        status = os.stat(path, dir_fd=folder)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
