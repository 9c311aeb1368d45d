"""What costs most where every test opens an engine of its own, made once in a process of tests:
the schema of a fresh database, the session of a model, the process that readers of documents are
forked from.

The program's own code makes each the first time. A model file that was changed is opened anew.
"""

import os
import socket
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engine.schema import ZORORA
from tools.database import Database
from tools.documents import parse_pool, parse_wire
from tools.documents.parse_processes import Limits, Template
from tools.onnx_model import OnnxModel
from tools.schema import CORPUS

_OURS = (tuple(CORPUS), tuple(ZORORA))
_open_database = Database.__init__
_open_session = OnnxModel._opened
open_template = parse_pool._new_template
_templates: dict[int, Template] = {}  # process id -> its template
_starting = threading.Lock()
_sessions: dict[tuple[Any, ...], tuple[Any, tuple[str, ...]]] = {}


def install() -> None:
    """Put it in force for this process; those that a test starts open all themselves."""
    Database.__init__ = _open_ready_database  # type: ignore[method-assign]
    OnnxModel._opened = _open_ready_session  # type: ignore[method-assign]
    parse_pool._new_template = _share_template  # type: ignore[assignment]


def end() -> None:
    """End the processes that were started."""
    if template := _templates.pop(os.getpid(), None):
        template.stop()


def _open_ready_database(
    self: Database, path: Path, migrations: Sequence[str], **options: Any
) -> None:
    """Lay an empty database of the program's two kinds in place before it is opened: the nine
    milliseconds of its schema are most of what many tests take."""
    path = Path(path)
    if tuple(migrations) in _OURS and path.parent.is_dir() and not path.exists():
        # The program says what is wrong with a place that cannot be written
        with suppress(OSError):
            _place(path, _empty_database(tuple(migrations)))
    _open_database(self, path, migrations, **options)


def _place(path: Path, data: bytes) -> None:
    """A whole file or none: other threads may open the same database at once."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.ready")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        os.link(beside, path)
    finally:
        beside.unlink(missing_ok=True)


@cache
def _empty_database(migrations: tuple[str, ...]) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        database = object.__new__(Database)
        _open_database(database, path, migrations)
        database.close()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return path.read_bytes()


def _open_ready_session(self: OnnxModel) -> Any:
    """The session of a file that was opened before and has not changed since."""
    status = self.path.stat()
    key = (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size, self._threads)
    key = (*key, *self._providers)
    if key not in _sessions:
        _sessions[key] = (_open_session(self), self._inputs)
    session, self._inputs = _sessions[key]
    return session


class Share:
    """What one pool has of the template of this process: its readers, which end with the pool."""

    def __init__(self, template: Template) -> None:
        self._template = template
        self.loaded = template.loaded
        self._readers: set[int] = set()

    def load(self, reader_family: str) -> None:
        self._template.load(reader_family)

    def fork(self, theirs: socket.socket, limits: Limits) -> int:
        reader = self._template.fork(theirs, limits)
        self._readers.add(reader)
        return reader

    def end(self, pid: int) -> int:
        if pid not in self._readers:
            raise parse_wire.Closed
        self._readers.discard(pid)
        return self._template.end(pid)

    def stop(self) -> None:
        for reader in list(self._readers):
            with suppress(parse_wire.Closed):
                self.end(reader)
        if self._template._process.poll() is not None:
            _templates.pop(os.getpid(), None)

    def disown(self) -> None:
        self._template.disown()


def _share_template() -> Share:
    """A third of a second of imports, in each engine that reads a document."""
    with _starting:
        if os.getpid() not in _templates:
            _templates[os.getpid()] = open_template()
        return Share(_templates[os.getpid()])
