"""A running research as the progress page shows it: made of the job's status, its events and its
last checkpoint."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.answers import ClientStatus, JobStatus, LoggedEvent
from engine.models import (
    PHASES,
    EventKind,
    FailureReason,
    ResearchState,
    RunStatus,
    Source,
    SourceKind,
    cause,
)
from engine.reports import figures
from ui.web.views.citations import author, year_of
from ui.web.views.labels import KINDS, duration, many, site
from ui.web.views.log_view import LogLine, log_lines
from ui.web.views.sources_view import address

LINES, SOURCES, READING = 80, 6, 3


@dataclass(frozen=True, slots=True)
class Phase:
    """state: done, current or "" for one to come. seconds: spent in it so far, over all rounds;
    None: not begun."""

    number: int
    name: str
    state: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ClientLine:
    """state: answered, failed, skipped, "no key" for one that cannot be asked, or "" for one that
    was not asked yet."""

    name: str
    label: str
    state: str = ""
    hits: int = 0
    seconds: float = 0.0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FoundSource:
    tag: str
    title: str
    facts: tuple[str, ...]
    place: str  # the host, or the name of a file of the user


@dataclass(frozen=True, slots=True)
class Progress:
    """Everything on the page. reading: pages that were asked for and have not come yet. claims:
    texts and what supports them. remaining: in words, "" where nothing is known. writing: what a
    model does just now, in words.
    """

    headline: str
    phases: tuple[Phase, ...]
    log: tuple[LogLine, ...]
    older: int
    clients: tuple[ClientLine, ...]
    sources: tuple[FoundSource, ...]
    source_count: int
    claims: tuple[tuple[str, str], ...]
    counts: tuple[str, ...]
    reading: tuple[str, ...] = ()
    remaining: str = ""
    writing: str = ""
    written: tuple[tuple[str, list[str]], ...] = ()


def progress(
    job: JobStatus,
    events: Sequence[LoggedEvent],
    preview: ResearchState | None,
    clients: Sequence[ClientStatus],
    everything: bool = False,
) -> Progress:
    """The page of a job; long lists are cut unless everything is asked for."""
    lines = log_lines(events)[::-1]
    sources = found_sources(events, preview)
    claims = found_claims(events)
    requests = [event.data for event in events if event.kind == EventKind.MODEL_ASKED]
    limit = (10**6, 10**6) if everything else (LINES, SOURCES)
    return Progress(
        headline=headline(job),
        phases=phases(job, events),
        log=tuple(lines[: limit[0]]),
        older=max(0, len(lines) - limit[0]),
        clients=client_lines(events, expected_clients(job, clients)),
        sources=tuple(sources[: limit[1]]),
        source_count=max(len(sources), job.counts.get("sources", 0)),
        claims=tuple(claims),
        counts=(*counts(job, len(sources), len(claims)), *figures.used_by_requests(requests)),
        reading=reading(events),
        writing=writing(events),
        written=written(events),
        remaining=remaining(job),
    )


def headline(job: JobStatus) -> str:
    """The one sentence that is read out when it changes; it holds no running clock."""
    if job.stopping:
        return "Stopping; the results so far are kept."
    if job.status == RunStatus.QUEUED:
        place = f", number {job.position} in the queue" if (job.position or 0) > 1 else ""
        return f"Waiting to start{place}."
    if job.status == RunStatus.WAITING:
        return "Waiting for your answer."
    return _phase_words(job)


def _phase_words(job: JobStatus) -> str:
    name = dict(PHASES).get(job.phase)
    rounds = f", round {job.round} of {job.rounds}" if job.rounds > 1 and job.round else ""
    if name and job.phase_number:
        return f"{name}: phase {job.phase_number} of {len(PHASES)}{rounds}."
    before = {
        "understand": "Reading the question.",
        "plan": "Planning the searches.",
        "gaps": f"Looking for gaps{rounds}.",
    }
    return before.get(job.phase) or job.message or "Starting."


def phases(job: JobStatus, events: Sequence[LoggedEvent]) -> tuple[Phase, ...]:
    current = job.phase_number or 0
    spent = phase_seconds(events, job.elapsed)
    return tuple(
        Phase(
            number,
            name,
            "current" if number == current else "done" if number < current else "",
            spent.get(key),
        )
        for number, (key, name) in enumerate(PHASES, 1)
    )


def phase_seconds(events: Sequence[LoggedEvent], elapsed: float) -> dict[str, float]:
    """Seconds in each phase, over all rounds: from its beginning to that of the next."""
    spent: dict[str, float] = {}
    begun = [event for event in events if event.kind == EventKind.PHASE_STARTED]
    ends = (
        [event.elapsed for event in begun[1:]] + [max(elapsed, begun[-1].elapsed)] if begun else []
    )
    for event, end in zip(begun, ends, strict=True):
        spent[event.phase] = spent.get(event.phase, 0.0) + max(0.0, end - event.elapsed)
    return spent


def remaining(job: JobStatus) -> str:
    """How long it may still take, from what such researches took here before; no promise."""
    if job.expected is None or job.status not in (RunStatus.RUNNING, RunStatus.QUEUED):
        return ""
    if job.status == RunStatus.QUEUED:
        return f"about {duration(job.expected)} once it starts"
    seconds = job.expected - job.elapsed
    if seconds < 0:
        return f"longer than the usual {duration(job.expected)}"
    return f"about {duration(max(5.0, round(seconds / 5) * 5.0)).replace('.0', '')} left"


def reading(events: Sequence[LoggedEvent]) -> tuple[str, ...]:
    """Titles of the pages that are being read just now."""
    queries: dict[str, str] = {}
    for event in events:
        source_id = str(event.data.get("source_id") or "")
        if event.kind == EventKind.PAGE_ASKED:
            queries[source_id] = str(event.data.get("title") or event.data.get("url") or "")
        elif event.kind == EventKind.PAGE_FETCHED:
            queries.pop(source_id, None)
        elif event.kind == EventKind.PHASE_STARTED:
            queries.clear()  # the time for reading is over
    return tuple(title for title in queries.values() if title)[:READING]


def writing(events: Sequence[LoggedEvent]) -> str:
    """What is written or checked just now: "Writing section 2 of 4: Costs."; empty before and
    after."""
    writing_events = [event for event in events if event.phase == "synthesis"]
    if writing_events and writing_events[-1].kind == EventKind.SYNTHESIS_FINISHED:
        return ""
    return next(
        (
            event.message
            for event in reversed(writing_events)
            if event.kind == EventKind.NOTE and "sections" in event.data
        ),
        "",
    )


def written(events: Sequence[LoggedEvent]) -> tuple[tuple[str, list[str]], ...]:
    """What a model wrote and the gate let pass so far, in the order of the report: the heading of a
    section ("" of the answer) and its sentences, each with its tags."""
    parts: dict[int, tuple[str, list[str]]] = {}
    for event in events:
        if event.kind == EventKind.SENTENCE_PASSED:
            _, sentences = parts.setdefault(
                _whole(event.data.get("section")), (str(event.data.get("heading")), [])
            )
            tags = "".join(f"[{tag}]" for tag in event.data.get("tags") or ())
            text = f"{event.data.get('text')} {tags}"
            if text not in sentences:
                sentences.append(text)
    return tuple(part for _, part in sorted(parts.items()))


def usable(client: ClientStatus) -> bool:
    """Whether a research can ask this client: switched on, and with a key where it needs one."""
    return client.enabled and (client.has_key or not client.needs_key)


def expected_clients(job: JobStatus, clients: Sequence[ClientStatus]) -> list[ClientLine]:
    """A row for each client that this research may ask, before any was asked; the user's documents
    come last."""
    kinds = [kind for kind in KINDS if not job.sources or kind in job.sources]
    rows = [
        ClientLine(client.name, client.label, "" if usable(client) else "no key")
        for client in clients
        if client.enabled and client.kind in kinds
    ]
    return [*rows, ClientLine("local", "Your documents")] if SourceKind.LOCAL in kinds else rows


def client_lines(
    events: Sequence[LoggedEvent], expected: Sequence[ClientLine]
) -> tuple[ClientLine, ...]:
    """One row a client: those that may be asked, in the order of the settings, so that no row
    moves; then others."""
    rows = {row.name: row for row in expected}
    for event in events:
        if event.kind != EventKind.SOURCE_ANSWERED or not event.data.get("client"):
            continue
        name = str(event.data["client"])
        row = rows.get(name) or ClientLine(name, str(event.data.get("label") or name))
        rows[name] = _add(row, event.data)
    return tuple(rows.values())


def _add(row: ClientLine, data: Mapping[str, Any]) -> ClientLine:
    hits, problem = (
        row.hits + _whole(data.get("found")),
        cause(str(data.get("problem") or ""), row.label),
    )
    seconds = row.seconds + _number(data.get("seconds"))
    if not problem:
        return replace(row, state="answered", hits=hits, seconds=seconds, problem="")
    skipped = data.get("reason") == FailureReason.BUDGET
    state = "answered" if hits else "skipped" if skipped else "failed"
    return replace(row, state=state, hits=hits, seconds=seconds, problem=problem)


def _whole(value: Any) -> int:
    return int(value) if isinstance(value, int | float) else 0


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def found_sources(
    events: Sequence[LoggedEvent], preview: ResearchState | None
) -> list[FoundSource]:
    """Newest first: pages read since the last checkpoint, then the sources of the checkpoint."""
    sources = preview.sources if preview else ()
    ids = {source.source_id for source in sources}
    outcomes: dict[str, str] = {}
    fresh: list[FoundSource] = []
    for event in events:
        source_id, ok = str(event.data.get("source_id") or ""), event.data.get("ok")
        if event.kind == EventKind.PAGE_FETCHED and source_id:
            outcomes[source_id] = "read" if ok else "not readable"
            if ok and source_id not in ids:
                url = str(event.data.get("url") or "")
                title = str(event.data.get("title") or "") or url or "Untitled"
                fresh.append(FoundSource("", title, ("read",), site(url)))
    rows = [_found_source(source, outcomes) for source in sources if not source.rejected]
    return fresh[::-1] + rows[::-1]


def _found_source(source: Source, outcomes: Mapping[str, str]) -> FoundSource:
    kind = KINDS.get(source.source_type, source.source_type)
    who = author(source)
    words = (
        who,
        year_of(source),
        kind if kind != who.lower() else "",
        outcomes.get(source.source_id, ""),
    )
    return FoundSource(
        source.tag or "",
        source.title,
        tuple(word for word in words if word),
        site(source.url) or address(source),
    )


def found_claims(events: Sequence[LoggedEvent]) -> list[tuple[str, str]]:
    """Each text with the newest of what supports it."""
    claims = {
        str(event.data["claim"]): _support(event.data)
        for event in events
        if event.kind == EventKind.CLAIM_FOUND and event.data.get("claim")
    }
    return list(claims.items())


def _support(data: Mapping[str, Any]) -> str:
    tags = data.get("sources")
    names = [str(tag) for tag in tags[:4]] if isinstance(tags, list | tuple) else []
    support = many(_whole(data.get("voices")) or 1, "independent source")
    if names and all(len(name) <= 6 for name in names):
        return f"{', '.join(names)} · {support}"
    return support


def counts(job: JobStatus, sources: int, claims: int) -> tuple[str, ...]:
    rows = (
        (job.counts.get("queries", 0), "query", "queries"),
        (max(sources, job.counts.get("sources", 0)), "source", "sources"),
        (job.counts.get("pages", 0), "page read", "pages read"),
        (max(claims, job.counts.get("claims", 0)), "statement", "statements"),
    )
    return tuple(many(*row) for row in rows if row[0])
