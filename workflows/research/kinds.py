"""What a run can be at, what a record can be of, and whether a question is answered."""

from enum import StrEnum


class RunStatus(StrEnum):
    """Where a run is. The last four are the ends; PARTIAL has a report of what was found until
    then."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting_for_input"
    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"


class RecordKind(StrEnum):
    """RESEARCH: a report. SEARCH: a quick search. ASK: a conversation with a model, nothing
    searched."""

    RESEARCH = "research"
    SEARCH = "search"
    ASK = "ask"


class AnswerStatus(StrEnum):
    """Whether the texts answer a question, or each part of it."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    NOT_FOUND = "not_found"
