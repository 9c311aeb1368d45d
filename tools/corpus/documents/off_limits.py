"""Folders that are never read as documents: what Zorora keeps for itself, and what belongs to the operating system."""

import os
from collections.abc import Collection
from pathlib import Path

HOLDS = "documents"  # the one folder of a home that may be read
_MARKS = frozenset(("zorora.db", "corpus.db"))  # either of them beside "research": a home
_SYSTEM = tuple(map(Path, ("/etc", "/proc", "/sys", "/dev", "/boot", "/private/etc", "/System")))
_MEMORY = Path("/dev/shm")  # what lies below it are ordinary folders, on a disk in memory


def refusal(folder: Path) -> str | None:
    """Why a folder (its real path) may not be read, as the end of a sentence; None for one that may."""
    if folder == Path(folder.anchor) or of_system(folder):
        return "belongs to the system. Name a folder with documents of your own."
    for home in (folder, *folder.parents):
        if is_home([name for name in (*_MARKS, "research") if os.path.exists(home / name)]):
            if folder.is_relative_to(home / HOLDS):
                return None
            # Its records would come back as sources of the next report
            return f"belongs to Zorora itself. Put documents into its folder “{HOLDS}”, or name one elsewhere."
    return None


def of_system(folder: Path) -> bool:
    """Whether a folder is one of the operating system's, or below one."""
    return any(folder.is_relative_to(one) for one in _SYSTEM) and _MEMORY not in folder.parents


def is_home(names: Collection[str]) -> bool:
    """Whether what stands in a folder is what stands in a home of Zorora, this one's or another's."""
    return "research" in names and not _MARKS.isdisjoint(names)
