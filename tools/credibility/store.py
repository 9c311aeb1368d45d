"""Retractions, predatory publishers and journals in corpus.db: loading whole lists, looking up
single works."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, replace

from tools.credibility.credibility_tables import Listing, Notice, tables
from tools.credibility.data_list import DataList, ListUpdate
from tools.credibility.journal_files import (
    Parsed,
    Row,
    parse_journals,
    parse_predatory,
    parse_retractions,
)
from tools.database import Database
from tools.errors import ParseError
from tools.sources.source import Mark

_COLUMNS = {
    "retractions": "doi, pmid, title, kind, date, reason, notice",
    "predatory": "kind, name, key, host",
    "journals": "issn, title, key, publisher",
}
_PARSERS: Mapping[str, Callable[[bytes], Parsed]] = {
    "retractions": parse_retractions,
    "predatory": parse_predatory,
    "journals": parse_journals,
}
_LOOKED_UP = 12  # identifiers of one work; it has two or three


class JournalStore:
    """The lists in corpus.db. Lookups are one indexed query each; safe from several threads."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def load(
        self, data: bytes, listing: DataList, *, listed: str = "publisher", at_least: int = 0
    ) -> ListUpdate:
        """Replace the list of this name by the rows of a CSV file. `rows` and `skipped` of
        `listing` are counted here.

        listed: what a predatory list names, publisher or journal. at_least: rows below which the
        file is taken for a part of one. Raises ParseError when the file is of another kind or holds
        too few usable rows; the old list then stays. The change is one transaction: whoever is
        killed in it leaves the old list.
        """
        # Before the transaction: others may write meanwhile
        parsed = (
            parse_predatory(data, listed)
            if listing.kind == "predatory"
            else _PARSERS[listing.kind](data)
        )
        if len(parsed.rows) < at_least:
            raise ParseError(
                f"The file contains only {len(parsed.rows)} usable "
                "rows; it may be a part of the whole one."
            )
        counted = replace(listing, rows=len(parsed.rows), skipped=parsed.skipped)
        self._replace(counted, parsed.rows)
        return ListUpdate(**asdict(counted), notes=parsed.problems)

    def lists(self) -> list[DataList]:
        """The lists that are loaded, by kind and name."""
        rows = self._db.read().execute(
            "SELECT name, kind, origin, dated, loaded_at, rows, skipped FROM quality_lists ORDER "
            "BY kind, name"
        )
        return [DataList(*row) for row in rows]

    def remove(self, name: str) -> None:
        """Forget a list and its rows."""
        self._db.execute("DELETE FROM quality_lists WHERE name = ?", (name,))

    def data_version(self) -> str:
        """Which data scores depend on, for the record: the built-in tables' date and every list
        with its own."""
        builtin = max(notice.dated for notice in tables().predatory_hosts.values())
        parts = [
            f"built-in {builtin}",
            *(f"{listing.name} {listing.dated}" for listing in self.lists()),
        ]
        return "; ".join(parts)

    def notices(self, dois: Sequence[str], pmid: str | None) -> list[Notice]:
        """Retractions, concerns, corrections and reinstatements of the work, oldest first."""
        keys = [doi.lower() for doi in dois[:_LOOKED_UP]]
        rows = self._db.read().execute(
            "SELECT r.title, r.kind, r.date, r.reason, r.notice, l.name, l.dated FROM retractions r"
            " JOIN quality_lists l ON l.name = r.list WHERE r.rowid IN ("
            f" SELECT rowid FROM retractions WHERE doi IN ({_marks(keys)})"
            " UNION SELECT rowid FROM retractions WHERE pmid = ?) ORDER BY r.date, r.rowid",
            (*keys, pmid),
        )
        return [
            Notice(
                row["title"],
                Mark(row["kind"], f"{row['name']}, {row['dated']}", row[2], row[3], row[4]),
            )
            for row in rows
        ]

    def predatory(self, hosts: Sequence[str], names: Sequence[str]) -> Listing | None:
        """The listing of one of the hosts, else of one of the normalised names."""
        for column, values in (("host", hosts), ("key", names)):
            keys = [value for value in values[:_LOOKED_UP] if value]
            row = (
                self._db.read()
                .execute(
                    f"SELECT p.name, l.name AS list, l.dated, p.{column} AS matched FROM predatory "
                    "p"
                    f" JOIN quality_lists l ON l.name = p.list WHERE p.{column} IN ({_marks(keys)})"
                    " ORDER BY p.name, l.name LIMIT 1",
                    keys,
                )
                .fetchone()
            )
            if row:
                return Listing(row["name"], row["list"], row["dated"], row["matched"])
        return None

    def open_access(self, issns: Sequence[str], title: str) -> str | None:
        """The title of the open-access journal with one of the ISSNs, else with this normalised
        title."""
        keys = list(issns[:_LOOKED_UP])
        db = self._db.read()
        row = db.execute(
            f"SELECT title FROM journals WHERE issn IN ({_marks(keys)}) ORDER BY title LIMIT 1",
            keys,
        ).fetchone()
        if row is None and title:
            row = db.execute(
                "SELECT title FROM journals WHERE key = ? ORDER BY title LIMIT 1", (title,)
            ).fetchone()
        return str(row["title"]) if row else None

    def _replace(self, listing: DataList, rows: Sequence[Row]) -> None:
        columns = _COLUMNS[listing.kind]
        marks = _marks(columns.split(","))
        with self._db.write() as connection:
            connection.execute("DELETE FROM quality_lists WHERE name = ?", (listing.name,))
            connection.execute(
                "INSERT INTO quality_lists (name, kind, origin, dated, loaded_at, rows, skipped)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                astuple(listing),
            )
            connection.executemany(
                f"INSERT INTO {listing.kind} (list, {columns}) VALUES (?, {marks})",
                ((listing.name, *row) for row in rows),
            )


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
