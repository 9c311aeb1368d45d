"""Conversations with the reasoning model: nothing is searched, nothing is checked, and that is
said.

A conversation is a record of kind "ask" in the one store: listed, searched, exported, deleted and
restored like a research. What leaves its working memory is folded (tools/models/folding.py).
"""

from dataclasses import replace
from pathlib import Path

from engine.answering.follow_up import memory_of, summariser
from engine.library.named_documents import titled
from engine.resources import Opened
from engine.runs.run_options import question as tidied
from engine.runs.worker_context import never
from tools.errors import Check, Conflict, ModelError, NotFound, Refused
from tools.models import folding
from tools.models.model import OnText, Reply, Request
from tools.models.prompts import load
from tools.models.roles import REASONING, Models
from workflows.research.kinds import RecordKind, RunStatus
from workflows.research.report.markdown import conversation, escape
from workflows.research.state import Report, ResearchState, RunConfig, Turn

UNCHECKED = "A conversation with a model. Nothing was searched, and nothing in it was checked."
MISSING = (
    "No model is configured for a conversation. Choose one with `zorora models`; reports need none."
)
_PROMPT = Path(__file__).with_name("ask.md")
_TITLE = 300  # characters


class Conversations:
    """Asking the reasoning model. Safe to use from several threads."""

    def __init__(self, opened: Opened) -> None:
        self._open = opened

    def ask(
        self,
        question: str,
        conversation_id: str | None = None,
        on_text: OnText | None = None,
        check_cancelled: Check | None = None,
    ) -> tuple[str, Turn]:
        """(id of the conversation, the turn). Without an id a new conversation begins.

        on_text: is handed the answer as it is written. Raises Refused, ModelError, NotFound,
        Cancelled; nothing is kept then.
        """
        topic, check = titled(tidied(question), self._open), check_cancelled or never
        state = self.find(conversation_id) if conversation_id else None
        models = self._open.tools.models_of_run()
        if models is None or not models.has(REASONING):
            raise ModelError(MISSING, "unset")
        memory = memory_of(state or ResearchState(topic, kind=RecordKind.ASK), models)
        prompt = load(_PROMPT)
        summarise = summariser(models, check)
        memory = folding.settle(replace(memory, system=prompt.system), summarise)
        request = Request(folding.messages(memory, topic), prompt=prompt.label)
        reply = models.ask(REASONING, request, on_text=on_text, check_cancelled=check)
        text = reply.text.strip()
        if not text:
            raise ModelError(
                f"{models.name(REASONING)} answered nothing. Ask again, or rephrase the question.",
                "shape",
            )
        memory = folding.remember(memory, topic, text, summarise)
        turn = _turn(topic, text, reply, models, self._open.now())
        if state is None:
            return self._begin(topic, turn, models), turn
        before = len(state.conversation)

        def added(now: ResearchState) -> ResearchState:
            grown = replace(now, conversation=(*now.conversation, turn), completed_at=turn.time)
            if len(now.conversation) == before:
                grown = replace(grown, summaries=memory.summaries)
            return replace(grown, synthesis=_markdown(grown))

        return self._open.storage.change(state.research_id, added).research_id, turn

    def find(self, conversation_id: str) -> ResearchState:
        """A conversation. NotFound; Refused for a research; Conflict for one in the bin."""
        state = self._open.storage.load_research(conversation_id)
        if state is None:
            raise NotFound(f"There is no conversation called {conversation_id[:80]!r}.")
        if not state.is_conversation:
            raise Refused(
                "This is a report, not a conversation. Ask about it with `zorora follow`."
            )
        if state.user.deleted_at:
            raise Conflict(
                "This conversation is in the bin. `zorora "
                f"undelete {conversation_id}` brings it back."
            )
        return state

    def _begin(self, topic: str, turn: Turn, models: Models) -> str:
        title = " ".join(topic.split())[:_TITLE]
        state = ResearchState(
            original_query=topic,
            status=RunStatus.COMPLETE,
            as_of=turn.time[:10],
            started_at=turn.time,
            completed_at=turn.time,
            versions=self._open.versions(),
            config=RunConfig(depth=1, sources=(), models={REASONING: models.name(REASONING)}),
            report=Report(title, notes=(UNCHECKED,)),
            conversation=(turn,),
            kind=RecordKind.ASK,
        )
        return self._open.storage.save_research(replace(state, synthesis=_markdown(state)))


def _markdown(state: ResearchState) -> str:
    title = state.report.title if state.report else state.original_query
    return f"# {escape(title)}\n\n> {UNCHECKED}\n\n{conversation(state)}\n"


def _turn(question: str, text: str, reply: Reply, models: Models, now: str) -> Turn:
    usage = models.total()
    return Turn(
        time=now,
        question=question,
        text=text,
        model=reply.model or models.name(REASONING),
        calls=usage.calls,
        tokens_in=usage.input_tokens,
        tokens_out=usage.output_tokens,
        problem="" if reply.finish != "length" else "The answer was cut off at its maximum length.",
    )
