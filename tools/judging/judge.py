"""What a judge is asked and what it answers: does a passage support a claim, contradict it, or
neither?

Everything that says "supported", "contradicted", a verdict or a confidence goes through a `Judge`.
There are three: `checks` (checks.py, always there), `nli` (nli.py, an entailment model) and `model`
(model_judge.py, a language model).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from tools.text.language import NAMES, language_of

_TITLE_LENGTH = 200  # characters of a title or heading that are put before a passage


class Label(StrEnum):
    """What a passage does for a claim."""

    SUPPORT = "support"
    CONTRADICT = "contradict"
    NEITHER = "neither"


class JudgeKind(StrEnum):
    """Who judged. NONE: the checks alone, which affirm nothing but restatements."""

    NONE = "none"
    NLI = "nli"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage and the context in which it must be understood; only `text` may be quoted as the
    deciding words.

    before, after: the neighbouring sentences. heading: the headings above it. title, date: of its
    document.
    """

    text: str
    before: str = ""
    after: str = ""
    heading: str = ""
    title: str = ""
    date: str | None = None

    @property
    def surroundings(self) -> str:
        """Everything but the passage itself, a line each."""
        parts = (
            self.title[:_TITLE_LENGTH],
            self.heading[:_TITLE_LENGTH],
            self.date or "",
            self.before,
            self.after,
        )
        return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of a claim and its passages.

    probability: that the label is right, calibrated on public data; None where nobody calibrated or
    nobody judged. reasons: sentences for people. passage: index of the deciding passage. deciding:
    words that stand in that passage. vetoed: whether a hard check forbids support.
    """

    label: Label
    probability: float | None = None
    reasons: tuple[str, ...] = ()
    judge: str = "checks"
    passage: int | None = None
    deciding: str = ""
    vetoed: bool = False


Pair = tuple[str, Sequence[Passage]]  # a claim and the passages that may support it


class Judge(Protocol):
    """One who judges; safe to use from several threads."""

    @property
    def name(self) -> str:
        """Who judged, as recorded and shown."""

    @property
    def kind(self) -> JudgeKind:
        """What may be claimed after this judge."""

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """One judgement a pair, in order. Raises ModelError where the judge itself cannot be used,
        Cancelled."""


def other_language(claim: str, passages: Sequence[Passage]) -> str | None:
    """Why a claim cannot be compared with any of the passages, as a sentence; None where one is in
    its language."""
    claim_language = language_of(claim)
    if not claim_language or not passages:
        return None
    languages = [language_of(passage.text) for passage in passages]
    if any(language in ("", claim_language) for language in languages):
        return None
    theirs = " or ".join(dict.fromkeys(NAMES[language] for language in languages))
    return f"Not judged: the statement is in {NAMES[claim_language]}, the passage in {theirs}."
