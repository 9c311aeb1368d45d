"""A quick search: the user's documents, the newsroom and the web asked once, and answered like a
research."""

from dataclasses import replace

from tools.sources.source import ClientInfo, Source
from tools.text.phrases import counted
from workflows.research.deps import Deps
from workflows.research.events import Event, EventKind
from workflows.research.gather.aggregate import aggregate
from workflows.research.kinds import RecordKind, RunStatus
from workflows.research.model import Plan, Question
from workflows.research.report.synthesis import synthesis
from workflows.research.report.tags import letter_of
from workflows.research.state import ResearchState
from workflows.research.trail import Trail
from workflows.research.understand.phase import understand
from workflows.research.verify.credibility import score
from workflows.research.verify.cross_reference import cross_reference

_KINDS = (("newsroom", "Newsroom"), ("web", "Web"))
_STEPS = len(_KINDS) + 1  # and the synthesis
_PAGES = 4  # read of each kind
_KEPT = 12  # sources of both kinds


def quick(state: ResearchState, deps: Deps) -> ResearchState:
    """The finished state of a quick search. Cancelled passes."""
    trail = Trail(replace(deps, tag_letter=letter_of))
    deps = trail.deps()
    state = understand(replace(state, kind=RecordKind.SEARCH), deps)
    for number, (kind, label) in enumerate(_KINDS, 1):
        clients = tuple(client for client in deps.clients if client.kind == kind)
        _announce(number, "aggregate", label, deps)
        state = _search(state, clients, label, deps)
    _announce(_STEPS, "synthesis", "Writing the answer", deps)
    state = synthesis(score(cross_reference(_tagged(state), deps), deps), deps)
    return trail.onto(replace(state, status=RunStatus.COMPLETE))


def _announce(number: int, phase: str, label: str, deps: Deps) -> None:
    message = f"Step {number} of {_STEPS}: {label.lower()}."
    deps.emit(Event(EventKind.PHASE_STARTED, phase, message, {"step": number, "of": _STEPS}))


def _search(
    state: ResearchState, clients: tuple[ClientInfo, ...], label: str, deps: Deps
) -> ResearchState:
    """One kind of sources asked once, and its best pages read."""
    if not clients:
        deps.note("aggregate", f"{label}: no source of this kind is switched on.")
        return state
    query = " ".join(state.original_query.split())
    subject = Question("Q1", query, "primary", 1.0, queries=(query[:200],))
    limits = deps.settings._replace(fetch=_PAGES, candidates=_PAGES * 2, backtracking=False)
    before = len(state.sources)
    state = replace(state, round=0, plan=Plan(questions=(subject,)))
    state = aggregate(state, replace(deps, clients=clients, settings=limits))
    deps.note("aggregate", f"{label}: {counted(len(state.sources) - before, 'source')}.")
    return state


def _tagged(state: ResearchState) -> ResearchState:
    """The sources with the letter of their kind: N1, N2, W1; at most so many, those that were read
    first."""
    ranked = sorted(
        state.sources, key=lambda source: (source.snapshot_id is None, bool(source.rejected))
    )[:_KEPT]
    counts: dict[str, int] = {}
    tagged: list[Source] = []
    for source in state.sources:
        if source not in ranked:
            continue
        letter = letter_of(source)
        counts[letter] = counts.get(letter, 0) + 1
        tagged.append(replace(source, tag=f"{letter}{counts[letter]}"))
    return replace(state, sources=tuple(tagged))
