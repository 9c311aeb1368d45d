"""What stands behind a statement: who judged and how its confidence adds up, where it was judged,
and every source."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.models import Claim, Evidence, NotFound, ResearchState, Source
from engine.reports.confidence_terms import ConfidenceSum, confidence_sum
from engine.reports.figures import hundredths, score_of
from engine.reports.report_document import PASSAGE


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


def reasons(state: ResearchState, claim_id: str) -> Reasons:
    """What stands behind a statement of a report. NotFound where it has none of this id."""
    claim = next((claim for claim in state.claims if claim.claim_id == claim_id), None)
    if claim is None:
        raise NotFound(
            "This report has no such statement. It may belong to another revision of the report."
        )
    evidence = {passage.evidence_id: passage for passage in state.evidence}

    def passages(names: Iterable[str]) -> tuple[SupportingPassage, ...]:
        return tuple(
            _passage(evidence[name], state.source(evidence[name].source_id))
            for name in names
            if name in evidence
        )

    return Reasons(
        claim,
        sum=confidence_sum(state, claim),
        judged=judged(claim),
        voices=tuple(map(passages, grouped(claim, evidence))),
        against=passages(claim.contradicting_evidence_ids),
    )


def _passage(evidence: Evidence, source: Source | None) -> SupportingPassage:
    tag, score = (source.tag or "", score_of(source)) if source else ("", None)
    return SupportingPassage(evidence.evidence_id, evidence.source_id, tag, evidence.quote, score)


def judged(claim: Claim) -> str:
    """Who decided that the passages support a statement, in a sentence."""
    if claim.confidence is None:
        return (
            "No judge checked this statement. It is quoted from its source, and only "
            "restatements were counted."
        )
    if claim.verifier:
        return f"Judged by {claim.verifier}."
    return "The report does not say who judged it."


def grouped(claim: Claim, evidence: Mapping[str, Evidence]) -> tuple[tuple[str, ...], ...]:
    """Ids of the passages that support a statement, one group a voice, in the order of its
    sources."""
    groups = claim.voices or ((claim.supporting_sources,) if claim.supporting_sources else ())
    by_source: dict[str, list[str]] = {}
    for name in claim.evidence_ids:
        if name in evidence:
            by_source.setdefault(evidence[name].source_id, []).append(name)
    name_groups = (
        tuple(name for source in group for name in by_source.get(source, ())) for group in groups
    )
    return tuple(group for group in name_groups if group)


def sum_rows(parts: ConfidenceSum | None) -> tuple[tuple[str, str], ...]:
    """The rows of the sum, none where nobody judged. Where it parts from the record, the record's
    number stands."""
    if parts is None:
        return ()
    match, credible, crossed = map(hundredths, parts.addends)
    match_weight, credibility_weight = map(hundredths, parts.weights)
    rows = [
        (f"Match of the passage, {hundredths(parts.match)} × {match_weight}", match),
        (
            f"Credibility of the best sources, {hundredths(parts.credibility)} × "
            f"{credibility_weight}",
            f"+ {credible}",
        ),
        (
            "A second independent source says the same"
            if parts.cross_validated
            else "No second independent source",
            f"+ {crossed}",
        ),
    ]
    if parts.total > parts.cap:
        rows.append(
            (
                f"Sum {hundredths(parts.total)}, at most {hundredths(parts.cap)}: "
                f"{parts.cap_reason}",
                "",
            )
        )
    return (*rows, ("Confidence", hundredths(parts.value)))


def places(state: ResearchState, claim: Claim) -> tuple[tuple[str, str], ...]:
    """(id on the page, text) of the sentences and passages of the report that rest on the
    statement."""
    report, answer = state.report, state.answer
    sentences = (*(answer.written if answer else ()), *(report.sentences() if report else ()))
    texts = {
        sentence.sentence_id: sentence.text
        for sentence in sentences
        if claim.claim_id in sentence.claim_ids
    }
    for number, passage in enumerate(answer.passages if answer else (), 1):
        if passage.claim_id == claim.claim_id:
            texts[f"{PASSAGE}{number}"] = passage.lead.text
    return tuple(texts.items())
