"""A hand-written engine with two researches in it, and a way to run commands and see what they
print."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.answers import (
    Check,
    ClientStatus,
    Exported,
    HistoryEntry,
    HistoryPage,
    HistoryQuery,
    IngestReport,
    JobStatus,
    KeyStatus,
    LibraryHit,
    LoggedEvent,
    RunOptions,
    SettingRow,
)
from engine.home import layout
from engine.models import (
    Citation,
    Claim,
    Contradiction,
    Credibility,
    Document,
    Event,
    Evidence,
    Finding,
    IngestedFile,
    Mark,
    NotFound,
    Passage,
    Report,
    ReportSection,
    ResearchState,
    Sentence,
    Source,
    UserMarks,
    ZororaError,
)
from ui.terminal.main import main
from ui.terminal.screen import Screen
from workflows.research.answer.model import AnswerVerdict
from workflows.research.model import Quality, Usage
from workflows.research.report.model import Disagreement

SLEEP = "sleep_and_memory_20260102_101500"
TEA = "tea_and_iron_20260103_090000"
FORMATS = (("md", "Markdown", ".md"), ("html", "Web page", ".html"), ("json", "Record", ".json"))


def sentence(
    number: int, text: str, *tags: str, kind: str = "quote", indicator: str = "✓"
) -> Sentence:
    cited = tuple(Citation(tag, f"source{tag[1:]}", f"E{number}") for tag in tags)
    return Sentence(f"s{number}", kind, text, citations=cited, indicator=indicator if cited else "")


def source(number: int, title: str, **fields: Any) -> Source:
    score = fields.pop("score", 0.85)
    credibility = Credibility(
        score, "Nature journal (high impact)", score, breakdown=f"Base: {score} -> Final: {score}"
    )
    values = {
        "url": f"https://example.org/{number}",
        "tag": f"S{number}",
        "credibility": credibility,
        **fields,
    }
    return Source(source_id=f"source{number}", title=title, **values)


def sample() -> ResearchState:
    """A research with every part a report can have."""
    long_text = "Sleep after learning helps people keep what they have learned, " * 6
    sources = (
        source(
            1,
            "Sleep and the consolidation of memory",
            authors=("Ada Ruiz", "Ben Ode"),
            published="2024-05",
            venue="Nature",
        ),
        source(
            2, "Naps in schools", score=0.5, marks=(Mark("correction", "Crossref", "2025-01-01"),)
        ),
        source(3, "A page nobody cites", tag=None),
        source(4, "A paper that was withdrawn", tag=None, score=0.0, rejected="retracted 2010"),
        source(5, "notes.md", url="local://d1/notes.md", source_type="local"),
    )
    claims = (
        Claim(
            "C1",
            "Sleep helps memory.",
            supporting_sources=("source1", "source2"),
            independent_sources=2,
            indicator="✓✓",
        ),
        Claim(
            "C2",
            "Sleep does not help memory.",
            supporting_sources=("source2",),
            independent_sources=1,
            indicator="⚠",
        ),
    )
    report = Report(
        "How does sleep help memory?",
        summary=(
            sentence(1, long_text.strip() + ".", "S1", "S2", indicator="✓✓"),
            sentence(2, "It is so.", "S5"),
        ),
        verdict=AnswerVerdict(
            "contested", 2, 1, (sentence(3, "2 of 3 sources say so.", kind="narration"),)
        ),
        key_findings=(replace(sentence(6, "Sleep helps memory.", "S1"), claim_ids=("C1",)),),
        sections=(
            ReportSection(
                "How it works", (sentence(4, "In deep sleep memories are replayed.", "S1"),), 0.82
            ),
        ),
        disagreements=(Disagreement("X1", (sentence(5, "Sleep helps memory.", "S1"),)),),
        open=("Whether naps help children",),
        notes=("arXiv did not answer",),
    )
    return ResearchState(
        "How does sleep help memory?",
        SLEEP,
        status="complete",
        started_at="2026-01-02T10:15:00Z",
        completed_at="2026-01-02T10:15:31Z",
        sources=sources,
        claims=claims,
        evidence=(Evidence("E1", "source1", "a" * 64, 0, 5, "Sleep", "q1", 0.9),),
        contradictions=(
            Contradiction(
                "X1",
                "C1",
                "C2",
                "E1",
                "E2",
                "direct",
                "sleep",
                "memory",
                "The two say the opposite.",
            ),
        ),
        findings=(Finding("C1", "Sleep helps memory.", ("source1", "source2"), "medium", 0.68),),
        report=report,
        synthesis="# How does sleep help memory?\n",
        quality=Quality(
            0.66,
            verified_claims=2,
            total_claims=3,
            sources_found=5,
            sources_used=3,
            sources_rejected=1,
        ),
        usage=Usage(seconds=31.2),
        user=UserMarks(tags=("health",), note="Read again."),
    )


EVENTS = (
    Event("research_started", "understand", "Researching: How does sleep help memory?"),
    Event(
        "phase_started",
        "aggregate",
        "Phase 1 of 6: finding sources",
        {"number": 1, "round": 1, "rounds": 2},
        0.1,
    ),
    Event(
        "source_answered",
        "aggregate",
        "OpenAlex: 12 hits",
        {"client": "openalex", "found": 12, "seconds": 0.8},
        0.9,
    ),
    Event(
        "source_answered",
        "aggregate",
        "arXiv: timed out",
        {"client": "arxiv", "found": 0, "seconds": 3.0, "problem": "timed out"},
        3.1,
    ),
    Event("page_fetched", "aggregate", "Read: Sleep", {"ok": True, "title": "Sleep"}, 3.5),
    Event(
        "page_fetched",
        "aggregate",
        "Could not be read: x",
        {"ok": False, "problem": "paywall"},
        3.6,
    ),
    Event(
        "claim_found",
        "cross_reference",
        "Sleep helps memory.",
        {"claim": "Sleep helps memory."},
        4.0,
    ),
    Event("research_finished", "synthesis", "Done", {"status": "complete"}, 5.0),
)


class FakeConfig(SimpleNamespace):
    def get(self, name: str) -> Any:
        fields = {
            "web.host": "127.0.0.1",
            "web.port": 5000,
            "web.open_browser": True,
            "web.token": False,
            "web.threads": 4,
        }
        return fields[name]


@dataclass
class Asked:
    query: str
    options: RunOptions


class Untouched:
    """Steering of researches that nothing has happened to since."""

    def withdrawn(self, state: ResearchState) -> tuple[object, ...]:
        return ()


class FakeEngine:
    """The engine's methods over a dictionary of states. `raises` is raised by the next run."""

    def __init__(self, home: Path) -> None:
        self.steering = Untouched()
        self.upkeep = self
        self.states = {
            SLEEP: sample(),
            TEA: replace(sample(), research_id=TEA, original_query="Tea and iron?"),
        }
        self.vectors, self.words_alone = (0, 0), ""
        self.stops_ingest_after = 0
        self.bin: dict[str, ResearchState] = {}
        self.waiting: dict[str, JobStatus] = {}
        self.requests: list[Asked] = []
        self.calls: list[tuple[Any, ...]] = []
        self.raises: BaseException | None = None
        self.result: ResearchState | None = None
        self.closed = False
        self.settings_rows = [
            SettingRow("research.depth", "research", "int", "2", "2", "how thorough"),
            SettingRow("web.port", "web", "int", "5000", "5000", "the port"),
        ]
        self.config = FakeConfig(home=home, problems=(), paths=layout(home))

    secret_key = staticmethod(lambda: b"k" * 32)

    def close(self) -> None:
        self.closed = True

    def run(
        self, query: str, options: RunOptions, on_event: Callable[[Event], None] | None = None
    ) -> ResearchState:
        self.requests.append(Asked(query, options))
        if self.raises:
            raise self.raises
        for event in EVENTS if on_event else ():
            on_event(event)
        state = self.result or replace(sample(), original_query=query)
        if state.status != "waiting_for_input":
            self.states[state.research_id] = state
        return state

    def start(self, query: str, options: RunOptions) -> str:
        self.requests.append(Asked(query, options))
        return SLEEP

    def resume_here(
        self, research_id: str, force: bool = False, on_event: Any = None
    ) -> ResearchState:
        self.calls.append(("resume", research_id, force))
        self.waiting.clear()
        self.states.setdefault(research_id, replace(sample(), research_id=research_id))
        return self.states[research_id]

    def status(self, research_id: str) -> JobStatus:
        if research_id in self.waiting:
            return self.waiting[research_id]
        if research_id not in self.states:
            raise NotFound(f'There is no report "{research_id}".')
        return JobStatus(
            research_id,
            self.states[research_id].original_query,
            "complete",
            2,
            "2026-01-02",
            over=True,
        )

    def events(self, research_id: str, after: int = 0, limit: int = 500) -> list[LoggedEvent]:
        rows = [
            LoggedEvent(e.kind, e.phase, e.message, e.data, e.elapsed, seq=i)
            for i, e in enumerate(EVENTS, 1)
        ]
        return [row for row in rows if row.seq > after]

    def cancel(self, research_id: str) -> JobStatus:
        self.calls.append(("cancel", research_id))
        return replace(self.status(research_id), status="partial", over=True)

    def clarify(self, research_id: str, answer: str) -> None:
        self.calls.append(("clarify", research_id, answer))

    def jobs(self, over: bool = False) -> list[JobStatus]:
        return list(self.waiting.values())

    def load_research(self, research_id: str) -> ResearchState | None:
        return self.states.get(research_id)

    def record_path(self, research_id: str) -> Path:
        return Path(self.config.home) / "research" / "findings" / f"{research_id}.json"

    def history(self, query: HistoryQuery) -> HistoryPage:
        self.calls.append(("history", query))
        chosen = self.bin if query.bin else self.states
        hits = [
            self._entry(state)
            for state in chosen.values()
            if (not query.text or query.text.lower() in state.original_query.lower())
            and (not query.tag or query.tag in state.user.tags)
        ]
        hits.sort(key=lambda entry: entry.research_id, reverse=True)
        return HistoryPage(
            tuple(hits[: query.limit]), "cursor" if len(hits) > query.limit else None, len(hits)
        )

    def ids_beginning(self, start: str, limit: int = 30) -> list[tuple[str, str]]:
        entries = self.history(HistoryQuery(limit=500)).entries
        return [(e.research_id, e.query) for e in entries if e.research_id.startswith(start)][
            :limit
        ]

    def related(self, query: str, limit: int = 3) -> list[HistoryEntry]:
        return [e for e in self.history(HistoryQuery(limit=500)).entries if e.query == query][
            :limit
        ]

    def search_history(self, query: str | None = None, limit: int = 10) -> list[HistoryEntry]:
        return list(self.history(HistoryQuery(query, limit=limit)).entries)

    def _entry(self, state: ResearchState) -> HistoryEntry:
        marks = state.user
        created = "2026-01-03T09:00:00Z" if state.research_id == TEA else "2026-01-02T10:15:00Z"
        return HistoryEntry(
            state.research_id, state.original_query, state.status, created, state.completed_at, 2,
            len(state.sources),
            0.0 if state.research_id == TEA else 0.66,
            marks.starred, marks.tags, marks.note, title="How does \x02sleep\x03 help?",
            snippet="deep \x02sleep\x03 and", kind=state.kind,
        )  # fmt: skip

    def star(self, research_id: str, on: bool) -> None:
        self._mark(research_id, starred=on)

    def tag(self, research_id: str, tags: tuple[str, ...]) -> None:
        self._mark(research_id, tags=tags)

    def note(self, research_id: str, text: str) -> None:
        self._mark(research_id, note=text)

    def _mark(self, research_id: str, **marks: Any) -> None:
        state = self.states.get(research_id)
        if state is None:
            raise NotFound(f'There is no report "{research_id}".')
        self.states[research_id] = replace(state, user=replace(state.user, **marks))

    def delete(self, research_id: str, now: bool = False) -> None:
        self.status(research_id)
        state = self.states.pop(research_id)
        if not now:
            self.bin[research_id] = state

    def undelete(self, research_id: str) -> None:
        if research_id not in self.bin:
            raise NotFound(f'"{research_id}" is not in the bin.')
        self.states[research_id] = self.bin.pop(research_id)

    def export(self, research_id: str, format: str, with_snapshots: bool = False) -> Exported:
        self.calls.append(("export", research_id, format, with_snapshots))
        state = self.states[research_id]
        data = json.dumps(state.to_dict()) if format == "json" else state.synthesis
        return Exported(data.encode(), "text/plain", f"{research_id}.{format}")

    def export_formats(self) -> tuple[tuple[str, str, str], ...]:
        return FORMATS

    def ingest(self, paths: list[str], progress: Any = None, machines: Any = None) -> IngestReport:
        self.calls.append(("ingest", tuple(paths)))
        if progress:
            progress("a.txt", 1, 2, None)
        if self.stops_ingest_after:
            raise KeyboardInterrupt
        files = (
            IngestedFile("a.txt", "added", "", "d1", "My notes", "2026-01-01", "text"),
            IngestedFile("index.pdf", "refused", "old", reason="The file is damaged."),
            IngestedFile(
                "c.zip",
                "added",
                "",
                "d2",
                "Old things",
                "2020",
                "created",
                unread=("x.png: A picture.",),
            ),
        )
        return IngestReport(added=2, failed=(("index.pdf", "The file is damaged."),), files=files)

    def only_words(self) -> str:
        return self.words_alone

    def prepare_after_exit(self) -> None:
        self.calls.append(("prepare_after_exit",))

    def preparing(self, begin: bool = False) -> tuple[int, int]:
        return self.vectors

    def library(self) -> list[Document]:
        return [
            Document("d1", "notes.md", "My notes", "text/markdown", 2048, "2026-01-01", "indexed")
        ]

    def search_library(self, query: str, limit: int = 20) -> list[LibraryHit]:
        passage = Passage("a" * 64, 0, 5, "Sleep", 1.0)
        return [LibraryHit("d1", "notes.md", "My notes", passage, "\x02Sleep\x03 matters")]

    def remove_document(self, document_id: str) -> None:
        self.calls.append(("remove", document_id))

    def roots(self) -> list[str]:
        return ["papers"]

    def add_root(self, path: str) -> None:
        self.calls.append(("root", path))

    def settings(self) -> list[SettingRow]:
        return self.settings_rows

    def set_setting(self, name: str, text: str) -> None:
        self.settings_rows = [
            replace(row, value=text) if row.name == name else row for row in self.settings_rows
        ]

    def keys(self) -> list[KeyStatus]:
        return [KeyStatus("BRAVE_SEARCH_API_KEY", "web search", "none", "", "https://example.org")]

    def set_key(self, name: str, value: str) -> None:
        self.calls.append(("key", name, value))

    def sources(self) -> list[ClientStatus]:
        return [ClientStatus("openalex", "OpenAlex", "academic", True, False, False)]

    def doctor(self, quick: bool = False, progress: Any = None) -> list[Check]:
        return [
            Check("database", "ok", "whole"),
            Check("disk", "problem", "full", "Free some space."),
        ]

    def repair(self) -> list[str]:
        return ["2 reports were indexed again."]

    def backup(self, path: Path | None = None) -> Path:
        return path or Path("backups/zorora.db")

    def restore(self, path: Path) -> None:
        if not path.exists():
            raise NotFound(f"There is no file {path}.")

    def work(self, research_id: str) -> ResearchState | None:
        self.calls.append(("work", research_id))
        return self.states.get(research_id)


class Terminal(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, text: str = "", tty: bool = False) -> None:
        super().__init__(text)
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty


@dataclass
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def fake(tmp_path: Path) -> FakeEngine:
    """An engine of values."""
    return FakeEngine(tmp_path)


@pytest.fixture
def zorora(fake: FakeEngine) -> Callable[..., Ran]:
    """Runs one command line over the fake engine. keys: what the person types; tty: on a
    terminal."""

    def run(
        *argv: str,
        keys: str = "",
        tty: bool = False,
        width: int = 80,
        fault: ZororaError | None = None,
    ) -> Ran:
        screen = Screen(Terminal(tty=tty), Terminal(tty=tty), Terminal(keys, tty=tty))
        wide = screen.console

        def console(progress: bool = False) -> Any:
            state = wide(progress)
            state.width = width
            return state

        screen.console = console  # type: ignore[method-assign]

        def open_engine(home: Path | None) -> Any:
            if fault:
                raise fault
            return fake

        code = main(list(argv), screen=screen, open_engine=open_engine)
        return Ran(code, screen.out.getvalue(), screen.err.getvalue())  # type: ignore[attr-defined]

    return run
