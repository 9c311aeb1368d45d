"""What a form makes of a question before it stands in the record: passages, items, steps and cards
by place."""

from dataclasses import dataclass

from tools.documents.model import Block
from workflows.research.answer.collection import TextInfo
from workflows.research.answer.selection import Selected

FEW = 3  # passages that answer most questions


@dataclass(frozen=True, slots=True)
class BlockPlace:
    """A block of a text that is shown by itself: an item of a list, a step of instructions."""

    snapshot_id: str
    block: Block


@dataclass(frozen=True, slots=True)
class CardDraft:
    """What one text says. terms: words that set it apart from the others.

    group: the name of the group that it stands for; others: the further texts of that group, on its
    last card.
    """

    snapshot_id: str
    passages: tuple[Selected, ...]
    terms: tuple[str, ...] = ()
    group: str = ""
    others: tuple[TextInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """The answer to one part of a question. further: passages that are good enough for the sections
    after it."""

    passages: tuple[Selected, ...] = ()
    items: tuple[BlockPlace, ...] = ()
    steps: tuple[BlockPlace, ...] = ()
    cards: tuple[CardDraft, ...] = ()
    further: tuple[Selected, ...] = ()
