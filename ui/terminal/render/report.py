"""A report on the screen: title and facts, the report, and below it how to come back to it."""

from datetime import UTC, datetime

from rich.console import RenderableType
from rich.text import Text

from engine.models import AnswerStatus, RecordKind, ResearchState
from engine.reports.figures import counts, duration, used_by_models
from ui.terminal import addresses
from ui.terminal.command import DONE, FAILED, NOT_FOUND
from ui.terminal.render import report_blocks
from ui.terminal.render.pager import paging
from ui.terminal.render.plain import plain
from ui.terminal.session import Session

DEPTHS = {1: "quick", 2: "balanced", 3: "thorough"}


def finished(session: Session, state: ResearchState, everything: bool = False) -> None:
    """Question, id, time, duration, sources, depth; the report; record, command and address.

    Of a conversation with a model, which searched nothing, the questions and answers. everything:
    also how it was researched. For a program the record alone.
    """
    screen = session.screen
    if screen.as_json:
        screen.json(state.to_dict())
        return
    if screen.on_terminal:  # where the progress, or a remark, stood before
        screen.print()
    with paging(
        session, enabled=state.ended_by != "user"
    ) as page:  # whoever pressed Ctrl+C wants the prompt
        screen.show(_head(state))
        screen.print()
        if not state.is_conversation:
            report_blocks.show(screen, state, everything, again=not page.ready)
        if state.conversation:
            report_blocks.show_turns(screen, state, state.conversation)
    if page.is_visible:
        screen.show(_head(state)[:1])
        report_blocks.show_again(screen, state)
    screen.print()
    # What stands below a report: how to come back to it
    record = session.engine.record_path(state.research_id)
    if record:
        screen.print(f"record  {plain(record)}")
    screen.print(f"again   {'/' if session.repl else 'zorora '}show {plain(state.research_id)}")
    screen.print(f"page    {addresses.page(session, state.research_id)}")


def _head(state: ResearchState) -> list[RenderableType]:
    """The title, and in a line what stands above a report."""
    title = state.report.title if state.report and not state.is_conversation else ""
    return [
        Text(plain(title or state.original_query), style="bold"),
        Text(" · ".join(facts(state)), style="dim"),
    ]


def status(state: ResearchState) -> int:
    """The exit status of a report: 4 where its sources do not answer, 1 where none of them could be
    asked."""
    if state.answer is None or state.answer.status != AnswerStatus.NOT_FOUND:
        return DONE
    silent = not state.sources and any(client.problem for client in state.clients)
    return FAILED if silent else NOT_FOUND


def facts(state: ResearchState) -> list[str]:
    """What stands above a report: id, time, duration, sources, depth."""
    first = [plain(state.research_id), moment(state.completed_at or state.started_at)]
    if state.is_conversation:
        return first
    depth = f"depth {state.config.depth} ({DEPTHS.get(state.config.depth, 'own')})"
    of_research = [depth] if state.kind == RecordKind.RESEARCH else []
    took = duration(state.usage.seconds or _between(state.started_at, state.completed_at))
    return [*first, took, counts(state), *of_research, *used_by_models(state)]


def moment(time: str) -> str:
    """A time of the record as people write it, to the second."""
    try:
        return f"{datetime.fromisoformat(time).astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    except ValueError:
        return plain(time)


def _between(start: str, end: str | None) -> float:
    try:
        return (
            datetime.fromisoformat(end or start) - datetime.fromisoformat(start)
        ).total_seconds()
    except (ValueError, TypeError):
        return 0.0
