"""Verdict: what independent passages say to a yes-or-no question. Only with a judge that may say
so."""

from dataclasses import replace

from tools.judging.judge import JudgeKind, Label, Passage
from workflows.research.answer.model import AnswerPassage, AnswerVerdict, JudgeUsed
from workflows.research.deps import Deps
from workflows.research.report.sentences import Sentence, SentenceKind
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent
from workflows.research.verify.independence import Supporter, independent_groups
from workflows.research.writing.judging import judge_of

YES, NO, MIXED, NOT_SETTLED = "yes", "no", "mixed", "not_settled"
_ENOUGH_VOICES = 2


def with_verdict(state: ResearchState, deps: Deps) -> ResearchState:
    """The answer with who judged and, for a question of yes or no that was judged, the verdict."""
    answer = state.answer
    assert answer is not None
    local = {source.source_id for source in state.sources if source.is_local}
    judge = (
        judge_of(deps, any(passage.source_id in local for passage in answer.passages)) or deps.judge
    )
    answer = replace(answer, judge=JudgeUsed(judge.name, judge.kind.value))
    if (
        answer.intent in (Intent.YES_NO, Intent.CLAIM)
        and judge.kind != JudgeKind.NONE
        and answer.passages
    ):
        answer = replace(
            answer, verdict=_verdict(state, list(answer.passages), replace(deps, judge=judge))
        )
    return replace(state, answer=answer)


def _verdict(state: ResearchState, passages: list[AnswerPassage], deps: Deps) -> AnswerVerdict:
    sources = {source.source_id: source for source in state.sources}
    judged = deps.judge.judge(
        [
            (state.original_query, [Passage(p.text, heading=" ".join(p.heading_path), date=p.date)])
            for p in passages
        ]
    )
    sides: dict[Label, list[AnswerPassage]] = {
        Label.SUPPORT: [],
        Label.CONTRADICT: [],
        Label.NEITHER: [],
    }
    for passage, judgement in zip(passages, judged, strict=True):
        sides[judgement.label].append(passage)

    def voices(side: Label) -> int:
        supporters = [Supporter(sources[p.source_id], p.lead.claim) for p in sides[side]]
        return len(independent_groups(supporters, deps.text))

    in_favour, against = voices(Label.SUPPORT), voices(Label.CONTRADICT)
    deciding = (*sides[Label.SUPPORT], *sides[Label.CONTRADICT])
    has_local = any(sources[passage.source_id].is_local for passage in deciding)
    label = _label(in_favour, against, enough=1 if has_local else _ENOUGH_VOICES)
    quoted = tuple(
        Sentence(
            f"v{n}",
            SentenceKind.QUOTE,
            p.lead.claim,
            (),
            (p.claim_id,) if p.claim_id else (),
            p.lead.citations,
        )
        for n, p in enumerate(deciding, 1)
    )
    return AnswerVerdict(label, in_favour, against, quoted)


def _label(in_favour: int, against: int, enough: int) -> str:
    if max(in_favour, against) < enough:
        return NOT_SETTLED
    if in_favour and against:
        return MIXED
    return YES if in_favour else NO
