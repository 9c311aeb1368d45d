"""Rows of the job table as jobs, and what may be done with a job in words."""

import json
import sqlite3
from typing import Any

from engine.jobs.model import STRIKES, Job
from tools.errors import Conflict
from workflows.research.kinds import RunStatus

_PLAIN = (
    "research_id", "query", "depth", "status", "created_at", "started_at", "finished_at", "elapsed",
    "beat_at", "owner", "cancel_at", "phase", "phase_number", "round", "rounds", "message",
    "problem", "ended_by", "question", "answer",
)  # fmt: skip


def job_of(row: sqlite3.Row, position: int | None) -> Job:
    """A row as a job. position: its place in the queue."""
    fields: dict[str, Any] = {name: row[name] for name in _PLAIN}
    return Job(
        **fields,
        options=json.loads(row["options"]),
        finishing=bool(row["finishing"]),
        counts=json.loads(row["counts"]),
        choices=tuple(json.loads(row["choices"])),
        position=position,
    )


def check_may_run_again(job: Job, claims: int, force: bool) -> None:
    """Conflict says why an ended job cannot be queued again."""
    if (
        job.status not in (RunStatus.PARTIAL, RunStatus.FAILED, RunStatus.CANCELLED)
        or job.finishing
    ):
        raise Conflict(why_not(job))
    if job.status == RunStatus.FAILED and claims >= STRIKES and not force:
        raise Conflict(
            job.problem or "The report has failed too often; `zorora resume --force` tries again."
        )


def why_not(job: Job) -> str:
    """Why a job is not to be had, in words."""
    reasons: dict[str, str] = {
        RunStatus.RUNNING: "This report is already running, in another process.",
        RunStatus.WAITING: "This report is waiting for an answer; answer it to continue.",
        RunStatus.COMPLETE: "This report is complete.",
    }
    return reasons.get(job.status, f"This report is {job.status}.")
