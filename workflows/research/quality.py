"""The quality table: counts of what this run did, from the record alone."""

from tools.research.domains import registrable_domain
from tools.trust.confidence import weighted_mean
from workflows.research.deps import Deps
from workflows.research.model import Claim, Quality
from workflows.research.state import ResearchState

_CREDIBLE = 0.7


def measure(state: ResearchState, refused: int, deps: Deps) -> Quality:
    """The table of a state that has its report."""
    verified = [claim for claim in state.claims if claim.verified]
    used = used_sources(state)
    scores = [s.credibility.score for s in state.sources if s.source_id in used and s.credibility]
    pages = [end for end in state.dead_ends if end.url and end.reason != "low_credibility"]
    fetched = [one for one in state.snapshots if one.url.startswith("http") and one.completeness == "full"]
    return Quality(
        overall_confidence=_overall(state, verified),
        section_confidence=_sections(state, verified),
        verified_claims=len(verified),
        total_claims=len(state.claims),
        cross_validated=sum(claim.cross_validated for claim in verified),
        hallucination_score=round(1 - len(verified) / len(state.claims), 6) if state.claims else 0.0,
        refused_sentences=refused,
        written_sentences=sum(s.kind == "written" for s in state.report.sentences()) if state.report else 0,
        sources_found=len(state.sources),
        sources_used=len(used),
        sources_rejected=sum(bool(source.rejected) for source in state.sources),
        iterations=state.round,
        searches=len(state.asked),
        gaps_open=len(state.gaps),
        distinct_domains=len({registrable_domain(s.url) for s in state.sources if s.url.startswith("http")}),
        links_checked=len(fetched) + len(pages),
        links_alive=len(fetched),
        credible_share=round(sum(score >= _CREDIBLE for score in scores) / len(scores), 6) if scores else 0.0,
    )


def used_sources(state: ResearchState) -> set[str]:
    """Ids of the sources that the report cites."""
    if state.report is None:
        return set()
    return {citation.source_id for sentence in state.report.sentences() for citation in sentence.citations}


def _overall(state: ResearchState, verified: list[Claim]) -> float:
    """Mean of the questions' confidences by question weight."""
    weights = {question.id: question.weight for question in state.plan.questions}
    by_question: dict[str, list[float]] = {}
    for claim in verified:
        by_question.setdefault(claim.question_id, []).append(claim.confidence)
    pairs = [(sum(found) / len(found), weights.get(one, 0.0)) for one, found in sorted(by_question.items())]
    return weighted_mean(pairs)


def _sections(state: ResearchState, verified: list[Claim]) -> dict[str, float]:
    if state.report is None:
        return {}
    by_id = {claim.claim_id: claim for claim in verified}
    found = {}
    for section in state.report.sections:
        scores = [by_id[one].confidence for s in section.sentences for one in s.claim_ids if one in by_id]
        if scores:
            found[section.heading] = round(sum(scores) / len(scores), 6)
    return found
