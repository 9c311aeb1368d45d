"""The bin: emptying it, and what is still to be removed of researches that are gone for good.

The texts of a research, its job and what stands beside its record go after its rows. What is to go
is noted with the rows' end, so that a program that was killed between the two is followed by
another that does the rest.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from engine.records.indexing import moment
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles

RESEARCH, TEXT = "research", "text"
# Tidyings that are told of a removal: one that was killed there, too, is followed by another
OFTEN = 3
COARSE = 1.0  # seconds that the clock of a file system may be behind
ALMOST_A_DAY = timedelta(hours=20)
_IN_BIN = (
    "SELECT research_id FROM marks JOIN research_findings USING (number) WHERE deleted_at <> '' AND"
)


def empty(
    database: Database, at: datetime, days: timedelta, purge: Callable[[str, str], object]
) -> None:
    """Remove what has lain in the bin for so long. purge: is given an id and the time since when it
    has to be there."""
    with database.write() as connection:
        last = last_emptied(connection, at)
    if last is not None:
        before = (last - days).isoformat(timespec="seconds")
        for research_id in overdue(database.read(), before):
            purge(research_id, before)


def remaining(database: Database, texts: SnapshotFiles) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Researches that are gone for good, and texts they alone had: what else belongs to them has to
    go as well.

    Those of earlier removals are among them, in case the program that removed them was killed.
    """
    with database.write() as connection:
        connection.execute("DELETE FROM to_forget WHERE told >= ?", (OFTEN,))
        connection.execute("UPDATE to_forget SET told = told + 1")
        rows = connection.execute(
            "SELECT kind, name, since FROM to_forget WHERE CASE kind"  # what has not come back
            " WHEN 'text' THEN name NOT IN (SELECT snapshot_id FROM research_snapshots)"
            " ELSE name NOT IN (SELECT research_id FROM research_findings) END ORDER BY kind, name"
        ).fetchall()
    ids = tuple(name for kind, name, _ in rows if kind == RESEARCH)
    return ids, tuple(
        name for kind, name, since in rows if kind == TEXT and _is_old(texts, name, since)
    )


def _is_old(texts: SnapshotFiles, snapshot_id: str, since: float) -> bool:
    """Whether a text was not stored anew since it had to go."""
    try:
        return texts.path(snapshot_id).stat().st_mtime < since - COARSE
    except FileNotFoundError:
        return True  # its place in the index may be left


def overdue(connection: sqlite3.Connection, before: str) -> list[str]:
    """Researches that have been in the bin since before an ISO time."""
    rows = connection.execute(f"{_IN_BIN} deleted_at < ? ORDER BY number", (before,))
    return [research_id for (research_id,) in rows]


def is_overdue(connection: sqlite3.Connection, research_id: str, before: str) -> bool:
    """Whether a research has been in the bin since before an ISO time."""
    row = connection.execute(
        f"{_IN_BIN} research_id = ? AND deleted_at < ?", (research_id, before)
    ).fetchone()
    return row is not None


def last_emptied(connection: sqlite3.Connection, at: datetime) -> datetime | None:
    """When the bin was emptied before; None when that was never, less than a day ago, or lies in
    the future.

    Notes the present for the next time. What goes was overdue by that earlier clock: one that was
    set far ahead since then empties nothing, if it is set right within a day.
    """
    row = connection.execute("SELECT emptied_at FROM bin").fetchone()
    last = moment(row[0]) if row else None
    if last is not None and timedelta(0) <= at - last < ALMOST_A_DAY:
        return None
    connection.execute("DELETE FROM bin")
    connection.execute("INSERT INTO bin VALUES (?)", (at.isoformat(timespec="seconds"),))
    return last if last is not None and last <= at else None


def note(connection: sqlite3.Connection, research_id: str, texts: Iterable[str]) -> None:
    """A research is removed for good: what else has to go."""
    since = time.time()
    rows = [(RESEARCH, research_id, since), *((TEXT, text, since) for text in texts)]
    connection.executemany(
        "INSERT OR REPLACE INTO to_forget (kind, name, since) VALUES (?, ?, ?)", rows
    )
