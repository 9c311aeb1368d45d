"""kill -9 while the terminal or the web server reads documents, saves, exports, imports, copies,
migrates, loads lists.

Each moment works on the same home. A program is killed while it starts, just after it first changed
anything, or some time later; then everything must be as it was before or as it was to be, and the
same again must work.
"""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from engine.answers import HistoryQuery
from engine.maintenance import store
from engine.research_engine import ResearchEngine
from engine.schema import ZORORA
from tests.lab.faults import Faults
from tests.lab.older import older
from tests.lab.strikes import Home, filled, served, strike
from tools.schema import CORPUS

pytestmark = pytest.mark.lab

KILLS = int(os.environ.get("KILLS", "30")) * 4 // 10  # noqa: TID251 - how long to work is the caller's choice
SEED = int(os.environ.get("SEED", "20250115"))  # noqa: TID251
HEADER = (
    "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,"
    "RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,"
    "RetractionNature,Reason,Paywalled,Notes,"
)


@pytest.fixture(scope="module")
def home(researched: Path, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home on which one undisturbed research has run."""
    return filled(researched, tmp_path_factory.mktemp("writes"), SEED)


# --- the moments: each kills once and says whether the program was at work ------------------------


def ingest(home: Home) -> bool:
    """Whole documents only, and none read twice."""
    folder = home.papers()
    alive = home.strike(home.program("ingest", folder))
    with home.engine() as engine:
        before = {document.document_id: document.added_at for document in engine.library()}
        for document in engine.library():
            if document.snapshot_id:
                assert len(engine.snapshot_text(document.snapshot_id)) == document.characters
        report = engine.ingest([folder])
        assert not [name for name, reason in report.failed if reason]
        after = {document.document_id: document.added_at for document in engine.library()}
        assert before.items() <= after.items() and set(report.document_ids) <= set(after)
    return alive


def upload(home: Home) -> bool:
    """A file from the browser is in the library as a whole, or not at all."""
    data = (Path(home.papers()) / "trees").parent / "batteries" / "parish-newsletter.md"
    with served(home) as browser:
        with suppress(OSError):
            browser.post("/library/upload", {}, (f"letter {home.number}.md", data.read_bytes()))
        alive = home.strike(browser.process)
    with home.engine() as engine:
        for document in engine.library():
            assert document.status == "indexed" and engine.snapshot_text(document.snapshot_id or "")
            assert not document.name.startswith("letter") or document.folder == "uploads"
    return alive


def marks(home: Home) -> bool:
    """The old note or the new one, the same in the record and in the history."""
    research_id, text = home.research_id(), f"note {home.number}"
    with home.engine() as engine:
        old = note_of(engine, research_id)
    alive = home.strike(home.program("note", research_id, text))
    check_note(home, {old, text})
    return alive


def marks_in_the_browser(home: Home) -> bool:
    """The same from the web server, with a star and the bin."""
    research_id = home.research_id()
    with home.engine() as engine:
        old = note_of(engine, research_id)
    sent = {old}
    with served(home) as browser:
        ends = time.monotonic() + home.rng.uniform(0.0, 0.3)
        while time.monotonic() < ends:
            sent.add(f"note {home.number}.{len(sent)}")
            browser.post(
                f"/research/{research_id}/marks",
                {"tags": "one, two", "note": max(sent, key=len_and_text)},
            )
            browser.post(f"/research/{research_id}/delete", {})
            browser.post(f"/research/{research_id}/undelete", {})
        last = max(sent, key=len_and_text)
        alive = home.strike(browser.process)
    with home.engine() as engine:
        engine.undelete(research_id)
    check_note(home, {last})
    return alive


def len_and_text(text: str) -> tuple[int, str]:
    return len(text), text


def export(home: Home) -> bool:
    """The file there was, or the whole new one."""
    research_id, form = home.research_id(), home.rng.choice(("md", "json", "ris", "csl"))
    target = home.folder / "out" / f"report.{form}"
    target.write_bytes(b"what was there before")
    alive = home.strike(home.program("export", research_id, form, "-o", str(target)))
    with home.engine() as engine:
        assert target.read_bytes() in (
            b"what was there before",
            engine.export(research_id, form).data,
        )
    return alive


def export_from_the_browser(home: Home) -> bool:
    """A download that breaks off leaves the server's home as it is."""
    with served(home) as browser:
        with suppress(OSError):
            browser.get(f"/research/{home.research_id()}/export/docx")
        return home.strike(browser.process)


def bring_in(home: Home) -> bool:
    """An imported research is here as a whole or not at all; importing it again is fine."""
    with home.engine() as engine:
        data = engine.export(home.research_id(), "json", with_snapshots=True).data
    record = json.loads(data)
    record["research_id"] = name = f"brought_in_{home.number}_20250101_000000"
    file = home.folder / "out" / "record.json"
    file.write_text(json.dumps(record))
    if home.rng.random() < 0.5:
        alive = home.strike(home.program("import", str(file)))
    else:
        with served(home) as browser:
            with suppress(OSError):
                browser.post("/import", {}, ("record.json", file.read_bytes()))
            alive = home.strike(browser.process)
    with home.engine() as engine:
        state = engine.load_research(name)
        assert state is None or (state.report and state.evidence)
        assert engine.import_record(file.read_bytes()).research_id == name
    home.check_ended(name)
    return alive


def data_update(home: Home) -> bool:
    """The old list or the new one, with all their rows."""
    rows = home.rng.choice((3000, 9000, 20_000))
    line = (
        "{n},A work,,,,,,,,,9/27/2023 0:00,10.9/N,0,1/1/2020,10.1234/{n},0,Retraction,+Fake;,No,,"
    )
    file = home.folder / "out" / "list.csv"
    file.write_text("\r\n".join([HEADER, *(line.format(n=n) for n in range(rows)), ""]))
    alive = home.strike(home.program("data", "update", "--retractions", str(file), "--force"))
    (count,) = home.sql("SELECT count(*) AS n FROM retractions", file="corpus.db")
    (totals,) = home.sql("SELECT COALESCE(SUM(rows), 0) AS n FROM quality_lists", file="corpus.db")
    assert count["n"] == totals["n"] and count["n"] in (home.rows, rows)
    home.rows = count["n"]
    return alive


def copy(home: Home) -> bool:
    """Every copy that has its name is sound; what was cut off has no name."""
    alive = home.strike(home.program("backup"))
    copies = list((home.home / "backups").glob("zorora-*.db"))
    assert all(store.findings(copy) == [] and store.version(copy) for copy in copies)
    for copy in sorted(copies)[:-2]:
        copy.unlink()
    return alive


def migration(home: Home) -> bool:
    """The old version or the new one, and nothing but that; the next program finishes it."""
    for name, migrations in (("zorora.db", ZORORA), ("corpus.db", CORPUS)):
        version = home.rng.randint(1 if name == "zorora.db" else 2, len(migrations) - 1)
        make_older(home.home / name, migrations[:version])
    web = home.rng.random() < 0.5
    if web:
        alive = home.strike(home.program("web", "--no-browser", "--port", "0"))
    else:
        alive = home.strike(home.program("library"))
    for name, migrations in (("zorora.db", ZORORA), ("corpus.db", CORPUS)):
        assert (store.version(home.home / name) or 0) <= len(migrations)
        assert store.findings(home.home / name) == []
    for path in (home.home / "backups").glob("zorora-*migration*.db"):
        assert store.findings(path) == [] and (store.version(path) or 0) < len(ZORORA)
    with home.engine() as engine:
        research_ids = {
            entry.research_id for entry in engine.history(HistoryQuery(limit=500)).entries
        }
        assert set(home.saved) <= research_ids and engine.library()
    return alive


MOMENTS: tuple[Callable[[Home], bool], ...] = (
    ingest, upload, marks, marks_in_the_browser, export, export_from_the_browser, bring_in,
    data_update, copy, migration,
)  # fmt: skip


def test_kill_while_anything_is_written_leaves_the_old_or_the_new(
    home: Home, faults: Faults
) -> None:
    strike(home, MOMENTS, KILLS, faults)


# --- inside ---------------------------------------------------------------------------------------


def note_of(engine: ResearchEngine, research_id: str) -> str:
    state = engine.load_research(research_id)
    assert state is not None
    return state.user.note


def check_note(home: Home, possible: set[str]) -> None:
    research_id = home.research_id()
    with home.engine() as engine:
        engine._opened.storage.sweep()
        note = note_of(engine, research_id)
        assert note in possible
        (row,) = home.sql("SELECT note FROM research_findings WHERE research_id = ?", research_id)
        assert row["note"] == note


def make_older(database: Path, migrations: tuple[str, ...]) -> None:
    """Put an older version of a database in its place."""
    target = database.with_name("older.db")
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    older(database, target, migrations)
    for ending in ("-wal", "-shm"):
        database.with_name(database.name + ending).unlink(missing_ok=True)
        target.with_name(target.name + ending).unlink(missing_ok=True)
    shutil.move(target, database)
