"""kill -9 at random moments of real researches, of their workers and of the server: nothing saved is lost.

`pytest -m lab -k kill` kills at 20 seeded moments; KILLS=200 SEED=7 pytest -m lab -k kill at others. Each moment works
on the same home, so that everything saved before is at stake every time.
"""

import http.cookiejar
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.jobs import owner as owners
from engine.research_engine import ResearchEngine
from tests.engine.pretend import wait_for

pytestmark = pytest.mark.lab

ROOT = Path(__file__).resolve().parent.parent.parent
KILLS = int(os.environ.get("KILLS", "20"))  # noqa: TID251 - how long to work is the caller's choice
SEED = int(os.environ.get("SEED", "20250115"))  # noqa: TID251
QUESTION = "How do batteries change evening electricity prices?"
STEPS = (
    "",
    "understand",
    "plan",
    "aggregate",
    "follow",
    "gaps",
    "cross_reference",
    "credibility",
    "graph",
    "synthesis",
    "done",
)


@dataclass
class Before:
    """What was there when the process was killed."""

    step: str = ""
    seq: int = 0
    texts: dict[str, int] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    where: str = ""


class Place:
    """One home, and the programs that work on it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self.saved: dict[str, str] = {}
        self.starts = 0.0  # seconds from the start of a program to the start of its job
        self._papers = 0

    def program(self, *words: str) -> subprocess.Popen[bytes]:
        with (self.folder / "errors").open("ab") as errors:
            return subprocess.Popen(
                [sys.executable, "-m", "ui.terminal", "--home", str(self.home), *words],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                stdin=subprocess.DEVNULL,
            )

    def papers(self) -> str:
        """The example documents, each time a little different, so that there is something new to read."""
        self._papers += 1
        folder = self.folder / f"papers{self._papers}"
        shutil.copytree(ROOT / "examples", folder)
        for path in [*folder.rglob("*.md"), *folder.rglob("*.txt")]:
            path.write_text(
                path.read_text() + f"\n\nCopy number {self._papers} of this document was made for a test.\n"
            )
        return str(folder)

    def sql(self, sql: str, *values: object, file: str = "zorora.db") -> list[sqlite3.Row]:
        connection = sqlite3.connect(self.home / file, timeout=20)
        connection.row_factory = sqlite3.Row
        try:
            return connection.execute(sql, values).fetchall()
        finally:
            connection.close()

    def job(self) -> str | None:
        """The newest job."""
        if not (self.home / "zorora.db").exists():
            return None
        rows = self.sql("SELECT research_id FROM jobs ORDER BY created_at DESC, rowid DESC LIMIT 1")
        return rows[0][0] if rows else None

    def status(self, research_id: str) -> str:
        return str(self.sql("SELECT status FROM jobs WHERE research_id = ?", research_id)[0]["status"])

    def is_complete(self, research_id: str) -> bool:
        return self.status(research_id) == "complete"

    def lasts(self) -> float:
        """Seconds an undisturbed run takes at present; the machine is not always equally busy."""
        rows = self.sql("SELECT elapsed FROM jobs WHERE status = 'complete' ORDER BY created_at DESC LIMIT 5")
        return 1.1 * statistics.median(row["elapsed"] for row in rows)

    def snapshot(self, research_id: str) -> Before:
        """What must still be there after the kill."""
        (row,) = self.sql(
            "SELECT step, (SELECT COALESCE(MAX(seq), 0) FROM events e WHERE e.research_id = j.research_id) AS seq"
            " FROM jobs j WHERE research_id = ?",
            research_id,
        )
        where = "after the end" if self.is_complete(research_id) else f"before {row['step'] or 'the first step'}"
        before = Before(row["step"], row["seq"], where=where)
        texts = (self.home / "research" / "snapshots").rglob("*.txt.gz")
        before.texts = {path.name: path.stat().st_mtime_ns for path in texts}
        if (self.home / "corpus.db").exists():
            found = self.sql("SELECT document_id, added_at FROM documents WHERE status = 'indexed'", file="corpus.db")
            before.documents = {row["document_id"]: row["added_at"] for row in found}
        return before

    def check_databases(self) -> None:
        for file in ("zorora.db", "corpus.db"):
            if (self.home / file).exists():
                assert self.sql("PRAGMA integrity_check", file=file)[0][0] == "ok"
                assert self.sql("PRAGMA foreign_key_check", file=file) == []

    def check_saved(self) -> None:
        """Every record that was ever saved is there, whole and unchanged."""
        records = {path.name: path.read_bytes() for path in (self.home / "research" / "findings").glob("*.json")}
        for name, content in records.items():
            assert json.loads(content)["format"] == "zorora-research/1", name
        for research_id, path in self.saved.items():
            assert path in records, f"the record of {research_id} is gone"
            row = self.sql("SELECT 1 FROM research_findings WHERE research_id = ?", research_id)
            assert row, f"{research_id} is not in the history"

    def check_not_repeated(self, research_id: str, before: Before) -> None:
        """No finished step began again, no text was written again, no document read again."""
        rows = self.sql(
            "SELECT phase FROM events WHERE research_id = ? AND seq > ? AND kind = 'phase_started'",
            research_id,
            before.seq,
        )
        # Rounds go back to aggregate; a run of depth 1 has one round
        again = [row["phase"] for row in rows if STEPS.index(row["phase"]) < STEPS.index(before.step)]
        assert again == [], f"stopped before {before.step}, and did {again} again"
        for path in (self.home / "research" / "snapshots").rglob("*.txt.gz"):
            assert before.texts.get(path.name, path.stat().st_mtime_ns) == path.stat().st_mtime_ns
        rows = self.sql("SELECT document_id, added_at FROM documents", file="corpus.db")
        now = {row["document_id"]: row["added_at"] for row in rows}
        assert {key: now.get(key) for key in before.documents} == before.documents
        double = self.sql(
            "SELECT source_id FROM fetches WHERE run_id = ? GROUP BY source_id HAVING COUNT(*) > 1",
            research_id,
            file="corpus.db",
        )
        assert double == []

    def check_ended(self, research_id: str) -> None:
        """The run came to its end, and every quote of its record stands in its text."""
        with ResearchEngine(home=self.home) as engine:
            state = engine.load_research(research_id)
            assert state is not None and state.status == "complete", engine.status(research_id)
            assert state.evidence and state.report
            for item in state.evidence:
                assert engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
            numbers = [event.seq for event in engine.events(research_id, limit=5000)]
            assert numbers == list(range(1, len(numbers) + 1))
            self.saved[research_id] = engine.record_path(research_id).name

    def wait_over(self, research_id: str, seconds: float = 60.0) -> None:
        """Look at a job, as a page does, until it is over."""
        with ResearchEngine(home=self.home) as engine:
            wait_for(lambda: engine.status(research_id).over, seconds)


class Browser:
    """The web server as a process, and one visitor."""

    def __init__(self, place: Place) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"http://localhost:{free.getsockname()[1]}"
        self.process = place.program("web", "--no-browser", "--port", self.address.rpartition(":")[2])
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._open = urllib.request.build_opener(cookies).open

    def ask(self, question: str) -> str:
        """Fill in the form of the first page; the id of the research it starts."""
        page = wait_for(self._first_page, 30.0)
        token = re.search(r'name="csrf" value="([0-9a-f]+)"', page)
        assert token, page[:500]
        form = {"csrf": token.group(1), "q": question, "depth": "1", "sources": "local"}
        request = urllib.request.Request(
            f"{self.address}/research",
            urllib.parse.urlencode(form).encode(),
            {"Origin": self.address, "Sec-Fetch-Site": "same-origin"},
        )
        with self._open(request, timeout=30) as answer:
            return str(answer.geturl().rpartition("/research/")[2])

    def _first_page(self) -> str:
        try:
            with self._open(self.address, timeout=30) as answer:
                return str(answer.read().decode())
        except urllib.error.URLError:
            return ""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A home on which one undisturbed research has run."""
    place = Place(tmp_path_factory.mktemp("kill"))
    place.home.mkdir()
    (place.home / "config.toml").write_text("[embeddings]\nenabled = false\n")
    yield place
    print(f"\n{sum(place.counts.values())} moments: " + ", ".join(f"{n} {k}" for k, n in sorted(place.counts.items())))


def kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


def foreground(place: Place, rng: random.Random) -> None:
    """A research in the terminal is killed; `zorora resume` brings it to its end, killed once more now and then."""
    last = place.job()
    process = place.program(
        "research", QUESTION, "--docs", place.papers(), "--sources", "local", "--depth", "1", "--json"
    )
    if rng.random() < 0.8:  # otherwise while the program starts
        wait_for(lambda: process.poll() is not None or place.job() != last, 60.0)
        time.sleep(rng.uniform(0.0, place.lasts()))
    else:
        time.sleep(rng.uniform(0.0, place.starts))
    kill(process)
    research_id = place.job()
    if research_id is None or research_id == last:
        place.counts["before the job was there"] += 1
        return
    before = place.snapshot(research_id)
    if rng.random() < 0.3:
        again = place.program("resume", research_id)
        wait_for(lambda: again.poll() is not None or place.status(research_id) == "running", 60.0)
        time.sleep(rng.uniform(0.0, place.lasts()))
        kill(again)
        place.check_not_repeated(research_id, before)
        before = place.snapshot(research_id)
        place.counts["killed twice"] += 1
    if not place.is_complete(research_id):
        assert place.program("resume", research_id).wait(120) == 0
    place.check_not_repeated(research_id, before)
    place.check_ended(research_id)
    place.counts[f"terminal {before.where}"] += 1


def background(place: Place, rng: random.Random) -> None:
    """A detached worker is killed; whoever looks starts another."""
    last = place.job()
    words = ("research", QUESTION, "--docs", place.papers(), "--sources", "local", "--depth", "1", "--detach")
    assert place.program(*words).wait(60) == 0
    research_id = place.job()
    assert research_id and research_id != last
    time.sleep(rng.uniform(0.0, place.lasts()))
    before = kill_worker(place, research_id)
    place.wait_over(research_id)
    place.check_not_repeated(research_id, before)
    place.check_ended(research_id)
    place.counts[f"worker {before.where}"] += 1


def server(place: Place, rng: random.Random) -> None:
    """The web server is killed while a research runs that it started, and now and then the worker with it."""
    browser = Browser(place)
    try:
        research_id = browser.ask(QUESTION)
        time.sleep(rng.uniform(0.0, place.lasts()))
    finally:
        kill(browser.process)
    both = rng.random() < 0.5
    before = kill_worker(place, research_id) if both else place.snapshot(research_id)
    place.wait_over(research_id)
    place.check_not_repeated(research_id, before)
    place.check_ended(research_id)
    place.counts[f"server{' and worker' if both else ''} {before.where}"] += 1


def kill_worker(place: Place, research_id: str) -> Before:
    """Kill whoever works on a job, if anybody does."""
    owner = place.sql("SELECT owner FROM jobs WHERE research_id = ?", research_id)[0]["owner"]
    if owner:
        owners.stop(owners.read(owner), signal.SIGKILL)
        wait_for(lambda: owners.fate(owners.read(owner)) == "gone")
    return place.snapshot(research_id)


MOMENTS: tuple[Callable[[Place, random.Random], None], ...] = (foreground, background, server)


def test_kill_at_random_moments_loses_nothing(place: Place) -> None:
    began = time.monotonic()
    words = ("research", QUESTION, "--docs", place.papers(), "--sources", "local", "--depth", "1", "--json")
    assert place.program(*words).wait(120) == 0
    whole = time.monotonic() - began
    first = place.job()
    assert first
    place.starts = whole - place.lasts()
    place.check_ended(first)
    rng = random.Random(SEED)
    for _ in range(KILLS):
        rng.choice(MOMENTS)(place, rng)
        place.check_databases()
        place.check_saved()
    errors = (place.folder / "errors").read_text(errors="replace")
    assert "Traceback" not in errors and "database is locked" not in errors, errors[-3000:]
    assert not [path for path in place.home.rglob("*.json") if path.stat().st_size == 0]
