"""Zorora as a library: the public names, in one place. docs/library.md shows how to use them.

    from zorora import ResearchEngine, RunOptions

    with ResearchEngine() as engine:
        report = engine.deep_research("Do trees cool streets?")

Errors are of the ZororaError family. Everything that is not named here or in zorora.sources,
zorora.judging and zorora.tools may change between versions.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.models import (
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
from engine.version import own_version

if TYPE_CHECKING:
    from engine.answers import (
        Exported,
        HistoryEntry,
        HistoryQuery,
        JobStatus,
        LibraryHit,
        LoggedEvent,
        RunOptions,
    )
    from engine.extensions import Extensions
    from engine.models import (
        Claim,
        Document,
        Event,
        Evidence,
        Filters,
        Finding,
        Report,
        ResearchState,
        Snapshot,
        Source,
    )
    from engine.reports.about_reports import FollowUp
    from engine.reports.report_document import Answer, AnswerPassage
    from engine.research_engine import ResearchEngine

__all__ = [
    "Answer", "AnswerPassage", "Cancelled", "Claim", "ConfigError", "Conflict", "Document", "Event",
    "Evidence",
    "Exported", "Extensions", "Filters", "Finding", "FollowUp", "HistoryEntry", "HistoryQuery",
    "JobStatus",
    "LibraryHit", "LoggedEvent", "ModelError", "NotFound", "ParseError", "Refused", "Report",
    "ResearchEngine",
    "ResearchState", "RunOptions", "Snapshot", "Source", "SourceError", "StorageError",
    "ZororaError",
]  # fmt: skip

_MODULES = {
    "engine.answers": (
        "Exported", "HistoryEntry", "HistoryQuery", "JobStatus", "LibraryHit", "LoggedEvent",
        "RunOptions",
    ),
    "engine.extensions": ("Extensions",),
    "engine.reports.about_reports": ("FollowUp",),
    "engine.models": (
        "Claim", "Document", "Event", "Evidence", "Filters", "Finding", "Report", "ResearchState",
        "Snapshot", "Source",
    ),
    "engine.reports.report_document": ("Answer", "AnswerPassage"),
    "engine.research_engine": ("ResearchEngine",),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return own_version()
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'zorora' has no attribute {name!r}")
