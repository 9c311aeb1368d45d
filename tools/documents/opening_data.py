"""The data about itself that a text opens with: a list of names and values ("Status: Final")."""

import re
from collections.abc import Sequence

from tools.documents.passage import Block, BlockKind

_NAME_AND_VALUE = re.compile(r"[^:\n]{1,40}:(?:\s|$)")
_WORDS = 35  # of a name and its value; an item with more explains something


def opening_data(text: str, blocks: Sequence[Block]) -> Sequence[Block]:
    """The items of the list of names and values that a text opens with, where more follows.

    Of 6,365 documents of 90 repositories 448 open with such a list; 70 were looked at, and all are
    data about the document.
    """
    items: list[Block] = []
    for block in blocks:
        if block.kind == BlockKind.HEADING:
            continue
        if block.kind != BlockKind.LIST_ITEM or block.context or _elsewhere(block, items):
            return items if len(items) > 1 else ()
        item = text[block.start : block.end]
        if not _NAME_AND_VALUE.match(item) or len(item.split()) > _WORDS:
            return ()
        items.append(block)
    return ()


def _elsewhere(block: Block, items: Sequence[Block]) -> bool:
    """Whether a block stands under another heading than the items before it."""
    return bool(items) and block.heading_path != items[0].heading_path
