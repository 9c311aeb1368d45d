"""The last gate: every passage and sentence is checked against the stored texts; what fails is
refused and counted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from workflows.research.answer.model import Answer, AnswerItem, AnswerPassage
from workflows.research.deps import Deps
from workflows.research.model import Evidence
from workflows.research.report.model import Report
from workflows.research.report.sentences import Citation, Sentence, SentenceKind
from workflows.research.state import ResearchState

T = TypeVar("T")


def check_report(state: ResearchState, deps: Deps) -> tuple[ResearchState, int]:
    """The state without passages and sentences that fail, and how many failed."""
    gate = Gate(state, deps)
    answer = gate.answer(state.answer) if state.answer else None
    report = gate.report(state.report) if state.report else None
    return replace(state, answer=answer, report=report), gate.refused


class Gate:
    """Keeps what resolves in the evidence of a state. refused: how many did not."""

    def __init__(self, state: ResearchState, deps: Deps) -> None:
        self.refused = 0
        self._deps = deps
        self._evidence = {piece.evidence_id: piece for piece in state.evidence}
        self._tags = {source.source_id: source.tag for source in state.sources}

    def answer(self, answer: Answer) -> Answer:
        return replace(
            answer,
            written=self.sentences(answer.written),
            short=answer.short if answer.short and self._cites(answer.short.citations) else None,
            passages=self._passages(answer.passages),
            closest=self._passages(answer.closest),
            items=self._items(answer.items),
            steps=self._items(answer.steps),
            cards=tuple(
                replace(card, passages=self._passages(card.passages)) for card in answer.cards
            ),
        )

    def report(self, report: Report) -> Report:
        sections = tuple(
            replace(s, sentences=self.sentences(s.sentences), passages=self._passages(s.passages))
            for s in report.sections
        )
        return replace(
            report,
            summary=self.sentences(report.summary),
            sections=tuple(s for s in sections if s.sentences or s.passages),
            disagreements=tuple(
                replace(d, sentences=self.sentences(d.sentences)) for d in report.disagreements
            ),
        )

    def sentences(self, sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
        return self._passing(sentences, lambda sentence: self.problem_of(sentence) is None)

    def problem_of(self, sentence: Sentence) -> str | None:
        """Why a sentence may not stand in the report, or None."""
        if sentence.kind == SentenceKind.NARRATION:
            return "narration cites nothing" if sentence.citations else None
        if not sentence.citations:
            return "no citation"
        if not self._cites(sentence.citations):
            return "a citation leads nowhere"
        if sentence.kind == SentenceKind.WRITTEN:
            if sentence.model and sentence.verifier:
                return None
            return "nobody says who wrote it and who let it pass"
        quoted = {" ".join(self._evidence[c.evidence_id].quote.split()) for c in sentence.citations}
        text = " ".join(sentence.text.split())
        if any(text in quote or quote in text for quote in quoted):
            return None
        return "it is not what the passage says"

    def _passages(self, passages: tuple[AnswerPassage, ...]) -> tuple[AnswerPassage, ...]:
        return self._passing(passages, self._is_sound)

    def _is_sound(self, passage: AnswerPassage) -> bool:
        return (
            passage_resolves(passage, self._evidence)
            and self._resolve((*passage.evidence_ids, *passage.context))
            and self._cites(passage.lead.citations)
        )

    def _items(self, items: tuple[AnswerItem, ...]) -> tuple[AnswerItem, ...]:
        return self._passing(items, lambda item: self._resolve(item.evidence_ids))

    def _passing(self, parts: tuple[T, ...], stands: Callable[[T], bool]) -> tuple[T, ...]:
        """The parts that stand; the others are counted."""
        passing = tuple(filter(stands, parts))
        self.refused += len(parts) - len(passing)
        return passing

    def _resolve(self, evidence_ids: tuple[str, ...]) -> bool:
        return bool(evidence_ids) and all(
            self._stands(self._evidence.get(key)) for key in evidence_ids
        )

    def _cites(self, citations: tuple[Citation, ...]) -> bool:
        for citation in citations:
            evidence = self._evidence.get(citation.evidence_id)
            if (
                evidence is None
                or evidence.source_id != citation.source_id
                or self._tags.get(citation.source_id) != citation.tag
            ):
                return False
            if not self._stands(evidence):
                return False
        return bool(citations)

    def _stands(self, evidence: Evidence | None) -> bool:
        """Whether a quotation is in its stored text, byte for byte."""
        return (
            evidence is not None
            and self._deps.text(evidence.snapshot_id)[evidence.start : evidence.end]
            == evidence.quote
        )


def passage_resolves(passage: AnswerPassage, evidence: Mapping[str, Evidence]) -> bool:
    """Whether a passage and its lead are made of the quotes of their evidence, and of nothing
    else."""
    visible_ids = [*passage.context, *passage.evidence_ids]
    cited_ids = [citation.evidence_id for citation in passage.lead.citations]
    if (
        not passage.evidence_ids
        or not cited_ids
        or not evidence.keys() >= {*visible_ids, *cited_ids}
    ):
        return False
    if passage.lead.sentence not in passage.lead.text:
        return False
    # What answers is cited first; what leads in to it stands before it
    in_lead = [
        *cited_ids[1:],
        cited_ids[0],
    ]
    return _made_of(passage.text, [evidence[key].quote for key in visible_ids]) and _made_of(
        passage.lead.text, [evidence[key].quote for key in in_lead]
    )


def _made_of(text: str, quotes: Sequence[str]) -> bool:
    """Whether a text is some quotes in their order, with nothing but white space and marks between
    them."""
    rest = " ".join(text.split())
    for quote in quotes:
        before, match, rest = rest.partition(" ".join(quote.split()))
        if not match or any(character.isalpha() for character in before):
            return False
    return not any(character.isalnum() for character in rest)
