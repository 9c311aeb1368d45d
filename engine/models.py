"""The public nouns, handed on from the floors that make them: `from engine.models import Source,
ResearchState`.

Each module behind them is loaded when a noun of it is first asked for: the errors are light, the
record is not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tools.errors import (
    Cancelled,
    ConfigError,
    Conflict,
    FailureReason,
    ModelError,
    NotFound,
    ParseError,
    Refused,
    SourceError,
    StorageError,
    ZororaError,
    cause,
)

if TYPE_CHECKING:
    from tools.documents.model import (
        BlockKind,
        Completeness,
        Document,
        Link,
        Page,
        Passage,
        Section,
        Snapshot,
    )
    from tools.library.ingest_outcome import IngestedFile
    from tools.models.schema import schema_problems
    from tools.research.credibility_scorer import factors_in_words
    from tools.sources.source import CONCERN_FACTOR, Credibility, Mark, Source
    from tools.sources.source_kind import SOURCE_TYPES, SourceKind
    from workflows.research.events import PHASES, Event, EventKind
    from workflows.research.kinds import AnswerStatus, RecordKind, RunStatus
    from workflows.research.model import Check
    from workflows.research.report.sentences import SentenceKind
    from workflows.research.state import (
        Citation,
        Claim,
        Contradiction,
        Evidence,
        Filters,
        Finding,
        Gap,
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

_HOMES = {
    "tools.documents.model": (
        "BlockKind", "Completeness", "Document", "Link", "Page", "Passage", "Section", "Snapshot",
    ),
    "tools.library.ingest_outcome": ("IngestedFile",),
    "tools.models.schema": ("schema_problems",),
    "tools.research.credibility_scorer": ("factors_in_words",),
    "tools.sources.source": ("CONCERN_FACTOR", "Credibility", "Mark", "Source"),
    "tools.sources.source_kind": ("SOURCE_TYPES", "SourceKind"),
    "workflows.research.events": ("PHASES", "Event", "EventKind"),
    "workflows.research.kinds": ("AnswerStatus", "RecordKind", "RunStatus"),
    "workflows.research.model": ("Check",),
    "workflows.research.report.sentences": ("SentenceKind",),
    "workflows.research.state": (
        "Citation", "Claim", "Contradiction", "Evidence", "Filters", "Finding", "Gap", "Question",
        "Report", "ReportSection", "ResearchState", "RunConfig", "Sentence", "Table", "Turn",
        "UserMarks",
    ),
}  # fmt: skip

__all__ = [
    "CONCERN_FACTOR", "PHASES", "SOURCE_TYPES", "AnswerStatus", "BlockKind", "Cancelled", "Check",
    "Citation", "Claim", "Completeness", "ConfigError", "Conflict", "Contradiction", "Credibility",
    "Document", "Event", "EventKind", "Evidence", "FailureReason", "Filters", "Finding", "Gap",
    "IngestedFile", "Link", "Mark", "ModelError", "NotFound", "Page", "ParseError", "Passage",
    "Question", "RecordKind", "Refused", "Report", "ReportSection", "ResearchState", "RunConfig",
    "RunStatus", "Section", "Sentence", "SentenceKind", "Snapshot", "Source", "SourceError",
    "SourceKind", "StorageError", "Table", "Turn", "UserMarks", "ZororaError", "cause",
    "factors_in_words", "schema_problems",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'engine.models' has no attribute {name!r}")
