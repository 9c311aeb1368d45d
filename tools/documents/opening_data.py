"""The data about itself that a text opens with: a list of names and values ("Status: Final")."""

import re
from collections.abc import Sequence

from tools.documents.passage import Block, BlockKind

_NAME_AND_VALUE = re.compile(r"[^:\n]{1,40}:(?:\s|$)")
_DATE_OR_ADDRESS = re.compile(r"\w://|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[- ][A-Z][a-z]{2,8}[- ]\d{4}\b")
_WORDS = 35  # of a name and its value; an item with more explains something
_MOST = 20  # items; a longer list is a glossary


def opening_data(text: str, blocks: Sequence[Block]) -> Sequence[Block]:
    """The items of the list of names and values that a text opens with, one of them a date or an
    address, where more follows. Without one they may be what the text is about: opening hours, the
    results of a study.
    """
    items: list[Block] = []
    for block in blocks:
        if block.kind == BlockKind.HEADING:
            continue
        if block.kind != BlockKind.LIST_ITEM or block.context or _elsewhere(block, items):
            return items if len(items) > 1 and _has_date_or_address(text, items) else ()
        if not _is_value(text[block.start : block.end]) or len(items) == _MOST:
            return ()
        items.append(block)
    return ()


def _is_value(item: str) -> bool:
    return bool(_NAME_AND_VALUE.match(item)) and len(item.split()) <= _WORDS


def _elsewhere(block: Block, items: Sequence[Block]) -> bool:
    """Whether a block stands under another heading than the items before it."""
    return bool(items) and block.heading_path != items[0].heading_path


def _has_date_or_address(text: str, items: Sequence[Block]) -> bool:
    return any(_DATE_OR_ADDRESS.search(text, item.start, item.end) for item in items)
