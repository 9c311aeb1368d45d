"""Aggregate (1): ask every client, merge what they found, fetch the best, keep texts, select evidence.

Clients run in parallel, the queries of one client one after the other (they share its politeness and its budget).
Whoever answers first changes nothing: results are merged in the order of the clients and queries.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tools.research.merge import merge
from tools.research.outcome import ClientInfo, Outcome
from tools.research.source import Source, make_source
from tools.text.phrases import counted
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import ClientReport, DeadEnd, Question, Task
from workflows.research.parallel import each
from workflows.research.plan import alike
from workflows.research.reading import read_sources
from workflows.research.shortlist import off_topic, shortlist
from workflows.research.state import ResearchState

_DEADLINE_SLACK = 2.0  # seconds over a client's own deadline before its thread is given up


@dataclass(frozen=True, slots=True)
class Errand:
    """What one client is to be asked in this round."""

    client: ClientInfo
    queries: tuple[str, ...]


def aggregate(state: ResearchState, deps: Deps) -> ResearchState:
    """One round: the state with new sources, snapshots, evidence, answers and dead ends."""
    state = replace(state, round=state.round + 1)
    questions = round_questions(state)
    queries = round_queries(state, questions)
    state, errands = hand_out(state, deps.clients, queries, deps)
    state, found = ask_all(state, errands, deps)
    return finish_round(read_sources(take_in(state, found, deps), deps), questions)


def round_questions(state: ResearchState) -> tuple[Question, ...]:
    """Round 1: the primary questions and one secondary; later: those not yet asked."""
    questions = state.plan.questions
    if state.round == 1:
        first = [q for q in questions if q.tier == "secondary"][:1]
        return (*(q for q in questions if q.tier == "primary"), *first)
    return tuple(q for q in questions if not q.iterations)


def round_queries(state: ResearchState, questions: Sequence[Question]) -> tuple[str, ...]:
    """Queries of a round, most important first; refinement queries of gaps lead, near-equal ones are merged."""
    gaps = sorted(state.gaps, key=lambda gap: (-gap.importance, gap.question_id))
    ordered = [query for gap in gaps for query in gap.queries] if state.round > 1 else []
    by_weight = sorted(questions, key=lambda q: (-q.weight, int(q.id[1:])))
    for place in range(3):  # the best query of each question before the second of any
        ordered += [q.queries[place] for q in by_weight if place < len(q.queries)]
    distinct: list[str] = []
    for query in ordered:
        if not any(alike(query, known, state.understanding.primary_anchor) for known in distinct):
            distinct.append(query)
    return tuple(distinct)


def hand_out(
    state: ResearchState, clients: Sequence[ClientInfo], queries: Sequence[str], deps: Deps
) -> tuple[ResearchState, tuple[Errand, ...]]:
    """Queries to clients within their budgets; what the budget does not allow is recorded as a dead end."""
    rounds = _rounds(state, deps)
    errands, asked, dead = [], set(state.asked), list(state.dead_ends)
    for client in clients:
        done = sum(1 for line in asked if line.startswith(f"{client.name}\t"))
        allowed = max(0, min(client.budget - done, -(-client.budget // rounds)))
        new = [query for query in queries if f"{client.name}\t{query}" not in asked]
        if client.kind == "local":
            allowed = len(new)  # asking the user's own documents costs nothing
        take, left = new[:allowed], new[allowed:]
        if take:
            errands.append(Errand(client, tuple(take)))
        if left:
            message = (
                f"{client.label}: {len(left)} further queries were not asked, the budget of this depth is used up."
            )
            dead.append(DeadEnd(left[0], None, client.name, "budget", None, message))
    lines = [f"{errand.client.name}\t{query}" for errand in errands for query in errand.queries]
    return replace(state, asked=(*state.asked, *lines), dead_ends=tuple(dead)), tuple(errands)


def ask_all(
    state: ResearchState, errands: Sequence[Errand], deps: Deps
) -> tuple[ResearchState, list[tuple[ClientInfo, Outcome]]]:
    """All errands at once; a client that fails costs only its own hits."""
    names = ", ".join(errand.client.label for errand in errands) or "nobody"
    total = sum(len(errand.queries) for errand in errands)
    deps.emit(Event("note", "aggregate", f"Asking {names}: {counted(total, 'query', 'queries')}.", {"queries": total}))
    longest = max((errand.client.deadline for errand in errands), default=0.0)
    answered = each(
        errands,
        lambda errand: ask(errand, deps),
        workers=1 if state.config.workers == 1 else max(1, len(errands)),
        deadline=longest + _DEADLINE_SLACK if state.config.workers > 1 else 10 * (longest + _DEADLINE_SLACK),
        clock=deps.clock,
        check_cancelled=deps.check_cancelled,
    )
    found: list[tuple[ClientInfo, Outcome]] = []
    for errand, outcomes in zip(errands, answered, strict=True):
        late = Outcome(
            errand.client.name,
            errand.queries[0],
            problem=f"{errand.client.label}: no answer within {errand.client.deadline:.0f} s.",
            reason="error",
            seconds=errand.client.deadline,
        )
        found += [(errand.client, outcome) for outcome in (outcomes if outcomes is not None else [late])]
    return _record(state, found), found


def ask(errand: Errand, deps: Deps) -> list[Outcome]:
    """One client's queries in order, until its deadline is over or it fails."""
    outcomes: list[Outcome] = []
    ends = deps.clock() + errand.client.deadline
    for query in errand.queries:
        deps.check_cancelled()
        if deps.clock() >= ends:
            late = f"{errand.client.label}: its {errand.client.deadline:.0f} s were over before every query was asked."
            outcomes.append(Outcome(errand.client.name, query, problem=late, reason="budget"))
            break
        outcome = deps.search(errand.client.name, query, errand.client.max_results)
        outcomes.append(outcome)
        _tell(errand.client, outcome, deps)
        if outcome.problem and not outcome.sources and outcome.reason != "no_results":
            break  # whoever refuses once would refuse the next as well
    return outcomes


def _tell(client: ClientInfo, outcome: Outcome, deps: Deps) -> None:
    count = len(outcome.sources)
    if outcome.note:
        deps.emit(Event("note", "aggregate", outcome.note, {"client": client.name}))
    hits = f"{counted(count, 'hit')} for “{outcome.query}”."
    said = f"{client.label}: {hits}" if not outcome.problem else outcome.problem
    if outcome.problem and count:
        said = f"{outcome.problem}; {hits}"
    data = {
        "client": client.name, "label": client.label, "query": outcome.query, "found": count,
        "seconds": round(outcome.seconds, 2), "problem": outcome.problem, "cached": outcome.cached,
    }  # fmt: skip
    deps.emit(Event("source_answered", "aggregate", said, data))


def _record(state: ResearchState, found: Sequence[tuple[ClientInfo, Outcome]]) -> ResearchState:
    """Client reports and dead ends of a round."""
    reports = {report.client: report for report in state.clients}
    dead = list(state.dead_ends)
    for client, outcome in found:
        known = reports.get(client.name, ClientReport(client.name))
        reports[client.name] = replace(
            known,
            found=known.found + len(outcome.sources),
            requests=known.requests + 1,
            seconds=round(known.seconds + outcome.seconds, 3),
            problem=outcome.problem if outcome.reason != "no_results" and outcome.problem else known.problem,
        )
        if not outcome.sources:
            message = outcome.problem or f"{client.label}: nothing on “{outcome.query}”."
            dead.append(DeadEnd(outcome.query, None, client.name, outcome.reason or "no_results", None, message))
    return replace(state, clients=tuple(reports[name] for name in sorted(reports)), dead_ends=tuple(dead))


def take_in(state: ResearchState, found: Sequence[tuple[ClientInfo, Outcome]], deps: Deps) -> ResearchState:
    """Merge hits into the state's sources: one work, one source; at most the depth's number of them, by rank."""
    hits = [source for _, outcome in found for source in outcome.sources]
    hits = [*(_named(url) for url in state.config.filters.urls if state.round == 1), *hits]
    merged = merge(state.sources, hits)
    new = [source for source in merged if source.source_id not in {s.source_id for s in state.sources}]
    ranked = shortlist(state, new, deps, deps.settings.candidates)
    best = {source.source_id: source for source in ranked if not off_topic(state.original_query, source, deps)}
    known = [source for source in merged if source.source_id not in {s.source_id for s in new}]
    kept = [*known, *best.values()][: max_sources(state, deps)]
    count, joined = len(kept) - len(known), len(hits) - len(new)
    message = f"{counted(count, 'new work')}, {counted(joined, 'hit')} known already" + (
        f"; {len(new) - count} ranked too low to be kept." if len(new) > count else "."
    )
    deps.emit(Event("note", "aggregate", message, {"new": count, "known": joined, "cut": len(new) - count}))
    return replace(state, sources=tuple(kept))


def _named(url: str) -> Source:
    return replace(make_source(url, url, providers=("question",)), reasons=("named in the question",))


def max_sources(state: ResearchState, deps: Deps) -> int:
    """How many sources this run may keep."""
    return state.config.max_sources or deps.settings.max_sources[state.config.depth - 1]


def finish_round(state: ResearchState, questions: Sequence[Question]) -> ResearchState:
    """Mark the round's questions and search tasks as done."""
    ids = {question.id for question in questions}
    nodes = tuple(replace(q, iterations=q.iterations + 1) if q.id in ids else q for q in state.plan.questions)
    tasks = tuple(_finished(task) if task.question_id in ids else task for task in state.plan.tasks)
    return replace(state, plan=replace(state.plan, questions=nodes, tasks=tasks))


def _finished(task: Task) -> Task:
    return replace(task, status="complete") if task.status == "pending" else task


def _rounds(state: ResearchState, deps: Deps) -> int:
    return max(1, deps.settings.rounds[state.config.depth - 1])
