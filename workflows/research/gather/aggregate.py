"""Aggregate (1): ask every client, merge what they found, fetch the best, keep their texts.

Results are merged in the order of the clients and queries, whoever answers first (searches.py).
"""

from collections.abc import Sequence
from dataclasses import replace

from tools.sources.merge import merge
from tools.sources.source import OF_QUESTION, ClientInfo, Outcome, Source, SourceKind, make_source
from tools.text.asking import without_document_names
from tools.text.phrases import counted, listed
from workflows.research.deps import Deps
from workflows.research.gather.backtrack import pending
from workflows.research.gather.reading import read_sources
from workflows.research.gather.searches import Errand, ask_all
from workflows.research.gather.shortlist import off_topic, shortlist
from workflows.research.gather.unite import unite
from workflows.research.model import ClientReport, Question, Search
from workflows.research.state import ResearchState
from workflows.research.understand.discover import exclude_others
from workflows.research.understand.plan import alike

_OWN_WORDS = 300  # characters of a question that documents are searched for as it stands
# Hits of that search that are taken whatever words they share: names may have led to them
_FIRST = 4
_TOLD = 10  # titles of named documents without room that are told


def aggregate(state: ResearchState, deps: Deps) -> ResearchState:
    """One round: the state with new sources, snapshots and dead ends."""
    state = replace(state, round=state.round + 1)
    questions = round_questions(state)
    queries = round_queries(state, questions)
    state, errands = hand_out(state, deps.clients, queries, deps)
    state, outcomes = ask_all(state, errands, deps)
    return finish_round(
        read_sources(exclude_others(take_in(state, outcomes, deps), deps), deps), questions
    )


def round_questions(state: ResearchState) -> tuple[Question, ...]:
    """Round 1: the primary questions and one secondary; later: those not yet asked."""
    questions = state.plan.questions
    if state.round == 1:
        first = [q for q in questions if q.tier == "secondary"][:1]
        return (*(q for q in questions if q.tier == "primary"), *first)
    return tuple(q for q in questions if not q.iterations)


def round_queries(state: ResearchState, questions: Sequence[Question]) -> tuple[str, ...]:
    """Queries of a round, most important first; refinement queries of gaps lead, near-equal ones
    are merged."""
    gaps = sorted(state.gaps, key=lambda gap: (-gap.importance, gap.question_id))
    ordered = [query for gap in gaps for query in gap.queries] if state.round > 1 else []
    by_weight = sorted(questions, key=lambda q: (-q.weight, int(q.id[1:])))
    for place in range(3):  # the best query of each question before the second of any
        ordered += [q.queries[place] for q in by_weight if place < len(q.queries)]
    distinct: list[str] = []
    for query in ordered:
        if not any(
            alike(query, earlier, state.understanding.primary_anchor) for earlier in distinct
        ):
            distinct.append(query)
    return tuple(distinct)


def hand_out(
    state: ResearchState, clients: Sequence[ClientInfo], queries: Sequence[str], deps: Deps
) -> tuple[ResearchState, tuple[Errand, ...]]:
    """Queries to clients within their budgets; what the budget does not allow is counted as
    unasked."""
    waiting = pending(state, clients)
    errands, reports = [], {report.client: report for report in state.clients}
    for client in clients:
        new = _unasked(
            client, state, [*(query for name, query in waiting if name == client.name), *queries]
        )
        # Asking the user's own documents costs nothing
        allowed = len(new) if client.kind == SourceKind.LOCAL else _allowance(client, state, deps)
        if new[:allowed]:
            errands.append(Errand(client, tuple(new[:allowed]), allowed))
        if new[allowed:] or client.name in reports:
            report = reports.get(client.name, ClientReport(client.name))
            reports[client.name] = replace(report, unasked=len(new[allowed:]))
    return replace(state, clients=tuple(reports[name] for name in sorted(reports))), tuple(errands)


def _unasked(client: ClientInfo, state: ResearchState, queries: Sequence[str]) -> list[str]:
    """The queries that a client was not asked yet; documents are searched best by the question as
    it was asked."""
    due = [own_words(state), *queries] if client.kind == SourceKind.LOCAL else queries
    return [query for query in dict.fromkeys(due) if Search(client.name, query) not in state.asked]


def _allowance(client: ClientInfo, state: ResearchState, deps: Deps) -> int:
    """How many searches a client may be asked in a round: by its budget, the round's share of it,
    its requests left."""
    rounds = max(1, deps.settings.rounds[state.config.depth - 1])
    searches_made = sum(
        search.client == client.name and not search.earlier for search in state.asked
    )
    share = -(-client.budget // rounds)
    return max(0, min(client.budget - searches_made, share, deps.left(client.name) // client.each))


def own_words(state: ResearchState) -> str:
    """The question as it was typed, as far as a search reads it."""
    return " ".join(without_document_names(state.original_query).split())[:_OWN_WORDS]


def take_in(
    state: ResearchState, outcomes: Sequence[tuple[ClientInfo, Outcome]], deps: Deps
) -> ResearchState:
    """Merge hits into the state's sources: one work, one source; at most the depth's number of
    them, by rank."""
    urls = state.config.filters.urls if state.round == 1 else ()
    hits = [
        *map(_source_of, urls),
        *(source for _, outcome in outcomes for source in outcome.sources),
    ]
    merged = merge(state.sources, hits)
    before = {source.source_id for source in state.sources}
    new = [source for source in merged if source.source_id not in before]
    earlier = [source for source in merged if source.source_id in before]
    room = max(0, max_sources(state, deps) - len(earlier))
    best = _worth_keeping(state, new, _found_by_own_words(state, outcomes), deps)
    if len(best) > room:
        best.sort(key=lambda source: not _is_named(source, state))
    sources = [*earlier, *best[:room]][: max_sources(state, deps)]
    _tell_of_merge(len(sources) - len(earlier), len(hits) - len(new), len(new), deps)
    _tell_of_unread(best[room:], state, deps)
    return unite(replace(state, sources=tuple(sources)), deps)


def _found_by_own_words(
    state: ResearchState, outcomes: Sequence[tuple[ClientInfo, Outcome]]
) -> set[str]:
    """The first of the user's documents that the question found as it stands."""
    local_outcomes = (
        outcome
        for client, outcome in outcomes
        if client.kind == SourceKind.LOCAL and outcome.query == own_words(state)
    )
    return {source.source_id for outcome in local_outcomes for source in outcome.sources[:_FIRST]}


def _worth_keeping(
    state: ResearchState, new: Sequence[Source], first: set[str], deps: Deps
) -> list[Source]:
    """New sources by rank, without those beside the topic; then named documents, whatever words
    they share with it."""
    ranked = shortlist(state, new, deps, deps.settings.candidates)
    best = [
        source
        for source in ranked
        if source.source_id in first or not off_topic(state, source, deps)
    ]
    ids = {source.source_id for source in best}
    return [
        *best,
        *(source for source in new if _is_named(source, state) and source.source_id not in ids),
    ]


def _tell_of_merge(total: int, joined: int, new: int, deps: Deps) -> None:
    message = f"{counted(total, 'new work')}, {counted(joined, 'hit')} known already"
    message += f"; {new - total} ranked too low to be kept." if new > total else "."
    deps.note("aggregate", message, new=total, known=joined, cut=new - total)


def _tell_of_unread(sources: Sequence[Source], state: ResearchState, deps: Deps) -> None:
    """Name the documents of the user for which there is no room."""
    titles = [source.title for source in sources if _is_named(source, state)]
    if titles:
        documents = counted(len(titles), "document")
        room = counted(max_sources(state, deps), "source")
        message = f"{documents} beyond the {room} of this run not read: {listed(titles, _TOLD)}."
        deps.note("aggregate", message)


def _is_named(source: Source, state: ResearchState) -> bool:
    """Whether it is a document that the user named for this run."""
    return source.is_local and state.config.documents is not None


def _source_of(url: str) -> Source:
    return replace(
        make_source(url, url, providers=(OF_QUESTION,)), reasons=("named in the question",)
    )


def max_sources(state: ResearchState, deps: Deps) -> int:
    """How many sources this run may keep."""
    most = deps.settings.max_sources
    by_depth = (most, most, deps.settings.max_sources_thorough)
    return state.config.max_sources or by_depth[state.config.depth - 1]


def finish_round(state: ResearchState, questions: Sequence[Question]) -> ResearchState:
    """Mark the round's questions and search tasks as done."""
    ids = {question.id for question in questions}
    nodes = tuple(
        replace(q, iterations=q.iterations + 1) if q.id in ids else q for q in state.plan.questions
    )
    tasks = tuple(
        replace(task, status="complete")
        if task.question_id in ids and task.status == "pending"
        else task
        for task in state.plan.tasks
    )
    return replace(state, plan=replace(state.plan, questions=nodes, tasks=tasks))
