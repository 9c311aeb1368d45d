"""ResearchEngine: the one front door. Both interfaces, and programs that use Zorora as a library,
come in here.

Every method raises errors of the ZororaError family only; their messages are sentences for people.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.extensions import NO_EXTENSIONS, Extensions
from engine.library.documents import Documents, Progress
from engine.resources import Opened
from engine.settings import config as configuration
from engine.settings.config import Config

if TYPE_CHECKING:
    from engine.answering.side_questions import Asking
    from engine.answers import (
        ClientStatus,
        Exported,
        HistoryEntry,
        HistoryPage,
        Imported,
        IngestReport,
        JobStatus,
        KeyStatus,
        LoggedEvent,
        ReaderPage,
        SettingRow,
    )
    from engine.code.coding import Coding
    from engine.jobs.journal import Watcher
    from engine.library.machines import Machines
    from engine.llm.model_settings import ModelSettings
    from engine.maintenance.upkeep import Upkeep
    from engine.memory.memory import ResearchMemory
    from engine.reports.about_reports import Comparison, FollowUp
    from engine.runs.queries import HistoryQuery, RunOptions
    from engine.runs.revisions import Steering
    from engine.runs.run_control import Researches
    from engine.wiring.toolset import Toolset
    from workflows.research.state import ResearchState


class ResearchEngine:
    """Everything Zorora can do, on one home directory, which several may share. Close it, or use it
    in `with`.

    db_path: another place for the database. home: the directory of everything; else ZORORA_HOME,
    else ~/.zorora. environ: the environment to read settings from, instead of the process's own.
    overrides: settings by name. extensions: source clients and a judge of the calling program
    (docs/library.md).
    """

    def __init__(
        self,
        db_path: str | Path | None = None,
        home: str | Path | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        overrides: Mapping[str, Any] | None = None,
        extensions: Extensions = NO_EXTENSIONS,
    ) -> None:
        self._opened = Opened(
            lambda: configuration.load(home, db_path, environ, overrides), environ, extensions
        )
        # Differs whenever a page of a finished research would
        self.page_version = self._opened.page_version
        # Its docstrings say what each of these does
        documents = self._documents = Documents(self._opened)
        self.library, self.titles = documents.all, documents.titles
        self.document_sections, self.search_library = documents.sections, documents.search
        self.preparing, self.prepare_after_exit = documents.preparing, documents.prepare_after_exit
        self.only_words = documents.only_words
        self.upload, self.remove_document = documents.upload, documents.remove
        self.roots, self.add_root = documents.roots, documents.add_root
        self.watch_folders, self.watching = documents.watch, documents.watching

    def __enter__(self) -> ResearchEngine:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """End parsers and connections. Workers go on; a second call does nothing."""
        self._documents.close()
        self._opened.close()

    @property
    def config(self) -> Config:
        """The configuration in force."""
        return self._opened.config

    @cached_property
    def _researches(self) -> Researches:
        from engine.runs.run_control import Researches

        return Researches(self._opened)

    @cached_property
    def models(self) -> ModelSettings:
        """The models of each role and their servers, and the models that are files."""
        from engine.llm.model_settings import ModelSettings

        return ModelSettings(self._opened)

    @cached_property
    def upkeep(self) -> Upkeep:
        """Checks, copies, repair, removal for good, lists and kept answers."""
        from engine.maintenance.upkeep import Upkeep

        return Upkeep(self._opened)

    @cached_property
    def memory(self) -> ResearchMemory:
        """Notes, and what was found before."""
        from engine.memory.memory import ResearchMemory

        return ResearchMemory(self._opened)

    @cached_property
    def tools(self) -> Toolset:
        """What models and other programs may use."""
        from engine.wiring.toolset import Toolset

        return Toolset(self, self._opened, self.memory)

    # --- researches: running ----------------------------------------------------------------------

    def start(self, query: str, options: RunOptions | None = None) -> str:
        """Begin a research in the background; its id. Refused for an empty question."""
        return self._researches.start(query, options)

    def run(
        self, query: str, options: RunOptions | None = None, on_event: Watcher | None = None
    ) -> ResearchState:
        """A whole research in this process. Ctrl+C ends it with a report of what was found
        (ended_by "user").

        A run that may ask (options.clarify) can return with status "waiting_for_input": `clarify`,
        then `resume_here`.
        """
        return self._researches.run(query, options, on_event)

    def deep_research(self, query: str, depth: int = 2) -> ResearchState:
        """A whole research in this process that asks nothing; depth 1, 2 or 3."""
        from engine.runs.queries import RunOptions

        return self.run(query, RunOptions(depth=depth, clarify=False))

    def resume(self, research_id: str, force: bool = False) -> None:
        """Go on with a research that ended early, in the background. force: also after it stopped
        three times."""
        self._researches.resume(research_id, force)

    def resume_here(
        self, research_id: str, force: bool = False, on_event: Watcher | None = None
    ) -> ResearchState:
        """Go on with a research in this process; one that another process runs is followed to its
        end."""
        return self._researches.resume_here(research_id, force, on_event)

    def work(self, research_id: str) -> ResearchState | None:
        """What `zorora worker` does. None when another process has the job already."""
        return self._researches.work(research_id)

    def usual_seconds(self, depth: int, sources: Collection[str]) -> float | None:
        """How long a research of a depth over kinds of sources took so far; None before there are
        enough."""
        return self._researches.usual_seconds(depth, sources)

    def status(self, research_id: str) -> JobStatus:
        """Where a research is, finished ones too. NotFound when there is none."""
        return self._researches.status(research_id)

    def jobs(self, over: bool = False) -> list[JobStatus]:
        """Open jobs in the order they run; with `over` the ended ones after them, newest first."""
        return self._researches.jobs(over)

    def events(self, research_id: str, after: int = 0, limit: int = 500) -> list[LoggedEvent]:
        """Progress events numbered above `after`. Ask for the status first, so that the last ones
        are not lost."""
        return self._researches.events(research_id, after, limit)

    def preview(self, research_id: str) -> ResearchState | None:
        """What a running research has found so far (its last checkpoint)."""
        return self._researches.preview(research_id)

    def cancel(self, research_id: str) -> JobStatus:
        """Ask a research to stop; what was found is kept. One that is over stays as it is."""
        return self._researches.cancel(research_id)

    def clarify(self, research_id: str, answer: str) -> None:
        """Answer the question of a waiting research. Conflict names the answer that was given
        before."""
        self._researches.clarify(research_id, answer)

    @cached_property
    def steering(self) -> Steering:
        """What can be done with a finished research: replay, exclude, include, deepen, rescore,
        recheck, revisions."""
        from engine.runs.revisions import Steering  # it needs the whole pipeline

        return Steering(self._opened)

    @cached_property
    def asking(self) -> Asking:
        """Follow-up questions, conversations with a model, quick searches, documents asked,
        pictures."""
        from engine.answering.side_questions import Asking

        return Asking(self._opened, lambda: self.steering)

    def follow_up(
        self, research_id: str, question: str, on_text: Callable[[str], object] | None = None
    ) -> FollowUp:
        """A question about a finished research, answered from its stored texts alone and kept in
        its record."""
        return self.asking.follow_ups.ask(research_id, question, on_text)

    @cached_property
    def coding(self) -> Coding:
        """Work on code for a person at the terminal: edits, new files, whole changes on a
        branch."""
        from engine.code.coding import Coding

        return Coding(self._opened)

    # --- researches: kept -------------------------------------------------------------------------

    def load_research(self, research_id: str) -> ResearchState | None:
        """A record, with a note in its report when a quotation does not resolve; None when unknown
        or not over yet."""
        return self._opened.load_with_warning(research_id)

    def record_path(self, research_id: str) -> Path:
        """The file of a record."""
        return self._opened.storage.record_path(research_id)

    def history(self, query: HistoryQuery | None = None) -> HistoryPage:
        """A page of past researches."""
        return self._opened.storage.history(query)

    def search_history(self, query: str | None = None, limit: int = 10) -> list[HistoryEntry]:
        """The best matches of a full-text search over past researches; without a query the
        newest."""
        from engine.runs.queries import HistoryQuery

        sort = "best" if query else "newest"
        return list(self.history(HistoryQuery(text=query, limit=limit, sort=sort)).entries)

    def ids_beginning(self, start: str, limit: int = 30) -> list[tuple[str, str]]:
        """(id, question) of kept researches whose id begins so, newest first: for completion."""
        return self._opened.storage.beginning(start, limit)

    def related(self, query: str, limit: int = 3) -> list[HistoryEntry]:
        """Finished researches on a related question, the nearest first."""
        return self.memory.related(query, limit)

    def star(self, research_id: str, on: bool = True) -> None:
        self._opened.storage.star(research_id, on)

    def tag(self, research_id: str, tags: Sequence[str]) -> None:
        """Replace the tags of a research."""
        self._opened.storage.tag(research_id, tags)

    def note(self, research_id: str, text: str) -> None:
        self._opened.storage.note(research_id, text)

    def delete(self, research_id: str, now: bool = False) -> None:
        """Move a research to the bin for 30 days; now: remove it with its texts, events and rows
        for good."""
        self.upkeep.delete(research_id, now)

    def undelete(self, research_id: str) -> None:
        self._opened.storage.undelete(research_id)

    def reader(self, research_id: str, source_id: str, revision: int | None = None) -> ReaderPage:
        """The stored text of a source, cut where the report, or a revision of it, used it."""
        from engine.reports import reader_page as reader

        if revision:
            state = self.steering.revision(research_id, revision)
        else:
            state = self._opened.require(research_id)
        source, snapshot = reader.source_of(state, source_id)
        text = self._opened.text_or_none(snapshot.snapshot_id) if snapshot else None
        blocks = self._opened.blocks(snapshot, text) if snapshot and text else ()
        return reader.page(state, source, snapshot, text, blocks)

    def snapshot_text(self, snapshot_id: str) -> str:
        """A stored text. NotFound when it is gone, StorageError when it is damaged."""
        return self._opened.tools.text(snapshot_id)

    def export(self, research_id: str, format: str, with_snapshots: bool = False) -> Exported:
        """A research in one of `export_formats`. with_snapshots: with the stored texts, where the
        format has room."""
        from engine import exports

        # The record itself goes out as it is
        state = self._opened.require(research_id, as_shown=format != "json")
        return exports.export(state, format, self.snapshot_text, whole=with_snapshots)

    def export_formats(self, of_conversation: bool = False) -> tuple[tuple[str, str, str], ...]:
        """(name, label, suffix) of every format, or of those that a conversation has."""
        from engine import exports

        return tuple(
            (form.name, form.label, form.suffix)
            for form in exports.FORMATS
            if form.holds_turns or not of_conversation
        )

    def compare(self, a: str, b: str) -> Comparison:
        """Two finished researches side by side. NotFound when one is unknown or not over."""
        from engine.reports import comparison

        return comparison.compare(self._opened.require(a), self._opened.require(b))

    def import_record(self, data: bytes) -> Imported:
        """Bring in an exported record. Refused, with the reason, for what is none; nothing here is
        overwritten."""
        from engine.records import imports

        return imports.take(self._opened, data)

    # --- documents --------------------------------------------------------------------------------

    def ingest(
        self,
        paths: Sequence[str | Path],
        progress: Progress | None = None,
        machines: Machines | None = None,
    ) -> IngestReport:
        """Read files and folders, on other machines if there are some. progress(name, done, total,
        problem) of each."""
        return self._documents.ingest(paths, progress, machines)

    def library_size(self, folder: str = "") -> int:
        """How many documents there are, or lie in one folder and below it."""
        return self._opened.tools.library.count(folder)

    # --- settings ---------------------------------------------------------------------------------

    def settings(self) -> list[SettingRow]:
        """Every setting with its value and where that comes from."""
        return configuration.rows(self.config)

    def set_setting(self, name: str, text: str) -> None:
        """Write one setting into config.toml; it is in force at once, for new researches.
        ConfigError when wrong."""
        configuration.save_value(self.config, name, text)
        self._opened.reload()

    def keys(self) -> list[KeyStatus]:
        """The secrets that services may want, masked."""
        from engine.settings import keys

        return keys.status(self.config)

    def set_key(self, name: str, value: str) -> None:
        """Store a secret; an empty value removes it."""
        from engine.settings import keys

        keys.store(self.config, name, value, self._opened.tools.address_of_key(name))
        self._opened.reload()

    def sources(self) -> list[ClientStatus]:
        """Every source client and how it fared."""
        from engine.wiring import source_status

        return source_status.statuses(
            self.config, self._opened.tools.net, self._opened.extensions.clients
        )

    def check_sources(self, names: Sequence[str] = ()) -> list[ClientStatus]:
        """The same after one live question to each that is on, or to those named."""
        from engine.wiring import source_status

        return source_status.checked(self.config, self._opened.tools.net, names)

    def get_stats(self) -> dict[str, Any]:
        """Counts of what is stored. passages: of the documents alone."""
        library = self._opened.tools.library
        counts = {"documents": library.count(), "passages": library.passages()}
        return {**self._opened.storage.stats(), **self._opened.tools.corpus.counts(), **counts}

    def secret_key(self) -> bytes:
        """The bytes that sign the sessions of the web interface."""
        from engine import home

        home.prepare(self.config.paths)
        return home.secret_key(self.config.paths)
