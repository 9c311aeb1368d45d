"""The blocks of a report as its page shows them: passages with their marks and where they come from."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from engine.models import AnswerStatus, BlockKind, Turn
from engine.reports import report_document as doc
from engine.reports.reader_page import PASSAGE
from ui.web.views.citations import Cite, Citing, Shown
from ui.web.views.labels import MONTHS, many

BEARING = "Passages that bear on this"
OPINIONS = ("yes_no", "claim")  # intents that nothing but a judge decides
_DATE = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a line. marked: whether it answers."""

    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list. number: as it stands in the text, None for a bullet. level: how deep it stands, from 0."""

    runs: tuple[Run, ...]
    number: int | None
    level: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of a passage. rows: of a table, each with its cells; else runs."""

    kind: str
    runs: tuple[Run, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[tuple[Run, ...], ...], ...] = ()
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with the document that it stands in. facts: its date, its place, what stands behind it.

    also: the other sources that hold it. why: the page that says what stands behind its lead.
    mark: what the user found when checking it, in words.
    """

    id: str
    number: int
    path: str
    pieces: tuple[Piece, ...]
    cite: Cite
    title: str
    facts: tuple[str, ...]
    also: tuple[Cite, ...]
    why: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """What one document says. group: what it stands under, where that is another than of the one before.

    others: the documents of its group that are named and not quoted.
    """

    title: str
    href: str
    facts: str
    group: str
    passages: tuple[Passage, ...]
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer card. reply: the first words, "" where passages speak first. found: whether anything answers.

    note: parts of the question that are not answered, or how many sources take which side. headings: whether the
    items are headings, which stand before the passages and without bullets.
    """

    reply: str
    settled: bool
    found: bool
    cites: tuple[Cite, ...]
    note: str
    written: tuple[Shown, ...]
    passages: tuple[Passage, ...]
    items: tuple[tuple[str, Cite], ...]
    headings: bool
    cards: tuple[Card, ...]
    closest: tuple[Passage, ...]


class AnswerView:
    """Makes the views of one record."""

    def __init__(self, document: doc.Document, citing: Citing) -> None:
        self._document, self._citing = document, citing

    def answer(self, answer: doc.Answer | None, prefix: str = PASSAGE) -> Answer | None:
        """The answer card; prefix: of the ids of its passages on the page."""
        if answer is None:
            return None
        bearing = doc.Reply(BEARING, settled=False) if answer.intent in OPINIONS and answer.passages else None
        reply = doc.reply_of(answer) or bearing
        return Answer(
            reply.text if reply else "",
            reply.settled if reply else True,
            answer.status != AnswerStatus.NOT_FOUND,
            tuple(self._cite(c.source_id, c.evidence_id, c.tag) for c in reply.citations) if reply else (),
            " ".join((*_voices(answer), *self._document.remarks(answer))),
            tuple(self._citing.paragraph(answer.written)),
            self.passages(answer.passages, prefix),
            tuple(
                (item.text, self._cite(item.source_id, "".join(item.evidence_ids[:1]), item.tag))
                for item in answer.items
            ),
            doc.ItemList(answer.items).headings,
            tuple(self._cards(answer.cards, prefix)),
            self.passages(answer.closest, f"{prefix}x"),
        )

    def turn(self, turn: Turn, number: int) -> Answer | None:
        """The answer card of a follow-up question."""
        return self.answer(turn.answer, f"t{number}-{PASSAGE}")

    def passages(self, passages: Sequence[doc.AnswerPassage], prefix: str) -> tuple[Passage, ...]:
        """Passages with ids of their own."""
        return tuple(self._passage(passage, f"{prefix}{number}", number) for number, passage in enumerate(passages, 1))

    def _passage(self, passage: doc.AnswerPassage, name: str, number: int) -> Passage:
        block = self._document.quotation(passage)
        evidence = passage.lead.citations[0].evidence_id if passage.lead.citations else ""
        return Passage(
            name,
            number,
            " › ".join(block.headings),
            tuple(_pieces(_unmarked(block.pieces))),
            self._cite(passage.source_id, evidence, passage.tag),
            block.source.title if block.source else "",
            tuple(_facts(passage)),
            tuple(self._citing.cite(source_id) for source_id in passage.also),
            self._citing.why(passage.claim_id) if passage.also and passage.claim_id else "",
            self._citing.mark(passage.lead.text, (passage.source_id,)),
        )

    def _cards(self, cards: Sequence[doc.AnswerCard], prefix: str) -> Iterable[Card]:
        sizes: dict[str, int] = {}
        for card in cards:
            sizes[card.group] = sizes.get(card.group, 0) + 1 + len(card.others)
        group = ""
        for number, card in enumerate(cards, 1):
            heading = doc.group_heading(card.group, sizes[card.group]) if card.group != group else ""
            group = card.group
            shown = self.passages(card.passages, f"{prefix}c{number}-")
            facts = " · ".join(
                part for part in (_date(card.date or ""), doc.card_authors(card), ", ".join(card.terms)) if part
            )
            others = tuple(map(doc.other_facts, card.others))
            yield Card(card.title, self._citing.reader(card.source_id), facts, heading, shown, others)

    def _cite(self, source_id: str, evidence_id: str, tag: str) -> Cite:
        return self._citing.cite(source_id, evidence_id, tag)


def _voices(answer: doc.Answer) -> Iterable[str]:
    """How many sources say yes and no, where a judge decided."""
    if answer.verdict is None:
        return
    sides = ((answer.verdict.in_favour, "yes"), (answer.verdict.against, "no"))
    counted = [
        f"{many(count, 'independent source')} {'says' if count == 1 else 'say'} {word}"
        for count, word in sides
        if count
    ]
    if counted:
        yield f"{', '.join(counted)}."


def _facts(passage: doc.AnswerPassage) -> Iterable[str]:
    """The date, then the counted facts, each once."""
    facts = [part for part in passage.strength.split(", ") if part]
    if passage.date and passage.date not in facts:
        facts.insert(0, passage.date)
    return [_date(fact) for fact in facts]


def _date(fact: str) -> str:
    """ "2026-06-03" as "3 June 2026"; anything else as it stands."""
    match = _DATE.fullmatch(fact)
    if match is None or not 1 <= int(match[2]) <= 12:
        return fact
    return (
        f"{int(match[3])} {MONTHS[int(match[2]) - 1]} {match[1]}"
        if match[3]
        else f"{MONTHS[int(match[2]) - 1]} {match[1]}"
    )


def _unmarked(pieces: Sequence[doc.Piece]) -> Sequence[doc.Piece]:
    """The pieces; without marks where everything is marked, which marks nothing."""
    quoted = [piece for piece in pieces if piece.kind != "context"]
    whole = all(piece.marks == ((0, len(piece.text)),) for piece in quoted)
    return [replace(piece, marks=()) for piece in pieces] if whole else pieces


def _pieces(pieces: Iterable[doc.Piece]) -> Iterable[Piece]:
    """Rows under their header as one table, items of a list together, everything else as it stands."""
    listed = list(pieces)
    header = _header(listed)
    for kind, group in groupby((piece for piece in listed if piece is not header), key=lambda piece: piece.kind):
        if kind == BlockKind.TABLE_ROW:
            rows = tuple(tuple(_cells(piece)) for piece in group)
            yield Piece(kind, header=_columns(header, rows), rows=rows)
        elif kind == BlockKind.LIST_ITEM:
            yield Piece(kind, items=tuple(map(_item, group)))
        else:
            yield from (Piece(kind, runs=_runs(piece.text, piece.marks)) for piece in group)


def _item(piece: doc.Piece) -> Item:
    number = piece.marker.strip("().")
    return Item(_runs(piece.text, piece.marks), int(number) if number.isdecimal() else None, min(piece.level, 2))


def _header(pieces: Sequence[doc.Piece]) -> doc.Piece | None:
    """The context that names the columns of the rows."""
    widths = {piece.text.count(doc.CELL_SEPARATOR) for piece in pieces if piece.kind == BlockKind.TABLE_ROW}
    headers = (piece for piece in pieces if piece.kind == "context" and piece.text.count(doc.CELL_SEPARATOR) in widths)
    return next(headers, None) if widths - {0} else None


def _columns(header: doc.Piece | None, rows: Sequence[Sequence[object]]) -> tuple[str, ...]:
    return tuple(header.text.split(doc.CELL_SEPARATOR)) if header and rows else ()


def _cells(piece: doc.Piece) -> Iterable[tuple[Run, ...]]:
    start = 0
    for cell in piece.text.split(doc.CELL_SEPARATOR):
        end = start + len(cell)
        marks = [(max(a, start) - start, min(b, end) - start) for a, b in piece.marks if a < end and b > start]
        yield _runs(cell, marks)
        start = end + len(doc.CELL_SEPARATOR)


def _runs(text: str, marks: Sequence[tuple[int, int]]) -> tuple[Run, ...]:
    runs, at = [], 0
    for start, end in marks:
        runs += [Run(text[at:start]), Run(text[start:end], True)]
        at = end
    return tuple(run for run in (*runs, Run(text[at:])) if run.text)
