"""Questions asked about a finished research: answered from its stored texts, kept in its record,
searched further."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.answering.further_search import with_models
from engine.ids import unknown
from engine.jobs.model import OPEN, Checkpoint, Job
from engine.jobs.storage import pack
from engine.library.named_documents import titled
from engine.reports.about_reports import FollowUp
from engine.resources import Opened
from engine.runs.initial_state import FURTHER
from engine.runs.revisions import Steering
from engine.runs.run_options import question as tidied, searchable
from engine.runs.worker_context import Order, never
from tools.errors import Check, Conflict, Refused
from tools.models import folding
from tools.models.folding import Interaction, Memory, Summarise
from tools.models.model import OnText
from tools.models.roles import REASONING, Models
from workflows.conversation.follow_up import answer, standalone
from workflows.conversation.turns import Cited, answer_text, number_folded, with_turn
from workflows.research import codec, revise
from workflows.research.events import Event, EventKind
from workflows.research.kinds import RecordKind, RunStatus
from workflows.research.state import STATE_VERSION, ResearchState, Turn
from workflows.research.understand.unclear import is_noise

if TYPE_CHECKING:
    from engine.answering.conversations import Conversations

OFFER = "Search further to look for it on the network."
_SHARE = 4  # of the model's window that the conversation may take
_QUERY = 200  # characters


class FollowUps:
    """Asking about finished researches. Safe to use from several threads and processes."""

    def __init__(
        self, opened: Opened, steering: Callable[[], Steering], talk: "Conversations"
    ) -> None:
        self._open, self._steering, self._talk = opened, steering, talk

    def ask(
        self,
        research_id: str,
        question: str,
        on_text: OnText | None = None,
        check_cancelled: Check | None = None,
        on_step: OnText | None = None,
    ) -> FollowUp:
        """Answer a question from the texts of a research, and keep both in its record.

        on_text: is handed each sentence of a model as it passes, with the tags of its sources;
        without a model the answer in one piece. What is returned decides. on_step: is told in words
        what is being done. Raises Refused for an empty or endless question, NotFound, Conflict
        while the research runs or lies in the bin, Cancelled (nothing is kept).
        """
        topic, check = titled(tidied(question), self._open), check_cancelled or never
        state = self._finished(research_id)
        if state.is_conversation:  # there are no texts to answer from: the conversation goes on
            _, turn = self._talk.ask(topic, research_id, on_text, check)
            return FollowUp(research_id, len(state.conversation) + 1, turn, True)
        searchable(topic, is_noise)
        events = _Events(on_text or never, on_step or never)
        order = Order(research_id, state.config, (), state.as_of, events.append, check, closed=True)
        models = self._open.tools.models_of_run(offline=state.config.offline)
        with self._open.tools.deps(order) as deps:
            turn, citations = answer(state, topic, with_models(deps, models, events.append))
            check()
            turn = _with_steps(turn, models, events)
            if on_text and not events.has_text:
                on_text(answer_text(turn))
            summarise = summariser(models, check) if _may_see(state, models) else None
            memory = folding.remember(memory_of(state, models), topic, answer_text(turn), summarise)
        return self._store_turn(state, turn, citations, memory)

    def further(self, research_id: str, question: str) -> str:
        """Search for a question on the same record, in the background: a job like others; its end
        is a new revision.

        The id of the research. Raises as `ask`; Conflict while it is worked on.
        """
        topic = titled(searchable(question, is_noise), self._open)
        state = self._finished(research_id)
        if state.kind != RecordKind.RESEARCH:
            raise Refused(
                "Only a report can be searched further. Ask the question as a new report."
            )
        depth = min(3, state.config.depth + 1)
        anchor = state.understanding.primary_anchor
        whole = standalone(state, topic)
        query = whole if anchor.lower() in whole.lower() else f"{anchor} {whole}"
        ready = revise.further(state, " ".join(topic.split()), " ".join(query.split())[:_QUERY])
        config = replace(state.config, depth=depth)
        ready = replace(ready, config=config, revision=state.revision + 1, status=RunStatus.RUNNING)
        options = {
            "config": codec.plain(config),
            "docs": [],
            "versions": dict(state.versions),
            FURTHER: topic,
        }
        job = Job(
            research_id,
            state.original_query,
            RunStatus.QUEUED,
            depth,
            state.started_at or self._open.now(),
            options=options,
        )
        self._steering().keep(state)
        checkpoint = Checkpoint(STATE_VERSION, "aggregate", ready.round, pack(codec.plain(ready)))
        self._open.trail.begin_again(job, checkpoint, self._open.now())
        self._open.foreman.look(at_once=True)
        return research_id

    def _finished(self, research_id: str) -> ResearchState:
        job = self._open.jobs.find(research_id)
        if job is not None and (job.status in OPEN or job.finishing):
            raise Conflict("This report is not finished yet. Ask when it is, or cancel it first.")
        state = self._open.storage.load_research(research_id)
        if state is None:
            raise unknown(research_id)
        if state.user.deleted_at:
            raise Conflict(
                f"This report is in the bin. `zorora undelete {research_id}` brings it back."
            )
        return state

    def _store_turn(
        self, before: ResearchState, turn: Turn, citations: Cited, memory: Memory
    ) -> FollowUp:
        def added(state: ResearchState) -> ResearchState:
            alone = len(state.conversation) == len(before.conversation)
            grown = with_turn(state, turn, citations)
            # Somebody else asked meanwhile: the next question folds what is due
            return replace(grown, summaries=memory.summaries) if alone else grown

        state = self._open.storage.change(before.research_id, added)
        has_answer = turn.is_answered
        offer = OFFER if not has_answer and state.kind == RecordKind.RESEARCH else ""
        return FollowUp(
            state.research_id,
            len(state.conversation),
            state.conversation[-1],
            has_answer,
            offer,
        )


class _Events(list[Event]):
    """The events of an answer. shown: whether a sentence of it was, as it passed."""

    def __init__(self, on_text: OnText, on_step: OnText) -> None:
        super().__init__()
        self._on_text, self._on_step = on_text, on_step
        self.has_text = False

    def append(self, event: Event) -> None:
        """Keep an event, and pass it on to whoever waits for the answer."""
        super().append(event)
        if event.kind == EventKind.SENTENCE_PASSED:
            self.has_text = True
            self._on_text(
                f"{event.data['text']} {''.join(f'[{tag}]' for tag in event.data['tags'])} "
            )
        elif event.kind == EventKind.NOTE and event.phase == "synthesis":
            self._on_step(event.message)


def memory_of(state: ResearchState, models: Models | None) -> Memory:
    """The conversation of a record as it is remembered: its summaries, and the turns after them in
    full."""
    last = number_folded(state)
    turns = enumerate(state.conversation[last:], last + 1)
    working = tuple(Interaction(i, turn.question, answer_text(turn)) for i, turn in turns)
    window = models.window(REASONING) if models else 0
    budget = min(folding.BUDGET, window // _SHARE) if window else folding.BUDGET
    return Memory(working=working, summaries=state.summaries, budget=budget)


def _may_see(state: ResearchState, models: Models | None) -> bool:
    """Whether a model may be told what was said before: it may quote the user's own documents."""
    return (
        models is None
        or models.may_see_documents(REASONING)
        or not any(s.is_local for s in state.sources)
    )


def summariser(models: Models | None, check: Check) -> Summarise | None:
    """What makes the summaries of a conversation; None without a model for it."""
    if models is None or not models.has(REASONING):
        return None
    return folding.by_model(lambda request: models.ask(REASONING, request, check_cancelled=check))


def _with_steps(turn: Turn, models: Models | None, events: Sequence[Event]) -> Turn:
    """The turn with what was asked of models for it, and why one that was to write did not."""
    usage = models.total() if models else None
    return replace(
        turn,
        steps=tuple(event.message for event in events if event.kind == EventKind.MODEL_ASKED),
        calls=usage.calls if usage else 0,
        tokens_in=usage.input_tokens if usage else 0,
        tokens_out=usage.output_tokens if usage else 0,
        problem="" if turn.model else _failure(events),
    )


def _failure(events: Sequence[Event]) -> str:
    """Why the last thing that was asked of a model came to nothing."""
    failed = (
        event.data
        for event in reversed(events)
        if event.kind == EventKind.MODEL_ASKED and event.data["outcome"] == "fell_back"
    )
    return str(next(failed, {}).get("problem") or "")
