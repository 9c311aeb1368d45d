"""A model says what is missing where a question is badly covered, and how else to search for it.

It is told what the run did and found so far, in notes that are folded to what its window takes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tools.models.folding import Interaction, Memory, messages, note_tool, remember
from tools.models.prompts import fence
from workflows.research.events import Event, EventKind
from workflows.research.model import DeadEnd, Gap, Question
from workflows.research.modelled.questions import anchored
from workflows.research.modelled.wording import query_problem
from workflows.research.modelled.work import Step, Work
from workflows.research.state import ResearchState
from workflows.research.understand.plan import alike

_QUERIES = {
    "type": "array",
    "minItems": 1,
    "maxItems": 3,
    "items": {"type": "string", "minLength": 2, "maxLength": 200},
}
GAPS = Step(
    "gaps", "gaps", "reasoning", "What is missing", "queries are made from the words not covered "
                                                    "yet",
    {
        "type": "object",
        "properties": {
            "gaps": {
                "type": "array", "minItems": 1, "maxItems": 12,
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "missing": {"type": "string", "minLength": 2, "maxLength": 300},
                        "queries": _QUERIES,
                    },
                    "required": ["id", "missing", "queries"],
                },
            }
        },
        "required": ["gaps"],
    },
    calls=4,
)  # fmt: skip
ALTERNATIVE = Step(
    "alternative", "aggregate", "search", "Another search", "rules make the other search",
    {
        "type": "object",
        "properties": {"query": {"type": "string", "minLength": 2, "maxLength": 200}},
        "required": ["query"],
    },
    calls=2, max_tokens=100,
)  # fmt: skip
# The answer is text, so there is no schema; the prompt is tools/models/folding.txt
FOLD = Step(
    "fold",
    "gaps",
    "reasoning",
    "Notes",
    "sentences of the notes are picked",
    {},
    calls=2,
    max_tokens=1200,
)
OWN_DOCUMENT = "[own document]"  # how a note from one ends
_SHARE = 4  # of the window may be notes
_MOST = 6  # gaps shown at once


def refine(
    state: ResearchState, gaps: Sequence[Gap], work: Work | None, is_local: bool = False
) -> tuple[Gap, ...]:
    """The gaps with the model's queries where it gave some that were not made before; the others
    unchanged.

    It is shown the gaps that are to be closed, and notes on what was done so far, folded to what
    fits. is_local: whether words of the user's own documents may stand in queries; where not, the
    notes hold nothing of them.
    """
    in_order = sorted((gap for gap in gaps if gap.queries), key=lambda gap: -gap.importance)[:_MOST]
    if work is None or not in_order or not work.calls_left(GAPS):
        return tuple(gaps)
    notes_text, private = _notes(state, work, GAPS.role, is_local)
    ids = {gap.question_id for gap in in_order}

    def problems(data: Any) -> Sequence[str]:
        strange = sorted({row["id"] for row in data["gaps"]} - ids)
        wrong = [f"there is no question {', '.join(strange)[:100]}"] if strange else []
        wrong += [
            query_problem(query, state.original_query)
            for row in data["gaps"]
            for query in row["queries"]
        ]
        return [problem for problem in wrong if problem]

    values = {
        "question": fence(state.original_query, "question"),
        "anchor": fence(state.understanding.primary_anchor, "subject"),
        "notes": fence(notes_text or "Nothing yet.", "notes"),
        "gaps": fence("\n".join(f"{gap.question_id}: {gap.text}" for gap in in_order), "questions"),
    }
    answer = work.ask(
        GAPS, values, problems, about=f"round {state.round}", private=private, sample=state.round
    )
    rows: Mapping[str, Any] = {row["id"]: row for row in (answer or {"gaps": ()})["gaps"]}
    return tuple(_refined(gap, rows.get(gap.question_id), state) for gap in gaps)


def _refined(gap: Gap, row: Mapping[str, Any] | None, state: ResearchState) -> Gap:
    if row is None:
        return gap
    earlier = [search.query for search in state.asked]
    queries = (anchored(query, state.understanding) for query in row["queries"])
    fresh = tuple(
        query
        for query in dict.fromkeys(queries)
        if not any(alike(query, previous) for previous in earlier)
    )
    return replace(gap, queries=fresh or gap.queries)


def alternative(ends: Sequence[DeadEnd], state: ResearchState, work: Work | None) -> str | None:
    """One other query for searches of a round that led nowhere whatever was tried, or None."""
    if work is None or not ends:
        return None
    tried = "\n".join(f"{end.query}: {end.reason.replace('_', ' ')}" for end in ends[:5])
    values = {
        "question": fence(state.original_query, "question"),
        "anchor": fence(state.understanding.primary_anchor, "subject"),
        "tried": fence(tried, "searches"),
    }

    def problems(data: Any) -> Sequence[str]:
        problem = query_problem(data["query"], state.original_query)
        return [problem] if problem else []

    answer = work.ask(
        ALTERNATIVE, values, problems, about=(ends[0].query or "")[:80], sample=state.round
    )
    query = anchored(answer["query"], state.understanding) if answer else None
    return None if query is None or any(alike(query, end.query or "") for end in ends) else query


def _notes(state: ResearchState, work: Work, role: str, own_too: bool = True) -> tuple[str, bool]:
    """The notes, and whether the user's own documents speak in them. role: who is to read them.

    own_too: whether what was found in these documents may stand in them at all.

    A question with its answer is one exchange of a memory that folds (tools/models/folding.py);
    each client that was asked is a tool of it. Without calls left, or where the model fails,
    sentences are picked.
    """
    local_ids = {source.source_id for source in state.sources if source.is_local}
    hidden = set() if own_too and work.models.may_see_documents(role) else local_ids
    exchanges = [
        Interaction(i, q.text, _answer(q, bool(hidden)))
        for i, q in enumerate(state.plan.questions, 1)
    ]
    if not exchanges:
        return "", False
    *before, last = exchanges
    memory = Memory(working=tuple(before), budget=max(1000, work.models.window(role) // _SHARE))
    for report in state.clients:
        result = report.problem or f"{report.found} hits in {report.requests} requests"
        memory = note_tool(memory, report.client, result)
    private = bool(local_ids - hidden)
    memory = remember(memory, last.question, last.answer, work.summariser(FOLD, private))
    if memory.summaries:
        count = sum(summary.last - summary.first + 1 for summary in memory.summaries)
        message = f"Notes on {count} questions were folded."
        work.emit(
            Event(
                EventKind.CONTEXT_FOLDED,
                "gaps",
                message,
                {"exchanges": count, "tokens": memory.tokens},
            )
        )
    return "\n\n".join(message.text for message in messages(memory, "")), private


def _answer(question: Question, without_own: bool) -> str:
    """What was found for a question; without_own: but not in the user's own documents."""
    lines = [line for line in question.answer if not (without_own and line.endswith(OWN_DOCUMENT))]
    return " ".join(lines) or "Nothing was found."
