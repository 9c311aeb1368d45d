"""Strength: counted facts that help to weigh a passage, in one line. Nothing here is judged."""

from collections.abc import Mapping
from dataclasses import replace

from tools.sources.source import Source, SourceKind
from tools.text.phrases import counted
from workflows.research.answer.model import Answer, AnswerPassage, shown_passages
from workflows.research.model import Claim, Evidence
from workflows.research.state import ResearchState

_KINDS = {
    "academic": "a scholarly work",
    "newsroom": "a news article",
    "web": "a web page",
    "local": "your document",
}


def with_strength(state: ResearchState, documents: int) -> ResearchState:
    """The state whose passages say what stands behind them. documents: how many texts were
    searched."""
    line = _Lines(state, documents)
    answer = state.answer
    if answer is None:
        return state
    answer = replace(
        answer,
        passages=tuple(map(line.of, answer.passages)),
        closest=tuple(map(line.of, answer.closest)),
        cards=tuple(
            replace(card, passages=tuple(map(line.of, card.passages))) for card in answer.cards
        ),
    )
    return replace(state, answer=answer, passages=tuple(map(line.of, state.passages)))


class _Lines:
    def __init__(self, state: ResearchState, documents: int) -> None:
        self._documents = documents
        self._sources: Mapping[str, Source] = {source.source_id: source for source in state.sources}
        self._claims: Mapping[str, Claim] = {claim.claim_id: claim for claim in state.claims}
        self._evidence: Mapping[str, Evidence] = {
            piece.evidence_id: piece for piece in state.evidence
        }
        self._pages = {
            snapshot.snapshot_id: [(page.start, page.page) for page in snapshot.pages]
            for snapshot in state.snapshots
        }
        self._completeness = {
            snapshot.snapshot_id: snapshot.completeness for snapshot in state.snapshots
        }

    def of(self, passage: AnswerPassage) -> AnswerPassage:
        """The passage with its place in the document and its strength line."""
        source = self._sources.get(passage.source_id)
        if source is None:
            return passage
        place = self._place(passage)
        if source.is_local:
            facts = self._date_and_place(passage, place)
        else:
            facts = self._external(passage, source)
        return replace(passage, place=place, strength=", ".join(facts))

    def _place(self, passage: AnswerPassage) -> str:
        """The page of the words that answer: a passage may begin some pages before them."""
        of_lead = [citation.evidence_id for citation in passage.lead.citations]
        answering = map(self._evidence.get, (*of_lead, *passage.evidence_ids))
        evidence = next(filter(None, answering), None)
        if evidence is None:
            return ""
        before = [
            number
            for start, number in self._pages.get(evidence.snapshot_id, ())
            if start <= evidence.start
        ]
        return f"page {before[-1]}" if before else ""

    def _date_and_place(self, passage: AnswerPassage, place: str) -> list[str]:
        held_by = 1 + len(passage.also)
        spread = [f"in {held_by} of {counted(self._documents, 'document')}"] if held_by > 1 else []
        return [part for part in (passage.date or "", place) if part] + spread

    def _external(self, passage: AnswerPassage, source: Source) -> list[str]:
        facts = [self._voices(passage, source)]
        evidence = next(map(self._evidence.get, passage.evidence_ids), None)
        if evidence and self._completeness.get(evidence.snapshot_id) == "abstract":
            facts.append("abstract only")
        facts += [
            f"{mark.kind.replace('_', ' ')} {(mark.date or '')[:4]}".strip()
            for mark in source.marks
        ]
        return facts

    def _voices(self, passage: AnswerPassage, source: Source) -> str:
        claim = self._claims.get(passage.claim_id)
        if claim is None or claim.independent_sources <= 1:
            return f"one source, {_kind_of(source)}"
        reviewed = sum(
            _is_reviewed(self._sources[source_id])
            for source_id in claim.supporting_sources
            if source_id in self._sources
        )
        peers = f", {reviewed} peer-reviewed" if reviewed else ""
        return f"restated by {claim.independent_sources} independent sources{peers}"


def _is_reviewed(source: Source) -> bool:
    is_retracted = source.credibility is not None and "retracted" in source.credibility.overrides
    return source.source_type == SourceKind.ACADEMIC and not (source.is_preprint or is_retracted)


def _kind_of(source: Source) -> str:
    if source.is_preprint:
        return "a preprint"
    if _is_reviewed(source) and source.venue:
        return "peer-reviewed"
    return _KINDS.get(source.source_type, "a source")


def cited_sources(answer: Answer | None) -> set[str]:
    """Ids of the sources whose passages the answer shows."""
    if answer is None:
        return set()
    written = {citation.source_id for sentence in answer.written for citation in sentence.citations}
    return (
        {passage.source_id for passage in shown_passages(answer)}
        | {item.source_id for item in (*answer.items, *answer.steps)}
        | written
    )
