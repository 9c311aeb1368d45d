"""Which things there are: the items of the list or table that answers, or one passage for each
text."""

from collections.abc import Sequence
from dataclasses import replace

from tools.documents.model import Block, BlockKind
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.draft import BlockPlace, Draft
from workflows.research.answer.forms.numbered import FEWEST, MOST, numbered_headings
from workflows.research.answer.forms.passages import FEW
from workflows.research.answer.selection import SHOWN, Ranked, Selected, select
from workflows.research.answer.windows import LEAD_WORDS
from workflows.research.understand.parts import Part


def listing(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """Up to three passages; the rest of the list that the first of them is taken from as items.

    Where that is no list, the numbered headings of a document whose title covers the question.
    """
    selected = select(part, ranked, collection, SHOWN)
    passages = [
        _with_list_as_lead(passage, _list_of(passage, collection), collection)
        for passage in selected[:FEW]
    ]
    items = _rest_of_list(selected[0], _list_of(selected[0], collection)) if selected else ()
    items = items or numbered_headings(part, selected, collection)
    return Draft(passages=tuple(passages), items=items, further=tuple(selected[FEW:]))


def _list_of(selected: Selected, collection: TextCollection) -> list[Block]:
    """The items or rows of the list or table that the lead is one of; none where these are too
    few."""
    lead = selected.lead.block
    if lead.kind not in (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW):
        return []
    siblings = [
        block
        for block in collection.blocks(selected.snapshot_id)
        if (block.kind, block.level, block.heading_path)
        == (lead.kind, lead.level, lead.heading_path)
        and block.context[:1] == lead.context[:1]
        and not block.header
    ]
    return siblings if len(siblings) >= FEWEST else []


def _with_list_as_lead(
    selected: Selected, siblings: Sequence[Block], collection: TextCollection
) -> Selected:
    """The passage with as many items in its lead as this has room for, from the first on where it
    can be."""
    text, lead, window = collection.text(selected.snapshot_id), selected.lead, selected.window
    room = LEAD_WORDS - sum(len(text[start:end].split()) for start, end in lead.block.context)

    def fits(start: int, end: int) -> bool:
        return window.start <= start and end <= window.end and len(text[start:end].split()) <= room

    start = next(
        (
            block.start
            for block in siblings
            if block.start <= lead.start and fits(block.start, lead.end)
        ),
        None,
    )
    if start is None:
        return selected
    end = max(
        (block.end for block in siblings if block.end >= lead.end and fits(start, block.end)),
        default=lead.end,
    )
    return replace(selected, lead=replace(lead, start=start, end=end))


def _rest_of_list(selected: Selected, siblings: Sequence[Block]) -> tuple[BlockPlace, ...]:
    """The items or rows that the passage has no room for."""
    window = selected.window
    rest = [block for block in siblings if not window.start <= block.start < window.end]
    return tuple(BlockPlace(selected.snapshot_id, block) for block in rest[:MOST])
