"""Why a statement has the confidence it has: the sum, who judged, and every voice with its passage."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.figures import hundredths
from engine.models import Claim, Evidence, ResearchState
from engine.verification import QUOTED, RULES, VerifierFigures, confidence_sum, verifier_figures
from ui.web.citing import Cite, Citing, Glyph, byline, score_of


@dataclass(frozen=True, slots=True)
class Voice:
    """A passage that supports the statement or contradicts it."""

    quote: str
    cite: Cite
    who: str
    credibility: float | None


@dataclass(frozen=True, slots=True)
class Why:
    """voices: groups of passages, one group a voice. against: passages that say the opposite."""

    text: str
    glyph: Glyph
    sum: tuple[tuple[str, str], ...]
    judged: str
    voices: tuple[tuple[Voice, ...], ...]
    against: tuple[Voice, ...]
    places: tuple[tuple[str, str], ...]


def judged(name: str, figures: VerifierFigures | None = None) -> str:
    """Who decided that the passages support a statement, and how reliable that is, in a sentence or two."""
    if name == QUOTED:
        return "The statement is the passage itself, word for word, so its support needed no judgement."
    if not name:
        return "The record does not say who judged."
    if name != RULES:
        return (
            f"The verifier {name} judged, which was put in place of the built-in one; its precision is not known here."
        )
    known = figures or verifier_figures()
    sets = ", ".join(f"{name} {share:.0%}" for name, share in known.by_set.items())
    return (
        f"The built-in rules judged (version {known.version}). On public labelled data {known.precision:.0%} of what "
        f"they admit is supported ({sets}); they rather say “not verified” too often."
    )


def why(state: ResearchState, citing: Citing, claim: Claim) -> Why:
    """Everything behind the confidence of one statement."""
    voices = tuple(tuple(voice(citing, name) for name in group) for group in grouped(claim, citing.evidence))
    against = tuple(voice(citing, name) for name in claim.contradicting_evidence_ids if name in citing.evidence)
    return Why(
        claim.text, citing.claim_glyph(claim), sum_of(state, claim), judged(claim.verifier),
        voices, against, places(state, claim),
    )  # fmt: skip


def grouped(claim: Claim, evidence: Mapping[str, Evidence]) -> tuple[tuple[str, ...], ...]:
    """Ids of the passages that support a statement, one group a voice, in the order of its sources."""
    groups = claim.voices or ((claim.supporting_sources,) if claim.supporting_sources else ())
    by_source: dict[str, list[str]] = {}
    for name in claim.evidence_ids:
        if name in evidence:
            by_source.setdefault(evidence[name].source_id, []).append(name)
    found = (tuple(name for source in group for name in by_source.get(source, ())) for group in groups)
    return tuple(group for group in found if group)


def voice(citing: Citing, evidence_id: str) -> Voice:
    evidence = citing.evidence[evidence_id]
    source = citing.sources.get(evidence.source_id)
    who, score = (byline(source), score_of(source)) if source else ("", None)
    return Voice(" ".join(evidence.quote.split()), citing.cite(evidence.source_id, evidence_id), who, score)


def sum_of(state: ResearchState, claim: Claim) -> tuple[tuple[str, str], ...]:
    """The rows of the sum. Where rounding or older rules make it part from the record, the record's number stands."""
    found = confidence_sum(state, claim)
    match, credible, crossed = map(hundredths, found.addends)
    rows = [
        (f"Match of the passage, {hundredths(found.match)} × 0.50", match),
        (f"Credibility of the best voices, {hundredths(found.credibility)} × 0.35", f"+ {credible}"),
        ("A second voice says the same" if found.cross_validated else "No second voice", f"+ {crossed}"),
    ]
    if found.total > found.cap:
        rows.append((f"Sum {hundredths(found.total)}, at most {hundredths(found.cap)}: {found.cap_reason}", ""))
    return (*rows, ("Confidence", hundredths(found.value)))


def places(state: ResearchState, claim: Claim) -> tuple[tuple[str, str], ...]:
    """(sentence id, sentence) of the report that rest on the statement."""
    report = state.report
    sentences = report.sentences() if report else ()
    found = {one.sentence_id: one.text for one in sentences if claim.claim_id in one.claim_ids}
    return tuple(found.items())
