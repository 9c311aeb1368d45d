"""The best passages as they stand: for facts, reasons, definitions and people; for claims,
whichever bear on them."""

from collections.abc import Sequence

from workflows.research.answer.collection import TextCollection
from workflows.research.answer.draft import Draft
from workflows.research.answer.selection import Ranked, select_shown
from workflows.research.understand.parts import Part

FEW = 3
BEARING = 4  # passages that bear on a claim


def best_passages(
    count: int, part: Part, ranked: Sequence[Ranked], collection: TextCollection
) -> Draft:
    """Up to `count` passages. Those that bear on a claim are unsorted as to side: who says yes is
    for a judge to say."""
    selected = select_shown(part, ranked, collection)
    return Draft(passages=tuple(selected[:count]), further=tuple(selected[count:]))
