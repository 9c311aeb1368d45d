"""What an open engine holds: its configuration, its stores, the queue, and the tools (made when first needed)."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import backup as backups
from engine import keys, logs
from engine.clock import now
from engine.config import COMMAND_LINE, Config
from engine.jobs.spawn import Foreman, Launch
from engine.jobs.storage import Trail
from engine.jobs.store import JobStore
from engine.settings_table import environment_name
from engine.settings_values import show
from engine.starting import begin, trajectory
from engine.storage import LocalStorage
from engine.version import own_version
from engine.worker import Pipeline, Shop
from tools.errors import NotFound, StorageError
from workflows.research.state import ResearchState

if TYPE_CHECKING:
    from engine.toolbox import Toolbox

log = logging.getLogger("zorora.engine")


class Opened:
    """Opening makes the home and opens zorora.db; corpus.db, the network door and the parsers wait until asked for.

    load: reads the configuration. environ: what workers get as their environment; None = that of this process.
    """

    def __init__(
        self,
        load: Callable[[], Config],
        environ: Mapping[str, str] | None = None,
        pipeline: Pipeline | None = None,
    ) -> None:
        self._load = load
        self._pipeline = pipeline
        self._toolbox: Toolbox | None = None
        self._old: list[Toolbox] = []  # of settings that have changed since; work may still go on with them
        self._lock = threading.RLock()
        self.now: Callable[[], str] = now
        self.environ = environ
        self.config = load()
        self._open()

    def _open(self) -> None:
        config = self.config
        self.storage = LocalStorage(config=config)
        self.jobs = JobStore(
            self.storage.database, parallel=config.get("jobs.parallel"), lease=config.get("jobs.lease"), now=now
        )
        self.trail = Trail(self.jobs)
        self.foreman = Foreman(self.jobs, launch(config, self.environ), self.settle)
        self._log = logs.start(config.paths.log, secrets=_secrets(config))

    def reload(self) -> None:
        """Take changed settings into use; work that runs keeps those it began with."""
        with self._lock:
            self.config = self._load()
            self.jobs.parallel, self.jobs.lease = self.config.get("jobs.parallel"), self.config.get("jobs.lease")
            self._old += [self._toolbox] if self._toolbox else []
            self._toolbox = None

    @property
    def tools(self) -> "Toolbox":
        """The tools, made by the first who asks."""
        # Half of the program hangs on the toolbox and the pipeline; a look at the history needs neither
        from engine.toolbox import Toolbox

        with self._lock:
            if self._toolbox is None:
                self._toolbox = Toolbox(self.config, lambda one: one in self.storage.snapshots_in_use())
            return self._toolbox

    def shop(self) -> Shop:
        """What a worker in this process works with."""
        from workflows.research import pipeline

        beat = self.config.get("jobs.heartbeat")
        return Shop(self.jobs, self.storage, self.tools, self._pipeline or pipeline, now, beat)

    def load(self, research_id: str) -> ResearchState | None:
        """The record of a research; None when there is none."""
        return self.storage.load_research(research_id)

    def require(self, research_id: str) -> ResearchState:
        """The record of a research. NotFound when there is none (yet)."""
        state = self.load(research_id)
        if state is None:
            raise NotFound(f"There is no finished research called {research_id!r}.")
        return state

    def settle(self, research_id: str) -> None:
        """Write the record of a job that ended without one: what its last checkpoint holds."""
        job = self.jobs.get(research_id)
        state = begin(job, self.trail.last_checkpoint(research_id), job.created_at).state
        state = replace(
            state,
            status=job.status,
            ended_by=job.ended_by,
            completed_at=job.finished_at,
            trajectory=trajectory(self.trail, research_id),
        )
        try:
            self.storage.save_research(state)
            self.jobs.mark_saved(research_id)
        except StorageError as error:
            log.warning("The record of %s could not be written: %s", research_id, error)

    def delete(self, research_id: str, for_good: bool) -> None:
        """Into the bin; or everything of it, except texts that something else still needs."""
        alone = self.storage.delete(research_id, now=for_good)
        if not for_good:
            return
        self.jobs.forget(research_id)
        tools = self.tools
        tools.net.fetches.remove_run(research_id)
        kept = set(tools.library.snapshots_of(None)) | tools.net.fetches.snapshot_ids()
        for snapshot_id in set(alone) - kept:
            tools.corpus.remove(snapshot_id)
            tools.snapshots.remove(snapshot_id)

    def restore(self, file: Path) -> None:
        """Put a copy of the database back in place and open it; newer researches return from their records."""
        self.storage.close()
        try:
            backups.restore(self.config.paths, file)
        finally:
            self._open()
        self.storage.sweep()

    def text_or_none(self, snapshot_id: str) -> str | None:
        """A stored text; None when it is gone or damaged."""
        try:
            return self.tools.text(snapshot_id)
        except (NotFound, StorageError):
            return None

    def stats(self) -> dict[str, Any]:
        """Counts of researches and of the corpus."""
        return {**self.storage.stats(), **self.tools.corpus.counts(), "documents": len(self.tools.library.documents())}

    def versions(self) -> dict[str, str]:
        """What a record says about the program that made it."""
        return {"zorora": own_version(), "prompts": "1", "data": "1"}

    def close(self) -> None:
        with self._lock:
            for tools in (*self._old, *([self._toolbox] if self._toolbox else [])):
                tools.close()
            self._old.clear()
            self._toolbox = None
        logging.getLogger().removeHandler(self._log)
        self._log.close()
        self.storage.close()


def launch(config: Config, environ: Mapping[str, str] | None) -> Launch:
    """How the workers of this engine are started: the same home, and what this engine was told beyond its files."""
    told = {
        environment_name(name): show(value)
        for name, (value, origin) in config.values.items()
        if origin == COMMAND_LINE and isinstance(value, str | int | float | bool | tuple)
    }
    return Launch(("--home", str(config.paths.config.parent)), environ, told, config.paths.log)


def _secrets(config: Config) -> list[str]:
    try:
        return keys.values(config)
    except StorageError as error:
        log.warning("%s", error)
        return []
