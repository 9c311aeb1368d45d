"""A model puts evidence into claims and judges pairs of them. It only names what exists; rules check what it says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.models.prompts import fence
from tools.text.tokens import words
from tools.trust.verify import SUPPORT, Verifier
from workflows.research.model import Evidence
from workflows.research.modelled.choice import IDS, SHOWN, known
from workflows.research.modelled.gate import by_rules, form_problem
from workflows.research.modelled.shown import allowed, fitting, listed, private
from workflows.research.modelled.work import Step, Work
from workflows.research.state import ResearchState

_FEWEST, _MOST = 8, 24  # claims of a run
_PAIRS = 6  # pairs shown at once
_BATCH = 8  # sentences judged at once
_CONTEXT = 12  # words that are quoted of a side
NATURES = ("direct", "scope", "nuanced", "none")
CLAIMS = Step(
    "claims", "cross_reference", "reasoning", "Claims", "each sentence of evidence is a claim",
    {
        "type": "object",
        "properties": {
            "claims": {
                "type": "array", "minItems": 1, "maxItems": _MOST,
                "items": {
                    "type": "object",
                    "properties": {"text": {"type": "string", "minLength": 10, "maxLength": 400}, "evidence": IDS},
                    "required": ["text", "evidence"],
                },
            }
        },
        "required": ["claims"],
    },
    calls=2, max_tokens=3000,
)  # fmt: skip
CHECK = Step(
    "check", "cross_reference", "reasoning", "Judgement of claims", "they are not taken",
    {
        "type": "object",
        "properties": {
            "pairs": {
                "type": "array", "minItems": 1, "maxItems": _BATCH,
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "label": {"enum": ["support", "contradict", "neither"]},
                        "words": {"type": "string", "maxLength": 600},
                    },
                    "required": ["id", "label", "words"],
                },
            }
        },
        "required": ["pairs"],
    },
    calls=4, max_tokens=900,
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
                        "a": {"type": "string", "maxLength": 200},
                        "b": {"type": "string", "maxLength": 200},
                    },
                    "required": ["id", "nature", "a", "b"],
                },
            }
        },
        "required": ["pairs"],
    },
    calls=2,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim in the model's words. evidence: what supports it, the clearest first, each with the rules' score."""

    text: str
    evidence: tuple[tuple[Evidence, float], ...]
    model: str
    verifier: str


def claims(
    state: ResearchState, evidence: Sequence[Evidence], verifier: Verifier, threshold: float, work: Work | None
) -> list[Stated]:
    """Claims in the model's words; empty when there is no usable answer.

    Each passed the rules against every sentence it keeps, and a separate judgement against the first. evidence: best
    first, each with the quotation as a report would show it.
    """
    shown = fitting(allowed(state, evidence, work, CLAIMS)[:SHOWN], work, CLAIMS) if work else []
    if work is None or len(shown) < 2:
        return []
    by_id = {one.evidence_id: one for one in shown}
    values = {
        "question": fence(state.original_query, "question"),
        "evidence": listed(shown),
        "least": str(min(_FEWEST, len(shown))),
        "most": str(min(_MOST, len(shown))),
    }
    check = known(set(by_id), lambda data: [one for row in data["claims"] for one in row["evidence"]])
    answer = work.ask(CLAIMS, values, check, private=private(state, shown))
    name = work.models.name(CLAIMS.role)
    stated = []
    for row in (answer or {"claims": ()})["claims"]:
        text = " ".join(row["text"].split())
        held = _held(text, [by_id[one] for one in dict.fromkeys(row["evidence"])], verifier, threshold)
        if held:
            stated.append(Stated(text, held, name, f"{verifier.name} and {name}"))
    return _judged(state, stated, work)


def _held(
    text: str, evidence: Sequence[Evidence], verifier: Verifier, threshold: float
) -> tuple[tuple[Evidence, float], ...]:
    """The sentences that state a claim, by the rules for written sentences."""
    if form_problem(text):
        return ()
    judged = [(one, by_rules(text, one.quote, verifier, threshold)) for one in evidence]
    return tuple((one, said.score) for one, said in judged if not isinstance(said, str))


def _judged(state: ResearchState, stated: Sequence[Stated], work: Work) -> list[Stated]:
    """Those that a call which sees only each claim and its first sentence takes as supported."""
    # A quotation states itself
    passed = [one for one in stated if one.text == " ".join(one.evidence[0][0].quote.split())]
    open_ = [one for one in stated if one not in passed]
    for start in range(0, len(open_), _BATCH):
        batch = open_[start : start + _BATCH]
        passages = {f"pair {i}": one.evidence[0][0].quote for i, one in enumerate(batch, 1)}
        text = "\n\n".join(
            fence(f"Sentence: {one.text}\nPassage: {passages[f'pair {i}']}", f"pair {i}")
            for i, one in enumerate(batch, 1)
        )
        own = private(state, [one.evidence[0][0] for one in batch])
        answer = work.ask(CHECK, {"pairs": text}, _decided(passages), about=f"from {start + 1}", private=own)
        said = {row["id"]: row["label"] for row in (answer or {"pairs": ()})["pairs"]}
        passed += [one for i, one in enumerate(batch, 1) if said.get(f"pair {i}") == SUPPORT]
    return [one for one in stated if one in passed]


def _decided(passages: dict[str, str]) -> Any:
    """A check that the deciding words stand in the passage of their pair."""

    def problems(data: Any) -> Sequence[str]:
        strange = sorted({row["id"] for row in data["pairs"]} - set(passages))
        if strange:
            return [f"there is nothing with the id {', '.join(strange)[:100]}"]
        wrong = [
            row["id"]
            for row in data["pairs"]
            if row["label"] != "neither" and not copied(row["words"], passages[row["id"]])
        ]
        return [f"words of {', '.join(wrong)} must be copied from its passage"] if wrong else []

    return problems


def copied(part: str, whole: str) -> bool:
    """Whether words stand in a text one after the other; none do not."""
    mine = " ".join(words(part))
    return bool(mine) and f" {mine} " in f" {' '.join(words(whole))} "


def judge_pairs(pairs: Sequence[tuple[str, str, str]], work: Work | None, own: bool) -> dict[str, tuple[str, str, str]]:
    """id -> (nature, words of A, words of B) for pairs (id, A, B) that clash in the model's judgement.

    The words are copied from the statements. What the model leaves out or gets wrong is missing. own: whether any
    statement comes from the user's own documents.
    """
    shown = list(pairs[:_PAIRS])
    if work is None or not shown:
        return {}
    statements = {name: (a, b) for name, a, b in shown}
    text = "\n\n".join(fence(f"A: {a}\nB: {b}", name) for name, a, b in shown)

    def problems(data: Any) -> Sequence[str]:
        strange = sorted({row["id"] for row in data["pairs"]} - set(statements))
        if strange:
            return [f"there is nothing with the id {', '.join(strange)[:100]}"]
        wrong = [row["id"] for row in data["pairs"] if row["nature"] != "none" and not _sides(row, statements)]
        return [f"a and b of {', '.join(wrong)} must be copied from A and B"] if wrong else []

    answer = work.ask(CONTRADICTION, {"pairs": text}, problems, private=own)
    rows = (answer or {"pairs": ()})["pairs"]
    return {row["id"]: (row["nature"], _line(row["a"]), _line(row["b"])) for row in rows if row["nature"] != "none"}


def _sides(row: Any, statements: dict[str, tuple[str, str]]) -> bool:
    a, b = statements[row["id"]]
    short = len(row["a"].split()) <= _CONTEXT and len(row["b"].split()) <= _CONTEXT
    return short and copied(row["a"], a) and copied(row["b"], b) and words(row["a"]) != words(row["b"])


def _line(text: str) -> str:
    return " ".join(text.split())
