"""What a report is made of: typed blocks, as passages and paragraphs, that every format draws in
its own way."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from urllib.parse import unquote

from tools.documents.model import BlockKind, cell_spans
from tools.sources.source import Source
from tools.text.phrases import counted
from tools.text.tokens import words
from workflows.research.answer.model import AnswerCard, AnswerItem, AnswerPassage, OtherDocument
from workflows.research.model import Contradiction
from workflows.research.report.sentences import Citation, Sentence, SentenceKind

CLOSEST = "Closest passages, none of which answers"
NO_DIFFERENCE = "No differing figures were found. This is what the texts say."
_AUTHORS = 3  # of a document, that its card names


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Words of the program about the report: no sentence, no citation."""

    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer in a few words, or the statement that there is none. settled: whether it answers.

    strength: how many independent sources say yes and how many no, where a judge decided.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    settled: bool = True
    strength: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of a passage as it stands. kind: of the block, or "context". marks: spans of text
    that answer. end: what shows that it goes on (" …"), or nothing.

    level and marker of a list item: how deep it stands (from 0), and what stands before it ("-",
    "3.").
    """

    kind: str
    text: str
    marks: tuple[tuple[int, int], ...] = ()
    level: int = 0
    marker: str = "-"
    end: str = ""

    @property
    def number(self) -> int | None:
        """The number of a list item; None for a bullet."""
        digits = self.marker.strip("().")
        return int(digits) if digits.isdecimal() else None

    def cells(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """The cells of a table row, each with its marks."""
        cells = []
        for start, end in cell_spans(self.text):
            marks = [
                (max(a, start) - start, min(b, end) - start)
                for a, b in self.marks
                if a < end and b > start
            ]
            cells.append((self.text[start:end], marks))
        return cells


@dataclass(frozen=True, slots=True)
class Quotation:
    """A passage shown whole, block by block. name: of its place on the page of the report
    ("p1")."""

    passage: AnswerPassage
    pieces: tuple[Piece, ...]
    source: Source | None = None
    name: str = ""

    @property
    def evidence_id(self) -> str:
        """Of the evidence that its lead rests on; "" without one."""
        citations = self.passage.lead.citations
        return citations[0].evidence_id if citations else ""

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings above the passage, for where the title of its source stands beside it."""
        path = self.passage.heading_path
        return path[1:] if self.source is not None and path[:1] == (self.source.title,) else path

    @property
    def path(self) -> tuple[str, ...]:
        """The headings above the passage; in the user's documents their title first, where they
        have one."""
        path, source = self.passage.heading_path, self.source
        if source is None or not source.is_local:
            return path
        is_file_name = source.title == PurePosixPath(unquote(source.url)).name
        first, title = words(" ".join(path[:1])), words(source.title)
        is_named = title in (first[: len(title)], first[-len(title) :]) or source.title in path
        return path if is_file_name or is_named else (source.title, *path)


@dataclass(frozen=True, slots=True)
class Card:
    """What one document says. group: the heading of the group that it is the first of; others: what
    the group names besides, on its last card."""

    card: AnswerCard
    passages: tuple[Quotation, ...]
    group: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Closest:
    """The nearest passages where nothing answers: shown apart, folded where that can be."""

    passages: tuple[Quotation, ...]


@dataclass(frozen=True, slots=True)
class ItemList:
    """The rest of the list that the first passage is taken from."""

    items: tuple[AnswerItem, ...]


@dataclass(frozen=True, slots=True)
class Facing:
    """Two sides of a disagreement, and how they differ. contradiction: None where the record lacks
    it."""

    sides: tuple[Sentence, ...]
    contradiction: Contradiction | None

    @property
    def why(self) -> str:
        return self.contradiction.explanation if self.contradiction else ""


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[tuple[Sentence, ...], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[Sentence, ...], ...], ...]


Block = (
    Heading
    | Remark
    | Reply
    | Paragraph
    | Quotation
    | Card
    | Closest
    | ItemList
    | Facing
    | Bullets
    | Grid
)


class PartKind(StrEnum):
    """What a part of a report is. OLDER: of older records, which had a summary, findings and
    tables."""

    ANSWER = "answer"
    OLDER = "older"
    SECTION = "section"
    DISAGREEMENTS = "disagreements"
    OPEN = "open"
    NOTES = "notes"


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks under one heading ("" for none). name: of its place on the page of the report."""

    kind: PartKind
    heading: str
    blocks: tuple[Block, ...]
    name: str = ""

    def linear(self) -> Iterator[Block]:
        """The heading and the blocks one after the other, for formats in which nothing folds."""
        if self.heading:
            yield Heading(self.heading)
        yield from linear(self.blocks)


def linear(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks one after the other; the groups of cards between their headings and what else they
    name."""
    for block in blocks:
        if isinstance(block, Card) and block.group:
            yield Heading(block.group)
        yield block
        if isinstance(block, Card) and block.others:
            yield Remark("Also in this group:")
            yield Bullets(tuple((narrated(other),) for other in block.others))


def narrated(text: str) -> Sentence:
    """Words of the program, which rest on no passage."""
    return Sentence("", SentenceKind.NARRATION, text)


def table_header(pieces: Sequence[Piece]) -> Piece | None:
    """The context that names the columns of the rows."""
    widths = {
        len(cell_spans(piece.text)) for piece in pieces if piece.kind == BlockKind.TABLE_ROW
    } - {1}
    headers = (
        piece
        for piece in pieces
        if piece.kind == "context" and len(cell_spans(piece.text)) in widths
    )
    return next(headers, None)


def item_mark(piece: Piece) -> str:
    """What stands before a list item where it is shown: its number, else a bullet, set in by wide
    spaces."""
    return "\u2003" * piece.level + (piece.marker if any(map(str.isalnum, piece.marker)) else "•")


def group_heading(name: str, count: int) -> str:
    """The name of a group of documents with their number."""
    return f"{name} ({counted(count, 'document')})"


def other_facts(other: OtherDocument) -> str:
    """A document that is named without a passage: title, file, date."""
    name = "" if other.name == other.title else other.name
    return ", ".join(part for part in (other.title, name, other.date or "") if part)


def card_facts(card: AnswerCard) -> str:
    """The date of a document, who wrote it, and what sets it apart."""
    terms = f"distinctive words: {', '.join(card.terms)}" if card.terms else ""
    return " · ".join(part for part in (card.date or "", card_authors(card), terms) if part)


def card_authors(card: AnswerCard) -> str:
    """The first three authors of a document; "" where none is known."""
    others = " et al." if len(card.authors) > _AUTHORS else ""
    return f"by {', '.join(card.authors[:_AUTHORS])}{others}" if card.authors else ""
