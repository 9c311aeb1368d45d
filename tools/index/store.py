"""The chunk index (tools/index/index.py) in corpus.db: texts, chunks, full text and vectors, all in
SQLite."""

import json
import threading
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from tools.database import Database
from tools.index.full_text.store import FullText
from tools.index.index import ChunkRow, NewChunk, Scope

if TYPE_CHECKING:
    from tools.index.vectors.nearest import VectorIndex

_FEW_TEXTS = 32  # in a scope: a list of their chunks is as quick as ranges
_FEW_RANGES = 24


class IndexStore(FullText):
    """The index of one corpus.db. Reads need no lock; every change is one transaction with both
    indexes."""

    def __init__(self, db: Database) -> None:
        super().__init__(db)
        # The scope of the search before, which is often that of the next
        self._last = threading.local()

    # texts and chunks

    def has(self, snapshot_id: str) -> int | None:
        """The number of chunks of an indexed snapshot, or None."""
        row = (
            self.db.read()
            .execute("SELECT chunks FROM texts WHERE snapshot_id = ?", (snapshot_id,))
            .fetchone()
        )
        return int(row[0]) if row else None

    def add(
        self, snapshot_id: str, title: str, kind: str, characters: int, rows: Sequence[NewChunk]
    ) -> None:
        """Store a text with its chunks. A text that is there stays as it is, but becomes a document
        where it is added as one."""
        with self.db.write() as connection:
            inserted = connection.execute(
                "INSERT INTO texts (snapshot_id, title, kind, characters, chunks) VALUES (?, ?, ?, "
                "?, ?)"
                " ON CONFLICT (snapshot_id) DO NOTHING RETURNING text_id",
                (snapshot_id, title, kind, characters, len(rows)),
            ).fetchone()
            if inserted is not None:
                connection.executemany(
                    "INSERT INTO chunks (text_id, start, end, section_id, title, body, pairs) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [
                        (inserted[0], r.start, r.end, r.section_id, r.title, r.body, r.pairs)
                        for r in rows
                    ],
                )
                self._index_later(connection, inserted[0])
            elif kind == "document":  # what a research read may be kept later
                connection.execute(
                    "UPDATE texts SET kind = ? WHERE snapshot_id = ?", (kind, snapshot_id)
                )

    def remove(self, snapshot_id: str) -> None:
        """Take a text out of every index, where it is there."""
        with self.db.write() as connection:
            row = connection.execute(
                "SELECT text_id FROM texts WHERE snapshot_id = ?", (snapshot_id,)
            ).fetchone()
            if row is not None:
                self._unindex(connection, row[0])
                connection.execute("DELETE FROM texts WHERE text_id = ?", tuple(row))
                connection.execute("UPDATE index_state SET removals = removals + 1")

    def chunk_rows(self, chunk_ids: Collection[int]) -> dict[int, ChunkRow]:
        """Chunks by their number."""
        rows = self._tuples(
            "SELECT c.chunk_id, c.text_id, t.snapshot_id, c.start, c.end, c.section_id, c.title, "
            "c.body"
            " FROM json_each(?) j JOIN chunks c ON c.chunk_id = j.value JOIN texts t ON t.text_id "
            "= c.text_id",
            (json.dumps(sorted(chunk_ids)),),
        )
        return {row[0]: ChunkRow._make(row) for row in rows}

    def scope(self, snapshot_ids: Collection[str]) -> Scope:
        """What a search limited to these snapshots may look at; unknown ids are left out."""
        key = self.db.revision(), frozenset(snapshot_ids)
        if getattr(self._last, "key", None) != key:
            self._last.scope = self._scope(key[1])
            self._last.key = key
        scope: Scope = self._last.scope
        return scope

    def _scope(self, snapshot_ids: frozenset[str]) -> Scope:
        rows = self._tuples(
            "SELECT text_id, chunks FROM texts WHERE chunks > 0 AND snapshot_id IN (SELECT value "
            "FROM json_each(?))",
            (json.dumps(sorted(snapshot_ids)),),
        )
        if not rows:
            return Scope((), 0, -1, 0)
        text_ids = sorted(row[0] for row in rows)
        runs = self._runs(text_ids) if len(text_ids) > _FEW_TEXTS else []
        is_exact = 0 < len(runs) <= _FEW_RANGES
        # The chunks of a text were added together, in the order of the texts' numbers
        ranges = tuple(
            self._chunks_from(run[0], run[-1]) for run in (runs if is_exact else [text_ids])
        )
        chunks = sum(row[1] for row in rows)
        return Scope(
            tuple(text_ids), ranges[0][0], ranges[-1][1], chunks, ranges if is_exact else ()
        )

    def _chunks_from(self, first: int, last: int) -> tuple[int, int]:
        """The first chunk of a text and the last one of another."""
        border = "SELECT %s(chunk_id) FROM chunks WHERE text_id = ?"
        (begin,), (end,) = (
            self._tuples(border % which, (text,))[0]
            for which, text in (("min", first), ("max", last))
        )
        return begin, end

    def _runs(self, text_ids: Sequence[int]) -> list[list[int]]:
        """Texts, in order, cut wherever another text lies between them."""
        between = (
            "SELECT text_id FROM texts WHERE chunks > 0 AND "
            "text_id BETWEEN ? AND ? ORDER BY text_id"
        )
        there = [row[0] for row in self._tuples(between, (text_ids[0], text_ids[-1]))]
        return [
            list(run)
            for is_wanted, run in groupby(there, key=set(text_ids).__contains__)
            if is_wanted
        ]

    # vectors

    def unembedded(self, model: str, limit: int, after: int = 0) -> list[tuple[int, str, str]]:
        """(chunk, title, body) of chunks of documents that this model has no vector of, in
        order."""
        rows = self.db.read().execute(
            "SELECT c.chunk_id, c.title, c.body FROM chunks c JOIN texts t USING (text_id)"
            " LEFT JOIN vectors v ON v.chunk_id = c.chunk_id AND v.model = ?"
            " WHERE c.chunk_id > ? AND v.chunk_id IS NULL AND t.kind = 'document'"
            " ORDER BY c.chunk_id LIMIT ?",
            (model, after, limit),
        )
        return [(row[0], row[1], row[2]) for row in rows]

    def document_chunks(self) -> int:
        """How many chunks documents have; what researches read is left out."""
        sql = "SELECT coalesce(sum(chunks), 0) FROM texts WHERE kind = 'document'"
        return int(self.db.read().execute(sql).fetchone()[0])

    def document_vectors(self, model: str) -> int:
        """How many of them have a vector of this model."""
        sql = (
            "SELECT count(*) FROM texts t JOIN chunks c USING (text_id)"
            " JOIN vectors v ON v.chunk_id = c.chunk_id AND v.model = ? WHERE t.kind = 'document'"
        )
        return int(self.db.read().execute(sql, (model,)).fetchone()[0])

    def put_vectors(
        self, model: str, dimensions: int, vectors: Iterable[tuple[int, bytes]]
    ) -> None:
        """Store vectors of chunks; of chunks that were removed meanwhile nothing is stored."""
        with self.db.write() as connection:
            connection.executemany(
                "INSERT INTO vectors (chunk_id, model, dimensions, vector)"
                " SELECT chunk_id, ?, ?, ? FROM chunks WHERE chunk_id = ? ON CONFLICT (chunk_id, "
                "model) DO NOTHING",
                [(model, dimensions, data, chunk_id) for chunk_id, data in vectors],
            )

    def vector_count(self) -> int:
        """About how many vectors there are (the largest number: counting a million rows takes too
        long)."""
        row = (
            self.db.read()
            .execute("SELECT vector_id FROM vectors ORDER BY vector_id DESC LIMIT 1")
            .fetchone()
        )
        return int(row[0]) if row else 0

    def has_vector(self, model: str, scope: Scope | None) -> bool:
        """Whether a chunk of the scope (None: of all) has a vector of this model."""
        if scope is None:
            return bool(self._tuples("SELECT 1 FROM vectors WHERE model = ? LIMIT 1", (model,)))
        sql = (
            "SELECT 1 FROM json_each(?) j JOIN chunks c ON c.text_id = j.value"
            " JOIN vectors v ON v.chunk_id = c.chunk_id AND v.model = ? LIMIT 1"
        )
        return bool(self._tuples(sql, (json.dumps(scope.text_ids), model)))

    def vectors_of(self, model: str, chunk_ids: Collection[int]) -> list[tuple[int, bytes]]:
        """(chunk, vector) of those of the chunks that have one."""
        return self._tuples(
            "SELECT v.chunk_id, v.vector FROM json_each(?) j JOIN vectors v ON v.chunk_id = "
            "j.value AND v.model = ?",
            (json.dumps(sorted(chunk_ids)), model),
        )

    def vectors_in(self, model: str, scope: Scope) -> list[tuple[int, bytes]]:
        """(chunk, vector) of the chunks of a scope, in order."""
        return self._tuples(
            "SELECT v.chunk_id, v.vector FROM json_each(?) j JOIN chunks c ON c.text_id = j.value"
            " JOIN vectors v ON v.chunk_id = c.chunk_id AND v.model = ? ORDER BY v.chunk_id",
            (json.dumps(scope.text_ids), model),
        )

    def vectors_after(
        self, model: str, vector_id: int, limit: int
    ) -> list[tuple[int, int, int, bytes]]:
        """(vector, chunk, text, data) of the vectors stored after one, in order."""
        return self._tuples(
            "SELECT v.vector_id, v.chunk_id, c.text_id, v.vector FROM vectors v JOIN chunks c "
            "USING (chunk_id)"
            " WHERE v.vector_id > ? AND v.model = ? ORDER BY v.vector_id LIMIT ?",
            (vector_id, model, limit),
        )

    def dense(self, model: str, dimensions: int) -> "VectorIndex":
        """The vectors of one model, to be searched."""
        from tools.index.vectors.nearest import VectorIndex  # it reads from here

        return VectorIndex(self, model, dimensions)

    def close(self) -> None:
        """Nothing: the database belongs to whoever opened it."""

    # counts

    def counts(self) -> dict[str, int]:
        """texts, chunks, characters, vectors."""
        row = (
            self.db.read()
            .execute(
                "SELECT count(*), coalesce(sum(chunks), 0), coalesce(sum(characters), 0),"
                " (SELECT count(*) FROM vectors) FROM texts"
            )
            .fetchone()
        )
        return dict(zip(("texts", "chunks", "characters", "vectors"), map(int, row), strict=True))
