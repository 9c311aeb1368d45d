"""The numbers of a run, with what they are unless the user sets others."""

from typing import NamedTuple


class Settings(NamedTuple):
    """Numbers of a run; one row each of the configuration table, which takes its default from here.

    Indexed per depth where a tuple of three.
    """

    rounds: tuple[int, int, int] = (1, 2, 3)
    hops: tuple[int, int, int] = (0, 1, 2)
    max_sources: int = 50
    max_sources_thorough: int = 200  # at depth 3
    max_findings: int = 50
    synthesis_sources: int = 15
    candidates: int = 40
    fetch: int = 20
    fetch_workers: int = 6
    min_sources: int = 5
    enough_coverage: float = 0.8
    primary_coverage: float = 0.5
    voices_for_coverage: int = 3
    gap_importance: float = 0.5
    min_confidence: float = 0.7
    min_source: float = 0.35
    high: float = 0.8
    medium: float = 0.6
    follow_top: int = 5
    follow_citations: bool = True
    cross_reference: bool = True
    backtracking: bool = True
    cross_validation: bool = True
    local_terms_in_queries: bool = False
