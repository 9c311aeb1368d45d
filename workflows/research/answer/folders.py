"""Groups of texts by the folders that their owner keeps them in."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import takewhile

Path = tuple[str, ...]  # the names of a folder and of those it lies in, outermost first
Places = list[int]  # of texts
# The largest group may hold this share of the texts; where one folder holds nearly all of them the
# folders say little
_LARGEST = 0.75
_FEWEST = 3  # texts of a folder that is a group of its own; those of others stay with the one above


def by_folder(folders: Sequence[str], least: int, most: int) -> dict[str, Places]:
    """The places of texts under the names of their folders, the largest group first; empty where
    the folders part them badly.

    folders: of each text, as a path with slashes, "" where it lies in none. Folders are opened, the
    fullest first, until there are `least` groups, `most` at most.
    """
    paths = [tuple(folder.split("/")) if folder else () for folder in folders]
    holds_all = common(paths)
    if not holds_all and () in paths:
        return {}
    groups, shut = {holds_all: list(range(len(paths)))}, set[Path]()
    while len(groups) < least and (closed := groups.keys() - shut):
        fullest = max(closed, key=lambda path: (len(groups[path]), path))
        # The folder itself keeps a group, as a rule
        groups |= _opened(fullest, groups.pop(fullest), paths, most - len(groups) - 1)
        shut.add(fullest)
    if max(map(len, groups.values())) > _LARGEST * len(paths):
        return {}
    order = sorted(groups, key=lambda path: (-len(groups[path]), path))
    return {"/".join(path[len(holds_all) :] or path[-1:]): groups[path] for path in order}


def common(paths: Sequence[Path]) -> Path:
    """The folder that all of some lie in."""
    levels = takewhile(lambda names: len(set(names)) == 1, zip(*paths, strict=False))
    return tuple(names[0] for names in levels)


def _opened(
    folder: Path, places: Places, paths: Sequence[Path], most: int
) -> Mapping[Path, Places]:
    """The texts of a folder by the folders in it, at most so many, the fullest; all others stay
    under its own path."""
    inner: dict[Path, Places] = defaultdict(list)
    for place in places:
        inner[paths[place][: len(folder) + 1]].append(place)
    worth = [path for path in inner if len(inner[path]) >= _FEWEST and path != folder]
    opened = {p: inner[p] for p in sorted(worth, key=lambda p: (-len(inner[p]), p))[:most]}
    rest = [place for path in inner.keys() - opened.keys() for place in inner[path]]
    return opened | ({folder: sorted(rest)} if rest else {})
