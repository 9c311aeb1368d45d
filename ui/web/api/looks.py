"""Views of the JSON interface for what the pages show of a research: reasons, retractions, what is found so far."""

from dataclasses import dataclass
from typing import Any

from engine.models import Claim, NotFound, ResearchState
from engine.reports.confidence_terms import ConfidenceSum, confidence_sum
from engine.reports.figures import score_of
from ui.web.api.research import loaded, record
from ui.web.background.retractions import withdrawn
from ui.web.context import engine
from ui.web.pages import research as pages
from ui.web.views import claim_view


@dataclass(frozen=True, slots=True)
class SupportingPassage:
    """A passage that supports a statement or contradicts it."""

    evidence_id: str
    source_id: str
    tag: str
    quote: str
    credibility: float | None


@dataclass(frozen=True, slots=True)
class Reasons:
    """What stands behind a statement. voices: groups of passages, one group an independent source.

    judged: who decided. sum: how its confidence adds up; null where nobody judged.
    """

    claim: Claim
    sum: ConfidenceSum | None
    judged: str
    voices: tuple[tuple[SupportingPassage, ...], ...]
    against: tuple[SupportingPassage, ...]


@dataclass(frozen=True, slots=True)
class Retracted:
    """A source that was retracted since the report was written."""

    source_id: str
    tag: str
    title: str
    notice: str


def of_revision(params: dict[str, Any]) -> ResearchState:
    """The record in force, or the revision that was asked for."""
    state, number = loaded(params["research_id"]), params.get("revision")
    return engine().steering.revision(state.research_id, number) if number else state


def claim(params: dict[str, Any]) -> Reasons:
    state = of_revision(params)
    claim = next((one for one in state.claims if one.claim_id == params["claim_id"]), None)
    if claim is None:
        raise NotFound("This report has no such statement. It may belong to another revision of the report.")
    passages = {one.evidence_id: one for one in state.evidence}
    sources = {one.source_id: one for one in state.sources}

    def passage(name: str) -> SupportingPassage:
        passage = passages[name]
        source = sources.get(passage.source_id)
        tag, score = (source.tag or "", score_of(source)) if source else ("", None)
        return SupportingPassage(name, passage.source_id, tag, passage.quote, score)

    voices = tuple(tuple(map(passage, group)) for group in claim_view.grouped(claim, passages))
    against = tuple(passage(name) for name in claim.contradicting_evidence_ids if name in passages)
    judged = claim_view.judged(claim)
    return Reasons(claim, confidence_sum(state, claim), judged, voices, against)


def retracted(params: dict[str, Any]) -> list[Retracted]:
    sources = withdrawn(loaded(params["research_id"]))
    return [Retracted(one.source_id, one.tag, one.title, one.notice) for one in sources]


def preview(params: dict[str, Any]) -> dict[str, Any]:
    """What a research that goes on has found so far; the record of one that is over."""
    name = params["research_id"]
    state = engine().load_research(name) or engine().preview(name)
    if state is None:
        engine().status(name)
        raise NotFound("Nothing has been found yet; try again in a moment.")
    return record(state)


def reader(params: dict[str, Any]) -> Any:
    """The stored text of a source, of the report in force or of a revision."""
    name, source, number = params["research_id"], params["source_id"], params["revision"]
    return pages.older_page(name, source, number) if number else engine().reader(name, source)
