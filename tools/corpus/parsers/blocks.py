"""Blocks: what parsers make of a document before it becomes one text with headings and pages."""

from collections.abc import Iterable
from dataclasses import dataclass

from tools.corpus.model import Page, Section
from tools.corpus.sections import Heading, sections_of
from tools.text.normalise import snapshot_text


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a table, or a heading (`level` above 0). `page`: the page that it begins on (0: no pages).

    `continues`: the block goes on with the paragraph before it (cut by a page break); joined by one space.
    `tight`: an item of a list; one stands directly under the other.
    """

    text: str
    level: int = 0
    page: int = 0
    continues: bool = False
    tight: bool = False


@dataclass(frozen=True, slots=True)
class Composed:
    """Blocks as one snapshot text with the places of its headings and pages."""

    text: str
    headings: tuple[Heading, ...]
    pages: tuple[Page, ...]

    def sections(self, opening: str = "") -> tuple[Section, ...]:
        """The sections that the headings cut the text into."""
        return sections_of(self.text, self.headings, opening)


def compose(blocks: Iterable[Block], page_count: int = 0) -> Composed:
    """One text: blocks in snapshot form with a blank line between them; empty ones are left out.

    `page_count`: pages 1..n get a start each; a page without text starts where the next one does.
    """
    parts: list[str] = []
    headings: list[Heading] = []
    starts: dict[int, int] = {}
    at = 0
    tight = False
    for block in blocks:
        text = snapshot_text(block.text).strip()
        if not text:
            continue
        joint = "" if not parts else _joint(block, tight)
        tight = block.tight
        start = at + len(joint)
        parts += (joint, text)
        at = start + len(text)
        if block.level:
            headings.append(Heading(text, block.level, start, at))
        if block.page:
            starts.setdefault(block.page, start)
    return Composed("".join(parts), tuple(headings), _pages(starts, page_count, at))


def _joint(block: Block, after_item: bool) -> str:
    if block.continues:
        return " "
    return "\n" if block.tight and after_item else "\n\n"


def _pages(starts: dict[int, int], count: int, length: int) -> tuple[Page, ...]:
    made: list[Page] = []
    following = length
    for number in range(count, 0, -1):
        following = starts.get(number, following)
        made.append(Page(number, following))
    return tuple(reversed(made))
