"""Nouns of a report: the parts in which its passages and sentences stand. All frozen."""

from dataclasses import dataclass

from workflows.research.answer.model import Answer, AnswerPassage, AnswerVerdict
from workflows.research.kinds import AnswerStatus
from workflows.research.report.sentences import Citation, Edit, Sentence

__all__ = [
    "Citation", "Disagreement", "Edit", "Report", "ReportSection", "SensePart", "Sentence", "Table",
    "Turn",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReportSection:
    """passages: whole, without a model; sentences: written by a model, or of older records."""

    heading: str
    sentences: tuple[Sentence, ...] = ()
    confidence: float | None = None
    passages: tuple[AnswerPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """rows[r][c] is the list of sentences of that cell; an empty cell has none."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[Sentence, ...], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SensePart:
    """One of several different answers: what it is about (may be empty), its quotes, and its weight
    as narration."""

    thing: str
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    contradiction_id: str
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What stands after the answer. summary is written by a model, else empty: a passage appears
    once.

    open: parts of the question that are not answered, and gaps that a model named. verdict, tables,
    senses and key_findings are of older records (with a verdict that is supported, contested or
    unsupported); new reports leave them empty.
    """

    title: str
    summary: tuple[Sentence, ...] = ()
    verdict: AnswerVerdict | None = None
    tables: tuple[Table, ...] = ()
    sections: tuple[ReportSection, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    senses: tuple[SensePart, ...] = ()
    open: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    key_findings: tuple[Sentence, ...] = ()

    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence of the report once, in reading order."""
        cells = (cell for table in self.tables for row in table.rows for cell in row)
        groups = (
            self.summary,
            self.verdict.sentences if self.verdict else (),
            self.key_findings,
            *cells,
            *(section.sentences for section in self.sections),
            *(item.sentences for item in self.disagreements),
            *(item.sentences for item in self.senses),
        )
        return tuple(dict.fromkeys(sentence for group in groups for sentence in group))


@dataclass(frozen=True, slots=True)
class Turn:
    """One follow-up question and its answer.

    answer: like that of a report, from its texts. sentences: written by a model, or of older
    records quotations. text: what a model said from its own knowledge, where nothing was searched
    (records of kind "ask"); not checked. model: who wrote the sentences or the text; empty for
    quotations. refused: written sentences that did not pass. steps: what was asked of the model, in
    words. problem: why a model that was to write did not.
    """

    time: str
    question: str
    sentences: tuple[Sentence, ...] = ()
    text: str = ""
    model: str = ""
    refused: int = 0
    steps: tuple[str, ...] = ()
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    problem: str = ""
    answer: Answer | None = None

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer, from a text or from what a model knows."""
        has_answer = self.answer is not None and self.answer.status != AnswerStatus.NOT_FOUND
        return has_answer or bool(self.text) or any(each.citations for each in self.sentences)
