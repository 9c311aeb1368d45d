"""Plan: perspectives, the research tree and the task graph, from a model where there is one, else
from aspects.

The tree says what is searched for; what a report is made of is decided by what was found.
"""

from collections.abc import Sequence
from dataclasses import replace

from tools.sources.queries import topic_of as search_topic
from tools.sources.source import SourceKind
from tools.text.name_hints import is_name
from tools.text.tokens import STOP, stem, words
from workflows.research.deps import Deps
from workflows.research.events import Event, EventKind
from workflows.research.model import Perspective, Plan, Question, Task, Understanding
from workflows.research.modelled import questions as modelled
from workflows.research.state import ResearchState
from workflows.research.understand.parts import parts_of
from workflows.research.understand.templates import (
    ASPECTS,
    LATEST,
    OTHER_TARGETS,
    PERSPECTIVES,
    TARGETS,
)

TIER_WEIGHT = {"primary": 6.0, "secondary": 2.0, "tertiary": 1.0}
TOPIC_WORDS = 4  # of a topic, where an aspect of it is searched for
QUERY_WORDS = 14  # what a search engine still reads well
_ALIKE = 0.7  # share of their stems by which two queries ask the same


def plan(state: ResearchState, deps: Deps) -> ResearchState:
    """The parts of the question, the aspects of its topic or a model's questions, and the tasks to
    be done."""
    understanding, query = state.understanding, state.original_query
    outside = any(client.kind != SourceKind.LOCAL for client in deps.clients)
    # Viewpoints and questions of a model word queries for services; the user's documents are asked
    # the question itself
    viewpoints = modelled.perspectives(query, understanding, deps.work) if outside else None
    perspectives = viewpoints or _perspectives(understanding)
    primary = _primary(query, understanding)
    if outside:
        tree = modelled.tree(query, understanding, deps.work)
        primary += tree if tree is not None else _aspects(query, understanding)
        primary += _of_perspectives(perspectives, query, understanding)
    numbered = enumerate(_distinct(primary), 1)
    questions = weigh([replace(question, id=f"Q{number}") for number, question in numbered])
    main = sum(question.tier == "primary" for question in questions)
    message = (
        f"{main} main and {len(questions) - main} further questions, {len(perspectives)} "
        "perspectives."
    )
    tasks = task_graph(questions)
    deps.emit(
        Event(
            EventKind.PLAN_CREATED,
            "plan",
            message,
            {"questions": [q.text for q in questions], "tasks": len(tasks)},
        )
    )
    return replace(state, plan=Plan(perspectives, questions, tasks))


def _primary(query: str, understanding: Understanding) -> list[Question]:
    """The user's own question, part by part, and each of the things that it compares."""
    targets = TARGETS.get(understanding.query_type, OTHER_TARGETS)
    parts = [
        Question(
            "",
            part.question,
            "primary",
            0.0,
            queries=_queries(part.query, understanding),
            source_types=targets,
        )
        for part in parts_of(query)
    ]
    compared = [
        Question(
            "",
            thing,
            "secondary",
            0.0,
            heading=thing,
            queries=_queries(thing, understanding),
            source_types=targets,
        )
        for thing in understanding.subjects
    ]
    return [*parts, *compared]


def _aspects(query: str, understanding: Understanding) -> list[Question]:
    targets = TARGETS.get(understanding.query_type, OTHER_TARGETS)
    return [
        Question(
            "",
            f"{understanding.primary_anchor}: {aspect.label.lower()}",
            aspect.tier,
            0.0,
            heading=aspect.label,
            queries=aspect_queries(query, understanding, aspect.queries),
            source_types=("newsroom", "web") if aspect.label in LATEST else targets,
        )
        for aspect in ASPECTS.get(understanding.query_type, ASPECTS["general"])
    ]


def _perspectives(understanding: Understanding) -> tuple[Perspective, ...]:
    """The standing viewpoints on the topic."""
    return tuple(
        Perspective(
            name, focus, tuple(f"{understanding.primary_anchor}: {word}" for word in searched)
        )
        for name, focus, searched in PERSPECTIVES
    )


def _of_perspectives(
    perspectives: Sequence[Perspective], query: str, understanding: Understanding
) -> list[Question]:
    """One question of each perspective."""
    standing = {name: searched for name, _, searched in PERSPECTIVES}
    return [
        Question(
            "",
            perspective.questions[0],
            "tertiary",
            0.0,
            perspective=perspective.name,
            queries=aspect_queries(query, understanding, standing[perspective.name])
            if perspective.name in standing
            else _queries(perspective.questions[0], understanding),
        )
        for perspective in perspectives
    ]


def aspect_queries(
    query: str, understanding: Understanding, searched: Sequence[str]
) -> tuple[str, ...]:
    """The topic with each of some words."""
    about = _about(query, understanding)
    return tuple(" ".join(f"{about}: {word}".split()[:QUERY_WORDS]) for word in searched)


def _queries(text: str, understanding: Understanding) -> tuple[str, ...]:
    """A question as it is typed where a search engine reads all of it, then its topic."""
    whole = " ".join(text.split())
    options = [whole] if len(whole.split()) <= QUERY_WORDS else []
    if understanding.query_type == "person" and is_name(understanding.primary_anchor):
        options.insert(0, _about(text, understanding))
    else:
        options.append(search_topic(text) or whole)
    return tuple(dict.fromkeys(" ".join(option.split()[:QUERY_WORDS]) for option in options))


def _about(query: str, understanding: Understanding) -> str:
    """The topic in few words; a name in quotes with what the question says beside it."""
    if understanding.query_type == "person" and is_name(understanding.primary_anchor):
        beside = [
            term
            for term in understanding.anchor_terms
            if term not in words(understanding.primary_anchor)
        ]
        return " ".join([f'"{understanding.primary_anchor}"', *beside[:TOPIC_WORDS]])
    return search_topic(query, TOPIC_WORDS) or understanding.primary_anchor


def _distinct(questions: Sequence[Question]) -> list[Question]:
    """The questions without those that ask nearly what one before them asks; that one is told the
    perspective."""
    distinct: list[Question] = []
    for question in questions:
        twin = next(
            (i for i, other in enumerate(distinct) if alike(other.text, question.text)), None
        )
        if twin is None:
            distinct.append(question)
        elif question.perspective:
            distinct[twin] = replace(distinct[twin], perspective=question.perspective)
    return distinct


def alike(a: str, b: str, anchor: str = "") -> bool:
    """Whether two questions or queries ask nearly the same: beside the anchor, most of their stems
    are shared."""
    common = {stem(word) for word in words(anchor)}
    first, second = (
        {stem(word) for word in words(text) if word not in STOP} - common for text in (a, b)
    )
    if not (first and second):
        return first == second
    return len(first & second) / len(first | second) >= _ALIKE


def weigh(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Weights by tier, summing to 1."""
    total = sum(TIER_WEIGHT[question.tier] for question in questions)
    return tuple(replace(q, weight=round(TIER_WEIGHT[q.tier] / total, 6)) for q in questions)


def task_graph(questions: Sequence[Question]) -> tuple[Task, ...]:
    """analysis -> searches in parallel -> cross-validate -> fill gaps -> synthesise."""
    searches = tuple(
        Task(f"search-{q.id}", "search", ("analysis",), question_id=q.id) for q in questions
    )
    ids = tuple(task.id for task in searches)
    return (
        Task("analysis", "analysis", status="complete"),
        *searches,
        Task("fill-gaps", "fill_gaps", ids),
        Task("cross-validate", "cross_validate", ("fill-gaps",)),
        Task("synthesise", "synthesise", ("cross-validate",)),
    )


def finish_tasks(state: ResearchState, kind: str) -> ResearchState:
    """The state with every pending task of a kind complete."""
    tasks = tuple(
        replace(task, status="complete") if task.kind == kind and task.status == "pending" else task
        for task in state.plan.tasks
    )
    return replace(state, plan=replace(state.plan, tasks=tasks))
