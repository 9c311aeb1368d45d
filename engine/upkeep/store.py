"""SQL of the upkeep: whole copies of a database, and whether one is sound. Knows no table but SQLite's own."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tools.errors import StorageError
from tools.open_databases import connect

MAX_FINDINGS = 20
# What SQLite says of a file that makes no sense. A full disk, a lock or a permission says nothing about the file.
DAMAGE = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def copy_into(database: Path, target: Path) -> None:
    """A compact, consistent copy of a database that others may be writing to. `target` must not exist.

    Raises StorageError.
    """
    with _opened(database, "copied") as connection:
        connection.execute("VACUUM INTO ?", (str(target),))


def pour(source: Path, database: Path) -> None:
    """Replace the content of a database by that of another file, in one transaction, also while others have it open.

    Raises StorageError.
    """
    with _opened(source, "read") as origin, _opened(database, "written", read_only=False) as target:
        origin.backup(target, pages=-1)


def findings(database: Path, *, quick: bool = False) -> list[str]:
    """What SQLite's own check finds wrong, one line each; empty when the database is sound or not there.

    Raises StorageError when the check could not be made.
    """
    if not database.exists():
        return []
    try:
        with closing(_connect(database, read_only=True)) as connection:
            pragma = "quick_check" if quick else "integrity_check"
            rows = [" ".join(str(row[0]).split()) for row in connection.execute(f"PRAGMA {pragma}({MAX_FINDINGS})")]
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise StorageError(f"{database} could not be checked: {error}.") from error
        return [str(error)]
    if quick and rows != ["ok"]:
        return findings(database)  # SQLite 3.40 takes numbers of a table without rowid for NULL in its quick check
    return [] if rows == ["ok"] else rows


def version(database: Path) -> int | None:
    """The user_version of a database file; None when it is not there or not a database."""
    if not database.exists():
        return None
    try:
        with closing(_connect(database, read_only=True)) as connection:
            return _version(connection)
    except sqlite3.DatabaseError:
        return None


def is_blank(database: Path) -> bool:
    """Whether no database is there, or one that nothing was ever written into.

    Only SQLite may open the file: what was written last may lie in the log beside it, and closing a descriptor of the
    file would end the locks that this process holds on it (tools/open_databases.py).
    """
    if not database.exists():
        return True
    if not database.is_file():
        return False
    try:
        with closing(_connect(database, read_only=True)) as connection:
            return _version(connection) == 0 and not _count_tables(connection)
    except sqlite3.DatabaseError:
        return False


def mend_indexes(database: Path) -> None:
    """Write the indexes anew from the tables. Raises StorageError."""
    with _opened(database, "mended", read_only=False) as connection:
        connection.execute("REINDEX")


@contextmanager
def held(database: Path) -> Iterator[None]:
    """Nobody else writes to the database meanwhile, unless it is too damaged for locks. Raises StorageError."""
    if not database.exists():
        yield
        return
    with closing(_connect(database, read_only=False)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise StorageError(f"{database} could not be moved: {error}.") from error
        yield


def has_table(database: Path, name: str = "") -> bool:
    """Whether a database holds a table of this name, or any. Raises StorageError."""
    with _opened(database, "read") as connection:
        return bool(_count_tables(connection, name))


def record_paths(database: Path) -> list[str]:
    """The record files that zorora.db knows, without opening it for writing; empty when there is no such database."""
    return _column(database, "SELECT file_path FROM research_findings ORDER BY number")


def snapshots_needed(database: Path) -> set[str]:
    """The stored texts that researches refer to; empty when there is no such database."""
    return set(_column(database, "SELECT DISTINCT snapshot_id FROM research_snapshots"))


def texts_to_forget(database: Path) -> set[str]:
    """Texts of researches that were deleted for good and that no other refers to; empty without such a table."""
    if not database.exists() or findings(database, quick=True) or not has_table(database, "to_forget"):
        return set()
    with _opened(database, "read") as connection:
        rows = connection.execute("SELECT name FROM to_forget WHERE kind = 'text'")
        return {str(name) for (name,) in rows} - snapshots_needed(database)


def texts_kept(corpus: Path) -> set[str]:
    """The texts that documents and stored pages need; empty without such a database."""
    if not corpus.exists() or findings(corpus, quick=True) or not has_table(corpus, "documents"):
        return set()
    with _opened(corpus, "read") as connection:
        rows = connection.execute(
            "SELECT snapshot_id FROM documents UNION SELECT snapshot_id FROM document_entries"
            " UNION SELECT snapshot_id FROM fetches"
        )
        return {str(name) for (name,) in rows}


def quality_lists(database: Path) -> list[tuple[str, str, int]]:
    """(name, date, rows) of the lists of retractions and journals that are loaded; empty without such a database."""
    if not database.exists() or findings(database, quick=True) or not has_table(database, "quality_lists"):
        return []
    with _opened(database, "read") as connection:
        return [tuple(row) for row in connection.execute("SELECT name, dated, rows FROM quality_lists ORDER BY name")]


def last_contacts(database: Path) -> list[tuple[str, float, float, str | None]]:
    """(client, answered_at, failed_at, problem) of the services that were ever asked; times as seconds, 0 = never."""
    if not database.exists() or findings(database, quick=True) or not has_table(database, "source_clients"):
        return []
    with _opened(database, "read") as connection:
        rows = connection.execute("SELECT name, answered_at, failed_at, problem FROM source_clients ORDER BY name")
        return [tuple(row) for row in rows]


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _count_tables(connection: sqlite3.Connection, name: str = "") -> int:
    """Tables of this name; all of them without one."""
    sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND ? IN ('', name)"
    return int(connection.execute(sql, (name,)).fetchone()[0])


def _column(database: Path, sql: str) -> list[str]:
    if not database.exists() or findings(database, quick=True) or not has_table(database, "research_findings"):
        return []
    with _opened(database, "read") as connection:
        return [str(value) for (value,) in connection.execute(sql)]


def has_full_text() -> bool:
    """Whether this SQLite was built with FTS5."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
        except sqlite3.OperationalError:
            return False
        return True


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in DAMAGE


def _connect(database: Path, read_only: bool) -> sqlite3.Connection:
    # Read-only through a URI, so that looking at a missing file does not create it. A journal beside it is a write that
    # was cut off: whoever opens the file for writing takes it back, and nothing can be read before that.
    cut_off = database.with_name(f"{database.name}-journal").exists()
    mode = ("rw" if cut_off else "ro") if read_only else "rwc"
    return connect(database, mode)


@contextmanager
def _opened(database: Path, done: str, read_only: bool = True) -> Iterator[sqlite3.Connection]:
    try:
        with closing(_connect(database, read_only)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{database} could not be {done}: {error}.") from error
