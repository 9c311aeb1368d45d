"""Emptying the bin, and naming what a removal has left."""

from collections.abc import Callable
from datetime import datetime, timedelta

from engine.bin import store
from tools.database import Database
from tools.documents.snapshots import SnapshotFiles

COARSE = 1.0  # seconds that the clock of a file system may be behind


def empty(
    database: Database, at: datetime, days: timedelta, purge: Callable[[str, str], object]
) -> None:
    """Remove what has lain in the bin for so long. purge: is given an id and the time since when it
    has to be there."""
    with database.write() as connection:
        last = store.last_emptied(connection, at)
    if last is not None:
        before = (last - days).isoformat(timespec="seconds")
        for research_id in store.overdue(database.read(), before):
            purge(research_id, before)


def remaining(database: Database, texts: SnapshotFiles) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Researches that are gone for good, and texts they alone had: what else belongs to them has to
    go as well.

    Those of earlier removals are among them, in case the program that removed them was killed.
    """
    with database.write() as connection:
        rows = store.remaining(connection)
    ids = tuple(name for kind, name, _ in rows if kind == store.RESEARCH)
    return ids, tuple(
        name for kind, name, since in rows if kind == store.TEXT and _is_old(texts, name, since)
    )


def _is_old(texts: SnapshotFiles, snapshot_id: str, since: float) -> bool:
    """Whether a text was not stored anew since it had to go."""
    try:
        return texts.path(snapshot_id).stat().st_mtime < since - COARSE
    except FileNotFoundError:
        return True  # its place in the index may be left
