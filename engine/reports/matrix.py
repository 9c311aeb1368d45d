"""The evidence matrix: which source says what to which part of a report. Pure: state in, rows and
columns out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.reports.figures import listed
from tools.sources.source import Source
from tools.text.quantities import DATED, quantities
from workflows.research.report.quality import used_sources
from workflows.research.state import Answer, AnswerPassage, Claim, ResearchState, Sentence

SAYS, DENIES, QUOTED, SILENT = "says", "denies", "quoted", "silent"
SORTS = ("source", "date", "filled")
MOST_CLAIMS = 6
# What says when, which or how many; a bare number in a cell would say nothing
_UNMEASURED = (*DATED, "clock", "ordinal", "count")


@dataclass(frozen=True, slots=True)
class Cell:
    """What a source has to a part. stance: says or denies where a judge said so, else quoted or
    silent."""

    stance: str = SILENT
    quote: str = ""
    figure: str = ""
    evidence_id: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A part of the report, or a claim that was judged. counts: how many sources take each
    stance."""

    name: str
    judged: bool
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """A source with one cell a column."""

    source: Source
    cells: tuple[Cell, ...]

    @property
    def filled(self) -> int:
        return sum(cell.stance != SILENT for cell in self.cells)

    @property
    def stances(self) -> set[str]:
        """Those it takes anywhere; silent only where it says nothing to any part."""
        return {cell.stance for cell in self.cells} - {SILENT} or {SILENT}


@dataclass(frozen=True, slots=True)
class Matrix:
    """Columns in reading order and rows by tag."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def judged(self) -> bool:
        return any(column.judged for column in self.columns)


def matrix(state: ResearchState) -> Matrix:
    """Sources that the report cites or read, each against its parts, its follow-up questions and
    its judged claims."""
    parts = [*_parts(state), *_claims(state)]
    used_ids = used_sources(state)
    rows = []
    for source in listed(state):
        cells = tuple(cells.get(source.source_id, Cell()) for _, _, cells in parts)
        if source.source_id in used_ids or any(cell.stance != SILENT for cell in cells):
            rows.append(Row(source, cells))
    columns = tuple(
        Column(name, judged, dict(Counter(row.cells[n].stance for row in rows)))
        for n, (name, judged, _) in enumerate(parts)
    )
    return Matrix(columns, tuple(rows))


def filter_rows(
    table: Matrix, sort: str = "source", stances: Iterable[str] = (), text: str = ""
) -> tuple[Row, ...]:
    """The rows to show: with one of the stances (none named: those that say anything) and every
    word of the text."""
    stances_shown = set(stances) or {SAYS, DENIES, QUOTED}
    words = text.casefold().split()
    rows = [
        row
        for row in table.rows
        if row.stances & stances_shown and all(word in _text(row) for word in words)
    ]
    if sort == "date":
        rows.sort(key=lambda row: row.source.published or "", reverse=True)
    elif sort == "filled":
        rows.sort(key=lambda row: -row.filled)
    return tuple(rows)


def _text(row: Row) -> str:
    parts = (row.source.title, *row.source.authors, *(cell.quote for cell in row.cells))
    return " ".join(" ".join(parts).split()).casefold()


Part = tuple[str, bool, dict[str, Cell]]


def _parts(state: ResearchState) -> Iterator[Part]:
    """(name, whether judged, source_id -> cell) of every part that quotes a source."""
    yield from _of_answer(state.answer, state.original_query)
    report = state.report
    for section in report.sections if report else ():
        cells: dict[str, Cell] = {}
        _add_passages(cells, section.passages)
        _add_sentences(cells, section.sentences, state)
        if cells:
            yield section.heading, False, cells
    if report and not state.answer:
        older: dict[str, Cell] = {}
        _add_sentences(older, (*report.summary, *report.key_findings), state)
        if older:
            yield "Summary", False, older
    for turn in state.conversation:
        yield from _of_answer(turn.answer, turn.question)


def _of_answer(answer: Answer | None, question: str) -> Iterator[Part]:
    """A column for each part of the question."""
    if answer is None:
        return
    passages = (*answer.passages, *(passage for card in answer.cards for passage in card.passages))
    several = len(answer.parts) > 1
    for number in range(len(answer.parts) if several else 1):
        cells: dict[str, Cell] = {}
        _add_passages(
            cells, (passage for passage in passages if not several or passage.part == number)
        )
        if cells:
            yield answer.parts[number].question if several else question, False, cells


def _add_passages(cells: dict[str, Cell], passages: Iterable[AnswerPassage]) -> None:
    for passage in passages:
        evidence = passage.lead.citations[0].evidence_id if passage.lead.citations else ""
        for source_id in (passage.source_id, *passage.also):
            cells.setdefault(
                source_id,
                _cell(
                    QUOTED, passage.lead.text, evidence if source_id == passage.source_id else ""
                ),
            )


def _add_sentences(
    cells: dict[str, Cell], sentences: Iterable[Sentence], state: ResearchState
) -> None:
    quotes = {piece.evidence_id: piece.quote for piece in state.evidence}
    for sentence in sentences:
        for citation in sentence.citations:
            quote = quotes.get(citation.evidence_id, sentence.text)
            cells.setdefault(citation.source_id, _cell(QUOTED, quote, citation.evidence_id))


def _claims(state: ResearchState) -> Iterator[Part]:
    """Claims that a judge held against several sources, those that somebody denies first."""
    by_id = {piece.evidence_id: piece for piece in state.evidence}
    ordered = sorted(
        filter(_is_of_several, state.claims),
        key=lambda claim: (not claim.contradicting_evidence_ids, -claim.independent_sources),
    )
    for claim in ordered[:MOST_CLAIMS]:
        cells: dict[str, Cell] = {}
        for stance, names in (
            (DENIES, claim.contradicting_evidence_ids),
            (SAYS, claim.evidence_ids),
        ):
            for evidence in (by_id[name] for name in names if name in by_id):
                cells.setdefault(
                    evidence.source_id, _cell(stance, evidence.quote, evidence.evidence_id)
                )
        yield claim.text, True, cells


def _is_of_several(claim: Claim) -> bool:
    """Whether a judge held a claim against several sources."""
    if claim.confidence is None or not claim.verified:
        return False
    return bool(claim.contradicting_evidence_ids) or claim.independent_sources > 1


def _cell(stance: str, text: str, evidence_id: str) -> Cell:
    quote = " ".join(text.split())
    return Cell(stance, quote, figure_in(quote), evidence_id)


def figure_in(text: str) -> str:
    """The first figure of a text that has a unit, "" where there is none."""
    figures = quantities(text)
    first = next((each for each in figures if each.kind not in _UNMEASURED), None)
    if first is None:
        return ""
    # 11 to 17%: the first number of a range has the unit of the second
    near = (each for each in figures if first.text[-1].isdigit() and 0 < each.start - first.end < 6)
    last = next((each for each in near if each.kind in (first.kind, "count")), first)
    return text[first.start : last.end]
