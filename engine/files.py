"""Files that are whole or not there: temporary file, fsync, rename, fsync of the folder. All are
owner-only."""

import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.errors import Conflict, StorageError
from tools.open_databases import (
    read_file as read_file,  # handed on to the interfaces
    refuse_open as refuse_open,
    sync as sync,
)

TEMPORARY = ".tmp-"  # how the names of unfinished files begin


def write_whole(path: Path, data: bytes) -> None:
    """Replace the file by `data`, or leave it as it was. Raises StorageError with a sentence."""
    publish(stage(path, data), path)


def stage(
    path: Path,
    data: bytes,
    write: Callable[[int, bytes], None] | None = None,
    prefix: str = TEMPORARY,
) -> Path:
    """The first half of `write_whole`: the data in a synced temporary file beside `path`."""
    import tempfile  # who only reads writes no file

    handle, name = -1, ""
    try:
        # Mkstemp makes files 0600
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix)
        (write or write_all)(handle, data)
        os.fsync(handle)
        os.close(handle)
        return Path(name)
    except OSError as error:
        with suppress(OSError):
            os.close(handle)
        with suppress(OSError):
            Path(name).unlink()
        raise fault(path, error) from error


def publish(temporary: Path, path: Path) -> None:
    """The second half: put a staged file in its place, for good."""
    try:
        temporary.replace(path)
        sync(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise fault(path, error) from error


def write_all(handle: int, data: bytes) -> None:
    """Write every byte."""
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def stamp(path: Path) -> tuple[int, ...]:
    """What changes when a file does; empty for one that cannot be looked at."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def fault(path: Path, error: OSError) -> StorageError:
    """A fault of the file system as a sentence."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageError(
            f"The disk that holds {path.parent} is full; "
            f"{path.name} was not saved. Free some space."
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StorageError(
            f"{path.parent} cannot be written. Check its permissions, or set ZORORA_HOME."
        )
    if error.errno == errno.ENOENT:
        return StorageError(f"The folder {path.parent} is gone; {path.name} cannot be used.")
    return StorageError(f"{path} cannot be used: {error.strerror or error}.")


@contextmanager
def locked(path: Path, busy: str = "") -> Iterator[None]:
    """Only one process at a time inside; the lock is a file of its own and ends with the process.

    busy: nobody waits; Conflict with this sentence while another process is inside.
    """
    try:
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise fault(path, error) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError:
            raise Conflict(busy) from None
        yield
    finally:
        os.close(handle)
