"""A model chooses sentences by their ids: the useful ones of a question's evidence, those that sum up a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tools.models.prompts import fence
from workflows.research.model import Evidence, Question
from workflows.research.modelled.shown import allowed, fitting, listed, private
from workflows.research.modelled.work import Step, Work
from workflows.research.state import ResearchState

IDS = {"type": "array", "minItems": 1, "maxItems": 24, "items": {"type": "string"}}
SHOWN = 60  # sentences shown at once
_SELECTED = 12  # sentences of a question
SELECT = Step(
    "select", "aggregate", "reasoning", "Choice of evidence", "retrieval's ranking stands",
    {
        "type": "object",
        "properties": {"useful": {**IDS, "minItems": 0}, "answer": {**IDS, "minItems": 0, "maxItems": 4}},
        "required": ["useful", "answer"],
    },
    calls=6, max_tokens=400,
)  # fmt: skip
PAGE = Step(
    "page", "aggregate", "reasoning", "Summary of a page", "retrieval's sentences of it stand",
    {
        "type": "object",
        "properties": {"sentences": {**IDS, "minItems": 0, "maxItems": 4}},
        "required": ["sentences"],
    },
    calls=4, max_tokens=200,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Selected:
    """Evidence ids: useful ones best first, and those that answer the question together."""

    useful: tuple[str, ...]
    answer: tuple[str, ...]


def select(
    state: ResearchState, question: Question, evidence: Sequence[Evidence], work: Work | None
) -> Selected | None:
    """Which of a question's sentences are worth keeping, by id, or None. Only ids that were shown can come back."""
    shown = fitting(allowed(state, evidence, work, SELECT)[:SHOWN], work, SELECT) if work else []
    if work is None or len(shown) < 2:
        return None
    values = {
        "question": fence(question.text, "question"),
        "evidence": listed(shown),
        "most": str(min(_SELECTED, len(shown))),
    }
    check = known({one.evidence_id for one in shown}, lambda data: [*data["useful"], *data["answer"]])
    about = f"{question.id}, round {state.round}"
    answer = work.ask(SELECT, values, check, about=about, private=private(state, shown))
    if answer is None:
        return None
    return Selected(tuple(dict.fromkeys(answer["useful"])), tuple(dict.fromkeys(answer["answer"])))


def sum_up(state: ResearchState, title: str, sentences: Sequence[Evidence], work: Work) -> tuple[str, ...]:
    """Ids of the sentences that say what a page has to tell about the question, best first; none without an answer."""
    shown = fitting(allowed(state, sentences, work, PAGE)[:SHOWN], work, PAGE)
    if len(shown) < 2:
        return ()
    values = {
        "question": fence(state.original_query, "question"),
        "title": fence(title[:200], "title"),
        "sentences": listed(shown),
    }
    check = known({one.evidence_id for one in shown}, lambda data: data["sentences"])
    answer = work.ask(PAGE, values, check, about=" ".join(title.split())[:80], private=private(state, shown))
    return tuple(dict.fromkeys(answer["sentences"])) if answer else ()


def known(ids: set[str], named: Callable[[Any], list[str]]) -> Callable[[Any], Sequence[str]]:
    """A check that an answer names nothing but these ids."""

    def problems(data: Any) -> Sequence[str]:
        strange = sorted(set(named(data)) - ids)
        return [f"there is nothing with the id {', '.join(strange)[:100]}"] if strange else []

    return problems
