"""A research on the screen: facts above, the report, and below it how to come back to it."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ui.terminal import addresses, render
from ui.terminal.plain import plain
from ui.terminal.session import Session

if TYPE_CHECKING:
    from engine.models import ResearchState

DEPTHS = {1: "quick", 2: "balanced", 3: "thorough"}


def finished(session: Session, state: "ResearchState") -> None:
    """Question, id, time, duration, sources, depth; the report; record, command and address.

    Of a conversation with a model, which searched nothing, what was said.
    """
    talk = state.kind == "ask"
    for label, value in facts(state)[: 3 if talk else None]:
        session.screen.print(f"{label:<10}{value}")
    session.screen.print()
    if not talk:
        render.show(session.screen, state)
        session.screen.print()
    for line in said_afterwards(state):
        session.screen.print(line)
    for label, value in ways_back(session, state):
        session.screen.print(f"{label:<10}{value}")


def said_afterwards(state: "ResearchState") -> list[str]:
    """What was asked after the report, with the answers, as lines."""
    lines = []
    for turn in state.conversation:
        parts = (f"{one.text} {''.join(f'[{each.tag}]' for each in one.citations)}".strip() for one in turn.sentences)
        lines += [f"> {plain(turn.question)}", plain(turn.text or " ".join(parts), lines=True), ""]
    return lines


def facts(state: "ResearchState") -> tuple[tuple[str, str], ...]:
    """What stands above a report."""
    sources = ", ".join(state.config.sources)
    return (
        ("question", plain(state.original_query)),
        ("id", plain(state.research_id)),
        ("time", moment(state.completed_at or state.started_at)),
        ("duration", duration(state)),
        ("sources", f"{len(state.sources)} found, {state.quality.sources_used} used ({plain(sources)})"),
        ("depth", f"{state.config.depth} ({DEPTHS.get(state.config.depth, 'own')})"),
    )


def ways_back(session: Session, state: "ResearchState") -> tuple[tuple[str, str], ...]:
    """What stands below a report."""
    record = session.engine.record_path(state.research_id)
    rows = (
        ("record", plain(record) if record else ""),
        ("again", f"{'/' if session.repl else 'zorora '}show {plain(state.research_id)}"),
        ("page", f"{addresses.page(session, state.research_id)}  ({'/' if session.repl else 'zorora '}open)"),
    )
    return tuple(row for row in rows if row[1])


def moment(time: str) -> str:
    """A time of the record as people write it, to the second."""
    try:
        return f"{datetime.fromisoformat(time).astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    except ValueError:
        return plain(time)


def duration(state: "ResearchState") -> str:
    """The wall time of a run in words."""
    seconds = state.usage.seconds or _between(state.started_at, state.completed_at)
    if seconds >= 120:
        return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    return f"{seconds:.1f} s"


def _between(start: str, end: str | None) -> float:
    try:
        return (datetime.fromisoformat(end or start) - datetime.fromisoformat(start)).total_seconds()
    except (ValueError, TypeError):
        return 0.0
