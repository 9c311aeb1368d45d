"""Which things there are: the items of the list or table that answers, or one passage for each text."""

from collections.abc import Sequence

from tools.corpus.model import BlockKind
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.draft import BlockPlace, Draft
from workflows.research.answer.forms.passages import FEW
from workflows.research.answer.selection import SHOWN, Ranked, Selected, select
from workflows.research.understand.parts import Part

MAX_ITEMS = 40
_FEWEST = 3  # items that make a list


def listing(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """Up to three passages; the rest of the list that the first of them is taken from as items."""
    selected = select(part, ranked, collection, SHOWN)
    items = _rest_of_list(selected[0], collection) if selected else ()
    return Draft(passages=tuple(selected[:FEW]), items=items, further=tuple(selected[FEW:]))


def _rest_of_list(selected: Selected, collection: TextCollection) -> tuple[BlockPlace, ...]:
    """The items or rows beside the lead that its passage has no room for."""
    lead = selected.lead.block
    if lead.kind not in (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW):
        return ()
    beside = [
        block
        for block in collection.blocks(selected.snapshot_id)
        if (block.kind, block.level, block.heading_path) == (lead.kind, lead.level, lead.heading_path)
        and block.context[:1] == lead.context[:1]
        and not block.header
    ]
    window = selected.window
    rest = [block for block in beside if not window.start <= block.start < window.end]
    if len(beside) < _FEWEST:
        return ()
    return tuple(BlockPlace(selected.snapshot_id, block) for block in rest[:MAX_ITEMS])
