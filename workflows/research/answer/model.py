"""The answer in the record (docs/record.md). All frozen; every text in it resolves like any other
evidence."""

from dataclasses import dataclass, field

from workflows.research.report.sentences import Citation, Sentence


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """One thing that was asked. status: answered or not_found. searched_as: its words as they were
    searched for, in the language or the spelling of the texts. is_doubtful: whether it is
    less likely than not that its passages answer it."""

    question: str
    status: str
    intent: str = ""
    searched_as: str = ""
    is_doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Lead:
    """The whole sentence or item that answers, with its lead-in and what follows it; at most 40
    words.

    sentence: the one of its sentences that answers, where it has several.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    sentence: str = ""

    @property
    def claim(self) -> str:
        """What the passage says, for others to be compared with."""
        return self.sentence or self.text


@dataclass(frozen=True, slots=True)
class AnswerPassage:
    """A passage shown whole.

    kind: of its main block. evidence_ids: its blocks in order; context: what it needs and the text
    of it has not. text: the context and the blocks as they stand. marks: spans of text with the
    words that answer. part: number of the part of the question that it answers, from 0. also:
    sources that hold the same passage. strength: counted facts that help to weigh it, as one line.
    begins_late: whether items of its list or rows of its table stand before it. is_cut: whether its
    last sentence, its list or its table goes on after it. is_doubtful: whether it is less likely
    than not that it answers.
    """

    lead: Lead
    kind: str
    evidence_ids: tuple[str, ...]
    text: str
    context: tuple[str, ...] = ()
    marks: tuple[tuple[int, ...], ...] = ()
    heading_path: tuple[str, ...] = ()
    source_id: str = ""
    tag: str = ""
    date: str | None = None
    place: str = ""
    score: float = 0.0
    strength: str = ""
    part: int = 0
    also: tuple[str, ...] = ()
    claim_id: str = ""
    begins_late: bool = False
    is_cut: bool = False
    is_doubtful: bool = False


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """The words that answer, where the reader or a model is sure. basis: reader or model."""

    text: str
    citations: tuple[Citation, ...]
    basis: str
    score: float


@dataclass(frozen=True, slots=True)
class AnswerItem:
    """An item of a list, or a step of instructions, as it stands. kind: of its block."""

    text: str
    kind: str
    evidence_ids: tuple[str, ...]
    source_id: str
    tag: str = ""


@dataclass(frozen=True, slots=True)
class OtherDocument:
    """A document that an overview names and does not quote. name: of its file or page."""

    title: str
    date: str | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class AnswerCard:
    """What one document says. terms: words that it has often and the others do not. authors: as far
    as it names them.

    group: what it stands under. others: the documents of the group that have no card, on the last
    card of the group.
    """

    source_id: str
    tag: str
    title: str
    date: str | None
    kind: str
    passages: tuple[AnswerPassage, ...] = ()
    terms: tuple[str, ...] = ()
    group: str = ""
    others: tuple[OtherDocument, ...] = ()
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """label: yes, no, mixed, not_settled. in_favour ("for" in the record) and against count
    independent voices."""

    label: str
    in_favour: int
    against: int
    sentences: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """What was searched: how many texts, and how many passages of them. own: all texts are
    documents of the user."""

    sources: int = 0
    passages: int = 0
    own: bool = False


@dataclass(frozen=True, slots=True)
class JudgeUsed:
    """Who judged. kind: nli, model or none."""

    name: str = "checks"
    kind: str = "none"


@dataclass(frozen=True, slots=True)
class Answer:
    """What stands first in a report. written: by a language model, else empty. closest: the nearest
    passages where nothing answers; they are no answer."""

    status: str
    intent: str
    parts: tuple[AnswerPart, ...] = ()
    written: tuple[Sentence, ...] = ()
    short: ShortAnswer | None = None
    passages: tuple[AnswerPassage, ...] = ()
    steps: tuple[AnswerItem, ...] = ()
    items: tuple[AnswerItem, ...] = ()
    cards: tuple[AnswerCard, ...] = ()
    verdict: AnswerVerdict | None = None
    absent_terms: tuple[str, ...] = ()
    closest: tuple[AnswerPassage, ...] = ()
    searched: Searched = Searched()
    judge: JudgeUsed = field(default_factory=JudgeUsed)


def shown_passages(answer: Answer) -> tuple[AnswerPassage, ...]:
    """Every passage that an answer shows, in reading order."""
    return (*answer.passages, *(passage for card in answer.cards for passage in card.passages))
