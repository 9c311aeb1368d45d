"""What the database knows of the saved researches: their rows, the history, and what they refer
to."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Concatenate, ParamSpec, TypeVar

from engine.answers import HistoryPage, HistoryQuery
from engine.history import store as history_store
from engine.ids import is_research_id, unknown
from engine.records import store
from engine.records.indexing import clean
from engine.records.store import RecordRow
from tools.database import Database
from tools.errors import StorageError

T = TypeVar("T")
P = ParamSpec("P")


class RecordIndex:
    """The researches as the database has them; no record file is opened.

    Every look raises StorageError, a sentence, when the database cannot be read.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def has(self, research_id: str) -> bool:
        """Whether a research is saved (the bin included)."""
        return self.row_of(research_id) is not None

    def row_of(self, research_id: str) -> RecordRow | None:
        """What the database knows of the record of a research; None when it is unknown."""
        return self.read(store.find_row, research_id) if is_research_id(research_id) else None

    def require(self, research_id: str) -> RecordRow:
        """What the database knows of the record of a research. Raises NotFound."""
        row = self.row_of(research_id)
        if row is None:
            raise unknown(research_id)
        return row

    def history(self, query: HistoryQuery | None) -> HistoryPage:
        """One page of the history. Raises NotFound for a cursor that is none."""
        return self.read(history_store.search, query or HistoryQuery())

    def search_research(self, query: str | None = None, limit: int = 10) -> list[dict[str, Any]]:
        """Researches that match a text, best first; without one, the newest. One plain mapping
        each."""
        sort = "best" if query and query.strip() else "newest"
        page = self.history(HistoryQuery(text=query, sort=sort, limit=limit))
        return [self.read(_as_dict, asdict(entry)) for entry in page.entries]

    def beginning(self, start: str, limit: int = 30) -> list[tuple[str, str]]:
        """(id, question) of kept researches whose id begins so; see engine/records/store.py."""
        return self.read(store.beginning, clean(start), limit)

    def ids(self) -> list[str]:
        """Every saved research, the bin included, oldest first."""
        return [row.research_id for row in self.read(store.all_rows)]

    def snapshots_in_use(self) -> set[str]:
        """Every snapshot a research refers to, those in the bin included."""
        return self.read(store.snapshots_in_use)

    def stats(self) -> dict[str, int]:
        """Counts: research_findings, sources, citations, claims, memory_notes, starred, in_bin;
        bytes of the file."""
        return self.read(store.counts)

    def read(
        self, look: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **more: P.kwargs
    ) -> T:
        """One look into the database."""
        with self.as_sentences():
            return look(self.database.read(), *args, **more)

    @contextmanager
    def as_sentences(self) -> Iterator[None]:
        """Faults of the database as sentences."""
        try:
            yield
        except StorageError:
            raise
        except sqlite3.DatabaseError as error:
            raise StorageError(
                f"{self.database.path} cannot be read ({error}). `zorora doctor` says what is "
                "wrong with it, `zorora repair-db` rebuilds it."
            ) from error


def _as_dict(connection: sqlite3.Connection, entry: dict[str, Any]) -> dict[str, Any]:
    row = store.finding(connection, entry["research_id"])
    return {**row, **entry, "tags": list(entry["tags"]), "max_depth": entry["depth"]}
