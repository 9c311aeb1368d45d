"""What is asked without a research: a quick search, scholarly works as a list, policy documents."""

import time
from collections.abc import Callable
from dataclasses import replace

from engine.answering.further_search import with_models
from engine.library.named_documents import titled
from engine.reports.about_reports import Policy
from engine.resources import Opened
from engine.runs.run_account import UsageMeter
from engine.runs.run_options import searchable
from engine.runs.worker_context import Order, never
from tools.errors import Check, Refused
from tools.models.model import Message, OnText, Request
from tools.sources.combined import FoundSources, ask_all
from tools.sources.source import SourceKind
from workflows.conversation import quick_search
from workflows.conversation.follow_up import answer
from workflows.research.events import Event
from workflows.research.modelled.work import used_in
from workflows.research.state import ResearchState, RunConfig, Usage

POLICY = "nehanda"
ENDPOINT_SAYS = "From the configured endpoint; its answer was not checked against any text here."
NO_DOCUMENTS = "There is no document in the library yet; `zorora ingest` reads them in."

OnEvent = Callable[[Event], object]


class QuickSearch:
    """Searches that are over in seconds. Safe to use from several threads."""

    def __init__(self, opened: Opened) -> None:
        self._open = opened

    def search(
        self,
        query: str,
        on_event: OnEvent | None = None,
        check_cancelled: Check | None = None,
    ) -> ResearchState:
        """Newsroom, web, synthesis: three announced steps. The result is stored, as kind "search".

        The user's documents are searched with them.

        Raises Refused, Cancelled (nothing is stored then).
        """
        text, check = titled(searchable(query), self._open), check_cancelled or never
        storage, tools = self._open.storage, self._open.tools
        began, at, meter = time.monotonic(), self._open.now(), UsageMeter(tools, Usage())
        config = RunConfig(depth=1, sources=("web", "newsroom", "local"), follow=False)
        research_id = storage.new_id(text)
        state = ResearchState(
            text,
            research_id=research_id,
            as_of=at[:10],
            started_at=at,
            versions=self._open.versions(),
            config=config,
        )
        models = tools.models_of_run()
        events: list[Event] = []

        def heard(event: Event) -> None:
            events.append(event)
            if on_event:
                on_event(event)

        with tools.deps(Order(research_id, config, (), state.as_of, heard, check)) as deps:
            state = quick_search.quick(state, with_models(replace(deps, emit=heard), models, heard))
        usage = meter.total(Usage(), time.monotonic() - began)
        state = replace(state, completed_at=self._open.now(), usage=used_in(events, usage))
        storage.save_research(state)
        return state

    def academic(self, query: str, limit: int = 20) -> FoundSources:
        """Scholarly works that fit a query, merged over all scholarly clients, best first; nothing
        is stored."""
        text = titled(searchable(query), self._open)
        config = RunConfig(depth=1, sources=("academic",))
        run_id = f"academic-{time.time_ns()}"
        order = Order(run_id, config, (), self._open.now()[:10], never, never)
        with self._open.tools.deps(order) as deps:
            names = [client.name for client in deps.clients if client.kind == SourceKind.ACADEMIC]
            return ask_all(
                " ".join(text.split())[:300], max(1, min(limit, 100)), names, deps.search
            )

    def policy(
        self, query: str, on_text: OnText | None = None, check_cancelled: Check | None = None
    ) -> Policy:
        """Policy documents: the endpoint of the role nehanda, where one is set; else the documents
        of the library.

        Raises Refused when there is neither, ModelError, Cancelled. Nothing is stored.
        """
        text, check = titled(searchable(query), self._open), check_cancelled or never
        models = self._open.tools.models_of_run()
        if models is not None and models.has(POLICY):
            request = Request((Message("user", text),), prompt="analyst@1")
            reply = models.ask(POLICY, request, on_text=on_text, check_cancelled=check)
            return Policy(
                reply.text.strip(),
                reply.model or models.name(POLICY),
                found=True,
                note=ENDPOINT_SAYS,
            )
        return self._documents(text, check)

    def _documents(self, question: str, check: Check) -> Policy:
        tools = self._open.tools
        if not tools.library.count():
            raise Refused(NO_DOCUMENTS)
        config = RunConfig(depth=1, sources=("local",), offline=True)
        state = ResearchState(question, as_of=self._open.now()[:10], config=config)
        models = tools.models_of_run()
        order = Order(
            f"policy-{time.time_ns()}", config, (), state.as_of, never, check, closed=True
        )
        with tools.deps(order) as deps:
            turn, citations = answer(state, question, with_models(deps, models, never))
        return Policy(
            "",
            turn.model,
            turn.answer,
            citations.sources,
            citations.evidence,
            found=turn.is_answered,
        )
