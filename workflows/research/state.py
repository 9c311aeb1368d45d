"""ResearchState: everything about one run, frozen. It is the only thing that passes from phase to
phase.

The field names are those of the record "zorora-research/1" (docs/record.md). `to_dict` writes the
record, `from_dict` reads it back; a record read and written again is unchanged.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tools.documents.model import Snapshot
from tools.models.folding import Summary
from tools.sources.source import Source
from workflows.research import codec
from workflows.research.answer.model import Answer, AnswerPassage
from workflows.research.kinds import RecordKind, RunStatus
from workflows.research.model import (
    Authority,
    Claim,
    ClientReport,
    Contradiction,
    DeadEnd,
    Evidence,
    Filters,
    Finding,
    Gap,
    Plan,
    Quality,
    Question,
    RunConfig,
    Search,
    TrajectoryEntry,
    Understanding,
    Usage,
    UserMarks,
)
from workflows.research.report.model import (
    Citation,
    Report,
    ReportSection,
    Sentence,
    Table,
    Turn,
)

FORMAT = codec.FORMAT
STATE_VERSION = 1

__all__ = [
    "FORMAT",
    "STATE_VERSION",
    "Answer",
    "AnswerPassage",
    "Citation",
    "Claim",
    "Contradiction",
    "DeadEnd",
    "Evidence",
    "Filters",
    "Finding",
    "Gap",
    "Question",
    "Report",
    "ReportSection",
    "ResearchState",
    "RunConfig",
    "Sentence",
    "Table",
    "Turn",
    "Usage",
    "UserMarks",
]


@dataclass(frozen=True, slots=True)
class ResearchState:
    original_query: str
    research_id: str = ""
    revision: int = 1
    status: str = RunStatus.RUNNING.value
    ended_by: str | None = None
    as_of: str = ""
    started_at: str = ""
    completed_at: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    config: RunConfig = RunConfig()
    understanding: Understanding = Understanding()
    plan: Plan = Plan()
    sources: tuple[Source, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[Claim, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    findings: tuple[Finding, ...] = ()
    citation_graph: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    authority: tuple[Authority, ...] = ()
    gaps: tuple[Gap, ...] = ()
    dead_ends: tuple[DeadEnd, ...] = ()
    clients: tuple[ClientReport, ...] = ()
    asked: tuple[Search, ...] = ()  # so that no round repeats one
    read: tuple[str, ...] = ()  # source ids whose page was fetched or found unreadable
    round: int = 0
    trajectory: tuple[TrajectoryEntry, ...] = ()
    report: Report | None = None
    synthesis: str = ""
    quality: Quality = Quality()
    usage: Usage = Usage()
    answer: Answer | None = None
    passages: tuple[
        AnswerPassage, ...
    ] = ()  # beyond those of the answer, until they stand in sections
    user: UserMarks = UserMarks()
    conversation: tuple[Turn, ...] = ()
    summaries: tuple[Summary, ...] = ()  # of the turns that were folded
    kind: str = RecordKind.RESEARCH.value

    @property
    def is_conversation(self) -> bool:
        """Whether it is a conversation with a model, for which nothing was searched."""
        return self.kind == RecordKind.ASK

    def source(self, source_id: str) -> Source | None:
        """The source with this id."""
        return next((source for source in self.sources if source.source_id == source_id), None)

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models that worked on this run, by name; those it was to use where none answered (and
        in old records)."""
        used_models = tuple(sorted(name for name in self.usage.models if name))
        return used_models or tuple(sorted(set(self.config.models.values())))

    def get_authoritative_sources(self, top_n: int = 10) -> list[Source]:
        """The sources by authority, highest first; before the graph phase, by credibility; equal
        ones by tag."""
        rank = {entry.source_id: entry.authority for entry in self.authority}

        def key(source: Source) -> tuple[float, float, int, str]:
            score = source.credibility.score if source.credibility else 0.0
            digits = (source.tag or "")[1:10]  # of a record from elsewhere anything may stand here
            number = int(digits) if digits.isdecimal() else 0
            return (-rank.get(source.source_id, 0.0), -score, number, source.source_id)

        return sorted((s for s in self.sources if not s.rejected), key=key)[:top_n]

    def to_dict(self) -> dict[str, Any]:
        """The record as plain JSON values; see `codec.to_record`."""
        return codec.to_record(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "ResearchState":
        """A state from a record of this format or of the older one; unknown keys are ignored."""
        return codec.from_record(cls, record)


def with_answer(state: ResearchState, answer: str | None) -> ResearchState:
    """A waiting state with the user's answer, ready to run again from "understand"."""
    clarification = state.understanding.clarification
    if clarification is None or answer is None:
        return state
    understanding = replace(
        state.understanding, clarification=replace(clarification, answer=answer)
    )
    return replace(state, status=RunStatus.RUNNING, understanding=understanding)
