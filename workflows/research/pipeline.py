"""The pipeline: a tuple of phases and one loop. The runner owns the loop and saves after every
step.

understand, plan, Loop((aggregate, follow, gaps), until=enough), cross_reference, credibility,
graph, synthesis
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tools.models.roles import REASONING
from workflows.research.deps import Deps
from workflows.research.events import PHASES, Event, EventKind
from workflows.research.gather.aggregate import aggregate
from workflows.research.gather.follow import follow, skip_reason
from workflows.research.gather.gaps import enough, gaps
from workflows.research.kinds import AnswerStatus, RunStatus
from workflows.research.modelled.work import Work, spent_in, used_in
from workflows.research.report.source_notes import all_silent, failure
from workflows.research.report.synthesis import synthesis
from workflows.research.state import ResearchState
from workflows.research.trail import Trail
from workflows.research.understand.phase import understand
from workflows.research.understand.plan import plan
from workflows.research.verify.credibility import score
from workflows.research.verify.cross_reference import cross_reference
from workflows.research.verify.graph import graph

Phase = Callable[[ResearchState, Deps], ResearchState]
Save = Callable[[str, ResearchState], None]
DONE = "done"


@dataclass(frozen=True, slots=True)
class Step:
    """A phase with its name; `skip` says why it has nothing to do in this run."""

    name: str
    run: Phase
    skip: Callable[[ResearchState, Deps], str | None] | None = None


BEFORE = (Step("understand", understand), Step("plan", plan))
# Repeated until it is enough
ROUNDS = (Step("aggregate", aggregate), Step("follow", follow, skip_reason), Step("gaps", gaps))
AFTER = (
    Step("cross_reference", cross_reference),
    Step("credibility", score),
    Step("graph", graph),
    Step("synthesis", synthesis),
)
STEPS = {step.name: step for step in (*BEFORE, *ROUNDS, *AFTER)}
_ORDER = tuple(STEPS)
_NUMBER = {name: number for number, (name, _) in enumerate(PHASES, 1)}
_TITLE = {
    "understand": "Reading the question",
    "plan": "Planning",
    "gaps": "Looking for gaps",
    **dict(PHASES),
}


def run(state: ResearchState, deps: Deps, *, save: Save, step: str | None = None) -> ResearchState:
    """Run from `step` (the first when None) to the end.

    save(next_step, state) is called after every step; a run stopped at any moment goes on at the
    last step saved. Returns a state with status "complete", "failed" or "waiting_for_input" (a
    clarification without answer). Raises Cancelled when the user stopped it.
    """
    trail = Trail(deps)
    deps = _with_work(trail.deps(), state)
    name: str | None = step or _ORDER[0]
    if not state.trajectory:
        deps.emit(
            Event(
                EventKind.RESEARCH_STARTED,
                "understand",
                "Started.",
                {"query": state.original_query},
            )
        )
    while name is not None and name != DONE:
        deps.check_cancelled()
        state = trail.onto(_run_step(STEPS[name], state, deps))
        if name == "understand" and _must_ask(state):
            return _ask(state, trail, save)
        name = following(name, state)
        save(name or DONE, state)
    return trail.onto(finish(state, deps))


def _with_work(deps: Deps, state: ResearchState) -> Deps:
    """The effects with the model's calls that are left to this run, when a model is configured."""
    if deps.models is None or not deps.models.has(REASONING):
        return deps
    work = Work(
        deps.models, state.config.depth, deps.emit, deps.check_cancelled, spent_in(state.trajectory)
    )
    return replace(deps, work=work)


def following(name: str, state: ResearchState) -> str | None:
    """The step after `name`; the rounds go back to their first step until it is enough."""
    if name == ROUNDS[-1].name and not enough(state):
        return ROUNDS[0].name
    place = _ORDER.index(name) + 1
    return _ORDER[place] if place < len(_ORDER) else None


def _run_step(step: Step, state: ResearchState, deps: Deps) -> ResearchState:
    number, rounds = _NUMBER.get(step.name), deps.settings.rounds[state.config.depth - 1]
    now = state.round + 1 if step.name == "aggregate" else max(1, state.round)
    data = {"number": number, "round": now, "rounds": rounds}
    title = _TITLE[step.name]
    if step.skip and (why := step.skip(state, deps)):
        deps.emit(Event(EventKind.PHASE_SKIPPED, step.name, f"{title}: left out, {why}.", data))
    else:
        if number and number <= 2:
            where = f"Phase {number} of 6, round {now} of {rounds}"
        else:
            where = f"Phase {number} of 6"
        deps.emit(
            Event(
                EventKind.PHASE_STARTED,
                step.name,
                f"{where}: {title.lower()}." if number else f"{title}.",
                data,
            )
        )
    state = step.run(state, deps)
    deps.emit(Event(EventKind.PHASE_FINISHED, step.name, f"{title}: done.", data))
    return state


def _must_ask(state: ResearchState) -> bool:
    clarification = state.understanding.clarification
    return clarification is not None and clarification.answer is None and state.config.clarify


def _ask(state: ResearchState, trail: Trail, save: Save) -> ResearchState:
    clarification = state.understanding.clarification
    assert clarification is not None
    state = replace(state, status=RunStatus.WAITING)
    data = {"question": clarification.question, "choices": list(clarification.choices)}
    trail.emit(Event(EventKind.WAITING_FOR_INPUT, "understand", clarification.question, data))
    state = trail.onto(state)
    save("understand", state)
    return state


def finish(state: ResearchState, deps: Deps) -> ResearchState:
    """The final status: failed when every source failed and nothing was found, else complete."""
    status = RunStatus.FAILED if all_silent(state) else RunStatus.COMPLETE
    state = replace(state, status=status, ended_by="error" if status == RunStatus.FAILED else None)
    return _ended(state, deps)


def finish_partial(state: ResearchState, deps: Deps, ended_by: str = "user") -> ResearchState:
    """The report of what there is, when a run ends early: partial once something was read, else
    cancelled or failed.

    `deps.check_cancelled` must not raise any more.
    """
    trail = Trail(deps)
    for step in AFTER:  # without models: whoever stopped the run waits for no more answers
        state = step.run(state, trail.deps())
    has_answer = state.answer is not None and state.answer.status != AnswerStatus.NOT_FOUND
    has_text = any(source.snapshot_id for source in state.sources)
    status = (
        RunStatus.PARTIAL
        if has_answer or has_text
        else (RunStatus.CANCELLED if ended_by == "user" else RunStatus.FAILED)
    )
    return trail.onto(_ended(replace(state, status=status, ended_by=ended_by), trail.deps()))


def _ended(state: ResearchState, deps: Deps) -> ResearchState:
    words: dict[str, str] = {
        RunStatus.COMPLETE: "Finished.",
        RunStatus.PARTIAL: "Ended early; the report covers what was found.",
        RunStatus.CANCELLED: "Stopped before anything was read.",
        RunStatus.FAILED: "Failed.",
    }
    if all_silent(state) and state.status == RunStatus.FAILED:
        message = failure(state)
    else:
        message = words[state.status]
    deps.emit(Event(EventKind.RESEARCH_FINISHED, "synthesis", message, {"status": state.status}))
    return replace(state, completed_at=deps.now(), usage=used_in(state.trajectory, state.usage))
