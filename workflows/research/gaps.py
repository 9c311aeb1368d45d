"""Gaps and backtracking: how well is each question covered, what is still open, and is it enough?"""

from collections import defaultdict
from dataclasses import replace

from tools.research.queries import topic_of
from tools.text.phrases import counted
from tools.text.tokens import STOP, stem, stems
from workflows.research.backtrack import gave, look_elsewhere, low_credibility
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import DeadEnd, Gap, Question
from workflows.research.modelled import gaps as modelled
from workflows.research.plan import TOPIC_WORDS, cue_words, finish_tasks
from workflows.research.state import ResearchState
from workflows.research.supporters import voice_groups

_TIER_IMPORTANCE = {"primary": 1.0, "secondary": 0.7, "tertiary": 0.5}


def gaps(state: ResearchState, deps: Deps) -> ResearchState:
    """Coverage per question, open gaps with refinement queries, alternatives for dead ends."""
    before = {question.id: question.coverage for question in state.plan.questions}
    questions = tuple(replace(q, coverage=_coverage(state, q, deps)) for q in state.plan.questions)
    found = tuple(gap for q in questions if (gap := _gap(state, q, deps)) is not None)
    gained = any(q.coverage > before[q.id] for q in questions if q.tier == "primary")
    state = replace(state, plan=replace(state.plan, questions=questions), gaps=found)
    mean = mean_coverage(state)
    stop = reason_to_stop(state, deps, gained)
    if deps.settings.backtracking:
        state = look_elsewhere(low_credibility(state, deps), deps, last=stop is not None)
    if stop is None:
        state = refined(state, deps)
    verdict = stop or f"Goes on: below {deps.settings.enough_coverage:.2f}."
    message = f"Coverage is {mean:.2f}; {counted(len(found), 'question')} not fully covered. {verdict}"
    deps.emit(Event("note", "gaps", message, {"coverage": mean, "open": len(found), "stop": stop}))
    return finish_tasks(state, "fill_gaps") if stop else state


def refined(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with a model's queries for its gaps, and with one for the searches of this run that led nowhere."""
    outside = any(client.kind != "local" for client in deps.clients)
    own = deps.settings.local_terms_in_queries or not outside
    state = replace(state, gaps=modelled.refine(state, state.gaps, deps.work, own))
    ends = [end for end in state.dead_ends if _led_nowhere(end)] if deps.settings.backtracking else []
    query = modelled.alternative(ends, state, deps.work)
    if query is None or not state.gaps:
        return state
    first = max(state.gaps, key=lambda gap: (gap.importance, -int(gap.question_id[1:])))
    with_query = replace(first, queries=(query, *first.queries))
    tried = f"nothing either; then “{query}” in the next round"
    told = tuple(replace(end, outcome=tried) if end in ends else end for end in state.dead_ends)
    return replace(state, gaps=tuple(with_query if gap is first else gap for gap in state.gaps), dead_ends=told)


def _led_nowhere(end: DeadEnd) -> bool:
    """A search without a useful hit for which the other one that was tried, if any, found nothing either."""
    nothing = end.reason in ("no_results", "irrelevant") and end.query is not None and end.url is None
    return nothing and end.outcome in (None, gave(0))


def enough(state: ResearchState, deps: Deps) -> bool:
    """Whether the rounds end here: the gap step has settled its task."""
    return any(task.kind == "fill_gaps" and task.status == "complete" for task in state.plan.tasks)


def mean_coverage(state: ResearchState) -> float:
    """Coverage of all questions, by weight."""
    return round(sum(q.coverage * q.weight for q in state.plan.questions), 6)


def reason_to_stop(state: ResearchState, deps: Deps, gained: bool) -> str | None:
    """Why the rounds end, as a sentence; None when there is another."""
    rounds = deps.settings.rounds[state.config.depth - 1]
    settings = deps.settings
    primary = [q.coverage for q in state.plan.questions if q.tier == "primary"]
    covered = mean_coverage(state) >= settings.enough_coverage and min(primary, default=0) >= settings.primary_coverage
    if state.round >= rounds:
        return f"Round {state.round} of {rounds} was the last."
    if covered and len(state.sources) >= settings.min_sources:
        return "That is enough."
    if not gained and state.round > 1:
        return "The round added no voice to a main question."
    if not any(gap.queries for gap in state.gaps) and all(q.iterations for q in state.plan.questions):
        return "There is nothing left to ask."
    return None


def _coverage(state: ResearchState, question: Question, deps: Deps) -> float:
    """min(1, voices with evidence / 3)."""
    passages: dict[str, str] = defaultdict(str)
    sources = {source.source_id: source for source in state.sources if not source.rejected}
    own = set(question.evidence_ids)
    for evidence in state.evidence:
        if evidence.evidence_id in own and evidence.source_id in sources:
            passages[evidence.source_id] += f" {evidence.quote}"
    voices = voice_groups(passages, sources, deps)
    return round(min(1.0, len(voices) / deps.settings.voices_for_coverage), 6)


def _gap(state: ResearchState, question: Question, deps: Deps) -> Gap | None:
    importance = round((1 - question.coverage) * _TIER_IMPORTANCE[question.tier], 6)
    if importance <= 0 or question.coverage >= 1:
        return None
    ask = refinement_queries(state, question) if importance >= deps.settings.gap_importance else ()
    return Gap(question.id, question.text, importance, ask)


def refinement_queries(state: ResearchState, question: Question) -> tuple[str, ...]:
    """From the question's marking words that no evidence covers; the question's own words when all are covered."""
    covered = {term for e in state.evidence if e.evidence_id in question.evidence_ids for term in stems(e.quote)}
    anchor = state.understanding.primary_anchor
    known = covered | set(stems(anchor))
    fresh = [word for word in cue_words(state, question) if word not in STOP and stem(word) not in known]
    about = topic_of(state.original_query, TOPIC_WORDS) or anchor
    own = f"{about}: {' '.join(fresh[:3])}" if fresh else topic_of(f"{anchor}, {question.text}")
    return (" ".join(own.split()[:14]),)
