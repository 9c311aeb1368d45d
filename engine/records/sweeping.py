"""Making the database agree with the record files, cheaply enough to do it at every start."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.ids import is_research_id
from engine.records import store
from engine.records.files import RecordDamaged, RecordFiles
from engine.records.store import Known
from tools.database import Database

# What a value that no row can hold leads to; one such record must not keep the others from being read
UNFIT = (ValueError, TypeError, AttributeError, OverflowError, sqlite3.IntegrityError, sqlite3.ProgrammingError,
         sqlite3.InterfaceError)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep did and found.

    indexed: ids whose record was read again. missing: ids whose record is gone. damaged: sentences about files.
    purged: ids removed for good, from the bin or by a program that may not have lived to do the rest of it. snapshots:
    texts that no research refers to any more, after that.
    marked: ids whose records lack the marks that stand in the database.
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
    stored: Callable[[Path], str],
    *,
    thorough: bool = False,
) -> Sweep:
    """Index every record whose file is not the one that was indexed. thorough: read all of them."""
    # By name: the names of records are unique, and a home that was moved keeps them
    rows = {Path(known.file_path).name: known for known in store.all_known(database.read())}
    seen, indexed, damaged = set(), [], []
    for path, size, mtime in files.scan(clear=True):
        known = rows.get(path.name)
        seen.add(path.name)
        if known and not thorough and (known.fingerprint.size, known.fingerprint.mtime) == (size, mtime):
            continue
        try:
            research_id = index(database, files, path, stored, known, thorough=thorough)
        except FileNotFoundError:
            continue  # deleted since the folder was listed
        except RecordDamaged as error:
            damaged.append(str(error))
            continue
        if research_id:
            indexed.append(research_id)
    missing = [known.research_id for name, known in rows.items() if name not in seen and _is_gone(known, files)]
    alone = {known.research_id for known in rows.values() if known.fingerprint == store.MARKED}
    return Sweep(tuple(indexed), tuple(missing), tuple(damaged), marked=tuple(one for one in indexed if one in alone))


def index(
    database: Database,
    files: RecordFiles,
    path: Path,
    stored: Callable[[Path], str],
    row: Known | None = None,
    *,
    thorough: bool = False,
) -> str | None:
    """Index one record file; the id, or None when the database had all of it.

    row: what the database has for this file. One of another research is wrong: the record says whose it is.
    Raises FileNotFoundError, RecordDamaged.
    """
    record, found = files.read(path)
    research_id = record["research_id"]
    if not is_research_id(research_id):
        raise RecordDamaged(f"The file {path.name} is the record of no valid research ({research_id[:80]!r}).")
    with database.write() as connection:
        known = store.known(connection, research_id)
        if known and not thorough and known.fingerprint.sha256 == found.sha256:
            store.put_fingerprint(connection, known.number, found)
            return None
        if known and _is_copy(known, path, files):
            raise RecordDamaged(f"{path.name} is a second record of {research_id}; {known.file_path} is used.")
        # Inside the transaction, so that no other process replaces the file between reading and indexing
        record, found = files.read(path)
        state = store.marked(connection, known, files.to_state(path, record))
        if row is not None and row.research_id != research_id:
            store.remove(connection, row.research_id)
        lacking = known is not None and known.fingerprint == store.MARKED
        try:
            store.put(connection, state, stored(path), store.MARKED if lacking else found)
        except UNFIT as error:
            raise RecordDamaged(f"The record {path.name} cannot be indexed: {error}.") from error
    return str(research_id)


def _is_gone(known: Known, files: RecordFiles) -> bool:
    """Whether a record that was not listed is gone: not one saved since, nor one in another folder."""
    path = Path(known.file_path)
    return not (files.folder / path.name).exists() and not (path.is_absolute() and path.exists())


def _is_copy(known: Known, path: Path, files: RecordFiles) -> bool:
    """Whether the research already has another record file."""
    name = Path(known.file_path).name
    return name != path.name and (files.folder / name).exists()
