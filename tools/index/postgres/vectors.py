"""The vectors of the chunks in PostgreSQL, and the nearest of them by pgvector."""

import hashlib
import struct
from array import array
from collections.abc import Collection, Iterable
from typing import Any

from tools.index.index import Scope
from tools.index.postgres import fulltext
from tools.index.postgres.connection import Postgres
from tools.index.postgres.migrations import LOCK
from tools.index.vectors.dense import StoredVectors

_ONE_BY_ONE = 50_000  # vectors up to which all are compared; above, an index chooses
_SMALL_SCOPE = 6_000  # chunks of a search in some texts up to which all are compared


class PostgresVectors(StoredVectors):
    """The vectors of one model. Few are compared one by one; above 50 000 an HNSW index (pgvector)
    chooses."""

    def __init__(self, server: Postgres, model: str, dimensions: int) -> None:
        super().__init__(self._read, dimensions)
        self._server, self._model = server, model

    def put(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Store vectors, as `pack` gives them, of chunks that are there."""
        pairs = list(vectors)
        form = f"<{self._dimensions}e"
        self._server.run(
            "INSERT INTO vectors (model, chunk_id, text_id, vector)"
            " SELECT :model, c.chunk_id, c.text_id, v.vector::halfvec"
            " FROM unnest(:ids::bigint[], :vectors::text[]) AS v (chunk_id, vector)"
            " JOIN chunks c USING (chunk_id) ON CONFLICT (model, chunk_id) DO NOTHING",
            model=self._model,
            ids=[chunk_id for chunk_id, _ in pairs],
            vectors=[fulltext.numbers(struct.unpack(form, data)) for _, data in pairs],
        )

    def any_in(self, scope: Scope | None) -> bool:
        """See DenseIndex."""
        where, bound = within(scope)
        sql = f"SELECT 1 FROM vectors w WHERE w.model = :model{where} LIMIT 1"
        return bool(self._server.run(sql, model=self._model, **bound))

    def nearest(self, query: Any, limit: int, scope: Scope | None) -> list[int]:
        """See DenseIndex."""
        where, bound = within(scope)
        order = f"w.vector::halfvec({self._dimensions}) <#> :query::halfvec({self._dimensions})"
        if scope is not None and scope.chunks <= _SMALL_SCOPE:
            order = f"({order}) + 0, w.chunk_id"  # a sum is no business of the index
        rows = self._server.run(
            f"SELECT w.chunk_id FROM vectors w WHERE w.model = :model{where}"
            f" ORDER BY {order} LIMIT :limit",
            model=self._model,
            query=fulltext.numbers(query),
            limit=limit,
            **bound,
        )
        return [int(row[0]) for row in rows]

    def tend(self) -> None:
        """Make the index once there are enough vectors. It takes minutes for a million; writing
        goes on after it."""
        many = self._server.run(
            "SELECT 1 FROM vectors WHERE model = :model OFFSET :few LIMIT 1",
            model=self._model,
            few=_ONE_BY_ONE,
        )
        if many:
            self._server.whole(self._make_index)

    def _make_index(self, connection: Any) -> None:
        name = hashlib.sha256(self._model.encode()).hexdigest()[:16]
        connection.run(f"SELECT pg_advisory_xact_lock({LOCK})")
        connection.run("SET LOCAL maintenance_work_mem = '1GB'")
        connection.run(
            f"CREATE INDEX IF NOT EXISTS vectors_near_{name} ON vectors USING hnsw"
            f" ((vector::halfvec({self._dimensions})) halfvec_ip_ops)"
            f" WHERE model = {fulltext.literal(self._model)}"
        )

    def _read(self, chunk_ids: Collection[int]) -> list[tuple[int, bytes]]:
        rows = self._server.run(
            "SELECT chunk_id, halfvec_send(vector) FROM vectors"
            " WHERE model = :model AND chunk_id = ANY(:ids::bigint[])",
            model=self._model,
            ids=sorted(chunk_ids),
        )
        return [(row[0], _little_endian(row[1])) for row in rows]


def within(scope: Scope | None) -> tuple[str, dict[str, Any]]:
    """The condition of a search in some texts, of a table called w, and what it is bound to."""
    if scope is None:
        return "", {}
    return " AND w.text_id = ANY(:texts::bigint[])", {"texts": list(scope.text_ids)}


def _little_endian(code: bytes) -> bytes:
    """halfvec's binary form (two numbers of 16 bits, then the values, big endian) as float16,
    little endian."""
    values = array("H", code[4:])
    values.byteswap()
    return values.tobytes()
