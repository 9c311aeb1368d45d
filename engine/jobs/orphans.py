"""Jobs that no process works on any more: queued again at their old place, or over.

Everything here happens inside the caller's transaction.
"""

import sqlite3
from collections.abc import Callable

from engine.jobs import owner as owners
from engine.jobs.model import STRIKES, Ending
from workflows.research.kinds import RunStatus


def is_gone(owner: str | None, lease_until: float | None, lease: float, now: float) -> bool:
    """Whether a process is gone; where nobody can tell, its lease decides.

    lease: its length. now: like lease_until, in seconds since 1970.
    """
    if not owner:
        return True
    fate = owners.fate(owners.read_owner(owner))
    if fate != "unknown":
        return fate == "gone"
    # A lease that ends far in the future was written before the clock was set back
    return lease_until is None or not lease_until - 10 * lease < now < lease_until


def recover(
    write: sqlite3.Connection, has_ended: Callable[[str | None, float | None], bool], now: str
) -> None:
    """Free every job whose process is gone.

    has_ended: says it of an owner and the end of his lease. now: as ISO text.
    """
    for row in write.execute("SELECT * FROM jobs WHERE owner IS NOT NULL").fetchall():
        if not has_ended(row["owner"], row["lease_until"]):
            continue
        research_id = row["research_id"]
        # Whoever is declared gone must not write any more
        write.execute(
            "UPDATE jobs SET finishing = 0, epoch = epoch + 1, owner = NULL WHERE research_id = ?",
            (research_id,),
        )
        if row["status"] != RunStatus.RUNNING:
            continue
        if row["cancel_at"] is not None:
            give_up(write, research_id, Ending(RunStatus.CANCELLED, ended_by="user"), now)
        elif row["claims"] >= STRIKES:
            where = row["step"] or "the beginning"
            problem = (
                f"The report stopped three times at {where}. `zorora resume --force` tries again."
            )
            give_up(write, research_id, Ending(RunStatus.FAILED, problem, "error"), now)
        else:
            write.execute(
                "UPDATE jobs SET status = 'queued', spawns = 0 WHERE research_id = ?",
                (research_id,),
            )


def give_up(write: sqlite3.Connection, research_id: str, ending: Ending, now: str) -> None:
    """End a job that has no process; there is no record of it yet."""
    write.execute(
        "UPDATE jobs SET status = ?, problem = ?, ended_by = ?, owner = NULL, waiter = NULL,"
        " epoch = epoch + 1, saved = 0, finishing = 0, finished_at = ?, question = NULL"
        " WHERE research_id = ?",
        (ending.status, ending.problem, ending.ended_by, now, research_id),
    )
