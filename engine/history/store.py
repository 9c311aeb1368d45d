"""SQL of the history: full text, filters, keyset paging, counts.

With a text, researches are ranked by BM25 where that is cheap and telling: BM25 costs a microsecond for every match,
and a word that nearly every research holds ranks nothing. So the commonest terms are left out of the ranking until at
most RANKED researches are left; whatever the left-out terms find besides follows, newest first.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from engine.answers import HistoryEntry, HistoryPage, HistoryQuery
from engine.history import query as expression
from engine.history.query import WEIGHTS, Cursor, any_of
from engine.records.indexing import TYPE_BITS, moment

RANKED = 8_000
LISTED_TAGS = 50
SNIPPET_TOKENS = 28
SNIPPET_COLUMNS = (3, 4, 2, 5)  # report, claims, note, source titles
ORDERS = ("best", "newest", "oldest", "confidence")

_TEXT = "history_text JOIN marks AS m ON m.number = history_text.rowid"
# FTS5 walks its rows in the order of rowid by itself, so this costs no sorting
_BY_TEXT = {
    "newest": "history_text.rowid DESC",
    "oldest": "history_text.rowid",
    "confidence": "m.confidence DESC, m.number DESC",
}
_BM25 = f"round(bm25(history_text, {', '.join(map(str, WEIGHTS))}), 6)"
_OPEN, _CLOSE = "char(2)", "char(3)"


@dataclass(frozen=True, slots=True)
class Condition:
    """A WHERE clause over `marks AS m` and its values."""

    clauses: tuple[str, ...] = ()
    values: tuple[object, ...] = field(default=())

    def and_(self, clause: str, *values: object) -> "Condition":
        """One more condition."""
        return Condition((*self.clauses, clause), (*self.values, *values))

    @property
    def sql(self) -> str:
        """The clause."""
        return " AND ".join(self.clauses) or "1"


@dataclass(frozen=True, slots=True)
class Hit:
    """One match. position: what it was ordered by; stage as in Cursor."""

    number: int
    position: float = 0.0
    stage: int = 1


@dataclass(frozen=True, slots=True)
class Page:
    """Which page: sort is one of ORDERS."""

    sort: str
    cursor: Cursor | None
    limit: int


def search(connection: sqlite3.Connection, asked: HistoryQuery) -> HistoryPage:
    """One page of the history. Raises NotFound for a cursor that is none."""
    limit = max(1, min(asked.limit, 500))
    cursor = expression.decode(asked.before) if asked.before else None
    sort = asked.sort if asked.sort in ORDERS else "newest"
    condition = conditions(asked)
    terms = expression.terms(asked.text) if asked.text and asked.text.strip() else None
    if terms:
        hits, total = _by_text(connection, terms, condition, Page(sort, cursor, limit + 1))
    elif terms is None:
        hits = _listed(connection, condition, "newest" if sort == "best" else sort, cursor, limit + 1)
        total = _one(connection, f"SELECT count(*) FROM marks AS m WHERE {condition.sql}", condition.values)
    else:  # a text without a single word finds nothing
        hits, total = [], 0
    entries = tuple(_entries(connection, hits[:limit], terms))
    following = hits[limit - 1] if len(hits) > limit else None
    return HistoryPage(
        entries=entries,
        next=expression.encode(Cursor(following.stage, following.position, following.number)) if following else None,
        total=total,
        statuses=_statuses(connection, asked.bin),
        tags=_tags(connection, asked.bin),
    )


def conditions(asked: HistoryQuery) -> Condition:
    """The filters of a query."""
    condition = Condition().and_("m.deleted_at IS NOT NULL" if asked.bin else "m.deleted_at IS NULL")
    if asked.status:
        condition = condition.and_(f"m.status IN ({', '.join('?' * len(asked.status))})", *asked.status)
    if asked.starred:
        condition = condition.and_("m.starred = 1")
    if asked.tag:
        condition = condition.and_("m.number IN (SELECT number FROM tags WHERE tag = ?)", asked.tag)
    if asked.source_type:
        condition = condition.and_("(m.source_types & ?) <> 0", TYPE_BITS.get(asked.source_type, 0))
    if asked.min_confidence is not None:
        condition = condition.and_("m.confidence >= ?", asked.min_confidence)
    # A number is a time, so a span of time is a span of numbers
    if asked.since:
        condition = condition.and_("m.number >= ?", int(moment(asked.since).timestamp() * 1000))
    if asked.until:
        condition = condition.and_("m.number < ?", _end_of(asked.until))
    return condition


def _end_of(until: str) -> int:
    """The first number after a time; a bare date includes its day."""
    day = 86_400_000 if len(until) <= 10 else 1000
    return int(moment(until).timestamp() * 1000) + day


def _listed(
    connection: sqlite3.Connection, condition: Condition, order: str, cursor: Cursor | None, limit: int
) -> list[Hit]:
    """Matches in an order that needs no text."""
    by = {"newest": "m.number DESC", "oldest": "m.number", "confidence": "m.confidence DESC, m.number DESC"}[order]
    return _rows(connection, "marks AS m", _after(condition, order, cursor), by, limit)


def _by_text(
    connection: sqlite3.Connection, terms: list[str], condition: Condition, page: Page
) -> tuple[list[Hit], int]:
    """One page of matches and the number of all."""
    everything = any_of(terms)
    total = _count(connection, everything, condition)
    if page.sort == "best":
        return _best(connection, terms, condition, page), total
    condition = _after(condition, page.sort, page.cursor).and_("history_text MATCH ?", everything)
    return _rows(connection, _TEXT, condition, _BY_TEXT[page.sort], page.limit), total


def _best(connection: sqlite3.Connection, terms: list[str], condition: Condition, page: Page) -> list[Hit]:
    """First what is ranked, then the rest, newest first."""
    everything, cursor, hits = any_of(terms), page.cursor, []
    ranked = _telling(connection, terms)
    if ranked and (cursor is None or cursor.stage == 0):
        hits = _ranked(connection, ranked, condition, cursor, page.limit)
        cursor = None
    if ranked == everything or len(hits) >= page.limit:
        return hits
    rest = expression.all_but(everything, ranked) if ranked else everything
    condition = _after(condition, "newest", cursor).and_("history_text MATCH ?", rest)
    return hits + _rows(connection, _TEXT, condition, _BY_TEXT["newest"], page.limit - len(hits))


def _telling(connection: sqlite3.Connection, terms: list[str]) -> str:
    """The expression whose matches are worth ranking and few enough for it; empty when there is none."""
    found = sorted((n, term) for term in terms if (n := _matches(connection, term)))
    if sum(n for n, _ in found) <= RANKED:
        return any_of(terms)
    kept, total = [], 0
    for n, term in found:
        total += n
        if total > RANKED:
            break
        kept.append(term)
    narrower = (any_of(kept), expression.all_of([term for _, term in found]), expression.in_head(any_of(terms)))
    for match in filter(None, narrower):
        if 0 < _matches(connection, match) <= RANKED:
            return match
    return ""


def _ranked(
    connection: sqlite3.Connection, match: str, condition: Condition, cursor: Cursor | None, limit: int
) -> list[Hit]:
    matched = condition.and_("history_text MATCH ?", match)
    after = Condition()
    if cursor:
        after = after.and_("(position > ? OR (position = ? AND number < ?))", cursor.value, cursor.value, cursor.number)
    sql = (
        f"SELECT number, position FROM"
        f" (SELECT m.number AS number, {_BM25} AS position FROM {_TEXT} WHERE {matched.sql})"
        f" WHERE {after.sql} ORDER BY position, number DESC LIMIT ?"
    )
    rows = connection.execute(sql, (*matched.values, *after.values, limit))
    return [Hit(number, position, stage=0) for number, position in rows]


def _rows(connection: sqlite3.Connection, tables: str, condition: Condition, by: str, limit: int) -> list[Hit]:
    sql = f"SELECT m.number, m.confidence FROM {tables} WHERE {condition.sql} ORDER BY {by} LIMIT ?"
    return [Hit(number, value) for number, value in connection.execute(sql, (*condition.values, limit))]


def _after(condition: Condition, order: str, cursor: Cursor | None) -> Condition:
    if cursor is None:
        return condition
    if order == "confidence":
        return condition.and_("(m.confidence, m.number) < (?, ?)", cursor.value, cursor.number)
    return condition.and_("m.number > ?" if order == "oldest" else "m.number < ?", cursor.number)


def _matches(connection: sqlite3.Connection, match: str) -> int:
    return _one(connection, "SELECT count(*) FROM history_text WHERE history_text MATCH ?", (match,))


def _count(connection: sqlite3.Connection, match: str, condition: Condition) -> int:
    matched = condition.and_("history_text MATCH ?", match)
    return _one(connection, f"SELECT count(*) FROM {_TEXT} WHERE {matched.sql}", matched.values)


def _one(connection: sqlite3.Connection, sql: str, values: Iterable[object]) -> int:
    return int(connection.execute(sql, tuple(values)).fetchone()[0])


def _statuses(connection: sqlite3.Connection, binned: bool) -> dict[str, int]:
    """How many researches have each status, over the whole list: the numbers beside the filters."""
    sql = f"SELECT status, count(*) FROM marks AS m WHERE {_listed_in(binned)} GROUP BY status ORDER BY status"
    return dict(connection.execute(sql).fetchall())


def _tags(connection: sqlite3.Connection, binned: bool) -> dict[str, int]:
    sql = (
        f"SELECT tag, count(*) AS n FROM tags JOIN marks AS m USING (number) WHERE {_listed_in(binned)}"
        " GROUP BY tag ORDER BY n DESC, tag LIMIT ?"
    )
    return dict(connection.execute(sql, (LISTED_TAGS,)).fetchall())


def _listed_in(binned: bool) -> str:
    return "m.deleted_at IS NOT NULL" if binned else "m.deleted_at IS NULL"


def _entries(connection: sqlite3.Connection, hits: list[Hit], terms: list[str] | None) -> list[HistoryEntry]:
    """The hits with everything a list shows, in their order."""
    numbers = [hit.number for hit in hits]
    places = ", ".join("?" * len(numbers))
    sql = (
        "SELECT f.*, m.confidence, m.starred, m.deleted_at FROM research_findings AS f JOIN marks AS m USING (number)"
        f" WHERE number IN ({places})"
    )
    rows = {row["number"]: row for row in connection.execute(sql, numbers)}
    tags: dict[int, tuple[str, ...]] = {}
    for number, tag in connection.execute(f"SELECT number, tag FROM tags WHERE number IN ({places})", numbers):
        tags[number] = (*tags.get(number, ()), tag)
    marked = _marked(connection, numbers, any_of(terms)) if terms else {}
    return [_entry(rows[n], tags.get(n, ()), *marked.get(n, ("", ""))) for n in numbers if n in rows]


def _marked(connection: sqlite3.Connection, numbers: list[int], match: str) -> dict[int, tuple[str, str]]:
    """Question and snippet of each research with the matches marked."""
    snippets = ", ".join(
        f"snippet(history_text, {column}, {_OPEN}, {_CLOSE}, ' … ', {SNIPPET_TOKENS})" for column in SNIPPET_COLUMNS
    )
    sql = (
        f"SELECT highlight(history_text, 0, {_OPEN}, {_CLOSE}), {snippets} FROM history_text"
        " WHERE history_text MATCH ? AND rowid = ?"
    )
    found = {}
    for number in numbers:
        for title, *texts in connection.execute(sql, (match, number)):
            found[number] = (title, next((" ".join(text.split()) for text in texts if "\2" in text), ""))
    return found


def _entry(row: sqlite3.Row, tags: tuple[str, ...], title: str, snippet: str) -> HistoryEntry:
    values: dict[str, Any] = {name: row[name] for name in _SHOWN}
    return HistoryEntry(
        **values,
        depth=row["max_depth"],
        starred=bool(row["starred"]),
        tags=tags,
        title=title or row["query"],
        snippet=snippet or row["summary"],
    )


_SHOWN = (
    "research_id", "query", "status", "created_at", "completed_at", "total_sources", "confidence", "note", "ended_by",
    "deleted_at",
)  # fmt: skip
