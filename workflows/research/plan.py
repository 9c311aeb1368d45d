"""Plan: perspectives, the research tree and the task graph, from a model where there is one, else from templates."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tools.research.queries import topic_of
from tools.text.name_hints import is_name
from tools.text.tokens import STOP, stem, words
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import Perspective, Plan, Question, Task, Understanding
from workflows.research.modelled import questions as modelled
from workflows.research.question_types import asks_for_somebody
from workflows.research.state import ResearchState
from workflows.research.templates import ASPECTS, LATEST, ON_SOMEBODY, PERSPECTIVES, TARGETS, TEMPLATES, Row
from workflows.research.topic import topic

TIER_WEIGHT = {"primary": 6.0, "secondary": 2.0, "tertiary": 1.0}
_OWN_HEADINGS = ("person", "concept", "technical", "comparison", "claim_check")  # what their reports are made of
TOPIC_WORDS = 4  # of a topic, where something is asked of it
_QUERY_WORDS = 14  # what a search engine still reads well
_SINGULAR = re.compile(r"\b(is|does|has) \{anchor\}")
_PLURALS = {"is": "are", "does": "do", "has": "have"}


def plan(state: ResearchState, deps: Deps) -> ResearchState:
    """The tree for the question's type, with the perspectives' questions merged in, and its tasks."""
    read = state.understanding
    query = state.original_query
    perspectives = modelled.perspectives(query, read, deps.work) or _perspectives(query, read)
    rows = _by_model(query, read, deps) or _tree(query, read)
    questions = _weigh(_with_perspectives(rows, perspectives, query, read))
    tasks = task_graph(questions)
    main = _count(questions, "primary")
    message = f"{main} main and {len(questions) - main} further questions, {len(perspectives)} perspectives."
    deps.emit(Event("plan_created", "plan", message, {"questions": [q.text for q in questions], "tasks": len(tasks)}))
    return replace(state, plan=Plan(perspectives, questions, tasks))


def _by_model(query: str, read: Understanding, deps: Deps) -> list[Question] | None:
    """The model's tree; where the type has headings of its own, the template with one query of the model each."""
    made = modelled.tree(query, read, deps.work)
    if made is None:
        return None
    kind = _template(query, read)
    if kind in _OWN_HEADINGS:
        return _with_queries(_tree(query, read), made)
    return [replace(question, source_types=TARGETS[kind]) for question in made]


def _template(query: str, read: Understanding) -> str:
    """The type whose questions are asked: who asks for a person asks about what that person did."""
    return "general" if read.query_type == "person" and asks_for_somebody(query) else read.query_type


def _with_queries(rows: Sequence[Question], made: Sequence[Question]) -> list[Question]:
    """Questions with the first query of the model's question of the same tier and place between their own."""
    left = {tier: [question for question in made if question.tier == tier] for tier in TIER_WEIGHT}
    found = []
    for row in rows:
        other = left[row.tier].pop(0) if left[row.tier] else None
        queries = (row.queries[0], other.queries[0], *row.queries[-1:]) if other and row.queries else row.queries
        found.append(replace(row, queries=tuple(dict.fromkeys(queries))))
    return found


def _count(questions: Sequence[Question], tier: str) -> int:
    return sum(question.tier == tier for question in questions)


def _perspectives(query: str, read: Understanding) -> tuple[Perspective, ...]:
    """The standing viewpoints, their questions about what is asked."""
    somebody = _template(query, read) in ("person", "organisation")
    return tuple(
        Perspective(name, focus, tuple(_fill(one, query, read) for one in (ON_SOMEBODY[name] if somebody else asked)))
        for name, focus, _, asked in PERSPECTIVES
    )


def _tree(query: str, read: Understanding) -> list[Question]:
    kind = _template(query, read)
    return [
        Question(
            id=f"Q{number}",
            text=_fill(row.question, query, read),
            tier=row.tier,
            weight=0.0,
            heading=row.heading,
            queries=queries_for(query, read, row),
            source_types=("newsroom", "web") if row.heading in LATEST else TARGETS[kind],
        )
        for number, row in enumerate(TEMPLATES[kind], 1)
    ]


def _with_perspectives(
    questions: list[Question], perspectives: Sequence[Perspective], query: str, read: Understanding
) -> list[Question]:
    """One question of each perspective joins the tree; a near-duplicate only lends its origin."""
    merged, about = list(questions), f"{read.primary_anchor} {' '.join(read.subjects)}"
    for perspective in perspectives:
        text = perspective.questions[0]
        twin = next((i for i, known in enumerate(merged) if alike(known.text, text, about)), None)
        if twin is not None:
            merged[twin] = replace(merged[twin], perspective=perspective.name)
            continue
        row = Row("tertiary", perspective.name, text, _cues_of(perspective))
        number = f"Q{len(merged) + 1}"
        merged.append(Question(number, text, "tertiary", 0.0, "", perspective.name, queries_for(query, read, row)))
    return merged


def cue_words(state: ResearchState, question: Question) -> tuple[str, ...]:
    """Words that mark a passage as belonging to the question: of its template row, of its perspective, or its own."""
    kind = _template(state.original_query, state.understanding)
    rows = [row.cues for row in TEMPLATES[kind] if row.heading == question.heading]
    if not rows and question.perspective:
        viewpoints = [one for one in state.plan.perspectives if one.name == question.perspective]
        rows = [_cues_of(one) for one in viewpoints]
    return tuple(" ".join(rows or [question.text]).split())


def _cues_of(perspective: Perspective) -> str:
    """The standing viewpoints have their cue words; of others the words of their focus."""
    own = next((cues for known, _, cues, _ in PERSPECTIVES if known == perspective.name), perspective.focus)
    return " ".join(word for word in words(own) if word not in STOP) or perspective.name


def alike(a: str, b: str, anchor: str = "") -> bool:
    """Whether two questions or queries ask nearly the same: beside the anchor, most of their stems are shared."""
    common = {stem(word) for word in words(anchor)}
    first, second = ({stem(word) for word in words(text) if word not in STOP} - common for text in (a, b))
    if not (first and second):
        return first == second
    return len(first & second) / len(first | second) >= 0.7


def _fill(text: str, query: str, read: Understanding) -> str:
    """A question of a template about what was asked, in the plural where it was asked about in the plural."""
    anchor = read.primary_anchor
    if re.search(rf"\b(?:are|were|do|have) (?:the )?{re.escape(anchor)}\b", " ".join(query.split()), re.I):
        text = _SINGULAR.sub(lambda match: f"{_PLURALS[match[1]]} {{anchor}}", text)
    a, b = (*read.subjects, anchor, anchor)[:2]
    values = {"query": query.strip(), "topic": topic(query, read), "claim": f"“{anchor}”"}
    values |= {"anchor": anchor, "a": a, "b": b}
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text[:500]


def queries_for(query: str, read: Understanding, row: Row) -> tuple[str, ...]:
    """The queries of a row: the question where the row leads the tree, then the topic with what the row asks of it.

    People's names stand in quotes. Words that ask, and words that say how things hang together, are no part of a topic.
    """
    whole = " ".join(query.split())
    if _template(query, read) == "person" and is_name(read.primary_anchor):
        terms = [term for term in read.anchor_terms if term not in set(words(read.primary_anchor))]
        whole = about = " ".join([f'"{read.primary_anchor}"', *terms])
    else:
        about = topic_of(query, TOPIC_WORDS) or read.primary_anchor
    whole = whole if len(whole.split()) <= _QUERY_WORDS else topic_of(query) or about
    aspect = ASPECTS.get(row.heading, " ".join(row.cues.split()[:2]))
    options = [f"{about}: {aspect}" if aspect else about, whole]
    if row.heading == TEMPLATES[_template(query, read)][0].heading:
        options.reverse()
    return tuple(dict.fromkeys(" ".join(option.split()[:_QUERY_WORDS]) for option in options))


def _weigh(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Weights by tier, summing to 1."""
    total = sum(TIER_WEIGHT[question.tier] for question in questions)
    return tuple(replace(q, weight=round(TIER_WEIGHT[q.tier] / total, 6)) for q in questions)


def task_graph(questions: Sequence[Question]) -> tuple[Task, ...]:
    """analysis -> searches in parallel -> cross-validate -> fill gaps -> synthesise."""
    searches = tuple(Task(f"search-{q.id}", "search", ("analysis",), question_id=q.id) for q in questions)
    ids = tuple(task.id for task in searches)
    tasks = (
        Task("analysis", "analysis", status="complete"),
        *searches,
        Task("fill-gaps", "fill_gaps", ids),
        Task("cross-validate", "cross_validate", ("fill-gaps",)),
        Task("synthesise", "synthesise", ("cross-validate",)),
    )
    check_acyclic(tasks)
    return tasks


def check_acyclic(tasks: Sequence[Task]) -> None:
    """Raises ValueError when a task depends on itself through others, or on one that does not exist."""
    waiting = {task.id: set(task.depends_on) for task in tasks}
    if missing := {dep for deps in waiting.values() for dep in deps} - set(waiting):
        raise ValueError(f"tasks depend on {sorted(missing)}, which do not exist")
    while waiting:
        ready = {one for one, needs in waiting.items() if not needs}
        if not ready:
            raise ValueError(f"the tasks {sorted(waiting)} depend on each other in a circle")
        waiting = {one: needs - ready for one, needs in waiting.items() if one not in ready}


def finish_tasks(state: ResearchState, kind: str, status: str = "complete", reason: str | None = None) -> ResearchState:
    """The state with every pending task of a kind set to a status."""
    tasks = tuple(
        replace(task, status=status, reason=reason) if task.kind == kind and task.status == "pending" else task
        for task in state.plan.tasks
    )
    return replace(state, plan=replace(state.plan, tasks=tasks))
