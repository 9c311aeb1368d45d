"""Which verifier judges: the built-in rules, a cross-encoder of the user's, or rules and the opinion of a model."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tools.errors import ModelError
from tools.trust.verify import Judgement, RuleVerifier, Verifier
from tools.trust.weights import CONTRADICT, NEITHER, SUPPORT

_ONNX = "onnx:"
_ADMITTED = 0.6  # what a model's support is worth at least, where no rule objects
_CAPPED = {CONTRADICT: 0.2, NEITHER: 0.4}


def find(name: str | None = None) -> Verifier:
    """The verifier of a setting: None, "" or "rules"; "onnx:PATH" or a path. Raises ModelError with what is wrong."""
    if not name or name == "rules":
        return RuleVerifier()
    from tools.trust.cross_encoder import CrossEncoder

    return CrossEncoder(Path(name.removeprefix(_ONNX)).expanduser())


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model says of a sentence and a passage. label: support, contradict, neither. words: those that decide."""

    label: str
    words: str = ""


class SecondOpinion:
    """Rules first; where none objects, a model that sees only the sentence and the passage must agree.

    ask: (claim, passage) -> Opinion; raises ModelError. A model that fails leaves the decision to the rules, and the
    judgement says so.
    """

    def __init__(self, ask: Callable[[str, str], Opinion], name: str, rules: Verifier | None = None) -> None:
        self._ask, self._rules = ask, rules or RuleVerifier()
        self.name = f"{self._rules.name} and {name}"
        self._model = name

    def judge(self, claim: str, passage: str, context: str = "") -> Judgement:
        """See Verifier."""
        first = self._rules.judge(claim, passage, context)
        if first.vetoes or first.score == 1.0 or first.end <= first.start:
            return first
        try:
            opinion = self._ask(claim, passage[first.start : first.end])
        except ModelError as error:
            return replace(first, reasons=(*first.reasons, f"the model did not judge: {error}"))
        if opinion.label not in (SUPPORT, CONTRADICT, NEITHER):
            return replace(first, reasons=(*first.reasons, "the model's answer was none of the three labels"))
        supports = opinion.label == SUPPORT
        score = max(first.score, _ADMITTED) if supports else min(first.score, _CAPPED[opinion.label])
        told = f"{self._model} says {opinion.label}" + (f" ({opinion.words})" if opinion.words else "")
        return replace(
            first, label=opinion.label, score=score, reasons=(*first.reasons, told), verifier=self.name,
            vetoes=() if supports else (told,),
        )  # fmt: skip
