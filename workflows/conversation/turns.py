"""What was asked after a research: turns with their own passages, which no later revision of the
report may lose."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar, cast

from tools.documents.model import Snapshot
from tools.sources.source import Source
from workflows.research.answer.compose import EvidenceNames, origins, with_evidence
from workflows.research.answer.model import shown_passages
from workflows.research.model import Evidence
from workflows.research.report.model import Turn
from workflows.research.state import ResearchState

AFTERWARDS = "afterwards"  # question_id of passages that follow-up answers cite
FOLLOW_UP = EvidenceNames("F", AFTERWARDS)
_GONE = "No longer part of this report; an earlier answer cites it."
_NAMES_EVIDENCE = ("evidence_id", "evidence_ids", "context")  # fields of an answer

T = TypeVar("T")


def passages(state: ResearchState) -> tuple[Evidence, ...]:
    """The passages of follow-up answers."""
    return tuple(evidence for evidence in state.evidence if evidence.question_id == AFTERWARDS)


@dataclass(frozen=True, slots=True)
class Cited:
    """What an answer cites and the record has not yet."""

    evidence: tuple[Evidence, ...] = ()
    sources: tuple[Source, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()


def with_turn(state: ResearchState, turn: Turn, citations: Cited) -> ResearchState:
    """The state with one more turn and what it cites. Evidence is numbered anew where others took
    its numbers."""
    evidence_ids = {piece.evidence_id for piece in state.evidence}
    names: dict[str, str] = {}
    number = FOLLOW_UP.last((*state.evidence, *citations.evidence))
    fresh = []
    for new in citations.evidence:
        if new.evidence_id in evidence_ids:
            number += 1
            names[new.evidence_id] = f"{FOLLOW_UP.letter}{number}"
        fresh.append(
            replace(
                new, evidence_id=names.get(new.evidence_id, new.evidence_id), question_id=AFTERWARDS
            )
        )
    state = with_evidence(state, fresh, citations.sources, citations.snapshots)
    return replace(
        state, conversation=(*state.conversation, _renamed(turn, names) if names else turn)
    )


def answer_text(turn: Turn) -> str:
    """What a turn answers, as plain text with the tags of its sources."""
    if turn.text:
        return turn.text
    lines = [_tagged(s.text, [c.tag for c in s.citations]) for s in turn.sentences]
    if turn.answer is not None and not lines:
        lines = [_tagged(p.text, [p.tag]) for p in shown_passages(turn.answer)]
    return "\n".join(lines)


def number_folded(state: ResearchState) -> int:
    """How many turns, from the first on, summaries stand for."""
    return max((summary.last for summary in state.summaries), default=0)


def _tagged(text: str, tags: Sequence[str]) -> str:
    return f"{text} {''.join(f'[{tag}]' for tag in dict.fromkeys(tags))}".strip()


def with_answer(state: ResearchState, turn: Turn, citations: Cited) -> ResearchState:
    """The state with a turn that was searched for: where its question stood unanswered, else after
    the others."""
    grown = with_turn(state, turn, citations)
    return replace(grown, conversation=_joined(state.conversation, grown.conversation[-1:]))


def _joined(before: Sequence[Turn], after: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns of both. A question that had no answer stands once, with what came of asking it
    again."""
    turns = list(before)
    for turn in after:
        if turn in turns:
            continue
        same = [
            i
            for i, earlier in enumerate(turns)
            if earlier.question == turn.question and not earlier.is_answered
        ]
        at = same[0] if same else len(turns)
        turns[at : at + 1] = [turn]
    return tuple(turns)


def carry(before: ResearchState | None, state: ResearchState) -> ResearchState:
    """A state that takes the place of another, with everything that was asked after that one."""
    if before is None or not before.conversation:
        return state
    state = _with_passages(before, state)
    turns = _joined(before.conversation, state.conversation)
    summaries = (
        before.summaries if number_folded(before) > number_folded(state) else state.summaries
    )
    return replace(state, conversation=turns, summaries=summaries)


def _with_passages(before: ResearchState, state: ResearchState) -> ResearchState:
    ids = {piece.evidence_id for piece in state.evidence}
    missing = [passage for passage in passages(before) if passage.evidence_id not in ids]
    sources, snapshots = origins(before, missing)
    listed = {source.source_id for source in state.sources}
    # What an answer cites and the new revision does not have: found to be another source, for
    # instance
    extra = [
        replace(source, rejected=source.rejected or _GONE)
        for source in sources
        if source.source_id not in listed
    ]
    return with_evidence(state, missing, extra, snapshots)


def _renamed(value: T, names: dict[str, str], field: str = "") -> T:
    """A turn, or a part of one, whose evidence has other names."""
    if isinstance(value, str):
        return cast(T, names.get(value, value)) if field in _NAMES_EVIDENCE else value
    if isinstance(value, tuple):
        return cast(T, tuple(_renamed(item, names, field) for item in value))
    if is_dataclass(value) and not isinstance(value, type):
        new_values = {
            f.name: _renamed(getattr(value, f.name), names, f.name) for f in fields(value)
        }
        return cast(T, replace(value, **new_values))
    return value
