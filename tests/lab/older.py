"""Databases as earlier versions of the program left them: an older schema with the rows of a
present database."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tools.database_schema import statements


def older(source: Path, target: Path, migrations: Sequence[str]) -> None:
    """Write `target` with the schema of these migrations and what they hold of the rows of
    `source`."""
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        for sql in migrations:
            for statement in statements(sql):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version={len(migrations)}")
        connection.execute("ATTACH ? AS new", (str(source),))
        connection.execute("BEGIN")
        # The tables behind full-text indexes are copied as they are: their content is no column of
        # a table
        sql = (
            "SELECT name FROM main.sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE "
            "VIRTUAL%'"
        )
        for (table,) in connection.execute(f"{sql} AND name NOT LIKE 'sqlite_%'").fetchall():
            _copy(connection, table)
        connection.execute("COMMIT")


def _copy(connection: sqlite3.Connection, table: str) -> None:
    columns = [
        [row[1] for row in connection.execute(f"PRAGMA {place}.table_info({table})")]
        for place in ("main", "new")
    ]
    common = [name for name in columns[0] if name in columns[1]]
    # What was not known could be left out only later: there stood 0 before
    demanded = {row[1] for row in connection.execute(f"PRAGMA main.table_info({table})") if row[3]}
    values = ", ".join(f"COALESCE({name}, 0)" if name in demanded else name for name in common)
    names = ", ".join(common)
    connection.execute(
        f"INSERT OR REPLACE INTO main.{table} ({names}) SELECT {values} FROM new.{table}"
    )
