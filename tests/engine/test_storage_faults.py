"""Storage under attack: other processes, kills, full disks, damaged and newer databases."""

import errno
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.answers import HistoryQuery
from engine.files import publish
from engine.maintenance import store as upkeep
from engine.records.storage import LocalStorage
from engine.schema import ZORORA
from tools.errors import StorageError
from tools.sources.source import Source
from workflows.research.state import ResearchState

ROOT = Path(__file__).resolve().parents[2]

WRITER = """
import sys
from dataclasses import replace
from engine.records.storage import LocalStorage
from engine.maintenance import store as upkeep
from tools.sources.source import Source
from workflows.research.state import ResearchState
folder, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
storage = LocalStorage(folder + "/zorora.db")
sources = tuple(Source(f"s{n}", f"https://example.org/{n}", f"Title {n}") for n in range(10))
for n in range(count):
    state = ResearchState(f"question of {name}", f"{name}_{n}", sources=sources, synthesis="text " * 500)
    print(storage.save_research(state), flush=True)
    storage.tag("shared", [*storage.load_research("shared").user.tags, f"{name}{n}"][-40:])
    storage.star(f"{name}_{n}")
"""  # noqa: E501


def research(name: str = "r", **more: object) -> ResearchState:
    return replace(ResearchState("A question", research_id=name, status="complete"), **more)  # type: ignore[arg-type]


def start(folder: Path, name: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), name, str(count)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def agrees(storage: LocalStorage) -> None:
    """Every row has its record and every record its row, with the same marks; nothing is
    half-written."""
    assert storage.sweep().damaged == ()
    assert storage.sweep().missing == ()
    names = {path.name for path in storage.paths.findings.glob("*.json")}
    assert names == {storage.record_path(research_id).name for research_id in storage.ids()}
    for entry in storage.history(HistoryQuery(limit=500)).entries:
        state = storage.load_research(entry.research_id)
        assert state is not None
        assert (state.user.starred, state.user.tags) == (entry.starred, entry.tags)
    assert storage.database.read().execute("PRAGMA integrity_check").fetchone()[0] == "ok"


@pytest.mark.lab
def test_two_processes_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "zorora.db")
    storage.save_research(research("shared"))
    writers = [start(tmp_path, name, 20) for name in ("one", "two")]
    while any(writer.poll() is None for writer in writers):
        storage.history(HistoryQuery(text="question"))
        storage.note("shared", "from the third process")
        time.sleep(0.01)
    for writer in writers:
        assert writer.communicate()[1] == ""
        assert writer.returncode == 0
    assert storage.stats()["research_findings"] == 41
    assert storage.stats()["starred"] == 40
    agrees(storage)
    storage.close()


@pytest.mark.lab
def test_a_killed_writer_leaves_every_saved_research_and_no_half_one(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "zorora.db")
    storage.save_research(research("shared"))
    chance = random.Random(5)
    for round_ in range(3):
        writer = start(tmp_path, f"w{round_}", 500)
        assert writer.stdout is not None
        first = writer.stdout.readline().strip()
        time.sleep(chance.random() * 0.3)
        writer.send_signal(signal.SIGKILL)
        research_ids = [first, *writer.communicate()[0].split()]
        storage.sweep()
        assert all(storage.load_research(name) is not None for name in research_ids)
        agrees(storage)
    storage.close()


def test_what_was_renamed_but_not_indexed_is_indexed_by_the_sweep(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "zorora.db")
    storage.save_research(research())
    # as if the process had died between the rename and the end of the transaction, twice
    for path, state in (
        (storage.record_path("r"), research(status="partial")),
        (storage.paths.findings / "new.json", research("new")),
    ):
        temporary, _ = storage.files.stage(path, state.to_dict())
        publish(temporary, path)
    assert set(storage.sweep().indexed) == {"r", "new"}
    assert storage.history(HistoryQuery(status=("partial",))).total == 1
    agrees(storage)
    storage.close()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("revision", 10**30),
        ("started_at", 5),
        ("synthesis", ["x"]),
        ("user", {"note": {}}),
        ("claims", [{"claim_id": "C1", "text": "x", "independent_sources": 10**30}]),
    ],
)
def test_a_record_with_a_value_that_cannot_be_costs_no_other(
    tmp_path: Path, name: str, value: object
) -> None:
    storage = LocalStorage(tmp_path / "z.db")
    for letter in ("a", "b"):
        storage.save_research(research(letter))
    path = storage.record_path("a")
    sound = path.read_text()
    path.write_text(json.dumps({**json.loads(sound), name: value}))
    (storage.paths.findings / "new.json").write_text(
        sound.replace('"research_id":"a"', '"research_id":"c"')
    )
    sweep = storage.sweep()
    assert sweep.indexed == ("c",)
    assert [sentence for sentence in sweep.damaged if path.name in sentence and name in sentence]
    state = storage.load_research("a")
    assert state is not None and state.report is not None and "damaged" in state.report.notes[0]
    storage.close()


def test_a_research_that_no_row_can_hold_leaves_no_record(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "z.db")
    with pytest.raises(OverflowError):
        storage.save_research(research("a", revision=10**30))
    assert list(storage.paths.findings.iterdir()) == []
    storage.close()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS])
def test_a_full_or_failing_disk_is_a_sentence_and_loses_nothing(
    tmp_path: Path, number: int
) -> None:
    full = False

    def write(handle: int, data: bytes) -> None:
        if full:
            os.write(handle, data[:10])
            raise OSError(number, os.strerror(number))
        os.write(handle, data)

    storage = LocalStorage(tmp_path / "zorora.db", write=write)
    storage.save_research(research(synthesis="first"))
    full = True
    for act in (
        lambda: storage.save_research(research(synthesis="second")),
        lambda: storage.save_research(research("other")),
        lambda: storage.star("r"),
        lambda: storage.delete("r"),
    ):
        with pytest.raises(StorageError) as caught:
            act()
        assert "Traceback" not in str(caught.value)
    full = False
    state = storage.load_research("r")
    assert state is not None
    assert (state.synthesis, state.user.starred) == ("first", False)
    assert not storage.has("other")
    assert [path.name for path in storage.paths.findings.iterdir()] == [
        storage.record_path("r").name
    ]
    agrees(storage)
    storage.close()


def test_a_full_disk_is_called_full(tmp_path: Path) -> None:
    def write(handle: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    storage = LocalStorage(tmp_path / "zorora.db", write=write)
    with pytest.raises(StorageError, match=r"is full; .*was not saved. Free some space"):
        storage.save_research(research())
    storage.close()


def test_a_folder_of_records_that_vanished_is_a_sentence(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "zorora.db")
    storage.save_research(research())
    storage.paths.findings.rename(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="is gone"):
        storage.save_research(research("other"))
    assert storage.sweep().missing == ("r",)
    assert storage.history(HistoryQuery()).total == 1
    storage.close()


def test_a_database_of_a_newer_version_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "zorora.db"
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA journal_mode=WAL")
    newer.execute(f"PRAGMA user_version = {len(ZORORA) + 1}")
    newer.execute("CREATE TABLE theirs (x)")
    newer.commit()
    newer.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match="Zorora was updated; restart it"):
        LocalStorage(path)
    assert path.read_bytes() == before


def test_a_schema_that_changes_under_an_open_storage_stops_its_writes(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "zorora.db")
    storage.save_research(research())
    other = sqlite3.connect(tmp_path / "zorora.db")
    other.execute(f"PRAGMA user_version = {len(ZORORA) + 1}")
    other.close()
    with pytest.raises(StorageError, match="Zorora was updated"):
        storage.save_research(research("other"))
    assert storage.load_research("r") is not None
    assert sorted(path.name for path in storage.paths.findings.iterdir()) == [
        storage.record_path("r").name
    ]
    storage.close()


@pytest.mark.parametrize(
    "content", [b"this is not a database at all, whatever its name says. " * 50]
)
def test_a_file_that_is_no_database_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "zorora.db").write_bytes(content)
    with pytest.raises(StorageError, match="repair-db"):
        LocalStorage(tmp_path / "zorora.db")
    assert (tmp_path / "zorora.db").read_bytes() == content


def test_pages_that_go_bad_under_an_open_storage_are_a_sentence(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "zorora.db")
    for n in range(60):
        storage.save_research(research(f"r{n}", synthesis=f"text number {n} " * 200))
    storage.close()
    data = bytearray((tmp_path / "zorora.db").read_bytes())
    data[8192 : len(data)] = b"\xa5" * (len(data) - 8192)
    storage = LocalStorage(tmp_path / "zorora.db")
    (tmp_path / "bad pages").write_bytes(data)
    subprocess.run(["cp", tmp_path / "bad pages", tmp_path / "zorora.db"], check=True)
    for act in (
        lambda: storage.history(HistoryQuery(text="number")),
        lambda: storage.load_research("r5"),
        lambda: storage.save_research(research("other")),
        lambda: storage.star("r5"),
        storage.sweep,
        storage.stats,
    ):
        with pytest.raises(StorageError, match="repair-db"):
            act()
    storage.close()


def test_a_folder_in_place_of_the_database_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "zorora.db").mkdir()
    with pytest.raises(StorageError):
        LocalStorage(tmp_path / "zorora.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_of_records_is_a_sentence(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "zorora.db")
    storage.save_research(research())
    storage.paths.findings.chmod(0o500)
    try:
        with pytest.raises(StorageError, match="cannot be written"):
            storage.star("r")
        assert storage.load_research("r") is not None
    finally:
        storage.paths.findings.chmod(0o700)
        storage.close()


def test_a_record_too_deep_or_too_strange_never_stops_the_history(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "zorora.db")
    storage.save_research(research(sources=(Source("s", "http://x", "Title"),)))
    path = storage.record_path("r")
    record = json.loads(path.read_text())
    for broken in (
        {**record, "sources": "no list"},
        {**record, "user": 5},
        {**record, "claims": {"a": 1}},
        {**record, "plan": []},
    ):
        path.write_text(json.dumps(broken))
        state = storage.load_research("r")
        assert state is not None
        assert state.original_query == "A question"
    assert storage.history(HistoryQuery(text="title")).total == 1
    storage.close()


@pytest.mark.lab
def test_a_write_that_was_cut_off_is_taken_back_and_not_called_damage(tmp_path: Path) -> None:
    path, cut = tmp_path / "some.db", tmp_path / "cut.db"
    connection = sqlite3.connect(path, isolation_level=None)
    # Pages go to the disk before the end of the transaction
    connection.execute("PRAGMA cache_size=2")
    connection.execute("CREATE TABLE a (x)")
    connection.executemany("INSERT INTO a VALUES (?)", [("old" * 300,)] * 200)
    connection.execute("BEGIN")
    connection.execute("UPDATE a SET x = replace(x, 'old', 'new')")
    for ending in ("", "-journal"):
        subprocess.run(["cp", f"{path}{ending}", f"{cut}{ending}"], check=True)
    connection.execute("ROLLBACK")
    connection.close()
    assert (tmp_path / "cut.db-journal").stat().st_size > 0
    assert upkeep.findings(cut) == []
    with sqlite3.connect(cut) as again:
        assert again.execute("SELECT count(*) FROM a WHERE x LIKE 'old%'").fetchone() == (200,)
    again.close()
