"""What a written sentence must pass before it may stand in a report: its form, the rules, and a separate judgement.

A model that writes is not believed: every number, date, unit, name and direction needs its counterpart in a passage
the sentence cites (rules), and another call that sees only the sentence and the passage must say "support".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.models.prompts import fence
from tools.text.language import language_of
from tools.text.sentences import spans
from tools.text.tokens import words
from tools.trust.verify import SUPPORT, Judgement, Verifier
from tools.trust.worth import addressed
from workflows.research.model import Evidence
from workflows.research.modelled.attached import joins_apart
from workflows.research.modelled.beyond import says_more
from workflows.research.modelled.work import Step, Work

_LONGEST = 60  # words of a sentence
_SHORTEST = 4
_PASSAGES = 4  # passages a sentence is held against
_MARKS = re.compile(
    r"https?://|www\.|\[\s*+(?:[SCE]?\d++|[a-z]+ \d++)[^\]]{0,200}\]|\bdoi\s*:"
    r"|<[a-z/!]|[*_#`|]{2,}|\{|\}|<<<|>>>|^\s*[-*•#>]",
    re.I,
)
_TO_THE_READER = re.compile(
    r"\b(?:as an ai|i (?:cannot|can't|am|will|have|think)|ignore (?:all|any|the|previous)|system prompt|instructions?:"
    r"|according to (?:the|my) (?:claims?|quotations?|evidence|passages?))\b",
    re.I,
)
# "... fewer hours in 2024 than.", "Compared with the year before."
_FRAGMENT = re.compile(
    r"\b(?:than|of|in|the|an?|and|or|but|to|by|for|with|from|that|which|as|at|on|into|is|are|was|were|its|their)\W*$"
    r"|^(?:compared|according|because|although|though|while|whereas|if|since|when|based|due|unlike|instead|including"
    r"|which|who|whose|than|and|or|but)\b[^,]*$",
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
    """Hold a sentence against the evidence it cites: one passage must state all of it, by rules and by judgement.

    private: some of it is from the user's own documents. Two passages together are no support: what they say of
    different things would become one statement.
    """
    if problem := form_problem(text):
        return Admission(problem=problem)
    problems: list[str] = []
    stating: list[tuple[Evidence, Judgement]] = []
    for one in evidence[:_PASSAGES]:
        said = by_rules(text, one.quote, verifier, threshold)
        if isinstance(said, str):
            problems.append(said)
        else:
            stating.append((one, said))
    for one, said in stating:
        if not work.left(JUDGE):
            return Admission(problem="the calls of this run are used up", judged=False)
        verdict = judge(text, one.quote, work, private)
        if verdict is None:
            return Admission(problem="nobody judged it", judged=False)
        if verdict["label"] == SUPPORT:
            others = [other for other in evidence if other is not one and _seconds(text, other, verifier, threshold)]
            return Admission(
                (one, *others), said.score, f"{said.verifier or verifier.name} and {work.models.name(JUDGE.role)}"
            )
        problems.append(f"judged against its passage: {verdict['label']}")
    return Admission(problem=problems[0] if problems else "it cites nothing")


def _seconds(text: str, one: Evidence, verifier: Verifier, threshold: float) -> bool:
    """Whether another passage says so too, in its own words: judged as any support of a claim is."""
    said = verifier.judge(text, " ".join(one.quote.split()))
    return said.label == SUPPORT and not said.vetoes and said.score >= threshold


def by_rules(text: str, passage: str, verifier: Verifier, threshold: float) -> Judgement | str:
    """The rules' judgement of a written sentence that a passage supports; else what stands against it, in words."""
    passage = " ".join(passage.split())
    here, there = language_of(text), language_of(passage)
    if here and there and here != there:
        return "it is in another language than its passage, so rules cannot compare them"
    if addressed(passage):
        return "nothing may rest on this passage"
    if problem := says_more(text, passage) or joins_apart(text, passage):
        return problem
    said = verifier.judge(text, passage)
    if said.vetoes or said.label != SUPPORT or said.score < threshold:
        return "; ".join(said.vetoes or said.reasons) or "the passage does not say it"
    return said


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
    if _FRAGMENT.search(text):
        return "it is a piece of a sentence"
    if not text.isprintable() or _MARKS.search(text):
        return "marks, addresses and source numbers have no place in it"
    if _TO_THE_READER.search(text) or addressed(text):
        return "it speaks of itself or gives orders"
    return ""
