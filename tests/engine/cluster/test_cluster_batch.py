"""What is sent to the workers of a cluster, and what becomes of what they send back."""

import io
import tarfile
from pathlib import Path

import pytest

from engine.answers import Imported, RunOptions
from engine.cluster.batch import ClusterBatch, _packed, _settings, _unpacked, research_task
from engine.cluster.cluster import Done
from engine.maintenance import backup
from engine.research_engine import ResearchEngine
from engine.runs.batch import Answered, Journal
from tools.errors import Refused
from workflows.research.events import Event


class Importing:
    """An engine that takes in every record but one."""

    def import_record(self, data: bytes) -> Imported:
        if data == b"odd":
            raise Refused("It is odd.")
        return Imported("kept", True)


def test_what_a_worker_says_becomes_a_research_or_a_sentence(tmp_path: Path) -> None:
    journal = Journal(tmp_path, tmp_path / "questions.txt", RunOptions())
    batch = ClusterBatch(Importing(), "", journal)  # type: ignore[arg-type]
    assert batch._keep("q", Done("partial", b"record")) == Answered("q", "kept", "partial")
    assert batch._keep("q", Done("failed", problem="No.")) == Answered("q", None, "failed", "No.")
    assert batch._keep("q", Done("complete", b"odd")) == Answered("q", None, "failed", "It is odd.")
    assert "Every worker" in (batch._keep("q", RuntimeError("gone")).problem or "")


def test_workers_get_the_settings_of_researches_and_none_of_places(home: Path) -> None:
    chosen = {
        "research.rounds": "1,1,1",
        "corpus.index": "postgresql:///x?host=/run",
        "embeddings.path": "/model",
    }
    with ResearchEngine(
        home=home, environ={}, overrides={**chosen, "jobs.parallel": "3"}
    ) as engine:
        assert _settings(engine.config) == {
            "research.rounds": (1, 1, 1),
            "corpus.index": "postgresql:///x?host=/run",
        }


def test_a_library_travels_without_names_of_this_machine_and_is_unpacked_once(
    tmp_path: Path,
) -> None:
    database, text = tmp_path / "corpus.db", tmp_path / "aa" / "aa.txt.gz"
    text.parent.mkdir()
    database.write_bytes(b"rows")
    text.write_bytes(b"text")
    shelf = _packed(database, [text])
    with tarfile.open(fileobj=io.BytesIO(shelf)) as archive:
        assert {(member.uid, member.uname, member.mtime) for member in archive.getmembers()} == {
            (0, "", 0)
        }
    home = _unpacked(shelf, tmp_path)
    assert (home / "research" / "snapshots" / "aa" / "aa.txt.gz").read_bytes() == b"text"
    assert _unpacked(shelf, tmp_path) == home and _unpacked(b"", tmp_path) != home


def test_a_research_on_a_worker_leaves_what_another_on_the_machine_is_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.cluster.batch.scratch_folder", lambda: tmp_path)
    offline = RunOptions(sources=("local",), depth=1, offline=True)
    home = _unpacked(b"", tmp_path)
    records: list[list[Path]] = []

    with ResearchEngine(
        tmp_path / "zorora.db", home, environ={}, overrides={"embeddings.enabled": False}
    ) as other:

        def meanwhile(event: Event) -> None:
            if not records:
                backup.make(other.config.paths)
                research_task("How old do oaks get?", offline, {"embeddings.enabled": False}, b"")
                records.append(list(other.config.paths.findings.glob("*.json")))

        other.run("How tall are spruces?", offline, meanwhile)
    assert records == [[]]
