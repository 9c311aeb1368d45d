"""The one way to a SQLite file, and the one way to read a file that might be one.

POSIX drops every lock a process holds on a file when that process closes any descriptor of the file, so a plain
`open` and `close` of a database beside a live connection takes the locks of that connection away. The next process
then believes that nobody uses the database, deletes its log, and what is written afterwards is lost
(sqlite.org/howtocorrupt.html, 2.2). Locks belong to the process, and so does the register in this module.
"""

import os
import sqlite3
import threading
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from tools.errors import Refused

BUSY_SECONDS = 10.0
COMPANIONS = ("-wal", "-shm", "-journal")  # files that SQLite keeps beside a database, and locks as well
Inode = tuple[int, int]  # device, inode


class Connection(sqlite3.Connection):
    """A connection that is registered while it is open."""

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Like sqlite3's own. A message of SQLite that quotes a damaged schema may not be text; sqlite3 raises
        UnicodeDecodeError for it in place of the error itself."""
        try:
            return super().execute(*arguments)
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError("the schema of the database is not readable text") from error

    def close(self) -> None:
        super().close()
        with _lock:
            _open.pop(self, None)


_lock = threading.Lock()
_open: WeakKeyDictionary[Connection, Inode] = WeakKeyDictionary()


def connect(path: Path, mode: str, *, timeout: float = BUSY_SECONDS, any_thread: bool = False) -> Connection:
    """A connection in autocommit mode.

    mode: "ro" to read, "rw" to write, "rwc" to create the file as well. any_thread: another thread than the one that
    opened the connection may close it. Raises sqlite3.Error.
    """
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(
        uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=not any_thread, factory=Connection
    )
    if (inode := _inode(path)) is not None:
        with _lock:
            _open[connection] = inode
    return connection


def is_open(path: str | Path, folder: int | None = None) -> bool:
    """Whether this process has a connection to the database at a path, or the path is a file that SQLite keeps beside
    such a database.

    folder: descriptor of the folder that a bare name stands in. Without it links are followed.
    """
    real = os.path.realpath(path) if folder is None else str(path)
    beside = (real.removesuffix(ending) for ending in COMPANIONS if real.endswith(ending))
    wanted = {_inode(name, folder) for name in (real, *beside)} - {None}
    with _lock:
        return not wanted.isdisjoint(_open.values())


def refuse_open(path: str | Path, folder: int | None = None) -> None:
    """Raises Refused for a database that this process has open; see `is_open`."""
    if is_open(path, folder):
        raise Refused(f"{Path(path).name} is a database that Zorora is using; it is not read or written as a file.")


def read_file(path: Path) -> bytes:
    """The bytes of a file that a user named. Raises Refused for a database that this process has open, OSError."""
    refuse_open(path)
    return path.read_bytes()


def sync_file(path: Path) -> None:
    """Make the content of a file durable: of a database that SQLite has made and closed, for example.

    Raises Refused for one that this process has open, OSError.
    """
    refuse_open(path)
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
