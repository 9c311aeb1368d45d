"""Whether what a record shows as quoted stands in the stored texts: its passages, sentences and
statements.

A record is a file, and files are changed: by hand, by a damaged disk, by whoever sent it. The
quotations are held against the texts, whose names are hashes of what is in them, and the report
against its quotations.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from engine.records.checking import is_replayed, passages_of, sentences_of
from tools.text.phrases import counted, listed
from workflows.research.report import markdown
from workflows.research.state import Claim, Evidence, Report, ResearchState, Sentence
from workflows.research.verify.checks import passage_resolves

SHOWN, LENGTH = 2, 120  # quotations in a sentence, and characters of each
TextOf = Callable[[str], str | None]  # the text of a snapshot; None when it is gone or damaged


@dataclass(frozen=True, slots=True)
class Unresolved:
    """changed: what is shown and stands nowhere, each once. missing: passages whose text is gone or
    damaged."""

    changed: tuple[str, ...] = ()
    missing: int = 0

    def sentences(self) -> list[str]:
        """What a reader must know."""
        warnings = []
        if self.changed:
            examples = listed([f"“{shortened(text)}”" for text in self.changed], SHOWN)
            stand = "does not stand" if len(self.changed) == 1 else "do not stand"
            sentences = counted(len(self.changed), "sentence")
            warnings.append(
                f"{sentences} of this record {stand} in the stored texts: {examples}. "
                "The record was changed after it was written; do not rely on it."
            )
        if self.missing:
            of = "its text is" if self.missing == 1 else "their texts are"
            warnings.append(
                f"{counted(self.missing, 'quotation')} cannot be checked: {of} gone or damaged."
            )
        return warnings


def unresolved(state: ResearchState, text_of: TextOf) -> Unresolved:
    """What of a record does not resolve. text_of is asked once for each text."""
    texts = {
        snapshot_id: text_of(snapshot_id)
        for snapshot_id in dict.fromkeys(e.snapshot_id for e in state.evidence)
    }
    missing = [passage for passage in state.evidence if texts[passage.snapshot_id] is None]
    evidence = {piece.evidence_id: piece for piece in state.evidence}
    passages = passages_of(state)
    mismatches = [
        *_changed_passages(state, texts),
        *_changed_sentences(state, evidence),
        *(passage.lead.text for passage in passages if not passage_resolves(passage, evidence)),
        *_left_out(state, evidence),
        # Leads are held against their evidence above
        *_changed_statements(state, {passage.lead.text for passage in passages}),
    ]
    return Unresolved(tuple(dict.fromkeys(mismatches)), len(missing))


def with_warning(state: ResearchState, text_of: TextOf) -> ResearchState:
    """The research, with a note at the head of its report when something in it does not resolve."""
    if state.report is None or not (warnings := unresolved(state, text_of).sentences()):
        return state
    report = replace(state.report, notes=(*warnings, *state.report.notes))
    title, _, rest = state.synthesis.partition("\n")
    notes = "\n\n".join(f"> {markdown.escape(note)}" for note in warnings)
    return replace(state, report=report, synthesis=f"{title}\n\n{notes}\n{rest}")


def shortened(text: str) -> str:
    """A quotation as it is named in a sentence."""
    plain = " ".join(text.split())
    return plain if len(plain) <= LENGTH else plain[: LENGTH - 1] + "…"


def _left_out(state: ResearchState, evidence: Mapping[str, Evidence]) -> Iterator[str]:
    """Quotations of the answer that the report's text has not, whatever marks it puts between their
    words."""
    report = _letters(state.synthesis)
    passages = state.answer.passages if state.answer and report else ()
    quoted = (
        evidence[key].quote
        for passage in passages
        for key in passage.evidence_ids
        if key in evidence
    )
    return (quote for quote in quoted if _letters(quote) not in report)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _changed_statements(state: ResearchState, leads: Collection[str]) -> Iterator[str]:
    """Statements, but for some that are known to stand, in no words of their passages; findings
    unlike their claim."""
    for claim in state.claims:
        if claim.text not in leads and not _is_quoted(state, claim):
            yield claim.text
    statements = {claim.claim_id: claim.text for claim in state.claims}
    for finding in state.findings:
        if statements.get(finding.claim_id, finding.claim) != finding.claim:
            yield finding.claim


def _changed_passages(state: ResearchState, texts: Mapping[str, str | None]) -> Iterator[str]:
    """Quotes that do not stand in their texts where the record says so."""
    for passage in state.evidence:
        text = texts[passage.snapshot_id]
        if text is not None and text[passage.start : passage.end] != passage.quote:
            yield passage.quote


def _changed_sentences(state: ResearchState, evidence: Mapping[str, Evidence]) -> Iterator[str]:
    """Sentences that are not the quotation they cite, cite nothing that is there, or differ in the
    report's text."""
    report_text = " ".join(state.synthesis.split())
    body = _body(state.report) if state.report else []
    for sentence in _citing_sentences(state):
        quoted = [evidence.get(citation.evidence_id) for citation in sentence.citations]
        stands = None not in quoted and is_replayed(sentence, quoted[0].quote if quoted[0] else "")
        left_out = (
            report_text and sentence in body and markdown.escape(sentence.text) not in report_text
        )
        if left_out or not stands:
            yield sentence.text


def _citing_sentences(state: ResearchState) -> Iterator[Sentence]:
    return (sentence for sentence in sentences_of(state) if sentence.citations)


def _body(report: Report) -> list[Sentence]:
    return [*report.summary, *chain.from_iterable(part.sentences for part in report.sections)]


def _is_quoted(state: ResearchState, claim: Claim) -> bool:
    """Whether a statement is in the words of one of its passages, after all that leads in to it
    ("There are also disadvantages:"); one that a model worded was judged when it was."""
    if claim.model or not claim.evidence_ids:
        return True
    text = _spaced(claim.text)
    quotes = [
        _spaced(piece.quote) for piece in state.evidence if piece.evidence_id in claim.evidence_ids
    ]
    if any(text in quote for quote in quotes):
        return True
    lead_ins = sorted(
        {_spaced(piece.quote) for piece in state.evidence} - {""}, key=len, reverse=True
    )
    return any(
        _is_made_of(text.removesuffix(quote), lead_ins)
        for quote in quotes
        if quote and text.endswith(quote)
    )


def _is_made_of(text: str, quotes: Sequence[str]) -> bool:
    """Whether a text is some of these quotes, one behind the other. quotes: the longest first."""
    while text := text.strip():
        last = next((quote for quote in quotes if text.endswith(quote)), "")
        if not last:
            return False
        text = text.removesuffix(last)
    return True


def _spaced(text: str) -> str:
    return " ".join(text.split())
