"""The parts of a report in reading order, the same for every format that is read by people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine import figures
from engine.exports.form import line
from tools.research.source import Source
from workflows.research.model import Contradiction, Evidence
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
_AUTHORITIES = 10


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
    clashes = {one.contradiction_id: one for one in state.contradictions}
    return [*made, *_end(report, clashes), *unverified(state), *_conversation(state)]


def unverified(state: ResearchState) -> Iterator[Block]:
    """The statements that no passage supports, each with what the nearest one lacks."""
    left = [claim for claim in state.claims if not claim.verified]
    if left:
        yield Heading("What could not be verified")
        yield Bullets(tuple((_words(f"{line(one.text)} ({_lacking(one.differs)})"),) for one in left))


def _lacking(differs: str) -> str:
    return line(differs).rstrip(".") or "no passage supports it"


def apparatus(state: ResearchState) -> Iterator[Block]:
    """What stands below the list of sources: which weigh most, those set aside with the reason, the quality table."""
    kept = [source.tag for source in state.get_authoritative_sources(len(state.sources)) if source.tag][:_AUTHORITIES]
    if kept:
        yield Remark(f"Most authoritative, by credibility and by how often the others cite them: {', '.join(kept)}.")
    aside = [source for source in state.sources if source.rejected]
    if aside:
        yield Heading("Set aside")
        yield Bullets(tuple((_words(f"{line(one.title)}. {line(one.rejected)}"),) for one in aside))
    if state.kind != "ask":
        yield Heading("Quality")
        yield Grid(("Figure", "Value"), tuple(((_words(a),), (_words(b),)) for a, b in figures.quality(state)))


def _words(text: str) -> Sentence:
    """Words of the program, which rest on no passage."""
    return Sentence("", "narration", text)


def title_of(state: ResearchState) -> str:
    return line(state.report.title if state.report else state.original_query)


def facts_of(state: ResearchState) -> str:
    """The lines under the title."""
    quality = state.quality
    return (
        f"{quality.sources_used} of {len(state.sources)} sources used, "
        f"{quality.verified_claims} of {quality.total_claims} claims verified, "
        f"overall confidence {figures.hundredths(quality.overall_confidence)}. Depth {state.config.depth}, "
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


def _end(report: Report, clashes: Mapping[str, Contradiction]) -> Iterator[Block]:
    if report.senses:
        yield Heading("Different answers")
    for sense in report.senses:
        if sense.thing:
            yield Remark(sense.thing)
        yield Bullets(tuple((sentence,) for sentence in sense.sentences))
    if report.disagreements:
        yield Heading("Where sources disagree")
        for one in report.disagreements:
            yield Bullets(tuple((sentence,) for sentence in one.sentences if sentence.citations))
            told = [sentence for sentence in one.sentences if not sentence.citations]
            if clash := clashes.get(one.contradiction_id):
                told.insert(0, _words(f"{clash.nature.capitalize()}: {line(clash.explanation).rstrip('.')}."))
            yield from _paragraph(told)
    if report.open:
        yield Heading("What stayed open")
        yield Bullets(tuple((_words(text),) for text in report.open))


def _conversation(state: ResearchState) -> Iterator[Block]:
    for number, turn in enumerate(state.conversation):
        if number == 0 and state.kind != "ask":
            yield Heading("Asked afterwards")
        yield Remark(turn.question)
        yield from _paragraph((_words(turn.text),) if turn.text else turn.sentences)
