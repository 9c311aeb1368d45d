"""What keeps researches: copies, restoring, older and newer versions, the bin, import, a home that
goes away.

The details have tests of their own (tests/engine); here all of it is done to homes with a real
research in them, and after each act everything that was there is looked at.
"""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.answers import PROBLEM, HistoryQuery
from engine.maintenance import backup, doctor, store
from engine.research_engine import ResearchEngine
from engine.schema import ZORORA
from tests.lab.faults import Corrupt, Faults, Lost, proven
from tests.lab.older import older
from tests.lab.strikes import Home, filled as filled_home
from tools.errors import Refused, StorageError, ZororaError
from tools.schema import CORPUS
from ui.terminal.main import main

pytestmark = pytest.mark.lab

NOTE = "Batteries shift the evening peak."


@pytest.fixture(scope="module")
def filled(researched: Path, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with a research that has a star, a note and a tag, a document, and a note in the
    memory."""
    place = filled_home(researched, tmp_path_factory.mktemp("upkeep"))
    with opened(place.home) as engine:
        research_id = place.research_id()
        engine.star(research_id)
        engine.note(research_id, "worth reading")
        engine.tag(research_id, ["prices"])
        engine.memory.remember(NOTE)
    for name in ("zorora.db", "corpus.db"):
        with closing(sqlite3.connect(place.home / name)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return place


@pytest.fixture
def home(filled: Home, tmp_path: Path) -> Path:
    """A fresh copy of that home."""
    shutil.copytree(filled.home, tmp_path / "home")
    return tmp_path / "home"


def opened(home: Path) -> ResearchEngine:
    return ResearchEngine(home=home, environ={})


def check(home: Path, filled: Home, *, memory: bool = True, texts: bool = True) -> None:
    """Everything is there as it was. memory, texts: whether these can be there at all."""
    with opened(home) as engine, opened(filled.home) as other:
        with proven(Lost):
            (entry,) = engine.history(HistoryQuery(starred=True)).entries
            state, before = (
                engine.load_research(entry.research_id),
                other.load_research(entry.research_id),
            )
            assert state is not None and before is not None and state.user == before.user
            assert (
                engine.history(HistoryQuery(text="worth")).entries[0].research_id
                == entry.research_id
            )
            notes = [
                note.text for note in engine.memory.recall("evening peak", all_sessions=True).notes
            ]
            assert notes == ([NOTE] if memory else [])
            library = {document.name for document in engine.library()}
            assert not texts or library == {document.name for document in other.library()}
        with proven(Corrupt):
            assert (state.synthesis, state.claims, state.evidence) == (
                before.synthesis,
                before.claims,
                before.evidence,
            )
            for item in state.evidence if texts else ():
                assert engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
            assert [
                check for check in doctor.checks(engine.config) if check.state == PROBLEM
            ] == [] or not texts


def test_copies_bring_back_what_was_there(home: Path, filled: Home, faults: Faults) -> None:
    with opened(home) as engine:
        paths = engine.config.paths
        by_hand = engine.upkeep.backup()
        at = datetime.now(UTC)
        daily = [backup.daily(paths, keep=7, at=at + timedelta(hours=7 * n)) for n in range(40)]
        copies = backup.list_copies(paths, backup.DAILY)
        assert (
            sum(copy is not None for copy in daily) in (9, 10) and len(copies) == 7
        )  # the research may have made one
        assert all(store.findings(copy) == [] for copy in backup.list_copies(paths))
        faults.count("upkeep: backup, daily copy, the last seven kept", 10)
        research_id = filled.research_id()
        engine.note(research_id, "changed since")
        engine.memory.remember("Written after the copy.")
    with opened(home) as engine:
        engine.upkeep.restore(by_hand)
        assert backup.list_copies(paths, backup.SAFETY)
        # Marks stand in the record, so the later note wins; the memory stands in the database alone
        assert engine.load_research(research_id).user.note == "changed since"  # type: ignore[union-attr]
        engine.note(research_id, "worth reading")
    check(home, filled)
    faults.count("upkeep: restored from a copy")


def test_a_lost_database_comes_back_from_the_records_alone(
    home: Path, filled: Home, faults: Faults
) -> None:
    (home / "zorora.db").unlink()
    check(home, filled, memory=False)
    (home / "corpus.db").unlink()
    shutil.rmtree(home / "backups", ignore_errors=True)
    with opened(home) as engine:
        engine.upkeep.repair()
        assert engine.search_library("batteries") or not engine.library()
        state = engine.load_research(filled.research_id())
        assert state is not None
        for item in state.evidence:
            assert engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
    faults.count("upkeep: both databases deleted, rebuilt from records, texts and documents")


def test_every_older_version_is_brought_up_to_date(
    filled: Home, tmp_path: Path, faults: Faults
) -> None:
    versions = [("zorora.db", ZORORA, n) for n in range(1, len(ZORORA))]
    versions += [("corpus.db", CORPUS, n) for n in range(1, len(CORPUS))]
    for name, migrations, version in versions:
        home = tmp_path / f"{name}-{version}"
        shutil.copytree(filled.home, home)
        (home / name).unlink()
        older(filled.home / name, home / name, migrations[:version])
        check(home, filled, texts=(name, version) != ("corpus.db", 1))
        assert store.version(home / name) == len(migrations)
        copies = list((home / "backups").glob(f"zorora-*-migration-{version}*.db"))
        assert name != "zorora.db" or [store.version(copy) for copy in copies] == [version]
        faults.count(f"upkeep: {name} of an older version")


def test_a_newer_version_is_left_alone_with_a_sentence(
    home: Path, faults: Faults, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("zorora.db", "corpus.db"):
        with closing(sqlite3.connect(home / name)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            connection.execute(f"PRAGMA user_version = {version + 1}")
        before = (home / name).read_bytes()
        for words in (
            ("history",),
            ("library",),
            ("search", "Why do leaves fall?"),
            ("ingest", str(home / "config.toml")),
        ):
            status = main(["--home", str(home), *words])
            output = "".join(capfd.readouterr())
            assert "Traceback" not in output and (
                status != 1 or "newer" in output or "updated" in output
            ), output
        assert (home / name).read_bytes() == before
        with closing(sqlite3.connect(home / name)) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        faults.count(f"upkeep: {name} of a newer version, untouched")


def test_a_program_that_meets_a_newer_version_stops_writing(
    home: Path, filled: Home, faults: Faults
) -> None:
    with opened(home) as engine:
        research_id = filled.research_id()
        assert engine.load_research(research_id) is not None
        with closing(sqlite3.connect(home / "zorora.db")) as connection:
            connection.execute(f"PRAGMA user_version = {len(ZORORA) + 1}")
        with pytest.raises(StorageError, match="Zorora was updated; restart it"):
            engine.memory.remember("Written by an old program.")
        with closing(sqlite3.connect(home / "zorora.db")) as connection:
            connection.execute(f"PRAGMA user_version = {len(ZORORA)}")
    check(home, filled)
    faults.count("upkeep: updated under a running program")


def test_the_bin_gives_back_for_thirty_days(home: Path, filled: Home, faults: Faults) -> None:
    research_id = filled.research_id()
    with opened(home) as engine:
        storage = engine._opened.storage
        engine.delete(research_id)
        assert not engine.history().entries
        for days, left in ((29, True), (31, True), (32, False)):
            storage._clock = later(days)
            engine.upkeep.tidy()
            assert storage.has(research_id) == left
            if days == 29:
                engine.undelete(research_id)
                check(home, filled)
                storage._clock = lambda: datetime.now(UTC)
                engine.delete(research_id)
        assert list((home / "research" / "findings").glob("*.json")) == []
    faults.count("upkeep: brought back from the bin, and gone after its time", 2)


def later(days: int) -> Callable[[], datetime]:
    """A clock that is so many days ahead."""
    return lambda: datetime.now(UTC) + timedelta(days=days)


def test_a_record_travels_and_nothing_here_is_overwritten(
    home: Path, filled: Home, faults: Faults, tmp_path: Path
) -> None:
    research_id = filled.research_id()
    with opened(home) as engine:
        record = engine.export(research_id, "json", with_snapshots=True).data
        assert not engine.import_record(record).new
        changed = {**json.loads(record), "query": "Something else?"}
        for bad in (
            record[: len(record) // 2],
            b"",
            b"[]",
            json.dumps({**changed, "format": "other"}).encode(),
        ):
            with pytest.raises((Refused, ZororaError)):
                engine.import_record(bad)
            faults.count("upkeep: import of what is no record, refused")
    check(home, filled)
    with opened(tmp_path / "elsewhere") as engine:
        assert engine.import_record(record).new
        state = engine.load_research(research_id)
        assert state is not None
        with proven(Corrupt):
            for item in state.evidence:
                assert engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
    faults.count("upkeep: record and texts brought to another home")


def test_a_home_that_goes_away_is_a_sentence(
    home: Path, filled: Home, faults: Faults, tmp_path: Path
) -> None:
    research_id = filled.research_id()
    acts: dict[str, Callable[[ResearchEngine], object]] = {
        "note": lambda engine: engine.note(research_id, "worth reading"),
        "upload": lambda engine: engine.upload("a.txt", b"Some words that are new."),
        "export": lambda engine: engine.export(research_id, "json", with_snapshots=True),
        "backup": lambda engine: engine.upkeep.backup(),
        "history": lambda engine: engine.history(),
    }
    for name, act in acts.items():
        with opened(home) as engine:
            engine.history()
            shutil.move(home, tmp_path / "away")
            try:
                act(engine)
            except ZororaError as error:
                assert str(error).endswith("."), error
            finally:
                shutil.rmtree(home, ignore_errors=True)
                shutil.move(tmp_path / "away", home)
        check(home, filled)
        faults.count(f"home moved away under a running program: {name}")


def test_a_home_that_is_deleted_under_a_research_is_a_sentence_and_made_anew(
    home: Path, faults: Faults
) -> None:
    with opened(home) as engine:
        engine.history()
        shutil.rmtree(home)
        try:
            state = engine.deep_research("Why do leaves fall?", 1)
            assert state.status == "failed"
        except ZororaError as error:
            assert str(error).endswith(".")
    with opened(home) as engine:
        for entry in engine.history().entries:
            assert engine.load_research(entry.research_id) is not None
        assert [check for check in doctor.checks(engine.config) if check.state == PROBLEM] == []
        assert engine.upload("a.txt", b"Some words that are new.").status == "indexed"
    faults.count("home deleted under a running program: research")
