"""Follow citations (2): from the best scholarly sources to what they cite and what cites them.

Works come in through the same shortlist as search hits; edges are recorded whether or not a work is
fetched.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tools.errors import FailureReason
from tools.sources.merge import keys_of, merge
from tools.sources.source import Outcome, Source, SourceKind, id_of
from tools.text.phrases import counted
from tools.text.tokens import stems
from workflows.research.deps import Deps
from workflows.research.gather.aggregate import max_sources
from workflows.research.gather.parallel import each
from workflows.research.gather.reading import read_sources
from workflows.research.gather.searches import has_answer
from workflows.research.gather.shortlist import shortlist
from workflows.research.gather.unite import unite
from workflows.research.model import ClientReport, DeadEnd
from workflows.research.report.source_notes import NOT_ASKED
from workflows.research.state import ResearchState

_WORKS = 25  # references, and citing works, asked for per source
_UNTITLED = 40  # works of a hop whose titles are looked up
_NEW_PER_HOP = 12  # works a hop may add
_COMPARED = 150  # works of a hop that are compared with the question by meaning
_DEADLINE = 30.0


def follow(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with the works one hop further, as far as depth and switches allow; in the first
    round only."""
    if state.round == 1 and skip_reason(state, deps) is None:
        for hop in range(1, deps.settings.hops[state.config.depth - 1] + 1):
            state = _one_hop(state, deps, hop)
    return with_known_edges(state)


def skip_reason(state: ResearchState, deps: Deps) -> str | None:
    """Why citations are not followed in this run, for the announcement; None when they are."""
    if deps.settings.hops[state.config.depth - 1] == 0:
        return "at this depth citations are not followed"
    if not (state.config.follow and deps.settings.follow_citations):
        return "switched off"
    if not any(client.kind == SourceKind.ACADEMIC for client in deps.clients):
        return "no scholarly index is asked"
    return None


def _one_hop(state: ResearchState, deps: Deps, hop: int) -> ResearchState:
    top = best_scholarly(state, deps, hop)
    if not top:
        return state
    state, citations = _ask_for_citations(state, top, deps)
    sources = [
        replace(work, hop=hop, reasons=(_why(source, direction),))
        for source, direction, work in citations
    ]
    pairs = [
        (source, work) if direction == "references" else (work, source)
        for source, direction, work in citations
    ]
    state = _with_edges(
        state, [(citing.source_id, cited_source.source_id) for citing, cited_source in pairs]
    )
    state, new_count = _take(state, sources, deps)
    message = (
        f"Following {counted(len(top), 'scholarly source')}: "
        f"{counted(len(sources), 'work')}, {new_count} of them new."
    )
    deps.note("follow", message, hop=hop, found=len(sources), new=new_count)
    return read_sources(state, deps) if new_count else state


def _ask_for_citations(
    state: ResearchState, sources: Sequence[Source], deps: Deps
) -> tuple[ResearchState, list[tuple[Source, str, Source]]]:
    """The state with what became of the requests, and (source, "references" or "citing", work) of
    each answer."""
    tasks = [(source, direction) for source in sources for direction in ("references", "citing")]
    refused = deps.allot(tasks)
    outcomes = each(
        tasks,
        lambda task: _ask(task[0], task[1], deps),
        workers=1 if state.config.workers == 1 else 4,
        deadline=_DEADLINE,
        clock=deps.clock,
        check_cancelled=deps.check_cancelled,
    )
    task_outcomes = [
        (*task, outcome) for task, outcome in zip(tasks, outcomes, strict=True) if outcome
    ]
    citations = [
        (source, direction, work)
        for source, direction, outcome in task_outcomes
        for work in outcome.sources
    ]
    return _record(
        state, [*refused, *(part for _, _, outcome in task_outcomes for part in outcome.parts)]
    ), citations


def _record(state: ResearchState, outcomes: Sequence[Outcome]) -> ResearchState:
    """What each client was asked about citations: its requests, its problem, and a dead end where
    it had no answer."""
    reports = {report.client: report for report in state.clients}
    dead: list[DeadEnd] = []
    for outcome in outcomes:
        report = reports.get(outcome.client, ClientReport(outcome.client))
        fault = _fault(outcome)
        reports[outcome.client] = replace(
            report,
            requests=report.requests + outcome.requests,
            seconds=round(report.seconds + outcome.seconds, 3),
            problem=fault or report.problem,
            reason=outcome.reason or "" if fault else report.reason,
            label=report.label or outcome.label,
            answers=report.answers + has_answer(outcome),
        )
        if fault and not outcome.sources:
            dead.append(
                DeadEnd(
                    None, None, outcome.client, outcome.reason or FailureReason.ERROR, None, fault
                )
            )
    new = [end for end in dict.fromkeys(dead) if end not in state.dead_ends]
    clients = tuple(reports[name] for name in sorted(reports))
    return replace(state, clients=clients, dead_ends=(*state.dead_ends, *new))


def _fault(outcome: Outcome) -> str | None:
    """What kept a client from answering; None where it did, or was not asked."""
    return outcome.problem if outcome.reason not in (*NOT_ASKED, FailureReason.NO_RESULTS) else None


def _why(source: Source, direction: str) -> str:
    return f"cited by {source.tag}" if direction == "references" else f"cites {source.tag}"


def _ask(source: Source, direction: str, deps: Deps) -> Outcome:
    deps.check_cancelled()
    if direction == "references":
        return deps.references(source, _WORKS)
    return deps.citing(source, _WORKS)


def best_scholarly(state: ResearchState, deps: Deps, hop: int) -> list[Source]:
    """The top scholarly sources of the hop before, by provisional score (never stored or shown)."""
    degree = Counter(work for works in state.citation_graph.values() for work in works)
    scored = [
        (
            round(
                deps.score(source, None, "").score * (1 + math.log(1 + degree[source.source_id])),
                6,
            ),
            source,
        )
        for source in state.sources
        if source.source_type == SourceKind.ACADEMIC
        and source.hop == hop - 1
        and not source.rejected
    ]
    ordered = sorted(scored, key=lambda item: (-item[0], item[1].source_id))
    return [source for score, source in ordered if score > 0][: deps.settings.follow_top]


def _take(state: ResearchState, sources: Sequence[Source], deps: Deps) -> tuple[ResearchState, int]:
    """New works by rank, as many as a hop and the run may add."""
    ids = {source.source_id for source in state.sources}
    titled, messages = deps.complete(_untitled(state, sources))
    merged = merge(state.sources, [*sources, *titled])
    # Of a work without a title nothing can be ranked; its edges are kept all the same
    new = _likeliest(
        state, [source for source in merged if source.source_id not in ids and source.title]
    )
    room = max(0, min(_NEW_PER_HOP, max_sources(state, deps) - len(ids)))
    best, more = deps.complete(shortlist(state, new, deps, room))
    state = _record(state, [*messages, *more])
    earlier = [source for source in merged if source.source_id in ids]
    return unite(replace(state, sources=(*earlier, *best)), deps), len(best)


def _untitled(state: ResearchState, works: Sequence[Source]) -> list[Source]:
    """The works known by their ids alone, those first that most sources cite; as many as one
    request names."""
    citation_counts = Counter(work for works in state.citation_graph.values() for work in works)
    titled = {key for work in (*state.sources, *works) if work.title for key in keys_of(work)}
    bare = {
        work.source_id: work
        for work in works
        if not work.title and titled.isdisjoint(keys_of(work))
    }
    return sorted(
        bare.values(), key=lambda work: (-citation_counts[work.source_id], work.source_id)
    )[:_UNTITLED]


def _likeliest(state: ResearchState, works: Sequence[Source]) -> list[Source]:
    """The works that share most words with the question, as many as are compared by meaning."""
    terms = set(stems(state.original_query))
    shared = {
        work.source_id: len(terms & set(stems(f"{work.title} {work.abstract[:1000]}")))
        for work in works
    }
    ordered = sorted(
        works,
        key=lambda work: (-shared[work.source_id], -(work.cited_by_count or 0), work.source_id),
    )
    best = {work.source_id for work in ordered[:_COMPARED]}
    return [work for work in works if work.source_id in best]


def with_known_edges(state: ResearchState) -> ResearchState:
    """Edges that the sources' own reference lists show: between held works by id, to others by the
    id of their key."""
    owner = {key: source.source_id for source in state.sources for key in keys_of(source)}
    edges = [
        (source.source_id, owner.get(key) or id_of(key))
        for source in state.sources
        for key in source.references
    ]
    return _with_edges(
        state, [(citing, cited_id) for citing, cited_id in edges if citing != cited_id]
    )


def _with_edges(state: ResearchState, edges: Iterable[tuple[str, str]]) -> ResearchState:
    """The state with further edges, from the id of the citing work to that of the cited one."""
    graph = {key: list(value) for key, value in state.citation_graph.items()}
    for citing, cited_id in edges:
        graph.setdefault(citing, []).append(cited_id)
    return replace(
        state, citation_graph={key: tuple(dict.fromkeys(graph[key])) for key in sorted(graph)}
    )
