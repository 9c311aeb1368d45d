"""Numbered headings: the steps of a guide ("Step 2: Dry it"), the entries of a list ("3. Lisbon").

A third of the web pages titled "How to ..." have their steps as headings (28 of 85 pages of the
WCEB set).
"""

import re
from collections.abc import Sequence

from tools.documents.model import BlockKind
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.coverage import Coverage
from workflows.research.answer.draft import BlockPlace
from workflows.research.answer.selection import Selected
from workflows.research.understand.intent import Intent, intent_of
from workflows.research.understand.parts import Part

# "2.1 Terms" is part of a numbered text
_NUMBERED = re.compile(r"(?:(?:step|tip)\s?#?)?\s?\d{1,2}\s?[.:)–-]\s{0,3}[^\W\d]", re.I)
FEWEST, MOST = 3, 40  # items that make a list, and that are shown of one


def numbered_headings(
    part: Part, selected: Sequence[Selected], collection: TextCollection
) -> tuple[BlockPlace, ...]:
    """Those of the first document whose title covers the question; empty where there are fewer than
    three.

    Where the question asks how to do something, the title has to read as instructions too.
    """
    coverage = Coverage(part.question, collection.rarity)
    for passage in selected:
        title = collection.info(passage.snapshot_id).title
        if coverage.of(title) < 1.0 or (
            part.intent == Intent.HOW_TO and intent_of(title) != Intent.HOW_TO
        ):
            continue
        text, blocks = collection.text(passage.snapshot_id), collection.blocks(passage.snapshot_id)
        headings = [
            b
            for b in blocks
            if b.kind == BlockKind.HEADING and _NUMBERED.match(text[b.start : b.end])
        ]
        if len(headings) >= FEWEST:
            return tuple(BlockPlace(passage.snapshot_id, heading) for heading in headings[:MOST])
    return ()
