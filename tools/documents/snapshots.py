"""Snapshot files: the texts that evidence points into. Written once, never changed, named by their
sha256.

`root/aa/<sha256>.txt.gz`, aa = the first two digits. A file is complete on disk before `put`
returns, so that whatever refers to it afterwards finds it also after a power cut.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tools.documents.passage import digest
from tools.errors import NotFound, ParseError, StorageError
from tools.open_databases import sync

_ID = r"[0-9a-f]{64}\Z"
_LEVEL = 3  # the levels above cost twice the time and more for a tenth of the space
_GZIP = 16  # added to the bits of the window: with the header and the checksum of gzip
_LOOK_AHEAD = 262  # bytes of the window that zlib keeps free
_BEGINNING = b"\x1f\x8b\x08"  # of every gzip file


class TextDamaged(StorageError):
    """A text that is there and is not the one its name says."""


class SnapshotFiles:
    """The folder of snapshot texts. Safe for threads and processes: two writers of one text write
    the same bytes."""

    def __init__(self, root: Path) -> None:
        self.root = Path(root)

    def put(self, text: str) -> str:
        """Keep a text that is in snapshot form; its id, which is the sha256 of its UTF-8 bytes.

        Raises ParseError for text that UTF-8 cannot hold, StorageError when the disk refuses.
        """
        with self.together() as store:
            return store(text)

    @contextmanager
    def together(self) -> Iterator[Callable[[str], str]]:
        """`put` for many texts, which are complete on disk when the block ends: that takes half of
        what each by itself takes."""
        import zlib  # a search opens no text

        files: dict[str, bytes] = {}

        def store(text: str) -> str:
            try:
                data = text.encode("utf-8")
            except UnicodeEncodeError as error:
                raise ParseError(
                    f"The text contains a character that cannot be stored (at {error.start})."
                ) from error
            snapshot_id = digest(data)
            path = f"{self.root}/{snapshot_id[:2]}/{snapshot_id}.txt.gz"
            if not (os.path.exists(path) and self._is_as_it_was(snapshot_id)):  # noqa: PTH110  (a third of the time)
                files[path] = zlib.compress(data, _LEVEL, _GZIP + window_bits(len(data)))
            return snapshot_id

        yield store
        try:
            replace_durably(files)
        except OSError as error:
            raise StorageError(
                f"The text could not be stored in {self.root}: {error.strerror or error}."
            ) from error

    def get(self, snapshot_id: str) -> str:
        """The text of a snapshot. Raises NotFound, TextDamaged, or StorageError when the file
        cannot be read."""
        import gzip
        import zlib

        path = self.path(snapshot_id)
        try:
            data = gzip.decompress(path.read_bytes())
        except FileNotFoundError as error:
            raise NotFound(f"There is no stored text {snapshot_id[:12]}.") from error
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise TextDamaged(
                f"The stored text {snapshot_id[:12]} is damaged ({error})."
            ) from error
        except OSError as error:
            raise StorageError(
                f"The stored text {snapshot_id[:12]} cannot be read: {error.strerror}."
            ) from error
        if digest(data) != snapshot_id:
            raise TextDamaged(
                f"The stored text {snapshot_id[:12]} is damaged: it is not the text it was."
            )
        return data.decode("utf-8")

    def has(self, snapshot_id: str) -> bool:
        return bool(re.match(_ID, snapshot_id)) and self.path(snapshot_id).exists()

    def begins_well(self, snapshot_id: str) -> bool:
        """Whether a file is there that begins as ours do: for places where reading all of it would
        take too long."""
        try:
            with self.path(snapshot_id).open("rb") as file:
                return file.read(len(_BEGINNING)) == _BEGINNING
        except OSError:
            return False

    def damaged(self) -> Iterator[str]:
        """The ids of the texts that are no longer what they were; every file is read. Raises
        StorageError."""
        for snapshot_id in self.ids():
            try:
                self.get(snapshot_id)
            except NotFound:
                continue  # removed since the folder was listed
            except TextDamaged:
                yield snapshot_id

    def ids(self) -> Iterator[str]:
        """Every id in the folder, in order."""
        for path in sorted(self.root.glob("[0-9a-f][0-9a-f]/*.txt.gz")):
            snapshot_id = path.name.removesuffix(".txt.gz")
            if re.match(_ID, snapshot_id):
                yield snapshot_id

    def remove(self, snapshot_id: str) -> bool:
        """Delete one text; whether it was there. Only for texts that nothing refers to any more."""
        try:
            self.path(snapshot_id).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise StorageError(
                f"The stored text {snapshot_id[:12]} cannot be deleted: {error.strerror}."
            ) from error
        return True

    def path(self, snapshot_id: str) -> Path:
        """Where the file is or would be. Raises NotFound for what is not an id (so no id can leave
        the folder)."""
        if not re.match(_ID, snapshot_id):
            raise NotFound(f"{snapshot_id[:80]!r} is not the id of a stored text.")
        return self.root / snapshot_id[:2] / f"{snapshot_id}.txt.gz"

    def _is_as_it_was(self, snapshot_id: str) -> bool:
        try:
            self.get(snapshot_id)
        except (NotFound, StorageError):
            return False
        return True


def window_bits(length: int) -> int:
    """The window of zlib that so many bytes fit into: for short ones the usual one takes longer
    to make than they take to deflate, and the result is the same."""
    return min(15, max(9, (length + _LOOK_AHEAD).bit_length()))


def replace_durably(files: Mapping[str, bytes]) -> None:
    """Write files by their paths so that after a crash each is there as a whole or not at all
    (owner-only permissions).

    All are written before the first is synced: a sync of one makes much of the others safe as well.
    """
    unfinished: dict[str, str] = {}
    folders: set[str] = set()
    try:
        for path, data in files.items():
            folder, name = os.path.split(path)  # strings: thousands of files are written in a row
            unfinished[path] = f"{folder}/.{name}.{os.getpid()}.{os.urandom(4).hex()}.tmp"
            folders.add(folder)
            with os.fdopen(_create(unfinished[path], folders), "wb") as file:
                file.write(data)
        for temporary in unfinished.values():
            sync(temporary)
        for path, temporary in unfinished.items():
            os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        for temporary in unfinished.values():
            Path(temporary).unlink(missing_ok=True)
        raise
    for folder in sorted(folders):
        sync(folder)


def _create(path: str, folders: set[str]) -> int:
    """A new file open for writing, in a folder that is made where there is none."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        _make_folder(os.path.dirname(path), folders)  # noqa: PTH120
        return os.open(path, flags, 0o600)


def _make_folder(folder: str, folders: set[str]) -> None:
    """A new folder is safe when the one above, added to `folders`, is synced; without that all in
    it could be gone after a power cut."""
    above = os.path.dirname(folder) or "."  # noqa: PTH120
    folders.add(above)
    try:
        os.mkdir(folder, 0o700)  # noqa: PTH102
    except FileExistsError:
        pass  # another writer was quicker
    except FileNotFoundError:
        _make_folder(above, folders)
        _make_folder(folder, folders)
