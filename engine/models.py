"""The public nouns, handed on from the floors that make them: `from engine.models import Source, ResearchState`."""

from tools.corpus.model import Document, Link, Page, Passage, Section, Snapshot
from tools.errors import (
    Cancelled,
    ConfigError,
    Conflict,
    ModelError,
    NotFound,
    ParseError,
    Refused,
    SourceError,
    StorageError,
    ZororaError,
)
from tools.research.source import Credibility, Mark, Source
from workflows.research.events import KINDS, PHASES, Event
from workflows.research.state import (
    Citation,
    Claim,
    Contradiction,
    Evidence,
    Filters,
    Finding,
    Question,
    Report,
    ReportSection,
    ResearchState,
    RunConfig,
    Sentence,
    Table,
    Turn,
    UserMarks,
)

__all__ = [
    "KINDS", "PHASES", "Cancelled", "Citation", "Claim", "ConfigError", "Conflict", "Contradiction", "Credibility",
    "Document", "Event", "Evidence", "Filters", "Finding", "Link", "Mark", "ModelError", "NotFound", "Page",
    "ParseError", "Passage", "Question", "Refused", "Report", "ReportSection", "ResearchState", "RunConfig", "Section",
    "Sentence", "Snapshot", "Source", "SourceError", "StorageError", "Table", "Turn", "UserMarks", "ZororaError",
]  # fmt: skip
