"""Views of the JSON interface for finished researches that are changed or checked, and for their revisions."""

from dataclasses import dataclass
from typing import Any

from engine.answers import HistoryEntry
from engine.models import NotFound
from ui.web.api.research import record
from ui.web.background.revision_jobs import Work
from ui.web.context import engine
from ui.web.pages import revisions as steer
from ui.web.pages.research import loaded


@dataclass(frozen=True, slots=True)
class PageAgain:
    """A cited page read again. outcome: unchanged, changed, unreadable. missing: cited passages that are gone."""

    source_id: str
    tag: str
    title: str
    url: str
    outcome: str
    problem: str
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A piece of work on a finished research. differs: of a replay, what came out otherwise. pages: of a recheck.

    problem: why it ended without a result. revision: of the record now.
    """

    action: str
    running: bool
    log: tuple[str, ...]
    problem: str | None
    revision: int
    differs: tuple[str, ...]
    pages: tuple[PageAgain, ...]


def change(params: dict[str, Any]) -> Change:
    """Begin it; with `wait` told when it is done."""
    steer.begin(params["research_id"], params["action"], params["source"] or "", params["wait"])
    return newest(params)


def newest(params: dict[str, Any]) -> Change:
    """The newest piece of work. NotFound when nothing was done since the server began."""
    research_id = params["research_id"]
    state, work = loaded(research_id), steer.working().of(research_id)
    if work is None:
        raise NotFound("This report has not been changed or checked since the server started.")
    return shown(work, state.revision)


def shown(work: Work, revision: int) -> Change:
    result = work.result if not work.running else None
    pages = [
        PageAgain(
            one.source_id, one.tag, one.title, one.url, one.outcome, one.problem,
            tuple(passage.quote for passage in one.passages if not passage.still_there),
        )
        for one in (result or () if work.action == "recheck" else ())
    ]  # fmt: skip
    differs = tuple(result or ()) if work.action == "replay" else ()
    return Change(work.action, work.running, work.lines, work.problem, revision, differs, tuple(pages))


def stop(params: dict[str, Any]) -> Change:
    """Ask the newest piece of work to end; nothing of it is kept."""
    steer.working().stop(params["research_id"])
    return newest(params)


def revisions(params: dict[str, Any]) -> list[int]:
    loaded(params["research_id"])
    return engine().steering.revisions(params["research_id"])


def revision(params: dict[str, Any]) -> dict[str, Any]:
    """The record of a revision."""
    loaded(params["research_id"])
    return record(engine().steering.revision(params["research_id"], params["number"]))


def related(params: dict[str, Any]) -> list[HistoryEntry]:
    return engine().related(params["q"], params["limit"])
