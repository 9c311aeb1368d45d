"""Follow-up questions: answered from the texts of one report and the documents it may use, like its
own question."""

import re
from dataclasses import replace

from tools.models.model import CHARACTERS_PER_TOKEN
from tools.text.tokens import words
from workflows.conversation.about_report import ABOUT_REPORT, about_report
from workflows.conversation.turns import FOLLOW_UP, Cited, answer_text, number_folded
from workflows.research.answer.model import Answer, AnswerPassage, shown_passages
from workflows.research.answer.phase import answer_to
from workflows.research.answer.strength import with_strength
from workflows.research.deps import Deps
from workflows.research.kinds import AnswerStatus
from workflows.research.modelled.work import Work
from workflows.research.report.model import Turn
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent, intent_of
from workflows.research.understand.topic import topic_of
from workflows.research.writing.answer import Writer, Written, cited_first, packet_for
from workflows.research.writing.material import gather, with_cited
from workflows.research.writing.steps import ANSWER

_POINTS_BACK = re.compile(
    r"^(?:and|but|so|then)\b|\b(?:it|its|they|them|their|he|him|his|she|her)\b", re.I
)
_TURN = 1500  # characters of an earlier answer that a model is told
_BEFORE = 0.08  # of the window may be the report, and as much the conversation
_FEWEST_TERMS = 2  # of a question that can be understood without the one before it


def answer(state: ResearchState, question: str, deps: Deps) -> tuple[Turn, Cited]:
    """The answer to a question about a finished report, or about what it reports, and what it cites
    that the record has not. Cancelled passes."""
    if reply := about_report(state, question):
        about = Answer(AnswerStatus.ANSWERED, ABOUT_REPORT)
        return Turn(deps.now(), question, reply, answer=about), Cited()
    grown, answered, _ = answer_to(standalone(state, question), state, deps, FOLLOW_UP)
    # The words that it took from the question before it were not asked now
    absent = [term for term in answered.absent_terms if set(words(question)) & set(words(term))]
    answered = replace(answered, absent_terms=tuple(absent))
    written, texts = _written(replace(grown, answer=answered), question, state, deps)
    answered = replace(answered, passages=cited_first(answered.passages, written.passages))
    grown = with_cited(replace(grown, answer=answered), texts, written.answer, written.passages)
    grown = with_strength(grown, answered.searched.sources)
    turn = Turn(
        deps.now(),
        question,
        written.answer,
        model=deps.work.models.name(ANSWER.role) if deps.work and written.answer else "",
        refused=written.refused,
        answer=grown.answer,
    )
    return turn, _cited_anew(state, grown)


def _cited_anew(before: ResearchState, grown: ResearchState) -> Cited:
    """What an answer cites and the record has not."""
    recorded = {evidence.evidence_id for evidence in before.evidence}
    return Cited(
        tuple(evidence for evidence in grown.evidence if evidence.evidence_id not in recorded),
        tuple(source for source in grown.sources if source not in before.sources),
        tuple(snapshot for snapshot in grown.snapshots if snapshot not in before.snapshots),
    )


def _written(
    state: ResearchState, question: str, report: ResearchState, deps: Deps
) -> tuple[Written, ResearchState]:
    """What a model writes from the passages that were found, others for the question and those of
    the report, with the state that these are of; nothing without a model."""
    work, answered = deps.work, state.answer
    if (
        work is None
        or not work.calls_left(ANSWER)
        or answered is None
        or answered.status == AnswerStatus.NOT_FOUND
    ):
        return Written(), state
    grown, further = gather(state, standalone(report, question), deps, FOLLOW_UP)
    passages = [*shown_passages(answered), *further, *_passages_of(report)]
    before = _before(report, work)
    packet = packet_for(grown, passages, work, deps.settings.synthesis_sources, before)
    if not packet:
        return Written(), state
    return Writer(grown, deps, work, packet, question, before).answer(), grown


def _passages_of(report: ResearchState) -> list[AnswerPassage]:
    answer, sections = report.answer, report.report.sections if report.report else ()
    return [
        *(shown_passages(answer) if answer else ()),
        *(passage for part in sections for passage in part.passages),
    ]


def _before(report: ResearchState, work: Work) -> str:
    """The report and the conversation after it, folded; the question alone where these may quote
    what a model may not see."""
    has_local = any(source.is_local for source in report.sources)
    if has_local and not work.models.may_see_documents(ANSWER.role):
        return report.original_query
    room = int(_BEFORE * work.models.window(ANSWER.role)) * CHARACTERS_PER_TOKEN
    turns = report.conversation[number_folded(report) :]
    lines = [
        *(s.text for s in report.summaries),
        *(f"{turn.question}\n{answer_text(turn)[:_TURN]}" for turn in turns),
    ]
    return "\n\n".join(
        part for part in (_text_of(report)[:room], "\n\n".join(lines)[-room:]) if part
    )


def _text_of(report: ResearchState) -> str:
    """The question of a report with what a model wrote to it, else with the leads of its
    passages."""
    answer, sections = report.answer, report.report.sections if report.report else ()
    written = [
        *(answer.written if answer else ()),
        *(sentence for part in sections for sentence in part.sentences),
    ]
    lines = [entry.text for entry in written] or [entry.lead.text for entry in _passages_of(report)]
    return "\n".join([report.original_query, *lines])


def standalone(state: ResearchState, question: str) -> str:
    """The question with what it leans on: the answered one before it, itself completed, or what was
    asked first."""
    last = state.original_query
    for turn in state.conversation:
        if turn.is_answered:
            last = _completed(last, turn.question)
    return _completed(last, question)


def _completed(last: str, question: str) -> str:
    """The topic of the last question and this one, where a word of it points back or it has few
    words of its own."""
    text = " ".join(question.split())
    alone = len(topic_of(text).terms) >= _FEWEST_TERMS and not _POINTS_BACK.search(text)
    if alone or intent_of(text) == Intent.UNCLEAR:
        return text
    return f"{topic_of(last).text()} {text}"
