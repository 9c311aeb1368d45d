"""Follow-up questions: answered from the texts of one report and the documents it may use, like its own question."""

import re
from dataclasses import dataclass, replace

from workflows.research.answer.model import NOT_FOUND, Answer
from workflows.research.answer.phase import answer_to
from workflows.research.answer.strength import with_strength
from workflows.research.conversation import FOLLOW_UP, Cited, is_answered
from workflows.research.deps import Deps
from workflows.research.sentences import Sentence
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent, intent_of
from workflows.research.understand.topic import topic_of

_POINTS_BACK = re.compile(r"^(?:and|but|so|then)\b|\b(?:it|its|they|them|their|he|him|his|she|her)\b", re.I)
_FEWEST_TERMS = 2  # of a question that can be understood without the one before it


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer. cited: what it cites and the record has not. found: whether it answers.

    sentences: written by a model. refused: of them those that did not pass. problem: why a model did not write.
    """

    answer: Answer
    sentences: tuple[Sentence, ...] = ()
    cited: Cited = Cited()
    model: str = ""
    refused: int = 0
    problem: str = ""

    @property
    def found(self) -> bool:
        return self.answer.status != NOT_FOUND


def answer(state: ResearchState, question: str, deps: Deps) -> Answered:
    """The answer to a question about a finished report. Cancelled passes."""
    grown, answered, _ = answer_to(standalone(state, question), state, deps, FOLLOW_UP)
    grown = with_strength(replace(grown, answer=answered), answered.searched.sources)
    assert grown.answer is not None
    recorded = {evidence.evidence_id for evidence in state.evidence}
    cited = Cited(
        tuple(evidence for evidence in grown.evidence if evidence.evidence_id not in recorded),
        tuple(source for source in grown.sources if source not in state.sources),
        tuple(snapshot for snapshot in grown.snapshots if snapshot not in state.snapshots),
    )
    return Answered(grown.answer, cited=cited)


def standalone(state: ResearchState, question: str) -> str:
    """The question with what it leans on: the answered one before it, itself completed, or what was asked first."""
    last = state.original_query
    for turn in state.conversation:
        if is_answered(turn):
            last = _completed(last, turn.question)
    return _completed(last, question)


def _completed(last: str, question: str) -> str:
    """The topic of the last question and this one, where a word of it points back or it has few words of its own."""
    own = " ".join(question.split())
    alone = len(topic_of(own).terms) >= _FEWEST_TERMS and not _POINTS_BACK.search(own)
    if alone or intent_of(own) == Intent.UNCLEAR:
        return own
    return f"{topic_of(last).text()} {own}"
