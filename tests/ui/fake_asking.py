"""What can be asked of the engine in memory beside researches: answers that are quotations, echoes
and one picture."""

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.answering.conversations import MISSING, UNCHECKED
from engine.answering.pictures import NO_EYES, NO_PAINTER
from engine.library.document_questions import DocumentRow
from engine.reports.about_reports import FollowUp, Policy
from tests.model_endpoint import PICTURE
from tests.ui import fake_research
from tools.documents.model import Document, Passage
from tools.errors import Cancelled, ModelError, NotFound, Refused
from tools.models.images import Picture, media_type
from tools.models.model import Reply
from tools.sources.combined import FoundSources
from workflows.research.answer.model import Answer, Searched
from workflows.research.events import Event
from workflows.research.state import Report, ResearchState, Turn

if TYPE_CHECKING:
    from tests.ui.fake_engine import FakeEngine

AT = "2026-10-15T08:00:00Z"
NOTHING = Answer("not_found", "fact", absent_terms=("unknown",), searched=Searched(6, 40))


def first_passage(answer: Answer) -> Answer:
    """An answer of one passage, which nobody judged and no model wrote."""
    return Answer("answered", "fact", passages=answer.passages[:1], searched=answer.searched)


class FakeAsking:
    """Answers by the first sentence of a report, except questions with "unknown" in them. waits:
    holds answers back.

    model: whether one is configured; without it, what needs one says so.
    """

    def __init__(self, engine: "FakeEngine") -> None:
        self.engine = engine
        self.follow_ups = self.conversations = self.quick = self.pictures = self
        self.conversations = FakeConversations(self)
        self.waits = threading.Event()
        self.waits.set()
        self.stopped = 0
        self.model = True

    def ask(
        self,
        research_id: str,
        question: str,
        on_text: Any = None,
        check_cancelled: Any = None,
        on_step: Any = None,
    ) -> FollowUp:
        state = self.engine.load_research(research_id)
        if state is None or state.report is None:
            raise NotFound(f"There is no finished report called {research_id!r}.")
        if state.kind == "ask":
            _, said_by_model = self.conversations.ask(
                question, research_id, on_text, check_cancelled
            )
            return FollowUp(research_id, len(state.conversation) + 1, said_by_model, True)
        is_known = "unknown" not in question
        text = first_passage(fake_research.ANSWER) if is_known else NOTHING
        if on_step:
            on_step("Writing the answer.")
        if on_text:
            on_text((text.passages[0].text if is_known else "Not found.") + " ")
        self.hold(check_cancelled)
        turn = Turn(AT, question, answer=text)
        state = replace(state, conversation=(*state.conversation, turn))
        self.engine.states[research_id] = state
        return FollowUp(
            research_id,
            len(state.conversation),
            turn,
            is_known,
            "" if is_known else "Search further.",
        )

    def hold(self, check: Callable[[], None] | None) -> None:
        """Wait while answers are held back; who goes away is noticed."""
        while not self.waits.wait(0.01):
            try:
                if check:
                    check()
            except Cancelled:
                self.stopped += 1
                raise

    def further(self, research_id: str, question: str) -> str:
        if self.engine.load_research(research_id) is None:
            raise NotFound(f"There is no finished report called {research_id!r}.")
        self.engine.calls.append(("further", research_id, question))
        return research_id

    def search(self, query: str, on_event: Any = None, check_cancelled: Any = None) -> Any:
        for number, step in enumerate(("newsroom", "web", "writing the answer"), 1):
            if on_event:
                on_event(Event("phase_started", "aggregate", f"Step {number} of 3: {step}.", {}))
        full = self.engine.states[self.engine.done]
        self.hold(check_cancelled)
        state = ResearchState(
            query, f"quick_{len(self.engine.states)}", status="complete", kind="search",
            started_at=AT, completed_at=AT,
            sources=full.sources[:3], snapshots=full.snapshots, evidence=full.evidence,
            answer=first_passage(fake_research.ANSWER), report=Report(query),
            config=replace(full.config, sources=("web", "newsroom", "local")),
        )  # fmt: skip
        self.engine.states[state.research_id] = state
        return state

    def academic(self, query: str, limit: int = 20, check_cancelled: Any = None) -> FoundSources:
        return FoundSources(
            query, self.engine.states[self.engine.done].sources[:limit], ("arXiv: no answer.",)
        )

    def policy(self, query: str, on_text: Any = None, check_cancelled: Any = None) -> Policy:
        if not self.engine.documents:
            raise Refused("There is no document in the library yet.")
        state = self.engine.states[self.engine.done]
        return Policy("", "", first_passage(fake_research.ANSWER), state.sources[:1], found=True)

    def document_table(
        self, questions: Sequence[str], document_ids: Collection[str] | None = None
    ) -> tuple[DocumentRow, ...]:
        """For every question the beginning of each text, except for questions with "unknown" in
        them."""

        def best(document: Document, question: str) -> Passage | None:
            text = self.engine.texts.get(document.snapshot_id or "", "")
            is_known = text and "unknown" not in question
            return (
                Passage(document.snapshot_id or "", 0, len(text), text, 0.9) if is_known else None
            )

        return tuple(
            DocumentRow(document, tuple(best(document, question) for question in questions))
            for document in self.engine.library(document_ids)
            if document.snapshot_id
        )

    def make(self, prompt: str, size: str = "1024x1024", check_cancelled: Any = None) -> Picture:
        if not self.model:
            raise ModelError(NO_PAINTER, "unset")
        return Picture(PICTURE, "image/png", "painter")

    def describe(
        self, path: Path, task: str = "", on_text: Any = None, check_cancelled: Any = None
    ) -> Reply:
        if not self.model:
            raise ModelError(NO_EYES, "unset")
        return Reply(f"A picture of the kind {media_type(path.read_bytes())}.", model="eyes")


class FakeConversations:
    """A model that repeats the question."""

    def __init__(self, asking: FakeAsking) -> None:
        self._asking = asking

    def ask(
        self,
        question: str,
        conversation_id: str | None = None,
        on_text: Any = None,
        check_cancelled: Any = None,
    ) -> tuple[str, Turn]:
        asking, states = self._asking, self._asking.engine.states
        if not asking.model:
            raise ModelError(MISSING, "unset")
        if conversation_id and conversation_id not in states:
            raise NotFound(f"There is no conversation called {conversation_id!r}.")
        if on_text:
            on_text(f"You asked: {question}")
        asking.hold(check_cancelled)
        turn = Turn(AT, question, text=f"You asked: {question}", model="small")
        state = states.get(conversation_id or "") or ResearchState(
            question, f"talk_{len(states)}", status="complete", kind="ask", started_at=AT,
            completed_at=AT,
            report=Report(question, notes=(UNCHECKED,)),
        )  # fmt: skip
        states[state.research_id] = replace(state, conversation=(*state.conversation, turn))
        return state.research_id, turn
