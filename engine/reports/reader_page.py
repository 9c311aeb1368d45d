"""The reader's page: the stored text of a source, cut where the report used it. Pure: state and
text in, page out."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from engine.answers import ReaderPage, Segment
from tools.documents.blocks import blocks_of_text
from tools.documents.model import Block, BlockKind, Snapshot
from tools.errors import NotFound
from tools.sources.source import Source
from workflows.research.report.blocks import CLOSEST, Block as ReportBlock, Card, Closest, Quotation
from workflows.research.report.document import Document
from workflows.research.state import AnswerPassage, Evidence, Report, ResearchState, Sentence

_BLANK = re.compile(r"\n[ \t\f\v\u00a0]*(?:\n[ \t\f\v\u00a0]*)+")

Use = tuple[str, str, str]  # sentence_id, part of the report, sentence


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text that evidence covers; spans that overlap are one passage."""

    number: int
    start: int
    end: int
    evidence_ids: tuple[str, ...]
    used_by: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph (level 0) or a heading: text[start:end]."""

    start: int
    end: int
    level: int = 0


def source_of(state: ResearchState, source_id: str) -> tuple[Source, Snapshot | None]:
    """The source and the snapshot its text stands in. NotFound when the research has no such
    source."""
    source = state.source(source_id)
    if source is None:
        raise NotFound("This report has no such source.")
    snapshots = [snapshot for snapshot in state.snapshots if snapshot.source_id == source_id]
    used_ids = {
        evidence.snapshot_id for evidence in state.evidence if evidence.source_id == source_id
    }
    # The text that was quoted before any other; then the one the source names
    snapshots.sort(
        key=lambda s: (
            s.snapshot_id not in used_ids,
            s.snapshot_id != source.snapshot_id,
            s.snapshot_id,
        )
    )
    return source, snapshots[0] if snapshots else None


def page(
    state: ResearchState,
    source: Source,
    snapshot: Snapshot | None,
    text: str | None,
    blocks: Sequence[Block] = (),
) -> ReaderPage:
    """The page of one source. text: of the snapshot; None when it is not stored (any more).

    blocks: what the parser made of the text; without any, what the text shows by itself.
    """
    empty = ReaderPage(state.research_id, state.original_query, source, snapshot, (), 0)
    if snapshot is None:
        return replace(empty, problem="No text of this source was read.")
    if text is None:
        return replace(
            empty, problem="The stored text of this source is gone; the report keeps its quotes."
        )
    evidence = (
        e
        for e in state.evidence
        if e.source_id == source.source_id and e.snapshot_id == snapshot.snapshot_id
    )
    passages, moved = mark(text, evidence, uses(state))
    problem = None
    if moved:
        names = ", ".join(moved)
        problem = (
            f"Not marked, because the quote is not where it should be in the stored text: {names}."
        )
    blocks = blocks or blocks_of_text(text, snapshot.sections)
    segments = tuple(cut(text, blocks, passages))
    return replace(empty, segments=segments, passages=len(passages), problem=problem)


def uses(state: ResearchState) -> Mapping[str, tuple[Use, ...]]:
    """For each evidence id, the passages and sentences that rest on it, in the report and in later
    answers."""
    by_evidence: dict[str, list[Use]] = {}
    for part, name, passage in _passages(state):
        for evidence_id in dict.fromkeys(
            (*passage.evidence_ids, *(c.evidence_id for c in passage.lead.citations))
        ):
            by_evidence.setdefault(evidence_id, []).append((name, part, passage.lead.text))
    for part, sentence in _sentences(state):
        for citation in sentence.citations:
            by_evidence.setdefault(citation.evidence_id, []).append(
                (sentence.sentence_id, part, sentence.text)
            )
    return {evidence_id: tuple(dict.fromkeys(items)) for evidence_id, items in by_evidence.items()}


def uses_of(state: ResearchState, source_id: str) -> dict[tuple[str, str], None]:
    """(name on the page, text) of the sentences and passages that rest on a source, in order, each
    once."""
    by_evidence = uses(state)
    evidence_ids = (item.evidence_id for item in state.evidence if item.source_id == source_id)
    return dict.fromkeys(
        (name, text) for evidence in evidence_ids for name, _, text in by_evidence.get(evidence, ())
    )


def checkable(state: ResearchState) -> int:
    """How many citations of a report can be checked: pairs of a sentence or passage and a source of
    it."""
    by_evidence = uses(state)
    pairs = {
        (e.source_id, name)
        for e in state.evidence
        for name, _, _ in by_evidence.get(e.evidence_id, ())
    }
    return len(pairs)


def mark(
    text: str, evidence: Iterable[Evidence], uses: Mapping[str, tuple[Use, ...]]
) -> tuple[list[Passage], list[str]]:
    """The passages that the report uses, in order, and the evidence whose quote no longer stands
    where it should: it is marked only where it really stands."""
    spans, moved = [], []
    for item in evidence:
        if item.evidence_id not in uses:
            continue
        if 0 <= item.start < item.end and text[item.start : item.end] == item.quote:
            spans.append(item)
        else:
            moved.append(item.evidence_id)
    passages: list[Passage] = []
    for item in sorted(spans, key=lambda e: (e.start, e.end, e.evidence_id)):
        uses_here = uses[item.evidence_id]
        if passages and item.start < passages[-1].end:
            last = passages[-1]
            passages[-1] = replace(
                last,
                end=max(last.end, item.end),
                evidence_ids=(*last.evidence_ids, item.evidence_id),
                used_by=tuple(dict.fromkeys((*last.used_by, *uses_here))),
            )
        else:
            passages.append(
                Passage(len(passages) + 1, item.start, item.end, (item.evidence_id,), uses_here)
            )
    return passages, moved


def cut(text: str, blocks: Sequence[Block], passages: Sequence[Passage]) -> Iterator[Segment]:
    """The text as segments: paragraph by paragraph, each cut at the passages that touch it."""
    waiting = list(passages)
    for index, part in enumerate(paragraphs(text, blocks)):
        waiting = [passage for passage in waiting if passage.end > part.start]
        kind = "heading" if part.level else "text"
        plain = Segment(kind, "", index, part.level)
        at = part.start
        for passage in waiting:
            start, end = max(passage.start, part.start), min(passage.end, part.end)
            if start >= end:
                break
            if start > at:
                yield replace(plain, text=text[at:start])
            yield replace(
                plain,
                kind="passage",
                text=text[start:end],
                number=passage.number,
                evidence_ids=passage.evidence_ids,
                used_by=passage.used_by,
            )
            at = end
        if at < part.end:
            yield replace(plain, text=text[at : part.end])


def paragraphs(text: str, blocks: Sequence[Block]) -> Iterator[Paragraph]:
    """Paragraphs, parted by blank lines; headings stand alone."""
    at = 0
    for block in blocks:
        if block.kind == BlockKind.HEADING:
            start = text.rfind("\n", 0, block.start) + 1  # with the signs before it
            yield from _paragraphs(text, at, start)
            yield Paragraph(start, block.end, min(6, max(1, block.level)))
            at = block.end
    yield from _paragraphs(text, at, len(text))


def _paragraphs(text: str, start: int, end: int) -> Iterator[Paragraph]:
    at = start
    for gap in [*_BLANK.finditer(text, start, end), None]:
        stop = gap.start() if gap else end
        body = text[at:stop]
        if body.strip():
            first, last = at + len(body) - len(body.lstrip("\n")), at + len(body.rstrip("\n"))
            yield Paragraph(first, last)
        at = gap.end() if gap else end


def _passages(state: ResearchState) -> Iterator[tuple[str, str, AnswerPassage]]:
    """(part of the report, name on its page, passage) of every passage that the page shows."""
    document = Document(state)
    for part in document.parts():
        yield from _quoted(part.heading or "Answer", part.blocks)
    for number, turn in enumerate(state.conversation, 1):
        yield from _quoted("Asked afterwards", document.answer(turn.answer, f"t{number}-"))


def _quoted(part: str, blocks: Iterable[ReportBlock]) -> Iterator[tuple[str, str, AnswerPassage]]:
    for block in blocks:
        if isinstance(block, Quotation):
            yield part, block.name, block.passage
        elif isinstance(block, Card | Closest):
            heading = CLOSEST if isinstance(block, Closest) else part
            yield from (
                (heading, quotation.name, quotation.passage) for quotation in block.passages
            )


def answer_id(number: int, sentence: Sentence) -> str:
    """The name of a sentence of the turn of this number; those of different turns have the same
    number inside."""
    return f"t{number}-{sentence.sentence_id}"


def _sentences(state: ResearchState) -> Iterator[tuple[str, Sentence]]:
    """(part of the report, sentence) of every sentence of the answer, the report and the later
    answers."""
    for sentence in state.answer.written if state.answer else ():
        yield "Answer", sentence
    if state.report:
        yield from _parts(state.report)
    for number, turn in enumerate(state.conversation, 1):
        for sentence in turn.sentences:
            yield "Asked afterwards", replace(sentence, sentence_id=answer_id(number, sentence))


def _parts(report: Report) -> Iterator[tuple[str, Sentence]]:
    groups: list[tuple[str, tuple[Sentence, ...]]] = [("Summary", report.summary)]
    if report.verdict:
        groups.append(("Verdict", report.verdict.sentences))
    groups.append(("Key findings", report.key_findings))
    groups += [
        (table.heading, cell) for table in report.tables for cell in chain.from_iterable(table.rows)
    ]
    groups += [(section.heading, section.sentences) for section in report.sections]
    groups += [("Different answers", item.sentences) for item in report.senses]
    groups += [("Where sources disagree", item.sentences) for item in report.disagreements]
    for part, sentences in groups:
        for sentence in sentences:
            yield part, sentence
