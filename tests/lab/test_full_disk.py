"""A disk that is full, a file that may not grow, a home that cannot be written: a sentence, and no
harm.

Every command runs with some room left, from none to nearly enough. Where the tests may mount
(root), on a small file system of its own; everywhere with a limit on the size of files. `DISK=all`
tries every command with every amount.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.answers import HistoryQuery
from engine.research_engine import ResearchEngine
from tests.lab.faults import Faults
from tests.lab.places import QUESTION, ROOT, Place
from tests.lab.strikes import filled as filled_home

pytestmark = pytest.mark.lab

ALL = os.environ.get("DISK") == "all"  # noqa: TID251 - how long to work is the caller's choice
ROOMS = (0, 8_000, 60_000, 200_000, 600_000)  # bytes left
SIZES = (4_096, 60_000, 250_000, 800_000)  # of the largest file


@pytest.fixture(scope="module")
def filled(researched: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A home with one finished research, and what the commands need."""
    place = filled_home(researched, tmp_path_factory.mktemp("full"))
    with ResearchEngine(home=place.home, environ={}) as engine:
        engine.upkeep.backup(place.folder / "copy.db")
        record = json.loads(
            engine.export(next(iter(place.saved)), "json", with_snapshots=True).data
        )
    record["research_id"] = "brought_in_20250101_000000"
    (place.folder / "record.json").write_text(json.dumps(record))
    (place.folder / "journals.csv").write_text(
        "Journal title,Journal ISSN (print version),Journal EISSN (online version),Publisher\n"
        + "".join(f"Journal {n},{1000 + n}-5449,,P\n" for n in range(6000))
    )
    return place


def commands(place: Place) -> dict[str, tuple[str, ...]]:
    """What is tried. `last` names the finished research."""
    return {
        "research": (
            "research",
            QUESTION,
            "--docs",
            place.papers(),
            "--sources",
            "local",
            "--depth",
            "1",
            "--json",
        ),
        "ingest": ("ingest", place.papers()),
        "note": ("note", next(iter(place.saved)), "a thought " * 900),
        "import": ("import", str(place.folder / "record.json")),
        "data update": ("data", "update", "--journals", str(place.folder / "journals.csv")),
        # These two where nothing is left at all: a sound database must not be taken for a damaged
        # one
        "repair-db": ("repair-db",),
        "backup": ("backup",),
        "export": ("export", next(iter(place.saved)), "html", "-o", "HOME/report.html"),
        "show": ("show", next(iter(place.saved))),
        "history": ("history",),
        "restore": ("restore", str(place.folder / "copy.db")),
        "doctor": ("doctor",),
    }


def tried(commands: Sequence[str], amounts: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Every command with every amount; in short every command with one of them, and every amount
    with some command."""
    for number, command in enumerate(commands):
        yield from (
            (command, amount) for amount in (amounts if ALL else (amounts[number % len(amounts)],))
        )


def run(
    home: Path, words: Sequence[str], before: Callable[[], None] | None = None
) -> "subprocess.CompletedProcess[str]":
    """One command in a process; what it says is read from a pipe, not from the full disk."""
    argv = [word.replace("HOME", str(home)) for word in words]
    return subprocess.run(
        [sys.executable, "-m", "ui.terminal", "--home", str(home), *argv],
        cwd=ROOT, capture_output=True, text=True, timeout=120, preexec_fn=before, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def check(home: Path, place: Place, command: str, done: "subprocess.CompletedProcess[str]") -> None:
    """It said what is wrong, if anything was; and nothing that was there is gone."""
    output = done.stdout + done.stderr
    assert "Traceback" not in output, output[-3000:]
    assert done.returncode in (0, 1, 3), (done.returncode, output[-500:])
    if done.returncode == 1 and command != "doctor":
        assert any(
            word in output
            for word in ("full", "failing", "cannot be", "could not be", "space", "large")
        ), output
    now = Place(place.folder)
    now.home, now.saved = home, dict(place.saved)
    now.check_databases()
    now.check_saved()


def check_usable(home: Path) -> None:
    """With room again everything works, and a run that was stopped can be finished."""
    with ResearchEngine(home=home, environ={}) as engine:
        engine.upkeep.repair()
        for entry in engine.history(HistoryQuery(limit=50)).entries:
            state = engine.load_research(entry.research_id)
            assert state is not None
            for item in state.evidence:
                assert engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
        for job in engine._opened.jobs.jobs(over=True):
            if job.status in ("failed", "queued", "running"):
                assert engine.resume_here(job.research_id, force=True).status in (
                    "complete",
                    "partial",
                )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small file system")
def test_a_full_file_system_is_a_sentence_and_loses_nothing(
    filled: Place, tmp_path: Path, faults: Faults
) -> None:
    cases = commands(filled)
    for command, room in tried(tuple(cases), ROOMS):
        with small_disk(tmp_path / "disk") as disk:
            shutil.copytree(filled.home, disk / "home")
            leave(disk, room)
            done = run(disk / "home", cases[command])
            (disk / "ballast").unlink()
            check(disk / "home", filled, command, done)
            check_usable(disk / "home")
        faults.count(
            "full disk" + (" (the command failed with a sentence)" if done.returncode else "")
        )


def test_files_that_may_not_grow_are_a_sentence_and_lose_nothing(
    filled: Place, tmp_path: Path, faults: Faults
) -> None:
    cases = commands(filled)
    for command, size in tried(tuple(cases), SIZES):
        home = tmp_path / "home"
        shutil.copytree(filled.home, home)
        done = run(home, cases[command], lambda size=size: limit(size))  # type: ignore[misc]
        check(home, filled, command, done)
        check_usable(home)
        shutil.rmtree(home)
        faults.count(
            "limit on file size"
            + (" (the command failed with a sentence)" if done.returncode else "")
        )


def test_a_home_that_cannot_be_written_is_a_sentence(
    filled: Place, tmp_path: Path, faults: Faults
) -> None:
    with read_only(filled, tmp_path) as home:
        for command, words in commands(filled).items():
            done = run(home, words)
            output = done.stdout + done.stderr
            assert "Traceback" not in output, output[-3000:]
            assert done.returncode != 0 or command in ("export", "show", "history"), (
                command,
                output,
            )
            assert done.returncode == 0 or "cannot" in output, (command, output)
            faults.count("read-only home")


def limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """A file system of 24 MB."""
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def leave(disk: Path, room: int) -> None:
    """Fill the disk but for so many bytes."""
    free = shutil.disk_usage(disk).free
    with (disk / "ballast").open("wb") as ballast:
        ballast.write(bytes(max(0, free - room)))


@contextmanager
def read_only(filled: Place, tmp_path: Path) -> Iterator[Path]:
    """The home where nothing can be written: another mount for root, permissions for everybody
    else."""
    if os.geteuid() == 0:
        with small_disk(tmp_path / "fixed") as disk:
            shutil.copytree(filled.home, disk / "home")
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
            yield disk / "home"
        return
    home = tmp_path / "home"
    shutil.copytree(filled.home, home)
    folders = [home, *(path for path in home.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        yield home
    finally:
        for folder in folders:
            folder.chmod(0o700)
