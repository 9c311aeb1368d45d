"""Progress of a run: one flat event type. Both interfaces show `message`; `data` carries the counts behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KINDS = (
    "research_started", "query_analyzed", "plan_created", "phase_started", "phase_finished", "phase_skipped",
    "task_started", "task_finished", "task_failed", "source_answered", "page_asked", "page_fetched", "claim_found",
    "context_folded", "model_asked", "waiting_for_input", "synthesis_started", "sentence_passed",
    "synthesis_finished", "research_finished", "note",
)  # fmt: skip

# Of interest only while they last: they have no message, and no log keeps them
PASSING = ("page_asked", "sentence_passed")

# The six public phases; understand and plan come before the first.
PHASES = (
    ("aggregate", "Aggregating sources"),
    ("follow", "Following citations"),
    ("cross_reference", "Cross-reference"),
    ("credibility", "Credibility"),
    ("graph", "Citation graph"),
    ("synthesis", "Synthesis"),
)


@dataclass(frozen=True, slots=True)
class Event:
    """kind: one of KINDS. phase: understand, plan, gaps or a name of PHASES. elapsed: seconds since the run began.

    data of source_answered: client, query, found, seconds, problem (None when it answered).
    data of page_asked: url, title, source_id. data of sentence_passed: text, tags, section (0: the answer), heading.
    data of page_fetched: url, title, source_id, ok, problem, characters. data of claim_found: claim, sources, voices.
    data of model_asked: step, about, outcome (used, repaired, fell_back), prompt, role, model, calls, problem,
    tokens_in, tokens_out, cost (None: unknown). data of context_folded: exchanges, tokens.
    data of phase_*: number (1..6 or None), round, rounds. data of research_finished: status.
    """

    kind: str
    phase: str
    message: str
    data: Mapping[str, Any] = field(default_factory=dict)
    elapsed: float = 0.0
