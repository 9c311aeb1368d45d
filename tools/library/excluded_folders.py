"""Folders that are never read as documents: what Zorora keeps for itself, and what belongs to the
operating system."""

import os
from collections.abc import Collection
from pathlib import Path

_HOLDS = "documents"  # the one folder of a home that may be read
# Either of them beside "research": a home, this one's or another's
_MARKS = frozenset(("zorora.db", "corpus.db"))
# Its records would come back as sources of the next report
_OWN = f"belongs to Zorora itself. Put documents into its folder “{_HOLDS}”, or name one elsewhere."
_SYSTEM = tuple(map(Path, ("/etc", "/proc", "/sys", "/dev", "/boot", "/private/etc", "/System")))
_MEMORY = Path("/dev/shm")  # noqa: S108  (what lies below it are ordinary folders, on a disk in memory)


def refusal(folder: Path, home_folders: Collection[Path] = ()) -> str | None:
    """Why a folder (its real path) may not be read, as the end of a sentence; None for one that
    may.

    home_folders: real paths of what Zorora keeps outside its home.
    """
    if _is_of_system(folder):
        return "belongs to the system. Name a folder with your own documents."
    if any(map(folder.is_relative_to, home_folders)):
        return _OWN
    for home in (folder, *folder.parents):
        if _is_home([name for name in (*_MARKS, "research") if os.path.exists(home / name)]):  # noqa: PTH110  (never raises)
            return None if folder.is_relative_to(home / _HOLDS) else _OWN
    return None


def _is_of_system(folder: Path) -> bool:
    if folder == Path(folder.anchor):
        return True
    return any(map(folder.is_relative_to, _SYSTEM)) and _MEMORY not in folder.parents


def readable(entries: "list[os.DirEntry[str]]") -> "list[os.DirEntry[str]]":
    """What may be read of the entries of one folder: of a home of Zorora only its documents."""
    if _is_home({entry.name for entry in entries}):
        return [entry for entry in entries if entry.name == _HOLDS]
    return entries


def _is_home(names: Collection[str]) -> bool:
    return "research" in names and not _MARKS.isdisjoint(names)
