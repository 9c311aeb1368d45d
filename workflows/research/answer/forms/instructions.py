"""How something is done: the section that answers, its steps or commands as they stand."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tools.documents.model import Block, BlockKind
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.draft import FEW, BlockPlace, Draft
from workflows.research.answer.ranking import Ranked
from workflows.research.answer.selection import Selected, overlaps, select_shown
from workflows.research.answer.windows import Unit, window_around
from workflows.research.understand.parts import Part

SECTION_WORDS = 250
_NUMBER = re.compile(r"[ \t]*\d{1,2}[.)]\s")


def instructions(part: Part, ranked: Sequence[Ranked], collection: TextCollection) -> Draft:
    """The section of the best passage, up to 250 words, then two more."""
    selected = select_shown(part, ranked, collection)
    if not selected:
        return Draft()
    best = _with_steps(part, selected, collection)
    section = _whole_section(best, collection)
    others = [passage for passage in selected if not overlaps(passage, (section,))]
    text = collection.text(section.snapshot_id)
    steps = [
        BlockPlace(section.snapshot_id, block)
        for block in section.window.blocks
        if _is_step(text, block)
    ]
    return Draft(
        passages=(section, *others[: FEW - 1]),
        steps=tuple(steps) if len(steps) > 1 else (),
        further=tuple(others[FEW - 1 :]),
    )


def _with_steps(part: Part, selected: Sequence[Selected], collection: TextCollection) -> Selected:
    """The best passage; or the steps of the first document that is named like what is asked about,
    where they all stand in one section.

    The steps of "Croutons" need not say "croutons": of 327 recipes asked for by their titles 321
    are answered with their steps, 38 without this.
    """
    coverage = Coverage(part.question, collection.rarity)
    for passage in selected:
        if coverage.of(collection.info(passage.snapshot_id).names) < 1.0:
            continue
        text, blocks = collection.text(passage.snapshot_id), collection.blocks(passage.snapshot_id)
        if any(
            _is_step(text, block) for block in _whole_section(passage, collection).window.blocks
        ):
            return passage
        steps = [block for block in blocks if _is_step(text, block)]
        if len({block.heading_path for block in steps}) == 1:
            lead = Unit(steps[0].start, steps[0].end, steps[0])
            return replace(passage, lead=lead, window=window_around(text, blocks, lead), span=None)
    return selected[0]


def _is_step(text: str, block: Block) -> bool:
    """Whether a block is code, or an item with nothing but its number before it in its line.

    Items with other marks are seldom steps: of 12 such lists that led answers over sixteen
    collections two answered, of numbered items and code 7 of 11.
    """
    line = text.rfind("\n", 0, max(0, block.start - 1)) + 1
    numbered = bool(_NUMBER.fullmatch(text, line, block.start))
    return block.kind == BlockKind.CODE or (block.kind == BlockKind.LIST_ITEM and numbered)


def _whole_section(selected: Selected, collection: TextCollection) -> Selected:
    text, blocks = collection.text(selected.snapshot_id), collection.blocks(selected.snapshot_id)
    # As it stands among the blocks of the text
    main = next(block for block in blocks if block.start == selected.lead.block.start)
    window = window_around(text, blocks, replace(selected.lead, block=main), SECTION_WORDS)
    return replace(selected, window=window)
