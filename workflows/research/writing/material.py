"""Material: the passages that a model writes from. It is shown more than the reader; what it cites
is recorded."""

from collections.abc import Iterable

from workflows.research.answer.collection import TextCollection
from workflows.research.answer.compose import (
    Composer,
    EvidenceNames,
    TextGone,
    interleaved,
    origins,
    with_evidence,
)
from workflows.research.answer.model import AnswerPassage
from workflows.research.answer.phase import rank_part
from workflows.research.answer.ranking import CANDIDATES
from workflows.research.answer.selection import select
from workflows.research.deps import Deps
from workflows.research.report.sentences import Sentence
from workflows.research.state import ResearchState
from workflows.research.understand.parts import parts_of
from workflows.research.writing.packets import MOST


def gather(
    state: ResearchState, question: str, deps: Deps, naming: EvidenceNames
) -> tuple[ResearchState, list[AnswerPassage]]:
    """The state with the evidence of up to 40 passages for a question, and these passages, best
    first."""
    try:
        return _gather_from(deps.collection(state), state, question, deps, naming)
    except TextGone:
        return _gather_from(deps.collection(state), state, question, deps, naming)


def _gather_from(
    collection: TextCollection,
    state: ResearchState,
    question: str,
    deps: Deps,
    naming: EvidenceNames,
) -> tuple[ResearchState, list[AnswerPassage]]:
    composer = Composer(state, collection, deps.source_of, deps.tag_letter, naming)
    answers = [rank_part(part, collection) for part in parts_of(question)]
    selections = [
        select(f.part, f.ranked, collection, MOST, CANDIDATES)
        for f in answers
        if f.presence.may_answer
    ]
    passages = [composer.passage(passage, part) for part, passage in interleaved(selections)]
    return composer.finished(), passages


def with_cited(
    state: ResearchState,
    grown: ResearchState,
    sentences: Iterable[Sentence],
    passages: Iterable[AnswerPassage],
) -> ResearchState:
    """The state with what sentences and passages cite of a grown one: evidence, its sources and
    their texts."""
    new_ids = _cited_ids(sentences, passages) - {piece.evidence_id for piece in state.evidence}
    added = [piece for piece in grown.evidence if piece.evidence_id in new_ids]
    return with_evidence(state, added, *origins(grown, added))


def _cited_ids(sentences: Iterable[Sentence], passages: Iterable[AnswerPassage]) -> set[str]:
    evidence_ids = {
        citation.evidence_id for sentence in sentences for citation in sentence.citations
    }
    for passage in passages:
        evidence_ids.update(
            (
                *passage.evidence_ids,
                *passage.context,
                *(citation.evidence_id for citation in passage.lead.citations),
            )
        )
    return evidence_ids
