"""Sentences of a report with their citations. All frozen."""

from dataclasses import dataclass
from enum import StrEnum


class SentenceKind(StrEnum):
    """Where the words of a sentence come from. NARRATION: from the program; it alone cites
    nothing."""

    QUOTE = "quote"
    EDITED = "edited"
    WRITTEN = "written"
    NARRATION = "narration"


@dataclass(frozen=True, slots=True)
class Citation:
    tag: str
    source_id: str
    evidence_id: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace text[start:end] of the quote by `replacement`; kind: connective, pronoun,
    citation_mark, case."""

    start: int
    end: int
    replacement: str
    kind: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the report. kind: a SentenceKind.

    Of written ones: verifier (who decided that it may stand), model (who wrote it), prompt (with
    its version).
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
