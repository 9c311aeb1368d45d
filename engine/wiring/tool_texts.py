"""What tools answer of the memory, of researches and of the user's documents, as text."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.answers import HistoryQuery, JobStatus, RunOptions
from engine.memory.memory import ResearchMemory
from engine.memory.telling import recalled_text
from engine.wiring import tool_results
from tools.errors import Cancelled, Check, Refused
from tools.text.phrases import counted
from tools.toolset.tool import TEXT_FORMATS

if TYPE_CHECKING:
    from engine.research_engine import ResearchEngine

_POLL = 0.2  # seconds


@dataclass(frozen=True, slots=True)
class Listener:
    """Who follows a call. on_phase: gets the phase (1 to 6) and a sentence. on_result: gets the
    structured result, the values that the text was made of (`OfferedTool.output`)."""

    on_phase: Callable[[int, str], object] = lambda number, message: None
    on_result: Callable[[dict[str, Any]], object] = lambda result: None


class MemoryText:
    """The memory as tools answer."""

    def __init__(self, memory: ResearchMemory) -> None:
        self._memory = memory

    def save(self, text: str, source: str, tags: Sequence[str]) -> str:
        note = self._memory.remember(text, source, tags)
        return f"Note {note.note_id} is kept (session {note.session_id})."

    def recall(self, query: str, limit: int, all_sessions: bool) -> str:
        return recalled_text(self._memory.recall(query, limit, all_sessions))


class ResearchText:
    """Researches and documents as tools answer."""

    def __init__(
        self, engine: "ResearchEngine", check: Check | None, listener: Listener | None = None
    ) -> None:
        self._engine, self._check, self._listener = engine, check, listener or Listener()

    def deep(self, query: str, max_depth: int) -> str:
        """Followed to its end; a cancelled call cancels it and what was found is kept."""
        research_id = self._begun(query, max_depth)
        last_message = ""
        try:
            while not (status := self._engine.status(research_id)).over:
                if self._check:
                    self._check()
                if status.message and status.message != last_message:
                    last_message = status.message
                    self._listener.on_phase(status.phase_number or 0, last_message)
                time.sleep(_POLL)
        except (Cancelled, KeyboardInterrupt):
            self._engine.cancel(research_id)
            raise
        if self._engine.load_research(research_id) is None:
            self._listener.on_result(tool_results.no_report(status))
            return f"{_status(status)} Nothing was written."
        return self.report(research_id)

    def start(self, query: str, max_depth: int) -> str:
        research_id = self._begun(query, max_depth)
        self._listener.on_result(tool_results.status_of(self._engine.status(research_id)))
        return (
            f"Started {research_id}. research_status tells how "
            "far it is, get_research gives the report."
        )

    def _begun(self, query: str, depth: int) -> str:
        if depth not in (1, 2, 3):
            raise Refused(f"The depth is 1, 2 or 3, not {depth}.")
        return self._engine.start(query, RunOptions(depth=depth, clarify=False))

    def status(self, research_id: str) -> str:
        status = self._engine.status(research_id)
        self._listener.on_result(tool_results.status_of(status))
        return _status(status)

    def past(self, query: str, limit: int) -> str:
        page = self._engine.history(
            HistoryQuery(
                text=query or None,
                limit=max(1, min(limit, 100)),
                sort="best" if query else "newest",
            )
        )
        self._listener.on_result(tool_results.history(page))
        if not page.entries:
            fits = f' fits "{query}"' if query else ""
            return f"No past report{fits}. deep_research makes one."
        entries = [
            f"{number}. {e.query}\n   Id: {e.research_id}\n   {e.created_at[:10]} | {e.status} | "
            f"{counted(e.total_sources, 'source')}"
            for number, e in enumerate(page.entries, 1)
        ]
        return "\n\n".join([*entries, f"{len(page.entries)} of {counted(page.total, 'report')}."])

    def report(self, research_id: str) -> str:
        from engine.reports.report_document import answer_card

        text = self.export(research_id, "md")
        if (state := self._engine.load_research(research_id)) is not None:
            self._listener.on_result(answer_card(state))
        return text

    def export(self, research_id: str, format: str) -> str:
        if format not in TEXT_FORMATS:
            raise Refused(
                f"The format {format!r} is not a text format; choose one of "
                f"{', '.join(TEXT_FORMATS)}."
            )
        return self._engine.export(research_id, format).data.decode("utf-8", "replace")

    def documents(self, query: str, limit: int) -> str:
        from tools.shelf.handles import handle_of

        limit = max(1, min(limit, 50))
        if not query.strip():
            listed = self._engine.library()
            self._listener.on_result(tool_results.listed(listed[:limit]))
            rows = [
                f"{number}. {d.title}\n   {d.name} | {d.status}"
                + (f"\n   Handle: {handle_of(d.snapshot_id)}" if d.snapshot_id else "")
                for number, d in enumerate(listed[:limit], 1)
            ]
            return "\n\n".join([*rows, f"{len(rows)} of {counted(len(listed), 'document')}."])
        hits = self._engine.search_library(query, limit)
        self._listener.on_result(tool_results.passages(hits))
        if not hits:
            return (
                f'Nothing in the documents fits "{query}". Try other words; `zorora ingest` '
                "adds documents."
            )
        entries = [
            f"{number}. {hit.title or hit.name}\n"
            f"   Handle: {handle_of(hit.passage.snapshot_id, hit.passage.section_id)}\n"
            f"   {' '.join(hit.passage.text.split())}"
            for number, hit in enumerate(hits, 1)
        ]
        return "\n\n".join([*entries, f"{counted(len(hits), 'passage')} found."])


def _status(status: JobStatus) -> str:
    if not status.over and status.phase_number:
        where = f", phase {status.phase_number} of 6 ({status.phase})"
    else:
        where = ""
    queue = f", number {status.position} in the queue" if status.position else ""
    question = f" It asks: {status.question}" if status.question and not status.over else ""
    problem = f" {status.problem}" if status.problem else ""
    return (
        f"{status.research_id}: {status.status}{where}{queue}, {status.elapsed:.0f} "
        f"s.{question}{problem}"
    )
