"""The beginning of a run: what was asked, as a first state; or the state of the last checkpoint."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.jobs.model import Checkpoint, Job
from engine.jobs.storage import unpack
from workflows.research import codec
from workflows.research.kinds import RunStatus
from workflows.research.model import RunConfig
from workflows.research.state import STATE_VERSION, ResearchState, with_answer

FIRST_STEP = "understand"
SPENDING = "spending"  # key of a checkpoint, beside those of the state
FURTHER = "further"  # among the options of a job: the question that it searches for
log = logging.getLogger("zorora.worker")


@dataclass(frozen=True, slots=True)
class Beginning:
    """step: the step to run next, None for the first. docs: paths to read before it.

    spending: what clients were asked before that step, as `Spending.plain` says it.
    """

    state: ResearchState
    step: str | None
    docs: tuple[str, ...] = ()
    spending: Mapping[str, Any] = field(default_factory=dict)


def begin(job: Job, checkpoint: Checkpoint | None, now: str) -> Beginning:
    """Where a job goes on. A checkpoint of another version, or a damaged one, starts again from the
    first step with its fetches answered by the store.
    """
    docs = tuple(str(path) for path in job.options.get("docs", ()))
    first = first_state(job, now)
    if checkpoint is None:
        return Beginning(first, None, docs)
    try:
        body = unpack(checkpoint.body)
        state = ResearchState.from_dict({"format": "", **body})
    except (ValueError, TypeError, KeyError, AttributeError):
        log.exception("The checkpoint of %s cannot be read; it starts again.", job.research_id)
        return Beginning(first, None, docs)
    if checkpoint.state_version != STATE_VERSION:
        # The moment the run began stays, so that every rule uses the same date
        first = replace(first, as_of=state.as_of, started_at=state.started_at)
        return Beginning(first, None, docs)
    state = replace(state, status=RunStatus.RUNNING, ended_by=None, completed_at=None)
    return Beginning(
        with_answer(state, job.answer), checkpoint.step or None, docs, body.get(SPENDING) or {}
    )


def first_state(job: Job, now: str) -> ResearchState:
    """The state before the first step. as_of is the day the research was asked for (ISO date)."""
    return ResearchState(
        original_query=job.query,
        research_id=job.research_id,
        as_of=job.created_at[:10],
        started_at=job.started_at or now,
        versions=dict(job.options.get("versions") or {}),
        config=run_config(job.options),
    )


def run_config(options: Mapping[str, Any]) -> RunConfig:
    """The configuration of a run from the options of its job."""
    built: RunConfig = codec.build(RunConfig, dict(options.get("config") or {}))
    return built
