"""Making the database agree with the record files, cheaply enough to do it at every start."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.ids import is_research_id
from engine.records import store
from engine.records.files import RecordDamaged, RecordFiles
from engine.records.store import RecordRow
from tools.database import Database

# What a value that no row can hold leads to; one such record must not keep the others from being
# read
UNFIT = (ValueError, TypeError, AttributeError, OverflowError, sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
         sqlite3.InterfaceError)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep did and found.

    indexed: ids whose record was read again. missing: ids whose record is gone. damaged: sentences
    about files. purged: ids removed for good, from the bin or by a program that may not have lived
    to do the rest of it. snapshots: texts that no research refers to any more, after that. marked:
    ids whose records lack the marks that stand in the database.
    """

    indexed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    purged: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()


def sweep(
    database: Database,
    files: RecordFiles,
    path_in_database: Callable[[Path], str],
    *,
    thorough: bool = False,
) -> Sweep:
    """Index every record whose file is not the one that was indexed. thorough: read all of them."""
    # By name: the names of records are unique, and a home that was moved keeps them
    rows = {Path(row.file_path).name: row for row in store.all_rows(database.read())}
    names, indexed, problems = set(), [], []
    for path, size, mtime in files.scan():
        row = rows.get(path.name)
        names.add(path.name)
        if not thorough and row and (row.fingerprint.size, row.fingerprint.mtime) == (size, mtime):
            continue
        try:
            research_id = index(database, files, path, path_in_database, row, thorough=thorough)
        except FileNotFoundError:
            continue  # deleted since the folder was listed
        except RecordDamaged as error:
            problems.append(str(error))
            continue
        if research_id:
            indexed.append(research_id)
    lost_rows = [row for name, row in rows.items() if name not in names]
    missing = tuple(row.research_id for row in lost_rows if _is_gone(row, files))
    alone = {row.research_id for row in rows.values() if row.fingerprint == store.MARKED}
    return Sweep(
        tuple(indexed), missing, tuple(problems), marked=tuple(filter(alone.__contains__, indexed))
    )


def index(
    database: Database,
    files: RecordFiles,
    path: Path,
    path_in_database: Callable[[Path], str],
    row: RecordRow | None = None,
    *,
    thorough: bool = False,
) -> str | None:
    """Index one record file; the id, or None when the database had all of it.

    row: what the database has for this file. One of another research is wrong: the record says
    whose it is. Raises FileNotFoundError, RecordDamaged.
    """
    record, fingerprint = files.read(path)
    research_id = record["research_id"]
    if not is_research_id(research_id):
        raise RecordDamaged(
            f"The file {path.name} is the record of no valid report ({research_id[:80]!r})."
        )
    with database.write() as connection:
        current = store.find_row(connection, research_id)
        if current and not thorough and current.fingerprint.sha256 == fingerprint.sha256:
            store.put_fingerprint(connection, current.number, fingerprint)
            return None
        if current and _is_copy(current, path, files):
            raise RecordDamaged(
                f"{path.name} is a second record of {research_id}; {current.file_path} is used."
            )
        # Inside the transaction, so that no other process replaces the file between reading and
        # indexing
        record, fingerprint = files.read(path)
        state = store.marked(connection, current, files.to_state(path, record))
        if row is not None and row.research_id != research_id:
            store.remove(connection, row.research_id)
        lacking = current is not None and current.fingerprint == store.MARKED
        try:
            store.put_record(
                connection, state, path_in_database(path), store.MARKED if lacking else fingerprint
            )
        except UNFIT as error:
            raise RecordDamaged(f"The record {path.name} cannot be indexed: {error}.") from error
    return str(research_id)


def _is_gone(row: RecordRow, files: RecordFiles) -> bool:
    """Whether a record that was not listed is gone: not one saved since, nor one in another
    folder."""
    path = Path(row.file_path)
    return not (files.folder / path.name).exists() and not (path.is_absolute() and path.exists())


def _is_copy(row: RecordRow, path: Path, files: RecordFiles) -> bool:
    """Whether the research already has another record file."""
    name = Path(row.file_path).name
    return name != path.name and (files.folder / name).exists()
