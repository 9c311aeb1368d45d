"""The one directory everything lives in: its layout, its permissions, and what is refused as a
place for it."""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.files import stage, sync
from tools.errors import StorageError

# SQLite's write-ahead log shares memory between processes, which these cannot do between machines.
NETWORK_SYSTEMS = frozenset(
    """nfs nfs4 cifs smb smb2 smb3 smbfs afpfs afs glusterfs fuse.glusterfs ceph fuse.ceph lustre
    beegfs gpfs pvfs2 fuse.sshfs sshfs davfs fuse.davfs2 fuse.rclone fuse.s3fs ncpfs""".split()
)
MOUNTS = Path("/proc/self/mounts")
KEY_BYTES = 32


class Paths(NamedTuple):
    """Where each thing stands. Nothing is created by making this object."""

    home: Path
    db: Path
    corpus_db: Path
    findings: Path
    snapshots: Path
    documents: Path
    logs: Path
    backups: Path
    config: Path
    secret_key: Path
    keys: Path

    @property
    def uploads(self) -> Path:
        """Uploaded documents, named by their hash."""
        return self.documents / "uploads"

    @property
    def models(self) -> Path:
        """Models that work inside the process."""
        return self.home / "models"

    @property
    def log(self) -> Path:
        """The current log file."""
        return self.logs / "zorora.log"

    def path_in_database(self, path: Path) -> str:
        """A path as it stands in the database: relative to it when inside its folder."""
        folder = self.db.parent
        return str(path.relative_to(folder) if path.is_relative_to(folder) else path)

    def folders(self) -> tuple[Path, ...]:
        """Every folder that `prepare` creates, parents first."""
        return (
            self.home,
            self.findings,
            self.snapshots,
            self.documents,
            self.uploads,
            self.logs,
            self.backups,
        )


def layout(
    home: Path, *, db: Path | None = None, findings: Path | None = None, config: Path | None = None
) -> Paths:
    """The paths of a home directory; the database, the records and the configuration may stand
    elsewhere."""
    return Paths(
        home=home,
        db=db or home / "zorora.db",
        corpus_db=home / "corpus.db",
        findings=findings or home / "research" / "findings",
        snapshots=home / "research" / "snapshots",
        documents=home / "documents",
        logs=home / "logs",
        backups=home / "backups",
        config=config or home / "config.toml",
        secret_key=home / "secret_key",
        keys=home / "keys.json",
    )


def prepare(paths: Paths, *, mounts: Path = MOUNTS) -> None:
    """Create the directory and its folders, owner-only.

    Raises StorageError when a folder cannot be made or written, or is on a network file system.
    """
    places = (paths.home, paths.db.parent, paths.findings)
    try:
        for place in places:
            system = file_system(place, mounts)
            if system in NETWORK_SYSTEMS:
                raise StorageError(
                    f"{place} is on a network file system ({system}), where the database would be "
                    "damaged sooner or later. "
                    "Set ZORORA_HOME to a folder on a local disk."
                )
        for folder in (*paths.folders(), paths.db.parent):
            make_folder(folder)
        unwritable = [folder for folder in places if not os.access(folder, os.W_OK | os.X_OK)]
    except PermissionError as error:
        raise StorageError(
            f"{error.filename or paths.home} cannot be opened. "
            "Check its permissions, or set ZORORA_HOME."
        ) from error
    if unwritable:
        raise StorageError(
            f"{unwritable[0]} cannot be written. Check its permissions, or set ZORORA_HOME."
        )


def make_folder(folder: Path) -> None:
    """Create a folder with its parents, 0700; one that is there is left as it is. Raises
    StorageError."""
    if folder.is_dir():
        return
    try:
        # mkdir(parents=True) gives the mode to the last part alone
        missing = [part for part in (folder, *folder.parents) if not part.exists()]
        for part in reversed(missing):
            part.mkdir(mode=0o700, exist_ok=True)
            with suppress(PermissionError):  # one that may be written and not read
                sync(part.parent)  # else all that is in it could be gone after a power cut
    except (FileExistsError, NotADirectoryError) as error:
        raise StorageError(
            f"{folder} cannot be a folder: a file of that name is in the way."
        ) from error
    except OSError as error:
        raise StorageError(
            f"The folder {folder} cannot be created ({error.strerror or error}). "
            "Check its permissions, or set ZORORA_HOME to one of your folders."
        ) from error


def file_system(place: Path, mounts: Path = MOUNTS) -> str | None:
    """The kind of file system a path lies on, from the kernel's list of mounts; None where there is
    no such list."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    real, best, kind = f"{place.expanduser().resolve()}/", -1, None
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        # The kernel writes blanks and the like as octal escapes
        point = fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        folder = f"{point.rstrip('/')}/"
        if real.startswith(folder) and len(folder) >= best:
            best, kind = len(folder), fields[2]
    return kind


def secret_key(paths: Paths) -> bytes:
    """The 32 random bytes that sign this home's web sessions; made on first use, owner-only. Raises
    StorageError."""
    try:
        if not paths.secret_key.exists():
            _create_key(paths.secret_key)
        key = paths.secret_key.read_bytes()
    except OSError as error:
        raise StorageError(
            f"{paths.secret_key} cannot be used ({error.strerror or error})."
        ) from error
    if len(key) < KEY_BYTES:
        raise StorageError(
            f"{paths.secret_key} is damaged (too short). Delete it; everybody has to sign in again."
        )
    return key


def _create_key(path: Path) -> None:
    temporary = stage(path, os.urandom(KEY_BYTES))
    try:
        # A link fails where a rename would replace: when two processes start at once, the first key
        # stays
        os.link(temporary, path)
    except FileExistsError:
        return
    finally:
        temporary.unlink(missing_ok=True)
