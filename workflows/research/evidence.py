"""Evidence: which sentences of the texts read answer which question? Whole sentences, byte-exact spans."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tools.corpus.model import Passage
from tools.text.sentences import spans
from tools.text.tokens import stems
from tools.trust.worth import specificity, worth_citing
from workflows.research.deps import Deps
from workflows.research.model import Evidence, Question
from workflows.research.state import ResearchState
from workflows.research.templates import TEMPLATES

_PASSAGES = 40  # retrieved per question
_PER_SOURCE = 4  # sentences kept per source and question
_PER_QUESTION = 24
_ENOUGH = 0.22  # a sentence below this is not on the question
_ANSWER = 4  # sentences of a question's answer


@dataclass(frozen=True, slots=True)
class _Scored:
    score: float
    cue: float
    snapshot_id: str
    start: int
    end: int
    quote: str


def select_evidence(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with evidence for every question from all texts read so far, and each question's answer."""
    owner = {s.snapshot_id: s.source_id for s in state.sources if s.snapshot_id and not s.rejected}
    if not owner:
        return state
    weight = _rarity(state, deps, owner)
    taken = {(e.snapshot_id, e.start, e.end): e for e in state.evidence}
    best: dict[tuple[str, int, int], tuple[float, _Scored, Question]] = {}
    for question in state.plan.questions:
        for scored in _sentences(state, question, deps, owner, weight):
            key = (scored.snapshot_id, scored.start, scored.end)
            value = round(scored.score + scored.cue, 6)
            if key not in taken and (key not in best or value > best[key][0]):
                best[key] = (value, scored, question)
    chosen = _cap(best, owner)
    number = len(state.evidence)
    fresh = tuple(
        Evidence(f"E{number + i}", owner[s.snapshot_id], s.snapshot_id, s.start, s.end, s.quote, q.id, s.score)
        for i, (s, q) in enumerate(chosen, 1)
    )
    return _with_answers(replace(state, evidence=(*state.evidence, *fresh)))


def _sentences(
    state: ResearchState, question: Question, deps: Deps, owner: Mapping[str, str], weight: Mapping[str, float]
) -> list[_Scored]:
    """Scored sentences of the passages retrieved for one question."""
    deps.check_cancelled()
    passages = deps.retrieve(_retrieval_query(state, question), sorted(owner), _PASSAGES)
    wanted, cues = set(stems(state.original_query)) or set(stems(question.text)), _cues(state, question)
    found = [one for passage in passages for one in _of_passage(passage, wanted, cues, weight, deps)]
    unique = {(one.snapshot_id, one.start): one for one in sorted(found, key=lambda s: s.score)}
    return list(unique.values())


def _of_passage(
    passage: Passage, wanted: set[str], cues: set[str], weight: Mapping[str, float], deps: Deps
) -> list[_Scored]:
    text = deps.text(passage.snapshot_id)
    found = []
    for start, end in spans(text, passage.start, passage.end):
        quote = text[start:end]
        if not worth_citing(quote):
            continue
        terms = set(stems(quote))
        match = _share(wanted, terms, weight)
        score = 0.6 * match + 0.2 * passage.score + 0.2 * specificity(quote)
        if match >= 0.2 and score >= _ENOUGH:
            cue = 0.25 * len(cues & terms) / (1 + len(cues & terms))
            found.append(_Scored(round(score, 6), round(cue, 6), passage.snapshot_id, start, end, quote))
    return found


def _share(wanted: set[str], terms: set[str], weight: Mapping[str, float]) -> float:
    total = sum(weight.get(term, 1.0) for term in wanted) or 1.0
    return sum(weight.get(term, 1.0) for term in wanted & terms) / total


def _rarity(state: ResearchState, deps: Deps, owner: Mapping[str, str]) -> dict[str, float]:
    """Weight of each stem of the question: rare among the texts read counts more."""
    wanted = set(stems(state.original_query))
    counts: Counter[str] = Counter()
    for snapshot_id in sorted(owner):
        counts.update(wanted & set(stems(deps.text(snapshot_id)[:20000])))
    return {term: 0.3 + math.log(1 + len(owner) / (1 + counts[term])) for term in wanted}


def _retrieval_query(state: ResearchState, question: Question) -> str:
    return f"{state.original_query[:300]} {question.queries[-1] if question.queries else question.text}"[:600]


def _cues(state: ResearchState, question: Question) -> set[str]:
    rows = TEMPLATES[state.understanding.query_type]
    row = next((row for row in rows if row.heading == question.heading), None)
    return set(stems(row.cues)) if row else set(stems(question.text))


def _cap(
    best: Mapping[tuple[str, int, int], tuple[float, _Scored, Question]], owner: Mapping[str, str]
) -> list[tuple[_Scored, Question]]:
    """The best few per source and question, at most so many per question, in the order of texts and places."""
    ordered = sorted(best.values(), key=lambda item: (-item[0], item[1].snapshot_id, item[1].start))
    per_source: Counter[tuple[str, str]] = Counter()
    per_question: Counter[str] = Counter()
    kept = []
    for _, scored, question in ordered:
        pair = (owner[scored.snapshot_id], question.id)
        if per_source[pair] < _PER_SOURCE and per_question[question.id] < _PER_QUESTION:
            per_source[pair] += 1
            per_question[question.id] += 1
            kept.append((scored, question))
    place = {snapshot: i for i, snapshot in enumerate(owner)}
    return sorted(kept, key=lambda item: (place[item[0].snapshot_id], item[0].start))


def _with_answers(state: ResearchState) -> ResearchState:
    """Each question with its evidence, and an answer of its best sentences with tags of their sources."""
    tags = {source.source_id: source.tag or "" for source in state.sources}
    by_question: dict[str, list[Evidence]] = defaultdict(list)
    for evidence in state.evidence:
        by_question[evidence.question_id].append(evidence)
    questions = tuple(_answered(question, by_question[question.id], tags) for question in state.plan.questions)
    return replace(state, plan=replace(state.plan, questions=questions))


def _answered(question: Question, evidence: Sequence[Evidence], tags: Mapping[str, str]) -> Question:
    best = sorted(evidence, key=lambda e: (-e.score, e.evidence_id))[:_ANSWER]
    answer = tuple(f"{' '.join(one.quote.split())} [{tags[one.source_id]}]" for one in best)
    confidence = round(sum(one.score for one in best) / len(best), 6) if best else 0.0
    ids = tuple(one.evidence_id for one in evidence)
    return replace(question, evidence_ids=ids, answer=answer, confidence=confidence)
