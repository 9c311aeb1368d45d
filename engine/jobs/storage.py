"""What a run leaves behind while it runs: its progress events and its last checkpoint."""

import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import error as ZlibError

from engine.answers import LoggedEvent
from engine.jobs.model import OPEN, Checkpoint, Claim, Job, RunProgress
from engine.jobs.store import JobStore
from tools.errors import Conflict
from workflows.research.events import Event

MAX_MESSAGE = 2_000  # characters
MAX_DATA = 16_000  # characters of JSON; an event is a line of a log, not a place for texts
_LEVEL = 1  # zlib: checkpoints are written often and read seldom


class Trail:
    """Events and checkpoints of jobs; only the holder of a claim writes."""

    def __init__(self, jobs: JobStore) -> None:
        self._jobs = jobs
        self._database = jobs.database

    def append(
        self, claim: Claim, events: Sequence[Event], progress: RunProgress, elapsed: float
    ) -> None:
        """Add events after the last one, and say where the run is. Raises Fenced."""
        with self._jobs.holding(claim) as write:
            write_events(write, claim.research_id, events)
            write.execute(
                "UPDATE jobs SET phase = ?, phase_number = ?, round = ?, rounds = ?, message = ?,"
                " counts = ?, elapsed = ? WHERE research_id = ?",
                (
                    progress.phase, progress.phase_number, progress.round, progress.rounds,
                    _without_surrogates(progress.message[:MAX_MESSAGE]),
                    json.dumps(dict(progress.counts)), elapsed, claim.research_id,
                ),
            )  # fmt: skip

    def checkpoint(self, claim: Claim, checkpoint: Checkpoint, saved_at: str) -> None:
        """Replace the job's checkpoint; the count of claims without progress starts again. Raises
        Fenced."""
        with self._jobs.holding(claim) as write:
            _put_checkpoint(write, claim.research_id, checkpoint, saved_at)
            write.execute(
                "UPDATE jobs SET step = ?, claims = 0 WHERE research_id = ?",
                (checkpoint.step, claim.research_id),
            )

    def begin_again(self, job: Job, checkpoint: Checkpoint, saved_at: str) -> None:
        """Queue more work on a research that is over, in front, from this checkpoint. Conflict
        while it is open.

        Its record stays as it is until the work has a report; a job is made where there is none (an
        import).
        """
        with self._database.write() as write:
            research_id = job.research_id
            row = write.execute(
                "SELECT status, finishing FROM jobs WHERE research_id = ?", (research_id,)
            ).fetchone()
            if row is not None and (row["status"] in OPEN or row["finishing"]):
                raise Conflict("This report is already being worked on; wait until it is finished.")
            write.execute(
                "INSERT INTO jobs (research_id, query, depth, options, created_at, step, status,"
                " place, epoch, saved) VALUES (?, ?, ?, ?, ?, ?, 'queued',"
                " (SELECT COALESCE(MIN(place), 1) - 1 FROM jobs), 1, 1)"
                " ON CONFLICT (research_id) DO UPDATE SET status = 'queued',"
                " depth = excluded.depth, options = excluded.options, step = excluded.step,"
                " place = excluded.place, waiter = NULL, spawns = 0, claims = 0,"
                " epoch = epoch + 1, owner = NULL, cancel_at = NULL, term_at = NULL, saved = 1,"
                " finishing = 0, finished_at = NULL, problem = NULL, ended_by = NULL",
                (
                    research_id, job.query, job.depth, json.dumps(job.options), job.created_at,
                    checkpoint.step,
                ),
            )  # fmt: skip
            _put_checkpoint(write, research_id, checkpoint, saved_at)

    def last_checkpoint(self, research_id: str) -> Checkpoint | None:
        row = (
            self._database.read()
            .execute(
                "SELECT state_version, step, round, body FROM checkpoints WHERE research_id = ?",
                (research_id,),
            )
            .fetchone()
        )
        return Checkpoint(*row) if row else None

    def events(self, research_id: str, after: int = 0, limit: int = 500) -> list[LoggedEvent]:
        """Events with a number greater than `after`, in order."""
        rows = self._database.read().execute(
            "SELECT seq, time, elapsed, phase, kind, message, data FROM events"
            " WHERE research_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            (research_id, after, limit),
        )
        return [
            LoggedEvent(kind, phase, message, json.loads(data), elapsed, time, seq)
            for seq, time, elapsed, phase, kind, message, data in rows
        ]

    def forget_events(self, finished_before: str) -> None:
        """Delete the events of jobs whose record holds them since before this time (ISO)."""
        self._database.execute(
            "DELETE FROM events WHERE research_id IN (SELECT research_id FROM jobs"
            " WHERE saved = 1 AND finished_at IS NOT NULL AND finished_at < ?)",
            (finished_before,),
        )


def _put_checkpoint(
    write: sqlite3.Connection, research_id: str, checkpoint: Checkpoint, saved_at: str
) -> None:
    write.execute(
        "INSERT OR REPLACE INTO checkpoints"
        " (research_id, state_version, step, round, saved_at, body) VALUES (?, ?, ?, ?, ?, ?)",
        (
            research_id, checkpoint.state_version, checkpoint.step, checkpoint.round, saved_at,
            checkpoint.body,
        ),
    )  # fmt: skip


def write_events(write: sqlite3.Connection, research_id: str, events: Sequence[Event]) -> None:
    """Number events and add them, inside the caller's transaction."""
    last = write.execute(
        "SELECT COALESCE(MAX(seq), 0) FROM events WHERE research_id = ?", (research_id,)
    ).fetchone()
    rows = [
        (
            research_id, seq, event.time, round(event.elapsed, 3), event.phase, event.kind,
            _without_surrogates(event.message[:MAX_MESSAGE]), _data(event.data),
        )
        for seq, event in enumerate(events, last[0] + 1)
    ]  # fmt: skip
    write.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def pack(value: Mapping[str, Any]) -> bytes:
    """JSON, compressed."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "replace"), _LEVEL)


def unpack(body: bytes) -> dict[str, Any]:
    """The reverse of `pack`. Raises ValueError (zlib.error is turned into one) for anything
    else."""
    try:
        value = json.loads(zlib.decompress(body))
    except ZlibError as error:
        raise ValueError(f"The checkpoint cannot be unpacked: {error}.") from error
    if not isinstance(value, dict):
        raise ValueError("The checkpoint contains no state.")
    return value


def _data(data: Mapping[str, Any]) -> str:
    text = _without_surrogates(json.dumps(dict(data), ensure_ascii=False, default=str))
    return text if len(text) <= MAX_DATA else "{}"


def _without_surrogates(text: str) -> str:
    """Text that SQLite takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
