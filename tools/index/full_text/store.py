"""The full-text indexes of corpus.db: what is put into them and what is asked of them.

FTS5 joins words by AND unless told otherwise and has its own operators; every word goes in quotes,
so that nothing in a question is ever an operator.
"""

import json
import re
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, product
from sqlite3 import Connection
from typing import Any

from tools.database import Database
from tools.index.index import EXACT, PAIRS, STEM, Scope
from tools.index.word_frequencies import BUDGET
from tools.search.query import Lookup, any_of

# What a word in the title counts more than one in the body
_WEIGHTS = {STEM: ", 3.0, 1.0", EXACT: ", 3.0, 1.0", PAIRS: ""}
_COLUMNS = (
    (STEM, "title, body", ""),
    (EXACT, "title, body", ""),
    (PAIRS, "pairs", " AND pairs IS NOT NULL"),
)
_FEW_MATCHES = 6  # times the wanted ones: to score all of them is as quick
_PARTS = 5  # of a full-text index, from which it is slower to search than one
_MERGED = 2000  # pages of such an index that are written in one transaction
_MOST_SHARP = 4  # pieces of a word that ss and ß part
_REMEMBERED = 8192  # words, with the number of their chunks
# FTS5 writes what it gathered to disk at the end of each of these statements: the more texts in one
# the better
_INDEX_ROWS = tuple(
    f"INSERT INTO {index} (rowid, {columns}) SELECT chunk_id, {columns} FROM chunks WHERE text_id "
    f">= ?{which}"
    " ORDER BY text_id, chunk_id"
    for index, columns, which in _COLUMNS
)
# An index without text of its own has to be told what was in it
_UNINDEX_ROWS = tuple(
    f"INSERT INTO {index} ({index}, rowid, {columns}) SELECT 'delete', chunk_id, {columns} FROM "
    "chunks"
    f" WHERE text_id = ?{which}"
    for index, columns, which in _COLUMNS
)


class _Waiting(threading.local):
    """The texts of this thread's transaction that are not in the full-text indexes yet: from the
    first on; 0: none.

    is_gathering: whether they wait for the end of it.
    """

    first = 0
    is_gathering = False


class FullText:
    """The three indexes over the chunks of one database, and how many chunks there are."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self._waiting = _Waiting()
        self._counted: tuple[tuple[int, int], dict[tuple[str, Lookup, int], int]] = ((-1, -1), {})

    # what is in them

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction, at whose end the full-text indexes get all texts that were added in
        it."""
        with self.db.write() as connection:
            self._waiting.is_gathering = True
            try:
                yield
                self._index_waiting(connection)
            finally:
                self._waiting.first, self._waiting.is_gathering = 0, False

    def _index_waiting(self, connection: Connection) -> None:
        first, self._waiting.first = self._waiting.first, 0
        for sql in _INDEX_ROWS if first else ():
            connection.execute(sql, (first,))

    def _index_later(self, connection: Connection, text_id: int) -> None:
        """Put a text into the indexes, at the end of the transaction where others follow."""
        self._waiting.first = self._waiting.first or text_id
        if not self._waiting.is_gathering:
            self._index_waiting(connection)

    def _unindex(self, connection: Connection, text_id: int) -> None:
        """Take a text out of the indexes; its chunks must still be there."""
        self._index_waiting(connection)
        for sql in _UNINDEX_ROWS:
            connection.execute(sql, (text_id,))

    def tend(self) -> None:
        """Merge the parts that the full-text indexes consist of, where much of an index lies in
        several small ones.

        An index that grows is written twice for that, and a search looks into one part instead of
        ten.
        """
        for index in (STEM, EXACT):
            sizes = sorted(
                row[0]
                for row in self._tuples(f"SELECT count(*) FROM {index}_idx GROUP BY segid", ())
            )
            if len(sizes) >= _PARTS and sum(sizes) > 1.5 * sizes[-1]:
                self._merge(index)

    def _merge(self, index: str) -> None:
        """In steps, between which others may write; a negative number begins to merge all parts."""
        pages, is_merged = -_MERGED, False
        while not is_merged:
            with self.db.write() as connection:
                before = connection.total_changes
                connection.execute(
                    f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)", (pages,)
                )
                # As FTS5 says that there was nothing to do
                is_merged = connection.total_changes - before < 2
            pages = _MERGED

    # searching

    def matches(
        self, index: str, query: Lookup, scope: Scope | None, limit: int
    ) -> list[tuple[int, float]]:
        """(chunk, BM25 score, higher is better) of the best matches of a query."""
        return self._best_of_many(index, query, scope, limit) or self._matches(
            index, query, scope, limit
        )

    def _matches(
        self,
        index: str,
        query: Lookup,
        scope: Scope | None,
        limit: int,
        among: Sequence[tuple[str, Sequence[str]]] = (),
    ) -> list[tuple[int, float]]:
        """among: words, each with others that stand beside it, of the chunks to be scored; empty:
        all."""
        where, bound = _within(scope)
        if among:
            # The unary plus keeps SQLite from running the query once per chunk
            where += f" AND +rowid IN (SELECT rowid FROM {index} WHERE {index} MATCH ?)"
            bound = (*bound, " OR ".join(_beside(word, others) for word, others in among))
        sql = (
            f"SELECT rowid, -bm25({index}{_WEIGHTS[index]}) AS s FROM {index} WHERE {index} MATCH "
            f"?{where}"
            " ORDER BY s DESC, rowid LIMIT ?"
        )
        return self._tuples(sql, (expression(query), *bound, limit))

    def _best_of_many(
        self, index: str, query: Lookup, scope: Scope | None, limit: int
    ) -> list[tuple[int, float]] | None:
        """The same without scoring all matches; None where there are few, or that cannot be told
        from the words."""
        chunks = self.chunk_count()
        searched, few = scope.chunks if scope else chunks, _FEW_MATCHES * limit
        if query.headed or len(query.words) < 2 or searched < few:
            return None
        from tools.index.full_text.best_matches import (  # a small library needs none of it
            known_words,
            likely_score,
            reaching,
        )

        words = known_words(
            [(word, self.frequency(index, any_of([word]), BUDGET)) for word in query.words], chunks
        )
        if sum(word.chunks for word in words) * searched < few * chunks:
            return None
        least = likely_score(words, chunks, searched, limit)
        for _ in range(2):
            if least <= 0:
                return None
            best = self._matches(index, query, scope, limit, reaching(words, least))
            if len(best) < limit:
                return None
            if best[-1][1] >= least:
                return best
            least = best[-1][1]
        return best

    def scores(self, index: str, query: Lookup, chunk_ids: Collection[int]) -> dict[int, float]:
        """BM25 scores of a query for those of the chunks that match it."""
        sql = (
            f"SELECT rowid, -bm25({index}{_WEIGHTS[index]}) FROM {index} WHERE {index} MATCH ?"
            " AND rowid BETWEEN ? AND ? AND +rowid IN (SELECT value FROM json_each(?))"
        )
        bound = (
            expression(query),
            min(chunk_ids, default=0),
            max(chunk_ids, default=0),
            json.dumps(sorted(chunk_ids)),
        )
        return dict(self._tuples(sql, bound))

    def holding(self, index: str, query: Lookup, scope: Scope | None, limit: int) -> list[int]:
        """The first chunks, at most `limit`, that match a query, in the order of their numbers."""
        where, bound = _within(scope)
        sql = f"SELECT rowid FROM {index} WHERE {index} MATCH ?{where} ORDER BY rowid LIMIT ?"
        return [row[0] for row in self._tuples(sql, (expression(query), *bound, limit))]

    def _tuples(self, sql: str, bound: tuple[object, ...]) -> list[Any]:
        """Rows as plain tuples: hundreds of them are read and thrown away in every search."""
        cursor = self.db.read().cursor()
        cursor.row_factory = None
        return cursor.execute(sql, bound).fetchall()

    def frequency(self, index: str, query: Lookup, at_most: int) -> int:
        """In how many chunks a query matches, counted up to `at_most`; remembered until the chunks
        are others."""
        revision = (self.removals(), self.chunk_count())
        if self._counted[0] != revision or len(self._counted[1]) >= _REMEMBERED:
            self._counted = (revision, {})
        counts, key = self._counted[1], (index, query, at_most)
        if key not in counts:
            sql = f"SELECT count(*) FROM (SELECT 1 FROM {index} WHERE {index} MATCH ? LIMIT ?)"
            counts[key] = self._tuples(sql, (expression(query), at_most))[0][0]
        return counts[key]

    def vocabulary(self, beginning: str) -> list[tuple[str, int]]:
        """(word, number of chunks) of all words that begin so, folded as they are written."""
        sql = "SELECT term, doc FROM chunk_words WHERE term >= ? AND term < ?"
        return [
            (row[0], row[1])
            for row in self.db.read().execute(sql, (beginning, beginning + "\U0010ffff"))
        ]

    def removals(self) -> int:
        return int(self.db.read().execute("SELECT removals FROM index_state").fetchone()[0])

    def chunk_count(self) -> int:
        """About how many chunks there are (the largest number: counting a million rows takes too
        long)."""
        return int(
            self.db.read().execute("SELECT coalesce(max(chunk_id), 0) FROM chunks").fetchone()[0]
        )


def expression(query: Lookup) -> str:
    """A query in FTS5's language; empty without words."""
    matching = _any(query.words)
    if not query.headed:
        return matching
    return f"title : ({matching})" + (
        f" OR (({matching}) AND ({_any(query.beside)}))" if query.beside else ""
    )


def _beside(word: str, others: Sequence[str]) -> str:
    return f"({_any([word])} AND ({_any(others)}))" if others else _any([word])


def _any(words: Sequence[str]) -> str:
    spellings = chain.from_iterable(map(_spellings, words))
    return " OR ".join('"' + spelling.replace('"', '""') + '"' for spelling in spellings)


def _spellings(word: str) -> Iterable[str]:
    """A word with each ss as ß too, and the other way round, which FTS5 keeps apart; one with many
    of them as it is."""
    pieces = re.split("ss|ß", word)
    if not 1 < len(pieces) <= _MOST_SHARP:
        return (word,)
    between = product(("ss", "ß"), repeat=len(pieces) - 1)
    return (
        "".join(chain.from_iterable(zip(pieces, (*joints, ""), strict=True))) for joints in between
    )


def _within(scope: Scope | None) -> tuple[str, tuple[object, ...]]:
    """The part of a condition that keeps a full-text query in a scope, and its values."""
    if scope is None:
        return "", ()
    if len(scope.ranges) == 1:
        return " AND rowid BETWEEN ? AND ?", (scope.first, scope.last)
    if scope.ranges:
        ranges = " OR ".join(["+rowid BETWEEN ? AND ?"] * len(scope.ranges))
        return f" AND rowid BETWEEN ? AND ? AND ({ranges})", (
            scope.first,
            scope.last,
            *chain(*scope.ranges),
        )
    # The unary plus keeps SQLite from running the query once per chunk
    return (
        " AND rowid BETWEEN ? AND ?"
        " AND +rowid IN (SELECT chunk_id FROM chunks WHERE text_id IN (SELECT value FROM "
        "json_each(?)))"
    ), (scope.first, scope.last, json.dumps(scope.text_ids))
