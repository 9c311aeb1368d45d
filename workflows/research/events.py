"""Progress of a run: one flat event type. Both interfaces show `message`; `data` carries the counts
behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    """What an event tells of; docs/reference.md says when each is sent."""

    RESEARCH_STARTED = "research_started"
    QUERY_ANALYZED = "query_analyzed"
    PLAN_CREATED = "plan_created"
    PHASE_STARTED = "phase_started"
    PHASE_FINISHED = "phase_finished"
    PHASE_SKIPPED = "phase_skipped"
    TASK_STARTED = "task_started"
    TASK_FINISHED = "task_finished"
    TASK_FAILED = "task_failed"
    SOURCE_ANSWERED = "source_answered"
    PAGE_ASKED = "page_asked"
    PAGE_FETCHED = "page_fetched"
    CLAIM_FOUND = "claim_found"
    CONTEXT_FOLDED = "context_folded"
    MODEL_ASKED = "model_asked"
    WAITING_FOR_INPUT = "waiting_for_input"
    SYNTHESIS_STARTED = "synthesis_started"
    SENTENCE_PASSED = "sentence_passed"
    SYNTHESIS_FINISHED = "synthesis_finished"
    RESEARCH_FINISHED = "research_finished"
    NOTE = "note"


# Of interest only while they last: they have no message, and no log keeps them
PASSING = (EventKind.PAGE_ASKED, EventKind.SENTENCE_PASSED)

# The six public phases; understand and plan come before the first.
PHASES = (
    ("aggregate", "Finding sources"),
    ("follow", "Following citations"),
    ("cross_reference", "Comparing sources"),
    ("credibility", "Rating sources"),
    ("graph", "Citation graph"),
    ("synthesis", "Writing the report"),
)


@dataclass(frozen=True, slots=True)
class Event:
    """kind: an EventKind. phase: understand, plan, gaps or a name of PHASES. elapsed: seconds since
    the run began.

    data of source_answered: client, query, found, seconds, problem (None when it answered).
    data of page_asked: url, title, source_id. data of sentence_passed: text, tags, section (0: the
    answer), heading. data of page_fetched: url, title, source_id, ok, problem, characters. data of
    claim_found: claim, sources, voices. data of model_asked: step, about, outcome (used, repaired,
    fell_back), prompt, role, model, calls, problem, tokens_in, tokens_out, cost (None: unknown).
    data of context_folded: exchanges, tokens. data of phase_*: number (1..6 or None), round,
    rounds. data of research_finished: status.

    time: when it happened (ISO), noted where it is stored.
    """

    kind: str
    phase: str
    message: str
    data: Mapping[str, Any] = field(default_factory=dict)
    elapsed: float = 0.0
    time: str = ""
