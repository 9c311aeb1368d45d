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


def search(params: dict[str, Any]) -> HistoryPage:
    text = (params["q"] or "").strip() or None
    return engine().history(
        HistoryQuery(
            text=text,
            status=tuple(params["status"] or ()),
            starred=params["starred"],
            tag=params["tag"] or None,
            source_type=params["source_type"],
            kind=params["kind"],
            min_confidence=params["min_confidence"],
            since=forms.iso_date(params["since"], "since"),
            until=forms.iso_date(params["until"], "until"),
            sort=params["sort"] or ("best" if text else "newest"),
            bin=params["bin"],
            limit=params["limit"],
            before=params["before"] or None,
        )
    )


def start(params: dict[str, Any]) -> Answer:
    """Enqueue; with wait, the record when it is done in time."""
    filters = Filters(
        since=forms.iso_date(params.get("since"), "since"),
        until=forms.iso_date(params.get("until"), "until"),
        sites=tuple(params.get("sites") or ()),
        exclude_sites=tuple(params.get("exclude_sites") or ()),
        lang=params.get("lang") or None,
        urls=tuple(params.get("urls") or ()),
    )
    options = RunOptions(
        depth=params.get("depth"),
        sources=tuple(params["sources"]) if params.get("sources") else None,
        documents=tuple(params["documents"]) if params.get("documents") is not None else None,
        clarify=bool(params.get("clarify")),
        filters=filters,
        offline=bool(params.get("offline")),
        lean=bool(params.get("lean")),
    )
    research_id = engine().start(forms.question(params["query"]), options)
    return finished(research_id, params.get("wait") or 0.0)


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


def fetch(params: dict[str, Any]) -> Answer:
    return finished(params["research_id"], params["wait"])


def status(params: dict[str, Any]) -> JobStatus:
    return wait_for(params["research_id"], params["wait"])


def events(params: dict[str, Any]) -> dict[str, Any]:
    """Those after a number; with wait, after so many seconds at the latest, else as soon as there is one."""
    name, end = params["research_id"], time.monotonic() + params["wait"]
    waits = params["wait"] > 0 and WAITERS.acquire(blocking=False)
    try:
        while True:
            job = engine().status(name)  # asked before the events, so that the last are not lost
            events = engine().events(name, after=params["after"], limit=params["limit"])
            if events or not waits or job.over or time.monotonic() >= end:
                break
            time.sleep(STEP)
    finally:
        if waits:
            WAITERS.release()
    return {"events": events, "next": events[-1].seq if events else params["after"]}


def cancel(params: dict[str, Any]) -> JobStatus:
    return engine().cancel(params["research_id"])


def clarify(params: dict[str, Any]) -> JobStatus:
    engine().clarify(params["research_id"], params["answer"])
    return engine().status(params["research_id"])


def resume(params: dict[str, Any]) -> JobStatus:
    engine().resume(params["research_id"], force=params["force"])
    return engine().status(params["research_id"])


def delete(params: dict[str, Any]) -> dict[str, bool]:
    engine().delete(params["research_id"], now=params["now"])
    return {"done": True}


def undelete(params: dict[str, Any]) -> dict[str, bool]:
    engine().undelete(params["research_id"])
    return {"done": True}


def marks(params: dict[str, Any]) -> dict[str, bool]:
    """Change what is given, leave the rest."""
    name = params["research_id"]
    if params["starred"] is not None:
        engine().star(name, params["starred"])
    if params["tags"] is not None:
        engine().tag(name, forms.tags(",".join(params["tags"])))
    if params["note"] is not None:
        engine().note(name, params["note"].strip())
    if all(params[key] is None for key in ("starred", "tags", "note")):
        engine().status(name)
    return {"done": True}


def check(params: dict[str, Any]) -> dict[str, bool]:
    """Keep what was found on checking a citation."""
    engine().steering.check(params["research_id"], params["source_id"], params["use"], params["mark"])
    return {"done": True}


def loaded(research_id: str) -> ResearchState:
    state = engine().load_research(research_id)
    if state is None:
        raise NotFound("There is no finished report with this id on this computer.")
    return state


def sources(params: dict[str, Any]) -> list[Any]:
    sources: list[Any] = record(loaded(params["research_id"]))["sources"]
    return sources


def graph(params: dict[str, Any]) -> dict[str, Any]:
    """Nodes with authority, and who cites whom."""
    state = loaded(params["research_id"])
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


def jobs(params: dict[str, Any]) -> list[JobStatus]:
    return engine().jobs(over=params["over"])
