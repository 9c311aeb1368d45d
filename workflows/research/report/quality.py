"""The quality table and the one set of counts: found, read, cited, set aside. From the record
alone."""

from tools.documents.model import Completeness
from tools.errors import FailureReason
from tools.sources.domains import registrable_domain
from workflows.research.answer.strength import cited_sources
from workflows.research.model import Quality
from workflows.research.report.sentences import SentenceKind
from workflows.research.state import ResearchState

CREDIBLE = 0.7


def measure(state: ResearchState, refused: int) -> Quality:
    """The table of a state that has its report. What nobody judged is None."""
    used_ids = used_sources(state)
    fetch_count = sum(
        snapshot.url.startswith("http") and snapshot.completeness == Completeness.FULL
        for snapshot in state.snapshots
    )
    unreadable = sum(
        bool(end.url) and end.reason != FailureReason.LOW_CREDIBILITY for end in state.dead_ends
    )
    read_ids = {snapshot.source_id for snapshot in state.snapshots} & {
        source.source_id for source in state.sources
    }
    return Quality(
        overall_confidence=_confidence(state),
        verified_claims=sum(claim.verified for claim in state.claims),
        total_claims=len(state.claims),
        cross_validated=sum(claim.cross_validated for claim in state.claims),
        refused_sentences=refused,
        written_sentences=_written(state),
        sources_found=len(state.sources),
        sources_read=len(read_ids),
        sources_used=len(used_ids),
        sources_rejected=sum(bool(source.rejected) for source in state.sources),
        iterations=state.round,
        searches=len(state.asked),
        gaps_open=len(state.gaps),
        distinct_domains=_domains(state),
        links_checked=fetch_count + unreadable,
        links_alive=fetch_count,
        credible_share=_credible_share(state, used_ids),
    )


def _confidence(state: ResearchState) -> float | None:
    confidences = [claim.confidence for claim in state.claims if claim.confidence is not None]
    return round(sum(confidences) / len(confidences), 6) if confidences else None


def _written(state: ResearchState) -> int:
    sentences = [*state.answer.written] if state.answer else []
    if state.report:
        sentences += state.report.sentences()
    return sum(sentence.kind == SentenceKind.WRITTEN for sentence in sentences)


def _domains(state: ResearchState) -> int:
    urls = {source.url for source in state.sources if source.url.startswith("http")}
    return len(set(map(registrable_domain, urls)))


def _credible_share(state: ResearchState, used_ids: set[str]) -> float:
    """The share of the sources used, of those that are rated, that are credible."""
    scores = [
        s.credibility
        for s in state.sources
        if s.source_id in used_ids and s.credibility and not s.is_local
    ]
    rated = [credibility.score for credibility in scores if credibility.is_rated]
    return round(sum(score >= CREDIBLE for score in rated) / len(rated), 6) if rated else 0.0


def used_sources(state: ResearchState) -> set[str]:
    """Ids of the sources that the answer or the report cites."""
    source_ids = cited_sources(state.answer)
    if state.report is not None:
        source_ids |= {
            citation.source_id
            for sentence in state.report.sentences()
            for citation in sentence.citations
        }
        source_ids |= {
            passage.source_id for section in state.report.sections for passage in section.passages
        }
    return source_ids
