"""What an open engine holds: its configuration, its stores, the queue, and the tools (made when
first needed)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakSet

from engine.clock import now
from engine.extensions import NO_EXTENSIONS, Extensions
from engine.files import stamp
from engine.home import prepare
from engine.settings.config import COMMAND_LINE, Config
from engine.settings.setting import environment_name
from engine.settings.settings_values import show
from tools.errors import NotFound, StorageError

# What reads records and runs researches is loaded by who needs it: a search of the documents does
# not
if TYPE_CHECKING:
    from logging import Handler

    from engine.jobs.spawn import Foreman, Launch
    from engine.jobs.storage import Trail
    from engine.jobs.store import JobStore
    from engine.records.storage import LocalStorage
    from engine.wiring.toolbox import Toolbox
    from tools.documents.model import Block, Snapshot
    from workflows.research.state import ResearchState


class Stores(NamedTuple):
    """What stands on zorora.db."""

    storage: LocalStorage
    jobs: JobStore
    trail: Trail
    foreman: Foreman
    log: Handler


class Opened:
    """Nothing is opened before it is used: zorora.db waits for the first question about researches,
    so that `zorora doctor` and the settings work on a broken home; corpus.db, the network door and
    the parsers wait longer.

    load: reads the configuration. environ: what workers get as their environment; None = that of
    this process.
    """

    def __init__(
        self,
        load: Callable[[], Config],
        environ: Mapping[str, str] | None = None,
        extensions: Extensions = NO_EXTENSIONS,
    ) -> None:
        self._load = load
        self.extensions = extensions
        self._stores: Stores | None = None
        self._toolbox: Toolbox | None = None
        self._replaced: WeakSet[Toolbox] = WeakSet()  # work that began with them may still go on
        self._lock = threading.RLock()
        self.now: Callable[[], str] = now
        self.environ = environ
        self._config = load()
        self._files = self._fingerprint()

    @property
    def config(self) -> Config:
        """The configuration in force. What another program has saved since is taken into use
        here."""
        if self._fingerprint() != self._files:
            with self._lock:
                if self._fingerprint() != self._files:
                    self.reload()
        return self._config

    def _fingerprint(self) -> tuple[tuple[int, ...], ...]:
        """What changes with the files of settings and keys."""
        return stamp(self._config.paths.config), stamp(self._config.paths.keys)

    @property
    def storage(self) -> LocalStorage:
        return self._open().storage

    @property
    def jobs(self) -> JobStore:
        return self._open().jobs

    @property
    def trail(self) -> Trail:
        return self._open().trail

    @property
    def foreman(self) -> Foreman:
        return self._open().foreman

    def reload(self) -> None:
        """Take changed settings into use; work that runs keeps those it began with.

        Another place for the home or a part of it waits for the next start: what is open stays
        where it is.
        """
        with self._lock:
            # First: what is saved while this loads is seen the next time
            self._files = self._fingerprint()
            before = self._config
            self._config = replace(self._load(), paths=before.paths, misplaced=before.misplaced)
            if self._stores:
                self._stores.jobs.parallel = self._config.get("jobs.parallel")
                self._stores.jobs.lease = self._config.get("jobs.lease")
            if self._toolbox:
                self._replaced.add(self._toolbox)
                self._toolbox = self._new_tools(before=self._toolbox)

    @property
    def tools(self) -> Toolbox:
        """The tools, made by the first who asks."""
        with self._lock:
            config = self.config
            if self._toolbox is None:
                config.check_placed()
                prepare(config.paths)
                self._toolbox = self._new_tools()
            return self._toolbox

    def _new_tools(self, before: Toolbox | None = None) -> Toolbox:
        # Half of the program hangs on the toolbox and the pipeline; a look at the history needs
        # neither
        from engine.wiring.toolbox import Toolbox

        return Toolbox(
            self._config,
            lambda snapshot: snapshot in self.storage.snapshots_in_use(),
            before,
            self.extensions,
        )

    def load_with_warning(self, research_id: str) -> ResearchState | None:
        """A record as it is shown: with a note in its report when what it quotes does not stand in
        the stored texts."""
        from engine.records.quotations import with_warning

        state = self.storage.load_research(research_id)
        return None if state is None else with_warning(state, self.text_or_none)

    def require(self, research_id: str, as_shown: bool = False) -> ResearchState:
        """The record of a research, or what `load_with_warning` makes of it. NotFound when there is
        none (yet)."""
        load = self.load_with_warning if as_shown else self.storage.load_research
        state = load(research_id)
        if state is None:
            self.jobs.get(research_id)  # NotFound where nobody knows it
            raise NotFound(f"The report {research_id!r} is not finished yet.")
        return state

    def page_version(self, research_id: str) -> str:
        """What differs whenever a page of a finished research would; "" where none may be kept."""
        from engine.reports.page_version import page_version

        return page_version(self.storage, research_id)

    def settle(self, research_id: str) -> None:
        """Write the record of a job that ended without one."""
        from engine.runs.worker import settle

        settle(self.jobs, self.storage, research_id)

    def blocks(self, snapshot: Snapshot, text: str) -> Sequence[Block]:
        """The blocks of a stored text; none while the index cannot be read."""
        try:
            return self.tools.corpus.blocks(snapshot.snapshot_id, text, snapshot.sections)
        except StorageError:
            return ()

    def text_or_none(self, snapshot_id: str) -> str | None:
        """A stored text; None when it is gone or damaged."""
        from tools.documents.snapshots import SnapshotFiles

        try:
            # The tools keep texts in memory; only for this they are not made
            if self._toolbox:
                text = self._toolbox.text
            else:
                text = SnapshotFiles(self.config.paths.snapshots).get
            return text(snapshot_id)
        except (NotFound, StorageError):
            return None

    def versions(self) -> dict[str, str]:
        """What a record says about the program that made it."""
        from engine.version import own_version

        return {"zorora": own_version(), "prompts": "1", "data": self.tools.journals.data_version()}

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Everything closed, and nobody else in this process opens it meanwhile."""
        with self._lock:
            self.close()
            yield

    def close(self) -> None:
        """Close everything; what is used after this is opened again."""
        with self._lock:
            for tools in (*self._replaced, *([self._toolbox] if self._toolbox else [])):
                tools.close()
            self._replaced.clear()
            self._toolbox = None
            if self._stores:
                from engine import logs

                logs.stop(self._stores.log)
                self._stores.storage.close()
            self._stores = None

    def _open(self) -> Stores:
        if self._stores is None:
            with self._lock:
                if self._stores is None:
                    self._stores = self._opened_stores()
        return self._stores

    def _opened_stores(self) -> Stores:
        from engine import logs
        from engine.jobs.spawn import Foreman
        from engine.jobs.storage import Trail
        from engine.jobs.store import JobStore
        from engine.records.storage import LocalStorage

        config = self.config
        is_new = not config.paths.db.exists()
        storage = LocalStorage(config=config)
        if is_new:
            storage.sweep()  # a new database beside old records: they are the history
        parallel, lease = config.get("jobs.parallel"), config.get("jobs.lease")
        jobs = JobStore(storage.database, parallel=parallel, lease=lease, now=now)
        handler = logs.start(config.paths.log, secrets=_secrets(config))
        return Stores(
            storage,
            jobs,
            Trail(jobs),
            Foreman(jobs, launch(config, self.environ), self.settle),
            handler,
        )


def launch(config: Config, environ: Mapping[str, str] | None) -> Launch:
    """How the workers of this engine are started: the same places, and what this engine was told
    beyond its files.

    The places are told one by one, since the file may name others by the time a worker reads it.
    """
    from engine.jobs.spawn import Launch

    settings = {
        environment_name(name): show(value)
        for name, (value, origin) in config.values.items()
        if origin == COMMAND_LINE and isinstance(value, str | int | float | bool | tuple)
    }
    places = {"home": config.home, "db_path": config.paths.db, "json_path": config.paths.findings}
    settings |= {environment_name(f"storage.{name}"): str(path) for name, path in places.items()}
    return Launch(("--home", str(config.paths.config.parent)), environ, settings, config.paths.log)


def _secrets(config: Config) -> list[str]:
    from engine import logs
    from engine.settings import keys

    try:
        return keys.values(config)
    except StorageError as error:
        logs.log.warning("%s", error)
        return []
