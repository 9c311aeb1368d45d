"""The schema that migrations make, and whether a database has it.

SQLite's own checks look at the structure of the file. They call a table sound whose name or columns
a flipped bit has changed, and a version number too.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import lru_cache

Objects = frozenset[tuple[str, str, str]]  # type, name and SQL of tables, indexes, triggers


def statements(sql: str) -> Iterator[str]:
    """The single statements of an SQL text (executescript would end the transaction)."""
    collected = ""
    for line in sql.splitlines():
        collected += line + "\n"
        if sqlite3.complete_statement(collected):
            yield collected
            collected = ""
    if collected.strip():
        yield collected


def schema_problem(connection: sqlite3.Connection, migrations: Sequence[str]) -> str:
    """What is wrong with the schema of a database that these migrations made, as a phrase; "" when
    nothing is.

    One of more migrations, by its version, is only wrong when it has nothing but what these make.
    What others have added is left alone. Raises sqlite3.Error when the schema cannot be read.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    objects = _objects(connection)
    table_format = format_of_tables(connection, migrations)
    if version == table_format or (version > len(migrations) and not objects <= _every(migrations)):
        return ""
    if table_format:
        return f"its header says format {version}, its tables are those of format {table_format}"
    missing = sorted(
        name for _, name, _ in _expected(migrations, min(version, len(migrations))) - objects
    )
    return f"{', '.join(missing[:3]) or 'its schema'} is not as Zorora made it"


def format_of_tables(connection: sqlite3.Connection, migrations: Sequence[str]) -> int:
    """How many of the migrations made the tables of a database; 0 when that is not clear, or none
    did."""
    ours = _objects(connection) & _every(migrations)
    newest_first = range(len(migrations), 0, -1)
    return next((number for number in newest_first if ours == _expected(migrations, number)), 0)


def _every(migrations: Sequence[str]) -> Objects:
    """The objects of every format."""
    return frozenset().union(
        *(_expected(migrations, number) for number in range(len(migrations) + 1))
    )


def _expected(migrations: Sequence[str], number: int) -> Objects:
    return _objects_of(tuple(migrations[:number]))


@lru_cache(maxsize=32)
def _objects_of(migrations: tuple[str, ...]) -> Objects:
    """The objects that these migrations make, by making them."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for sql in migrations:
            for statement in statements(sql):
                connection.execute(statement)
        return _objects(connection)


def _objects(connection: sqlite3.Connection) -> Objects:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return frozenset(
        (str(kind), str(name), str(sql))
        for kind, name, sql in rows
        if not str(name).startswith("sqlite_")
    )
