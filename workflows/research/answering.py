"""Follow-up questions: answered from the texts of one report and the documents it may use, like its own question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from workflows.research.answer.model import NOT_FOUND, Answer, AnswerPassage, shown_passages
from workflows.research.answer.phase import answer_to
from workflows.research.answer.strength import with_strength
from workflows.research.conversation import FOLLOW_UP, Cited, answer_text, is_answered
from workflows.research.deps import Deps
from workflows.research.modelled.work import Work
from workflows.research.sentences import Sentence
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent, intent_of
from workflows.research.understand.topic import topic_of
from workflows.research.writing.answer import Writer, Written, packet_for
from workflows.research.writing.steps import ANSWER

_POINTS_BACK = re.compile(r"^(?:and|but|so|then)\b|\b(?:it|its|they|them|their|he|him|his|she|her)\b", re.I)
_TURNS, _TURN = 5, 1500  # last turns that a model is told, characters of each
_FEWEST_TERMS = 2  # of a question that can be understood without the one before it


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer. cited: what it cites and the record has not. found: whether it answers.

    sentences: written by a model. refused: those that did not pass. problem: why a model that was to write did not.
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
    whole = standalone(state, question)
    grown, answered, further = answer_to(whole, state, deps, FOLLOW_UP)
    grown = with_strength(replace(grown, answer=answered), answered.searched.sources)
    assert grown.answer is not None
    recorded = {evidence.evidence_id for evidence in state.evidence}
    cited = Cited(
        tuple(evidence for evidence in grown.evidence if evidence.evidence_id not in recorded),
        tuple(source for source in grown.sources if source not in state.sources),
        tuple(snapshot for snapshot in grown.snapshots if snapshot not in state.snapshots),
    )
    made = _written(grown, whole, [*shown_passages(grown.answer), *further], deps)
    model = deps.work.models.name(ANSWER.role) if deps.work and made.answer else ""
    return Answered(grown.answer, made.answer, cited, model, made.refused)


def _written(state: ResearchState, question: str, passages: Sequence[AnswerPassage], deps: Deps) -> Written:
    """What a model writes from the passages that were found and those of the report; nothing without a model."""
    work, answered = deps.work, state.answer
    if work is None or not work.left(ANSWER) or answered is None or answered.status == NOT_FOUND:
        return Written()
    packet = packet_for(state, passages, work)
    writer = Writer(state, deps, work, packet, question, _history(state, work))
    return writer.answer() if packet else Written()


def _history(state: ResearchState, work: Work) -> str:
    """The summaries of the conversation and its last turns; nothing where it may quote what a model may not see."""
    own = any(source.source_type == "local" for source in state.sources)
    if own and not work.models.may_see_documents(ANSWER.role):
        return ""
    turns = state.conversation[-_TURNS:]
    lines = [*(one.text for one in state.summaries), *(f"{one.question}\n{answer_text(one)[:_TURN]}" for one in turns)]
    return "\n\n".join(lines)[-work.models.window(ANSWER.role) // 2 :]


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
