"""The files under the paths that a user named. Hidden files and links that lead out of a folder are
left alone."""

import fnmatch
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from tools.library.excluded_folders import readable, refusal

# Not opened when a folder is walked: nobody keeps documents in them, and a photo folder has
# thousands. The kinds that were met are reported, not each file.
_NEVER = frozenset(
    """png jpg jpeg gif webp bmp ico tif tiff heic avif psd mp3 m4a wav flac ogg opus aac
    mp4 mkv mov avi webm wmv gz tgz bz2 xz zst 7z rar tar iso dmg exe dll so dylib o a pyc
    class jar wasm ttf otf woff woff2 db sqlite sqlite3 db-wal db-shm bin dat pack idx
    lock tmp part crdownload""".split()
)
_SKIPPED_FOLDERS = frozenset(("node_modules", "__pycache__"))


class FoundFile(NamedTuple):
    """A file to read. name and folder may be shown; path never leaves this machine. state changes
    with the content."""

    path: Path
    name: str
    folder: str
    size: int
    state: str


@dataclass
class Walk:
    """What was found: files in order, (name, reason) of what was refused, and the folders that were
    read in full."""

    files: list[FoundFile] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)


def walk(
    paths: Sequence[Path],
    ignore: Sequence[str] = (),
    home_folders: Collection[Path] = (),
    most: int = sys.maxsize,
) -> Walk:
    """Every file under the paths, each once. A path may be a file, also one that a walk would leave
    out.

    ignore: patterns as in a shell, for a name or for a path below the folder ("drafts/*", "*.bak").
    home_folders: real paths of folders that Zorora keeps for itself outside its home. most: files
    after which no further folder is looked into.
    """
    result = Walk()
    visited_folders: set[Path] = set()
    ignored = re.compile("|".join(map(fnmatch.translate, ignore)) or r"(?!)")
    for path in paths:
        root = _real(path)
        if root and os.path.isdir(root):  # noqa: PTH112  (one that may not be entered is only not there)
            if refused := refusal(root, home_folders):
                result.problems.append((display_name(root.name) or "/", f"The folder {refused}"))
            else:
                _folder(root, ignored, result, visited_folders, home_folders, most)
        elif root and os.path.isfile(root):  # noqa: PTH113
            _file(root, "", result, visited_folders)
        elif root and os.path.exists(root):  # noqa: PTH110
            result.problems.append((display_name(path.name), "It is a pipe or a device, no file."))
        else:
            result.problems.append((display_name(path.name), "There is no such file or folder."))
    return result


def _folder(
    root: Path,
    ignored: re.Pattern[str],
    result: Walk,
    visited_folders: set[Path],
    home_folders: Collection[Path],
    most: int,
) -> None:
    left_out: Counter[str] = Counter()
    for folder, real, entries in _folders(root, ignored, result, home_folders):
        if len(result.files) >= most:
            break
        place = display_name(str(Path(root.name) / folder.relative_to(root)))
        for entry in entries[: most - len(result.files)]:
            suffix = os.path.splitext(entry.name)[1].lstrip(".").lower()  # noqa: PTH122
            if not _is(entry, "file"):
                continue
            if suffix in _NEVER:
                left_out[suffix] += 1
            else:
                path = _real(entry.path) if entry.is_symlink() else real / entry.name
                _file(path, place, result, visited_folders, display_name(entry.name))
    result.problems.extend(
        (f"*.{suffix} ({n})", "Files of this kind are not read.")
        for suffix, n in sorted(left_out.items())
    )


def _folders(
    root: Path, ignored: re.Pattern[str], result: Walk, home_folders: Collection[Path]
) -> "Iterator[tuple[Path, Path, list[os.DirEntry[str]]]]":
    """Every folder below the root, with where it really lies and its entries that may be read."""
    visited = set(home_folders)
    waiting = [root]
    complete = True
    while waiting:
        folder = waiting.pop()
        real = _real(folder) or folder
        if real in visited:
            continue  # links may lead in a circle
        visited.add(real)
        entries = _entries(folder, root, ignored, result)
        if entries is None:
            complete = False
            continue
        yield folder, real, entries
        folders = [
            Path(e.path) for e in entries if _is(e, "folder") and e.name not in _SKIPPED_FOLDERS
        ]
        waiting.extend(reversed(folders))
    if complete:
        result.folders.append(root)


def _entries(
    folder: Path, root: Path, ignored: re.Pattern[str], result: Walk
) -> "list[os.DirEntry[str]] | None":
    """What may be read of the entries of a folder, by name; None where the folder cannot be
    read."""
    try:
        with os.scandir(folder) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        result.problems.append(
            (display_name(folder.name), f"The folder cannot be read: {error.strerror}.")
        )
        return None
    return [
        e
        for e in readable(ordered)
        if not _is_ignored(e, root, ignored) and _inside(e, root, result)
    ]


def _real(path: str | Path) -> Path | None:
    """Where a path really leads; None where that may not be looked up."""
    try:
        return Path(os.path.realpath(path))
    except OSError:
        return None


def _is(entry: "os.DirEntry[str]", kind: str) -> bool:
    try:
        return entry.is_file() if kind == "file" else entry.is_dir()
    except OSError:
        return False  # a link to itself


def _inside(entry: "os.DirEntry[str]", root: Path, result: Walk) -> bool:
    """Whether a link stays inside the folder; other entries do."""
    if not entry.is_symlink():
        return True
    real = _real(entry.path)
    if real is None:
        result.problems.append((display_name(entry.name), "It is a link that cannot be read."))
    elif not real.is_relative_to(root):
        result.problems.append(
            (
                display_name(entry.name),
                "It is a link that leads out of the folder, and was not followed.",
            )
        )
    elif not os.path.exists(real):  # noqa: PTH110  (one that may not be looked up is only not there)
        result.problems.append((display_name(entry.name), "It is a link that leads nowhere."))
        return False
    return real is not None and real.is_relative_to(root)


def _is_ignored(entry: "os.DirEntry[str]", root: Path, ignored: re.Pattern[str]) -> bool:
    """Whether an entry is hidden, or the patterns match its name or its path below the root."""
    below = entry.path.removeprefix(str(root)).lstrip("/")
    return entry.name.startswith((".", "~$")) or bool(
        ignored.match(entry.name) or ignored.match(below)
    )


def _file(
    path: Path | None, folder: str, result: Walk, visited_folders: set[Path], name: str = ""
) -> None:
    if path is None or path in visited_folders:
        return
    visited_folders.add(path)
    try:
        status = path.stat()
    except OSError as error:
        result.problems.append(
            (display_name(path.name), f"The file cannot be read: {error.strerror}.")
        )
        return
    if stat.S_ISREG(status.st_mode):
        state = f"{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}:{status.st_ino}"
        result.files.append(
            FoundFile(path, name or display_name(path.name), folder, status.st_size, state)
        )


def display_name(name: str) -> str:
    """A file name as text for people: valid, on one line, not endless."""
    if name.isprintable() and len(name) <= 200:  # nearly all names
        return name.strip()
    text = os.fsencode(name).decode("utf-8", "replace")
    text = "".join(c if c.isprintable() else " " for c in text).strip()
    return text if len(text) <= 200 else text[:150] + "…" + text[-40:]


def key_of(path: Path) -> str:
    """A path as it is stored: plain ASCII whatever its bytes."""
    return quote(os.fsencode(path), safe="/")


def folder_key(folder: Path) -> str:
    """What the keys of all files in a folder and below it begin with."""
    return key_of(folder).rstrip("/") + "/"
