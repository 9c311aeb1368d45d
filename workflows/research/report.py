"""Nouns of a report: sentences with their citations, and the parts they stand in. All frozen."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Citation:
    tag: str
    source_id: str
    evidence_id: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace text[start:end] of the quote by `replacement`; kind: connective, pronoun, citation_mark, case."""

    start: int
    end: int
    replacement: str
    kind: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the report. kind: quote, edited, written, narration; only narration has no citation.

    Of written ones: verifier (who decided that it may stand), model (who wrote it), prompt (with its version).
    """

    sentence_id: str
    kind: str
    text: str
    edits: tuple[Edit, ...] = ()
    claim_ids: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    indicator: str = ""
    verifier: str = ""
    model: str = ""
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class ReportSection:
    heading: str
    sentences: tuple[Sentence, ...] = ()
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """label: supported, contested, unsupported. dissent counts as `against`; `for` is `in_favour` in code."""

    label: str
    in_favour: int
    against: int
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """rows[r][c] is the list of sentences of that cell; an empty cell has none."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[Sentence, ...], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SensePart:
    """One of several different answers: what it is about (may be empty), its quotes, and its weight as narration."""

    thing: str
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    contradiction_id: str
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A sentence is written once: the parts after the summary go on from it. Only a disagreement shows sentences (by
    sentence_id) that another part has told once more, beside each other.

    key_findings: of high or medium level, one sentence a claim.
    """

    title: str
    summary: tuple[Sentence, ...] = ()
    verdict: Verdict | None = None
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

    text: what a model said from its own knowledge, where nothing was searched (records of kind "ask"); not checked.
    model: who wrote the sentences or the text; empty for quotations. refused: written sentences that did not pass.
    steps: what was asked of the model, in words. problem: why a model that was to write did not.
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
