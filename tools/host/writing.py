"""Changing files: all of a set of changes, or none. Each file is written whole beside its place and
moved there."""

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

from tools.errors import Conflict, EditError, StorageError
from tools.host.place import MAX_BYTES, Contents, Parts, Workplace, file_errors, read_in

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Change:
    """A file's new bytes. before: digest of what stands there now, None when nothing may stand
    there.

    move_from: the path whose file becomes this one. executable: None leaves that as it is.
    """

    path: str
    data: bytes
    before: str | None = None
    move_from: str | None = None
    executable: bool | None = None


@dataclass(slots=True)
class _Staged:
    """A change whose bytes lie ready. was: what it replaces; source: the file that is moved
    away."""

    change: Change
    parts: Parts
    folder: int
    temporary: str
    was: Contents | None = None
    source: tuple[int, Parts, Contents] | None = None
    published: bool = False


@dataclass
class _Work:
    """Changes under way."""

    place: Workplace
    stack: ExitStack
    staged: list[_Staged] = field(default_factory=list)
    new_folders: list[Parts] = field(default_factory=list)


def write_all(place: Workplace, changes: Sequence[Change]) -> None:
    """Make all changes, or none of them. What is written counts as read afterwards.

    Raises Conflict when a file is no longer what it was, Refused for places that are not written,
    StorageError.
    """
    for change in changes:
        place.check_writable(change.path)
        place.check_secret(change.path, "Change")
        if len(change.data) > MAX_BYTES:
            raise StorageError(
                f"{change.path!r} would have {len(change.data) / 1e6:.1f} MB; the most is 10 MB."
            )
    with ExitStack() as stack:
        work = _Work(place, stack)
        try:
            for change in changes:
                _stage(work, change)
            for staged in work.staged:
                _publish(staged)
        except BaseException:
            _undo(work)
            raise
    for staged in work.staged:
        _remember(place, staged)


def _stage(work: _Work, change: Change) -> None:
    """Write the new bytes beside their place, and check that the place is as it was."""
    parts = work.place.check_writable(change.path)
    name = "/".join(parts)
    with file_errors(name):
        if change.before is None:
            work.new_folders += work.place.make_folders(parts[:-1])
        folder = work.stack.enter_context(work.place.folder(parts[:-1]))
        staged = _Staged(change, parts, folder, f".{parts[-1][:100]}.{secrets.token_hex(6)}.zorora")
        staged.was = _as_it_was(folder, parts, change.before)
        if change.move_from is not None:
            staged.source = _moved(work, change.move_from)
        work.staged.append(staged)
        mode = (staged.source[2] if staged.source else staged.was or Contents(b"", "", 0o666)).mode
        _write(folder, staged.temporary, change, mode, keep=bool(staged.source or staged.was))


def _as_it_was(folder: int, parts: Parts, before: str | None) -> Contents | None:
    name = "/".join(parts)
    if before is None:
        with suppress(FileNotFoundError):
            os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)
            raise EditError(f"There is a {name!r} already; read it and edit it instead.")
        return None
    content = read_in(folder, parts[-1], name)
    if content.digest != before:
        raise Conflict(f"{name!r} has changed since it was read; read it again.")
    return content


def _moved(work: _Work, path: str) -> tuple[int, Parts, Contents]:
    parts = work.place.check_writable(path)
    folder = work.stack.enter_context(work.place.folder(parts[:-1]))
    content = read_in(folder, parts[-1], "/".join(parts))
    if content.digest != work.place.read_digests.get("/".join(parts)):
        raise Conflict(f"{'/'.join(parts)!r} has changed since it was read; read it again.")
    return folder, parts, content


def _write(folder: int, name: str, change: Change, mode: int, keep: bool) -> None:
    # a new file's permissions are cut by the umask
    handle = os.open(name, _NEW, 0o666, dir_fd=folder)
    with os.fdopen(handle, "wb") as file:
        file.write(change.data)
        mode = mode if keep else stat.S_IMODE(os.fstat(handle).st_mode)
        if change.executable is not None:
            mode = mode | (mode & 0o444) >> 2 if change.executable else mode & ~0o111
        os.fchmod(handle, mode & 0o777)
        file.flush()
        os.fsync(handle)


def _publish(staged: _Staged) -> None:
    """Move one file to its place. A new one never replaces what appeared there meanwhile."""
    name, folder, temporary = staged.parts[-1], staged.folder, staged.temporary
    with file_errors("/".join(staged.parts)):
        if staged.was is not None:
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        else:
            _link(folder, temporary, name)
        staged.published = True
        if staged.source:
            os.unlink(staged.source[1][-1], dir_fd=staged.source[0])
            os.fsync(staged.source[0])
        os.fsync(folder)


def _link(folder: int, temporary: str, name: str) -> None:
    try:
        os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except FileExistsError as error:
        raise Conflict(f"{name!r} has appeared in the meantime; read it first.") from error
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK):
            raise
        # a file system without links
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        return
    os.unlink(temporary, dir_fd=folder)


def _undo(work: _Work) -> None:
    """Put everything back as it was, last change first."""
    for staged in reversed(work.staged):
        name, folder = staged.parts[-1], staged.folder
        with suppress(OSError):
            os.unlink(staged.temporary, dir_fd=folder)
        if not staged.published:
            continue
        with suppress(OSError):
            if staged.source:
                _restore(staged.source[0], staged.source[1][-1], staged.source[2])
            if staged.was is None:
                os.unlink(name, dir_fd=folder)
            else:
                _restore(folder, name, staged.was)
    for parts in reversed(work.new_folders):
        with suppress(OSError), work.place.folder(parts[:-1]) as above:
            os.rmdir(parts[-1], dir_fd=above)


def _restore(folder: int, name: str, was: Contents) -> None:
    temporary = f".{name[:100]}.{secrets.token_hex(6)}.zorora"
    _write(folder, temporary, Change(name, was.data), was.mode, keep=True)
    os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def _remember(place: Workplace, staged: _Staged) -> None:
    place.read_digests["/".join(staged.parts)] = hashlib.sha256(staged.change.data).hexdigest()
    if staged.source:
        place.read_digests.pop("/".join(staged.source[1]), None)


def make_folder(place: Workplace, path: str) -> bool:
    """Make a folder with those above it; False when it was there. Refused where a file stands."""
    parts = place.check_writable(path)
    name = "/".join(parts)
    with file_errors(name):
        created = place.make_folders(parts)
        with place.folder(parts):
            return bool(created)
