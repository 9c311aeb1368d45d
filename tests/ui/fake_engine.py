"""An engine in memory with the methods the web page uses: one research in each state, a few documents."""

# ruff: noqa: E501 -- example data reads better on one line

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from engine import exports
from engine.answers import (
    Check,
    ClientStatus,
    DataList,
    Exported,
    HistoryEntry,
    HistoryPage,
    HistoryQuery,
    Imported,
    IngestReport,
    JobStatus,
    KeyStatus,
    LibraryHit,
    ListUpdate,
    LoggedEvent,
    ReaderPage,
    RunOptions,
    SettingRow,
    SourceCheck,
)
from engine.home import Paths, layout
from engine.library.folder_watch import WatchState
from engine.llm import model_roles
from engine.llm.model_settings import ModelSettings
from engine.records import imports
from engine.reports import reader_page as reading
from engine.reports.about_reports import Comparison
from engine.reports.comparison import compare
from engine.runs.run_options import searchable
from engine.settings import config as configuration
from engine.wiring.tool_texts import ResearchText
from engine.wiring.toolset import OfferedTool
from tests.ui import fake_research
from tests.ui.fake_asking import FakeAsking
from tests.ui.fake_steering import FakeSteering
from tools import tool_calls
from tools.documents.model import Document, Passage, Section
from tools.errors import ConfigError, Conflict, NotFound, ParseError, Refused
from tools.models.calling import Caller
from tools.toolset.context import Context
from workflows.research.state import ResearchState
from workflows.research.understand.unclear import is_noise

NO_OPTIONS, ALL = RunOptions(), HistoryQuery()
BEGUN = "2026-10-14T12:02:00Z"
RUNNING = "how_much_reserve_20261014_140200"
WAITING = "what_did_the_council_20261014_141000"
FAILED = "effect_of_a_cabinet_20260928_090000"
CANCELLED = "second_life_cells_20261002_100000"
QUEUED = "battery_recycling_20261014_142000"

EVENTS: tuple[tuple[int, str, str, str, dict[str, Any]], ...] = (
    (0, "understand", "research_started", "Started.", {}),
    (2, "understand", "query_analyzed", "Read as a technical question about sunset reserve in solar-heavy grids.",
     {"detail": "4 primary questions, 3 secondary, 3 perspectives"}),
    (3, "aggregate", "phase_started", "Five clients are being asked at once, 14 queries.", {"number": 1, "round": 1}),
    (5, "aggregate", "source_answered", "OpenAlex found 20 works.",
     {"client": "openalex", "query": "sunset reserve", "found": 20, "seconds": 1.4, "problem": None}),
    (9, "aggregate", "source_answered", "Newsroom did not answer.",
     {"client": "newsroom", "query": "sunset reserve", "found": 0, "seconds": 10.0,
      "problem": "No answer within 10 s."}),
    (14, "aggregate", "page_fetched", "Read Grid operations report, winter season.",
     {"url": "https://gridoperator.gov.example/reports/winter-season-2025.pdf", "source_id": "x4", "ok": True,
      "title": "Grid operations report, winter season", "problem": None, "characters": 18204}),
    (24, "aggregate", "phase_started", "Round 2 asks what round 1 left open: how long the ramp lasts.",
     {"number": 1, "round": 2, "why": "2 gaps of importance 0.5 or more, 5 queries"}),
    (29, "follow", "claim_found", "Reserve needs are highest in the ninety minutes around sunset.",
     {"claim": "Reserve needs are highest in the ninety minutes around sunset.", "sources": ["S1", "S4"], "voices": 2}),
    (33, "follow", "phase_started", "Following the references of the five best scholarly sources.", {"number": 2}),
    (33, "follow", "page_asked", "", {"url": "https://a.example/r", "title": "Ramp rates at sunset", "source_id": "x5"}),
    (34, "synthesis", "sentence_passed", "",
     {"text": "Batteries <b>cover</b> the sunset.", "tags": ["S1"], "section": 0, "heading": ""}),
)  # fmt: skip


@dataclass
class FakeConfig:
    """Values by name."""

    home: Path
    values: dict[str, Any]
    problems: tuple[str, ...] = ()

    @property
    def paths(self) -> Paths:
        return layout(self.home)

    def get(self, name: str) -> Any:
        return self.values.get(name)


class NoNetwork:
    """Whatever is asked of it is refused."""

    def __getattr__(self, name: str) -> NoReturn:
        raise Refused("There is no network here.")


class OnlySettings:
    """What the model settings need of an open engine: a configuration that can change, and a way to call."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.net: Any = NoNetwork()
        self.tools = self
        self.reload()

    def reload(self) -> None:
        self.config = configuration.load(
            self.home, environ={}, overrides={"storage.keyring": False}
        )
        self.models = Caller(model_roles.wire(self.config))


class FakeTools:
    """The tools over this engine, without a network, documents and models."""

    def __init__(self, engine: "FakeEngine") -> None:
        self._context = Context(researches=lambda: ResearchText(engine, None))  # type: ignore[arg-type]

    def offered(self, classes: tuple[str, ...]) -> list[OfferedTool]:
        tools = tool_calls.offered(self._context, classes)
        return [
            OfferedTool(tool.name, tool.description, tool.schema, tool.safety) for tool in tools
        ]

    def call(self, name: str, arguments: dict[str, Any], *, classes: tuple[str, ...]) -> str:
        return tool_calls.call(name, arguments, self._context, classes)


class FakeEngine:
    """Everything in dictionaries; `.calls` remembers what was asked to change."""

    def __init__(self, home: Path) -> None:
        self.config = FakeConfig(home, {"research.depth": 2})
        self.calls: list[tuple[Any, ...]] = []
        self.watched = WatchState()
        self.vectors, self.begun = (0, 0), False
        self.words_alone = ""
        state = fake_research.finished()
        self.done = state.research_id
        other = fake_research.second()
        self.states: dict[str, ResearchState] = {state.research_id: state, other.research_id: other}
        self.texts = fake_research.texts()
        self.open = {job.research_id: job for job in jobs()}
        self.documents = {d.document_id: d for d in documents()}
        self.rows = {row.name: row for row in rows()}
        self.secrets = {"BRAVE_SEARCH_API_KEY": "brave-secret-7f2c"}
        self.models = ModelSettings(OnlySettings(home))  # type: ignore[arg-type]
        self.tools = FakeTools(self)
        self.steering = FakeSteering(self.states)
        self.asking = FakeAsking(self)
        self.upkeep = self

    def start(self, query: str, options: RunOptions = NO_OPTIONS) -> str:
        searchable(query, is_noise)
        self.calls.append(("start", query, options))
        research_id = f"started_{len(self.calls)}"
        self.open[research_id] = JobStatus(
            research_id, query, "queued", options.depth or 2, BEGUN, position=1
        )
        return research_id

    def status(self, research_id: str) -> JobStatus:
        if research_id in self.open:
            return self.open[research_id]
        state = self.states.get(research_id)
        if state is None:
            raise NotFound(f"There is no report called {research_id!r}.")
        return JobStatus(
            research_id, state.original_query, state.status, state.config.depth, BEGUN, over=True
        )

    def usual_seconds(self, depth: int, sources: Collection[str]) -> float | None:
        return 48.2 if depth == 2 and len(sources) == 4 else None

    def jobs(self, over: bool = False) -> list[JobStatus]:
        return [job for job in self.open.values() if over or not job.over]

    def events(self, research_id: str, after: int = 0, limit: int = 500) -> list[LoggedEvent]:
        self.status(research_id)
        hits = [
            LoggedEvent(kind, phase, message, data, float(at), BEGUN, number)
            for number, (at, phase, kind, message, data) in enumerate(EVENTS, 1)
        ]
        return (
            [event for event in hits if event.seq > after][:limit] if research_id != QUEUED else []
        )

    def preview(self, research_id: str) -> ResearchState | None:
        return None

    def cancel(self, research_id: str) -> JobStatus:
        self.calls.append(("cancel", research_id))
        return self.status(research_id)

    def clarify(self, research_id: str, answer: str) -> None:
        if self.status(research_id).status != "waiting_for_input":
            raise Conflict("This report was answered already: “1”.")
        self.calls.append(("clarify", research_id, answer))

    def resume(self, research_id: str, force: bool = False) -> None:
        self.status(research_id)
        self.calls.append(("resume", research_id, force))

    def page_version(self, research_id: str) -> str:
        state = self.states.get(research_id)
        return (
            hashlib.sha256(repr((state, self.texts)).encode()).hexdigest()
            if state and state.report
            else ""
        )

    def load_research(self, research_id: str) -> ResearchState | None:
        return self.states.get(research_id)

    def history(self, query: HistoryQuery = ALL) -> HistoryPage:
        entries = [e for e in self._entries() if not query.starred or e.starred]
        if query.status:
            entries = [e for e in entries if e.status in query.status]
        if query.bin:
            entries = []
        if query.since:
            entries = [e for e in entries if e.created_at >= query.since]
        if query.text:
            words = query.text.lower().split()
            entries = [e for e in entries if any(word in e.query.lower() for word in words)]
        return HistoryPage(
            tuple(entries[: query.limit]),
            None,
            len(entries),
            {"complete": 1, "running": 1},
            {"storage": 1},
        )

    def _entries(self) -> list[HistoryEntry]:
        rows = [
            HistoryEntry(
                state.research_id, state.original_query, state.status, state.started_at, state.completed_at,
                state.config.depth, len(state.sources), state.quality.overall_confidence, state.user.starred,
                state.user.tags, state.user.note,
                title=state.original_query.replace("batteries", "\x02batteries\x03"),
                snippet="Large \x02batteries\x03 reliably move midday solar power into the evening.",
            )
            for state in self.states.values()
        ]  # fmt: skip
        return rows + [
            HistoryEntry(
                job.research_id,
                job.query,
                job.status,
                job.created_at,
                None,
                job.depth,
                0,
                0.0,
                False,
                (),
                "",
            )
            for job in self.open.values()
            if job.over
        ]

    def related(self, query: str, limit: int = 3) -> list[HistoryEntry]:
        words = set(query.lower().split())
        return [e for e in self._entries() if len(words & set(e.query.lower().split())) > 2][:limit]

    def star(self, research_id: str, on: bool = True) -> None:
        self.status(research_id)
        self.calls.append(("star", research_id, on))

    def tag(self, research_id: str, tags: Sequence[str]) -> None:
        self.calls.append(("tag", research_id, tuple(tags)))

    def note(self, research_id: str, text: str) -> None:
        self.calls.append(("note", research_id, text))

    def delete(self, research_id: str, now: bool = False) -> None:
        self.status(research_id)
        self.calls.append(("delete", research_id, now))

    def undelete(self, research_id: str) -> None:
        self.calls.append(("undelete", research_id))

    def reader(self, research_id: str, source_id: str, revision: int | None = None) -> ReaderPage:
        earlier = self.steering.revision(research_id, revision) if revision else None
        state = earlier or self.states.get(research_id)
        if state is None:
            raise NotFound(f"There is no finished report called {research_id!r}.")
        source, snapshot = reading.source_of(state, source_id)
        return reading.page(
            state, source, snapshot, self.texts.get(snapshot.snapshot_id) if snapshot else None
        )

    def snapshot_text(self, snapshot_id: str) -> str:
        if snapshot_id not in self.texts:
            raise NotFound("There is no such text.")
        return self.texts[snapshot_id]

    def export(self, research_id: str, format: str, with_snapshots: bool = False) -> Exported:
        state = self.states.get(research_id)
        if state is None:
            raise NotFound(f"There is no finished report called {research_id!r}.")
        return exports.export(state, format, self.texts.__getitem__, whole=with_snapshots)

    def compare(self, a: str, b: str) -> Comparison:
        for research_id in (a, b):
            if research_id not in self.states:
                raise NotFound(f"There is no finished report called {research_id!r}.")
        return compare(self.states[a], self.states[b])

    def import_record(self, data: bytes) -> Imported:
        state, _ = imports.read_record(data)
        new = state.research_id not in self.states
        self.calls.append(("import", state.research_id))
        self.states.setdefault(state.research_id, state)
        return Imported(
            state.research_id,
            new,
            () if new else ("This report is already here; nothing was changed.",),
        )

    def export_formats(self, of_conversation: bool = False) -> tuple[tuple[str, str, str], ...]:
        forms = [form for form in exports.FORMATS if form.holds_turns or not of_conversation]
        return tuple((form.name, form.label, form.suffix) for form in forms)

    def ingest(
        self, paths: Sequence[str], progress: Any = None, machines: Any = None
    ) -> IngestReport:
        self.calls.append(("ingest", tuple(paths)))
        return IngestReport()

    def upload(self, name: str, data: bytes) -> Document:
        self.calls.append(("upload", name, len(data)))
        if data.startswith(b"broken"):
            raise ParseError("The file holds pictures of pages and no text.")
        document = Document(
            f"u{len(self.calls)}", name, "", "text/plain", len(data), BEGUN, "indexed"
        )
        self.documents[document.document_id] = document
        return document

    def library(self, document_ids: Collection[str] | None = None) -> list[Document]:
        return [
            document
            for key, document in self.documents.items()
            if document_ids is None or key in document_ids
        ]

    def only_words(self) -> str:
        return self.words_alone

    def prepare_after_exit(self) -> None:
        self.calls.append(("prepare_after_exit",))

    def preparing(self, begin: bool = False) -> tuple[int, int]:
        self.begun = self.begun or begin
        return self.vectors

    def titles(self, limit: int) -> list[tuple[str, str]]:
        read = [document for document in self.documents.values() if document.snapshot_id]
        return [(document.document_id, document.title or document.name) for document in read][
            :limit
        ]

    def library_size(self, folder: str = "") -> int:
        return sum(
            not folder or f"{document.folder}/".startswith(f"{folder}/")
            for document in self.documents.values()
        )

    def search_library(self, query: str, limit: int = 20) -> list[LibraryHit]:
        document = self.documents["d1"]
        text = self.texts[document.snapshot_id or ""]
        passage = Passage(document.snapshot_id or "", 0, len(text), text, 0.9)
        return [
            LibraryHit(
                "d1", document.name, document.title, passage, text.replace("Flow", "\x02Flow\x03")
            )
        ]

    def remove_document(self, document_id: str) -> None:
        if document_id not in self.documents:
            raise NotFound("This document is not in the library.")
        self.calls.append(("remove", document_id))

    def roots(self) -> list[str]:
        return ["home/documents", "Documents/Tender 2025"]

    def add_root(self, path: str) -> None:
        if path == "/etc":
            raise Refused("This folder belongs to the system.")
        self.calls.append(("root", path))

    def document_sections(self, document_id: str) -> tuple[Section, ...]:
        return (
            (Section("1", "Costs", 1, 0, 40), Section("2", "Capacity", 1, 40, 106))
            if document_id == "d1"
            else ()
        )

    def watch_folders(self, on: bool = True, progress: Any = None) -> WatchState:
        self.calls.append(("watch", on))
        self.watched = WatchState(on, BEGUN)
        return self.watched

    def watching(self) -> WatchState:
        return self.watched

    def settings(self) -> list[SettingRow]:
        return list(self.rows.values())

    def set_setting(self, name: str, text: str) -> None:
        if name not in self.rows and not name.startswith(("sources.", "corpus.roots")):
            raise ConfigError(f"There is no setting {name}.")
        if name == "research.depth" and text not in ("1", "2", "3"):
            raise ConfigError("research.depth is between 1 and 3.")
        self.calls.append(("set", name, text))
        if name in self.rows:
            self.rows[name] = replace(self.rows[name], value=text, origin="file")

    def keys(self) -> list[KeyStatus]:
        brave = self.secrets.get("BRAVE_SEARCH_API_KEY", "")
        masked = f"•••• {brave[-4:]}" if brave else ""
        return [
            KeyStatus(
                "BRAVE_SEARCH_API_KEY",
                "Brave Search",
                "file" if brave else "none",
                masked,
                "https://brave.com",
            ),
            KeyStatus("CORE_API_KEY", "CORE", "environment", "•••• 01aa"),
            KeyStatus("HF_TOKEN", "Models of a hub, optional", "none", ""),
        ]

    def set_key(self, name: str, value: str) -> None:
        self.calls.append(("key", name))
        self.secrets[name] = value

    def check_sources(self, names: Sequence[str] = ()) -> list[ClientStatus]:
        self.calls.append(("check_sources", tuple(names)))
        checks = {"openalex": SourceCheck("ok", "OpenAlex: answered in 0.3 s, 3 hits.", 3, 0.3)}
        if "core" in names or not names:
            checks["core"] = SourceCheck("off", "CORE: needs a key; not asked.")
        wrong = [name for name in names if name not in {client.name for client in self.sources()}]
        if wrong:
            raise NotFound(f"There is no source called {wrong[0]!r}.")
        return [
            replace(
                client,
                checked=checks.get(client.name) if not names or client.name in names else None,
            )
            for client in self.sources()
        ]

    def sources(self) -> list[ClientStatus]:
        return [
            ClientStatus("openalex", "OpenAlex", "academic", True, False, False, BEGUN),
            ClientStatus("arxiv", "arXiv", "academic", True, False, False),
            ClientStatus(
                "core", "CORE", "academic", False, True, False, None, "The key was refused."
            ),
            ClientStatus("duckduckgo", "DuckDuckGo", "web", True, False, False),
            ClientStatus("newsroom", "Newsroom", "newsroom", True, False, False),
        ]

    def data_lists(self) -> list[DataList]:
        return [
            DataList("DOAJ", "journals", "https://journals.example/csv"),
            DataList(
                "Retraction Watch",
                "retractions",
                "https://lists.example/r.csv",
                "2026-10-01",
                BEGUN,
                61204,
                3,
            ),
        ]

    def update_data(self, progress: Any = None) -> list[ListUpdate]:
        self.calls.append(("data",))
        progress(
            "DOAJ", 1, 2, "DOAJ was not updated. Unavailable (status 503). No list of it is loaded."
        )
        progress("Retraction Watch", 2, 2, None)
        return []

    def doctor(self, quick: bool = False, progress: Any = None) -> list[Check]:
        return [
            Check("database", "ok", "The database is in order."),
            Check("disk", "warning", "2 GB are free.", "Make room before a long research."),
        ]

    def backup(self, path: str | None = None) -> Path:
        self.calls.append(("backup",))
        return Path("zorora-20261014.db")

    def get_stats(self) -> dict[str, Any]:
        return {
            "research_findings": len(self.states),
            "documents": len(self.documents),
            "chunks": 18420,
            "passages": 960,
            "bytes": 41_000_000,
        }

    def secret_key(self) -> bytes:
        return b"a key of thirty-two bytes, truly"


def jobs() -> list[JobStatus]:
    return [
        JobStatus(
            RUNNING, "How much reserve do solar-heavy grids need at sunset?", "running", 2, BEGUN, BEGUN, None, 33.4,
            phase="follow", phase_number=2, round=2, rounds=2, counts={"queries": 20, "sources": 17, "claims": 7},
            sources=("academic", "web", "newsroom", "local"), expected=48.0,
        ),
        JobStatus(
            WAITING, "What did the Example Storage Council say about fire safety?", "waiting_for_input", 1, BEGUN,
            question="Which Example Storage Council is meant?",
            choices=("Example Storage Council, national trade body", "Example Storage Council, advisory board"),
        ),
        JobStatus(QUEUED, "How are batteries recycled?", "queued", 2, BEGUN, position=2),
        JobStatus(
            FAILED, "Effect of a cabinet colour on battery temperature", "failed", 1, BEGUN, BEGUN, BEGUN, 12.0,
            problem="All sources failed: there is no network.", over=True,
        ),
        JobStatus(CANCELLED, "Second-life cells in stationary storage", "cancelled", 2, BEGUN, over=True, ended_by="user"),
    ]  # fmt: skip


def documents() -> list[Document]:
    snapshot = fake_research.SOURCES["S6"].snapshot_id
    return [
        Document("d1", "Tender_2025_annex_C_final_v7.pdf", "Tender documents 2025, annex C: life-cycle cost tables",
                 "application/pdf", 812_000, BEGUN, "indexed", None, snapshot, 106, 41, 9, "Tender 2025"),
        Document("d2", "Site_measurements_substation_north_2019-2025_with_corrections_and_comments_final_FINAL.csv", "",
                 "text/csv", 88_000, BEGUN, "indexed", None, None, 0, 0, 0, "Measurements"),
        Document("d3", "scan_1998.pdf", "Scan of the 1998 feasibility study", "application/pdf", 9_812_000, BEGUN,
                 "failed", "The file holds pictures of pages and no text. Run it through text recognition and add it again."),
    ]  # fmt: skip


def rows() -> list[SettingRow]:
    return [
        SettingRow("research.depth", "research", "int", "2", "2", "How deep a report goes when nothing else is said."),
        SettingRow("research.clarify", "research", "bool", "true", "true", "Ask when a name may mean several things."),
        SettingRow("http.contact", "http", "text", "", "", "Your mail address."),
        SettingRow("models.reasoning.endpoint", "models.reasoning", "url", "", "", "Address of the server."),
        SettingRow("models.reasoning.model", "models.reasoning", "text", "", "", "Name of the model."),
        SettingRow("web.port", "web", "int", "5050", "5000", "Port to listen on.", (), "environment", "WEB_UI_PORT"),
        SettingRow("corpus.watch", "corpus", "bool", "false", "false", "Read what is new in the folders by itself."),
        SettingRow("corpus.fusion", "corpus", "choice", "weighted", "weighted", "How rankings are combined.",
                   ("weighted", "rrf")),
    ]  # fmt: skip
