"""Nouns of the job table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tools.errors import ZororaError
from workflows.research.kinds import RunStatus

OPEN = (RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.WAITING)
OVER = (RunStatus.COMPLETE, RunStatus.PARTIAL, RunStatus.FAILED, RunStatus.CANCELLED)
# Told as "three times" (orphans.py)
STRIKES = 3  # claims (or starts of a worker) without progress before a job is given up


class Fenced(ZororaError):
    """Another process has taken the job over; this one must stop without writing."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to write to a job: valid as long as the job's epoch is this one.

    elapsed: seconds of work by earlier owners.
    """

    research_id: str
    epoch: int
    elapsed: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """What the events so far say about where a run is.

    phase_number: 1..6 or None before the first. counts: queries, hits, sources (works), pages,
    claims.
    """

    phase: str = ""
    phase_number: int | None = None
    round: int = 0
    rounds: int = 1
    message: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobFacts(RunProgress):
    """What everybody may know of a job. Times are ISO texts.

    status: queued, running, waiting_for_input, complete, partial, failed, cancelled. position:
    place in the queue, 1 = next. problem: a sentence. question / choices: set while it waits for
    input.
    """

    research_id: str
    query: str
    status: str
    depth: int
    created_at: str
    started_at: str | None = None
    finished_at: str | None = None
    elapsed: float = 0.0
    position: int | None = None
    problem: str | None = None
    ended_by: str | None = None
    question: str | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(JobFacts):
    """One row. beat_at, cancel_at: seconds since 1970."""

    options: Mapping[str, Any]
    beat_at: float | None = None
    owner: str | None = None
    cancel_at: float | None = None
    finishing: bool = False
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """step: the step to run next. body: the state as compressed JSON."""

    state_version: int
    step: str
    round: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Ending:
    """How a job ends. finishing: its owner still writes the report of what was found."""

    status: str
    problem: str | None = None
    ended_by: str | None = None
    finishing: bool = False
