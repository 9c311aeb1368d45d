"""The run of a research: its progress, the question it asks, its end, and the same once more."""

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.answers import JobStatus, LoggedEvent, RunOptions
from engine.models import RunStatus
from ui.web.context import engine, writer
from ui.web.views.progress_view import progress

bp = Blueprint("run", __name__)


def progress_values(job: JobStatus) -> dict[str, Any]:
    """What the progress page and its fragments show."""
    everything = request.args.get("all") == "1"
    front = engine()
    events, preview = all_events(job.research_id), front.preview(job.research_id)
    view = progress(job, events, preview, front.sources(), everything)
    return {
        "job": job,
        "view": view,
        "everything": everything,
        "refresh": request.args.get("refresh") != "0",
        # The place of what a model writes is there from the beginning, so that nothing moves when
        # it comes
        "is_written": bool(view.written or writer()),
    }


def all_events(research_id: str) -> list[LoggedEvent]:
    """Every event, asked for in portions."""
    events: list[LoggedEvent] = []
    while True:
        after = events[-1].seq if events else 0
        portion = engine().events(research_id, after=after, limit=500)
        events.extend(portion)
        if len(portion) < 500:
            return events


@bp.get("/research/<research_id>/progress")
def fragment(research_id: str) -> Response:
    """The parts of the progress page that change, for HTMX. A run that is over or asks makes the
    page load again."""
    job = engine().status(research_id)
    is_waiting = request.args.get("waiting") == "1"
    if job.over or (job.status == RunStatus.WAITING) != is_waiting:
        return Response(headers={"HX-Refresh": "true"})
    return make_response(render_template("fragments/progress.html", **progress_values(job)))


@bp.post("/research/<research_id>/cancel")
def cancel(research_id: str) -> ResponseReturnValue:
    engine().cancel(research_id)
    return redirect(url_for("research.show", research_id=research_id), 303)


@bp.post("/research/<research_id>/resume")
def resume(research_id: str) -> ResponseReturnValue:
    engine().resume(research_id, force=request.form.get("force") == "1")
    return redirect(url_for("research.show", research_id=research_id), 303)


@bp.post("/research/<research_id>/clarify")
def clarify(research_id: str) -> ResponseReturnValue:
    """Hand on the answer: the words typed, else the choice; "cancel" stops the run."""
    if request.form.get("cancel"):
        return cancel(research_id)
    answer = request.form.get("text", "").strip()[:1000] or request.form.get("choice", "")
    if request.form.get("best") or not answer:
        answer = "1"
    engine().clarify(research_id, answer)
    return redirect(url_for("research.show", research_id=research_id), 303)


@bp.post("/research/<research_id>/again")
def again(research_id: str) -> ResponseReturnValue:
    """The same question once more, or one step deeper, with the same limits."""
    new = start_again(research_id, bool(request.form.get("deeper")))
    return redirect(url_for("research.show", research_id=new), 303)


def start_again(research_id: str, deeper: bool) -> str:
    """Start it; the id of the new research."""
    state = engine().load_research(research_id)
    if state is None:
        job = engine().status(research_id)
        return engine().start(
            job.query, RunOptions(depth=job.depth, sources=job.sources or None, clarify=True)
        )
    config = state.config
    options = RunOptions(
        depth=min(3, config.depth + (1 if deeper else 0)),
        sources=config.sources,
        documents=config.documents,
        clarify=config.clarify,
        filters=config.filters,
        offline=config.offline,
        lean=config.lean,
    )
    return engine().start(state.original_query, options)
