"""What the engine answers about finished reports; apart from the work on them, since the page loads
it at its start."""

from dataclasses import dataclass

from tools.sources.source import Source
from workflows.research.model import Claim
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
