"""What only the index in PostgreSQL has: a server that goes away, several programs at once,
addresses."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.answers import RunOptions
from tests.tables import each
from tests.tools.index.postgres.postgres_server import on_postgres
from tools.database import Database
from tools.errors import ConfigError, StorageError
from tools.index.store import NewChunk
from tools.schema import CORPUS

CATS = [
    NewChunk(0, 15, None, "Cats", "Cats eat mice."),
    NewChunk(15, 30, None, "Cats", "They sleep."),
]


@pytest.mark.lab
def test_a_lost_connection_is_opened_again_and_an_absent_server_is_a_sentence(socket: Path) -> None:
    index = on_postgres(socket, emptied=True)
    index.add("cats", "Cats", "document", 30, CATS)
    other = on_postgres(socket)
    other.server.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    )
    other.close()
    assert index.has("cats") == 2
    index.close()
    from tools.index.postgres.connection import Address, Postgres

    for where, message in (
        (Address(str(socket), 1, "zorora"), "cannot be reached"),
        (Address(str(socket), 5432, "zorora", "nothing"), "does not exist|cannot be reached"),
    ):
        with pytest.raises(StorageError, match=message):
            Postgres(where).run("SELECT 1")


@pytest.mark.lab
def test_a_removal_that_is_rolled_back_leaves_the_text_findable(
    socket: Path, tmp_path: Path
) -> None:
    documents = Database(tmp_path / "documents.db", CORPUS, synchronous="OFF")
    index = on_postgres(socket, emptied=True)
    index._local = documents
    index.add("cats", "Cats", "document", 30, CATS)
    with pytest.raises(ValueError, match="no"), documents.write():
        index.remove("cats")
        raise ValueError("no")
    assert index.has("cats") == 2
    with documents.write():
        index.remove("cats")
        assert index.has("cats") == 2
    assert index.has("cats") is None
    documents.close()
    index.close()


@pytest.mark.lab
def test_an_index_of_a_newer_program_is_refused(socket: Path) -> None:
    index = on_postgres(socket, emptied=True)
    index.server.run("UPDATE version SET number = 99")
    with pytest.raises(StorageError, match="was updated"):
        on_postgres(socket)
    index.server.run("DROP SCHEMA zorora CASCADE")
    index.close()


@pytest.mark.lab
def test_four_that_begin_at_once_make_the_tables_once(socket: Path) -> None:
    index = on_postgres(socket, emptied=True)
    index.server.run("DROP SCHEMA zorora CASCADE")
    index.close()

    def begin(_: int) -> int:
        index = on_postgres(socket)
        try:
            return index.chunk_count()
        finally:
            index.close()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(begin, range(4))) == [0] * 4


@each(
    ("text", "message"),
    [
        ("mysql://x/y", "begins with"),
        ("postgresql://u:secret@h/d", "keys set"),
        ("postgresql://h/d?sslmode=maybe", "sslmode"),
        ("postgresql://h/d?options=-c", "options"),
        ("postgresql://h:port/d", "address"),
    ],
)
def test_a_wrong_address_is_a_sentence_without_the_password(text: str, message: str) -> None:
    from tools.index.postgres.connection import address

    with pytest.raises(ConfigError, match=message) as caught:
        address(text)
    assert "secret" not in str(caught.value)


def test_beyond_this_machine_the_connection_is_encrypted() -> None:
    from tools.index.postgres.connection import address

    assert address("postgresql://anna@db.example:6000/texts").tls == "verify-full"
    assert (
        address("postgresql://localhost/texts").tls
        == address("postgresql:///texts?host=/run").tls
        == "disable"
    )
    target = address("postgresql://anna@db.example:6000/texts?sslmode=require", "hidden")
    assert (target.host, target.port, target.user, target.database, target.tls) == (
        "db.example", 6000, "anna", "texts", "require"
    )  # fmt: skip
    assert "hidden" not in repr(target) + str(target)


@pytest.mark.lab
def test_connections_of_threads_that_have_ended_are_closed(socket: Path) -> None:
    index = on_postgres(socket, emptied=True)
    open_now = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'zorora'"
    before = index.server.run(open_now)[0][0]
    for _ in range(6):
        with ThreadPoolExecutor(1) as threads:
            threads.submit(index.has, "0").result()
    assert len(index.server._all) == 2
    with ThreadPoolExecutor(1) as threads:
        while threads.submit(index.server.run, open_now).result()[0][0] > before + 1:
            time.sleep(0.05)  # the server takes a moment to see that a client has gone
    index.close()


@pytest.mark.lab
def test_an_engine_keeps_its_chunks_in_postgresql_and_the_doctor_looks(
    socket: Path, tmp_path: Path
) -> None:
    from engine.research_engine import ResearchEngine

    emptied = on_postgres(socket, emptied=True)
    where = {
        "corpus.index": f"postgresql://zorora@/zorora?host={socket}",
        "embeddings.enabled": False,
    }
    (tmp_path / "cats.md").write_text(
        "# Cats\n\nCats eat fish and mice in the barn at night.", "utf-8"
    )
    with ResearchEngine(home=tmp_path / "home", environ={}, overrides=where) as engine:
        engine.ingest([tmp_path / "cats.md"])
        assert emptied.counts()["texts"] == 1 and engine.search_library("mice")[0].name == "cats.md"
        state = engine.run(
            "What do cats eat?", RunOptions(sources=("local",), depth=1, offline=True)
        )
        assert state.status == "complete" and "fish and mice" in state.synthesis
        (check,) = [check for check in engine.upkeep.doctor() if check.name == "search index"]
        assert check.state == "ok" and "1 texts" in check.message
        engine.remove_document(engine.library()[0].document_id)
        assert engine.search_library("mice") == []
    emptied.close()
    with ResearchEngine(
        home=tmp_path / "home",
        environ={},
        overrides={"corpus.index": "postgresql:///x?host=/nowhere"},
    ) as engine:
        (check,) = [check for check in engine.upkeep.doctor() if check.name == "search index"]
        assert check.state == "problem" and "cannot be reached" in check.message
