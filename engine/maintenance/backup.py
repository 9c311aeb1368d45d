"""Copies of zorora.db: before every migration, once a day, on demand; and the way back.

A copy is made by SQLite itself while others write, checked, and only then given its name. The
records and texts are files of their own and are not in it: they are copied like any other files.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engine.clock import present
from engine.files import TEMPORARY, fault, locked, sync
from engine.home import Paths, make_folder
from engine.maintenance import store
from engine.schema import ZORORA
from tools.errors import NotFound, StorageError
from tools.open_databases import sync_file

DAILY, BY_HAND, MIGRATION, SAFETY = "daily", "manual", "migration", "before-restore"
A_DAY = timedelta(hours=24)


def make(
    paths: Paths, target: Path | None = None, *, kind: str = BY_HAND, at: datetime | None = None
) -> Path:
    """A verified copy of zorora.db in the backups folder, or in `target` (a file, or a folder).

    Raises NotFound when there is no database yet, StorageError when it cannot be made or does not
    pass the check; nothing that exists is overwritten.
    """
    if not paths.db.exists():
        raise NotFound(f"There is no database to back up yet ({paths.db}).")
    if target is not None and not target.is_dir():
        make_folder(target.parent)
        if target.exists():
            raise StorageError(f"{target} exists already. Give another name, or move it away.")
        return _copy(paths.db, target)
    folder = target or paths.backups
    make_folder(folder)
    return _copy(paths.db, _free(folder / file_name(kind, at or present())))


def daily(paths: Paths, *, keep: int, at: datetime | None = None) -> Path | None:
    """Today's automatic copy, unless the last is younger than a day; old ones beyond `keep` go.
    Raises StorageError."""
    at = at or present()
    if not paths.db.exists():
        return None
    copy = None
    # A copy from the future was made by a clock that has since been set back: it is not today's
    if not any(abs(_time_of(path) - at) < A_DAY for path in list_copies(paths, DAILY)):
        copy = make(paths, kind=DAILY, at=at)
    _prune(paths, DAILY, keep, at)
    return copy


def list_copies(paths: Paths, kind: str | None = None) -> list[Path]:
    """The copies in the backups folder, newest first."""
    pattern = f"zorora-*-{kind}*.db" if kind else "zorora-*.db"
    return sorted(
        paths.backups.glob(pattern), key=lambda path: (_time_of(path), path.name), reverse=True
    )


def before_migration(paths: Paths, keep: int) -> Callable[[Path, int], None]:
    """What `Database` calls before it changes an existing file: keep a copy."""

    def keep_copy(database: Path, version: int) -> None:
        make_folder(paths.backups)
        final = paths.backups / file_name(f"{MIGRATION}-{version}", present())
        if not final.exists():
            _copy(database, final)
        _prune(paths, MIGRATION, keep, present())

    return keep_copy


def restore(paths: Paths, file: Path, *, at: datetime | None = None) -> Path | None:
    """Put a copy back in place of zorora.db. What is replaced is kept; the path of that copy is
    returned.

    A sound database is copied first and gets the content of the file in one transaction; a damaged
    one is moved aside. The caller opens the storage again and sweeps, so that researches newer than
    the copy come back from their records. Raises NotFound when there is no such file, StorageError
    when it is damaged, not ours, or too new.
    """
    if not file.is_file():
        raise NotFound(f"There is no file {file}.")
    check_usable(file)
    at = at or present()
    with alone(paths):
        if store.is_blank(paths.db) or store.findings(paths.db, ZORORA):
            with store.write_lock(paths.db), beside(paths.db) as new:
                store.pour(file, new)
                return put_in_place(new, paths, at)
        safety = make(paths, kind=SAFETY, at=at)
        store.pour(file, paths.db)
        paths.db.chmod(0o600)
        return safety


def alone(paths: Paths) -> AbstractContextManager[None]:
    """Only one program at a time puts another database in place; the folders it writes to are
    there. Raises StorageError."""
    make_folder(paths.db.parent)
    make_folder(paths.backups)
    return locked(paths.backups / ".lock")


@contextmanager
def beside(database: Path) -> Iterator[Path]:
    """An empty file beside a database, to be made into one and put in place; what is left of it at
    the end goes."""
    try:
        handle, name = tempfile.mkstemp(
            dir=database.parent, prefix=TEMPORARY, suffix=f"-{database.name}"
        )
        os.close(handle)
    except OSError as error:
        raise fault(database, error) from error
    try:
        yield Path(name)
    finally:
        for part in database.parent.glob(f"{Path(name).name}*"):
            part.unlink(missing_ok=True)


def put_in_place(new: Path, paths: Paths, at: datetime) -> Path | None:
    """Let a complete database take the place of zorora.db; where that one lies now, if there was
    one.

    Within `store.write_lock`, so that nobody writes to the old one meanwhile.
    """
    try:
        sync_file(new)
        aside = set_aside(paths.db, paths.backups, at)
        new.replace(paths.db)
        sync(paths.db.parent)
    except OSError as error:
        raise fault(paths.db, error) from error
    return aside


def set_aside(database: Path, folder: Path, at: datetime) -> Path | None:
    """Move a damaged database with its log into the backups folder. It is never deleted. Raises
    StorageError.

    Returns where it lies now; None when nothing was there.
    """
    make_folder(folder)
    final = _free(folder / f"damaged-{at:%Y%m%d-%H%M%S}-{database.name}")
    is_moved = False
    try:
        # The log first: beside another database it would be taken for the log of that one
        for ending in ("-wal", "-shm", ""):
            part = database.with_name(database.name + ending)
            if part.is_dir() or (part.exists() and part.stat().st_size):
                part.replace(final.with_name(final.name + ending))
                is_moved = True
        sync(folder)
    except OSError as error:
        raise StorageError(
            f"{database} cannot be moved to {folder} ({error.strerror or error})."
        ) from error
    return final if is_moved else None


def file_name(kind: str, at: datetime) -> str:
    """`zorora-20250115-143022-daily.db`."""
    return f"zorora-{at.astimezone(UTC):%Y%m%d-%H%M%S}-{kind}.db"


def _copy(database: Path, final: Path) -> Path:
    temporary = final.with_name(f".{final.name}.{os.getpid()}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        # Made before SQLite does, for the owner alone: the folder may be one that others read
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        store.copy_into(database, temporary)
        if wrong := store.findings(temporary):
            raise StorageError(
                f"The copy of {database.name} failed its check ({wrong[0]}). Run `zorora doctor`."
            )
        sync_file(temporary)
        temporary.rename(final)
        sync(final.parent)
    except OSError as error:
        raise StorageError(f"{final} cannot be written ({error.strerror or error}).") from error
    finally:
        temporary.unlink(missing_ok=True)
    return final


def check_usable(file: Path) -> None:
    """Raises StorageError when a file is no sound copy of zorora.db, or one of a newer program."""
    if wrong := store.findings(file, ZORORA):
        raise StorageError(f"{file.name} is damaged and was not used ({wrong[0]}).")
    version = store.version(file)
    if not version or not store.has_table(file, "research_findings"):
        raise StorageError(f"{file.name} is not a copy of Zorora's database.")
    if version > len(ZORORA):
        raise StorageError(
            f"{file.name} was made by a newer Zorora (format {version}); update Zorora first."
        )


def _prune(paths: Paths, kind: str, keep: int, at: datetime) -> None:
    # Copies from the future go first: otherwise they would outlive every copy made after the clock
    # was set right
    newest = sorted(list_copies(paths, kind), key=lambda path: _time_of(path) > at + A_DAY)
    for path in newest[max(1, keep) :]:
        path.unlink(missing_ok=True)


def _time_of(path: Path) -> datetime:
    """When a copy was made, by its name: copying files elsewhere changes their times."""
    stamp = path.name.removeprefix("zorora-")[:15]
    try:
        return datetime.strptime(stamp, "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def _free(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free
