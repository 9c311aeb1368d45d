"""When the words that answer are shown by themselves: only where the reader is sure enough of
them."""

from workflows.research.answer.selection import Selected
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part

# The probability that the words are right; calibrated on questions that the reader was not trained
# on
SURE = 0.9
_INTENTS = (Intent.FACT, Intent.PERSON)


def sure_enough(part: Part, selected: Selected) -> bool:
    """Whether the span of a passage may stand alone as the answer."""
    if selected.span is None or part.intent not in _INTENTS:
        return False
    return selected.span_score >= SURE
