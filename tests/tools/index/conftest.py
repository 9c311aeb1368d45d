"""A PostgreSQL server for the tests of the index."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.index.postgres import postgres_server


@pytest.fixture(scope="session")
def socket() -> Iterator[Path]:
    """One server for all of these tests."""
    pytest.importorskip("pg8000", reason="the extra postgres is not installed")
    if postgres_server.programs() is None:
        pytest.skip("there is no PostgreSQL server with pgvector here")
    with postgres_server.server() as folder:
        yield folder
