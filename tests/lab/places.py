"""A home on which programs work that are killed, and what must be there afterwards."""

import http.cookiejar
import json
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from engine.jobs import owner as owners
from engine.research_engine import ResearchEngine
from tests.engine.pretend import wait_for
from tests.lab.faults import Corrupt, Lost, proven

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "How do batteries change evening electricity prices?"
LONGEST = 180.0  # seconds anything may take on a machine that is busy with other things
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

    def program(self, *words: str, errors_to: str = "errors") -> subprocess.Popen[bytes]:
        """Start `zorora`. errors_to: the file below `folder` that takes its standard error; its
        name begins so."""
        with (self.folder / errors_to).open("ab") as errors:
            return subprocess.Popen(
                [sys.executable, "-m", "ui.terminal", "--home", str(self.home), *words],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                stdin=subprocess.DEVNULL,
            )

    def check_errors(self) -> None:
        """No program said anything but sentences."""
        for path in sorted(self.folder.glob("errors*")):
            log = path.read_text(errors="replace")
            assert "Traceback" not in log and "database is locked" not in log, log[-3000:]

    def papers(self) -> str:
        """The example documents, each time a little different, so that there is something new to
        read."""
        self._papers += 1
        folder = self.folder / f"papers{self._papers}"
        shutil.copytree(ROOT / "examples", folder)
        for path in [*folder.rglob("*.md"), *folder.rglob("*.txt")]:
            path.write_text(
                path.read_text()
                + f"\n\nCopy number {self._papers} of this document was made for a test.\n"
            )
        return str(folder)

    def sql(self, sql: str, *values: object, file: str = "zorora.db") -> list[sqlite3.Row]:
        with closing(sqlite3.connect(self.home / file, timeout=20)) as connection:
            connection.row_factory = sqlite3.Row
            rows: list[sqlite3.Row] = connection.execute(sql, values).fetchall()
            return rows

    def job(self) -> str | None:
        """The newest job."""
        if not (self.home / "zorora.db").exists():
            return None
        rows = self.sql("SELECT research_id FROM jobs ORDER BY created_at DESC, rowid DESC LIMIT 1")
        return rows[0][0] if rows else None

    def status(self, research_id: str) -> str:
        return str(
            self.sql("SELECT status FROM jobs WHERE research_id = ?", research_id)[0]["status"]
        )

    def is_writable(self) -> bool:
        """Whether no program is in the middle of a transaction."""
        for file in ("zorora.db", "corpus.db"):
            with closing(
                sqlite3.connect(self.home / file, timeout=0.2, isolation_level=None)
            ) as connection:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError:
                    return False
        return True

    def is_complete(self, research_id: str) -> bool:
        return self.status(research_id) == "complete"

    def lasts(self) -> float:
        """Seconds an undisturbed run takes at present; the machine is not always equally busy."""
        rows = self.sql(
            "SELECT elapsed FROM jobs WHERE status = 'complete' ORDER BY created_at DESC LIMIT 5"
        )
        return 1.1 * statistics.median(float(row["elapsed"]) for row in rows)

    def snapshot(self, research_id: str) -> Before:
        """What must still be there after the kill."""
        (row,) = self.sql(
            "SELECT step, (SELECT COALESCE(MAX(seq), 0) FROM events e WHERE e.research_id = "
            "j.research_id) AS seq"
            " FROM jobs j WHERE research_id = ?",
            research_id,
        )
        where = (
            "after the end"
            if self.is_complete(research_id)
            else f"before {row['step'] or 'the first step'}"
        )
        before = Before(row["step"], row["seq"], where=where)
        texts = (self.home / "research" / "snapshots").rglob("*.txt.gz")
        before.texts = {path.name: path.stat().st_mtime_ns for path in texts}
        if (self.home / "corpus.db").exists():
            documents = self.sql(
                "SELECT document_id, added_at FROM documents WHERE status = 'indexed'",
                file="corpus.db",
            )
            before.documents = {row["document_id"]: row["added_at"] for row in documents}
        return before

    def check_databases(self) -> None:
        with proven(Corrupt):
            for file in ("zorora.db", "corpus.db"):
                if (self.home / file).exists():
                    assert self.sql("PRAGMA integrity_check", file=file)[0][0] == "ok"
                    assert self.sql("PRAGMA foreign_key_check", file=file) == []

    def check_saved(self) -> None:
        """Every record that was ever saved is there, whole and unchanged."""
        records = {
            path.name: path.read_bytes()
            for path in (self.home / "research" / "findings").glob("*.json")
        }
        with proven(Corrupt):
            for name, content in records.items():
                assert json.loads(content)["format"] == "zorora-research/1", name
        with proven(Lost):
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
        again = [
            row["phase"] for row in rows if STEPS.index(row["phase"]) < STEPS.index(before.step)
        ]
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
            with proven(Corrupt):
                for item in state.evidence:
                    assert (
                        engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
                    )
            numbers = [event.seq for event in engine.events(research_id, limit=5000)]
            assert numbers == list(range(1, len(numbers) + 1))
            self.saved[research_id] = engine.record_path(research_id).name

    def wait_over(self, research_id: str) -> None:
        """Look at a job, as a page does, until it is over."""
        with ResearchEngine(home=self.home) as engine:
            try:
                wait_for(lambda: engine.status(research_id).over, LONGEST)
            except AssertionError:
                raise AssertionError(
                    f"not over after {LONGEST:.0f} s: {engine.status(research_id)}"
                ) from None


class Browser:
    """The web server as a process, and one visitor."""

    def __init__(self, place: Place) -> None:
        self.address = ""
        # A port of the server's own choice: one that was looked for here may be taken by another
        # program by then
        self._error_log = place.folder / f"errors-{uuid.uuid4().hex[:12]}"
        self.process = place.program(
            "web", "--no-browser", "--port", "0", errors_to=self._error_log.name
        )
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._open = urllib.request.build_opener(cookies).open
        self._token = ""

    def ask(self, question: str) -> str:
        """Fill in the form of the first page; the id of the research it starts."""
        self.wait()
        return self.post("/research", {"q": question, "depth": "1", "sources": "local"}).rpartition(
            "/research/"
        )[2]

    def wait(self) -> None:
        """Until the first page is there."""
        page = wait_for(self._first_page, LONGEST)
        token = re.search(r'name="csrf" value="([0-9a-f]+)"', page)
        assert token, page[:500]
        self._token = token.group(1)

    def post(
        self, path: str, fields: Mapping[str, str], file: tuple[str, bytes] | None = None
    ) -> str:
        """Send a form; the address it leads to. Raises OSError when the server is gone."""
        kind, body = _form({"csrf": self._token, **fields}, file)
        headers = {"Origin": self.address, "Sec-Fetch-Site": "same-origin", "Content-Type": kind}
        with self._open(
            urllib.request.Request(self.address + path, body, headers), timeout=30
        ) as answer:
            return str(answer.geturl())

    def get(self, path: str) -> bytes:
        with self._open(self.address + path, timeout=30) as answer:
            return bytes(answer.read())

    def _first_page(self) -> str:
        errors = self._error_log.read_text(errors="replace")
        assert self.process.poll() is None, f"the server ended: {errors}"
        if not (match := re.search(r"Zorora is at (http://\S+?)/?\s", errors)):
            return ""
        self.address = match.group(1)
        try:
            return self.get("/").decode()
        except (urllib.error.URLError, TimeoutError):
            return ""


def _form(fields: Mapping[str, str], file: tuple[str, bytes] | None) -> tuple[str, bytes]:
    """The kind and the bytes of a form as a browser sends it."""
    if file is None:
        return "application/x-www-form-urlencoded", urllib.parse.urlencode(fields).encode()
    line = uuid.uuid4().hex
    begin = f"--{line}\r\nContent-Disposition: form-data"
    parts = [f'{begin}; name="{n}"\r\n\r\n{value}\r\n'.encode() for n, value in fields.items()]
    head = f'{begin}; name="files"; filename="{file[0]}"\r\n\r\n'.encode()
    return f"multipart/form-data; boundary={line}", b"".join(
        [*parts, head, file[1], f"\r\n--{line}--\r\n".encode()]
    )


def kill(process: subprocess.Popen[bytes]) -> None:
    """kill -9, and wait until it is gone."""
    process.send_signal(signal.SIGKILL)
    process.wait()


def kill_worker(place: Place, research_id: str) -> Before:
    """Kill whoever works on a job, if anybody does."""
    owner = place.sql("SELECT owner FROM jobs WHERE research_id = ?", research_id)[0]["owner"]
    if owner:
        owners.stop(owners.read_owner(owner), signal.SIGKILL)
        wait_for(lambda: owners.fate(owners.read_owner(owner)) == "gone", LONGEST)
    return place.snapshot(research_id)
