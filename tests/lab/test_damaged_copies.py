"""Copies of zorora.db that went bad in every way: each opens, or is repaired, and what the records
hold comes back.

A few dozen copies in the lab, five hundred with `COPIES=500`.
"""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.answers import PROBLEM, HistoryQuery
from engine.maintenance import doctor
from engine.research_engine import ResearchEngine
from tests.lab.faults import Faults, Lost, proven
from tests.lab.places import Place
from tests.lab.test_damage import filled
from ui.terminal.main import main

__all__ = ["filled"]
pytestmark = pytest.mark.lab

COPIES = int(os.environ.get("COPIES", "30"))  # noqa: TID251 - how long to work is the caller's choice
SEED = int(os.environ.get("SEED", "20250115"))  # noqa: TID251
PAGE = 4096
COMMANDS = (
    ("history",),
    ("show", "last"),
    ("history", "battery"),
    ("jobs",),
    ("doctor",),
    ("star", "last"),
)
Damage = Callable[[bytearray, random.Random], bytes]


def flipped(data: bytearray, rng: random.Random) -> bytes:
    """200 bits, anywhere."""
    for _ in range(200):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def flipped_head(data: bytearray, rng: random.Random) -> bytes:
    """A few bits on the first pages, where SQLite keeps the schema."""
    for _ in range(rng.randint(1, 20)):
        data[rng.randrange(6 * PAGE)] ^= 1 << rng.randrange(8)
    return bytes(data)


def truncated(data: bytearray, rng: random.Random) -> bytes:
    return bytes(data[: rng.randrange(len(data))])


def zeroed(data: bytearray, rng: random.Random) -> bytes:
    """Some pages of nothing."""
    for _ in range(rng.randint(1, 10)):
        at = rng.randrange(len(data) // PAGE) * PAGE
        data[at : at + PAGE] = bytes(PAGE)
    return bytes(data)


def swapped(data: bytearray, rng: random.Random) -> bytes:
    """Pages in each other's place."""
    for _ in range(rng.randint(1, 5)):
        first, other = (rng.randrange(len(data) // PAGE) * PAGE for _ in range(2))
        data[first : first + PAGE], data[other : other + PAGE] = (
            data[other : other + PAGE],
            data[first : first + PAGE],
        )
    return bytes(data)


KINDS: tuple[Damage, ...] = (flipped, flipped_head, truncated, zeroed, swapped)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_damaged_copy_opens_or_is_repaired(
    kind: Damage, filled: Place, tmp_path: Path, faults: Faults, capfd: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(f"{SEED} {kind.__name__}")
    sound = (filled.home / "zorora.db").read_bytes()
    for number in range(max(1, COPIES // len(KINDS))):
        home = tmp_path / f"home{number}"
        shutil.copytree(filled.home, home)
        (home / "zorora.db").write_bytes(kind(bytearray(sound), rng))
        statuses = [used(home, words, capfd) for words in COMMANDS]
        if any(statuses):
            faults.count(f"damage: a copy with {kind.__name__} content, repaired")
            assert used(home, ("repair-db",), capfd) == 0
        else:
            faults.count(f"damage: a copy with {kind.__name__} content, opened")
        check(home, filled)
        shutil.rmtree(home)


def used(home: Path, words: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> int:
    """The status of a command that says nothing but sentences."""
    status = main(["--home", str(home), *words])
    output = "".join(capfd.readouterr())
    assert "Traceback" not in output and "fault in Zorora" not in output, (words, output[-3000:])
    assert status in (0, 1) and (status == 0 or output.strip()), (words, status, output)
    return status


def check(home: Path, filled: Place) -> None:
    """Everything that the records hold is there."""
    with (
        ResearchEngine(home=home, environ={}) as engine,
        ResearchEngine(home=filled.home, environ={}) as before,
    ):
        assert [check for check in doctor.checks(engine.config) if check.state == PROBLEM] == []
        for entry in before.history(HistoryQuery(limit=50)).entries:
            with proven(Lost):
                there, was = (
                    engine.load_research(entry.research_id),
                    before.load_research(entry.research_id),
                )
                assert there is not None and was is not None and there.claims == was.claims
                # `star` was one of the commands, and may have been the one that worked
                assert there.user.starred >= was.user.starred and there.user.tags == was.user.tags
        entries = {
            entry.research_id: entry for entry in engine.history(HistoryQuery(limit=50)).entries
        }
        for entry in before.history(HistoryQuery(limit=50)).entries:
            with proven(Lost):
                assert entries[entry.research_id].query == entry.query
        assert (
            engine.history(HistoryQuery(text="battery")).total
            == before.history(HistoryQuery(text="battery")).total
        )
