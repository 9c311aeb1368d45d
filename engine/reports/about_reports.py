"""What the engine answers about and beside finished reports; apart from the work on them, since the
page loads it at its start."""

from dataclasses import dataclass

from tools.sources.combined import FoundSources as FoundSources
from tools.sources.source import Source
from workflows.research.answer.model import Answer
from workflows.research.model import Claim, Evidence
from workflows.research.report.model import Turn


@dataclass(frozen=True, slots=True)
class FollowUp:
    """An answer. number: of the turn, from 1. found: whether the texts answer it. offer: what else
    can be done."""

    research_id: str
    number: int
    turn: Turn
    found: bool
    offer: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim of each research. nature and explanation: of a clash, empty for claims that agree."""

    a: Claim
    b: Claim
    nature: str = ""
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """both: verified claims that say the same. clashes: those whose figures differ. only: the
    verified claims (of a alone, of b alone). shared_sources: each as (of a, of b). only_sources:
    (of a alone, of b alone)."""

    both: tuple[Pair, ...]
    clashes: tuple[Pair, ...]
    only: tuple[tuple[Claim, ...], tuple[Claim, ...]]
    shared_sources: tuple[tuple[Source, Source], ...]
    only_sources: tuple[tuple[Source, ...], tuple[Source, ...]]


@dataclass(frozen=True, slots=True)
class PassageAgain:
    """A cited passage and whether the page still has it word for word, apart from white space."""

    evidence_id: str
    quote: str
    still_there: bool


@dataclass(frozen=True, slots=True)
class Rechecked:
    """A cited page read again. outcome: unchanged, changed (a cited passage is not there any more),
    unreadable."""

    source_id: str
    tag: str
    title: str
    url: str
    outcome: str
    problem: str
    passages: tuple[PassageAgain, ...]


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A source that was retracted since the research was scored; notice says what is known of
    it."""

    source_id: str
    tag: str
    title: str
    notice: str


@dataclass(frozen=True, slots=True)
class Policy:
    """An answer from policy documents: text of the configured endpoint, else an answer that cites
    documents."""

    text: str = ""
    model: str = ""
    answer: Answer | None = None
    documents: tuple[Source, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    found: bool = False
    note: str = ""
