"""A model picks evidence, puts it into claims and judges pairs. It only names what exists; rules check what it says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tools.models.prompts import fence
from workflows.research.model import Evidence, Question
from workflows.research.modelled.shown import allowed, fitting, listed, private
from workflows.research.modelled.work import Step, Work
from workflows.research.state import ResearchState

_IDS = {"type": "array", "minItems": 1, "maxItems": 24, "items": {"type": "string"}}
_FEWEST, _MOST = 8, 24  # claims of a run
_SELECTED = 12  # sentences of a question
_SHOWN = 60  # sentences shown at once
_PAIRS = 6  # pairs shown at once
NATURES = ("direct", "scope", "nuanced", "none")
SELECT = Step(
    "select", "aggregate", "reasoning", "Choice of evidence", "retrieval's ranking stands",
    {
        "type": "object",
        "properties": {"useful": {**_IDS, "minItems": 0}, "answer": {**_IDS, "minItems": 0, "maxItems": 4}},
        "required": ["useful", "answer"],
    },
    calls=5, max_tokens=400,
)  # fmt: skip
CLAIMS = Step(
    "claims", "cross_reference", "reasoning", "Claims", "each sentence of evidence is a claim",
    {
        "type": "object",
        "properties": {
            "claims": {
                "type": "array", "minItems": 1, "maxItems": _MOST,
                "items": {
                    "type": "object",
                    "properties": {"text": {"type": "string", "minLength": 10, "maxLength": 400}, "evidence": _IDS},
                    "required": ["text", "evidence"],
                },
            }
        },
        "required": ["claims"],
    },
    calls=2, max_tokens=3000,
)  # fmt: skip
CONTRADICTION = Step(
    "contradiction", "cross_reference", "reasoning", "Contradictions", "the rules' judgement stands",
    {
        "type": "object",
        "properties": {
            "pairs": {
                "type": "array", "minItems": 1, "maxItems": _PAIRS,
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "nature": {"enum": list(NATURES)},
                        "why": {"type": "string", "minLength": 2, "maxLength": 300},
                    },
                    "required": ["id", "nature", "why"],
                },
            }
        },
        "required": ["pairs"],
    },
    calls=2,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim in the model's words with the evidence it names, the clearest first."""

    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Selected:
    """Evidence ids: useful ones best first, and those that answer the question together."""

    useful: tuple[str, ...]
    answer: tuple[str, ...]


def select(
    state: ResearchState, question: Question, evidence: Sequence[Evidence], work: Work | None
) -> Selected | None:
    """Which of a question's sentences are worth keeping, by id, or None. Only ids that were shown can come back."""
    shown = fitting(allowed(state, evidence, work, SELECT)[:_SHOWN], work, SELECT) if work else []
    if work is None or len(shown) < 2:
        return None
    values = {
        "question": fence(question.text, "question"),
        "evidence": listed(shown),
        "most": str(min(_SELECTED, len(shown))),
    }
    check = _known({one.evidence_id for one in shown}, lambda data: [*data["useful"], *data["answer"]])
    about = f"{question.id}, round {state.round}"
    answer = work.ask(SELECT, values, check, about=about, private=private(state, shown))
    if answer is None:
        return None
    return Selected(tuple(dict.fromkeys(answer["useful"])), tuple(dict.fromkeys(answer["answer"])))


def claims(
    state: ResearchState,
    evidence: Sequence[Evidence],
    supported: Callable[[str, Sequence[Evidence]], bool],
    work: Work | None,
) -> list[Stated]:
    """Claims in the model's words, each supported by the evidence it names; empty when there is no usable answer.

    supported: the verifier's word on a text and its evidence. What it refuses is left out, and the repair is told.
    """
    shown = fitting(allowed(state, evidence, work, CLAIMS)[:_SHOWN], work, CLAIMS) if work else []
    if work is None or len(shown) < 2:
        return []
    by_id = {one.evidence_id: one for one in shown}
    values = {
        "question": fence(state.original_query, "question"),
        "evidence": listed(shown),
        "least": str(min(_FEWEST, len(shown))),
        "most": str(min(_MOST, len(shown))),
    }
    known = _known(set(by_id), lambda data: [one for row in data["claims"] for one in row["evidence"]])
    answer = work.ask(CLAIMS, values, known, private=private(state, shown))
    rows = [
        (row["text"], [by_id[one] for one in dict.fromkeys(row["evidence"])])
        for row in (answer or {"claims": ()})["claims"]
    ]
    return [Stated(" ".join(text.split()), tuple(own)) for text, own in rows if supported(text, own)]


def judge_pairs(pairs: Sequence[tuple[str, str, str]], work: Work | None, own: bool) -> dict[str, tuple[str, str]]:
    """id -> (nature, why) for pairs (id, statement, statement); what the model leaves out or gets wrong is missing.

    own: whether any statement comes from the user's own documents.
    """
    shown = list(pairs[:_PAIRS])
    if work is None or not shown:
        return {}
    text = "\n\n".join(fence(f"A: {a}\nB: {b}", f"pair {name}") for name, a, b in shown)
    check = _known({name for name, _, _ in shown}, lambda data: [row["id"] for row in data["pairs"]])
    answer = work.ask(CONTRADICTION, {"pairs": text}, check, private=own)
    return {row["id"]: (row["nature"], " ".join(row["why"].split())) for row in (answer or {"pairs": ()})["pairs"]}


def _known(ids: set[str], named: Callable[[Any], list[str]]) -> Callable[[Any], Sequence[str]]:
    def problems(data: Any) -> Sequence[str]:
        strange = sorted(set(named(data)) - ids)
        return [f"there is nothing with the id {', '.join(strange)[:100]}"] if strange else []

    return problems
