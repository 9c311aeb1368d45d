"""A real Dask scheduler and two worker processes on loopback, one of them killed in the middle of
its work."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from engine.answers import RunOptions
from engine.cluster.batch import ClusterBatch
from engine.cluster.cluster import connected
from engine.research_engine import ResearchEngine
from engine.runs.batch import Answered, Journal
from tests.engine.cluster.dask_cluster import cluster, worker
from tools.errors import StorageError

pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = [
    pytest.mark.lab,
    # Dask leaves sockets and loops to the end of the process when a worker was killed under it
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
LOCAL = RunOptions(sources=("local",), depth=1, offline=True)
QUESTIONS = [
    "How tall are spruces?",
    "How deep do beech roots reach?",
    "How old do oaks get?",
    "Do larches lose needles?",
]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Sixteen small texts and one that nobody can read."""
    folder = tmp_path / "papers"
    folder.mkdir()
    trees = ("spruces", "beech", "oaks", "larches")
    for number in range(16):
        tree = trees[number % 4]
        (folder / f"{number:02}.md").write_text(
            f"# About {tree}, part {number}\n\nSpruces in valley {number} are {30 + number} metres "
            "tall. "
            f"The roots of a beech reach {number + 1} metres deep in sand. Oaks get {300 + number} "
            "years old. "
            f"Larches lose their needles in autumn, in week {40 + number % 10} of most years."
        )
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing follows")
    return folder


def everything(engine: ResearchEngine) -> dict[str, Any]:
    """What an ingest leaves, without times and numbers of rows."""
    tools = engine._opened.tools
    contents = {}
    chunks = sorted(tools.corpus.store.chunk_rows(range(1, 2_000)).items())
    for snapshot_id in sorted({row.snapshot_id for _, row in chunks}):
        rows = [row for _, row in chunks if row.snapshot_id == snapshot_id]
        ids = [row.chunk_id for row in rows]
        vectors = dict(tools.corpus.store.vectors_of(tools.embedder.model, ids))  # type: ignore[union-attr,attr-defined]
        contents[snapshot_id] = [
            (row.start, row.end, row.title, row.body, vectors.get(row.chunk_id)) for row in rows
        ]
    names = sorted(
        (document.document_id, document.name, document.status) for document in engine.library()
    )
    return {"texts": contents, "documents": names}


def test_an_ingest_on_a_cluster_is_the_ingest_of_one_machine_though_a_worker_is_killed(
    tmp_path: Path, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ResearchEngine(home=tmp_path / "here", environ={})
    here.ingest([documents])
    here._opened.tools.corpus.embed_pending()
    there = ResearchEngine(home=tmp_path / "there", environ={})
    with cluster(tmp_path) as (address, workers):
        seen: list[str] = []

        def progress(name: str, done: int, total: int, problem: str | None) -> None:
            seen.append(name)
            if done == 5:
                os.kill(workers[0].pid, signal.SIGKILL)

        with connected(there.config, address) as machines:
            report = there.ingest([documents], progress, machines)
            assert workers[0].wait(60) == -signal.SIGKILL
            again = there.ingest([documents], None, machines)
    assert (report.added, len(report.failed), len(seen)) == (16, 1, 17)
    assert (again.added, again.unchanged) == (0, 16)
    assert everything(there) == everything(here)
    monkeypatch.setattr("engine.cluster.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(StorageError, match="no Dask scheduler"):
        connected(there.config, address)
    here.close()
    there.close()


def test_a_batch_on_a_cluster_gives_the_records_of_one_machine_though_a_worker_is_killed(
    tmp_path: Path, documents: Path
) -> None:
    engine = ResearchEngine(
        home=tmp_path / "home", environ={}, overrides={"embeddings.enabled": False}
    )
    engine.ingest([documents])
    alone = {question: engine.run(question, LOCAL) for question in QUESTIONS}
    with cluster(tmp_path) as (address, workers):
        notifications: list[Answered] = []

        def killing(result: Answered) -> None:
            notifications.append(result)
            if len(notifications) == 1:
                os.kill(workers[1].pid, signal.SIGKILL)

        journal = Journal(engine.config.home, tmp_path / "questions.txt", LOCAL)
        results = ClusterBatch(engine, address, journal).run(QUESTIONS, LOCAL, killing)
    assert results == notifications and [result.question for result in results] == QUESTIONS
    for result in results:
        assert result.status == "complete" and result.problem is None and result.research_id
        state = engine.load_research(result.research_id)
        assert state is not None and result.research_id != alone[result.question].research_id
        assert state.synthesis == alone[result.question].synthesis
        assert [claim.text for claim in state.claims] == [
            claim.text for claim in alone[result.question].claims
        ]
    assert len(engine.search_history(limit=20)) == 8
    engine.close()


def test_a_value_for_every_worker_outlives_the_only_one_that_held_it(tmp_path: Path) -> None:
    engine = ResearchEngine(home=tmp_path / "home", environ={})
    with cluster(tmp_path, 1) as (address, workers), connected(engine.config, address) as machines:
        value = machines.spread(b"what every piece of work reads")
        workers.append(worker(tmp_path))
        machines._client.wait_for_workers(2)
        workers[0].kill()
        assert list(machines.each(len, [(value,), (value,)])) == [(value, 30), (value, 30)]
    engine.close()
