"""Changing and checking a finished research: sources left out or taken in, deeper, scored anew,
replayed, revisions."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import (
    Blueprint,
    Response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from engine.models import ConfigError, Event, NotFound, ResearchState
from ui.web.background.work import CHANGES, Work, background
from ui.web.context import engine, live_part, loaded, see_other
from ui.web.pages.research import report
from ui.web.views.citations import short
from ui.web.views.revision_view import OVER, field_words, heading, revision_rows

bp = Blueprint("steer", __name__)

OnEvent = Callable[[Event], None]


@bp.post("/research/<research_id>/<any(exclude, include, deepen, rescore, replay, recheck):action>")
def change(research_id: str, action: str) -> ResponseReturnValue:
    """Begin it. What is done within a second leads straight to what came of it."""
    begin(research_id, action, request.form.get("source", "").strip()[:2000])
    return outcome(research_id, leave=True)


def begin(research_id: str, action: str, source: str = "", wait: float | None = None) -> None:
    """Begin a piece of work. ConfigError for an action without its source."""
    state = loaded(research_id)
    if action in ("exclude", "include") and not source:
        raise ConfigError("Name the source: its tag, for example S3, or a document of the library.")
    steering = engine().steering
    actions: dict[str, Callable[[OnEvent], Any]] = {
        "exclude": partial(steering.exclude, research_id, source),
        "include": partial(steering.include, research_id, source),
        "deepen": partial(steering.deepen, research_id),
        "rescore": partial(steering.rescore, research_id),
        "replay": lambda on: field_words(steering.replay(research_id, on)[1]),
        "recheck": partial(steering.recheck, research_id),
    }
    change = actions[action]
    background(CHANGES).start(
        lambda reporter: change(reporter.event),
        research_id,
        Work(action, subject(state, source)),
        wait,
    )


def subject(state: ResearchState, source_id: str) -> str:
    """What a source or document is called in a sentence: its tag, else its title."""
    for source in state.sources:
        if source_id in (source.source_id, source.url) or source_id.upper() == source.tag:
            return source.tag or short(source.title or source.url, 80)
    for document in engine().library([source_id]):
        return short(document.title or document.name, 80)
    return short(source_id, 80)


@bp.get("/research/<research_id>/work")
def work(research_id: str) -> ResponseReturnValue:
    """How far the newest piece of work is, or what came of it."""
    return outcome(research_id, leave=False)


def outcome(research_id: str, leave: bool) -> ResponseReturnValue:
    """leave: after a form, so by another request; a new revision is shown as the report it is."""
    state, work = loaded(research_id), background(CHANGES).of(research_id)
    address = url_for("research.show", research_id=research_id)
    if work is None:
        return redirect(address, 303)
    if not work.running and not work.problem and work.action in OVER:
        words = OVER[work.action].format(subject=work.subject)
        return see_other(
            address, f"{words} This is revision {state.revision}; the one before is kept."
        )
    if leave:
        return redirect(url_for("steer.work", research_id=research_id), 303)
    title = heading(work.action, work.subject, work.running, bool(work.problem))
    return render_template("work.html", state=state, work=work, heading=title)


@bp.get("/research/<research_id>/work/progress")
def progress(research_id: str) -> Response:
    """The lines of the work, for HTMX; at its end the page is loaded again."""
    job = background(CHANGES).of(research_id)
    running = job is not None and job.running
    return live_part("fragments/work.html", running, work=job, research_id=research_id)


@bp.post("/research/<research_id>/work/stop")
def stop(research_id: str) -> ResponseReturnValue:
    background(CHANGES).stop(research_id)
    return redirect(url_for("steer.work", research_id=research_id), 303)


@bp.get("/research/<research_id>/revisions")
def revisions(research_id: str) -> str:
    """Every revision with what it was made by, the current one first."""
    state, steering = loaded(research_id), engine().steering
    states = [steering.revision(research_id, number) for number in steering.revisions(research_id)]
    return render_template("revisions.html", state=state, rows=revision_rows(states))


@bp.get("/research/<research_id>/revision/<int:number>")
def revision(research_id: str, number: int) -> ResponseReturnValue:
    """An older report as it was."""
    current = loaded(research_id)
    if number == current.revision:
        return redirect(url_for("research.show", research_id=research_id))
    state = engine().steering.revision(research_id, number)
    if state.report is None:
        raise NotFound(f"Revision {number} of this report has no report.")
    return render_template("report.html", **report(state, older=True), current=current.revision)
