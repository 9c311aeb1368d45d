"""Where a run is, by its events."""

from collections import Counter
from dataclasses import replace
from typing import Any

from engine.jobs.model import RunProgress
from workflows.research.events import PHASES, Event, EventKind

_NUMBERS = {name: number for number, (name, _) in enumerate(PHASES, 1)}


def advanced(progress: RunProgress, event: Event) -> RunProgress:
    """Where a run is after one more event."""
    counts = Counter(progress.counts)
    counts.update(_counted(event))
    changes: dict[str, Any] = {"counts": dict(counts)}
    if event.message:
        changes["message"] = event.message
    if event.kind == EventKind.PHASE_STARTED:
        data = event.data
        number = data.get("number") or _NUMBERS.get(event.phase, progress.phase_number)
        changes |= {
            "phase": event.phase,
            "phase_number": number,
            "round": int(data.get("round") or progress.round),
            "rounds": int(data.get("rounds") or progress.rounds),
        }
    return replace(progress, **changes)


def _counted(event: Event) -> dict[str, int]:
    """What an event adds to the counts of a run."""
    match event.kind:
        case EventKind.SOURCE_ANSWERED:
            return {"queries": 1, "hits": int(event.data.get("found") or 0)}
        case EventKind.PAGE_FETCHED:
            return {"pages": 1 if event.data.get("ok") else 0}
        case EventKind.NOTE if isinstance(event.data.get("new"), int):
            return {"sources": event.data["new"]}
        case EventKind.CLAIM_FOUND:
            return {"claims": 1}
    return {}
