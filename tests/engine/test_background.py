"""Researches in the background: real detached workers over real documents, followed from here."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.answers import RunOptions
from engine.jobs import owner as owners
from engine.research_engine import ResearchEngine
from tests.engine.pretend import wait_for

TEXT = """# Storage and evening prices

In each of the five example markets the share of evening demand met from storage has grown every year since 2021.
The winter evening mean price was {percent}% lower than in the reference years. Batteries reduced evening electricity
prices in every market that the agency studied between 2021 and 2024.
"""  # noqa: E501


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name, percent in (("agency", 9), ("institute", 12)):
        (folder / f"{name}.md").write_text(TEXT.format(percent=percent))
    return folder


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    """An engine on an empty home, with no semantic search (that is tested with the corpus)."""
    with ResearchEngine(home=home, overrides={"embeddings.enabled": False}) as engine:
        yield engine
        for job in engine.jobs():
            engine.cancel(job.research_id)


def options(documents: Path) -> RunOptions:
    return RunOptions(sources=("local",), depth=1, docs=(str(documents),), clarify=False)


@pytest.mark.lab
def test_a_research_runs_in_a_process_of_its_own_to_a_cited_report(
    engine: ResearchEngine, documents: Path
) -> None:
    research_id = engine.start(
        "How did storage change evening electricity prices?", options(documents)
    )
    status = wait_for(lambda: (s := engine.status(research_id)).over and s)
    assert status.status == "complete", status
    state = engine.load_research(research_id)
    assert state is not None and state.report is not None
    assert state.answer is not None and state.answer.passages[0].lead.citations
    for evidence in state.evidence:
        assert (
            engine.snapshot_text(evidence.snapshot_id)[evidence.start : evidence.end]
            == evidence.quote
        )
    page = engine.reader(research_id, state.evidence[0].source_id)
    assert page.passages and page.problem is None
    assert engine.events(research_id)[0].message.startswith("Read document")
    assert state.usage.http_requests == 0
    assert len(engine.library()) == 2
    hits = engine.search_library("evening prices batteries")
    assert hits and "\x02" in hits[0].text


@pytest.mark.lab
def test_a_killed_worker_is_replaced_by_whoever_looks(
    engine: ResearchEngine, documents: Path
) -> None:
    research_id = engine.start(
        "How did storage change evening electricity prices?", options(documents)
    )
    first = wait_for(lambda: engine._opened.jobs.get(research_id).owner)
    os.kill(owners.read_owner(first).pid, signal.SIGKILL)
    status = wait_for(lambda: (s := engine.status(research_id)).over and s)
    assert status.status == "complete", status
    (epoch,) = engine._opened.storage.database.read().execute("SELECT epoch FROM jobs").fetchone()
    assert epoch >= 3  # claimed, declared gone, claimed again


@pytest.mark.lab
def test_a_cancelled_worker_ends_and_its_process_is_gone(
    engine: ResearchEngine, documents: Path
) -> None:
    research_id = engine.start(
        "How did storage change evening electricity prices?", options(documents)
    )
    worker = owners.read_owner(wait_for(lambda: engine._opened.jobs.get(research_id).owner))
    engine.cancel(research_id)
    status = wait_for(lambda: (s := engine.status(research_id)).over and s)
    assert status.status in ("cancelled", "partial", "complete")
    wait_for(lambda: owners.fate(worker) == "gone")
    assert engine.load_research(research_id) is not None
