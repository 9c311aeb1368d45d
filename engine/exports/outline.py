"""The parts of a report in reading order, the same for every format that is read by people."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.exports.form import line
from tools.research.source import Source
from tools.text.phrases import counted
from workflows.research.model import Evidence
from workflows.research.report import Citation, Report, Sentence
from workflows.research.state import ResearchState


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Words of the program about the report: no sentence, no citation."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[tuple[Sentence, ...], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[Sentence, ...], ...], ...]


Block = Heading | Remark | Paragraph | Bullets | Grid


def blocks(state: ResearchState) -> list[Block]:
    """Every part that has content, without the title, the evidence and the list of sources."""
    report = state.report
    if report is None:
        return [Remark("No report was written.")]
    made: list[Block] = [Remark(note) for note in report.notes]
    made += _paragraph(report.summary)
    if report.verdict:
        made.append(Heading(f"Verdict: {report.verdict.label}"))
        made += _paragraph(report.verdict.sentences)
    made += _findings(report)
    for table in report.tables:
        made += [Heading(table.heading), Grid(table.columns, table.rows)]
    for section in report.sections:
        made += [Heading(section.heading), *_paragraph(section.sentences)]
    return [*made, *_end(report), *_conversation(state)]


def title_of(state: ResearchState) -> str:
    return line(state.report.title if state.report else state.original_query)


def facts_of(state: ResearchState) -> str:
    """The lines under the title."""
    quality = state.quality
    return (
        f"{counted(len(state.sources), 'source')}, "
        f"{quality.verified_claims} of {quality.total_claims} claims verified, "
        f"overall confidence {quality.overall_confidence:.2f}. Depth {state.config.depth}, "
        f"{', '.join(map(line, state.model_names)) or 'no model'}, as of {state.as_of}, {state.status}."
    )


@dataclass(frozen=True, slots=True)
class Cited:
    """A quotation and the source it stands in, as a note needs them. Either is None when the record lacks it."""

    evidence: Evidence | None
    source: Source | None


class Lookup:
    """Evidence and sources of a record by their ids."""

    def __init__(self, state: ResearchState) -> None:
        self._evidence = {evidence.evidence_id: evidence for evidence in state.evidence}
        self._sources = {source.source_id: source for source in state.sources}

    def cited(self, citation: Citation) -> Cited:
        return Cited(self._evidence.get(citation.evidence_id), self._sources.get(citation.source_id))


def _paragraph(sentences: Sequence[Sentence]) -> list[Block]:
    return [Paragraph(tuple(sentences))] if sentences else []


def _findings(report: Report) -> list[Block]:
    if not report.key_findings:
        return []
    return [Heading("Key findings"), Bullets(tuple((one,) for one in report.key_findings))]


def _end(report: Report) -> Iterator[Block]:
    if report.senses:
        yield Heading("Different answers")
    for sense in report.senses:
        if sense.thing:
            yield Remark(sense.thing)
        yield Bullets(tuple((sentence,) for sentence in sense.sentences))
    if report.disagreements:
        yield Heading("Where sources disagree")
        for one in report.disagreements:
            yield Bullets(tuple((sentence,) for sentence in one.sentences))
    if report.open:
        yield Heading("What stayed open")
        yield Bullets(tuple((Sentence("", "narration", text),) for text in report.open))


def _conversation(state: ResearchState) -> Iterator[Block]:
    for number, turn in enumerate(state.conversation):
        if number == 0 and state.kind != "ask":
            yield Heading("Asked afterwards")
        yield Remark(turn.question)
        yield from _paragraph((Sentence("", "narration", turn.text),) if turn.text else turn.sentences)
