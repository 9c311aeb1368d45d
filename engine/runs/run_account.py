"""What the record of a run says of the run itself: what happened in it, and what it has used."""

import resource
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.jobs.storage import Trail
from workflows.research.events import PASSING
from workflows.research.model import TrajectoryEntry, Usage
from workflows.research.modelled.work import used_in
from workflows.research.state import ResearchState

if TYPE_CHECKING:
    from engine.wiring.toolbox import Toolbox

MAX_EVENTS = 20_000  # lines of a trajectory that the record keeps


def with_trajectory(state: ResearchState, trail: Trail) -> ResearchState:
    """The pipeline keeps its own trajectory; a run that never got so far has its events. What
    models did for a step that was stopped is known from the events alone.
    """
    if state.ended_by is None and state.trajectory:
        return state
    steps = tuple(
        TrajectoryEntry(e.seq, e.time, e.phase, e.kind, e.message, e.data)
        for e in trail.events(state.research_id, limit=MAX_EVENTS)
        if e.kind not in PASSING
    )
    return replace(state, trajectory=state.trajectory or steps, usage=used_in(steps, state.usage))


class UsageMeter:
    """Counts what a run uses from now on in this process. earlier: what it had used before, in
    other processes."""

    def __init__(self, tools: "Toolbox", earlier: Usage) -> None:
        self._tools = tools
        self._earlier = earlier
        self._cpu = _cpu()
        self._before = tools.http_requests, tools.bytes  # by earlier runs of this process

    def total(self, usage: Usage, seconds: float) -> Usage:
        """What the run has used; requests and bytes of earlier lives are in the state already."""
        earlier = self._earlier
        requests_before, bytes_before = self._before
        return replace(
            usage,
            seconds=round(seconds, 3),
            cpu_seconds=round(earlier.cpu_seconds + _cpu() - self._cpu, 3),
            http_requests=earlier.http_requests + self._tools.http_requests - requests_before,
            bytes=earlier.bytes + self._tools.bytes - bytes_before,
        )


def _cpu() -> float:
    """CPU seconds of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
