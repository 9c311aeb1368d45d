"""The words of a report: quotations, and where a model writes, its sentences in place of the quotations behind them.

A written sentence is taken only when it passed the gate (modelled/gate.py). It stands for the quotations of the claims
it rests on; the claims of a part that no written sentence covers stay quotations, and nothing is said twice.
"""

from collections.abc import Sequence
from dataclasses import replace

from tools.trust.quotable import shown
from workflows.research.compose import Composer
from workflows.research.deps import Deps
from workflows.research.model import Claim, Evidence
from workflows.research.modelled.shown import own_sources
from workflows.research.modelled.writing import SECTION, Brief, Writer, Written
from workflows.research.report import Sentence
from workflows.research.selection import says_again
from workflows.research.state import ResearchState

_LONGEST = 7  # sentences of a part
_SIGNS = ("⚠", "✓", "✓✓")  # the weakest first


class Wording:
    """Words the parts of one report, in the order of reading. refused: sentences of a model that failed the gate."""

    def __init__(self, state: ResearchState, deps: Deps) -> None:
        self.composer = Composer(state, deps.text)
        self._deps = deps
        self._evidence = {one.evidence_id: one for one in state.evidence}
        best = state.get_authoritative_sources(deps.settings.synthesis_sources)
        self._best = {source.source_id for source in best}
        self._said: list[str] = []
        self._told: list[str] = []  # of it what a model may see
        seen = deps.work is None or deps.work.models.may_see_documents(SECTION.role)
        self._hidden = set() if seen else own_sources(state)
        self._writer: Writer | None = None
        if deps.work is not None:
            self._writer = Writer(state, deps.work, deps.verifier, deps.settings.span_threshold, self._quotes)

    @property
    def refused(self) -> int:
        return self._writer.refused if self._writer else 0

    def part(self, heading: str, claims: Sequence[Claim]) -> tuple[Sentence, ...]:
        """The sentences of one part: written ones first, then the quotations of the claims left."""
        written = self._written(heading, claims)
        covered = {claim_id for one in written for claim_id in one.claim_ids}
        signs = {claim.claim_id: claim.indicator for claim in claims}
        told = [self._sentence(one, [signs[claim_id] for claim_id in one.claim_ids]) for one in written]
        rest = self.composer.sentences(claim for claim in claims if claim.claim_id not in covered)
        sentences = (*told, *rest)
        self._said += [sentence.text for sentence in sentences]
        self._told += [one.text for one in sentences if self._hidden.isdisjoint(c.source_id for c in one.citations)]
        return sentences

    def _written(self, heading: str, claims: Sequence[Claim]) -> list[Written]:
        if self._writer is None or not claims:
            return []
        most = min(len(claims), _LONGEST)
        brief = Brief(heading, tuple(claims), tuple(self._told), most)
        known, taken = list(self._said), []
        for one in self._writer.section(brief):
            if not any(says_again(one.text, other) for other in known):
                known.append(one.text)
                taken.append(one)
        return taken

    def _sentence(self, written: Written, signs: Sequence[str]) -> Sentence:
        sign = next((one for one in _SIGNS if one in signs), "")
        prompt = self._deps.work.prompt(SECTION) if self._deps.work else ""
        by = (written.verifier, written.model, prompt)
        return self.composer.written(written.text, written.claim_ids, written.evidence, sign, by)

    def _quotes(self, claim: Claim) -> list[Evidence]:
        """The evidence of a claim as a report would show it, of the sources with the most authority, best first."""
        known = [self._evidence[one] for one in claim.evidence_ids if one in self._evidence]
        fit = [one for one in known if one.source_id in self._best and one.source_id in claim.supporting_sources]
        return [replace(one, quote=self._shown(one)) for one in fit]

    def _shown(self, one: Evidence) -> str:
        return shown(self._deps.text(one.snapshot_id), one.start, one.end)[0]
