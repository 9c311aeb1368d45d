"""Connections to one PostgreSQL database: the address, one connection per thread, transactions,
faults as sentences.

The driver is pg8000 (BSD), from the extra `postgres`; it is imported when the first connection is
made.
"""

import os
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from tools.errors import ConfigError, StorageError

T = TypeVar("T")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_MODES = ("disable", "require", "verify-full")
_CONNECT_SECONDS = 10
# SQLSTATEs that end a connection or a transaction through no fault of its own: lost, shut down,
# deadlock
_PASSING = ("08", "57P", "40")


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server is. host: a name, or the folder of its socket. tls: disable, require or
    verify-full."""

    host: str
    port: int = 5432
    user: str | None = None
    database: str = "zorora"
    tls: str = "disable"
    password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}/{self.database}"


def address(text: str, password: str | None = None) -> Address:
    """`postgresql://[user@]host[:port]/database[?host=/folder/of/the/socket&sslmode=MODE]`. Raises
    ConfigError.

    Beyond this machine the connection is encrypted and the server's certificate checked, unless
    sslmode says otherwise.
    """
    try:
        parts = urlsplit(text)
        port = parts.port or 5432
    except ValueError as error:
        raise _wrong(f"{error}") from error
    if parts.scheme not in ("postgresql", "postgres"):
        raise _wrong("it begins with postgresql://")
    if parts.password:
        raise ConfigError(
            "corpus.index contains a password. Leave it out there and store it with: zorora keys "
            "set POSTGRES_INDEX_KEY"
        )
    more = dict(parse_qsl(parts.query))
    if unknown := sorted(more.keys() - {"host", "sslmode"}):
        raise _wrong(f"{unknown[0]!r} is not known after the question mark; host and sslmode are")
    host = more.get("host") or parts.hostname or "localhost"
    tls = _tls_mode(more.get("sslmode"), host)
    user = unquote(parts.username) if parts.username else None
    return Address(host, port, user, unquote(parts.path.lstrip("/")) or "zorora", tls, password)


def _tls_mode(mode: str | None, host: str) -> str:
    if mode is None:
        return "disable" if host.startswith("/") or host in _LOOPBACK else "verify-full"
    if mode not in _MODES:
        raise _wrong(f"sslmode is one of {', '.join(_MODES)}")
    return mode


def _wrong(why: str) -> ConfigError:
    return ConfigError(f"corpus.index is not the address of a PostgreSQL database: {why}.")


class Postgres:
    """One database. `run` answers one statement; inside `transaction` statements belong together.

    Values are bound by name (`:name`). Whatever is asked may be asked twice: a connection that was
    lost is opened again once. Raises StorageError.
    """

    def __init__(self, where: Address) -> None:
        self.where = where
        self._local = threading.local()
        self._all: list[tuple[threading.Thread, int, Any]] = []  # thread, process, connection
        self._lock = threading.Lock()

    def run(self, sql: str, **values: Any) -> list[list[Any]]:
        """The rows of one statement."""
        return self.repeatable(lambda connection: connection.run(sql, **values) or [])

    def repeatable(self, work: Callable[[Any], T]) -> T:
        """Work that may be done twice, on this thread's connection; once more after a lost
        connection."""
        with self._sentences():
            from pg8000.exceptions import DatabaseError, InterfaceError

            try:
                return work(self._connection())
            except (InterfaceError, OSError):
                self._drop()
            except DatabaseError as error:
                if not _field(error, "C").startswith(_PASSING):
                    raise
                self._drop()
            return work(self._connection())

    def whole(self, work: Callable[[Any], T]) -> T:
        """Work in one transaction; done again from the start after a lost connection."""
        return self.repeatable(lambda connection: _whole(connection, work))

    def close(self) -> None:
        """End the connections of this thread and of threads that have ended; others end with their
        threads."""
        with self._lock:
            self._close_ended()
            for thread, pid, connection in self._all:
                if thread is threading.current_thread() and pid == os.getpid():
                    _close(connection)
            self._all.clear()
        self._local = threading.local()

    def _close_ended(self) -> None:
        """Close what ended threads have left. What came through a fork is the parent's, who still
        speaks with it."""
        for thread, pid, connection in self._all:
            if not thread.is_alive() and pid == os.getpid():
                _close(connection)
        self._all = [entry for entry in self._all if entry[0].is_alive()]

    def _connection(self) -> Any:
        if getattr(self._local, "pid", None) != os.getpid():  # a connection must not cross a fork
            connection = self._open()
            with self._lock:
                self._close_ended()
                self._all.append((threading.current_thread(), os.getpid(), connection))
            self._local.connection, self._local.pid = connection, os.getpid()
        return self._local.connection

    def _drop(self) -> None:
        connection = getattr(self._local, "connection", None)
        self._local = threading.local()
        if connection is not None:
            _close(connection)

    def _open(self) -> Any:
        from pg8000.native import Connection

        where = self.where
        place: dict[str, Any] = {"host": where.host, "port": where.port}
        if where.host.startswith("/"):
            place = {"unix_sock": str(Path(where.host) / f".s.PGSQL.{where.port}")}
        connection = Connection(
            where.user or _own_name(),
            **place,
            database=where.database,
            password=where.password,
            ssl_context=_tls(where.tls),
            timeout=_CONNECT_SECONDS,
            application_name="zorora",
        )
        # The limit is for connecting; a long search may take longer
        connection._usock.settimeout(None)
        # How far a search among neighbours looks; a search in some texts goes on until it has found
        # enough
        connection.run("SET hnsw.ef_search = 400")
        connection.run("SET hnsw.iterative_scan = relaxed_order")
        connection.run("SET search_path = zorora, public")
        # Compiling a search takes longer than running it
        connection.run("SET jit = off")
        return connection

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            from pg8000.exceptions import DatabaseError, InterfaceError
        except ImportError as error:
            raise StorageError(
                "corpus.index names a PostgreSQL database: install its driver with pip install "
                "'zorora[postgres]'."
            ) from error
        try:
            yield
        except DatabaseError as error:
            raise StorageError(
                f"The PostgreSQL index {self.where} refused: {_field(error, 'M')}."
            ) from error
        except (InterfaceError, OSError) as error:
            raise StorageError(
                f"The PostgreSQL index {self.where} cannot be reached ({error}). Start it, or "
                "change corpus.index."
            ) from error


def _field(error: Exception, part: str) -> str:
    """A field of the server's answer: M the message, C the SQLSTATE."""
    fields = error.args[0] if error.args else ""
    return str(fields.get(part, "")) if isinstance(fields, dict) else str(fields)


def _whole(connection: Any, work: Callable[[Any], T]) -> T:
    connection.run("BEGIN")
    try:
        result = work(connection)
        connection.run("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise
    return result


def _roll_back(connection: Any) -> None:
    from pg8000.exceptions import DatabaseError, InterfaceError

    try:
        connection.run("ROLLBACK")
    except (DatabaseError, InterfaceError, OSError):
        _close(connection)  # the server rolls back what a lost connection left


def _close(connection: Any) -> None:
    from pg8000.exceptions import InterfaceError

    socket = connection._usock
    with suppress(
        InterfaceError, OSError
    ):  # it was lost already, and the driver leaves the socket open then
        connection.close()
    if socket is not None:
        socket.close()


def _own_name() -> str:
    import pwd

    return pwd.getpwuid(os.getuid()).pw_name


def _tls(mode: str) -> Any:
    if mode == "disable":
        return None
    context = ssl.create_default_context()
    if mode == "require":
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
