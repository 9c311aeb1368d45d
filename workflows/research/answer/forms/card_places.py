"""Which texts of a group have a card: how many, by the size of the group, and which first."""

import math
from collections.abc import Callable, Sequence

from tools.documents.passage import is_common_name
from workflows.research.answer.collection import TextInfo
from workflows.research.answer.folders import common
from workflows.research.answer.grouping import TextGroup


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
    folder = "/".join(common([tuple(info.folder.split("/")) for info in group.texts]))
    first = [
        info
        for info in group.texts
        if info.folder == folder and is_common_name(info.name) and says_something(info)
    ]
    rest = tuple(info for info in group.texts if info not in first)
    return TextGroup(group.name, (*first, *rest))
