"""SQL of the upkeep: whole copies of a database, whether one is sound, and what can be mended in
place."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tools.database import format_version
from tools.database_schema import format_of_tables, schema_problem
from tools.errors import StorageError
from tools.open_databases import Connection, DamagedDatabase, UnusableDatabase, connect

MAX_FINDINGS = 20
FULL_TEXT_SECONDS = 10.0
REFERENCES = "a reference of"  # how what `mend_references` mends begins
# What a column of each declared type may hold; SQLite itself lets it hold anything
KINDS_OF_VALUES = {
    "TEXT": "'text', 'null'",
    "INTEGER": "'integer', 'null'",
    "REAL": "'real', 'integer', 'null'",
}


def copy_into(database: Path, target: Path) -> None:
    """A compact, consistent copy of a database that others may be writing to. `target` must not
    exist.

    Raises StorageError.
    """
    with _open_database(database, "copied") as connection:
        connection.execute("VACUUM INTO ?", (str(target),))


def pour(source: Path, database: Path) -> None:
    """Replace the content of a database by that of another file, in one transaction, also while
    others have it open.

    Raises StorageError.
    """
    with (
        _open_database(source, "read") as origin,
        _open_database(database, "written", read_only=False) as target,
    ):
        origin.backup(target, pages=-1)


def findings(database: Path, migrations: Sequence[str] = (), *, quick: bool = False) -> list[str]:
    """What is wrong with a database, one line each; empty when it is sound or not there.

    SQLite's own check of the file; whether its tables are those that the migrations make, its
    references lead somewhere, its texts are texts, its values are of the kind of their columns, and
    its full text can be read. A check that cannot be finished has found damage. quick: the
    structure alone, and less of it. Raises StorageError when it could not be made: a lock, a
    permission.
    """
    if not database.exists():
        return []
    schema = partial(_schema, migrations=migrations)
    checks = (
        (_quick_structure, schema)
        if quick
        else (_structure, schema, _references, _texts, _values, _full_text)
    )
    try:
        with closing(_connect(database, read_only=True)) as connection:
            return next((wrong for check in checks if (wrong := check(connection))), [])
    except DamagedDatabase as error:
        return [error.why]
    except UnusableDatabase as error:
        raise StorageError(f"{database} could not be checked: {error}") from error
    except sqlite3.Error as error:
        return [" ".join(str(error).split())]


def _structure(connection: Connection) -> list[str]:
    rows = connection.execute(f"PRAGMA integrity_check({MAX_FINDINGS})")
    lines = [" ".join(str(row[0]).split()) for row in rows]
    return [] if lines == ["ok"] else lines


def _quick_structure(connection: Connection) -> list[str]:
    """Without the indexes."""
    rows = [str(row[0]) for row in connection.execute(f"PRAGMA quick_check({MAX_FINDINGS})")]
    # SQLite 3.40 takes numbers of a table without rowid for NULL in its quick check
    return [] if rows == ["ok"] else _structure(connection)


def _schema(connection: Connection, migrations: Sequence[str]) -> list[str]:
    problem = schema_problem(connection, migrations) if migrations else ""
    return [problem] if problem else []


def _references(connection: Connection) -> list[str]:
    """Rows that refer to others which are not there: a bit of the name may have been flipped, here
    or there."""
    tables = sorted({str(row[0]) for row in connection.execute("PRAGMA foreign_key_check")})
    return [f"{REFERENCES} {table} leads nowhere" for table in tables]


def _texts(connection: Connection) -> list[str]:
    """Tables with a text that is none; SQLite does not look into texts."""
    for table in _tables(connection):
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")]
        texts = ", ".join(
            f"CASE typeof({name}) WHEN 'text' THEN {name} END" for name in map(_quoted, columns)
        )
        try:
            for _ in connection.execute(f"SELECT {texts} FROM {_quoted(table)}"):
                pass
        except DamagedDatabase as error:
            return [f"{error.why} (table {table})"]
    return []


def _values(connection: Connection) -> list[str]:
    """Tables with a value of another kind than its column, which SQLite would take from a page of
    another table."""
    for table in _tables(connection):
        columns = connection.execute(f"PRAGMA table_info({_quoted(table)})").fetchall()
        wrong = [
            f"typeof({_quoted(name)}) NOT IN ({KINDS_OF_VALUES[kind]})"
            for _, name, kind, *_ in columns
            if kind in KINDS_OF_VALUES
        ]
        if (
            wrong
            and connection.execute(
                f"SELECT 1 FROM {_quoted(table)} WHERE {' OR '.join(wrong)}"
            ).fetchone()
        ):
            return [f"a value in it is of another kind than its column (table {table})"]
    return []


def _full_text(connection: Connection) -> list[str]:
    """Full-text indexes that cannot be read; SQLite's own check knows nothing of them. At most a
    few seconds each."""
    for table in _full_text_tables(connection):
        connection.execute(
            f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', {_quoted(table)}, 'row')"
        )
        connection.set_progress_handler(
            partial(_is_after, time.monotonic() + FULL_TEXT_SECONDS), 10_000
        )
        try:
            connection.execute("SELECT sum(cnt) FROM temp.terms").fetchone()
        except DamagedDatabase as error:
            return [f"the index {table} of full text: {error.why}"]
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                raise
        finally:
            connection.set_progress_handler(None, 0)
        connection.execute("DROP TABLE temp.terms")
    return []


def _is_after(moment: float) -> bool:
    return time.monotonic() > moment


def _tables(connection: Connection) -> list[str]:
    """Ordinary tables, those behind the full text included."""
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    )
    return [str(name) for (name,) in rows.fetchall()]


def _full_text_tables(connection: Connection) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%USING fts5%' AND sql "
        "NOT LIKE '%fts5vocab%'"
    )
    return [str(name) for (name,) in rows.fetchall()]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def mend_version(database: Path, migrations: Sequence[str]) -> None:
    """Let the header name the format that the tables have, where it is clear which that is. Raises
    StorageError."""
    with _open_database(database, "mended", read_only=False) as connection:
        if table_format := format_of_tables(connection, migrations):
            connection.execute(f"PRAGMA user_version={table_format}")


def version(database: Path) -> int:
    """The user_version of a database file; 0 when it is not there or not a database."""
    if not database.is_file():
        return 0
    try:
        with closing(_connect(database, read_only=True)) as connection:
            return format_version(connection)
    except sqlite3.Error:
        return 0


def is_blank(database: Path) -> bool:
    """Whether no database is there, or one that nothing was ever written into.

    Only SQLite may open the file: what was written last may lie in the log beside it, and closing a
    descriptor of the file would end the locks that this process holds on it
    (tools/open_databases.py).
    """
    if not database.exists():
        return True
    if not database.is_file():
        return False
    try:
        with closing(_connect(database, read_only=True)) as connection:
            return format_version(connection) == 0 and not _count_tables(connection)
    except sqlite3.Error:
        return False


def mend_indexes(database: Path) -> None:
    """Write the indexes anew from the tables, those of full text too. Raises StorageError."""
    with _open_database(database, "mended", read_only=False) as connection:
        connection.execute("REINDEX")
        for table in _full_text_tables(connection):
            name = _quoted(table)
            connection.execute(f"INSERT INTO {name}({name}) VALUES ('rebuild')")


def mend_references(database: Path) -> None:
    """Remove rows that refer to others which are not there. Raises StorageError."""
    with _open_database(database, "mended", read_only=False) as connection:
        for table in _tables(connection):
            for row in connection.execute(f"PRAGMA foreign_key_list({_quoted(table)})").fetchall():
                parent, column, key = (
                    _quoted(str(name)) for name in (row[2], row[3], row[4] or row[3])
                )
                sql = (
                    f"DELETE FROM {_quoted(table)} WHERE {column} "
                    f"NOT IN (SELECT {key} FROM {parent})"
                )
                connection.execute(sql)


@contextmanager
def write_lock(database: Path) -> Iterator[None]:
    """Nobody else writes to the database meanwhile, unless it is too damaged for locks. Raises
    StorageError."""
    if not database.is_file():
        yield
        return
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(closing(_connect(database, read_only=False)))
            connection.execute("BEGIN IMMEDIATE")
        except UnusableDatabase as error:
            raise StorageError(f"{database} could not be moved: {error}") from error
        except sqlite3.Error:
            pass  # too damaged for locks
        yield


def has_table(database: Path, name: str) -> bool:
    """Whether a database holds a table of this name. Raises StorageError."""
    with _open_database(database, "read") as connection:
        return bool(_count_tables(connection, name))


def record_paths(database: Path) -> list[str]:
    """The record files that zorora.db knows, without opening it for writing."""
    return [
        str(path)
        for (path,) in _rows(database, "SELECT file_path FROM research_findings ORDER BY number")
    ]


def snapshots_needed(database: Path) -> set[str]:
    """The stored texts that researches refer to."""
    return {
        str(name)
        for (name,) in _rows(database, "SELECT DISTINCT snapshot_id FROM research_snapshots")
    }


def texts_to_forget(database: Path) -> set[str]:
    """Texts of researches that were deleted for good and that no other refers to."""
    rows = _rows(database, "SELECT name FROM to_forget WHERE kind = 'text'")
    return {str(name) for (name,) in rows} - snapshots_needed(database)


def texts_kept(corpus: Path) -> set[str]:
    """The texts that documents and stored pages need."""
    sql = (
        "SELECT snapshot_id FROM documents UNION SELECT snapshot_id FROM document_entries UNION "
        "SELECT snapshot_id"
    )
    return {str(name) for (name,) in _rows(corpus, f"{sql} FROM fetches")}


def quality_lists(database: Path) -> list[tuple[str, str, int]]:
    """(name, date, rows) of the lists of retractions and journals that are loaded."""
    return _rows(database, "SELECT name, dated, rows FROM quality_lists ORDER BY name")


def last_contacts(database: Path) -> list[tuple[str, float, float, str | None]]:
    """(client, answered_at, failed_at, problem) of the services that were ever asked; times as
    seconds, 0 = never."""
    return _rows(
        database, "SELECT name, answered_at, failed_at, problem FROM source_clients ORDER BY name"
    )


def _rows(database: Path, sql: str) -> list[Any]:
    """What a query finds; nothing in a database that is not there, has no such table yet, or is
    damaged: the check of the database itself says so. Raises StorageError for a lock or a
    permission.
    """
    if not database.is_file():
        return []
    try:
        with closing(_connect(database, read_only=True)) as connection:
            return [tuple(row) for row in connection.execute(sql)]
    except UnusableDatabase:
        raise
    except sqlite3.Error:
        return []


def _count_tables(connection: Connection, name: str = "") -> int:
    """Tables of this name; all of them without one."""
    sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND ? IN ('', name)"
    return int(connection.execute(sql, (name,)).fetchone()[0])


def has_full_text() -> bool:
    """Whether this SQLite was built with FTS5."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        except sqlite3.OperationalError:
            return False
        return True


def _connect(database: Path, read_only: bool) -> Connection:
    # Read-only through a URI, so that looking at a missing file does not create it. A journal
    # beside it is a write that was cut off: whoever opens the file for writing takes it back, and
    # nothing can be read before that.
    cut_off = database.with_name(f"{database.name}-journal").exists()
    mode = ("rw" if cut_off else "ro") if read_only else "rwc"
    return connect(database, mode)


@contextmanager
def _open_database(database: Path, action: str, read_only: bool = True) -> Iterator[Connection]:
    try:
        with closing(_connect(database, read_only)) as connection:
            yield connection
    except StorageError as error:
        raise StorageError(f"{database} could not be {action}: {error}") from error
    except sqlite3.Error as error:
        raise StorageError(f"{database} could not be {action}: {error}.") from error
