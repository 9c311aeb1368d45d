"""Folders of this computer that the library form proposes while a path is typed."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

USUAL = ("Documents", "Desktop", "Downloads")  # in the home directory
MOST = 20
SCANNED = 2000  # entries of one folder


def suggest(typed: str, folders: Sequence[str]) -> list[str]:
    """Folders whose path begins like what is typed; before anything is typed, those used before and
    the usual ones.

    known: folders that are read already. A folder that cannot be listed has no suggestions.
    """
    text = typed.replace("\x00", "").strip()
    if not text:
        beside = [str(Path(path).parent) for path in reversed(folders)]
        usual = [os.path.expanduser(f"~/{name}") for name in USUAL]  # noqa: PTH111  (never raises)
        return [path for path in dict.fromkeys([*usual, *beside]) if os.path.isdir(path)][:MOST]  # noqa: PTH112
    path = os.path.abspath(os.path.expanduser(text))  # noqa: PTH100, PTH111
    parent, begin = (path, "") if text.endswith(("/", os.sep)) else os.path.split(path)
    return sorted(_folders(parent, begin.casefold()), key=str.casefold)[:MOST]


def _folders(parent: str, begin: str) -> Iterator[str]:
    """Folders in `parent`; hidden ones only where a dot is typed."""
    try:
        with os.scandir(parent) as entries:
            for _, entry in zip(range(SCANNED), entries, strict=False):
                name = entry.name.casefold()
                hidden = name.startswith(".") and not begin.startswith(".")
                if name.startswith(begin) and not hidden and entry.is_dir():
                    yield entry.path
    except (OSError, ValueError):
        return
