"""Credibility (4): every source scored, with its breakdown; then confidence, level and indicator of every claim.

Retracted and predatory sources, and those of too low quality, are set aside with the reason: they stay in the list
and support nothing. A claim left without support is unverified.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tools.errors import NotFound, StorageError
from tools.research.source import Credibility, Source
from tools.text.figures import hundredths
from tools.text.phrases import counted
from tools.trust.confidence import assess_claim
from tools.trust.verify import SUPPORT, Verifier
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import Claim, Contradiction, Evidence, Finding
from workflows.research.state import ResearchState

DIRECT = "direct"
_LEVELS = ("high", "medium", "low")
_NEVER_SUPPORT = {
    "retracted": "Retracted works support nothing",
    "predatory_publisher": "Predatory publishers support nothing",
}


def score(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with scored sources, claims with their confidence, and findings."""
    before = best_voices(state.claims)
    sources = [set_aside(_scored(source, before.get(source.source_id), deps), deps) for source in state.sources]
    rejected = frozenset(source.source_id for source in sources if source.rejected)
    evidence = {one.evidence_id: one for one in state.evidence}
    claims = [without(claim, rejected, evidence, deps) for claim in state.claims]
    after = best_voices(claims)
    # Only a set-aside supporter changes how many voices stand behind another source
    sources = [
        _scored(source, after.get(source.source_id), deps)
        if after.get(source.source_id) != before.get(source.source_id)
        else source
        for source in sources
    ]
    credibility = {one.source_id: one.credibility.score for one in sources if one.credibility and not one.rejected}
    contradictions, claims = _supported(state.contradictions, claims, rejected, evidence)
    claims = with_confidence(claims, contradictions, evidence, credibility, deps)
    findings = rank_findings(claims, credibility)
    _report(state, sources, claims, findings, deps)
    limit = deps.settings.max_findings
    state = replace(state, sources=tuple(sources), claims=tuple(claims), findings=tuple(findings[:limit]))
    return replace(state, contradictions=contradictions)


def best_voices(claims: Sequence[Claim]) -> dict[str, int]:
    """Per source the largest number of voices behind any verified claim it supports; absent where there is none."""
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
    """The source with the reason why it may not support anything, if there is one. One's own documents are never
    set aside for their form; a source set aside before keeps its reason."""
    credibility = source.credibility
    if source.rejected or credibility is None:
        return source
    for override, why in _NEVER_SUPPORT.items():
        if override in credibility.overrides or credibility.category == override:
            return replace(source, rejected=f"{why}: {credibility.breakdown}.")
    overall = credibility.eeat.get("overall")
    if source.source_type == "local" or overall is None or overall >= deps.settings.min_source:
        return source
    return replace(source, rejected=_too_low(credibility, overall, deps.settings.min_source))


def _too_low(credibility: Credibility, overall: float, least: float) -> str:
    facets = [
        f"{name.replace('_', ' ')} {hundredths(credibility.eeat[name])}"
        for name in ("domain_trust", "freshness", "authority", "quality")
        if name in credibility.eeat
    ]
    return f"Quality {hundredths(overall)} is below {hundredths(least)} ({', '.join(facets)})."


def without(claim: Claim, rejected: frozenset[str], evidence: Mapping[str, Evidence], deps: Deps) -> Claim:
    """The claim with support from sources that may support; unverified when none is left."""
    if not rejected.intersection(claim.supporting_sources):
        return claim
    supporting = tuple(one for one in claim.supporting_sources if one not in rejected)
    kept = tuple(one for one in claim.evidence_ids if one in evidence and evidence[one].source_id not in rejected)
    groups = (tuple(one for one in group if one not in rejected) for group in claim.voices)
    voices = tuple(group for group in groups if group)
    match = _match(claim, kept, evidence, deps.verifier)
    verified = claim.verified and bool(supporting) and match >= deps.settings.span_threshold
    return replace(
        claim,
        supporting_sources=supporting,
        evidence_ids=kept,
        voices=voices,
        independent_sources=len(voices) or min(1, len(supporting)),
        match_score=match,
        verified=verified,
        differs=claim.differs if verified else "Every source that supports it was set aside.",
    )


def _supported(
    contradictions: Sequence[Contradiction],
    claims: Sequence[Claim],
    rejected: frozenset[str],
    evidence: Mapping[str, Evidence],
) -> tuple[tuple[Contradiction, ...], list[Claim]]:
    """What still contradicts what: nothing of sources that were set aside does, as they support nothing either."""
    left = {claim.claim_id for claim in claims if claim.supporting_sources}
    gone = {one.evidence_id for one in evidence.values() if one.source_id in rejected}
    cleared = [
        replace(claim, contradicting_evidence_ids=tuple(e for e in claim.contradicting_evidence_ids if e not in gone))
        for claim in claims
    ]
    return tuple(one for one in contradictions if {one.claim_a, one.claim_b} <= left), cleared


def _match(claim: Claim, kept: Sequence[str], evidence: Mapping[str, Evidence], verifier: Verifier) -> float:
    """How well the passages that are left support the claim: the sentence may have been another source's own words."""
    judged = (verifier.judge(claim.text, evidence[one].quote) for one in kept)
    return round(min(claim.match_score, max((j.score for j in judged if j.label == SUPPORT), default=0.0)), 6)


def with_confidence(
    claims: Sequence[Claim],
    contradictions: Sequence[Contradiction],
    evidence: Mapping[str, Evidence],
    credibility: Mapping[str, float],
    deps: Deps,
) -> list[Claim]:
    """Claims with confidence, level, indicator. credibility: of the sources that may support, by id."""
    against = opponents(claims, contradictions, evidence)
    settings = deps.settings
    graded = []
    for claim in claims:
        if not claim.verified:
            graded.append(replace(claim, confidence=0.0, level="low", indicator="", cross_validated=False))
            continue
        found = assess_claim(
            claim.match_score,
            voices_credibility(claim, credibility),
            sorted(credibility[one] for one in against.get(claim.claim_id, ()) if one in credibility),
            cross_validation=settings.cross_validation,
            thresholds=(settings.high, settings.medium),
        )
        graded.append(
            replace(
                claim,
                confidence=found.confidence,
                level=found.level,
                indicator=found.indicator,
                cross_validated=found.cross_validated,
            )
        )
    return graded


def voices_credibility(claim: Claim, credibility: Mapping[str, float]) -> list[float]:
    """The best credibility of each voice. A claim without voices counts its supporters as one."""
    groups = claim.voices or ((claim.supporting_sources,) if claim.supporting_sources else ())
    return [max((credibility.get(one, 0.0) for one in group), default=0.0) for group in groups]


def opponents(
    claims: Sequence[Claim], contradictions: Sequence[Contradiction], evidence: Mapping[str, Evidence]
) -> dict[str, set[str]]:
    """Per claim the sources that directly say the opposite."""
    supporters = {claim.claim_id: set(claim.supporting_sources) for claim in claims}
    found: dict[str, set[str]] = {}
    for one in contradictions:
        if one.nature != DIRECT:
            continue
        sides = ((one.claim_a, one.claim_b, one.evidence_b), (one.claim_b, one.claim_a, one.evidence_a))
        for mine, other, passage in sides:
            who = set(supporters.get(other, ()))
            if passage in evidence:
                who.add(evidence[passage].source_id)
            found.setdefault(mine, set()).update(who - supporters.get(mine, set()))
    return found


def rank_findings(claims: Sequence[Claim], credibility: Mapping[str, float]) -> list[Finding]:
    """Verified claims as findings: by level, confidence, mean credibility, then number of the claim."""
    found = []
    for claim in claims:
        if claim.verified:
            scores = [credibility[one] for one in claim.supporting_sources if one in credibility]
            mean = round(sum(scores) / len(scores), 6) if scores else 0.0
            finding = Finding(claim.claim_id, claim.text, claim.supporting_sources, claim.level, mean)
            found.append((_LEVELS.index(claim.level), -claim.confidence, -mean, _number(claim.claim_id), finding))
    return [item[-1] for item in sorted(found, key=lambda item: item[:-1])]


def _number(claim_id: str) -> tuple[int, str]:
    digits = "".join(c for c in claim_id if c in "0123456789")[:9]
    return (int(digits) if digits else 0, claim_id)


def _report(
    state: ResearchState, sources: Sequence[Source], claims: Sequence[Claim], findings: Sequence[Finding], deps: Deps
) -> None:
    """What this phase did, as notes: each source newly set aside, and the sums."""
    earlier = {source.source_id for source in state.sources if source.rejected}
    for source in sources:
        if source.rejected and source.source_id not in earlier:
            data = {"source_id": source.source_id, "url": source.url, "reason": source.rejected}
            deps.emit(Event("note", "credibility", f"Set aside: {source.title or source.url}. {source.rejected}", data))
    scores = [source.credibility.score for source in sources if source.credibility]
    mean = round(sum(scores) / len(scores), 6) if scores else 0.0
    aside = sum(bool(source.rejected) for source in sources)
    levels = {level: sum(finding.confidence == level for finding in findings) for level in _LEVELS}
    message = (
        f"{counted(len(sources), 'source')} scored"
        + (f", mean credibility {hundredths(mean)}, {aside} set aside" if sources else "")
        + f"; {len(findings)} of {counted(len(claims), 'claim')} verified, {levels['high']} with high confidence."
    )
    sums = {"sources": len(sources), "mean": mean, "set_aside": aside, "verified": len(findings), **levels}
    deps.emit(Event("note", "credibility", message, sums))
    cut = len(findings) - deps.settings.max_findings
    if cut > 0:
        message = f"{cut} findings of the lowest confidence were left out; {deps.settings.max_findings} are kept."
        deps.emit(Event("note", "credibility", message, {"cut": cut}))
