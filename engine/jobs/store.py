"""The queue of jobs in zorora.db: who may work on which, in which order, and who may still write.

Every change is one immediate transaction. A claim raises the job's epoch; whoever writes for a job
names the epoch of his claim in the same transaction and gets `Fenced` when it is no longer the
current one.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from engine.ids import unknown
from engine.jobs import orphans, owner as owners
from engine.jobs.model import OPEN, OVER, STRIKES, Claim, Ending, Fenced, Job
from engine.jobs.owner import Owner
from engine.jobs.rows import check_may_run_again, job_of, why_not
from tools.database import Database
from tools.errors import Conflict
from workflows.research.kinds import RunStatus

LISTED = 200  # jobs that ended
PAST = 20  # researches whose time is looked at


class JobStore:
    """parallel: how many jobs run at once over all processes. lease: seconds a silent owner keeps a
    job when nobody can look him up. clock: seconds since 1970. now: the same as ISO text.
    """

    def __init__(
        self,
        database: Database,
        *,
        parallel: int = 2,
        lease: float = 60.0,
        clock: Callable[[], float] = time.time,
        now: Callable[[], str],
    ) -> None:
        self.database = database
        self.parallel = parallel
        self.lease = lease
        self._clock = clock
        self._now = now

    # --- looking

    def find(self, research_id: str) -> Job | None:
        row = self._select("SELECT * FROM jobs WHERE research_id = ?", (research_id,)).fetchone()
        return self._job(row) if row else None

    def get(self, research_id: str) -> Job:
        """The job with this id; NotFound when there is none."""
        job = self.find(research_id)
        if job is None:
            raise unknown(research_id)
        return job

    def jobs(self, *, over: bool) -> list[Job]:
        """Open jobs in the order they run; with `over`, after them, also those that ended, newest
        first."""
        rows = self._select(
            f"SELECT * FROM jobs WHERE status IN {_marks(OPEN)}"
            " ORDER BY status = 'queued', place, research_id",
            OPEN,
        ).fetchall()
        if over:
            rows += self._select(
                f"SELECT * FROM jobs WHERE +status IN {_marks(OVER)}"
                " ORDER BY created_at DESC, research_id LIMIT ?",
                (*OVER, LISTED),
            ).fetchall()
        return [self._job(row) for row in rows]

    def past_seconds(self, depth: int, sources: Collection[str]) -> list[float]:
        """How long the newest complete researches of this depth over these sources took."""
        rows = self._select(
            "SELECT elapsed, options FROM jobs WHERE status = 'complete' AND depth = ?"
            " ORDER BY created_at DESC LIMIT ?",
            (depth, PAST * 5),
        )
        names = set(sources)
        fitting = (
            float(row["elapsed"])
            for row in rows
            if set((json.loads(row["options"]).get("config") or {}).get("sources") or ()) == names
        )
        return list(islice(fitting, PAST))

    def cancel_wanted(self, claim: Claim) -> bool:
        """Whether the user asked to stop. Raises Fenced when somebody else has the job."""
        row = self._select(
            "SELECT epoch, cancel_at FROM jobs WHERE research_id = ?", (claim.research_id,)
        ).fetchone()
        if row is None or row["epoch"] != claim.epoch:
            raise Fenced(f"Another process took over {claim.research_id}.")
        return row["cancel_at"] is not None

    def _select(self, query: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        return self.database.read().execute(query, values)

    # --- queueing

    def add(self, job: Job, *, waiter: Owner | None = None) -> None:
        """Queue a new job, last. waiter: a process that is going to run it itself and is not to be
        helped."""
        options = json.dumps(job.options)
        self.database.execute(
            "INSERT INTO jobs"
            " (research_id, query, depth, options, status, place, created_at, waiter)"
            " VALUES (?, ?, ?, ?, 'queued', (SELECT COALESCE(MAX(place), 0) + 1 FROM jobs), ?, ?)",
            (job.research_id, job.query, job.depth, options, job.created_at, _text(waiter)),
        )

    def requeue(
        self, research_id: str, *, force: bool = False, waiter: Owner | None = None
    ) -> None:
        """Queue a job that ended early (or lost its process) again, in front. Conflict says why it
        cannot be."""
        with self.database.write() as write:
            self._recover(write)
            row = self._row(write, research_id)
            if row["status"] == RunStatus.QUEUED:
                self._wait_for(write, research_id, waiter)
                return
            check_may_run_again(self._job(row), row["claims"], force)
            write.execute(
                "UPDATE jobs SET status = 'queued', waiter = ?, spawns = 0, epoch = epoch + 1,"
                " owner = NULL, cancel_at = NULL, term_at = NULL, finishing = 0,"
                " finished_at = NULL, problem = NULL, ended_by = NULL,"
                " claims = CASE WHEN ? THEN 0 ELSE claims END,"
                " place = (SELECT MIN(place) - 1 FROM jobs) WHERE research_id = ?",
                (_text(waiter), force, research_id),
            )

    def claim(self, research_id: str, me: Owner, *, dedicated: bool = False) -> Claim | None:
        """Take a queued job. None while others are in front and no slot is free; Conflict when it
        is not to be had.

        dedicated: the process does nothing else, so that a cancel nobody hears may end it by a
        signal.
        """
        with self.database.write() as write:
            self._recover(write)
            job = self._job(self._row(write, research_id))
            if job.status != RunStatus.QUEUED:
                raise Conflict(why_not(job))
            if research_id not in self._next(write):
                self._wait_for(write, research_id, me)
                return None
            now = self._clock()
            write.execute(
                "UPDATE jobs SET status = 'running', epoch = epoch + 1, claims = claims + 1,"
                " spawns = 0, owner = ?, waiter = NULL, dedicated = ?, lease_until = ?,"
                " beat_at = ?, cancel_at = NULL, term_at = NULL,"
                " started_at = COALESCE(started_at, ?) WHERE research_id = ?",
                (str(me), dedicated, now + self.lease, now, self._now(), research_id),
            )
            row = write.execute(
                "SELECT epoch, elapsed FROM jobs WHERE research_id = ?", (research_id,)
            ).fetchone()
        return Claim(research_id, row["epoch"], row["elapsed"])

    def reserve(self, me: Owner) -> list[str]:
        """The queued jobs that have a free slot and nobody to run them; they are marked as being
        started by `me`."""
        with self.database.write() as write:
            self._recover(write)
            reserved_ids = []
            for research_id in self._next(write):
                row = self._row(write, research_id)
                if not self._is_gone(row["waiter"], row["lease_until"]):
                    continue
                if row["spawns"] >= STRIKES:
                    problem = "The background process could not be started; see the log."
                    ending = Ending(RunStatus.FAILED, problem, ended_by="error")
                    orphans.give_up(write, research_id, ending, self._now())
                    continue
                self._wait_for(write, research_id, me)
                write.execute(
                    "UPDATE jobs SET spawns = spawns + 1 WHERE research_id = ?", (research_id,)
                )
                reserved_ids.append(research_id)
        return reserved_ids

    def may_start(self) -> bool:
        """Whether a queued job could run now (a look without a lock)."""
        row = self._select(
            "SELECT SUM(status = 'queued') AS queued, SUM(status = 'running') AS running FROM jobs"
            " WHERE status IN ('queued', 'running')"
        ).fetchone()
        return bool(row["queued"]) and (row["running"] or 0) < self.parallel

    def hand_over(self, research_id: str, me: Owner, child: Owner | None) -> None:
        """The started process waits for its job from now on, unless it has it already. None: it did
        not start."""
        self.database.execute(
            "UPDATE jobs SET waiter = ? WHERE research_id = ? AND status = 'queued' AND waiter = ?",
            (_text(child), research_id, str(me)),
        )

    def unsettled(self) -> list[str]:
        """Jobs that are over without a record: their process ended before it could write one."""
        rows = self._select(
            "SELECT research_id FROM jobs"
            f" WHERE saved = 0 AND status IN {_marks(OVER)} AND finishing = 0",
            OVER,
        )
        return [row["research_id"] for row in rows]

    # --- for the owner

    @contextmanager
    def holding(self, claim: Claim) -> Iterator[sqlite3.Connection]:
        """A transaction of the job's owner; Fenced, and nothing written, when the job has another
        owner by now."""
        with self.database.write() as write:
            now = self._clock()
            update = write.execute(
                "UPDATE jobs SET lease_until = ?, beat_at = ? WHERE research_id = ? AND epoch = ?",
                (now + self.lease, now, claim.research_id, claim.epoch),
            )
            if update.rowcount != 1:
                raise Fenced(f"Another process took over {claim.research_id}.")
            yield write

    def beat(self, claim: Claim, elapsed: float) -> None:
        """Say that the owner lives."""
        with self.holding(claim) as write:
            write.execute(
                "UPDATE jobs SET elapsed = ? WHERE research_id = ?", (elapsed, claim.research_id)
            )

    def wait(self, claim: Claim, question: str, choices: Collection[str]) -> None:
        """The job waits for an answer: no process, no lease, no slot."""
        with self.holding(claim) as write:
            write.execute(
                "UPDATE jobs SET status = 'waiting_for_input', question = ?, choices = ?,"
                " answer = NULL, owner = NULL, lease_until = NULL WHERE research_id = ?",
                (question, json.dumps(list(choices)), claim.research_id),
            )

    def end(self, claim: Claim, ending: Ending, *, saved: bool) -> None:
        """Set the final status. saved: the record is written (in the same transaction)."""
        with self.holding(claim) as write:
            write.execute(
                "UPDATE jobs SET status = ?, problem = ?, ended_by = ?, finishing = ?,"
                " saved = MAX(saved, ?), finished_at = ?, question = NULL,"
                " owner = CASE WHEN ? THEN owner END WHERE research_id = ?",
                (
                    ending.status, ending.problem, ending.ended_by, ending.finishing, saved,
                    self._now(), ending.finishing, claim.research_id,
                ),
            )  # fmt: skip
            if ending.status == RunStatus.COMPLETE:
                write.execute("DELETE FROM checkpoints WHERE research_id = ?", (claim.research_id,))

    # --- for everybody

    def answer(self, research_id: str, answer: str) -> None:
        """The first answer wins and puts the job in front of the queue; a later one gets Conflict
        with the first."""
        with self.database.write() as write:
            job = self._job(self._row(write, research_id))
            if job.answer is not None:
                raise Conflict(f"The question has been answered already: {job.answer}")
            if job.status != RunStatus.WAITING:
                raise Conflict("This report is not waiting for an answer.")
            write.execute(
                "UPDATE jobs SET answer = ?, status = 'queued', waiter = NULL, spawns = 0,"
                " claims = 0, place = (SELECT MIN(place) - 1 FROM jobs) WHERE research_id = ?",
                (answer, research_id),
            )

    def cancel(self, research_id: str) -> None:
        """Ask a running job to stop; one that only waits is cancelled at once; an ended one stays
        as it is."""
        with self.database.write() as write:
            job = self._job(self._row(write, research_id))
            if job.status == RunStatus.RUNNING:
                write.execute(
                    "UPDATE jobs SET cancel_at = COALESCE(cancel_at, ?) WHERE research_id = ?",
                    (self._clock(), research_id),
                )
            elif job.status in OPEN:
                ending = Ending(RunStatus.CANCELLED, ended_by="user")
                orphans.give_up(write, research_id, ending, self._now())

    def close_stale(
        self, research_id: str, status: str, problem: str | None, *, saved: bool
    ) -> None:
        """End an open job that came back with an old copy of the database; nobody works on it."""
        with self.database.write() as write:
            ending = Ending(status, problem, ended_by="error")
            orphans.give_up(write, research_id, ending, self._now())
            write.execute("UPDATE jobs SET saved = ? WHERE research_id = ?", (saved, research_id))

    def mark_saved(self, research_id: str) -> None:
        self.database.execute("UPDATE jobs SET saved = 1 WHERE research_id = ?", (research_id,))

    def overdue(self, seconds: float) -> list[tuple[str, Owner, bool]]:
        """Running jobs asked to stop longer ago: (id, owner, whether a gentle signal was sent)."""
        rows = self._select(
            "SELECT research_id, owner, term_at FROM jobs WHERE cancel_at IS NOT NULL"
            " AND dedicated = 1 AND owner IS NOT NULL AND ABS(? - cancel_at) >= ?",
            (self._clock(), seconds),
        )
        return [
            (row["research_id"], owners.read_owner(row["owner"]), row["term_at"] is not None)
            for row in rows
        ]

    def mark_signalled(self, research_id: str) -> None:
        self.database.execute(
            "UPDATE jobs SET term_at = ? WHERE research_id = ?", (self._clock(), research_id)
        )

    def recover(self) -> None:
        """Free the jobs whose process is gone."""
        rows = self._select("SELECT owner, lease_until FROM jobs WHERE owner IS NOT NULL")
        if any(self._is_gone(row["owner"], row["lease_until"]) for row in rows.fetchall()):
            with self.database.write() as write:
                self._recover(write)

    def forget(self, research_id: str) -> None:
        """Remove the job with its events and checkpoint."""
        self.database.execute("DELETE FROM jobs WHERE research_id = ?", (research_id,))

    # --- inside a transaction

    def _recover(self, write: sqlite3.Connection) -> None:
        orphans.recover(write, self._is_gone, self._now())

    def _wait_for(self, write: sqlite3.Connection, research_id: str, waiter: Owner | None) -> None:
        """Note who is going to run a queued job."""
        if waiter:
            write.execute(
                "UPDATE jobs SET waiter = ?, lease_until = ?"
                " WHERE research_id = ? AND status = 'queued'",
                (str(waiter), self._clock() + self.lease, research_id),
            )

    def _next(self, write: sqlite3.Connection) -> list[str]:
        """The queued jobs that may run now, as many as there are free slots."""
        running = write.execute("SELECT COUNT(*) FROM jobs WHERE status = 'running'").fetchone()[0]
        rows = write.execute(
            "SELECT research_id FROM jobs WHERE status = 'queued'"
            " ORDER BY place, research_id LIMIT ?",
            (max(0, self.parallel - running),),
        )
        return [row["research_id"] for row in rows.fetchall()]

    def _is_gone(self, owner: str | None, lease_until: float | None) -> bool:
        return orphans.is_gone(owner, lease_until, self.lease, self._clock())

    def _row(self, write: sqlite3.Connection, research_id: str) -> sqlite3.Row:
        row: sqlite3.Row | None = write.execute(
            "SELECT * FROM jobs WHERE research_id = ?", (research_id,)
        ).fetchone()
        if row is None:
            raise unknown(research_id)
        return row

    def _job(self, row: sqlite3.Row) -> Job:
        return job_of(row, self._position(row) if row["status"] == RunStatus.QUEUED else None)

    def _position(self, row: sqlite3.Row) -> int:
        ahead = self._select(
            "SELECT COUNT(*) FROM jobs WHERE status = 'queued' AND (place, research_id) < (?, ?)",
            (row["place"], row["research_id"]),
        )
        return int(ahead.fetchone()[0]) + 1


def _text(owner: Owner | None) -> str | None:
    return str(owner) if owner else None


def _marks(values: Collection[str]) -> str:
    return f"({', '.join('?' * len(values))})"
