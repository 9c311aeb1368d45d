"""Steering a finished research: the state as it was before cross-reference, with or without a
source, and on from there.

Nothing is fetched for this: the texts and the day all rules count from stay.
Equal texts and data give an equal report (`differences` says where two records of one question
part).
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from tools.sources.source import Source
from workflows.conversation.turns import AFTERWARDS, passages
from workflows.research import codec, pipeline
from workflows.research.deps import Deps
from workflows.research.events import EventKind
from workflows.research.gather.gaps import gaps
from workflows.research.kinds import RunStatus
from workflows.research.model import Quality, Question, Search, Task, last_number
from workflows.research.state import ResearchState
from workflows.research.trail import Trail
from workflows.research.understand.plan import weigh

EXCLUDED = "Excluded by you."
_HEADING = 80  # characters of the heading of a question that is searched afterwards
_RESULTS = ("cross_reference", "credibility", "graph", "synthesis")
_BY_SCORE = re.compile(r"(?:Retracted works|Predatory publishers) support nothing|Quality \d")
# What two runs over the same texts may differ in
_OF_THE_RUN = (
    "research_id",
    "revision",
    "started_at",
    "completed_at",
    "usage",
    "user",
    "conversation",
    "summaries",
)


def gathered(state: ResearchState) -> ResearchState:
    """A finished research as it was when its sources had been read: without claims, scores, graph
    and report."""
    return replace(
        state,
        status=RunStatus.RUNNING,
        ended_by=None,
        sources=tuple(_unscored(source) for source in state.sources),
        evidence=passages(state),
        answer=None,
        claims=(),
        contradictions=(),
        findings=(),
        authority=(),
        report=None,
        synthesis="",
        quality=Quality(),
        trajectory=_until_results(state),
    )


def _unscored(source: Source) -> Source:
    by_score = source.rejected and _BY_SCORE.match(source.rejected)
    return replace(source, credibility=None, rejected=None if by_score else source.rejected)


def _until_results(state: ResearchState) -> tuple[Any, ...]:
    entries = state.trajectory
    # Of a changed record the last: what was done for the revisions before it stays
    begun = [
        i
        for i, event in enumerate(entries)
        if event.phase == _RESULTS[0] and event.kind == EventKind.PHASE_STARTED
    ]
    return entries[: begun[-1]] if begun else entries


def again(state: ResearchState, deps: Deps) -> ResearchState:
    """Cross-reference to synthesis once more, over what was gathered."""
    return pipeline.run(state, deps, save=_unsaved, step=_RESULTS[0])


def deeper(state: ResearchState, deps: Deps) -> ResearchState:
    """At least one more round of asking and reading on the same record, then everything after
    it."""
    plan = replace(state.plan, tasks=_reopened(state.plan.tasks))
    more = replace(gathered(state), plan=plan, trajectory=state.trajectory)
    # The user's own documents cost nothing to ask, and may be others by now
    more = replace(more, asked=_before(state.asked, "local"))
    return pipeline.run(more, deps, save=_unsaved, step="aggregate")


def further(state: ResearchState, question: str, query: str) -> ResearchState:
    """A finished research with one more main question, ready to go on from "aggregate"; the others
    are not asked again.

    query: what is searched for it.
    """
    number = last_number(question.id for question in state.plan.questions) + 1
    heading = (
        question if len(question) <= _HEADING else f"{question[:_HEADING].rsplit(' ', 1)[0]} …"
    )
    new = Question(f"Q{number}", question, "primary", 0.0, heading, queries=(query,))
    plan = replace(
        state.plan, questions=weigh((*state.plan.questions, new)), tasks=_reopened(state.plan.tasks)
    )
    # What was asked does not count against this search, and only its own query is asked
    return replace(
        gathered(state), plan=plan, trajectory=state.trajectory, gaps=(), asked=_before(state.asked)
    )


def _reopened(tasks: Iterable[Task]) -> tuple[Task, ...]:
    """The tasks with those that follow gathering to be done again."""
    return tuple(
        replace(task, status="pending")
        if task.kind in ("fill_gaps", "cross_validate", "synthesise")
        else task
        for task in tasks
    )


def _before(searches: Iterable[Search], client: str = "") -> tuple[Search, ...]:
    """What was asked, of one client or of all, marked as done for an earlier revision."""
    return tuple(
        replace(search, earlier=True) if client in ("", search.client) else search
        for search in searches
    )


def changed(
    state: ResearchState, deps: Deps, *, exclude: Collection[str] = (), add: Collection[Source] = ()
) -> ResearchState:
    """The research again without some of its sources, and with others whose text is stored; nothing
    is fetched.

    exclude: ids of sources. add: sources with a snapshot; one that the record holds already is
    taken back.
    """
    ready = gathered(state)
    ready = replace(ready, trajectory=state.trajectory)
    trail = Trail(deps)
    listening = trail.deps()
    added_ids = {source.source_id for source in add}
    sources_kept = _with_rejected(ready.sources, added_ids, None)
    listed = {source.source_id for source in sources_kept}
    new = [source for source in add if source.source_id not in listed]
    sources = (
        *sources_kept,
        *(_tagged(source, sources_kept, i) for i, source in enumerate(new, 1)),
    )
    sources = _with_rejected(sources, exclude, EXCLUDED)
    for source in sources:
        if source.source_id in exclude:
            _tell_of("Left out", source, listening)
        elif source.source_id in added_ids:
            _tell_of("Added", source, listening)
    return again(trail.onto(gaps(replace(ready, sources=sources), listening)), deps)


def _with_rejected(
    sources: Collection[Source], ids: Collection[str], why: str | None
) -> tuple[Source, ...]:
    return tuple(
        replace(source, rejected=why) if source.source_id in ids else source for source in sources
    )


def _tell_of(change: str, source: Source, deps: Deps) -> None:
    deps.note("aggregate", f"{change} by you: {source.title or source.url}.", url=source.url)


def _tagged(source: Source, earlier: Collection[Source], offset: int) -> Source:
    """A new source with the next free tag."""
    last = last_number(other.tag for other in earlier if other.tag)
    return replace(source, tag=f"S{last + offset}")


def _unsaved(step: str, state: ResearchState) -> None:
    """These runs are short; what they leave is saved at their end."""


def differences(first: ResearchState, second: ResearchState) -> tuple[str, ...]:
    """Names of the fields of the record in which two runs differ, apart from ids, times and
    usage."""
    first_plain, other = (codec.plain(state) for state in (first, second))
    for record in (first_plain, other):
        record["evidence"] = [
            entry for entry in record["evidence"] if entry["question_id"] != AFTERWARDS
        ]
        record["trajectory"] = [{**entry, "time": ""} for entry in record["trajectory"]]
        record["snapshots"] = [{**entry, "fetched_at": ""} for entry in record["snapshots"]]
    return tuple(
        name for name in first_plain if name not in _OF_THE_RUN and first_plain[name] != other[name]
    )
