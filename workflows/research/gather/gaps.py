"""Gaps and backtracking: how well is each question covered, what is still open, and is it
enough?"""

from collections.abc import Collection
from dataclasses import replace

from tools.documents.model import Passage
from tools.sources.queries import topic_of as search_topic
from tools.sources.source import SourceKind
from tools.text.phrases import counted
from tools.text.tokens import stems
from workflows.research.deps import Deps
from workflows.research.gather.backtrack import IN_VAIN, look_elsewhere, low_credibility
from workflows.research.model import DeadEnd, Gap, Question
from workflows.research.modelled import gaps as modelled
from workflows.research.run_settings import Settings
from workflows.research.state import ResearchState
from workflows.research.understand.plan import TOPIC_WORDS, finish_tasks
from workflows.research.understand.topic import topic_of

_LOOKED_AT = 12  # passages that may cover a question
_ON_TOPIC = 0.5  # of a question's terms, that a passage on it holds
_NOTED, _MOST_NOTED = 300, 3  # characters of a passage, and passages, that are noted for a model
_TIER_IMPORTANCE = {"primary": 1.0, "secondary": 0.7, "tertiary": 0.5}


def gaps(state: ResearchState, deps: Deps) -> ResearchState:
    """Coverage per question, open gaps with refinement queries, alternatives for dead ends."""
    questions = tuple(_covered(state, q, deps) for q in state.plan.questions)
    gap_list = tuple(gap for q in questions if (gap := _gap(state, q, deps)) is not None)
    pairs = zip(state.plan.questions, questions, strict=True)
    gained = any(new.coverage > old.coverage for old, new in pairs if new.tier == "primary")
    state = replace(state, plan=replace(state.plan, questions=questions), gaps=gap_list)
    mean = mean_coverage(state)
    stop = reason_to_stop(state, deps, gained)
    if deps.settings.backtracking:
        state = look_elsewhere(low_credibility(state, deps), deps, last=stop is not None)
    if stop is None:
        state = refined(state, deps)
    if gap_list:
        covered = f"{counted(len(gap_list), 'question')} not fully answered yet."
    else:
        covered = "Sources were found for every question."
    message = f"{covered} {stop or 'The search goes on.'}"
    deps.note("gaps", message, coverage=mean, open=len(gap_list), stop=stop)
    return finish_tasks(state, "fill_gaps") if stop else state


def refined(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with a model's queries for its gaps, and with one for the searches of this run that
    led nowhere."""
    local_allowed = deps.settings.local_terms_in_queries or _asks_only_local(deps)
    state = replace(state, gaps=modelled.refine(state, state.gaps, deps.work, local_allowed))
    ends = (
        [end for end in state.dead_ends if _led_nowhere(end)] if deps.settings.backtracking else []
    )
    query = modelled.alternative(ends, state, deps.work)
    if query is None or not state.gaps:
        return state
    return _with_query(state, query, ends)


def _with_query(state: ResearchState, query: str, ends: Collection[DeadEnd]) -> ResearchState:
    """The state with one more query for its most important gap; the searches that led nowhere say
    that it follows."""
    first = max(state.gaps, key=lambda gap: (gap.importance, -int(gap.question_id[1:])))
    with_query = replace(first, queries=(query, *first.queries))
    tried = f"nothing either; then “{query}” in the next round"
    dead_ends = tuple(
        replace(end, outcome=tried, found=None) if end in ends else end for end in state.dead_ends
    )
    return replace(
        state,
        gaps=tuple(with_query if gap is first else gap for gap in state.gaps),
        dead_ends=dead_ends,
    )


def _led_nowhere(end: DeadEnd) -> bool:
    """A search without a useful hit for which the other one that was tried, if any, found nothing
    either."""
    is_in_vain = end.outcome is None or end.found == 0
    return is_in_vain and end.reason in IN_VAIN and end.query is not None and end.url is None


def enough(state: ResearchState) -> bool:
    """Whether the rounds end here: the gap step has settled its task."""
    return any(task.kind == "fill_gaps" and task.status == "complete" for task in state.plan.tasks)


def mean_coverage(state: ResearchState) -> float:
    """Coverage of all questions, by weight."""
    return round(sum(q.coverage * q.weight for q in state.plan.questions), 6)


def reason_to_stop(state: ResearchState, deps: Deps, gained: bool) -> str | None:
    """Why the rounds end, as a sentence; None when there is another."""
    rounds = deps.settings.rounds[state.config.depth - 1]
    if _asks_only_local(deps):
        return "Your own documents are searched whole."
    if state.round >= rounds:
        return f"Round {state.round} of {rounds} was the last."
    if _is_enough(state, deps.settings):
        return "That is enough."
    if not gained and state.round > 1:
        return "The round added no independent source to a main question."
    if all(q.iterations for q in state.plan.questions) and not any(
        gap.queries for gap in state.gaps
    ):
        return "There is nothing left to search for."
    return None


def _asks_only_local(deps: Deps) -> bool:
    return all(client.kind == SourceKind.LOCAL for client in deps.clients)


def _is_enough(state: ResearchState, settings: Settings) -> bool:
    """Whether there are enough sources, and the questions are covered by their weight and each of
    the main ones."""
    primary = [q.coverage for q in state.plan.questions if q.tier == "primary"]
    covered = (
        mean_coverage(state) >= settings.enough_coverage
        and min(primary, default=0) >= settings.primary_coverage
    )
    return covered and len(state.sources) >= settings.min_sources


def _covered(state: ResearchState, question: Question, deps: Deps) -> Question:
    """The question with its coverage, min(1, sources with a passage on it / 3), and the best of
    these as notes."""
    passages = _passages_on(state, question, deps)
    sources = {passage.snapshot_id for passage in passages}
    coverage = round(min(1.0, len(sources) / deps.settings.voices_for_coverage), 6)
    local_ids = {source.snapshot_id for source in state.sources if source.is_local}
    noted = tuple(
        " ".join(passage.text.split())[:_NOTED]
        + (f" {modelled.OWN_DOCUMENT}" if passage.snapshot_id in local_ids else "")
        for passage in passages[:_MOST_NOTED]
    )
    return replace(question, coverage=coverage, answer=noted)


def _passages_on(state: ResearchState, question: Question, deps: Deps) -> list[Passage]:
    """The passages of the texts read so far that hold enough of the question's terms."""
    snapshots = {s.snapshot_id for s in state.sources if s.snapshot_id and not s.rejected}
    terms = frozenset(topic_of(question.text).stems)
    if not snapshots or not terms:
        return []
    passages = deps.retrieve(question.text, snapshots, _LOOKED_AT)
    return [
        p
        for p in passages
        if len(terms & set(stems(f"{p.heading} {p.text}"))) >= _ON_TOPIC * len(terms)
    ]


def _gap(state: ResearchState, question: Question, deps: Deps) -> Gap | None:
    importance = round((1 - question.coverage) * _TIER_IMPORTANCE[question.tier], 6)
    if importance <= 0 or question.coverage >= 1:
        return None
    ask = refinement_queries(state, question) if importance >= deps.settings.gap_importance else ()
    return Gap(question.id, question.text, importance, ask)


def refinement_queries(state: ResearchState, question: Question) -> tuple[str, ...]:
    """The first of its queries that was not asked yet; then its topic in fewer words."""
    queries = {search.query for search in state.asked}
    fewer = search_topic(question.text, TOPIC_WORDS - 1)
    return tuple(query for query in (*question.queries, fewer) if query and query not in queries)[
        :1
    ]
