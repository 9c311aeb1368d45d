"""Credibility (4): every source scored, with its breakdown; for judged claims their confidence,
level and indicator.

Retracted and predatory sources, and those of too low quality, are set aside with the reason before
anything is quoted: they stay in the list and support nothing. What nobody judged has no confidence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tools.errors import NotFound, StorageError
from tools.judging.judge import JudgeKind
from tools.sources.source import Credibility, Source
from tools.text.figures import hundredths
from tools.text.phrases import counted
from workflows.research.deps import Deps
from workflows.research.model import Claim, Finding
from workflows.research.state import ResearchState
from workflows.research.verify.confidence import assess_claim

UNJUDGED = "unjudged"
_LEVELS = ("high", "medium", "low")
_NEVER_SUPPORT = {
    "retracted": "Retracted works support nothing",
    "predatory_publisher": "Predatory publishers support nothing",
}


def scored_sources(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with every source scored by where it was published, and set aside where it may
    support nothing."""
    sources = tuple(set_aside(_scored(source, None, deps), deps) for source in state.sources)
    _report_set_aside(state, sources, deps)
    return replace(state, sources=sources)


def score(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with the scores that agreement raises, claims with their confidence, and
    findings."""
    has_judge = deps.judge.kind != JudgeKind.NONE
    voices = best_voices(state.claims) if has_judge else {}
    earlier = {source.source_id: source.credibility for source in state.sources}
    sources = tuple(
        set_aside(_scored(source, voices.get(source.source_id), deps), deps)
        if source.source_id in voices or earlier[source.source_id] is None
        else source
        for source in state.sources
    )
    credibility = {
        source.source_id: source.credibility.score
        for source in sources
        if source.credibility and not source.rejected
    }
    claims = with_confidence(state, credibility, deps) if has_judge else state.claims
    findings = rank_findings(claims, credibility)[: deps.settings.max_findings]
    _report_sums(sources, deps)
    return replace(state, sources=sources, claims=tuple(claims), findings=tuple(findings))


def best_voices(claims: Sequence[Claim]) -> dict[str, int]:
    """Per source the largest number of voices behind any verified claim it supports; absent where
    there is none."""
    best: dict[str, int] = {}
    for claim in claims:
        if claim.verified:
            for source_id in claim.supporting_sources:
                best[source_id] = max(best.get(source_id, 0), claim.independent_sources)
    return best


def _scored(source: Source, voices: int | None, deps: Deps) -> Source:
    deps.check_cancelled()
    return replace(source, credibility=deps.score(source, voices, _text(source, deps)))


def _text(source: Source, deps: Deps) -> str:
    """What was read of the source; an unreadable snapshot costs its features, not the run."""
    if not source.snapshot_id:
        return source.abstract
    try:
        return deps.text(source.snapshot_id)
    except (NotFound, StorageError):
        return source.abstract


def set_aside(source: Source, deps: Deps) -> Source:
    """The source with the reason why it may not support anything, if there is one. One's own
    documents are never set aside for their form; a source set aside before keeps its reason."""
    credibility = source.credibility
    if source.rejected or credibility is None:
        return source
    for override, why in _NEVER_SUPPORT.items():
        if override in credibility.overrides:
            return replace(source, rejected=f"{why}: {credibility.breakdown}.")
    overall = credibility.eeat.get("overall")
    if source.is_local or overall is None or overall >= deps.settings.min_source:
        return source
    return replace(source, rejected=_too_low(credibility, overall, deps.settings.min_source))


def _too_low(credibility: Credibility, overall: float, least: float) -> str:
    facets = [
        f"{name.replace('_', ' ')} {hundredths(credibility.eeat[name])}"
        for name in ("domain_trust", "freshness", "authority", "quality")
        if name in credibility.eeat
    ]
    return f"Quality {hundredths(overall)} is below {hundredths(least)} ({', '.join(facets)})."


def with_confidence(
    state: ResearchState, credibility: Mapping[str, float], deps: Deps
) -> list[Claim]:
    """Claims with confidence, level, indicator. credibility: of the sources that may support, by
    id."""
    evidence = {piece.evidence_id: piece for piece in state.evidence}
    settings = deps.settings
    graded = []
    for claim in state.claims:
        against = {
            evidence[key].source_id for key in claim.contradicting_evidence_ids if key in evidence
        }
        graded.append(
            assess_claim(
                claim,
                voices_credibility(claim, credibility),
                sorted(credibility[source_id] for source_id in against if source_id in credibility),
                cross_validation=settings.cross_validation,
                thresholds=(settings.high, settings.medium),
            )
        )
    return graded


def voices_credibility(claim: Claim, credibility: Mapping[str, float]) -> list[float]:
    """The best credibility of each voice. A claim without voices counts its supporters as one."""
    groups = claim.voices or ((claim.supporting_sources,) if claim.supporting_sources else ())
    return [
        max((credibility.get(member, 0.0) for member in group), default=0.0) for group in groups
    ]


def rank_findings(claims: Sequence[Claim], credibility: Mapping[str, float]) -> list[Finding]:
    """Verified claims as findings: by level, confidence, mean credibility, then number of the
    claim."""
    findings = []
    for claim in claims:
        if claim.verified:
            scores = [
                credibility[source] for source in claim.supporting_sources if source in credibility
            ]
            mean = round(sum(scores) / len(scores), 6) if scores else 0.0
            finding = Finding(
                claim.claim_id, claim.text, claim.supporting_sources, claim.level or UNJUDGED, mean
            )
            order = (*_LEVELS, UNJUDGED).index(finding.confidence)
            findings.append(
                (order, -(claim.confidence or 0.0), -mean, _number(claim.claim_id), finding)
            )
    return [item[-1] for item in sorted(findings, key=lambda item: item[:-1])]


def _number(claim_id: str) -> tuple[int, str]:
    digits = "".join(c for c in claim_id if c in "0123456789")[:9]
    return (int(digits) if digits else 0, claim_id)


def _report_set_aside(state: ResearchState, sources: Sequence[Source], deps: Deps) -> None:
    earlier = {source.source_id for source in state.sources if source.rejected}
    for source in sources:
        if source.rejected and source.source_id not in earlier:
            why = source.rejected
            message = f"Set aside: {source.title or source.url}. {why}"
            deps.note(
                "credibility", message, source_id=source.source_id, url=source.url, reason=why
            )


def _report_sums(sources: Sequence[Source], deps: Deps) -> None:
    aside = sum(bool(source.rejected) for source in sources)
    message = f"{counted(len(sources), 'source')} scored, {aside} set aside."
    deps.note("credibility", message, sources=len(sources), set_aside=aside)
