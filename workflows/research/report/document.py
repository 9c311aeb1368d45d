"""The report as a list of typed blocks in reading order, which every format and both interfaces
walk.

A new part of a report is added here once.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from tools.documents.model import BlockKind
from tools.documents.passage import cell_spans
from tools.text.phrases import counted
from tools.text.tokens import fold
from workflows.research.answer.model import (
    Answer,
    AnswerCard,
    AnswerItem,
    AnswerPassage,
    AnswerVerdict,
    Searched,
)
from workflows.research.answer.windows import names_picture
from workflows.research.kinds import AnswerStatus
from workflows.research.model import Evidence
from workflows.research.report.blocks import (
    NO_DIFFERENCE,
    Block,
    Bullets,
    Card,
    Closest,
    Facing,
    Grid,
    Heading,
    ItemList,
    Paragraph,
    Part,
    PartKind,
    Piece,
    Quotation,
    Remark,
    Reply,
    group_heading,
    linear,
    narrated,
    other_facts,
)
from workflows.research.report.model import Report, Turn
from workflows.research.report.sentences import Sentence
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent

PASSAGE, SECTION_PASSAGE = "p", "q"  # names of passages begin so
_NATURES = ("direct", "scope", "nuanced")  # of contradictions, as they stand in order
_WORD = re.compile(r"\w(?:[\w.'’-]*\w)?")
VERDICTS = {
    "yes": "Yes",
    "no": "No",
    "mixed": "Sources disagree",
    "not_settled": "Not settled by these sources",
}


class Document:
    """Makes the blocks of one research."""

    def __init__(self, state: ResearchState) -> None:
        self._state = state
        self._evidence = {evidence.evidence_id: evidence for evidence in state.evidence}
        self._sources = {source.source_id: source for source in state.sources}

    def blocks(self) -> list[Block]:
        """Every part that has content, without the title, the list of sources and how it was
        researched."""
        return [*chain.from_iterable(part.linear() for part in self.parts()), *self.conversation()]

    def parts(self) -> Iterator[Part]:
        """The parts of the report; what was asked after it stands apart, in `conversation`."""
        report = self._state.report
        if report is None:
            yield Part(PartKind.NOTES, "", (Remark("No report was written."),))
            return
        if self._state.answer:
            yield Part(PartKind.ANSWER, "", tuple(self.answer(self._state.answer)), "answer")
        for number, part in enumerate(older_parts(report), 1):
            yield replace(part, name=f"part-{number}")
        for number, section in enumerate(report.sections, 1):
            passages = self._quotations(section.passages, f"{SECTION_PASSAGE}{number}-")
            yield Part(
                PartKind.SECTION,
                section.heading,
                (*prose(section.sentences), *passages),
                f"sec-{number}",
            )
        if report.disagreements:
            yield _disagreements(self._state, report)
        if report.open:
            items = tuple((narrated(text),) for text in report.open)
            yield Part(PartKind.OPEN, "Open questions", (Bullets(items),), "open")
        if report.notes:
            yield Part(PartKind.NOTES, "", tuple(map(Remark, report.notes)))

    def conversation(self) -> list[Block]:
        """What was asked after the report."""
        blocks: list[Block] = []
        for turn in self._state.conversation:
            blocks += [Heading(turn.question), *self.turn(turn)]
        return blocks

    def turn(self, turn: Turn) -> list[Block]:
        """What one follow-up question is answered with."""
        return [*turn_prose(turn), *linear(self.answer(turn.answer))]

    def answer(self, answer: Answer | None, prefix: str = "") -> list[Block]:
        """The answer card: what the question is answered with, first; nothing for records without
        an answer.

        prefix: of the names of its passages.
        """
        if answer is None:
            return []
        prefix += PASSAGE
        blocks: list[Block] = []
        if reply := reply_of(answer):
            blocks.append(reply)
        blocks += map(Remark, self.remarks(answer))
        blocks += prose(answer.written)
        passages = self._quotations(answer.passages, prefix)
        items = [ItemList(tuple(map(_in_one_line, answer.items)))] if answer.items else []
        blocks += [*passages[:1], *items, *passages[1:]]
        blocks += self._cards(answer.cards, f"{prefix}c")
        if answer.closest:
            blocks.append(Closest(self._quotations(answer.closest, f"{prefix}x")))
        return blocks

    def remarks(self, answer: Answer) -> Iterator[str]:
        """What is said about an answer as a whole: how it was searched for, what is missing."""
        if searched := "; ".join(part.searched_as for part in answer.parts if part.searched_as):
            yield f"Searched as: {searched}"
        if answer.status != AnswerStatus.NOT_FOUND and answer.absent_terms:
            yield _absent_words(answer)
        if answer.status == AnswerStatus.PARTIAL:
            missing = (
                part.question for part in answer.parts if part.status == AnswerStatus.NOT_FOUND
            )
            yield f"Not found: {' '.join(missing)}"
        doubtful = [part.question for part in answer.parts if part.is_doubtful]
        if doubtful and answer.passages and not (answer.written or answer.verdict or answer.short):
            all_of_it = len(doubtful) == len(answer.parts)
            parts = "the question." if all_of_it else f"this: {' '.join(doubtful)}"
            yield f"These passages may not answer {parts}"
        if answer.intent == Intent.DISAGREEMENT and answer.cards and not self._state.contradictions:
            yield NO_DIFFERENCE

    def _cards(self, cards: Sequence[AnswerCard], prefix: str) -> Iterator[Block]:
        """The cards of an overview, the first of each group with the name of it and the number of
        its documents."""
        sizes: Counter[str] = Counter()
        for card in cards:
            sizes[card.group] += 1 + len(card.others)
        before = ""
        for number, card in enumerate(cards, 1):
            if card.group not in ("", before):
                group = group_heading(card.group, sizes[card.group])
            else:
                group = ""
            others = tuple(map(other_facts, card.others))
            yield Card(card, self._quotations(card.passages, f"{prefix}{number}-"), group, others)
            before = card.group

    def _quotations(self, passages: Sequence[AnswerPassage], prefix: str) -> tuple[Quotation, ...]:
        return tuple(
            self.quotation(passage, f"{prefix}{number}")
            for number, passage in enumerate(passages, 1)
        )

    def quotation(self, passage: AnswerPassage, name: str = "") -> Quotation:
        """A passage block by block."""
        return Quotation(passage, self._pieces(passage), self._sources.get(passage.source_id), name)

    def _pieces(self, passage: AnswerPassage) -> tuple[Piece, ...]:
        """The blocks of a passage with their marks; the whole as one piece where the record lacks
        its evidence."""
        context = self._evidence_of(passage.context)
        blocks = self._evidence_of(passage.evidence_ids)
        offset = sum(len(evidence.quote) + 1 for evidence in context)
        first = max(offset, passage.text.find(blocks[0].quote, offset)) if blocks else offset
        depths = [e.level for e in blocks if e.kind == BlockKind.LIST_ITEM and e.level]
        outermost = min(depths, default=0)
        pieces = [Piece("context", evidence.quote) for evidence in context]
        pieces += [Piece("context", "…")] * passage.begins_late
        for evidence in _without_names_of_pictures(blocks):
            start = first + evidence.start - blocks[0].start
            before = passage.text[:start].rpartition("\n")[2] if start > offset else ""
            level = evidence.level - outermost
            if evidence.kind != BlockKind.LIST_ITEM:
                level = 0
            elif not evidence.level:  # records of before say it by the indentation alone
                level = (len(before) - len(before.lstrip())) // 2
            marks, marker = _marks_within(passage, evidence, start), before.strip() or "-"
            pieces.append(Piece(evidence.kind, evidence.quote, marks, level, marker))
        if passage.is_cut and pieces:
            pieces = _going_on(pieces)
        return tuple(pieces) or (Piece(passage.kind, passage.text),)

    def _evidence_of(self, evidence_ids: Sequence[str]) -> list[Evidence]:
        return [self._evidence[key] for key in evidence_ids if key in self._evidence]


def _without_names_of_pictures(blocks: Sequence[Evidence]) -> list[Evidence]:
    """The blocks of a passage, which shows no picture; what stands before a table names that."""
    kinds = [*(block.kind for block in blocks), ""]
    return [
        block
        for block, following in zip(blocks, kinds[1:], strict=True)
        if following == BlockKind.TABLE_ROW or not names_picture(block.kind, block.quote)
    ]


def _marks_within(
    passage: AnswerPassage, evidence: Evidence, start: int
) -> tuple[tuple[int, int], ...]:
    """The marks of a passage within one of its blocks. start: of the block in the passage."""
    marks = ((max(a - start, 0), min(b - start, len(evidence.quote))) for a, b, *_ in passage.marks)
    return tuple(mark for mark in marks if mark[0] < mark[1])


def _going_on(pieces: list[Piece]) -> list[Piece]:
    """The pieces of a passage with the sign that it goes on."""
    *others, last = pieces
    if last.kind == BlockKind.TABLE_ROW:
        return [*pieces, Piece("context", "…")]
    return [*others, replace(last, end=" …")]


def document(state: ResearchState) -> list[Block]:
    """The blocks of a research."""
    return Document(state).blocks()


def _in_one_line(item: AnswerItem) -> AnswerItem:
    """An item as it is listed: the cells of a table row with dots between them."""
    if item.kind != BlockKind.TABLE_ROW:
        return item
    cells = (item.text[start:end] for start, end in cell_spans(item.text))
    return replace(item, text=" · ".join(cell for cell in cells if cell))


def reply_of(answer: Answer) -> Reply | None:
    """The first words of a report: the short answer, a verdict, or what is absent. None where
    passages speak first."""
    if answer.status == AnswerStatus.NOT_FOUND:
        return Reply(absence_sentence(answer), settled=False)
    if answer.verdict is not None:
        label = answer.verdict.label
        return Reply(
            VERDICTS[label], settled=label != "not_settled", strength=_voices(answer.verdict)
        )
    if answer.short is not None:
        return Reply(answer.short.text, answer.short.citations)
    return None


def _voices(verdict: AnswerVerdict) -> str:
    """How many sources say yes and no."""
    sides = ((verdict.in_favour, "yes"), (verdict.against, "no"))
    voices = [
        f"{counted(count, 'independent source')} {'says' if count == 1 else 'say'} {word}"
        for count, word in sides
        if count
    ]
    return f"{', '.join(voices)}." if voices else ""


def absence_sentence(answer: Answer) -> str:
    """That nothing answers, with the words that stand in none of the texts."""
    if not answer.searched.sources:
        return "Not found: there was no text to search. Add documents, or allow more sources."
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
    if searched.own:
        return f"your {searched.sources:,} documents"
    return f"the {searched.sources:,} texts searched"


def _as_typed(term: str, question: str) -> str:
    """Folded words as the question has them."""
    typed = {fold(word): word for word in reversed(_WORD.findall(question))}
    return " ".join(typed.get(word, word) for word in term.split())


def prose(sentences: Sequence[Sentence]) -> list[Block]:
    return [Paragraph(tuple(sentences))] if sentences else []


def turn_prose(turn: Turn) -> list[Block]:
    """What a model wrote in answer to a follow-up question."""
    if turn.text:
        return [Paragraph((narrated(line),)) for line in turn.text.splitlines() if line.strip()]
    return prose(turn.sentences)


def older_parts(report: Report) -> Iterator[Part]:
    """The parts that older records have: summary, verdict, findings, tables, different answers."""
    older = PartKind.OLDER
    if report.summary:
        yield Part(older, "", tuple(prose(report.summary)))
    if report.verdict:
        yield Part(
            older, f"Verdict: {report.verdict.label}", tuple(prose(report.verdict.sentences))
        )
    if report.key_findings:
        yield Part(
            older, "Key findings", (Bullets(tuple((finding,) for finding in report.key_findings)),)
        )
    for table in report.tables:
        yield Part(older, table.heading, (Grid(table.columns, table.rows),))
    for sense in report.senses:
        heading = f"Different answers: {sense.thing}" if sense.thing else "Different answers"
        yield Part(older, heading, (Bullets(tuple((sentence,) for sentence in sense.sentences)),))


def _disagreements(state: ResearchState, report: Report) -> Part:
    """The pairs, direct contradictions first. Figures that differ are no disagreement, since nobody
    judged."""
    clashes = {clash.contradiction_id: clash for clash in state.contradictions}
    pairs = [Facing(d.sentences, clashes.get(d.contradiction_id)) for d in report.disagreements]
    natures = {pair.contradiction.nature for pair in pairs if pair.contradiction}
    heading = "Figures differ" if natures == {"figures"} else "Where sources disagree"
    pairs.sort(key=_directness)
    return Part(PartKind.DISAGREEMENTS, heading, tuple(pairs), "disagree")


def _directness(pair: Facing) -> int:
    nature = pair.contradiction.nature if pair.contradiction else ""
    return _NATURES.index(nature) if nature in _NATURES else len(_NATURES)
