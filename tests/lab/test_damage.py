"""Pages, records and texts that go bad: a sentence instead of a traceback, and `repair-db` brings
back what can be.

Every round damages a fresh copy of one home somewhere, uses the terminal on it, repairs it, and
looks at everything.
"""

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.answers import PROBLEM, HistoryQuery
from engine.maintenance import doctor
from engine.research_engine import ResearchEngine
from tests.lab.faults import Corrupt, Faults, Lost, proven
from tests.lab.places import Place
from tests.lab.strikes import filled as filled_home
from ui.terminal.main import main

pytestmark = pytest.mark.lab

ROUNDS = int(os.environ.get("DAMAGE", "3"))  # noqa: TID251 - rounds for each kind of damage
SEED = int(os.environ.get("SEED", "20250115"))  # noqa: TID251
PAGE = 4096
LOOKS = (
    ("history",),
    ("show", "last"),
    ("library",),
    ("recall", "battery"),
    ("doctor",),
    ("note", "last", "after"),
)
RECORDS = ("record", "deleted record")
# What only a person can put right, and the doctor goes on to name: keys are entered again, the rest
# is in a backup
LEFT = {
    "record": {"records"},
    "deleted record": {"records"},
    "stored text": {"texts"},
    "settings": {"stored keys"},
}
Damage = Callable[[Path, random.Random], None]


@pytest.fixture(scope="module")
def filled(researched: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A home with three researches, documents, an upload, marks and a copy; its logs are folded
    in."""
    place = filled_home(researched, tmp_path_factory.mktemp("damage"))
    first = next(iter(place.saved))
    with ResearchEngine(home=place.home, environ={}) as engine:
        record = json.loads(engine.export(first, "json", with_snapshots=True).data)
        for name in ("second_20250101_000000", "third_20250101_000000"):
            data = json.dumps({**record, "research_id": name}).encode()
            assert engine.import_record(data).research_id == name
        engine.upload(
            "My own letter.txt", b"Evening prices are lower since the batteries came, I think."
        )
        engine.star(first)
        engine.memory.remember("Batteries shift the evening peak.")
        engine.upkeep.backup()
    for name in ("zorora.db", "corpus.db"):
        with closing(sqlite3.connect(place.home / name)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return place


def pages(name: str) -> Damage:
    """Overwrite some pages of a database: with noise, with nothing, or with another page."""

    def damage(home: Path, rng: random.Random) -> None:
        path = home / name
        data = bytearray(path.read_bytes())
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(data) // PAGE) * PAGE
            other = rng.randrange(len(data) // PAGE) * PAGE
            bad = rng.choice((rng.randbytes(PAGE), bytes(PAGE), bytes(data[other : other + PAGE])))
            data[at : at + PAGE] = bad
        path.write_bytes(data)

    return damage


def cut(name: str) -> Damage:
    """A database that ends somewhere in the middle."""

    def damage(home: Path, rng: random.Random) -> None:
        data = (home / name).read_bytes()
        (home / name).write_bytes(data[: rng.randrange(len(data))])

    return damage


def log(name: str) -> Damage:
    """A write-ahead log of noise beside a sound database."""

    def damage(home: Path, rng: random.Random) -> None:
        (home / f"{name}-wal").write_bytes(rng.randbytes(rng.randrange(1, 30_000)))

    return damage


def record(home: Path, rng: random.Random) -> None:
    """One record that is no JSON, half a record, of wrong types, empty, or gone."""
    path = rng.choice(sorted((home / "research" / "findings").glob("*.json")))
    data = path.read_bytes()
    at = rng.randrange(len(data))
    path.write_bytes(
        rng.choice(
            (
                b"",
                b"{}",
                b"[" * 100_000,
                data[:at],
                data[:at] + rng.randbytes(50) + data[at:],
                b'"x"\n',
                b"null",
            )
        )
    )


def deleted_record(home: Path, rng: random.Random) -> None:
    """One record that is gone."""
    rng.choice(sorted((home / "research" / "findings").glob("*.json"))).unlink()


def text(home: Path, rng: random.Random) -> None:
    """A stored text that is cut, other, or gone."""
    path = rng.choice(sorted((home / "research" / "snapshots").rglob("*.txt.gz")))
    data = path.read_bytes()
    path.write_bytes(rng.choice((b"", data[: len(data) // 2], rng.randbytes(len(data)))))
    if rng.random() < 0.3:
        path.unlink()


def settings(home: Path, rng: random.Random) -> None:
    """config.toml, the keys or the secret of the pages are rubbish."""
    path = home / rng.choice(("config.toml", "keys.json", "secret_key", ".tidied"))
    path.write_bytes(rng.choice((b"", rng.randbytes(200), b"[[[", b"{")))


KINDS: dict[str, Damage] = {
    "pages of zorora.db": pages("zorora.db"),
    "pages of corpus.db": pages("corpus.db"),
    "end of zorora.db": cut("zorora.db"),
    "end of corpus.db": cut("corpus.db"),
    "log of zorora.db": log("zorora.db"),
    "log of corpus.db": log("corpus.db"),
    "record": record,
    "deleted record": deleted_record,
    "stored text": text,
    "settings": settings,
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_went_bad_is_said_and_repaired(
    kind: str, filled: Place, tmp_path: Path, faults: Faults, capfd: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(f"{SEED} {kind}")
    for number in range(ROUNDS):
        home = tmp_path / f"home{number}"
        shutil.copytree(filled.home, home)
        KINDS[kind](home, rng)
        for words in LOOKS:
            status = main(["--home", str(home), *words])
            output = "".join(capfd.readouterr())
            assert "Traceback" not in output and status in (0, 1, 2), (
                number,
                words,
                output[-3000:],
            )
            assert status == 0 or words == ("doctor",) or output.strip(), (number, words)
        assert main(["--home", str(home), "repair-db"]) in (0, 1), capfd.readouterr()
        check(home, filled, kind)
        shutil.rmtree(home)
    faults.count(f"damage: {kind}", ROUNDS)
    faults.count("upkeep: doctor and repair-db on a damaged home", ROUNDS)


def check(home: Path, filled: Place, kind: str) -> None:
    """After the repair: sound databases, and every research whose record and texts are whole."""
    with ResearchEngine(home=home, environ={}) as engine:
        bad = {check.name for check in doctor.checks(engine.config) if check.state == PROBLEM}
        assert bad <= LEFT.get(kind, set()), bad
        ids = {entry.research_id for entry in engine.history(HistoryQuery(limit=50)).entries}
        whole = {
            path.name: path.read_bytes()
            for path in (filled.home / "research" / "findings").glob("*.json")
        }
        with proven(Lost):
            assert len(ids) >= len(whole) - (kind in RECORDS)
            assert {"zorora.db", "corpus.db"} <= {path.name for path in home.iterdir()}
        if kind in (*RECORDS, "stored text"):
            return
        for research_id in (*filled.saved, "second_20250101_000000", "third_20250101_000000"):
            state = engine.load_research(research_id)
            assert state is not None and state.evidence
            with proven(Corrupt):
                for item in state.evidence:
                    assert (
                        engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
                    )
        if kind != "settings":
            assert "My own letter.txt" in {document.name for document in engine.library()}
            assert engine.search_library("batteries letter")
        notes = [
            note.text for note in engine.memory.recall("evening peak", all_sessions=True).notes
        ]
        assert notes == ["Batteries shift the evening peak."]
