"""The chunk index (tools/index/index.py) in PostgreSQL, with its full-text search.

The vectors, with pgvector, are in vectors.py.

Matching is done by a GIN index over tsvectors. Ranking goes in two steps, since PostgreSQL's own
ranks know nothing of rare and common words: ts_rank of each word times the rarity of the word
chooses the matches worth a closer look, and these are ranked by BM25 (Robertson; k1 1.2, b 0.75,
the formula of FTS5) from the places of their words.
"""

import math
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from tools.database import Database
from tools.errors import StorageError
from tools.index.index import PAIRS, ChunkRow, NewChunk, Scope
from tools.index.postgres import fulltext
from tools.index.postgres.connection import Postgres
from tools.index.postgres.migrations import migrate
from tools.index.postgres.vectors import PostgresVectors, within
from tools.search.query import Lookup

_ROUGH = 500  # matches that are ranked exactly, at least
# Chunks up to which words are counted; above, the planner's statistics answer for common ones
_COUNTED = 40_000
_GROWN = 0.02  # by which part the collection may change before its averages are asked for again
_LEXEMES_KNOWN = 50_000
# seconds; a search asks fifty times how many chunks there are, and each time is a way to the server
_COUNT_HOLDS = 1.0

_COLUMNS = (
    "c.chunk_id, c.text_id, t.snapshot_id, c.start_at, c.end_at, c.section_id, c.title, c.body"
)
_ADD = (
    "WITH new AS (INSERT INTO texts (snapshot_id, title, kind, characters, chunks, words, pairs, "
    "paired)"
    " VALUES (:one, :title, :kind, :characters, cardinality(:starts::int[]), :total, :total_pairs, "
    ":paired)"
    " ON CONFLICT (snapshot_id) DO NOTHING RETURNING text_id), numbered AS"
    " (SELECT nextval('chunks_chunk_id_seq') AS chunk_id, text_id, r.* FROM"
    " new, unnest(:starts::int[], :ends::int[], :sections::text[], :titles::text[], "
    ":bodies::text[], :sizes::int[],"
    " :pairs::int[], :vectors::text[]) AS r (start_at, end_at, section_id, title, body, words, "
    "pairs, vector)), cut AS"
    " (INSERT INTO chunks (chunk_id, text_id, start_at, end_at, section_id, title, body) "
    "OVERRIDING SYSTEM VALUE"
    " SELECT chunk_id, text_id, start_at, end_at, section_id, title, body FROM numbered), indexed "
    "AS"
    " (INSERT INTO chunk_words (chunk_id, text_id, words, pairs, lexemes)"
    " SELECT chunk_id, text_id, words, pairs, vector::tsvector FROM numbered) SELECT count(*) FROM "
    "new"
)
# One rank per word: one for the whole query would count a common word as much as a rare one
_ROUGHLY = (
    "SELECT w.chunk_id FROM chunk_words w CROSS JOIN LATERAL"
    " (SELECT sum(q.idf * ts_rank(:weights::real[], w.lexemes, q.part)) AS score"
    " FROM unnest(:parts::tsquery[], :idfs::float8[]) AS q (part, idf)) AS r WHERE w.lexemes @@ "
    ":query::tsquery{where}"
    " ORDER BY r.score / (1.3 + 0.9 * w.{size} / :mean::float8) DESC, w.chunk_id LIMIT :rough"
)
_BM25 = (
    "SELECT w.chunk_id, sum(q.idf * 2.2 * f.n / (f.n + 0.3 + 0.9 * w.{size} / :mean::float8)) FROM "
    "chunk_words w"
    " CROSS JOIN LATERAL unnest(w.lexemes) AS u JOIN unnest(:lexemes::text[], :idfs::float8[]) AS "
    "q (lexeme, idf)"
    " ON q.lexeme = u.lexeme CROSS JOIN LATERAL (SELECT cardinality(u.positions)"
    " + :more::float8 * cardinality(array_positions(u.weights, 'A')) AS n) AS f"
    " WHERE w.chunk_id = ANY(:ids::bigint[]) GROUP BY w.chunk_id"
)


class PostgresIndex:
    """The index in one database, which is brought up to date when it is opened.

    local: the database of the documents; a removal waits until whatever asks for it is committed
    there.
    """

    def __init__(self, server: Postgres, local: Database | None = None) -> None:
        self.server, self._local = server, local
        self._means: Mapping[str, float] = {}
        self._chunk_count = 0  # chunks when the means were asked for
        self._chunks, self._counted_until = 0, 0.0
        self._models: dict[str, PostgresVectors] = {}
        self._counts: dict[str, int] = {}
        try:
            server.whole(migrate)
        except StorageError:
            server.close()
            raise

    # texts and chunks

    def has(self, snapshot_id: str) -> int | None:
        rows = self.server.run("SELECT chunks FROM texts WHERE snapshot_id = :one", one=snapshot_id)
        return int(rows[0][0]) if rows else None

    def add(
        self, snapshot_id: str, title: str, kind: str, characters: int, rows: Sequence[NewChunk]
    ) -> None:
        vectors = [fulltext.vector(row) for row in rows]
        added = self.server.run(
            _ADD,
            one=snapshot_id,
            title=title,
            kind=kind,
            characters=characters,
            total=sum(_column(vectors, "words")),
            total_pairs=sum(_column(vectors, "pairs")),
            paired=sum(vector.pairs > 0 for vector in vectors),
            starts=_column(rows, "start"),
            ends=_column(rows, "end"),
            sections=_column(rows, "section_id"),
            titles=_column(rows, "title"),
            bodies=_column(rows, "body"),
            sizes=_column(vectors, "words"),
            pairs=_column(vectors, "pairs"),
            vectors=_column(vectors, "text"),
        )
        self._counted_until = 0.0
        if not added[0][0] and kind == "document":
            self.server.run(
                "UPDATE texts SET kind = :kind WHERE snapshot_id = :one", kind=kind, one=snapshot_id
            )

    def together(self) -> AbstractContextManager[None]:
        return nullcontext()

    def remove(self, snapshot_id: str) -> None:
        if self.has(snapshot_id) is None:
            return
        if self._local is None:
            self._remove(snapshot_id)
        else:
            # A document whose removal is rolled back must still be found; a text too many is found
            # by nobody
            self._local.afterwards(lambda: self._remove(snapshot_id))

    def _remove(self, snapshot_id: str) -> None:
        self.server.run("DELETE FROM texts WHERE snapshot_id = :one", one=snapshot_id)
        self._counted_until = 0.0

    def chunk_rows(self, chunk_ids: Collection[int]) -> dict[int, ChunkRow]:
        sql = (
            f"SELECT {_COLUMNS} FROM chunks c JOIN texts t USING (text_id) WHERE c.chunk_id = "
            "ANY(:ids::bigint[])"
        )
        return {row[0]: ChunkRow(*row) for row in self.server.run(sql, ids=sorted(chunk_ids))}

    def scope(self, snapshot_ids: Collection[str]) -> Scope:
        sql = (
            "SELECT text_id, chunks FROM texts WHERE snapshot_id = ANY(:ids::text[]) AND chunks > 0"
        )
        rows = self.server.run(sql, ids=sorted(set(snapshot_ids)))
        return Scope(tuple(sorted(row[0] for row in rows)), 0, -1, sum(row[1] for row in rows))

    # full text

    def matches(
        self, index: str, query: Lookup, scope: Scope | None, limit: int
    ) -> list[tuple[int, float]]:
        matching, weighed = fulltext.expression(index, query), self._weighed(index, query)
        if not matching:
            return []
        where, bound = within(scope)
        rows = self.server.run(
            _ROUGHLY.format(where=where, size=_size(index)),
            weights=[1 / fulltext.HEADING] * 3 + [1.0],
            query=matching,
            parts=[fulltext.quoted(lexeme) for lexeme in weighed],
            idfs=list(weighed.values()),
            mean=self._means[_size(index)],
            rough=max(limit, _ROUGH),
            **bound,
        )
        scores = self._bm25(index, weighed, [row[0] for row in rows])
        return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]

    def scores(self, index: str, query: Lookup, chunk_ids: Collection[int]) -> dict[int, float]:
        return self._bm25(index, self._weighed(index, query), sorted(chunk_ids))

    def holding(self, index: str, query: Lookup, scope: Scope | None, limit: int) -> list[int]:
        matching = fulltext.expression(index, query)
        if not matching:
            return []
        where, bound = within(scope)
        # OFFSET 0 keeps the planner from walking all chunks in order until enough of them match
        sql = (
            "SELECT w.chunk_id FROM chunk_words w WHERE "
            f"w.lexemes @@ :query::tsquery{where} OFFSET 0"
        )
        sql = f"SELECT chunk_id FROM ({sql}) AS found ORDER BY chunk_id LIMIT :limit"
        return [int(row[0]) for row in self.server.run(sql, query=matching, limit=limit, **bound)]

    def frequency(self, index: str, query: Lookup, at_most: int) -> int:
        matching = fulltext.expression(index, query)
        return min(at_most, self._count(matching)) if matching else 0

    def vocabulary(self, beginning: str) -> list[tuple[str, int]]:
        """No words: this index keeps lexemes only, so that misspellings are not looked up in it."""
        return []

    def _count(self, matching: str) -> int:
        """In how many chunks a tsquery matches; of common words about how many."""
        count = self._counts.get(matching)
        if count is not None:
            return count
        expected = 0
        if self.chunk_count() > _COUNTED:
            sql = (
                "EXPLAIN (FORMAT JSON) SELECT FROM chunk_words w WHERE w.lexemes @@ "
                + fulltext.literal(matching)
            )
            expected = int(self.server.run(f"{sql}::tsquery")[0][0][0]["Plan"]["Plan Rows"])
        if expected <= _COUNTED:
            sql = "SELECT count(*) FROM chunk_words w WHERE w.lexemes @@ :query::tsquery"
            expected = int(self.server.run(sql, query=matching)[0][0])
        if len(self._counts) >= _LEXEMES_KNOWN:
            self._counts.clear()
        self._counts[matching] = expected
        return expected

    def _weighed(self, index: str, query: Lookup) -> dict[str, float]:
        """Each lexeme of a query with its inverse document frequency, as FTS5 has it."""
        self._refresh()
        total, weighed = self._means["paired" if index == PAIRS else "chunks"], {}
        for lexeme in fulltext.lexemes(index, (*query.words, *query.beside)):
            count = min(total, self._count(fulltext.quoted(lexeme)))
            weighed[lexeme] = max(1e-6, math.log((total - count + 0.5) / (count + 0.5)))
        return weighed

    def _bm25(
        self, index: str, weighed: Mapping[str, float], chunk_ids: Sequence[int]
    ) -> dict[int, float]:
        """The scores of those chunks that hold a word."""
        if not weighed or not chunk_ids:
            return {}
        rows = self.server.run(
            _BM25.format(size=_size(index)),
            lexemes=list(weighed),
            idfs=list(weighed.values()),
            mean=self._means[_size(index)],
            more=fulltext.HEADING - 1,
            ids=list(chunk_ids),
        )
        return {row[0]: round(float(row[1]), 9) for row in rows}

    def _refresh(self) -> None:
        """The number of chunks and their mean size, asked for again when the collection has changed
        by a part."""
        now = self.chunk_count()
        if self._means and abs(now - self._chunk_count) <= _GROWN * self._chunk_count:
            return
        sums = ", ".join(
            f"coalesce(sum({column}), 0)" for column in ("chunks", "words", "paired", "pairs")
        )
        chunks, size, paired, pairs = (
            float(total) for total in self.server.run(f"SELECT {sums} FROM texts")[0]
        )
        self._counts, self._chunk_count = {}, now
        self._means = {
            "chunks": chunks,
            "words": max(1.0, size / max(1.0, chunks)),
            "paired": paired,
            "pairs": max(1.0, pairs / max(1.0, paired)),
        }

    # vectors

    def unembedded(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str, str]]:
        rows = self.server.run(
            "SELECT c.chunk_id, c.title, c.body FROM chunks c JOIN texts t USING (text_id)"
            " WHERE c.chunk_id > :after AND t.kind = 'document' AND NOT EXISTS"
            " (SELECT FROM vectors v WHERE v.chunk_id = c.chunk_id AND v.model = :model)"
            " ORDER BY c.chunk_id LIMIT :limit",
            after=after,
            model=model,
            limit=limit,
        )
        return [(row[0], row[1], row[2]) for row in rows]

    def document_chunks(self) -> int:
        return int(
            self.server.run("SELECT coalesce(sum(chunks), 0) FROM texts WHERE kind = 'document'")[
                0
            ][0]
        )

    def document_vectors(self, model: str) -> int:
        sql = (
            "SELECT count(*) FROM vectors v JOIN texts t USING (text_id) WHERE v.model = :m AND "
            "t.kind = 'document'"
        )
        return int(self.server.run(sql, m=model)[0][0])

    def put_vectors(
        self, model: str, dimensions: int, vectors: Iterable[tuple[int, bytes]]
    ) -> None:
        self.dense(model, dimensions).put(vectors)

    def dense(self, model: str, dimensions: int) -> PostgresVectors:
        return self._models.setdefault(model, PostgresVectors(self.server, model, dimensions))

    def tend(self) -> None:
        """Fresh statistics after a tenth has changed, and the index of vectors where there are
        enough of them."""
        self.server.run("SELECT gin_clean_pending_list('chunk_words_lexemes')")
        stale = self.server.run(
            "SELECT coalesce(s.n_mod_since_analyze, 0) > greatest(c.reltuples, 0) / 10 FROM "
            "pg_class c"
            " LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid WHERE c.oid = "
            "'chunk_words'::regclass"
        )
        if stale[0][0]:
            for table in ("texts", "chunks", "chunk_words", "vectors"):
                self.server.run(f"ANALYZE {table}")
        for dense in list(self._models.values()):
            dense.tend()

    # counts

    def chunk_count(self) -> int:
        """About how many chunks there are (the largest number); what others add is seen a second
        later."""
        if time.monotonic() >= self._counted_until:
            self._chunks = int(
                self.server.run("SELECT coalesce(max(chunk_id), 0) FROM chunks")[0][0]
            )
            self._counted_until = time.monotonic() + _COUNT_HOLDS
        return self._chunks

    def counts(self) -> dict[str, int]:
        rows = self.server.run(
            "SELECT count(*), coalesce(sum(chunks), 0), coalesce(sum(characters), 0),"
            " (SELECT count(*) FROM vectors) FROM texts"
        )
        return dict(
            zip(("texts", "chunks", "characters", "vectors"), map(int, rows[0]), strict=True)
        )

    def close(self) -> None:
        self.server.close()


def extent(server: Postgres) -> str:
    """How much is there, without making anything: "1200 texts" or "no tables yet"."""
    if not server.run("SELECT to_regclass('zorora.texts') IS NOT NULL")[0][0]:
        return "no tables yet; they are made at first use"
    return f"{server.run('SELECT count(*) FROM texts')[0][0]} texts"


def _size(index: str) -> str:
    return "pairs" if index == PAIRS else "words"


def _column(rows: Sequence[Any], name: str) -> list[Any]:
    return [getattr(row, name) for row in rows]
