"""The tables of the index in PostgreSQL, brought up to date."""

from typing import Any

from tools.database_schema import statements
from tools.errors import StorageError
from tools.schema import load

POSTGRES = (load("postgres_001_index.sql"),)  # numbered, run in order, each once
LOCK = 7_261_455  # advisory: held while tables and indexes are made
_PGVECTOR = (0, 7)  # the first version with halfvec


def migrate(connection: Any) -> None:
    """Bring the tables up to date, one process at a time."""
    connection.run(f"SELECT pg_advisory_xact_lock({LOCK})")
    connection.run("CREATE SCHEMA IF NOT EXISTS zorora")
    connection.run("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
    installed = connection.run("SELECT extversion FROM pg_extension WHERE extname = 'vector'")[0][0]
    if tuple(int(part) for part in installed.split(".")[:2]) < _PGVECTOR:
        raise StorageError(f"The server has pgvector {installed}; 0.7 or newer is needed.")
    connection.run("CREATE TABLE IF NOT EXISTS version (number integer NOT NULL)")
    rows = connection.run("SELECT number FROM version")
    version = rows[0][0] if rows else 0
    if version > len(POSTGRES):
        raise StorageError(
            f"Zorora was updated; restart it: the PostgreSQL index has format {version}, this "
            "program knows up to"
            f" {len(POSTGRES)}."
        )
    for sql in POSTGRES[version:]:
        for statement in statements(sql):
            connection.run(statement)
    if version < len(POSTGRES):
        connection.run("DELETE FROM version")
        connection.run(f"INSERT INTO version VALUES ({len(POSTGRES)})")
