"""LocalStorage: every research as a record file, and a database that finds it again.

A record is written to a temporary file, synced and renamed; the rename and the index rows belong to
one transaction, so that two processes never overwrite each other's marks. If a process dies between
the two, `sweep` sees that the record is not the one that was indexed, and indexes it. Usable alone:
`LocalStorage("my.db").save_research(state)`. What needs the database alone is in RecordIndex.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from engine.bin import store as bin_store
from engine.clock import present
from engine.files import publish, write_all
from engine.home import prepare
from engine.ids import is_research_id, new_research_id, record_name
from engine.maintenance.backup import before_migration
from engine.maintenance.database_recovery import bring_back
from engine.records import marking, store
from engine.records.files import Fingerprint, RecordDamaged, RecordFiles
from engine.records.record_index import RecordIndex
from engine.records.store import RecordRow
from engine.records.sweeping import Sweep, sweep
from engine.schema import ZORORA
from engine.settings import config as configuration
from engine.settings.config import Config
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles
from tools.errors import StorageError
from workflows.conversation.turns import carry
from workflows.research.codec import plain
from workflows.research.state import Report, ResearchState, UserMarks

ATTEMPTS = 50  # at a record that others keep changing
log = logging.getLogger("zorora.engine")
Change = Callable[[UserMarks], UserMarks]
Index = Callable[[sqlite3.Connection, Fingerprint], None]


class LocalStorage(RecordIndex):
    """The store of researches, safe to use from several threads and processes at once.

    db_path: the database; its folder is the home, unless a config says otherwise. Neither: the
    configured home. clock: the present. write: how bytes reach a file (tests hand in a full disk).
    Raises StorageError when the place cannot be used.
    """

    def __init__(
        self,
        db_path: Path | str | None = None,
        *,
        config: Config | None = None,
        clock: Callable[[], datetime] = present,
        write: Callable[[int, bytes], None] = write_all,
    ) -> None:
        self.config = config or configuration.load(db_path=db_path)
        self.paths = self.config.paths
        self.config.check_placed()
        prepare(self.paths)
        for sentence in bring_back(self.paths):
            log.warning("%s", sentence)
        keep = before_migration(self.paths, self.config.get("storage.backups"))
        super().__init__(Database(self.paths.db, ZORORA, synchronous="FULL", before_migration=keep))
        self.files = RecordFiles(self.paths.findings, write)
        self._clock = clock

    def close(self) -> None:
        """Close the database of this process."""
        self.database.close()

    # --- records

    def new_id(self, query: str) -> str:
        """An id for a research that starts now, which no saved research has."""
        return new_research_id(query, self._clock(), self.has)

    def save_research(self, state: ResearchState) -> str:
        """Save a research: its record, then its index rows. Returns its id, made when the state has
        none.

        Stars, tags and note that are stored already win over those of the state, and what was asked
        after the stored one stays. Inside a transaction of the caller's (`database.write()`) it
        becomes part of it. Raises StorageError when the disk refuses.
        """
        if not state.research_id:
            state = replace(state, research_id=self.new_id(state.original_query))
        research_id = state.research_id
        if not is_research_id(research_id):
            raise StorageError(f"{research_id[:80]!r} cannot be the name of a report.")
        for _ in range(ATTEMPTS):
            row, before = self.row_of(research_id), self.read(store.marks, research_id)
            there = self._load(row)
            if there is not None and there.report is not None and state.report is None:
                # Work on a finished research that came to nothing leaves it as it was
                return research_id
            merged = state if before is None else replace(carry(there, state), user=before)
            if self._save(merged, row, before):
                return research_id
        raise _busy(research_id)

    def change(
        self, research_id: str, change: Callable[[ResearchState], ResearchState]
    ) -> ResearchState:
        """Change the record of a research; of two who do so at once both are heard. Raises
        NotFound.

        change: is called with the state as it is stored, again when somebody else was faster.
        """
        for _ in range(ATTEMPTS):
            row, before = self.require(research_id), self.read(store.marks, research_id)
            state = self._load(row)
            if state is None:
                raise StorageError(
                    f"The record of {research_id} is gone or damaged, "
                    "so nothing can be added to it."
                )
            after = change(state)
            if self._save(after, row, before):
                return after
        raise _busy(research_id)

    def load_research(self, research_id: str) -> ResearchState | None:
        """A research from its record; None when it is unknown.

        When the record is missing or damaged: what the database still knows, with a note in the
        report that says so.
        """
        row = self.row_of(research_id)
        if row is None:
            return None
        try:
            state = self.files.state(self._file(row), row.fingerprint.sha256)
            return self.read(store.marked, row, state)
        except (FileNotFoundError, RecordDamaged) as error:
            return self._remains(row, error)

    def record_path(self, research_id: str) -> Path:
        """The file of a research. Raises NotFound."""
        return self._file(self.require(research_id))

    def delete(self, research_id: str, now: bool = False) -> list[str]:
        """Move a research to the bin; with `now` remove it for good, from the bin or not.

        Returns, when removed, the snapshot ids that no research refers to any more: the caller
        removes those texts that nothing else needs. Raises NotFound.
        """
        stamp = self._clock().isoformat(timespec="seconds")
        # In the bin first also when it goes for good: a crash half-way then leaves it in the bin,
        # not alive
        self.mark(research_id, lambda user: replace(user, deleted_at=user.deleted_at or stamp))
        return self._purge(research_id) or [] if now else []

    def undelete(self, research_id: str) -> None:
        """Take a research out of the bin. Raises NotFound."""
        self.mark(research_id, lambda user: replace(user, deleted_at=None))

    def sweep(self) -> Sweep:
        """Make the database agree with the records, and empty the bin of what lay there too long.
        Run at start."""
        with self.as_sentences():
            swept = sweep(self.database, self.files, self.paths.path_in_database)
        for research_id in swept.marked:
            # What is marked is the record with the marks of the database
            self.mark(research_id, lambda user: user)
        days = timedelta(days=self.config.get("storage.bin_days"))
        bin_store.empty(self.database, self._clock(), days, self._purge)
        purged, texts = bin_store.remaining(self.database, SnapshotFiles(self.paths.snapshots))
        return replace(swept, purged=purged, snapshots=texts)

    # --- marks

    def star(self, research_id: str, on: bool = True) -> None:
        """Set or remove the star. Raises NotFound."""
        self.mark(research_id, lambda user: replace(user, starred=on))

    def tag(self, research_id: str, tags: Iterable[str]) -> None:
        """Replace the tags. Raises NotFound, Refused for what cannot be a tag."""
        checked_tags = marking.tags(tags)
        self.mark(research_id, lambda user: replace(user, tags=checked_tags))

    def note(self, research_id: str, text: str) -> None:
        """Replace the note. Raises NotFound, Refused when it is too long."""
        checked_note = marking.note(text)
        self.mark(research_id, lambda user: replace(user, note=checked_note))

    # --- inside

    def _load(self, row: RecordRow | None) -> ResearchState | None:
        """The record of a row as it is on the disk; None without one."""
        try:
            return self.files.state(self._file(row), row.fingerprint.sha256) if row else None
        except (FileNotFoundError, RecordDamaged):
            return None

    def _file(self, row: RecordRow) -> Path:
        """The file of a row. When a whole home was moved, its records are found by name."""
        path = self.paths.db.parent / row.file_path
        new_path = self.paths.findings / path.name
        return path if path.exists() or not new_path.exists() else new_path

    def _index(
        self,
        state: ResearchState,
        path: Path,
        connection: sqlite3.Connection,
        fingerprint: Fingerprint,
    ) -> None:
        store.put_record(connection, state, self.paths.path_in_database(path), fingerprint)

    def _save(self, state: ResearchState, row: RecordRow | None, before: UserMarks | None) -> bool:
        """Save a whole record where it is, or in the folder of records; see `_replace`."""
        research_id = state.research_id
        path = self._file(row) if row else self.paths.findings / record_name(research_id)
        index = partial(self._index, state, path)
        return self._replace(path, state.to_dict(), (row, before), research_id, index)

    def _replace(
        self,
        path: Path,
        record: Mapping[str, Any],
        before: tuple[RecordRow | None, UserMarks | None],
        research_id: str,
        index: Index,
    ) -> bool:
        """Put a record in place and index it, unless somebody else was faster (False).

        before: what the database had when the record was made.
        """
        temporary, fingerprint = self.files.stage(path, record)
        try:
            with self.database.write() as connection:
                row = store.find_row(connection, research_id)
                if (row, store.marks(connection, research_id)) != before:
                    return False
                # The rows first: a record that they cannot hold would be in the way of every later
                # sweep
                index(connection, fingerprint)
                publish(temporary, path)
            return True
        finally:
            temporary.unlink(missing_ok=True)

    def mark(self, research_id: str, change: Change) -> None:
        """Change the marks of a research, in its record and in the database."""
        for _ in range(ATTEMPTS):
            row = self.require(research_id)
            try:
                if self._mark_record(row, change):
                    return
            except (FileNotFoundError, RecordDamaged):
                with self.database.write() as connection:
                    user = store.marks(connection, research_id)
                    if user is not None:
                        store.put_marks_alone(connection, row.number, change(user))
                return
        raise _busy(research_id)

    def _mark_record(self, row: RecordRow, change: Change) -> bool:
        path, before = self._file(row), self.read(store.marks, row.research_id)
        record, fingerprint = self.files.read(path)
        state = self.files.to_state(
            path, record, trusted=fingerprint.sha256 == row.fingerprint.sha256
        )
        state = self.read(store.marked, row, state)
        state = replace(state, user=change(state.user))

        def index(connection: sqlite3.Connection, new: Fingerprint) -> None:
            if fingerprint.sha256 != row.fingerprint.sha256:
                # Edited by hand since: all of it may be new
                self._index(state, path, connection, new)
            else:
                store.put_marks(connection, row.number, state)
                store.put_fingerprint(connection, row.number, new)

        # The record as it was read, not as this version would write it: keys of others stay
        record = {**record, "user": plain(state.user)}
        return self._replace(path, record, (row, before), row.research_id, index)

    def _purge(self, research_id: str, before: str | None = None) -> list[str] | None:
        """Remove a research for good; the texts it alone had. before: only if it is in the bin
        since before this time.

        None when it was not removed: another program removed it, or took it out of the bin, since
        anybody looked.
        """
        with self.database.write() as connection:
            row = store.find_row(connection, research_id)
            if row is None or (
                before and not bin_store.is_overdue(connection, research_id, before)
            ):
                return None
            alone = store.remove(connection, research_id)
            bin_store.note(connection, research_id, alone)
            # Before the end of the transaction: a record without rows would be indexed again by the
            # next sweep
            self.files.remove(self._file(row))
        return alone

    def _remains(self, row: RecordRow, error: Exception) -> ResearchState | None:
        state = self.read(store.remains, row.research_id)
        if state is None:
            return None
        name = Path(row.file_path).name
        reason = "is damaged" if isinstance(error, RecordDamaged) else "is gone"
        sentence = (
            f"The record of this report ({name}) {reason}. What the database still has of it is "
            "shown: the beginning of the report, the sources and the claims. Put the file back "
            "from a backup of yours to see all of it."
        )
        return replace(
            state,
            synthesis=f"{sentence}\n\n{state.synthesis}",
            report=Report(title=state.original_query, notes=(sentence,)),
        )


def _busy(research_id: str) -> StorageError:
    return StorageError(
        f"{research_id} is being changed by other programs all the time; try again."
    )
