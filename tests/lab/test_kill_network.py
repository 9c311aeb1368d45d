"""kill -9 while services are asked and pages are read: what was answered before the kill is not
asked again."""

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.standin import serve
from benchmarks.standin_services import mount
from engine.research_engine import ResearchEngine
from tests.engine.pretend import wait_for
from tests.lab.faults import Faults
from tests.lab.places import LONGEST, ROOT, kill

pytestmark = pytest.mark.lab

ROUNDS = max(2, int(os.environ.get("KILLS", "0")) // 10)  # noqa: TID251 - how long to work is the caller's choice
SEED = int(os.environ.get("SEED", "20250115"))  # noqa: TID251
DELAYS = dict.fromkeys(
    ("openalex", "crossref", "arxiv", "wikipedia", "duckduckgo", "newsroom", "page"), 0.15
)
CHILD = """
import json, sys
from engine.answers import RunOptions
from engine.research_engine import ResearchEngine
from benchmarks.standin_texts import QUESTION
with ResearchEngine(home=sys.argv[2], environ={}, overrides=json.load(open(sys.argv[1]))) as engine:
    engine.run(QUESTION, RunOptions(depth=1, sources=("academic", "web", "newsroom"), clarify=False))
"""  # noqa: E501


def test_a_killed_run_asks_nobody_a_second_time(tmp_path: Path, faults: Faults) -> None:
    rng = random.Random(SEED)
    for number in range(ROUNDS):
        home = tmp_path / f"home{number}"
        with serve() as server:
            world = mount(server, DELAYS, characters=6_000)
            settings = {**world.settings, "embeddings.enabled": False}
            (tmp_path / "settings.json").write_text(json.dumps(settings))
            words = [sys.executable, "-c", CHILD, str(tmp_path / "settings.json"), str(home)]
            process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL)
            wait_for(lambda: len(server.requests) > 2, LONGEST)
            time.sleep(rng.uniform(0.1, 1.5))
            kill(process)
            before = len(server.requests)
            answered = finished(home)
            with ResearchEngine(home=home, environ={}, overrides=settings) as engine:
                (research_id,) = column(home / "zorora.db", "SELECT research_id FROM jobs")
                if column(home / "zorora.db", "SELECT 1 FROM jobs WHERE status = 'complete'"):
                    continue
                state = engine.resume_here(research_id)
                assert state.status == "complete" and state.evidence
                for item in state.evidence:
                    assert (
                        engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
                    )
            comparable = [
                request
                for request in server.requests[:before]
                if server.url + request.target in answered
            ]
            assert comparable or not answered
            again = [request.target for request in server.requests[before:]]
        assert [target for target in again if server.url + target in answered] == []
        assert len(column(home / "corpus.db", "SELECT DISTINCT source_id FROM fetches")) == len(
            column(home / "corpus.db", "SELECT source_id FROM fetches")
        )
        faults.count(
            f"kill -9 while services are asked ({'some' if answered else 'none'} had answered)"
        )


def finished(home: Path) -> set[str]:
    """The addresses whose answer was stored when the process was killed."""
    urls = column(home / "corpus.db", "SELECT url FROM http_cache")
    return {*urls, *column(home / "corpus.db", "SELECT url FROM fetches")}


def column(database: Path, sql: str) -> list[str]:
    with closing(sqlite3.connect(database, timeout=20)) as connection:
        return [row[0] for row in connection.execute(sql)]
