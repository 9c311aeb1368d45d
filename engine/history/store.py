"""SQL of the history: full text, filters, keyset paging, counts.

With a text, researches are ranked by BM25 where that is cheap and telling: BM25 costs a microsecond
for every match, and a word that nearly every research holds ranks nothing. So the commonest terms
are left out of the ranking until at most RANKED researches are left; whatever the left-out terms
find besides follows, newest first.
"""

import sqlite3
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from engine.answers import HistoryEntry, HistoryPage, HistoryQuery
from engine.history import query as expression
from engine.history.excerpt import Marker
from engine.history.query import WEIGHTS, Cursor, any_of
from engine.records.indexing import TYPE_BITS, clean, moment
from engine.records.store import BINNED
from tools.open_databases import DamagedDatabase
from workflows.research.kinds import RecordKind

RANKED = 5_000
LISTED_TAGS = 50
MAX_STATUSES = 20
EXCERPTED = ("report", "claims", "note", "sources")  # in this order an excerpt is looked for
ORDERS = ("best", "newest", "oldest", "confidence")

_BM25 = f"round(bm25(history_text, {', '.join(map(str, WEIGHTS))}), 6)"
_ORDER_BY = {
    "newest": "{n} DESC",
    "oldest": "{n}",
    "confidence": "m.confidence DESC, m.number DESC",
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A WHERE clause and its values. tables: where its rows come from; number: the column that
    numbers them."""

    tables: str
    number: str
    clauses: tuple[str, ...] = ()
    values: tuple[object, ...] = ()

    def and_(self, clause: str, *values: object) -> "Condition":
        """One more condition."""
        return replace(self, clauses=(*self.clauses, clause), values=(*self.values, *values))

    @property
    def sql(self) -> str:
        """FROM and WHERE."""
        return f"FROM {self.tables} WHERE {' AND '.join(self.clauses) or '1'}"


@dataclass(frozen=True, slots=True)
class Page:
    """Which page: sort is one of ORDERS."""

    sort: str
    cursor: Cursor | None
    limit: int


def search(connection: sqlite3.Connection, query: HistoryQuery) -> HistoryPage:
    """One page of the history. Raises NotFound for a cursor that is none."""
    limit = max(1, min(query.limit, 500))
    cursor = expression.decode(query.before) if query.before else None
    page = Page(query.sort if query.sort in ORDERS else "newest", cursor, limit + 1)
    terms = expression.terms(query.text) if query.text and query.text.strip() else None
    if terms:
        hits, total = TextSearch(connection, query, terms, page).matches()
    elif terms is None:
        hits, total = _listed(connection, query, page)
    else:  # a text without a single word finds nothing
        hits, total = [], 0
    following = hits[limit - 1] if len(hits) > limit else None
    return HistoryPage(
        entries=tuple(_entries(connection, hits[:limit], terms)),
        next=expression.encode(following) if following else None,
        total=total,
        statuses=_statuses(connection, query.bin),
        tags=_tags(connection, query.bin),
    )


class TextSearch:
    """A search with a text. The table marks is joined only when a filter or an order needs it."""

    def __init__(
        self, connection: sqlite3.Connection, query: HistoryQuery, terms: list[str], page: Page
    ) -> None:
        self._connection = connection
        self._terms = terms
        self._page = page
        self._binned = query.bin
        number = "history_text.rowid"
        filters = _filtered(Condition("history_text", number), query)
        if filters.clauses or page.sort == "confidence":
            filters = replace(
                filters, tables=f"history_text JOIN marks AS m ON m.number = {number}"
            )
        self._filters = _in_time(filters, query)

    def matches(self) -> tuple[list[Cursor], int]:
        """The matches of the page, and how many there are in all."""
        everything = any_of(self._terms)
        total = _count(self._connection, self._matching(everything))
        if self._page.sort == "best":
            return self._best(everything), total
        return _rows(self._connection, self._matching(everything), self._page), total

    def _best(self, everything: str) -> list[Cursor]:
        """First what is ranked, then the rest, newest first."""
        cursor, limit, hits = self._page.cursor, self._page.limit, []
        ranked = self._telling()
        if ranked and (cursor is None or cursor.stage == 0):
            hits, cursor = self._ranked(ranked, cursor), None
        if ranked == everything or len(hits) >= limit:
            return hits
        rest = f"({everything}) NOT ({ranked})" if ranked else everything
        return hits + _rows(
            self._connection, self._matching(rest), Page("newest", cursor, limit - len(hits))
        )

    def _telling(self) -> str:
        """The expression whose matches are worth ranking and few enough for it; empty when there is
        none."""
        counts = sorted((n, term) for term in self._terms if (n := self._matches(term)))
        if sum(n for n, _ in counts) <= RANKED:
            return any_of(self._terms)
        # The rarest terms, as many as together stay below the limit
        sums = accumulate(n for n, _ in counts)
        if telling := [
            term for (_, term), total in zip(counts, sums, strict=True) if total <= RANKED
        ]:
            return any_of(telling)
        every_term = " AND ".join(term for _, term in counts)
        any_in_head = f"{{query tags note}} : ({any_of(self._terms)})"
        narrower = (every_term, any_in_head)
        return next((match for match in narrower if 0 < self._matches(match) <= RANKED), "")

    def _ranked(self, match: str, cursor: Cursor | None) -> list[Cursor]:
        condition, after = self._matching(match), "1"
        values: tuple[float, ...] = ()
        if cursor:
            after, values = (
                "(position > ? OR (position = ? AND number < ?))",
                (cursor.value, cursor.value, cursor.number),
            )
        sql = (
            f"SELECT number, position FROM (SELECT {condition.number} AS number, {_BM25} AS "
            f"position {condition.sql})"
            f" WHERE {after} ORDER BY position, number DESC LIMIT ?"
        )
        rows = self._connection.execute(sql, (*condition.values, *values, self._page.limit))
        return [Cursor(0, position, number) for number, position in rows]

    def _matching(self, match: str) -> Condition:
        state = "AND" if self._binned else "NOT"
        return self._filters.and_(
            "history_text MATCH ?", f"({match}) {state} state : {expression.quote(BINNED)}"
        )

    def _matches(self, match: str) -> int:
        """How many researches match, whatever the filters; counted up to one more than are
        ranked."""
        sql = "SELECT count(*) FROM (SELECT 1 FROM history_text WHERE history_text MATCH ? LIMIT ?)"
        return int(self._connection.execute(sql, (match, RANKED + 1)).fetchone()[0])


def _listed(
    connection: sqlite3.Connection, query: HistoryQuery, page: Page
) -> tuple[list[Cursor], int]:
    """A page of the list without a text."""
    condition = Condition("marks AS m", "m.number").and_(_listed_in(query.bin))
    condition = _in_time(_filtered(condition, query), query)
    sort = "newest" if page.sort == "best" else page.sort
    return _rows(connection, condition, replace(page, sort=sort)), _count(connection, condition)


def _filtered(condition: Condition, query: HistoryQuery) -> Condition:
    """The filters that need the table marks."""
    if query.status:
        statuses = [clean(status) for status in query.status[:MAX_STATUSES]]
        condition = condition.and_(f"m.status IN ({', '.join('?' * len(statuses))})", *statuses)
    if query.starred:
        condition = condition.and_("m.starred = 1")
    if query.tag:
        condition = condition.and_(
            "m.number IN (SELECT number FROM tags WHERE tag = ?)", clean(query.tag)
        )
    if query.kind:
        # Few are no researches, and an index holds those
        others = "SELECT number FROM research_findings WHERE kind <> 'research'"
        if query.kind == RecordKind.RESEARCH:
            condition = condition.and_(f"m.number NOT IN ({others})")
        else:
            condition = condition.and_(f"m.number IN ({others} AND kind = ?)", clean(query.kind))
    if query.source_type:
        condition = condition.and_("(m.source_types & ?) <> 0", TYPE_BITS.get(query.source_type, 0))
    if query.min_confidence is not None:
        condition = condition.and_("m.confidence >= ?", query.min_confidence)
    return condition


def _in_time(condition: Condition, query: HistoryQuery) -> Condition:
    """A number is a time, so a span of time is a span of numbers. A bare date in `until` includes
    its day."""
    if query.since and (since := moment(query.since)):
        condition = condition.and_(f"{condition.number} >= ?", int(since.timestamp() * 1000))
    if query.until and (until := moment(query.until)):
        day = 86_400_000 if len(query.until) <= 10 else 1000
        condition = condition.and_(f"{condition.number} < ?", int(until.timestamp() * 1000) + day)
    return condition


def _rows(connection: sqlite3.Connection, condition: Condition, page: Page) -> list[Cursor]:
    """A page in one of the orders that need no rank; FTS5 walks its rows in the order of numbers by
    itself."""
    number, cursor, by_confidence = condition.number, page.cursor, page.sort == "confidence"
    if cursor and by_confidence:
        condition = condition.and_("(m.confidence, m.number) < (?, ?)", cursor.value, cursor.number)
    elif cursor:
        condition = condition.and_(
            f"{number} {'>' if page.sort == 'oldest' else '<'} ?", cursor.number
        )
    position = "m.confidence" if by_confidence else "0.0"
    order = _ORDER_BY[page.sort].format(n=number)
    rows = connection.execute(
        f"SELECT {position}, {number} {condition.sql} ORDER BY {order} LIMIT ?",
        (*condition.values, page.limit),
    )
    return [Cursor(1, *row) for row in rows]


def _count(connection: sqlite3.Connection, condition: Condition) -> int:
    return int(
        connection.execute(f"SELECT count(*) {condition.sql}", condition.values).fetchone()[0]
    )


def _statuses(connection: sqlite3.Connection, binned: bool) -> dict[str, int]:
    """How many researches have each status, over the whole list: the numbers beside the filters."""
    sql = (
        f"SELECT status, count(*) FROM marks AS m WHERE {_listed_in(binned)} GROUP BY status "
        "ORDER BY status"
    )
    return dict(connection.execute(sql).fetchall())


def _tags(connection: sqlite3.Connection, binned: bool) -> dict[str, int]:
    sql = (
        "SELECT tag, count(*) AS n FROM tags JOIN marks AS m USING (number) WHERE "
        f"{_listed_in(binned)}"
        " GROUP BY tag ORDER BY n DESC, tag LIMIT ?"
    )
    return dict(connection.execute(sql, (LISTED_TAGS,)).fetchall())


def _listed_in(binned: bool) -> str:
    return "m.deleted_at IS NOT NULL" if binned else "m.deleted_at IS NULL"


def _entries(
    connection: sqlite3.Connection, hits: list[Cursor], terms: list[str] | None
) -> list[HistoryEntry]:
    """The hits with everything a list shows, in their order."""
    numbers = [hit.number for hit in hits]
    places = ", ".join("?" * len(numbers))
    sql = (
        "SELECT f.*, m.confidence, m.starred, m.deleted_at FROM research_findings AS f JOIN marks "
        "AS m USING (number)"
        f" WHERE number IN ({places})"
    )
    rows = {row["number"]: row for row in connection.execute(sql, numbers)}
    tags: dict[int, tuple[str, ...]] = {}
    for number, tag in connection.execute(
        f"SELECT number, tag FROM tags WHERE number IN ({places})", numbers
    ):
        tags[number] = (*tags.get(number, ()), tag)
    marker = Marker(terms) if terms else None
    return [_entry(connection, rows[n], tags.get(n, ()), marker) for n in numbers if n in rows]


def _entry(
    connection: sqlite3.Connection, row: sqlite3.Row, tags: tuple[str, ...], marker: Marker | None
) -> HistoryEntry:
    values: dict[str, Any] = {name: row[name] for name in _SHOWN}
    if any(not isinstance(row[name], kinds) for name, kinds in _KINDS.items()):
        file = Path(connection.execute("PRAGMA database_list").fetchone()["file"])
        raise DamagedDatabase(file, "a value in it is of another kind than its column")
    return HistoryEntry(
        **values,
        depth=row["max_depth"],
        starred=bool(row["starred"]),
        tags=tags,
        title=marker.mark(row["query"]) if marker else row["query"],
        snippet=(_excerpt(connection, row["number"], marker) if marker else "") or row["summary"],
    )


def _excerpt(connection: sqlite3.Connection, number: int, marker: Marker) -> str:
    """The best stretch of a research's texts, with the matches marked; empty when only its question
    matches."""
    sql = f"SELECT {', '.join(EXCERPTED)} FROM history_text WHERE rowid = ?"
    texts = connection.execute(sql, (number,)).fetchone() or ()
    written = (text for text in texts if isinstance(text, str))  # a damaged page may hold anything
    return next(filter(None, map(marker.excerpt, written)), "")


_SHOWN = (
    "research_id", "query", "status", "created_at", "completed_at", "total_sources", "confidence",
    "note", "ended_by", "deleted_at", "kind",
)  # fmt: skip
# SQLite keeps any kind of value in any column, and a damaged page may hold one of another table
_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("research_id", "query", "status", "created_at", "summary", "note", "kind"), (str,)
    ),
    **dict.fromkeys(("completed_at", "ended_by", "deleted_at"), (str, type(None))),
    **dict.fromkeys(("total_sources", "max_depth", "starred"), (int,)),
    "confidence": (int, float),
}
