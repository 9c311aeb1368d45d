"""A disk on which recorded changes happen again, and which can lose its power after any of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tests.lab.recording import Change


@dataclass(eq=False)
class File:
    """now: what programs read. synced: what is safe from a power cut."""

    now: bytearray = field(default_factory=bytearray)
    synced: bytes = b""


class Disk:
    """Two views of one disk: all that was written, and only what had to be safe.

    The second forgets what was written to a file since its last sync, and renames and removals
    since the last sync of their folder, and with a folder all that is in it, if the folder above
    was not synced since it was made. A new file keeps its (empty) name: file systems write it with
    the file.
    """

    def __init__(self) -> None:
        self.folders: list[str] = []
        self.safe_folders: list[str] = []
        self.names: dict[str, File] = {}
        self.safe: dict[str, File] = {}

    def apply(self, change: Change) -> None:
        """Do one change again."""
        if change.kind == "mkdir":
            self.folders.append(change.path)
        elif change.kind == "create":
            self.names[change.path] = self.safe[change.path] = File()
        elif change.kind in ("rename", "unlink", "link"):
            self._name(change)
        elif change.kind == "sync":
            self._sync(change.path)
        elif change.path in self.names:
            self._content(self.names[change.path].now, change)

    def all(self) -> dict[str, bytes]:
        """Every file when nothing is lost."""
        return {path: bytes(file.now) for path, file in self.names.items()}

    def synced(self) -> dict[str, bytes]:
        """Every file when all is lost that was not synced."""
        return {
            path: file.synced
            for path, file in self.safe.items()
            if self._stands(str(PurePosixPath(path).parent))
        }

    def synced_folders(self) -> list[str]:
        """The folders that are left then."""
        return [path for path in self.safe_folders if self._stands(path)]

    def _stands(self, folder: str) -> bool:
        return folder == "." or (
            folder in self.safe_folders and self._stands(str(PurePosixPath(folder).parent))
        )

    def _name(self, change: Change) -> None:
        if change.path not in self.names:
            if change.path in self.folders:
                self.folders.remove(change.path)
            return
        file = self.names[change.path] if change.kind == "link" else self.names.pop(change.path)
        if change.kind != "unlink":
            self.names[change.to] = file

    def _sync(self, path: str) -> None:
        if path in self.names:
            self.names[path].synced = bytes(self.names[path].now)
            return
        self.safe_folders = [
            folder for folder in self.safe_folders if str(PurePosixPath(folder).parent) != path
        ]
        self.safe_folders += [
            folder for folder in self.folders if str(PurePosixPath(folder).parent) == path
        ]
        for name in [name for name in self.safe if str(PurePosixPath(name).parent) == path]:
            del self.safe[name]
        self.safe |= {
            name: file
            for name, file in self.names.items()
            if str(PurePosixPath(name).parent) == path
        }

    def _content(self, content: bytearray, change: Change) -> None:
        if change.kind == "truncate":
            del content[change.at :]
            content.extend(bytes(change.at - len(content)))
        elif change.kind == "grow":
            content.extend(bytes(max(0, change.at - len(content))))
        else:
            content.extend(bytes(max(0, change.at - len(content))))
            content[change.at : change.at + len(change.data)] = change.data


def torn(change: Change) -> Change:
    """The first half of a write, cut where no structure ends."""
    return Change(
        change.kind, change.path, change.at, change.data[: len(change.data) // 2 + 1], change.to
    )


def lay_out(folders: Iterable[str], files: dict[str, bytes], place: Path) -> None:
    """Put files into an empty folder."""
    for folder in folders:
        (place / folder).mkdir(parents=True, exist_ok=True)
    for path, data in files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_bytes(data)


def content(place: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, without the shared memory of write-ahead logs."""
    for path in sorted(place.rglob("*")):
        if path.is_file() and not path.name.endswith("-shm"):
            yield str(path.relative_to(place)), path.read_bytes()
