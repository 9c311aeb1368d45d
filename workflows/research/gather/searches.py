"""The searches of a round: each client is asked its queries, and what became of them is recorded.

Clients run in parallel, the queries of one client one after the other (they share its politeness
and its budget). Whoever answers first changes nothing: outcomes stand in the order of the clients
and queries.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tools.errors import FailureReason
from tools.sources.source import ClientInfo, Outcome, SourceKind
from tools.text.phrases import counted
from workflows.research.deps import Deps
from workflows.research.events import Event, EventKind
from workflows.research.gather.backtrack import IN_VAIN, NO_BUDGET, gave, instead, settle
from workflows.research.gather.parallel import each
from workflows.research.gather.shortlist import off_topic
from workflows.research.model import ClientReport, DeadEnd, Search
from workflows.research.report.source_notes import NOT_ASKED
from workflows.research.state import ResearchState

LATE = "late"  # why a search was not made: the deadline of its client was over
_DEADLINE_SLACK = 2.0  # seconds over a client's own deadline before its thread is given up


@dataclass(frozen=True, slots=True)
class Errand:
    """What one client is to be asked in this round. most: searches, alternatives for empty ones
    included."""

    client: ClientInfo
    queries: tuple[str, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """One search with its outcome, or None when it was not made any more: for the budget, or, with
    the reason LATE, for the deadline. instead: what was to be tried after it; untried: why it was
    not.
    """

    query: str
    outcome: Outcome | None
    reason: str | None = None
    instead: str | None = None
    second: Outcome | None = None
    untried: str = ""

    def outcomes(self) -> Iterator[Outcome]:
        """What was answered: to the search, and to the one that was made instead."""
        return (outcome for outcome in (self.outcome, self.second) if outcome is not None)


def ask_all(
    state: ResearchState, errands: Sequence[Errand], deps: Deps
) -> tuple[ResearchState, list[tuple[ClientInfo, Outcome]]]:
    """All errands at once; a client that fails costs only its own hits."""
    names = ", ".join(errand.client.label for errand in errands) or "nobody"
    total = sum(len(errand.queries) for errand in errands)
    message = f"Asking {names}: {counted(total, 'query', 'queries')}."
    deps.note("aggregate", message, queries=total)
    attempts = _attempts(state, errands, deps)
    hits = {(client.name, a.query): len(a.outcome.sources) for client, a in attempts if a.outcome}
    handed_out = {(errand.client.name, query) for errand in errands for query in errand.queries}
    outcomes = [(client, outcome) for client, attempt in attempts for outcome in attempt.outcomes()]
    return settle(_record(state, attempts), hits, handed_out, deps.clients), outcomes


def _attempts(
    state: ResearchState, errands: Sequence[Errand], deps: Deps
) -> list[tuple[ClientInfo, Attempt]]:
    """The searches of all errands, made in parallel, each with its client."""
    longest = max((errand.client.deadline for errand in errands), default=0.0) + _DEADLINE_SLACK
    pairs: list[tuple[Errand, list[Attempt]]] = [(errand, []) for errand in errands]
    answered = each(
        pairs,
        lambda pair: ask(pair[0], state, deps, pair[1]),
        # At least two: a single client in this thread could not be left before it answered
        workers=1 if state.config.workers == 1 else max(2, len(errands)),
        deadline=longest if state.config.workers > 1 else 10 * longest,
        clock=deps.clock,
        check_cancelled=deps.check_cancelled,
    )
    return [
        (errand.client, attempt)
        for (errand, before), mine in zip(pairs, answered, strict=True)
        for attempt in (mine if mine is not None else _late(errand, before))
    ]


def _late(errand: Errand, attempts: Sequence[Attempt]) -> list[Attempt]:
    """The searches of a client that did not answer any more; what it found before stays."""
    client, before = errand.client, list(attempts)
    earlier = {attempt.query for attempt in before}
    remaining_queries = [query for query in errand.queries if query not in earlier]
    if not remaining_queries:
        return before
    message = f"{client.label}: no answer within {client.deadline:.0f} s."
    if any(attempt.outcome and attempt.outcome.sources for attempt in before):
        message = (
            f"{client.label}: no further answer within {client.deadline:.0f} s; what it "
            "found before is kept."
        )
    first, *others = remaining_queries
    late = Outcome(
        client.name, first, problem=message, reason=FailureReason.ERROR, seconds=client.deadline
    )
    return [
        *before,
        Attempt(first, late, "error"),
        *(Attempt(query, None, LATE) for query in others),
    ]


def ask(errand: Errand, state: ResearchState, deps: Deps, attempts: list[Attempt]) -> list[Attempt]:
    """One client's queries in order, until its deadline is over or it fails; each goes into
    `attempts` at once.

    Where one finds nothing to the point, another is tried at once in its place, before the less
    important ones.
    """
    client, ends = errand.client, deps.clock() + errand.client.deadline
    requests_left = errand.most
    for place, query in enumerate(errand.queries):
        if requests_left <= 0 or deps.clock() >= ends:
            reason = None if requests_left <= 0 else LATE
            attempts += [Attempt(other, None, reason) for other in errand.queries[place:]]
            break
        outcome = _search(client, query, deps)
        attempt = Attempt(query, outcome, _nothing(outcome, state, deps))
        requests_left -= 1
        if other := _alternative(attempt, errand, attempts, state, deps):
            attempt = _tried_otherwise(attempt, other, client, deps, requests_left, ends)
            requests_left -= attempt.second is not None
        attempts.append(attempt)
        if outcome.problem and not outcome.sources and outcome.reason != FailureReason.NO_RESULTS:
            break  # whoever refuses once would refuse the next as well
    return attempts


def _alternative(
    attempt: Attempt, errand: Errand, earlier: Sequence[Attempt], state: ResearchState, deps: Deps
) -> str | None:
    """The query to try at once in place of a search that led nowhere; documents get none."""
    client, reason = errand.client, attempt.reason
    if reason not in IN_VAIN or client.kind == SourceKind.LOCAL or not deps.settings.backtracking:
        return None
    before = {
        search.query
        for search in state.asked
        if search.client == client.name and not search.earlier
    }
    tried = {*before, *errand.queries, *(a.instead for a in earlier if a.instead)}
    return instead(attempt.query, reason, state, tried)


def _tried_otherwise(
    attempt: Attempt, other: str, client: ClientInfo, deps: Deps, most: int, ends: float
) -> Attempt:
    """The attempt with another query in its place, as far as the budget and the deadline of the
    client allow."""
    if most <= 0:
        return replace(attempt, instead=other, untried=NO_BUDGET)
    if deps.clock() >= ends:
        return replace(
            attempt, instead=other, untried="not tried, the time of the service was over"
        )
    return replace(attempt, instead=other, second=_search(client, other, deps))


def _search(client: ClientInfo, query: str, deps: Deps) -> Outcome:
    deps.check_cancelled()
    outcome = deps.search(client.name, query, client.max_results)
    _tell(client, outcome, deps)
    return outcome


def _nothing(outcome: Outcome, state: ResearchState, deps: Deps) -> str | None:
    """Why a search led nowhere; None when it found something to the point."""
    if not outcome.sources:
        return outcome.reason or FailureReason.NO_RESULTS
    beside = all(off_topic(state, source, deps) for source in outcome.sources)
    return FailureReason.IRRELEVANT if beside else None


def _tell(client: ClientInfo, outcome: Outcome, deps: Deps) -> None:
    count = len(outcome.sources)
    if outcome.note:
        deps.note("aggregate", outcome.note, client=client.name)
    hits = f"{counted(count, 'hit')} for “{outcome.query}”."
    message = f"{client.label}: {hits}" if not outcome.problem else outcome.problem
    if outcome.problem and count:
        message = f"{outcome.problem}; {hits}"
    data = {
        "client": client.name, "label": client.label, "query": outcome.query, "found": count,
        "seconds": round(outcome.seconds, 2), "problem": outcome.problem, "reason": outcome.reason,
        "cached": outcome.cached,
    }  # fmt: skip
    deps.emit(Event(EventKind.SOURCE_ANSWERED, "aggregate", message, data))


def _record(state: ResearchState, attempts: Sequence[tuple[ClientInfo, Attempt]]) -> ResearchState:
    """What was asked, client reports and dead ends of a round."""
    reports = {report.client: report for report in state.clients}
    dead, searches = list(state.dead_ends), list(state.asked)
    for client, attempt in attempts:
        for outcome in attempt.outcomes():
            searches.append(Search(client.name, outcome.query))
            reports[client.name] = _report(
                reports.get(client.name, ClientReport(client.name)), client, outcome
            )
        if attempt.outcome is None:
            report = reports.get(client.name, ClientReport(client.name))
            late = attempt.reason == LATE
            report = replace(report, unasked=report.unasked + (not late), late=report.late + late)
            reports[client.name] = report
        elif attempt.reason and _leads_nowhere(client, attempt.reason):
            dead.append(_dead_end(client, attempt, attempt.outcome))
    clients = tuple(reports[name] for name in sorted(reports))
    return replace(state, clients=clients, dead_ends=tuple(dead), asked=tuple(searches))


def _leads_nowhere(client: ClientInfo, reason: str) -> bool:
    """Whether a search is a dead end: not one that was never made, nor one of documents that say
    nothing of it."""
    return reason not in NOT_ASKED and (
        client.kind != SourceKind.LOCAL or reason == FailureReason.ERROR
    )


def _report(report: ClientReport, client: ClientInfo, outcome: Outcome) -> ClientReport:
    spared = outcome.reason == FailureReason.NO_RESULTS or (
        outcome.reason in NOT_ASKED and report.answers
    )
    has_problem = bool(outcome.problem) and not spared
    return replace(
        report,
        answers=report.answers + has_answer(outcome),
        found=report.found + len(outcome.sources),
        requests=report.requests + outcome.requests,
        seconds=round(report.seconds + outcome.seconds, 3),
        problem=outcome.problem if has_problem else report.problem,
        reason=outcome.reason or "" if has_problem else report.reason,
        label=client.label,
    )


def has_answer(outcome: Outcome) -> bool:
    """Whether a client answered, be it that it knows nothing."""
    return (
        bool(outcome.sources) or not outcome.problem or outcome.reason == FailureReason.NO_RESULTS
    )


def _dead_end(client: ClientInfo, attempt: Attempt, outcome: Outcome) -> DeadEnd:
    about = "only hits beside the point" if outcome.sources else "nothing"
    message = outcome.problem or f"{client.label}: {about} on “{outcome.query}”."
    end = DeadEnd(
        outcome.query,
        None,
        client.name,
        attempt.reason or FailureReason.NO_RESULTS,
        attempt.instead,
        message,
    )
    if attempt.instead is None:
        return end
    second = attempt.second
    if second is None:
        return replace(end, outcome=attempt.untried)
    return replace(end, outcome=gave(len(second.sources)), found=len(second.sources))
