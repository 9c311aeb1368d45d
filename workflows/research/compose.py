"""Compose: claims into report sentences with citations and listed edits, numbered in the order of reading."""

from collections.abc import Callable, Iterable, Mapping

from tools.trust.quotable import shown
from workflows.research.model import Claim, Evidence
from workflows.research.report import Citation, Edit, Sentence
from workflows.research.state import ResearchState

_CITED = 6  # sources cited behind one sentence


class Composer:
    """Makes the sentences of one report. text: the text of a snapshot."""

    def __init__(self, state: ResearchState, text: Callable[[str], str]) -> None:
        self._evidence: Mapping[str, Evidence] = {e.evidence_id: e for e in state.evidence}
        self._sources = {source.source_id: source for source in state.sources}
        self._text = text
        self._number = 0

    def sentence(self, claim: Claim) -> Sentence:
        """The sentence of a claim. Its first citation is the quote it is made of."""
        citations = self._citations(claim)
        quote = self._evidence[citations[0].evidence_id]
        text, edits = shown(self._text(quote.snapshot_id), quote.start, quote.end)
        return Sentence(
            sentence_id=self._next(),
            kind="edited" if edits else "quote",
            text=text,
            edits=tuple(Edit(e.start, e.end, e.replacement, e.kind) for e in edits),
            claim_ids=(claim.claim_id,),
            citations=citations,
            indicator=claim.indicator,
        )

    def sentences(self, claims: Iterable[Claim]) -> tuple[Sentence, ...]:
        """The sentences of claims, in their order."""
        return tuple(self.sentence(claim) for claim in claims)

    def written(
        self,
        text: str,
        claim_ids: tuple[str, ...],
        evidence: Iterable[Evidence],
        indicator: str,
        by: tuple[str, str, str],
    ) -> Sentence:
        """A sentence by a model. evidence: what it was held against. by: verifier, model, prompt with its version."""
        cited: dict[str, Evidence] = {}
        for one in evidence:
            if self._cites(one):
                cited.setdefault(one.source_id, one)
        citations = tuple(self._citation(one) for one in list(cited.values())[:_CITED])
        return Sentence(self._next(), "written", text, (), claim_ids, citations, indicator, *by)

    def narration(self, text: str) -> Sentence:
        """A sentence from a fixed template over counts of this record; no citation."""
        return Sentence(self._next(), "narration", text)

    def _next(self) -> str:
        self._number += 1
        return f"s{self._number}"

    def _citations(self, claim: Claim) -> tuple[Citation, ...]:
        """The quote itself first, then the best evidence of each other source, by credibility; rejected ones never."""
        supporting = set(claim.supporting_sources)
        listed = [self._evidence[one] for one in claim.evidence_ids if one in self._evidence]
        listed = [one for one in listed if one.source_id in supporting and self._cites(one)]
        others: dict[str, Evidence] = {}
        for one in listed:
            if one.source_id != listed[0].source_id:
                others.setdefault(one.source_id, one)
        ranked = sorted(others.values(), key=lambda e: (-self._credibility(e.source_id), e.source_id))
        return tuple(self._citation(one) for one in (listed[0], *ranked)[:_CITED])

    def _cites(self, evidence: Evidence) -> bool:
        source = self._sources.get(evidence.source_id)
        return source is not None and not source.rejected and source.tag is not None

    def _credibility(self, source_id: str) -> float:
        credibility = self._sources[source_id].credibility
        return credibility.score if credibility else 0.0

    def _citation(self, evidence: Evidence) -> Citation:
        return Citation(self._sources[evidence.source_id].tag or "", evidence.source_id, evidence.evidence_id)
