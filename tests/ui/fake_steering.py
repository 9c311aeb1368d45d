"""What can be done with the finished researches of the engine in memory: new revisions that differ
in little."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.records import marking
from engine.reports import reader_page
from engine.reports.about_reports import PassageAgain, Rechecked, Withdrawn
from engine.runs.revisions import find_source
from tools.errors import NotFound, Refused
from workflows.research.events import Event
from workflows.research.model import Check
from workflows.research.state import ResearchState

Notify = Callable[[Event], object] | None


class FakeSteering:
    """Over the states of an engine in memory. differs, retracted: what is to be found; still:
    called while it works."""

    def __init__(self, states: dict[str, ResearchState]) -> None:
        self.states = states
        self.calls: list[tuple[str, ...]] = []
        self.earlier_states: dict[tuple[str, int], ResearchState] = {}
        self.differs: tuple[str, ...] = ()
        self.retracted: tuple[Withdrawn, ...] = ()
        self.still: Callable[[], object] = lambda: None

    def exclude(self, research_id: str, source: str, on_event: Notify = None) -> ResearchState:
        state = self._begun("exclude", research_id, source, on_event)
        gone = find_source(state, source).source_id
        sources = tuple(
            replace(s, rejected="Excluded by you.") if s.source_id == gone else s
            for s in state.sources
        )
        return self._save(replace(state, sources=sources))

    def include(self, research_id: str, source: str, on_event: Notify = None) -> ResearchState:
        state = self._begun("include", research_id, source, on_event)
        if source == "d3":
            raise Refused("“scan_1998.pdf” was never read, so there is no text to use.")
        return self._save(state)

    def deepen(self, research_id: str, on_event: Notify = None) -> ResearchState:
        state = self._begun("deepen", research_id, "", on_event)
        return self._save(replace(state, round=state.round + 1))

    def rescore(self, research_id: str, on_event: Notify = None) -> ResearchState:
        self.retracted = ()
        return self._save(self._begun("rescore", research_id, "", on_event))

    def replay(
        self, research_id: str, on_event: Notify = None
    ) -> tuple[ResearchState, tuple[str, ...]]:
        return self._begun("replay", research_id, "", on_event), self.differs

    def recheck(self, research_id: str, on_event: Notify = None) -> tuple[Rechecked, ...]:
        state = self._begun("recheck", research_id, "", on_event)
        outcomes = [
            ("unchanged", "", True),
            ("changed", "", False),
            ("unreadable", "Unavailable (status 410).", True),
        ]
        return tuple(
            Rechecked(
                s.source_id,
                s.tag or "",
                s.title,
                s.url,
                outcome,
                problem,
                (PassageAgain("E1", s.title, there),),
            )
            for s, (outcome, problem, there) in zip(state.sources, outcomes, strict=False)
        )

    def withdrawn(self, state: ResearchState) -> tuple[Withdrawn, ...]:
        return self.retracted

    def check(self, research_id: str, source_id: str, use: str, mark: str) -> None:
        state = self.states.get(research_id)
        if state is None:
            raise NotFound(f"There is no finished report called {research_id!r}.")
        text = next(
            (text for name, text in reader_page.uses_of(state, source_id) if name == use), None
        )
        if text is None:
            raise NotFound("The report cites this source for no such sentence.")
        checks = marking.checked(state.user.checks, Check(source_id, text, mark))
        self.states[research_id] = replace(state, user=replace(state.user, checks=checks))

    def revisions(self, research_id: str) -> list[int]:
        return [
            *sorted(n for name, n in self.earlier_states if name == research_id),
            self.states[research_id].revision,
        ]

    def revision(self, research_id: str, number: int) -> ResearchState:
        state = self.states.get(research_id)
        if state is None:
            raise NotFound(f"There is no finished report called {research_id!r}.")
        if number == state.revision:
            return state
        if (research_id, number) not in self.earlier_states:
            raise NotFound(f"There is no revision {number} of {research_id!r}.")
        return self.earlier_states[research_id, number]

    def _begun(self, name: str, research_id: str, source: str, on_event: Notify) -> ResearchState:
        self.calls.append((name, research_id, source))
        if on_event:
            on_event(Event("note", "aggregate", "Begun over the stored texts."))
        self.still()
        if on_event:
            on_event(Event("note", "synthesis", "The report is written."))
        return self.states[research_id]

    def _save(self, state: ResearchState) -> ResearchState:
        before: Any = self.states[state.research_id]
        self.earlier_states[state.research_id, before.revision] = before
        state = replace(state, revision=before.revision + 1)
        self.states[state.research_id] = state
        return state
