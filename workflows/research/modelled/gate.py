"""What a written sentence must pass before it may stand in a report: its form, the rules, and a separate judgement.

A model that writes is not believed: every number, date, unit, name and direction needs its counterpart in a passage
the sentence cites (rules), and another call that sees only the sentence and the passage must say "support".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.models.prompts import fence
from tools.text.sentences import spans
from tools.text.tokens import words
from tools.trust.verify import SUPPORT, Verifier
from workflows.research.model import Evidence
from workflows.research.modelled.work import Step, Work

_LONGEST = 60  # words of a sentence
_SHORTEST = 4
_PASSAGES = 4  # passages a sentence is held against; the first that supports it counts
_MARKS = re.compile(
    r"https?://|www\.|\[\s*(?:[SCE]?\d+|[a-z]+ \d+)[^\]]*\]|\bdoi\s*:|<[a-z/!]|[*_#`|]{2,}|\{|\}|<<<|>>>|^\s*[-*•#>]",
    re.I,
)
_TO_THE_READER = re.compile(
    r"\b(?:as an ai|i (?:cannot|can't|am|will|have|think)|ignore (?:all|any|the|previous)|system prompt|instructions?:"
    r"|according to (?:the|my) (?:claims?|quotations?|evidence|passages?))\b",
    re.I,
)
JUDGE = Step(
    "judge", "synthesis", "reasoning", "Judgement of a written sentence", "the sentence is not taken",
    {
        "type": "object",
        "properties": {
            "label": {"enum": ["support", "contradict", "neither"]},
            "words": {"type": "string", "maxLength": 600},
        },
        "required": ["label", "words"],
    },
    calls=18, max_tokens=200,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a sentence may stand. evidence: what it cites, the supporting passage first; empty when refused.

    score: the rules' estimate. verifier: who decided. problem: why it was refused, in words for its writer. judged:
    whether the refusal is about what it says (it may be written again) and not about calls being used up.
    """

    evidence: tuple[Evidence, ...] = ()
    score: float = 0.0
    verifier: str = ""
    problem: str = ""
    judged: bool = True


def admit(
    text: str, evidence: Sequence[Evidence], verifier: Verifier, work: Work, threshold: float, private: bool = False
) -> Admission:
    """Hold a sentence against the evidence it cites. private: some of it is from the user's own documents."""
    if problem := form_problem(text):
        return Admission(problem=problem)
    passages = _passages(evidence)
    problems: list[str] = []
    for cited in passages:
        passage = " ".join(" ".join(one.quote.split()) for one in cited)
        judgement = verifier.judge(text, passage)
        if judgement.vetoes or judgement.score < threshold or judgement.label != SUPPORT:
            problems.append("; ".join(judgement.vetoes or judgement.reasons) or "the passage does not say it")
            continue
        if not work.left(JUDGE):
            return Admission(problem="the calls of this run are used up", judged=False)
        said = judge(text, passage, work, private)
        if said is None:
            return Admission(problem="nobody judged it", judged=False)
        if said["label"] == "support":
            return Admission(cited, judgement.score, f"{verifier.name} and {work.models.name(JUDGE.role)}")
        problems.append(f"judged against its passage: {said['label']}")
    return Admission(problem=problems[0] if problems else "it cites nothing")


def judge(text: str, passage: str, work: Work, private: bool = False) -> Any | None:
    """The judgement {label, words} of a call that sees the sentence and the passage alone; None when there is none."""
    held = " ".join(words(passage))

    def problems(data: Any) -> Sequence[str]:
        decided = " ".join(words(data["words"]))
        if data["label"] == "neither" or (decided and decided in held):
            return []
        return ["words must be copied from the passage"]

    values = {"sentence": fence(text, "sentence"), "passage": fence(passage, "passage")}
    return work.ask(JUDGE, values, problems, about=text[:80], private=private)


def form_problem(text: str) -> str:
    """What is wrong with the form of a sentence; empty when nothing is."""
    count = len(text.split())
    if not _SHORTEST <= count <= _LONGEST:
        return f"a sentence has {_SHORTEST} to {_LONGEST} words, not {count}"
    if len(spans(text)) != 1 or not text.rstrip().endswith((".", "!", "?", "。", "！", "？", "।")):
        return "one whole sentence is wanted"
    if not text.isprintable() or _MARKS.search(text):
        return "marks, addresses and source numbers have no place in it"
    if _TO_THE_READER.search(text):
        return "it speaks of itself or gives orders"
    return ""


def _passages(evidence: Sequence[Evidence]) -> list[tuple[Evidence, ...]]:
    """Each piece of evidence alone, then the first two together."""
    single: list[tuple[Evidence, ...]] = [(one,) for one in evidence[:_PASSAGES]]
    return [*single, tuple(evidence[:2])] if len(evidence) > 1 else single
