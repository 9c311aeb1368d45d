"""Which things there are: the items of the list or table that answers, or one passage for each
text."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tools.documents.model import Block, BlockKind
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.draft import BlockPlace, Draft
from workflows.research.answer.forms.numbered import FEWEST, MOST, numbered_headings
from workflows.research.answer.forms.passages import FEW
from workflows.research.answer.selection import SHOWN, Ranked, Selected, select, shown_text
from workflows.research.answer.windows import LEAD_WORDS, window_around
from workflows.research.understand.parts import Part

MOST_TEXTS = 9  # further texts of which a passage is shown
# Of what the first passage covers of the question, that of a further text must cover: it need not
# call the thing what the question does ("2 cups lentils" in a recipe)
AS_MUCH = 0.8
# "Which teams need it", not "what are the teams", "which teams do we have" or "which brokers are
# supported": of 15 questions that texts were listed for, those of 4 of the 9 that stay were the
# things asked for, and of 1 of the 6 with a form of "be"
_ASKS_WHICH_DO = re.compile(
    r"(?:which|what) (?!(?:kinds?|types?|sorts?|ways|steps)\b)"
    r"(?!.{0,600}\b(?:do|does|did|should|there|exist|is|are|was|were|be)\b)",
    re.I,
)


def listing(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """Up to three passages; the rest of the list that the first of them is taken from as items.

    Where that is no list, the numbered headings of a document whose title covers the question; else
    passages of the other texts that are among the things asked for.
    """
    selected = select(part, ranked, collection, SHOWN)
    if not selected:
        return Draft()
    coverage = Coverage(part.question, collection.rarity)
    first = _list_of(selected[0], coverage, collection)
    items = _rest_of_list(selected[0], first)
    selected = [passage for passage in selected if not _is_item(passage, items)]
    lists = [first, *(_list_of(passage, coverage, collection) for passage in selected[1:FEW])]
    passages = [
        _with_list_as_lead(passage, siblings, collection)
        for passage, siblings in zip(selected, lists, strict=False)
    ]
    items = items or numbered_headings(part, selected, collection)
    if not (first or items):
        passages += _of_other_texts(part, passages, ranked, collection)
    return Draft(tuple(passages), items=items, further=_not_among(passages, selected[FEW:]))


def _is_item(passage: Selected, items: Sequence[BlockPlace]) -> bool:
    """Whether a passage was chosen for one of some items."""
    return any(
        passage.snapshot_id == item.snapshot_id and passage.lead.block.start == item.block.start
        for item in items
    )


def _not_among(passages: Sequence[Selected], others: Sequence[Selected]) -> tuple[Selected, ...]:
    leads = {(passage.snapshot_id, passage.lead) for passage in passages}
    return tuple(other for other in others if (other.snapshot_id, other.lead) not in leads)


def _of_other_texts(
    part: Part, passages: Sequence[Selected], ranked: Sequence[Ranked], collection: TextCollection
) -> list[Selected]:
    """For a question that asks which things do something ("which teams need it"), each of which a
    text may be about: the lead of each further text that speaks of it as much as the first."""
    action = part.topic.terms[1:]
    if not action or not _ASKS_WHICH_DO.match(part.question):
        return []
    of_action = Coverage(" ".join(action), collection.rarity)
    of_all = Coverage(part.question, collection.rarity)
    first = shown_text(passages[0], collection)
    if not of_action.of(first):
        return []
    texts, others = {passage.snapshot_id for passage in passages}, list[Selected]()
    for passage in select(part, ranked, collection, len(ranked), len(ranked)):
        lead = _only_lead(passage, collection)
        text = shown_text(lead, collection)
        as_much = of_action.of(text) >= of_action.of(first)
        as_much = as_much and of_all.of(text) >= AS_MUCH * of_all.of(first)
        if as_much and lead.snapshot_id not in texts:
            texts.add(lead.snapshot_id)
            others.append(lead)
    return others[:MOST_TEXTS]


def _only_lead(passage: Selected, collection: TextCollection) -> Selected:
    text, blocks = collection.text(passage.snapshot_id), collection.blocks(passage.snapshot_id)
    return replace(passage, window=window_around(text, blocks, passage.lead, LEAD_WORDS))


def _list_of(selected: Selected, coverage: Coverage, collection: TextCollection) -> list[Block]:
    """The items or rows of the list or table that the lead is one of; none where these are too few,
    or where the lead says more of what is asked than what stands above it does.

    Then the list is of something else ("1 can coconut milk" among ingredients): of eight such lists
    that questions over nine collections led to none answered.
    """
    lead, text = selected.lead.block, collection.text(selected.snapshot_id)
    if lead.kind not in (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW):
        return []
    above = (text[start:end] for start, end in lead.context)
    names = collection.info(selected.snapshot_id).names
    if coverage.of(text[lead.start : lead.end]) > coverage.of(
        " ".join((names, *selected.window.heading_path, *above))
    ):
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
