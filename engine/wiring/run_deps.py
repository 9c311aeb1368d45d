"""All that the phases of one run may touch, put together from the tools of the engine and the run's
own view of the outside."""

import time
from functools import partial
from typing import TYPE_CHECKING

from engine.clock import now
from engine.library.collection import RunCollection
from engine.runs.model_answers import KeptAnswers
from engine.runs.worker_context import Order
from engine.settings.config import Config
from engine.wiring.sources import Run
from workflows.research.deps import Deps
from workflows.research.events import Event, EventKind
from workflows.research.run_settings import Settings

if TYPE_CHECKING:
    from engine.wiring.toolbox import Toolbox


def deps_of(tools: "Toolbox", run: Run, order: Order, replies: KeptAnswers) -> Deps:
    """The Deps of one run. replies: what models answered it before it was killed or stopped."""
    return Deps(
        settings=run_settings(tools.config),
        clients=run.clients,
        search=run.search,
        fetch=run.fetch,
        store_text=run.store_text,
        references=run.works.references,
        citing=run.works.citing,
        allot=run.works.allot,
        complete=run.works.complete,
        copies=run.works.copies,
        fetch_copy=run.fetch_copy,
        left=run.left,
        moved=run.moved,
        text=tools.text,
        retrieve=lambda query, ids, k: tools.corpus.search(
            query, k, snapshot_ids=ids, dense=not order.quick
        ),
        score=run.score,
        emit=order.emit,
        check_cancelled=order.check_cancelled,
        clock=time.monotonic,
        now=now,
        collection=partial(
            RunCollection,
            tools,
            not order.quick,
            None if order.quick else tools.reading_model,
            lambda sentence: order.emit(Event(EventKind.NOTE, "aggregate", sentence)),
        ),
        source_of=tools.library.source_of_text,
        judge=tools.judge,
        models=None
        if order.closed
        else tools.models_of_run(offline=order.config.offline, replies=replies),
    )


# Where a number does not stand in the section [research]
_SECTIONS = {
    "min_source": "credibility", "high": "verification", "medium": "verification",
    "cross_validation": "verification", "local_terms_in_queries": "privacy",
}  # fmt: skip


def run_settings(config: Config) -> Settings:
    """The numbers of a run from the configuration table."""
    return Settings(
        **{
            name: config.get(f"{_SECTIONS.get(name, 'research')}.{name}")
            for name in Settings._fields
        }
    )
