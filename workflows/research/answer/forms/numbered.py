"""Numbered headings: the steps of a guide ("Step 2: Dry it"), the entries of a list ("3. Lisbon").

A third of the web pages titled "How to ..." have their steps as headings (28 of 85 pages of the
WCEB set).
"""

import re
from collections import Counter
from collections.abc import Sequence

from tools.documents.model import BlockKind
from tools.documents.sections import is_usual_name
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
    """Those of the first document whose title covers the question, empty where there are fewer than
    three.

    Where the question asks how to do something, the title has to read as instructions too; or they
    are those of a section of which two passages answer. Of 97 such questions about fifteen
    collections these came for three, and were the steps.
    """
    coverage = Coverage(part.question, collection.rarity)
    for passage in selected:
        title = collection.info(passage.snapshot_id).title
        if coverage.of(title) < 1.0 or (
            part.intent == Intent.HOW_TO and intent_of(title) != Intent.HOW_TO
        ):
            continue
        if headings := _numbered(passage.snapshot_id, collection):
            return headings
    return _of_one_section(selected, collection) if part.intent == Intent.HOW_TO else ()


def _of_one_section(
    selected: Sequence[Selected], collection: TextCollection
) -> tuple[BlockPlace, ...]:
    """The numbered headings beside those that two passages stand under, without those of a text
    whose questions or usual parts are numbered ("1. Introduction")."""
    above = Counter(
        (passage.snapshot_id, passage.window.heading_path[:-1])
        for passage in selected
        if _NUMBERED.match(" ".join(passage.window.heading_path[-1:]))
    )
    for (snapshot_id, path), count in above.most_common(1):
        if count > 1:
            headings = _numbered(snapshot_id, collection, path)
            text = collection.text(snapshot_id)
            names = (text[place.block.start : place.block.end] for place in headings)
            return () if any(map(_is_no_step, names)) else headings
    return ()


def _is_no_step(name: str) -> bool:
    """Whether a numbered heading is a question, or a usual part of a text."""
    return name.endswith("?") or is_usual_name(name)


def _numbered(
    snapshot_id: str, collection: TextCollection, path: tuple[str, ...] | None = None
) -> tuple[BlockPlace, ...]:
    """The numbered headings of a text, or those right below some headings; none where they are too
    few."""
    text = collection.text(snapshot_id)
    headings = [
        block
        for block in collection.blocks(snapshot_id)
        if block.kind == BlockKind.HEADING
        and path in (None, block.heading_path)
        and _NUMBERED.match(text[block.start : block.end])
    ]
    if len(headings) < FEWEST:
        return ()
    return tuple(BlockPlace(snapshot_id, heading) for heading in headings[:MOST])
