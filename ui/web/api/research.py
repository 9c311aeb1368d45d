"""Views of the JSON interface for researches. Each takes checked input and returns plain values."""

import threading
import time
from typing import Any

from engine.answers import HistoryPage, HistoryQuery, JobStatus, RunOptions
from engine.models import Filters, NotFound, ResearchState
from engine.reports.figures import score_of
from ui.web import forms
from ui.web.api.model import Answer, plain
from ui.web.context import engine

STEP = 0.2
WAITERS = threading.BoundedSemaphore(6)  # so that waiting requests never hold all threads of the server


def search(given: dict[str, Any]) -> HistoryPage:
    text = (given["q"] or "").strip() or None
    return engine().history(
        HistoryQuery(
            text=text,
            status=tuple(given["status"] or ()),
            starred=given["starred"],
            tag=given["tag"] or None,
            source_type=given["source_type"],
            kind=given["kind"],
            min_confidence=given["min_confidence"],
            since=forms.iso_date(given["since"], "since"),
            until=forms.iso_date(given["until"], "until"),
            sort=given["sort"] or ("best" if text else "newest"),
            bin=given["bin"],
            limit=given["limit"],
            before=given["before"] or None,
        )
    )


def start(given: dict[str, Any]) -> Answer:
    """Enqueue; with wait, the record when it is done in time."""
    filters = Filters(
        since=forms.iso_date(given.get("since"), "since"),
        until=forms.iso_date(given.get("until"), "until"),
        sites=tuple(given.get("sites") or ()),
        exclude_sites=tuple(given.get("exclude_sites") or ()),
        lang=given.get("lang") or None,
        urls=tuple(given.get("urls") or ()),
    )
    options = RunOptions(
        depth=given.get("depth"),
        sources=tuple(given["sources"]) if given.get("sources") else None,
        documents=tuple(given["documents"]) if given.get("documents") is not None else None,
        clarify=bool(given.get("clarify")),
        filters=filters,
        offline=bool(given.get("offline")),
        lean=bool(given.get("lean")),
    )
    research_id = engine().start(forms.question(given["query"]), options)
    return finished(research_id, given.get("wait") or 0.0)


def finished(research_id: str, wait: float) -> Answer:
    """The record with 200 when the research is over, else its status with 202."""
    job = wait_for(research_id, wait)
    state = engine().load_research(research_id) if job.over else None
    return Answer(record(state), 200) if state else Answer(job, 202)


def wait_for(research_id: str, seconds: float) -> JobStatus:
    """The status at the latest after so many seconds, earlier when it is over or asks something."""
    job = engine().status(research_id)
    if seconds <= 0 or not WAITERS.acquire(blocking=False):
        return job
    try:
        end = time.monotonic() + seconds
        while not job.over and job.status != "waiting_for_input" and time.monotonic() < end:
            time.sleep(STEP)
            job = engine().status(research_id)
        return job
    finally:
        WAITERS.release()


def record(state: ResearchState) -> dict[str, Any]:
    return state.to_dict()


def fetch(given: dict[str, Any]) -> Answer:
    return finished(given["research_id"], given["wait"])


def status(given: dict[str, Any]) -> JobStatus:
    return wait_for(given["research_id"], given["wait"])


def events(given: dict[str, Any]) -> dict[str, Any]:
    """Those after a number; with wait, after so many seconds at the latest, else as soon as there is one."""
    name, end = given["research_id"], time.monotonic() + given["wait"]
    waits = given["wait"] > 0 and WAITERS.acquire(blocking=False)
    try:
        while True:
            job = engine().status(name)  # asked before the events, so that the last are not lost
            found = engine().events(name, after=given["after"], limit=given["limit"])
            if found or not waits or job.over or time.monotonic() >= end:
                break
            time.sleep(STEP)
    finally:
        if waits:
            WAITERS.release()
    return {"events": found, "next": found[-1].seq if found else given["after"]}


def cancel(given: dict[str, Any]) -> JobStatus:
    return engine().cancel(given["research_id"])


def clarify(given: dict[str, Any]) -> JobStatus:
    engine().clarify(given["research_id"], given["answer"])
    return engine().status(given["research_id"])


def resume(given: dict[str, Any]) -> JobStatus:
    engine().resume(given["research_id"], force=given["force"])
    return engine().status(given["research_id"])


def delete(given: dict[str, Any]) -> dict[str, bool]:
    engine().delete(given["research_id"], now=given["now"])
    return {"done": True}


def undelete(given: dict[str, Any]) -> dict[str, bool]:
    engine().undelete(given["research_id"])
    return {"done": True}


def marks(given: dict[str, Any]) -> dict[str, bool]:
    """Change what is given, leave the rest."""
    name = given["research_id"]
    if given["starred"] is not None:
        engine().star(name, given["starred"])
    if given["tags"] is not None:
        engine().tag(name, forms.tags(",".join(given["tags"])))
    if given["note"] is not None:
        engine().note(name, given["note"].strip())
    if all(given[key] is None for key in ("starred", "tags", "note")):
        engine().status(name)
    return {"done": True}


def check(given: dict[str, Any]) -> dict[str, bool]:
    """Keep what was found on checking a citation."""
    engine().steering.check(given["research_id"], given["source_id"], given["use"], given["mark"])
    return {"done": True}


def loaded(research_id: str) -> ResearchState:
    state = engine().load_research(research_id)
    if state is None:
        raise NotFound("There is no finished report with this id on this computer.")
    return state


def sources(given: dict[str, Any]) -> list[Any]:
    found: list[Any] = record(loaded(given["research_id"]))["sources"]
    return found


def graph(given: dict[str, Any]) -> dict[str, Any]:
    """Nodes with authority, and who cites whom."""
    state = loaded(given["research_id"])
    authority = {entry.source_id: plain(entry) for entry in state.authority}
    nodes = [
        {
            "source_id": source.source_id,
            "tag": source.tag,
            "title": source.title,
            "credibility": score_of(source),
            "authority": authority.get(source.source_id, {}).get("authority"),
            "pagerank": authority.get(source.source_id, {}).get("pagerank"),
            "in_degree": authority.get(source.source_id, {}).get("in_degree"),
        }
        for source in state.sources
    ]
    edges = [{"source": a, "cites": b} for a, cited in state.citation_graph.items() for b in cited]
    return {"nodes": nodes, "edges": edges}


def jobs(given: dict[str, Any]) -> list[JobStatus]:
    return engine().jobs(over=given["over"])
