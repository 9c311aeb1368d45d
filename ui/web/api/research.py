"""Views of the JSON interface for reports that are asked for, run, wait or are listed."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from engine.answers import (
    HistoryEntry,
    HistoryPage,
    HistoryQuery,
    JobStatus,
    LoggedEvent,
    RunOptions,
)
from engine.models import Filters, NotFound, ResearchState, RunStatus
from ui.web import forms
from ui.web.api.model import BIG, Done, Field, Limit, Question, ReportId, SourceKind, Wait
from ui.web.context import engine
from ui.web.pages.run import start_again

STEP = 0.2
# So that waiting requests never hold all threads of the server
WAITERS = threading.BoundedSemaphore(6)
T = TypeVar("T")

Status = Literal[
    "queued", "running", "waiting_for_input", "complete", "partial", "failed", "cancelled"
]


@dataclass(frozen=True, slots=True)
class Events:
    """Progress events. next: the number after which to ask again."""

    events: tuple[LoggedEvent, ...]
    next: int


def search(
    q: Annotated[str, Field("Words to look for.")] = "",
    status: Annotated[tuple[Status, ...], Field("Only these states.")] = (),
    starred: Annotated[bool, Field("Only starred ones.")] = False,
    tag: Annotated[str, Field("Only with this tag.")] = "",
    source_type: Annotated[SourceKind | None, Field("Only with sources of this kind.")] = None,
    kind: Annotated[
        Literal["research", "search", "ask"] | None, Field("Only this kind of record.")
    ] = None,
    min_confidence: Annotated[
        float | None, Field("Overall confidence from.", low=0, high=1)
    ] = None,
    since: Annotated[str, Field("Begun on or after this date.")] = "",
    until: Annotated[str, Field("Begun on or before this date.")] = "",
    sort: Annotated[
        Literal["newest", "oldest", "best", "confidence"] | None, Field("Order.")
    ] = None,
    bin: Annotated[bool, Field("Those in the bin.")] = False,
    limit: Limit = 20,
    before: Annotated[str, Field("`next` of the previous page.")] = "",
) -> HistoryPage:
    """Search past reports."""
    text = q.strip() or None
    query = HistoryQuery(
        text=text,
        status=status,
        starred=starred,
        tag=tag or None,
        source_type=source_type,
        kind=kind,
        min_confidence=min_confidence,
        since=forms.iso_date(since, "since"),
        until=forms.iso_date(until, "until"),
        sort=sort or ("best" if text else "newest"),
        bin=bin,
        limit=limit,
        before=before or None,
    )
    return engine().history(query)


def start(
    query: Question,
    depth: Annotated[int | None, Field("1 quick, 2 balanced, 3 thorough.", low=1, high=3)] = None,
    sources: Annotated[tuple[SourceKind, ...], Field("Kinds of sources to ask.")] = (),
    documents: Annotated[
        tuple[str, ...] | None,
        Field("Names of documents that may be used; if omitted, all.", length=200),
    ] = None,
    clarify: Annotated[bool, Field("Ask when a name is ambiguous.")] = False,
    since: Annotated[str, Field("Published on or after this date, 2024-05-31.")] = "",
    until: Annotated[str, Field("Published on or before this date.")] = "",
    sites: Annotated[tuple[str, ...], Field("Only these sites.")] = (),
    exclude_sites: Annotated[tuple[str, ...], Field("Not these sites.")] = (),
    lang: Annotated[str, Field("Language of the sources.", length=20)] = "",
    urls: Annotated[tuple[str, ...], Field("Addresses to read first.", length=2000)] = (),
    offline: Annotated[bool, Field("Use no network.")] = False,
    lean: Annotated[bool, Field("Fetch nothing: abstracts and documents only.")] = False,
    wait: Wait = 0.0,
) -> ResearchState | JobStatus:
    """Start a report. 202 with its status; with `wait`, 200 with the record when it is done in
    time."""
    filters = Filters(
        since=forms.iso_date(since, "since"),
        until=forms.iso_date(until, "until"),
        sites=sites,
        exclude_sites=exclude_sites,
        lang=lang or None,
        urls=urls,
    )
    options = RunOptions(
        depth=depth,
        sources=sources or None,
        documents=documents,
        clarify=clarify,
        filters=filters,
        offline=offline,
        lean=lean,
    )
    return fetch(engine().start(forms.question(query), options), wait)


def fetch(research_id: ReportId, wait: Wait = 0.0) -> ResearchState | JobStatus:
    """The record of a finished report, or the status of a running one."""
    job = status(research_id, wait)
    return (engine().load_research(research_id) if job.over else None) or job


def status(research_id: ReportId, wait: Wait = 0.0) -> JobStatus:
    """The progress of a report."""
    return poll(
        lambda: engine().status(research_id),
        lambda job: job.over or job.status == RunStatus.WAITING,
        wait,
    )


def events(
    research_id: ReportId,
    after: Annotated[
        int, Field("Number of the last event that the client has.", low=0, high=BIG)
    ] = 0,
    limit: Annotated[int, Field("The maximum number of events.", low=1, high=500)] = 500,
    wait: Annotated[float, Field("Seconds to wait for a new event.", low=0, high=300)] = 0.0,
) -> Events:
    """Progress events after a number."""

    def look() -> tuple[bool, list[LoggedEvent]]:
        # Asked before the events, so that the last are not lost
        over = engine().status(research_id).over
        return over, engine().events(research_id, after=after, limit=limit)

    _, logged = poll(look, any, wait)
    return Events(tuple(logged), logged[-1].seq if logged else after)


def poll(look: Callable[[], T], is_over: Callable[[T], bool], seconds: float) -> T:
    """What `look` sees after so many seconds at the latest, earlier once that is the end of it."""
    progress, end = look(), time.monotonic() + seconds
    if seconds <= 0 or is_over(progress) or not WAITERS.acquire(blocking=False):
        return progress
    try:
        while not is_over(progress) and time.monotonic() < end:
            time.sleep(STEP)
            progress = look()
        return progress
    finally:
        WAITERS.release()


def jobs(over: Annotated[bool, Field("Include finished ones.")] = False) -> list[JobStatus]:
    """Reports that run or wait."""
    return engine().jobs(over=over)


def related(
    q: Question, limit: Annotated[int, Field("The maximum number of entries.", low=1, high=20)] = 3
) -> list[HistoryEntry]:
    """Finished reports on a related question, the nearest first."""
    return engine().related(q, limit)


def preview(research_id: ReportId) -> ResearchState:
    """What a running report has found so far, in the form of a record."""
    state = engine().load_research(research_id) or engine().preview(research_id)
    if state is None:
        engine().status(research_id)
        raise NotFound("Nothing has been found yet; try again in a moment.")
    return state


def cancel(research_id: ReportId) -> JobStatus:
    """Stop and keep the results so far."""
    return engine().cancel(research_id)


def clarify(
    research_id: ReportId,
    answer: Annotated[str, Field("The number of a choice, or your own words.", length=1000)],
) -> JobStatus:
    """Answer the question of a waiting report."""
    engine().clarify(research_id, answer)
    return engine().status(research_id)


def resume(
    research_id: ReportId,
    force: Annotated[bool, Field("Resume it even after three failures.")] = False,
) -> JobStatus:
    """Resume an interrupted report."""
    engine().resume(research_id, force=force)
    return engine().status(research_id)


def again(
    research_id: ReportId, deeper: Annotated[bool, Field("One depth deeper.")] = False
) -> JobStatus:
    """Ask the same question again, or one depth deeper."""
    return engine().status(start_again(research_id, deeper))


def further(research_id: ReportId, question: Question) -> JobStatus:
    """Search further for a question on the same record; the result is a new revision."""
    return engine().status(
        engine().asking.follow_ups.further(research_id, forms.question(question))
    )


def delete(research_id: ReportId, now: Annotated[bool, Field("For good.")] = False) -> Done:
    """Move to the bin, or delete for good."""
    engine().delete(research_id, now=now)
    return Done()


def undelete(research_id: ReportId) -> Done:
    """Take out of the bin."""
    engine().undelete(research_id)
    return Done()


def marks(
    research_id: ReportId,
    starred: bool | None = None,
    tags: Annotated[tuple[str, ...] | None, Field(length=60)] = None,
    note: Annotated[str | None, Field(length=20_000)] = None,
) -> Done:
    """Set star, tags and note; what is omitted stays as it is."""
    engine().status(research_id)
    if starred is not None:
        engine().star(research_id, starred)
    if tags is not None:
        engine().tag(research_id, forms.tags(",".join(tags)))
    if note is not None:
        engine().note(research_id, note.strip())
    return Done()


def check(
    research_id: ReportId,
    source_id: Annotated[str, Field("The source.", length=200)],
    use: Annotated[
        str, Field("Name of the sentence or passage on the page of the report.", length=200)
    ],
    mark: Annotated[
        Literal["yes", "part", "no", ""], Field("The finding; an empty text removes it.")
    ],
) -> Done:
    """Say whether a source says what a sentence or passage cites it for."""
    engine().steering.check(research_id, source_id, use, mark)
    return Done()
