"""A model writes the answer to a follow-up question from claims; each sentence passes the gate before it is told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import Claim, Evidence
from workflows.research.modelled.work import Step
from workflows.research.modelled.writing import SECTION, Brief, Writer, Written
from workflows.research.state import ResearchState

FOLLOW_UP = Step(
    "follow-up", "synthesis", "reasoning", "Answer", "it is made of quotations", SECTION.schema, calls=4, max_tokens=900
)
_HEADING = 300  # characters of what the research was about
_MOST = 5

Say = Callable[[Written, str], bool]  # a sentence and its confidence sign; whether it was taken


@dataclass(frozen=True, slots=True)
class Writing:
    """What became of the writing. used: ids of the claims that were told. problem: why a model did not write it all."""

    model: str = ""
    refused: int = 0
    used: frozenset[str] = frozenset()
    steps: tuple[str, ...] = ()
    problem: str = ""


def write(looked: ResearchState, question: str, claims: Sequence[Claim], deps: Deps, before: str, say: Say) -> Writing:
    """Hand the sentences that pass to `say`, in the order they pass. Cancelled passes; nothing else is raised.

    looked: the research with the question as its own. before: the conversation so far.
    """
    work = deps.work
    assert work is not None
    evidence = {one.evidence_id: one for one in looked.evidence}
    signs = {claim.claim_id: claim.indicator for claim in claims}
    used: list[str] = []

    def told(written: Written) -> None:
        if say(written, _weakest([signs[one] for one in written.claim_ids])):
            used.extend(written.claim_ids)

    def quotes(claim: Claim) -> list[Evidence]:
        return [evidence[one] for one in claim.evidence_ids if one in evidence]

    asked = replace(looked, original_query=" ".join(question.split())[:2000])
    writer = Writer(asked, work, deps.verifier, deps.settings.span_threshold, quotes, told)
    about = " ".join(looked.understanding.primary_anchor.split())[:_HEADING]
    writer.section(Brief(about, tuple(claims), (before,) if before else (), _MOST, step=FOLLOW_UP))
    name = work.models.name(FOLLOW_UP.role) if used else ""
    return Writing(name, writer.refused, frozenset(used), problem=work.models.problem(FOLLOW_UP.role) or "")


def _weakest(signs: Sequence[str]) -> str:
    """The sign of a sentence that rests on several claims."""
    return next((sign for sign in ("⚠", "✓", "✓✓") if sign in signs), "")


def lines(events: Sequence[Event]) -> tuple[str, ...]:
    """What was asked of models, as sentences."""
    return tuple(event.message[:300] for event in events if event.kind == "model_asked")
