"""Agreement: which other sources say what a passage says, by whoever may judge it.

Without an entailment model or a language model only restatements count. Nothing here affirms by
rules of words.
"""

from dataclasses import replace

from tools.judging.judge import JudgeKind, Label, Passage
from tools.judging.restatement import is_statement, restates
from tools.sources.source import Source
from tools.text.quantities import quantities
from tools.text.tokens import STOP, stem, words
from workflows.research.answer.collection import TextCollection
from workflows.research.answer.model import AnswerPassage
from workflows.research.answer.windows import units_within
from workflows.research.deps import Deps
from workflows.research.model import Claim, Evidence, last_number
from workflows.research.state import ResearchState
from workflows.research.verify.independence import Supporter, independent_groups

_COMPARED = 8  # passages of other sources that a claim is held against
# Words by which restatements are searched. Of 948 claims over eight folders these find the same 61
# as whole claims, in half the time.
_RAREST = 4
_AROUND = 300  # characters before and after a passage that a judge sees


def with_claims(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with one claim for the lead of every passage, and the sources that support it."""
    answer = state.answer
    assert answer is not None
    maker = _Claims(state, deps.collection(state), deps)
    passages = tuple(map(maker.claimed, answer.passages))
    cards = tuple(
        replace(card, passages=tuple(map(maker.claimed, card.passages))) for card in answer.cards
    )
    further = tuple(map(maker.claimed, state.passages))
    judged = replace(answer, passages=passages, cards=cards)
    return maker.finished(replace(state, answer=judged, passages=further))


class _Claims:
    """Makes the claims of a run in the order of its passages."""

    def __init__(self, state: ResearchState, collection: TextCollection, deps: Deps) -> None:
        self._collection, self._deps, self._judge = collection, deps, deps.judge
        self._sources = {source.source_id: source for source in state.sources}
        self._by_snapshot = {
            source.snapshot_id: source for source in state.sources if source.snapshot_id
        }
        self._evidence = {piece.evidence_id: piece for piece in state.evidence}
        self._number = last_number(self._evidence)
        self._claims: list[Claim] = []

    def finished(self, state: ResearchState) -> ResearchState:
        return replace(state, claims=tuple(self._claims), evidence=tuple(self._evidence.values()))

    def claimed(self, passage: AnswerPassage) -> AnswerPassage:
        """The passage with the id of the claim that its lead makes."""
        if len(self._claims) >= self._deps.settings.max_findings:
            return passage
        claim_id = f"C{len(self._claims) + 1}"
        supporting = self._supporters(passage)
        claimant = Supporter(self._sources[passage.source_id], passage.lead.claim)
        supporters = [
            claimant,
            *(Supporter(source, evidence.quote) for source, evidence in supporting),
        ]
        voices = independent_groups(supporters, self._collection.text)
        evidence_ids = (
            *(c.evidence_id for c in passage.lead.citations),
            *(e.evidence_id for _, e in supporting),
        )
        claim = Claim(
            claim_id=claim_id,
            text=passage.lead.claim,
            evidence_ids=tuple(dict.fromkeys(evidence_ids)),
            verified=True,
            match_score=1.0,
            supporting_sources=tuple(sorted({s.source.source_id for s in supporters})),
            voices=voices,
            independent_sources=len(voices),
            cross_validated=len(voices) > 1,
            verifier=self._judge.name,
        )
        self._claims.append(claim)
        return replace(passage, claim_id=claim_id)

    def _supporters(self, passage: AnswerPassage) -> list[tuple[Source, Evidence]]:
        """The other sources that say it too, each with the words by which it does."""
        self._deps.check_cancelled()
        others = self._others(passage) if is_statement(passage.lead.claim) else []
        if not others:
            return []
        judgements = self._judge.judge(
            [(passage.lead.claim, [self._in_context(e)]) for _, e in others]
        )
        by_source: dict[str, tuple[Source, Evidence]] = {}
        for (source, evidence), judgement in zip(others, judgements, strict=True):
            if judgement.label == Label.SUPPORT:
                by_source.setdefault(source.source_id, (source, self._keep(evidence)))
        return list(by_source.values())

    def _others(self, passage: AnswerPassage) -> list[tuple[Source, Evidence]]:
        """Sentences of other sources that are nearest to a lead, best first."""
        only_restatements = self._judge.kind == JudgeKind.NONE
        query = self._rarest(passage.lead.claim) if only_restatements else passage.lead.claim
        others = []
        for hit in self._collection.search(query, _COMPARED * 2, meaning=not only_restatements):
            source = self._by_snapshot.get(hit.snapshot_id)
            if source is None or source.source_id == passage.source_id or source.rejected:
                continue
            for start, end in self._units(hit.snapshot_id, hit.start, hit.end):
                quote = self._collection.text(hit.snapshot_id)[start:end]
                others.append(
                    (
                        source,
                        Evidence("", source.source_id, hit.snapshot_id, start, end, quote, "", 0.0),
                    )
                )
        if only_restatements:  # the other checks would only say why not
            return [
                (source, evidence)
                for source, evidence in others
                if restates(passage.lead.claim, evidence.quote)
            ]
        return others[: _COMPARED * 2]

    def _rarest(self, claim: str) -> str:
        """The rarest words of a claim, for what restates it has them all; no numbers, for these may
        be written otherwise. The claim where these are too few."""
        plain = claim
        for quantity in reversed(quantities(claim)):
            plain = f"{plain[: quantity.start]} {plain[quantity.end :]}"
        content = {stem(word): word for word in words(plain) if word not in STOP}
        rarest = sorted(content.values(), key=lambda word: (-self._collection.rarity(word), word))
        return " ".join(rarest[:_RAREST]) if len(rarest) >= _RAREST else claim

    def _units(self, snapshot_id: str, start: int, end: int) -> list[tuple[int, int]]:
        text, blocks = self._collection.text(snapshot_id), self._collection.blocks(snapshot_id)
        return [(unit.start, unit.end) for unit in units_within(text, blocks, start, end)]

    def _in_context(self, evidence: Evidence) -> Passage:
        text = self._collection.text(evidence.snapshot_id)
        source = self._by_snapshot[evidence.snapshot_id]
        before = text[max(0, evidence.start - _AROUND) : evidence.start]
        after = text[evidence.end : evidence.end + _AROUND]
        return Passage(evidence.quote, before, after, "", source.title, source.published)

    def _keep(self, evidence: Evidence) -> Evidence:
        same = (evidence.snapshot_id, evidence.start, evidence.end)
        existing = next(
            (e for e in self._evidence.values() if (e.snapshot_id, e.start, e.end) == same), None
        )
        if existing is not None:
            return existing
        self._number += 1
        stored = replace(evidence, evidence_id=f"E{self._number}")
        self._evidence[stored.evidence_id] = stored
        return stored
