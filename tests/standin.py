"""The stand-in for the network, and fixtures over it: a server on loopback, a corpus.db, a door
that may use both.

The server proper lives with the benchmarks, which use it too.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from benchmarks.standin import Asked, Reply, Standin, serve
from tools.database import Database
from tools.http import Http, HttpSettings
from tools.net.store import NetStore
from tools.schema import CORPUS

__all__ = ["Asked", "Reply", "Standin", "http", "open_http", "serve", "server", "store"]


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


@cache
def _empty_corpus() -> bytes:
    """A fresh corpus.db, made once: its schema takes longer than most tests here."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.db"
        Database(path, CORPUS, synchronous="NORMAL").close()
        return path.read_bytes()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[NetStore]:
    (tmp_path / "corpus.db").write_bytes(_empty_corpus())
    database = Database(tmp_path / "corpus.db", CORPUS, synchronous="NORMAL")
    yield NetStore(database)
    database.close()


@pytest.fixture
def open_http(store: NetStore, server: Standin) -> Iterator[Callable[..., Http]]:
    """Makes an Http that may fetch from the server; settings and collaborators by keyword."""
    opened: list[Http] = []

    def make(
        resolver: Any = None,
        clock: Any = None,
        wall: Any = None,
        sleep: Any = None,
        **settings: Any,
    ) -> Http:
        numbers = {
            "allow_fetch_hosts": (server.place,),
            "backoff": 0.01,
            "page_interval": 0.0,
            **settings,
        }
        clocks = {"resolver": resolver, "clock": clock, "wall": wall, "sleep": sleep}
        http = Http(
            HttpSettings(**numbers), store, **{k: v for k, v in clocks.items() if v is not None}
        )
        opened.append(http)
        return http

    yield make
    for http in opened:
        http.close()


@pytest.fixture
def http(open_http: Callable[..., Http]) -> Http:
    return open_http()
