"""The texts that a question is put to: the user's documents and what this run has read."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from tools.documents.model import SENTENCE_KINDS, Block, Passage
from tools.reading.reader import Reader
from tools.text.instructions import speaks_to_machines
from tools.text.sentences import spans


@dataclass(frozen=True, slots=True)
class TextInfo:
    """A text of the collection. name: of its file or page. date: ISO, as precise as known. kind: of
    its source.

    abstract: whether it is all that could be read of a work. folder: that its file lies in, as a
    path with slashes.
    """

    snapshot_id: str
    source_id: str
    title: str
    name: str = ""
    date: str | None = None
    kind: str = "local"
    authors: tuple[str, ...] = ()
    abstract: bool = False
    folder: str = ""

    @property
    def names(self) -> str:
        """The title and the name of the file."""
        return f"{self.title} {self.name}"


class TextCollection(Protocol):
    """Safe to use from one thread at a time."""

    reader: Reader

    def texts(self) -> Sequence[TextInfo]:
        """Every text that may be quoted, in a fixed order."""

    def search(
        self, query: str, limit: int, among: Collection[str] | None = None, meaning: bool = True
    ) -> Sequence[Passage]:
        """The best chunks for a query, best first; among: only of these snapshots; meaning: not by
        words alone."""

    def text(self, snapshot_id: str) -> str: ...

    def info(self, snapshot_id: str) -> TextInfo: ...

    def blocks(self, snapshot_id: str) -> Sequence[Block]: ...

    def occurring(self, words: Collection[str]) -> frozenset[str]:
        """Those of some folded words that stand in the texts, in any form of the same stem; several
        words in one string stand in a row."""

    def spelled_like(self, word: str, cognates: bool = False) -> Sequence[str]:
        """Words of the texts that a word may be a misspelling of, likeliest first; cognates: or
        that begin like it."""

    def forms(self, word: str, language: str) -> Sequence[str]:
        """Other words of the texts that have the stem of a folded word in a language (ISO 639-1),
        frequent ones first."""

    def rarity(self, word: str) -> float:
        """Inverse document frequency of a folded word, above 0."""


def quotable_blocks(text: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks that may be quoted, without sentences that give orders to a program that reads
    them."""
    ordering = [block for block in blocks if speaks_to_machines(text[block.start : block.end])]
    if not ordering:
        return tuple(blocks)
    hidden = [(block.start, block.end) for block in ordering]
    return tuple(
        _without_hidden(part, hidden)
        for block in blocks
        for part in (_without_orders(text, block) if block in ordering else (block,))
    )


def _without_hidden(block: Block, hidden: Sequence[tuple[int, int]]) -> Block:
    """The block without context and headings that give orders. hidden: spans of the blocks that
    do."""
    return block._replace(
        context=tuple(span for span in block.context if not _meets(span, hidden)),
        heading_path=tuple(
            heading for heading in block.heading_path if not speaks_to_machines(heading)
        ),
    )


def _without_orders(text: str, block: Block) -> list[Block]:
    """The runs of sentences of a block between those that give orders; of code, rows and items
    nothing is left."""
    if block.kind not in SENTENCE_KINDS:
        return []
    runs: list[tuple[int, int]] = []
    joins = False
    for start, end in spans(text, block.start, block.end):
        if speaks_to_machines(text[start:end]):
            joins = False
        else:
            runs.append((runs.pop()[0], end) if joins else (start, end))
            joins = True
    return [block._replace(start=start, end=end) for start, end in runs]


def _meets(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)
