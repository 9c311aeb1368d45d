"""What was asked after a research: turns with their own passages, which no later revision of the report may lose."""

from collections.abc import Sequence
from dataclasses import replace

from tools.corpus.model import Snapshot
from tools.research.source import Source
from workflows.research.model import Evidence
from workflows.research.report import Citation, Sentence, Turn
from workflows.research.state import ResearchState

AFTERWARDS = "afterwards"  # question_id of passages that follow-up answers cite
_LETTER = "F"
_GONE = "No longer a part of this research; an earlier answer cites it."


def passages(state: ResearchState) -> tuple[Evidence, ...]:
    """The passages of follow-up answers."""
    return tuple(one for one in state.evidence if one.question_id == AFTERWARDS)


def next_number(state: ResearchState) -> int:
    """The number of the next passage of a follow-up answer."""
    numbers = [int(one.evidence_id[1:]) for one in passages(state) if one.evidence_id[1:].isdecimal()]
    return max(numbers, default=0) + 1


def passage_id(number: int) -> str:
    return f"{_LETTER}{number}"


def with_turn(state: ResearchState, turn: Turn, evidence: Sequence[Evidence]) -> ResearchState:
    """The state with one more turn. Its passages are numbered anew where others took their numbers meanwhile."""
    taken = {one.evidence_id for one in state.evidence}
    names: dict[str, str] = {}
    number = next_number(state)
    fresh = []
    for one in evidence:
        if one.evidence_id in taken:
            names[one.evidence_id] = passage_id(number)
        name = names.get(one.evidence_id, one.evidence_id)
        number = max(number, int(name[1:]) + 1)
        fresh.append(replace(one, evidence_id=name, question_id=AFTERWARDS))
    turn = replace(turn, sentences=tuple(_renamed(sentence, names) for sentence in turn.sentences))
    return replace(state, conversation=(*state.conversation, turn), evidence=(*state.evidence, *fresh))


def with_answer(state: ResearchState, turn: Turn, evidence: Sequence[Evidence]) -> ResearchState:
    """The state with a turn that was searched for: where its question stood unanswered, else after the others."""
    grown = with_turn(state, turn, evidence)
    return replace(grown, conversation=_joined(state.conversation, grown.conversation[-1:]))


def is_answered(turn: Turn) -> bool:
    """Whether there is an answer, from a text or from what a model knows."""
    return bool(turn.text) or any(one.citations for one in turn.sentences)


def _joined(before: Sequence[Turn], after: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns of both. A question that had no answer stands once, with what came of asking it again."""
    turns = list(before)
    for turn in after:
        if turn in turns:
            continue
        same = [i for i, one in enumerate(turns) if one.question == turn.question and not is_answered(one)]
        at = same[0] if same else len(turns)
        turns[at : at + 1] = [turn]
    return tuple(turns)


def carry(before: ResearchState | None, state: ResearchState) -> ResearchState:
    """A state that takes the place of another, with everything that was asked after that one."""
    if before is None or not before.conversation:
        return state
    state = _with_passages(before, state)
    turns = _joined(before.conversation, state.conversation)
    ends = (max((one.last for one in each.summaries), default=0) for each in (before, state))
    summaries = before.summaries if next(ends) > next(ends) else state.summaries
    return replace(state, conversation=turns, summaries=summaries)


def _with_passages(before: ResearchState, state: ResearchState) -> ResearchState:
    held = {one.evidence_id for one in state.evidence}
    missing = [one for one in passages(before) if one.evidence_id not in held]
    here = {source.source_id for source in state.sources}
    texts = {one.snapshot_id for one in state.snapshots}
    needed = {one.source_id for one in missing} - here
    sources = [_leftover(one) for one in before.sources if one.source_id in needed]
    wanted = {one.snapshot_id for one in missing} - texts
    snapshots: list[Snapshot] = [one for one in before.snapshots if one.snapshot_id in wanted]
    return replace(
        state,
        evidence=(*state.evidence, *missing),
        sources=(*state.sources, *sources),
        snapshots=(*state.snapshots, *snapshots),
    )


def _leftover(source: Source) -> Source:
    """A source that an answer cites and the new revision does not have: found to be another one, for instance."""
    return replace(source, rejected=source.rejected or _GONE)


def _renamed(sentence: Sentence, names: dict[str, str]) -> Sentence:
    if not names:
        return sentence
    cited = (
        Citation(one.tag, one.source_id, names.get(one.evidence_id, one.evidence_id)) for one in sentence.citations
    )
    return replace(sentence, citations=tuple(cited))
