"""What stands behind a statement: who judged and how its confidence adds up, where it was judged,
and every source."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.models import Claim, Evidence, ResearchState
from engine.reports.confidence_terms import confidence_sum
from engine.reports.figures import Rating, hundredths, rating_of
from engine.reports.report_document import PASSAGE
from ui.web.views.citations import Cite, Citing, Glyph, byline


@dataclass(frozen=True, slots=True)
class Voice:
    """A passage that supports the statement or contradicts it."""

    quote: str
    cite: Cite
    who: str
    credibility: Rating


@dataclass(frozen=True, slots=True)
class Why:
    """voices: groups of passages, one group an independent source. against: passages that say the
    opposite.

    glyph, sum: None and empty where nobody judged.
    """

    text: str
    glyph: Glyph | None
    sum: tuple[tuple[str, str], ...]
    judged: str
    voices: tuple[tuple[Voice, ...], ...]
    against: tuple[Voice, ...]
    places: tuple[tuple[str, str], ...]


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


def why(state: ResearchState, citing: Citing, claim: Claim) -> Why:
    """Everything behind the confidence of one statement."""
    voices = tuple(
        tuple(voice(citing, name) for name in group) for group in grouped(claim, citing.evidence)
    )
    against = tuple(
        voice(citing, name) for name in claim.contradicting_evidence_ids if name in citing.evidence
    )
    return Why(
        claim.text, citing.claim_glyph(claim), sum_of(state, claim), judged(claim),
        voices, against, places(state, claim),
    )  # fmt: skip


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


def voice(citing: Citing, evidence_id: str) -> Voice:
    evidence = citing.evidence[evidence_id]
    source = citing.sources.get(evidence.source_id)
    who, score = (byline(source), rating_of(source)) if source else ("", None)
    return Voice(
        " ".join(evidence.quote.split()), citing.cite(evidence.source_id, evidence_id), who, score
    )


def sum_of(state: ResearchState, claim: Claim) -> tuple[tuple[str, str], ...]:
    """The rows of the sum, none where nobody judged. Where it parts from the record, the record's
    number stands."""
    parts = confidence_sum(state, claim)
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
