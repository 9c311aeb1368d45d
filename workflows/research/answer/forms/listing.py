"""Which things there are: the items of the list or table that answers, or the best passages."""

from collections.abc import Sequence

from tools.documents.model import BlockKind
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.draft import FEW, BlockPlace, Draft
from workflows.research.answer.ranking import Ranked
from workflows.research.answer.selection import Selected, select_shown
from workflows.research.understand.parts import Part

FEWEST, MOST = 3, 40  # items that make a list, and that are shown of one


def listing(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """Up to three passages; the rest of the list that the first of them is taken from as items."""
    selected = select_shown(part, ranked, collection)
    if not selected:
        return Draft()
    items = _rest_of_list(selected[0], part, collection)
    passages = [passage for passage in selected if not _is_item(passage, items)]
    return Draft(tuple(passages[:FEW]), items=items, further=tuple(passages[FEW:]))


def _is_item(passage: Selected, items: Sequence[BlockPlace]) -> bool:
    """Whether a passage was chosen for one of some items."""
    return any(
        passage.snapshot_id == item.snapshot_id and passage.lead.block.start == item.block.start
        for item in items
    )


def _rest_of_list(
    selected: Selected, part: Part, collection: TextCollection
) -> tuple[BlockPlace, ...]:
    """The items or rows that the passage has no room for, of the list or table that its lead is one
    of; none where these are too few, or where the lead says more of what is asked than what stands
    above it does.

    Then the list is of something else ("1 can coconut milk" among ingredients): of eight such lists
    that questions over nine collections led to none answered.
    """
    lead, text = selected.lead.block, collection.text(selected.snapshot_id)
    if lead.kind not in (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW):
        return ()
    above = (text[start:end] for start, end in lead.context)
    names = collection.info(selected.snapshot_id).names
    coverage = Coverage(part.question, collection.rarity)
    if coverage.of(text[lead.start : lead.end]) > coverage.of(
        " ".join((names, *selected.window.heading_path, *above))
    ):
        return ()
    siblings = [
        block
        for block in collection.blocks(selected.snapshot_id)
        if (block.kind, block.level, block.heading_path)
        == (lead.kind, lead.level, lead.heading_path)
        and block.context[:1] == lead.context[:1]
        and not block.header
    ]
    if len(siblings) < FEWEST:
        return ()
    window = selected.window
    rest = [block for block in siblings if not window.start <= block.start < window.end]
    return tuple(BlockPlace(selected.snapshot_id, block) for block in rest[:MOST])
