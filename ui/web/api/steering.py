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


def change(given: dict[str, Any]) -> Change:
    """Begin it; with `wait` told when it is done."""
    steer.begin(given["research_id"], given["action"], given["source"] or "", given["wait"])
    return newest(given)


def newest(given: dict[str, Any]) -> Change:
    """The newest piece of work. NotFound when nothing was done since the server began."""
    research_id = given["research_id"]
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


def stop(given: dict[str, Any]) -> Change:
    """Ask the newest piece of work to end; nothing of it is kept."""
    steer.working().stop(given["research_id"])
    return newest(given)


def revisions(given: dict[str, Any]) -> list[int]:
    loaded(given["research_id"])
    return engine().steering.revisions(given["research_id"])


def revision(given: dict[str, Any]) -> dict[str, Any]:
    """The record of a revision."""
    loaded(given["research_id"])
    return record(engine().steering.revision(given["research_id"], given["number"]))


def related(given: dict[str, Any]) -> list[HistoryEntry]:
    return engine().related(given["q"], given["limit"])
