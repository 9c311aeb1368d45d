"""Evidence as a model sees it: numbered sentences of the best sources, inside the mark that makes them material."""

from collections.abc import Sequence

from tools.models.prompts import fence
from workflows.research.model import Evidence
from workflows.research.modelled.work import Step, Work
from workflows.research.state import ResearchState

_QUOTE = 500  # characters of a sentence that are shown
_SHARE = 0.5  # of the model's window that material may fill
_CHARACTERS = 4  # a token, estimated


def allowed(state: ResearchState, evidence: Sequence[Evidence], work: Work, step: Step) -> list[Evidence]:
    """The evidence a model may see: the user's own documents stay here unless the model runs here or he allows it."""
    if work.models.may_see_documents(step.role):
        return list(evidence)
    own = own_sources(state)
    return [one for one in evidence if one.source_id not in own]


def own_sources(state: ResearchState) -> set[str]:
    """Ids of the sources that are the user's own documents."""
    return {source.source_id for source in state.sources if source.source_type == "local"}


def private(state: ResearchState, evidence: Sequence[Evidence]) -> bool:
    """Whether any of it comes from the user's own documents."""
    own = own_sources(state)
    return any(one.source_id in own for one in evidence)


def fitting(evidence: Sequence[Evidence], work: Work, step: Step) -> list[Evidence]:
    """As many, in their order, as half of the model's window takes beside the answer."""
    room = max(1000, int((work.models.window(step.role) - step.max_tokens) * _CHARACTERS * _SHARE))
    chosen: list[Evidence] = []
    for one in evidence:
        room -= min(len(one.quote), _QUOTE) + 16
        if room < 0:
            break
        chosen.append(one)
    return chosen


def listed(evidence: Sequence[Evidence]) -> str:
    """The sentences with their ids, fenced."""
    lines = (f"{one.evidence_id}: {' '.join(one.quote.split())[:_QUOTE]}" for one in evidence)
    return fence("\n".join(lines), "sentences")
