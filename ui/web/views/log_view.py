"""The log of a run as lines for people: what happened, why, and nothing twice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.answers import LoggedEvent
from engine.models import EventKind, ResearchState
from ui.web.views.labels import many, moment


@dataclass(frozen=True, slots=True)
class LogLine:
    """strong: begins a round or the run."""

    elapsed: float
    text: str
    why: str = ""
    strong: bool = False


def log_lines(events: Iterable[LoggedEvent]) -> list[LogLine]:
    """Oldest first. Answers of one client that follow each other are one line; so is a phase that
    ends and the next."""
    lines: list[LogLine] = []
    answers: list[LoggedEvent] = []
    for event in events:
        is_answer = event.kind == EventKind.SOURCE_ANSWERED and not event.data.get("problem")
        client = event.data.get("client")
        if answers and not (is_answer and answers[-1].data.get("client") == client):
            lines.append(answered(answers))
            answers = []
        if is_answer:
            answers.append(event)
        elif line := log_line(event):
            lines.append(line)
    return [*lines, answered(answers)] if answers else lines


def answered(events: Sequence[LoggedEvent]) -> LogLine:
    """One line for the answers of one client."""
    last = events[-1]
    if len(events) == 1:
        return LogLine(last.elapsed, last.message)
    name = str(last.data.get("label") or last.data.get("client"))
    hits = sum(value for event in events if isinstance(value := event.data.get("found"), int))
    return LogLine(
        last.elapsed, f"{name}: {many(len(events), 'query', 'queries')}, {many(hits, 'hit')}."
    )


def log_line(event: LoggedEvent) -> LogLine | None:
    """The line of an event. The end of a phase is left out: the beginning of the next says as
    much."""
    if not event.message or event.kind == EventKind.PHASE_FINISHED:
        return None
    strong = event.kind == EventKind.RESEARCH_STARTED or (
        event.kind == EventKind.PHASE_STARTED
        and event.phase == "aggregate"
        and event.data.get("round", 1) != 1
    )
    return LogLine(event.elapsed, event.message, why(event), strong)


def why(event: LoggedEvent) -> str:
    """The reason behind a line, where the data of its event has one that the line does not say
    already."""
    for key in ("problem", "why", "reason", "detail"):
        message = str(event.data.get(key) or "")
        if message and message not in event.message:
            return message
    return ""


def trajectory(state: ResearchState) -> list[LogLine]:
    """The log that a record kept, with seconds since the run began, in the order of time.

    A record keeps what threads did ordered by content, so that the same run is the same record."""
    begun = moment(state.started_at)
    events = []
    for entry in state.trajectory:
        at = moment(entry.time)
        seconds = max(0.0, (at - begun).total_seconds()) if at and begun else 0.0
        events.append(
            LoggedEvent(
                entry.kind, entry.phase, entry.message, entry.data, seconds, entry.time, entry.seq
            )
        )
    return sorted(log_lines(events), key=lambda line: line.elapsed)
