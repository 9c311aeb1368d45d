"""Which texts of a group have a card: how many, by the size of the group, and which first."""

import math
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import PurePosixPath

from workflows.research.answer.collection import TextInfo
from workflows.research.answer.grouping import TextGroup

_TELL_OF_FOLDER = ("index", "_index", "readme")


def shared_out(sizes: Sequence[int], most: int) -> list[int]:
    """How many cards each group has, `most` in all: one each, then one more for the group with the
    most to a card (D'Hondt), no more than it has texts. sizes: numbers of texts, which count by
    their square roots, as the texts of a large group are more alike."""
    counts = [1] * len(sizes)
    while sum(counts) < min(most, sum(sizes)):
        larger = [i for i, size in enumerate(sizes) if size > counts[i]]
        counts[max(larger, key=lambda i: (math.sqrt(sizes[i]) / (counts[i] + 1), -i))] += 1
    return counts


def folder_text_first(group: TextGroup, says_something: Callable[[TextInfo], bool]) -> TextGroup:
    """The group with the index or README of the folder that all of it lies in before the others,
    where it says something: it tells of them what none of them does."""
    folder = _common_folder(group.texts)
    first = [
        info
        for info in group.texts
        if info.folder == folder and _tells_of_folder(info) and says_something(info)
    ]
    rest = tuple(info for info in group.texts if info not in first)
    return TextGroup(group.name, (*first, *rest))


def _tells_of_folder(info: TextInfo) -> bool:
    return PurePosixPath(info.name).stem.lower() in _TELL_OF_FOLDER


def _common_folder(texts: Sequence[TextInfo]) -> str:
    paths = [info.folder.split("/") for info in texts]
    levels = takewhile(lambda names: len(set(names)) == 1, zip(*paths, strict=False))
    return "/".join(names[0] for names in levels)
