"""What keeps a home in order: checks, copies, repair, removal for good, lists that are loaded anew,
kept answers."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.answers import CacheEntry, Check, DataList, ListUpdate
from engine.clock import at, days_ago
from engine.library.documents import Progress
from engine.maintenance import backup, data_update, leftovers
from engine.resources import Opened
from tools.errors import Conflict, NotFound, ZororaError
from workflows.research.kinds import RunStatus

EVENT_DAYS = 7.0  # an event stays this long after the record holds it
DAY = 86_400.0
TIDIED = ".tidied"  # touched whenever the daily work begins
SHOWN = 100_000  # characters of the body of a kept answer
log = logging.getLogger("zorora.engine")


class Upkeep:
    """ResearchEngine.upkeep."""

    def __init__(self, opened: Opened) -> None:
        self._open = opened

    def doctor(
        self, quick: bool = False, progress: Callable[[str, int, int], object] | None = None
    ) -> list[Check]:
        """Everything that can be wrong with this installation, checked; see
        engine/maintenance/doctor.py."""
        from engine.maintenance import doctor  # it loads the record, as two of the others do

        return doctor.checks(self._open.config, quick=quick, progress=progress)

    def repair(self) -> list[str]:
        """Rebuild what can be rebuilt; what was done, one sentence each."""
        from engine.maintenance import repair

        with self._open.exclusive():
            actions = repair.repair(self._open.config)
            if count := len(self.clear_leftovers()):
                actions.append(
                    f"{count} unfinished files that interrupted programs had left were removed."
                )
            return actions

    def backup(self, path: str | Path | None = None) -> Path:
        """A verified copy of the database."""
        self._open.config.check_placed()
        return backup.make(self._open.config.paths, Path(path) if path else None)

    def restore(self, path: str | Path) -> None:
        """Put a copy of the database back in place; what was there is kept beside it, and newer
        researches return from their records."""
        from engine.maintenance.database_recovery import close_open_jobs

        self._open.config.check_placed()
        with self._open.exclusive():
            backup.restore(self._open.config.paths, Path(path))
            swept = self._open.storage.sweep()
            self._forget(swept.purged, swept.snapshots)
            close_open_jobs(self._open.storage.database)

    # --- every day --------------------------------------------------------------------------------

    def tidy(self) -> None:
        """The daily work."""
        backup.daily(self._open.config.paths, keep=self._open.config.get("storage.backups"))
        swept = self._open.storage.sweep()
        self._open.trail.forget_events(days_ago(EVENT_DAYS))
        self._forget(swept.purged, swept.snapshots)
        self._open.tools.net.cache.purge(time.time())
        self.clear_leftovers()

    def tidy_when_due(self) -> threading.Thread | None:
        """The daily work beside a run, unless it was done within the last day. Nobody waits for it,
        and a kill in the middle harms nothing."""
        mark = self._open.config.paths.home / TIDIED
        try:
            age = time.time() - mark.stat().st_mtime
        except OSError:
            age = DAY  # never, as far as anybody can tell
        if 0 <= age < DAY:
            return None

        def tidy() -> None:
            try:
                mark.touch(mode=0o600)
                self.tidy()
            except (ZororaError, OSError) as error:
                log.warning("The daily tidying was not finished: %s", error)

        thread = threading.Thread(target=tidy, name="tidy", daemon=True)
        thread.start()
        return thread

    def clear_leftovers(self) -> list[Path]:
        """Remove what interrupted programs left behind; what was removed."""
        working = {job.research_id for job in self._open.jobs.jobs(over=False)}
        return leftovers.clear(self._open.config.paths, self._open.storage.has, working)

    # --- removal ----------------------------------------------------------------------------------

    def delete(self, research_id: str, now: bool = False) -> None:
        """Move a research to the bin; now: remove all of it, except texts that something else still
        needs.

        Conflict while it runs.
        """
        job = self._open.jobs.find(research_id)
        if job is not None and job.status in (RunStatus.QUEUED, RunStatus.RUNNING):
            raise Conflict("This report is still running; cancel it first.")
        alone = self._open.storage.delete(research_id, now=now)
        if now:
            self._forget([research_id], alone)

    def _forget(self, research_ids: Sequence[str], snapshot_ids: Sequence[str]) -> None:
        """Everything else of researches whose records were removed for good. snapshot_ids: texts
        they alone had."""
        for research_id in research_ids:
            self._open.jobs.forget(research_id)
            self._open.tools.net.fetches.remove_run(research_id)
            leftovers.forget(self._open.config.paths, research_id)
        self._open.tools.forget_texts(set(snapshot_ids) - self._texts_of_open_jobs())

    def _texts_of_open_jobs(self) -> set[str]:
        from engine.runs.initial_state import begin

        in_use: set[str] = set()
        for job in self._open.jobs.jobs(over=False):
            checkpoint = self._open.trail.last_checkpoint(job.research_id)
            in_use |= {
                snapshot.snapshot_id
                for snapshot in begin(job, checkpoint, job.created_at).state.snapshots
            }
        return in_use

    # --- lists and kept answers -------------------------------------------------------------------

    def data_lists(self) -> list[DataList]:
        """The lists that credibility rests on: retractions, open-access journals, predatory
        publishers."""
        loaded = self._open.tools.journals.lists()
        names = {entry.name for entry in loaded}
        return [
            *loaded,
            *(
                DataList(listing.name, listing.kind, listing.place)
                for listing in data_update.LISTS
                if listing.name not in names
            ),
        ]

    def update_data(
        self,
        retractions: str | None = None,
        journals: str | None = None,
        predatory: Sequence[str] = (),
        *,
        force: bool = False,
        progress: Progress | None = None,
    ) -> list[ListUpdate]:
        """Load those lists anew: all of them, or only those for which a path or an address of a CSV
        file is given.

        What cannot be read leaves the list in use. force: also take a file with less than half of
        its rows."""
        lists = data_update.wanted_lists(retractions, journals, predatory)
        return data_update.update(self._open.tools, lists, progress, force)

    def remove_data(self, name: str) -> None:
        """Forget one of those lists. NotFound when there is none of this name."""
        if name not in [entry.name for entry in self.data_lists() if entry.rows]:
            raise NotFound(f"No list called {name!r} is loaded.")
        self._open.tools.journals.remove(name)

    def cache_entries(self, limit: int = 100) -> list[CacheEntry]:
        """Kept answers of services and pages, newest first, without their bodies."""
        return [
            CacheEntry(
                entry.cache_id,
                entry.url,
                entry.status,
                entry.size,
                at(entry.stored_at),
                at(entry.expires_at),
            )
            for entry in self._open.tools.net.cache.entries(limit)
        ]

    def cache_entry(self, cache_id: str) -> CacheEntry:
        """One kept answer with its body as text. NotFound when there is none."""
        cached = self._open.tools.net.cache.entry(cache_id.strip())
        if cached is None:
            raise NotFound(
                f"There is no cached answer {cache_id[:40]!r}; `zorora cache list` lists them."
            )
        if b"\0" in cached.body[:1000]:
            text = f"({len(cached.body)} bytes that are no text)"
        else:
            text = cached.body.decode("utf-8", "replace")[:SHOWN]
        return CacheEntry(
            cached.cache_id,
            cached.url,
            cached.status,
            len(cached.body),
            at(cached.stored_at),
            at(cached.expires_at),
            dict(cached.headers),
            text,
        )

    def clear_cache(self, older_than_days: float | None = None) -> int:
        """Drop kept answers, all or those older; how many. What researches quote is kept elsewhere
        and stays."""
        before = None if older_than_days is None else time.time() - older_than_days * DAY
        return self._open.tools.net.cache.clear(before)
