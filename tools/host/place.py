"""Workplace: one folder, and every way into it. Nothing outside can be named, read or written
through it.

A path is resolved first (links and `..` included) and must lie inside. It is then walked from the
folder's own descriptor, component by component, refusing links: what was put in its place between
the two looks is not followed.
"""

import errno
import fnmatch
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.errors import NotFound, Refused, StorageError
from tools.open_databases import refuse_open

MAX_BYTES = 10_000_000
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe must not make us wait
# Written by their own programs only: a hook or a setting in there is run by the next command
_OWNED = frozenset((".git", ".hg", ".svn", ".jj", ".bzr"))
SECRET_NAMES = (
    ".env", ".env.*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.kdbx", "*.keystore",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".netrc", "_netrc", ".npmrc", ".pypirc",
    ".htpasswd", ".git-credentials", "credentials", "credentials.*", "secrets.*", "secret_key*",
    "service-account*.json", ".pgpass", ".my.cnf", ".dockercfg", ".boto", ".s3cfg", ".vault-token",
    "*.ppk", "*.jks", "*.tfstate", "kubeconfig",
)  # fmt: skip
_EXAMPLES = ("*.example", "*.sample", "*.template", "*.dist", "*.pub")
SECRET_FOLDERS = (".aws", ".azure", ".docker", ".gnupg", ".kube", ".ssh")

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contents:
    """A file as it was read. digest: sha256 of data, hexadecimal. mode: permission bits."""

    data: bytes
    digest: str
    mode: int


class Workplace:
    """The folder a session works in. Not for several threads at once.

    confirm: asks the person at the terminal a question; without it, what needs an answer is
    refused. read_digests: digest of each file as it was last read, by name; what was not read is
    not changed.
    """

    def __init__(self, root: Path, confirm: Callable[[str], bool] | None = None) -> None:
        self.root = Path(os.path.realpath(root))
        if not self.root.is_dir():
            raise NotFound(f"There is no folder {str(root)!r}.")
        self.confirm = confirm
        self.read_digests: dict[str, str] = {}
        self._allowed: set[str] = set()

    # --- names ------------------------------------------------------------------------------------

    def parts(self, path: str) -> Parts:
        """A path as components below the folder, links resolved; () is the folder itself. Refused
        when outside."""
        if not path or "\x00" in path:
            raise Refused(
                "The path is empty." if not path else "The path contains a NUL character."
            )
        real = os.path.realpath(os.path.join(self.root, path))  # noqa: PTH118  (an absolute path replaces the root)
        root = str(self.root)
        if real == root:
            return ()
        if not real.startswith(root.rstrip("/") + "/"):
            raise Refused(
                f"{path[:200]!r} is outside the working "
                "directory; only files inside it can be used."
            )
        return tuple(real[len(root.rstrip("/")) + 1 :].split("/"))

    def name(self, path: str) -> str:
        """A path as it is shown and remembered: relative, with slashes."""
        return "/".join(self.parts(path)) or "."

    def check_secret(self, path: str, verb: str) -> None:
        """Ask, once per file, before something is read or changed that usually contains secrets.
        Raises Refused."""
        name = self.name(path)
        if not is_secret(tuple(name.split("/"))) or name in self._allowed:
            return
        if self.confirm is None or not self.confirm(f"{name} usually contains secrets. {verb} it?"):
            raise Refused(
                f"{name!r} usually contains secrets; it stays closed unless you allow it."
            )
        self._allowed.add(name)

    def check_writable(self, path: str) -> Parts:
        """The components of a path that may be written. Refused: the folder itself, and what
        version control owns."""
        parts = self.parts(path)
        if not parts:
            raise Refused("The working directory itself cannot be written like a file.")
        owned = next((part for part in parts if part.casefold() in _OWNED), None)
        if owned:
            raise Refused(f"{path[:200]!r} lies in {owned}, which only its own program may write.")
        return parts

    # --- reading ----------------------------------------------------------------------------------

    def read(self, path: str) -> Contents:
        """A file's bytes. NotFound, Refused (no plain file, outside), StorageError (too large,
        unreadable)."""
        parts = self.parts(path)
        name = "/".join(parts) or "."
        with file_errors(name), self.folder(parts[:-1]) as folder:
            if not parts:
                raise Refused(
                    "The working directory is a folder, not a file; list_files shows what is in it."
                )
            return read_in(folder, parts[-1], name)

    def exists(self, path: str) -> bool:
        """Whether there is anything of this name."""
        return os.path.lexists(self.root.joinpath(*self.parts(path)))

    @contextmanager
    def folder(self, parts: Parts) -> Iterator[int]:
        """A descriptor of a folder inside, reached without following any link."""
        handle = os.open(self.root, _FOLDER)
        try:
            for part in parts:
                deeper = os.open(part, _FOLDER, dir_fd=handle)
                os.close(handle)
                handle = deeper
            yield handle
        finally:
            os.close(handle)

    def make_folders(self, parts: Parts) -> list[Parts]:
        """Make what is missing of a folder's path; the ones made, outermost first."""
        created: list[Parts] = []
        for depth in range(1, len(parts) + 1):
            with self.folder(parts[: depth - 1]) as above:
                try:
                    os.mkdir(parts[depth - 1], dir_fd=above)
                    created.append(parts[:depth])
                except FileExistsError:
                    continue
        return created


def read_in(folder: int, name: str, display_name: str, most: int = MAX_BYTES) -> Contents:
    """A plain file of an open folder, whole."""
    refuse_open(name, folder)
    handle = os.open(name, _FILE, dir_fd=folder)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            is_folder = stat.S_ISDIR(status.st_mode)
            kind = "a folder; list_files shows what is in it" if is_folder else "no plain file"
            raise Refused(f"{display_name!r} is {kind}.")
        if status.st_size > most:
            raise StorageError(
                f"{display_name!r} has {status.st_size / 1e6:.1f} MB; "
                f"files of more than {most // 1_000_000} MB are not opened."
            )
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(handle)
    return Contents(data, hashlib.sha256(data).hexdigest(), stat.S_IMODE(status.st_mode))


def is_secret(parts: Parts) -> bool:
    """Whether a file's name or folder says that it holds keys or passwords."""
    name = parts[-1].lower() if parts else ""
    if any(part.lower() in SECRET_FOLDERS for part in parts[:-1]) or parts[-2:] == (
        ".git",
        "config",
    ):
        return True  # addresses of remotes may hold a token
    if any(fnmatch.fnmatchcase(name, pattern) for pattern in _EXAMPLES):
        return False
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in SECRET_NAMES)


@contextmanager
def file_errors(display_name: str) -> Iterator[None]:
    """Faults of the file system as sentences about one file."""
    try:
        yield
    except FileNotFoundError as error:
        raise NotFound(f"There is no {display_name!r} in the working directory.") from error
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise Refused(
                f"{display_name!r} cannot be used: a part of its path is a link or no folder."
            ) from error
        raise StorageError(
            f"{display_name!r} cannot be used: {error.strerror or error}."
        ) from error
