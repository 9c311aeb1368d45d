"""A model plans: viewpoints, the tree and its queries."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tools.models.prompts import fence
from tools.text.plain import line
from tools.text.tokens import words
from workflows.research.model import Perspective, Question, Understanding
from workflows.research.modelled.wording import query_problem, question_problem
from workflows.research.modelled.work import Step, Work

# Questions of a tree, by tier
_SHARES = {
    "primary": (3, 4),
    "secondary": (2, 3),
    "tertiary": (1, 2),
}
_QUERY_WORDS = 14
_LINE = {"type": "string", "minLength": 2, "maxLength": 200}

PERSPECTIVES = Step(
    "perspectives", "plan", "reasoning", "Viewpoints", "the three standing viewpoints are taken",
    {
        "type": "object",
        "properties": {
            "perspectives": {
                "type": "array", "minItems": 3, "maxItems": 5,
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "minLength": 2, "maxLength": 60},
                        "focus": _LINE,
                        "questions": {"type": "array", "minItems": 3, "maxItems": 4,
                            "items": _LINE},
                    },
                    "required": ["name", "focus", "questions"],
                },
            }
        },
        "required": ["perspectives"],
    },
    calls=2,
)  # fmt: skip
TREE = Step(
    "tree", "plan", "reasoning", "Research questions", "the template of its type is taken",
    {
        "type": "object",
        "properties": {
            "questions": {
                "type": "array", "minItems": 6, "maxItems": 9,
                "items": {
                    "type": "object",
                    "properties": {
                        "tier": {"enum": list(_SHARES)},
                        "heading": {"type": "string", "minLength": 2, "maxLength": 60},
                        "text": _LINE,
                        "queries": {"type": "array", "minItems": 2, "maxItems": 3, "items": _LINE},
                    },
                    "required": ["tier", "heading", "text", "queries"],
                },
            }
        },
        "required": ["questions"],
    },
    calls=2,
)  # fmt: skip


def perspectives(
    query: str, understanding: Understanding, work: Work | None
) -> tuple[Perspective, ...] | None:
    """3-5 viewpoints with their questions, or None."""
    problems = partial(_viewpoint_problems, query)
    answer = work.ask(PERSPECTIVES, _fenced(query, understanding), problems) if work else None
    if answer is None:
        return None
    return tuple(
        Perspective(line(entry["name"]), line(entry["focus"]), tuple(map(line, entry["questions"])))
        for entry in answer["perspectives"]
    )


def tree(query: str, understanding: Understanding, work: Work | None) -> list[Question] | None:
    """Questions with labels and queries, without weights, primary ones first; or None."""
    values = {
        **_fenced(query, understanding),
        "query_type": understanding.query_type.replace("_", " "),
    }
    answer = work.ask(TREE, values, partial(_tree_problems, query)) if work else None
    if answer is None:
        return None
    rows = sorted(answer["questions"], key=lambda row: list(_SHARES).index(row["tier"]))
    return [
        Question(
            id=f"Q{number}",
            text=line(row["text"]),
            tier=row["tier"],
            weight=0.0,
            heading=line(row["heading"]).rstrip("?"),
            queries=tuple(
                dict.fromkeys(anchored(query, understanding) for query in row["queries"])
            ),
        )
        for number, row in enumerate(rows, 1)
    ]


def anchored(query: str, understanding: Understanding) -> str:
    """A query of at most fourteen words; about a person or an organisation it carries the name, in
    quotes."""
    query, name = line(query).replace('"', ""), understanding.primary_anchor
    if understanding.query_type in ("person", "organisation"):
        if name in query:
            query = query.replace(name, f'"{name}"', 1)
        elif name.casefold() not in query.casefold():
            query = f'"{name}" {query}'
    return " ".join(query.split()[:_QUERY_WORDS])


def _fenced(query: str, understanding: Understanding) -> dict[str, str]:
    return {
        "question": fence(query, "question"),
        "anchor": fence(understanding.primary_anchor, "subject"),
    }


def _viewpoint_problems(query: str, data: Any) -> Sequence[str]:
    """What is wrong with viewpoints. Right are different names that state nothing, with questions
    that bring no numbers or orders of their own."""
    rows = data["perspectives"]
    wrong = [_repetition(rows, "name"), *(question_problem(row["name"], query) for row in rows)]
    texts = [text for row in rows for text in (row["focus"], *row["questions"])]
    wrong += [question_problem(text, query) for text in texts]
    return [problem for problem in wrong if problem]


def _tree_problems(query: str, data: Any) -> Sequence[str]:
    """What is wrong with a tree. Right are as many questions of each tier as wanted, all different,
    with headings that state nothing."""
    rows = data["questions"]
    counts = Counter(row["tier"] for row in rows)
    wrong = [
        f"{low} or {high} questions of tier {tier} are wanted, not {counts[tier]}"
        for tier, (low, high) in _SHARES.items()
        if not low <= counts[tier] <= high
    ]
    wrong += [_repetition(rows, "text"), _repetition(rows, "heading")]
    wrong += [question_problem(row["heading"], query) for row in rows]
    wrong += [question_problem(row["text"], query) for row in rows]
    wrong += [query_problem(text, query) for row in rows for text in row["queries"]]
    return [problem for problem in wrong if problem]


def _repetition(rows: Sequence[Mapping[str, Any]], name: str) -> str:
    """What is wrong with a field that is to be different in all rows; "" when it is."""
    values = [" ".join(words(row[name])) for row in rows]
    is_repeated = len(set(values)) < len(values) or "" in values
    return f"every {name} must be different" if is_repeated else ""
