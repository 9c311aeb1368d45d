"""Four programs write and read one home at the same time: no error, and all that was promised is
there.

Ten seconds in the lab, a minute with `FOUR=60`.
"""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from engine.answers import PROBLEM
from engine.maintenance import doctor
from engine.research_engine import ResearchEngine
from tests.lab.faults import Faults, Lost, proven
from tests.lab.places import ROOT, Place
from workflows.research.state import ResearchState

pytestmark = pytest.mark.lab

SECONDS = float(os.environ.get("FOUR", "10"))  # noqa: TID251 - how long to work is the caller's choice
SETTINGS = {"embeddings.enabled": False}


def test_four_processes_on_one_home_lose_nothing(tmp_path: Path, faults: Faults) -> None:
    place = Place(tmp_path)
    with ResearchEngine(home=place.home, environ={}, overrides=SETTINGS) as engine:
        engine._opened.storage.save_research(ResearchState("Shared", "shared", status="complete"))
    programs = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.lab.busy", str(place.home), name, str(SECONDS)],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for name in ("ada", "bo", "cy", "di")
    ]  # fmt: skip
    outputs = [program.communicate(timeout=SECONDS + 60) for program in programs]
    assert "".join(errors for _, errors in outputs) == ""
    assert [program.returncode for program in programs] == [0] * 4
    promised = [line.split("\t") for output, _ in outputs for line in output.splitlines()]
    kinds = Counter(kind for kind, *_ in promised)
    assert {"saved", "noted", "job", "document"} <= set(kinds)
    place.check_databases()
    check(place, promised)
    for kind, times in kinds.items():
        faults.count(f"four processes at once: {kind}", times)


def check(place: Place, promised: list[list[str]]) -> None:
    """Everything that a process was promised is there, and nothing else is wrong."""
    names: dict[str, set[str]] = {}
    for kind, name, *_ in promised:
        names.setdefault(kind, set()).add(name)
    with ResearchEngine(home=place.home, environ={}, overrides=SETTINGS) as engine:
        assert [check for check in doctor.checks(engine.config) if check.state == PROBLEM] == []
        storage = engine._opened.storage
        assert set(storage.ids()) == names["saved"] | {"shared"}
        swept = storage.sweep()
        assert (swept.indexed, swept.missing, swept.damaged) == ((), (), ())
        with proven(Lost):
            for name in names["saved"]:
                state = storage.load_research(name)
                assert state is not None and state.user.starred and len(state.sources) == 8
            library = {document.document_id for document in engine.library()}
            assert library == names["document"] - names.get("removed", set())
        for document in engine.library():
            assert len(engine.snapshot_text(document.snapshot_id or "")) == document.characters
    assert {row["text"] for row in place.sql("SELECT text FROM memory_notes")} == names["noted"]
    events = "SELECT research_id, count(*) AS n, max(seq) AS last FROM events GROUP BY research_id"
    counts = {row["research_id"]: (row["n"], row["last"]) for row in place.sql(events)}
    assert {name: counts.get(name) for name in names["job"]} == dict.fromkeys(
        names["job"], (15, 15)
    )
    bad = place.sql(
        "SELECT 1 FROM jobs WHERE status NOT IN ('complete', 'cancelled') OR owner IS NOT NULL"
    )
    assert bad == []
