"""Choosing evidence with a model, where there is one: sentences that sum up a page, and the useful ones of a question.

The model names sentences by their ids and can bring in nothing that the text does not hold; what it does not name
stays. Questions are asked at the same time, as many as the calls allow, by weight; a question whose model fails keeps
the order of retrieval.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from tools.research.source import Source
from workflows.research.deps import Deps
from workflows.research.evidence import on_topic, with_answers
from workflows.research.model import Evidence, Question, last_number
from workflows.research.modelled.choice import PAGE, SELECT, Selected, select, sum_up
from workflows.research.modelled.work import Step, Work
from workflows.research.parallel import each
from workflows.research.state import ResearchState

T = TypeVar("T")
R = TypeVar("R")
_BONUS = 0.15  # score that a useful sentence gains
_WORTH_CHOOSING = 6  # sentences of a question below which there is nothing to choose
_LONG = 3000  # characters from which a page is worth a summary
_PAGES = 2  # summed up at a time
_READ = 20_000  # characters of a page that are looked at
_WORKERS = 5
_PATIENCE = 600.0  # seconds for all calls of a round; each call has its own limits


def choose(before: ResearchState, state: ResearchState, deps: Deps) -> ResearchState:
    """The state with its new evidence (of what `before` does not hold) chosen by a model; unchanged without one."""
    work = deps.work
    if work is None:
        return state
    state = _with_earlier_answers(before, _with_summaries(before, state, deps, work))
    return _with_choices({one.evidence_id for one in before.evidence}, state, deps, work)


def _with_earlier_answers(before: ResearchState, state: ResearchState) -> ResearchState:
    """With the answers that were chosen in an earlier round, where this one found nothing new for the question."""
    known = {question.id: question for question in before.plan.questions}
    questions = tuple(
        replace(question, answer=known[question.id].answer)
        if question.id in known and set(question.evidence_ids) == set(known[question.id].evidence_ids)
        else question
        for question in state.plan.questions
    )
    return replace(state, plan=replace(state.plan, questions=questions))


def _pieces(work: Work, step: Step, most: int) -> int:
    """How many pieces may be asked at once so that each has its repair; one is always allowed what is left."""
    left = work.left(step)
    return min(most, max(left // 2, min(left, 1)))


def _with_summaries(before: ResearchState, state: ResearchState, deps: Deps, work: Work) -> ResearchState:
    """With sentences that a model chose of the newly read pages that say most."""
    old = {one.source_id for one in before.evidence}
    fresh = [s for s in state.sources if s.snapshot_id and s.source_id not in old and not s.rejected]
    count = {s.source_id: sum(one.source_id == s.source_id for one in state.evidence) for s in fresh}
    long = [s for s in fresh if count[s.source_id] and len(deps.text(s.snapshot_id or "")) >= _LONG]
    pages = sorted(long, key=lambda s: (-count[s.source_id], s.source_id))[: _pieces(work, PAGE, _PAGES)]
    sentences = [_sentences(state, source, deps) for source in pages]
    chosen = _parallel(
        list(zip(pages, sentences, strict=True)), lambda pair: sum_up(state, pair[0].title, pair[1], work), state, deps
    )
    named = [one for own, ids in zip(sentences, chosen, strict=True) for one in own if one.evidence_id in (ids or ())]
    number = last_number(state.evidence)
    added = tuple(replace(one, evidence_id=f"E{number + i}") for i, one in enumerate(named, 1))
    return with_answers(replace(state, evidence=(*state.evidence, *added))) if added else state


def _sentences(state: ResearchState, source: Source, deps: Deps) -> list[Evidence]:
    """The sentences of a page on the question that are no evidence yet, with ids of their own."""
    taken = {(one.snapshot_id, one.start) for one in state.evidence}
    main = max(state.plan.questions, key=lambda q: (q.weight, -int(q.id[1:])))
    found = on_topic(state, source, deps, _READ)
    return [
        Evidence(f"P{i}", source.source_id, *place, quote, main.id, score)
        for i, (place, quote, score) in enumerate(found, 1)
        if place[:2] not in taken
    ]


def _with_choices(old: set[str], state: ResearchState, deps: Deps, work: Work) -> ResearchState:
    """With the useful sentences of the questions that found something new ranked up, and their answers."""
    new = {one.evidence_id for one in state.evidence} - old
    own = {q.id: [one for one in state.evidence if one.question_id == q.id] for q in state.plan.questions}
    worth = [
        q
        for q in state.plan.questions
        if len(own[q.id]) >= _WORTH_CHOOSING and any(e.evidence_id in new for e in own[q.id])
    ]
    worth.sort(key=lambda q: (-q.weight, int(q.id[1:])))
    asked = worth[: _pieces(work, SELECT, len(worth))]
    best = {q.id: sorted(own[q.id], key=lambda e: (-e.score, int(e.evidence_id[1:]))) for q in asked}
    answers = _parallel(asked, lambda q: select(state, q, best[q.id], work), state, deps)
    by_question = {q.id: said for q, said in zip(asked, answers, strict=True) if said is not None}
    useful = {one for said in by_question.values() for one in said.useful if one in new}
    evidence = tuple(_raised(one) if one.evidence_id in useful else one for one in state.evidence)
    return _with_own_answers(with_answers(replace(state, evidence=evidence)), by_question) if by_question else state


def _raised(one: Evidence) -> Evidence:
    return replace(one, score=round(min(1.0, one.score + _BONUS), 6))


def _with_own_answers(state: ResearchState, by_question: Mapping[str, Selected]) -> ResearchState:
    """With the sentences that a model named as the answer of a question in place of the best scored ones."""
    evidence = {one.evidence_id: one for one in state.evidence}
    tags = {source.source_id: source.tag or "" for source in state.sources}

    def answered(question: Question) -> Question:
        said = by_question.get(question.id)
        if said is None or not said.answer:
            return question
        told = [evidence[one] for one in said.answer]
        return replace(question, answer=tuple(f"{' '.join(e.quote.split())} [{tags[e.source_id]}]" for e in told))

    return replace(state, plan=replace(state.plan, questions=tuple(map(answered, state.plan.questions))))


def _parallel(items: Sequence[T], work: Callable[[T], R], state: ResearchState, deps: Deps) -> list[R | None]:
    workers = min(_WORKERS, state.config.workers)
    return each(
        items, work, workers=workers, deadline=_PATIENCE, clock=deps.clock, check_cancelled=deps.check_cancelled
    )
