"""When the words that answer are shown by themselves: only where the reader is sure enough of them."""

from workflows.research.answer.selection import Selected
from workflows.research.understand.intent import Intent
from workflows.research.understand.parts import Part

# Nine of ten such answers were right on data that did not choose it (docs/model-cards/reader.md)
SURE = 0.5
_INTENTS = (Intent.FACT, Intent.PERSON)


def sure_enough(part: Part, selected: Selected) -> bool:
    """Whether the span of a passage may stand alone as the answer."""
    if selected.span is None or part.intent not in _INTENTS:
        return False
    return selected.score * selected.span_score >= SURE
