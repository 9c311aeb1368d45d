"""The report as a list of typed blocks in reading order, which every format and both interfaces walk.

A new part of a report is added here once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from pathlib import PurePosixPath

from tools.documents.model import BlockKind
from tools.sources.source import Source
from tools.text.phrases import counted
from tools.text.tokens import fold
from workflows.research.answer.model import Answer, AnswerCard, AnswerItem, AnswerPassage, OtherDocument, Searched
from workflows.research.kinds import AnswerStatus
from workflows.research.model import Evidence
from workflows.research.report.model import Report, Turn
from workflows.research.report.sentences import Citation, Sentence, SentenceKind
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent

_WORD = re.compile(r"\w(?:[\w.'’-]*\w)?")
_AUTHORS = 3  # of a document, that its card names
VERDICTS = {"yes": "Yes", "no": "No", "mixed": "Sources disagree", "not_settled": "Not settled by these sources"}


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Words of the program about the report: no sentence, no citation."""

    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer in a few words, or the statement that there is none. settled: whether it answers."""

    text: str
    citations: tuple[Citation, ...] = ()
    settled: bool = True


@dataclass(frozen=True, slots=True)
class Paragraph:
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of a passage as it stands. kind: of the block, or "context". marks: spans of text that answer.

    level and marker of a list item: how deep it stands (from 0), and what stands before it ("-", "3.").
    """

    kind: str
    text: str
    marks: tuple[tuple[int, int], ...] = ()
    level: int = 0
    marker: str = "-"


@dataclass(frozen=True, slots=True)
class Quotation:
    """A passage shown whole, block by block. number: its place in the answer, 0 elsewhere."""

    passage: AnswerPassage
    pieces: tuple[Piece, ...]
    source: Source | None = None
    number: int = 0

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings above the passage, for where the title of its source stands beside it."""
        path = self.passage.heading_path
        return path[1:] if self.source is not None and path[:1] == (self.source.title,) else path

    @property
    def path(self) -> tuple[str, ...]:
        """The headings above the passage; in the user's documents their title first, where they have one."""
        path, source = self.passage.heading_path, self.source
        if source is None or not source.is_local:
            return path
        is_named = source.title == PurePosixPath(source.url).name or any(h.endswith(source.title) for h in path[:1])
        return path if is_named or source.title in path else (source.title, *path)


@dataclass(frozen=True, slots=True)
class Card:
    """What one document says."""

    card: AnswerCard
    passages: tuple[Quotation, ...]


@dataclass(frozen=True, slots=True)
class Closest:
    """The nearest passages where nothing answers: shown apart, folded where that can be."""

    passages: tuple[Quotation, ...]


@dataclass(frozen=True, slots=True)
class ItemList:
    """headings: whether the items are headings, which have numbers of their own and need no bullets."""

    items: tuple[AnswerItem, ...]

    @property
    def headings(self) -> bool:
        return any(item.kind == BlockKind.HEADING for item in self.items)


@dataclass(frozen=True, slots=True)
class Facing:
    """Two sides of a disagreement, and how they differ."""

    sides: tuple[Sentence, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[tuple[Sentence, ...], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[Sentence, ...], ...], ...]


Block = Heading | Remark | Reply | Paragraph | Quotation | Card | Closest | ItemList | Facing | Bullets | Grid


class Document:
    """Makes the blocks of one research."""

    def __init__(self, state: ResearchState) -> None:
        self._state = state
        self._evidence = {evidence.evidence_id: evidence for evidence in state.evidence}
        self._sources = {source.source_id: source for source in state.sources}

    def blocks(self) -> list[Block]:
        """Every part that has content, without the title, the list of sources and how it was researched."""
        report = self._state.report
        if report is None:
            return [Remark("No report was written."), *self.conversation()]
        blocks = [*self.answer(self._state.answer), *older_parts(report)]
        for section in report.sections:
            blocks += [Heading(section.heading), *prose(section.sentences)]
            blocks += [self.quotation(passage) for passage in section.passages]
        blocks += _disagreements(self._state, report)
        if report.open:
            blocks += [Heading("Open questions"), Bullets(tuple((narrated(text),) for text in report.open))]
        blocks += [Remark(note) for note in report.notes]
        return [*blocks, *self.conversation()]

    def conversation(self) -> list[Block]:
        """What was asked after the report."""
        blocks: list[Block] = []
        for turn in self._state.conversation:
            blocks += [Heading(turn.question), *self.turn(turn)]
        return blocks

    def turn(self, turn: Turn) -> list[Block]:
        """What one follow-up question is answered with."""
        if turn.text:
            return [Paragraph((narrated(line),)) for line in turn.text.splitlines() if line.strip()]
        return [*prose(turn.sentences), *self.answer(turn.answer)]

    def answer(self, answer: Answer | None) -> list[Block]:
        """The answer card: what the question is answered with, first; nothing for records without an answer."""
        if answer is None:
            return []
        blocks: list[Block] = []
        if reply := reply_of(answer):
            blocks.append(reply)
        blocks += prose(answer.written)
        blocks += map(Remark, self.remarks(answer))
        passages = [self.quotation(passage, number) for number, passage in enumerate(answer.passages, 1)]
        items = ItemList(answer.items)
        # Headings sum up what the passages say
        listed: list[Block] = [items, *passages] if items.headings else [*passages, items]
        blocks += listed if items.items else passages
        blocks += self._cards(answer.cards)
        if answer.closest:
            blocks.append(Closest(tuple(map(self.quotation, answer.closest))))
        return blocks

    def remarks(self, answer: Answer) -> Iterator[str]:
        """What is said about an answer as a whole: how it was searched for, what is missing."""
        if translated := " ".join(part.searched_as for part in answer.parts if part.searched_as):
            yield f"Searched in English, word by word: {translated}"
        if answer.status != AnswerStatus.NOT_FOUND and answer.absent_terms:
            yield _absent_words(answer)
        if answer.status == AnswerStatus.PARTIAL:
            missing = (part.question for part in answer.parts if part.status == AnswerStatus.NOT_FOUND)
            yield f"Not found: {' '.join(missing)}"
        if answer.intent == Intent.DISAGREEMENT and answer.cards and not self._state.contradictions:
            yield NO_DIFFERENCE

    def _cards(self, cards: Sequence[AnswerCard]) -> Iterator[Block]:
        """The cards of an overview under the names of their groups, each group with the documents that have none."""
        for name, group in groupby(cards, key=lambda card: card.group):
            of_group = list(group)
            others = [other for card in of_group for other in card.others]
            if name:
                yield Heading(group_heading(name, len(of_group) + len(others)))
            yield from (Card(card, tuple(map(self.quotation, card.passages))) for card in of_group)
            if others:
                yield Remark(ALSO_IN_GROUP)
                yield Bullets(tuple((narrated(other_facts(other)),) for other in others))

    def quotation(self, passage: AnswerPassage, number: int = 0) -> Quotation:
        """A passage block by block."""
        return Quotation(passage, self._pieces(passage), self._sources.get(passage.source_id), number)

    def _pieces(self, passage: AnswerPassage) -> tuple[Piece, ...]:
        """The blocks of a passage with their marks; the whole as one piece where the record lacks its evidence."""
        context = self._evidence_of(passage.context)
        blocks = self._evidence_of(passage.evidence_ids)
        offset = sum(len(evidence.quote) + 1 for evidence in context)
        pieces = [Piece("context", evidence.quote) for evidence in context]
        for evidence in blocks:
            start = offset + evidence.start - blocks[0].start
            marks = [(max(a - start, 0), min(b - start, len(evidence.quote))) for a, b, *_ in passage.marks]
            in_text = tuple(mark for mark in marks if mark[0] < mark[1])
            before = passage.text[:start].rpartition("\n")[2] if start > offset else ""
            level, marker = (len(before) - len(before.lstrip())) // 2, before.strip()
            pieces.append(Piece(evidence.kind, evidence.quote, in_text, level, marker))
        return tuple(_with_markers(pieces)) or (Piece(passage.kind, passage.text),)

    def _evidence_of(self, evidence_ids: Sequence[str]) -> list[Evidence]:
        return [self._evidence[key] for key in evidence_ids if key in self._evidence]


def item_mark(piece: Piece) -> str:
    """What stands before a list item where it is shown: its number, else a bullet, set in by wide spaces."""
    numbered = any(map(str.isalnum, piece.marker))
    return "\u2003" * piece.level + (piece.marker if numbered else "•")


def _with_markers(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Pieces with the marker of a list item that begins a passage, which its text does not have: by the next item."""
    for piece, after in zip_longest(pieces, pieces[1:]):
        lacks_marker = piece.kind == BlockKind.LIST_ITEM and not piece.marker
        yield replace(piece, marker=_marker_before(after)) if lacks_marker else piece


def _marker_before(piece: Piece | None) -> str:
    """The number before that of a list item; without one a bullet."""
    if piece is None or piece.kind != BlockKind.LIST_ITEM or piece.level:
        return "-"
    number = piece.marker.rstrip(".)")
    return f"{int(number) - 1}{piece.marker[-1]}" if number.isdecimal() and int(number) > 1 else "-"


CLOSEST = "Closest passages, none of which answers"


NO_DIFFERENCE = "No differing figures were found. This is what the texts say."
ALSO_IN_GROUP = "Also in this group:"


def group_heading(name: str, count: int) -> str:
    """The name of a group of documents with their number."""
    return f"{name} ({counted(count, 'document')})"


def other_facts(other: OtherDocument) -> str:
    """A document that is named without a passage: title, file, date."""
    name = "" if other.name == other.title else other.name
    return ", ".join(part for part in (other.title, name, other.date or "") if part)


def card_facts(card: AnswerCard) -> str:
    """The date of a document, who wrote it, and what sets it apart."""
    return " · ".join(part for part in (card.date or "", card_authors(card), ", ".join(card.terms)) if part)


def card_authors(card: AnswerCard) -> str:
    """The first three authors of a document; "" where none is known."""
    others = " et al." if len(card.authors) > _AUTHORS else ""
    return f"by {', '.join(card.authors[:_AUTHORS])}{others}" if card.authors else ""


def document(state: ResearchState) -> list[Block]:
    """The blocks of a research."""
    return Document(state).blocks()


def reply_of(answer: Answer) -> Reply | None:
    """The first words of a report: the short answer, a verdict, or what is absent. None where passages speak first."""
    if answer.status == AnswerStatus.NOT_FOUND:
        return Reply(absence_sentence(answer), settled=False)
    if answer.verdict is not None:
        return Reply(VERDICTS[answer.verdict.label], settled=answer.verdict.label != "not_settled")
    if answer.short is not None:
        return Reply(answer.short.text, answer.short.citations)
    return None


def absence_sentence(answer: Answer) -> str:
    """That nothing answers, with the words that stand in none of the texts."""
    if not answer.searched.sources:
        return "Not found: there was no text to search. Add documents, or allow sources on the network."
    if answer.absent_terms:
        return f"Not found: {_absent_words(answer)}"
    return f"Not found: nothing in {_texts(answer.searched)} answers this."


def _absent_words(answer: Answer) -> str:
    """Which words of the question stand in none of the texts, as a sentence."""
    question = " ".join(part.question for part in answer.parts)
    terms = ", ".join(f"“{_as_typed(term, question)}”" for term in answer.absent_terms[:3])
    verb = "is" if len(answer.absent_terms) == 1 else "are"
    where = "not in" if answer.searched.sources == 1 else "in none of"
    return f"{terms} {verb} {where} {_texts(answer.searched)}."


def _texts(searched: Searched) -> str:
    if searched.sources == 1:
        return "your document" if searched.own else "the text searched"
    return f"your {searched.sources:,} documents" if searched.own else f"the {searched.sources:,} texts searched"


def _as_typed(term: str, question: str) -> str:
    """A folded word as the question has it."""
    typed = (word for word in _WORD.findall(question) if fold(word) == term)
    return next(typed, term)


def prose(sentences: Sequence[Sentence]) -> list[Block]:
    return [Paragraph(tuple(sentences))] if sentences else []


def narrated(text: str) -> Sentence:
    """Words of the program, which rest on no passage."""
    return Sentence("", SentenceKind.NARRATION, text)


def older_parts(report: Report) -> Iterator[Block]:
    """The parts that older records have: summary, verdict, findings, tables, different answers."""
    yield from prose(report.summary)
    if report.verdict:
        yield Heading(f"Verdict: {report.verdict.label}")
        yield from prose(report.verdict.sentences)
    if report.key_findings:
        yield Heading("Key findings")
        yield Bullets(tuple((finding,) for finding in report.key_findings))
    for table in report.tables:
        yield Heading(table.heading)
        yield Grid(table.columns, table.rows)
    for sense in report.senses:
        yield Heading(f"Different answers: {sense.thing}" if sense.thing else "Different answers")
        yield Bullets(tuple((sentence,) for sentence in sense.sentences))


def _disagreements(state: ResearchState, report: Report) -> Iterator[Block]:
    clashes = {clash.contradiction_id: clash for clash in state.contradictions}
    if report.disagreements:
        shown = [clashes[d.contradiction_id] for d in report.disagreements if d.contradiction_id in clashes]
        figures = bool(shown) and all(clash.nature == "figures" for clash in shown)
        yield Heading("Figures differ" if figures else "Where sources disagree")
    for disagreement in report.disagreements:
        clash = clashes.get(disagreement.contradiction_id)
        yield Facing(disagreement.sentences, clash.explanation if clash else "")
