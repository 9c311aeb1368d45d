"""The trajectory: every event of a run in an order that does not depend on which thread was
faster."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from workflows.research.deps import Deps
from workflows.research.events import PASSING, Event, EventKind
from workflows.research.model import TrajectoryEntry
from workflows.research.state import ResearchState

# Events that threads send; runs of them are ordered by content
_THREADED: dict[str, tuple[str, ...]] = {
    EventKind.SOURCE_ANSWERED: ("client", "query"),
    EventKind.PAGE_FETCHED: ("source_id", "url"),
    EventKind.MODEL_ASKED: ("step", "about"),
    EventKind.NOTE: ("client",),
}
_AT_ONCE = ("select", "page")  # steps of models that are asked several things at the same time
_NOT_KEPT = ("seconds", "cached")  # differ between two equal runs


class Trail:
    """Passes events on and keeps those of the current step."""

    def __init__(self, deps: Deps) -> None:
        self._deps, self._began = deps, deps.clock()
        self._lock = threading.Lock()
        self._events: list[Event] = []

    def deps(self) -> Deps:
        """The same effects, with this trail listening."""
        return replace(self._deps, emit=self.emit)

    def emit(self, event: Event) -> None:
        elapsed = round(self._deps.clock() - self._began, 3)
        timed = replace(event, elapsed=elapsed, time=self._deps.now())
        if event.kind not in PASSING:
            with self._lock:
                self._events.append(timed)
        self._deps.emit(timed)

    def onto(self, state: ResearchState) -> ResearchState:
        """The state with the events since the last call at the end of its trajectory."""
        with self._lock:
            events, self._events = self._events, []
        start = len(state.trajectory)
        entries = tuple(_entry(start + i, event) for i, event in enumerate(ordered(events), 1))
        return replace(state, trajectory=(*state.trajectory, *entries))


def ordered(events: Sequence[Event]) -> list[Event]:
    """Runs of threaded events sorted by what they say; the others stay where they are."""
    result: list[Event] = []
    for threaded, run in groupby(events, key=_threaded):
        listed = list(run)
        result += sorted(listed, key=_key) if threaded else listed
    return result


def _threaded(event: Event) -> bool:
    if event.kind == EventKind.NOTE:
        return "client" in event.data  # what a client says of itself while others are asked
    return event.kind in _THREADED and (
        event.kind != EventKind.MODEL_ASKED or event.data.get("step") in _AT_ONCE
    )


def _key(event: Event) -> tuple[str, ...]:
    return (
        event.kind,
        *(str(event.data.get(name, "")) for name in _THREADED[event.kind]),
        event.message,
    )


def _entry(seq: int, event: Event) -> TrajectoryEntry:
    data = {key: value for key, value in event.data.items() if key not in _NOT_KEPT}
    return TrajectoryEntry(seq, event.time, event.phase, event.kind, event.message, data)
