"""A zorora.db that is gone or damaged, made anew: the last sound copy, then the records.

The new one is complete before it takes the place of the other, so that a full disk or a kill leaves
what was there, and whoever starts next finishes the work. Jobs, events and memory notes stand in
zorora.db alone: they are as old as the copy, or gone without one, and the sentences say which.
"""

from contextlib import closing
from pathlib import Path

from engine.clock import now, present
from engine.home import Paths
from engine.jobs.model import OVER
from engine.jobs.store import JobStore
from engine.maintenance import backup, store
from engine.records import store as rows
from engine.records.files import RecordFiles
from engine.records.sweeping import sweep
from engine.schema import ZORORA
from tools.database import Database
from tools.errors import StorageError
from tools.text.phrases import counted
from workflows.research.kinds import RunStatus

_UNFINISHED = (
    "It was under way when the copy of the database was made; `zorora resume` continues it."
)


def is_lost(paths: Paths) -> bool:
    """Whether the database is gone, or holds nothing, while records or copies of it are there."""
    if not store.is_blank(paths.db):
        return False
    return next(RecordFiles(paths.findings).scan(), None) is not None or bool(
        backup.list_copies(paths)
    )


def bring_back(paths: Paths) -> list[str]:
    """Make a lost database anew; what was done, nothing where none is lost. Raises StorageError."""
    if not is_lost(paths):
        return []
    with backup.alone(paths):
        if not is_lost(paths):
            return []  # another program was faster
        _, actions = _anew(paths)
        return [f"{paths.db.name} was gone or empty and was rebuilt.", *actions]


def replace_damaged(paths: Paths) -> list[str]:
    """Put a damaged database aside for a new one; what was done, nothing where it is sound. Raises
    StorageError."""
    with backup.alone(paths):
        wrong = store.findings(paths.db, ZORORA)
        if not wrong:
            return []
        aside, actions = _anew(paths)
        return [f"{paths.db.name} was damaged ({wrong[0]}) and was moved to {aside}.", *actions]


def _anew(paths: Paths) -> tuple[Path | None, list[str]]:
    # Held from the first look at the copy on: what others write waits for the new database and goes
    # there
    with store.write_lock(paths.db), backup.beside(paths.db) as new:
        copy = _last_sound_copy(paths, new)
        with closing(Database(new, ZORORA)) as database:
            swept = sweep(
                database, RecordFiles(paths.findings), paths.path_in_database, thorough=True
            )
            close_open_jobs(database)
        aside = backup.put_in_place(new, paths, present())
    if copy:
        origin = (
            "Jobs, events and memory notes returned from the "
            f"copy {copy.name}; later ones are lost."
        )
    else:
        origin = "There was no sound copy: jobs, events and memory notes are lost."
    return aside, [origin, f"{counted(len(swept.indexed), 'report')} returned from the records."]


def _last_sound_copy(paths: Paths, new: Path) -> Path | None:
    for copy in backup.list_copies(paths):
        try:
            backup.check_usable(copy)
        except StorageError:
            continue  # damaged as well: the one before it
        store.pour(copy, new)
        return copy
    return None


def close_open_jobs(database: Database) -> None:
    """Jobs that were open when the copy was made: nobody works on them now, and some have ended
    since."""
    jobs = JobStore(database, now=now)
    for job in jobs.jobs(over=False):
        row = rows.find_row(database.read(), job.research_id)
        if row and row.status in OVER:
            jobs.close_stale(job.research_id, row.status, None, saved=True)
        else:
            jobs.close_stale(job.research_id, RunStatus.FAILED, _UNFINISHED, saved=False)
