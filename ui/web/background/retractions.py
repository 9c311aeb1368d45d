"""What was retracted since a report was scored: asked at each opening, so remembered while the
lists are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app

from engine.models import ResearchState
from ui.web.background.page_cache import Cache
from ui.web.context import engine

if TYPE_CHECKING:
    from engine.runs.revisions import Withdrawn

MOST_REPORTS = 64


def withdrawn(state: ResearchState) -> tuple[Withdrawn, ...]:
    """Sources that today's lists call retracted and a record does not, by report, revision and
    lists."""
    cache: Cache[tuple[Withdrawn, ...]] = current_app.extensions.setdefault(
        "zorora_retractions", Cache(MOST_REPORTS)
    )
    key = repr(
        (
            state.research_id,
            state.revision,
            *(row.loaded_at for row in engine().upkeep.data_lists()),
        )
    )
    sources = cache.get(key)
    if sources is None:
        sources = engine().steering.withdrawn(state)
        cache.put(key, sources, 1)
    return sources
