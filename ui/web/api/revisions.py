"""Views of the JSON interface for finished reports that are changed or checked, and for their
revisions."""

from dataclasses import dataclass
from typing import Annotated, Literal

from engine.models import NotFound, ResearchState
from engine.reports.about_reports import Rechecked
from ui.web.api.model import BIG, Field, ReportId, Wait
from ui.web.background.work import CHANGES, Work, background
from ui.web.context import engine, loaded
from ui.web.pages.revisions import begin


@dataclass(frozen=True, slots=True)
class Change:
    """A piece of work on a finished research. differs: of a replay, what came out otherwise. pages:
    of a recheck.

    problem: why it ended without a result. revision: of the record now.
    """

    action: str
    running: bool
    log: tuple[str, ...]
    problem: str | None
    revision: int
    differs: tuple[str, ...]
    pages: tuple[Rechecked, ...]


def change(
    research_id: ReportId,
    action: Annotated[
        Literal["exclude", "include", "deepen", "rescore", "replay", "recheck"],
        Field("What to do."),
    ],
    source: Annotated[
        str,
        Field(
            "For exclude and include: tag, id or address of a source, or the name of a document.",
            length=2000,
        ),
    ] = "",
    wait: Wait = 0.0,
) -> Change:
    """Change or check a finished report in the background; a change is a new revision."""
    begin(research_id, action, source, wait)
    return changing(research_id)


def changing(research_id: ReportId) -> Change:
    """Its progress, or its result."""
    state, work = loaded(research_id), background(CHANGES).of(research_id)
    if work is None:
        raise NotFound("This report has not been changed or checked since the server started.")
    return _change(work, state.revision)


def _change(work: Work, revision: int) -> Change:
    result = work.result if not work.running else None
    pages = tuple(result or ()) if work.action == "recheck" else ()
    differs = tuple(result or ()) if work.action == "replay" else ()
    return Change(work.action, work.running, work.lines, work.problem, revision, differs, pages)


def stop_change(research_id: ReportId) -> Change:
    """Stop it; the report stays as it was."""
    background(CHANGES).stop(research_id)
    return changing(research_id)


def revisions(research_id: ReportId) -> list[int]:
    """The numbers of all revisions, the current one last."""
    loaded(research_id)
    return engine().steering.revisions(research_id)


def revision(
    research_id: ReportId, number: Annotated[int, Field(low=1, high=BIG)]
) -> ResearchState:
    """The record of a revision."""
    loaded(research_id)
    return engine().steering.revision(research_id, number)
