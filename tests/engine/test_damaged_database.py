"""Damage that SQLite's own check calls sound, or that it cannot even name: found, said in
sentences, and repaired."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.answers import PROBLEM, HistoryQuery
from engine.maintenance import integrity, store
from engine.maintenance.repair import repair
from engine.records.storage import LocalStorage
from engine.research_engine import ResearchEngine
from engine.schema import ZORORA
from engine.settings.config import Config, load
from tools.database import Database
from tools.database_schema import schema_problem
from tools.errors import StorageError
from tools.open_databases import DamagedDatabase, connect
from tools.schema import CORPUS
from tools.sources.source import Source
from ui.terminal.main import main
from workflows.research.state import ResearchState, UserMarks

IDS = tuple(f"batteries_{number}_20250101_000000" for number in range(5))


@pytest.fixture
def config(home: Path) -> Config:
    """A home with a few researches and a note of the memory; its log is folded in."""
    config = load(home, environ={})
    storage = LocalStorage(config=config)
    for number, research_id in enumerate(IDS):
        sources = tuple(
            Source(f"s{number}{n}", f"http://example.org/{n}", f"Prices, part {n}")
            for n in range(20)
        )
        user = UserMarks(starred=True, tags=("prices",), note=f"note {number}")
        state = ResearchState(
            f"Question {number}", research_id, status="complete", sources=sources, user=user
        )
        storage.save_research(state)
    with storage.database.write() as connection:
        connection.execute(
            "INSERT INTO memory_notes (session_id, text, created_at) VALUES ('s', 'kept', '')"
        )
    storage.close()
    return config


def by_sql(*statements: str) -> Callable[[Path], None]:
    """Damage as SQL does it, without any of the rules that hold otherwise."""

    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys=OFF")
            connection.execute("PRAGMA writable_schema=ON")
            for statement in statements:
                connection.execute(statement)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    return damage


def flipped(text: bytes, other: bytes) -> Callable[[Path], None]:
    """Other bytes in place of some, everywhere in the file."""

    def damage(path: Path) -> None:
        data = path.read_bytes()
        assert text in data and len(text) == len(other)
        path.write_bytes(data.replace(text, other))

    return damage


DAMAGES: dict[str, Callable[[Path], None]] = {
    "a name in the schema that is no text": flipped(
        b"CREATE TABLE citations (", b"CREATE TABLE cit\xfftions ("
    ),
    "a table of another name": flipped(b"CREATE TABLE marks (", b"CREATE TABLE mbrks ("),
    "a column of another name": flipped(b"    starred INTEGER", b"    stcrred INTEGER"),
    "a schema that is no SQL": flipped(b"CREATE TABLE citations", b"CREATF TABLE citations"),
    "a version from the future": by_sql("PRAGMA user_version=65540"),
    "a version from the past": by_sql("PRAGMA user_version=0"),
    "a question that is no text": by_sql(
        "UPDATE research_findings SET query = CAST(x'ff51' AS TEXT)"
    ),
    "a number that is a text": by_sql("UPDATE marks SET confidence = 'two'"),
    "a summary that is bytes": by_sql("UPDATE research_findings SET summary = x'ff51'"),
    "a path that is no text": by_sql(
        "UPDATE research_findings SET file_path = CAST(x'ff51' AS TEXT)"
    ),
    "another id": by_sql(
        "UPDATE research_findings SET research_id = replace(research_id, '2025', '2005')"
    ),
    "full text of noise": by_sql(
        "UPDATE history_text_data SET block = randomblob(length(block)) WHERE id > 10"
    ),
    "full text of another format": by_sql(
        "UPDATE history_text_config SET v = 0 WHERE k = 'version'"
    ),
    "full text of nothing": by_sql("DELETE FROM history_text_data WHERE id > 10"),
    "a page of noise": lambda path: noise(path, 4096 * 3),
    "a header of noise": lambda path: noise(path, 0),
    "nothing but half": lambda path: path.write_bytes(
        path.read_bytes()[: path.stat().st_size // 2]
    ),
}


def noise(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at : at + 4096] = random.Random(1).randbytes(4096)
    path.write_bytes(data)


# One of each kind: a schema, a value, the full text, the file itself; the others are tried in the
# laboratory
USUAL = (
    "a version from the past",
    "a number that is a text",
    "full text of noise",
    "a page of noise",
    "a header of noise",
)


@pytest.mark.lab
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in USUAL else (pytest.mark.lab,)) for name in DAMAGES],
)
def test_every_damage_is_said_by_every_command_found_by_the_doctor_and_repaired(
    config: Config, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    DAMAGES[name](config.paths.db)
    for words in (
        ["history"],
        ["history", "prices"],
        ["show", IDS[1]],
        ["star", IDS[1]],
        ["jobs"],
        ["recall", "x"],
    ):
        main(["--home", str(config.home), *words])
        output = "".join(capsys.readouterr())
        assert "Traceback" not in output and "fault in Zorora" not in output, (words, output)
    (check,) = [
        check
        for check in integrity.databases(integrity.Examination(config))
        if check.name == "database"
    ]
    assert check.state == PROBLEM and "repair-db" in check.remedy
    assert main(["--home", str(config.home), "repair-db"]) == 0
    with ResearchEngine(home=config.home, environ={}) as engine:
        assert [check for check in engine.upkeep.doctor() if check.state == PROBLEM] == []
        for number, research_id in enumerate(IDS):
            state = engine.load_research(research_id)
            assert state is not None and len(state.sources) == 20
            assert (state.user.note, state.user.tags) == (f"note {number}", ("prices",))
        page = engine.history(HistoryQuery(text="prices", limit=50))
        assert {entry.research_id for entry in page.entries} == set(IDS)


def test_what_is_mended_in_place_loses_nothing_that_stands_in_the_database_alone(
    config: Config,
) -> None:
    for name in (
        "a version from the future",
        "a version from the past",
        "another id",
        "full text of noise",
    ):
        DAMAGES[name](config.paths.db)
        output = repair(config, lambda *_: [])
        assert any("was mended" in sentence for sentence in output), output
        assert not list(config.paths.backups.glob("damaged-*"))
        with closing(sqlite3.connect(config.paths.db)) as connection:
            assert connection.execute("SELECT text FROM memory_notes").fetchall() == [("kept",)]


def test_a_fault_of_a_statement_is_no_damage_while_the_tables_are_right(config: Config) -> None:
    storage = LocalStorage(config=config)
    with pytest.raises(sqlite3.OperationalError, match="no such table") as fault:
        storage.database.read().execute("SELECT * FROM nowhere")
    assert not isinstance(fault.value, StorageError)
    storage.close()


def test_faults_while_rows_are_read_are_sentences_too(config: Config) -> None:
    DAMAGES["a question that is no text"](config.paths.db)
    with closing(connect(config.paths.db, "ro")) as connection:
        for look in (
            lambda: connection.execute("SELECT query FROM research_findings").fetchall(),
            lambda: connection.execute("SELECT query FROM research_findings").fetchone(),
            lambda: list(connection.execute("SELECT query FROM research_findings")),
        ):
            with pytest.raises(DamagedDatabase, match="a text in it is not readable"):
                look()


@pytest.mark.parametrize("migrations", [ZORORA, CORPUS], ids=["zorora.db", "corpus.db"])
def test_every_migration_shows_in_the_schema(migrations: tuple[str, ...], tmp_path: Path) -> None:
    """By its tables a database tells its format, also where the number of it was damaged."""
    for number in range(1, len(migrations) + 1):
        database = Database(tmp_path / f"{number}.db", migrations[:number])
        assert schema_problem(database.read(), migrations) == ""
        database.read().execute(f"PRAGMA user_version={number ^ 64}")
        assert f"those of format {number}" in schema_problem(database.read(), migrations)
        database.close()


def test_what_others_add_to_a_database_is_no_damage(config: Config) -> None:
    by_sql("CREATE INDEX of_mine ON sources(title)", "CREATE TABLE mine (x)", "ANALYZE")(
        config.paths.db
    )
    assert store.findings(config.paths.db, ZORORA) == []
