"""The numbers of a run, out of the configuration."""

from collections.abc import Sequence

from engine.settings.config import Config
from workflows.research.deps import Settings


def run_settings(config: Config) -> Settings:
    """The numbers of a run from the configuration table."""
    get = config.get
    max_sources = get("research.max_sources")
    return Settings(
        rounds=_three(get("research.rounds")),
        hops=_three(get("research.hops")),
        max_sources=(max_sources, max_sources, get("research.max_sources_thorough")),
        max_findings=get("research.max_findings"),
        synthesis_sources=get("research.synthesis_sources"),
        candidates=get("research.candidates"),
        fetch=get("research.fetch"),
        fetch_workers=get("research.fetch_workers"),
        min_sources=get("research.min_sources"),
        enough_coverage=get("research.enough_coverage"),
        primary_coverage=get("research.primary_coverage"),
        voices_for_coverage=get("research.voices_for_coverage"),
        gap_importance=get("research.gap_importance"),
        min_confidence=get("research.min_confidence"),
        min_source=get("credibility.min_source"),
        span_threshold=get("verification.span_threshold"),
        high=get("verification.high"),
        medium=get("verification.medium"),
        follow_top=get("research.follow_top"),
        words=_three(get("research.words")),
        follow_citations=get("research.follow_citations"),
        cross_reference=get("research.cross_reference"),
        backtracking=get("research.backtracking"),
        cross_validation=get("verification.cross_validation"),
        local_terms_in_queries=get("privacy.local_terms_in_queries"),
    )


def _three(values: Sequence[float]) -> tuple[int, int, int]:
    first, second, third = values
    return int(first), int(second), int(third)
