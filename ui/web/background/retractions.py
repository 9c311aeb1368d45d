"""What was retracted since a report was scored: asked at each opening, so remembered while the lists are the same."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from flask import current_app

from engine.models import ResearchState
from ui.web.context import engine

if TYPE_CHECKING:
    from engine.runs.revisions import Withdrawn

KEPT = 64  # reports


class Retractions:
    """Sources that today's lists call retracted and a record does not, by research, revision and lists."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[tuple[object, ...], tuple[Withdrawn, ...]] = {}

    def of(self, state: ResearchState) -> tuple[Withdrawn, ...]:
        key = (state.research_id, state.revision, *(row.loaded_at for row in engine().data_lists()))
        with self._lock:
            entry = self._known.get(key)
        if entry is None:
            entry = engine().steering.withdrawn(state)
            with self._lock:
                self._known[key] = entry
                while len(self._known) > KEPT:
                    self._known.pop(next(iter(self._known)))
        return entry


def withdrawn(state: ResearchState) -> tuple[Withdrawn, ...]:
    """Sources of a report that were retracted since."""
    retractions: Retractions = current_app.extensions.setdefault("zorora_retractions", Retractions())
    return retractions.of(state)
