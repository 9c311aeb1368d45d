"""A pipeline, a home and a clock for tests of the engine; steps wait, fail or ask on command, told
through files."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.sources.source import make_source
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import Clarification, Evidence
from workflows.research.pipeline import Save
from workflows.research.report.model import Citation, Report, ReportSection, Sentence
from workflows.research.state import ResearchState

AT = datetime(2025, 1, 15, 14, 30, 22, tzinfo=UTC)
STEPS = ("understand", "plan", "aggregate", "synthesis")
QUOTE = "Storage lowered prices."


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.at = AT

    def __call__(self) -> datetime:
        return self.at


class Pretend:
    """Runs STEPS; every step that runs is a line in `folder/steps`; "partial" is the report of a
    run that is stopped.

    waits: step -> seconds it takes (checking the cancel flag); 0 set meanwhile ends it. deaf: it
    does not check. dies: a step that raises. asks: the first step asks its user.
    """

    def __init__(
        self,
        folder: Path,
        *,
        waits: dict[str, float] | None = None,
        deaf: bool = False,
        dies: str = "",
        asks: bool = False,
    ) -> None:
        self.folder = Path(folder)
        self.waits, self.deaf, self.dies, self.asks = waits or {}, deaf, dies, asks

    def run(
        self, state: ResearchState, deps: Deps, *, step: str | None = None, save: Save
    ) -> ResearchState:
        for place in range(STEPS.index(step or STEPS[0]), len(STEPS)):
            name = STEPS[place]
            deps.emit(
                Event(
                    "phase_started",
                    name,
                    f"{name} begins",
                    {"number": place + 1, "round": 1, "rounds": 1},
                )
            )
            state = self._step(name, state, deps)
            if state.status == "waiting_for_input":
                return state
            save(STEPS[place + 1] if place + 1 < len(STEPS) else STEPS[-1], state)
        return replace(state, status="complete")

    def finish_partial(
        self, state: ResearchState, deps: Deps, ended_by: str = "user"
    ) -> ResearchState:
        self._note("partial")
        self._wait("partial", deps)
        return with_report(state) if state.evidence else state

    def _step(self, name: str, state: ResearchState, deps: Deps) -> ResearchState:
        self._note(name)
        self._wait(name, deps)
        if name == self.dies:
            raise RuntimeError("a mistake in a phase")
        answer = state.understanding.clarification
        if name == "understand" and self.asks and (answer is None or answer.answer is None):
            clarification = Clarification("Which one do you mean?", ("the one at MIT", "the other"))
            return replace(
                state,
                status="waiting_for_input",
                understanding=replace(state.understanding, clarification=clarification),
            )
        if name == "aggregate":
            return with_evidence(state)
        return with_report(state) if name == "synthesis" else state

    def _wait(self, name: str, deps: Deps) -> None:
        began = time.monotonic()
        while time.monotonic() < began + self.waits.get(name, 0.0):
            if not self.deaf:
                deps.check_cancelled()
            time.sleep(0.01)

    def _note(self, what: str) -> None:
        with (self.folder / "steps").open("a") as file:
            file.write(what + "\n")

    def steps(self) -> list[str]:
        path = self.folder / "steps"
        return path.read_text().split() if path.exists() else []


def with_evidence(state: ResearchState) -> ResearchState:
    source = replace(make_source("https://agency.example/report", "A report"), tag="S1")
    evidence = Evidence("E1", source.source_id, "0" * 64, 0, len(QUOTE), QUOTE, "Q1", 0.9)
    return replace(state, sources=(*state.sources, source), evidence=(evidence,))


def with_report(state: ResearchState) -> ResearchState:
    source_id = state.sources[0].source_id if state.sources else ""
    sentence = Sentence("s1", "quote", QUOTE, citations=(Citation("S1", source_id, "E1"),))
    report = Report("A report", sections=(ReportSection("Findings", (sentence,)),))
    return replace(state, report=report, synthesis="# A report\n")


def wait_for(condition: Any, seconds: float = 60.0) -> Any:
    """The value of `condition` as soon as it is true; fails after the time, which only a broken
    program needs."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if value := condition():
            return value
        time.sleep(0.01)
    raise AssertionError("it did not happen in time")
