"""Cross-reference (3): evidence -> claims -> the voices behind each, and the contradictions between them.

A claim is an evidence sentence, smoothed by listed edits; near-duplicates are one claim with all their evidence. Then
every other source is searched for passages that support or contradict it, and the verifier judges each.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tools.text.phrases import counted
from tools.text.tokens import stems
from tools.trust.contradict import DIRECT, clash, pairs
from tools.trust.quotable import shown
from tools.trust.statement import analyse
from tools.trust.subject import within
from workflows.research.deps import Deps
from workflows.research.doubts import contradiction, doubts
from workflows.research.events import Event
from workflows.research.model import Claim, Contradiction, Evidence, last_number
from workflows.research.modelled import claims as modelled
from workflows.research.plan import finish_tasks
from workflows.research.senses import Answers, find_answers, tell_apart
from workflows.research.state import ResearchState
from workflows.research.supporters import says_it_too, voice_groups

_SAME = 0.75  # shared stems of two sentences that say one thing
_SEARCHED = 8  # passages looked at per claim
_MAX_CLAIMS = 80


@dataclass
class _Draft:
    """A claim while its evidence is collected."""

    text: str
    evidence: list[Evidence]
    question_id: str
    against: list[Evidence] = field(default_factory=list)
    scores: dict[str, float] = field(default_factory=dict)  # evidence id -> match
    rules: bool = False  # whether any evidence was found by the verifier rather than being the quote itself
    by: tuple[str, str] = ("", "")  # of a text worded by a model: its name, and who let it pass


def cross_reference(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with claims, their evidence for and against, voices and contradictions."""
    state, answers = find_answers(state, deps)
    drafts = draft_claims(state, deps, answers)
    evidence = list(state.evidence)
    if state.config.cross_reference and deps.settings.cross_reference:
        for draft in drafts:
            deps.check_cancelled()
            _search_support(draft, evidence, state, deps, answers)
    drafts = join_mutual(drafts)
    claims = tuple(_claim(number, draft, state, deps) for number, draft in enumerate(drafts, 1))
    claims, contradictions = contradict(claims, evidence, state)
    contradictions = doubts(claims, contradictions, state, deps)
    for claim in claims:
        if claim.independent_sources > 1:
            _tell(claim, deps)
    direct = sum(one.nature == DIRECT for one in contradictions)
    message = f"{counted(len(claims), 'claim')}, {counted(direct, 'direct contradiction')}."
    deps.emit(Event("note", "cross_reference", message, {"claims": len(claims), "contradictions": direct}))
    state = replace(state, evidence=tuple(evidence), claims=claims, contradictions=contradictions)
    state = tell_apart(state, answers, deps)
    return finish_tasks(state, "cross_validate")


def _tell(claim: Claim, deps: Deps) -> None:
    data = {"claim": claim.text, "sources": len(claim.supporting_sources), "voices": claim.independent_sources}
    deps.emit(Event("claim_found", "cross_reference", claim.text, data))


def draft_claims(state: ResearchState, deps: Deps, answers: Answers) -> list[_Draft]:
    """Distinct claims, at most 80: those worded by a model, then the sentences they do not cover, the best first."""
    ranked = sorted(state.evidence, key=lambda e: (-e.score, int(e.evidence_id[1:])))
    drafts = _stated(ranked, state, deps, answers)
    covered = {one.evidence_id for draft in drafts for one in draft.evidence if _covers(draft, one, deps)}
    index: dict[str, list[int]] = defaultdict(list)
    for i, draft in enumerate(drafts):
        for stem in set(stems(draft.text)):
            index[stem].append(i)
    for evidence in ranked:
        if evidence.evidence_id in covered:
            continue
        text, _ = shown(deps.text(evidence.snapshot_id), evidence.start, evidence.end)
        twin = next((i for i in _near(text, index) if _joins(evidence, text, drafts[i], answers)), None)
        if twin is not None:
            drafts[twin].evidence.append(evidence)
            drafts[twin].scores[evidence.evidence_id] = 1.0
        elif len(drafts) < _MAX_CLAIMS:
            for stem in set(stems(text)):
                index[stem].append(len(drafts))
            drafts.append(_Draft(text, [evidence], evidence.question_id, scores={evidence.evidence_id: 1.0}))
    return drafts


def _stated(ranked: Sequence[Evidence], state: ResearchState, deps: Deps, answers: Answers) -> list[_Draft]:
    """The claims that a model worded and that passed, each with what supports it; nobody's who answers otherwise."""
    words = [replace(one, quote=shown(deps.text(one.snapshot_id), one.start, one.end)[0]) for one in ranked]
    own = {one.evidence_id: one for one in ranked}
    drafts: list[_Draft] = []
    for one in modelled.claims(state, words, deps.verifier, deps.settings.span_threshold, deps.work):
        first, _ = one.evidence[0]
        kept = {
            e.evidence_id: score for e, score in one.evidence if e is first or not answers.apart(first, e.source_id)
        }
        if not any(says_the_same(one.text, draft.text) for draft in drafts):
            evidence = [own[evidence_id] for evidence_id in kept]
            by = ("", "") if one.text == first.quote else (one.model, one.verifier)
            drafts.append(_Draft(one.text, evidence, first.question_id, scores=kept, rules=len(kept) > 1, by=by))
    return drafts


def _covers(draft: _Draft, one: Evidence, deps: Deps) -> bool:
    """Whether a worded claim leaves nothing of a sentence unsaid that another claim could rest on."""
    text, _ = shown(deps.text(one.snapshot_id), one.start, one.end)
    mine, whole = analyse(draft.text), analyse(text)
    numbers = [sorted((q.kind, q.value) for q in statement.quantities) for statement in (mine, whole)]
    return numbers[0] == numbers[1] and len(mine.terms & whole.terms) >= _SAME * len(whole.terms)


def _joins(evidence: Evidence, text: str, draft: _Draft, answers: Answers) -> bool:
    """Whether a sentence says what a draft says, and is not another answer to the question."""
    return says_the_same(text, draft.text) and not answers.apart(draft.evidence[0], evidence.source_id)


def _near(text: str, index: Mapping[str, Sequence[int]]) -> list[int]:
    """Drafts that share most stems with the text, through the index."""
    wanted = set(stems(text))
    common: dict[int, int] = defaultdict(int)
    for stem in sorted(wanted):
        for i in index.get(stem, ()):
            common[i] += 1
    return sorted(i for i, count in common.items() if count >= 0.6 * len(wanted))


def says_the_same(a: str, b: str) -> bool:
    """Near-duplicates: nearly the same stems, the same numbers, the same polarity."""
    first, second = analyse(a), analyse(b)
    shared = len(first.terms & second.terms) / max(1, len(first.terms | second.terms))
    if shared < _SAME or first.negated != second.negated or first.direction * second.direction < 0:
        return False
    ours = sorted((q.kind, q.value) for q in first.quantities)
    return ours == sorted((q.kind, q.value) for q in second.quantities)


def join_mutual(drafts: Sequence[_Draft]) -> list[_Draft]:
    """Claims that support each other are one: the better ranked keeps its words and takes the other's evidence."""
    owner = {draft.evidence[0].evidence_id: i for i, draft in enumerate(drafts)}
    joined: dict[int, int] = {}
    for i, draft in enumerate(drafts):
        if i in joined:
            continue
        for evidence in list(draft.evidence[1:]):
            j = owner.get(evidence.evidence_id, i)
            other = drafts[j]
            mutual = any(one.evidence_id == draft.evidence[0].evidence_id for one in other.evidence)
            if j > i and j not in joined and mutual:
                joined[j] = i
                known = {one.evidence_id for one in draft.evidence}
                draft.evidence += [one for one in other.evidence if one.evidence_id not in known]
                draft.scores = {**other.scores, **draft.scores}
                draft.rules = True
    return [draft for i, draft in enumerate(drafts) if i not in joined]


def _search_support(
    draft: _Draft, evidence: list[Evidence], state: ResearchState, deps: Deps, answers: Answers
) -> None:
    """Passages of other sources that the verifier takes as support become evidence of the claim."""
    owner = {s.snapshot_id: s.source_id for s in state.sources if s.snapshot_id and not s.rejected}
    held = {one.source_id for one in draft.evidence}
    titles = {source.snapshot_id: source.title for source in state.sources}
    for passage in deps.retrieve(draft.text, sorted(owner), _SEARCHED):
        source_id = owner[passage.snapshot_id]
        if source_id in held or answers.apart(draft.evidence[0], source_id):
            continue
        text = deps.text(passage.snapshot_id)
        judged = deps.verifier.judge(draft.text, text[passage.start : passage.end], titles[passage.snapshot_id])
        if not says_it_too(draft.text, judged, deps.settings.span_threshold):
            continue
        start, end = passage.start + judged.start, passage.start + judged.end
        made = Evidence(
            f"E{last_number(evidence) + 1}", source_id, passage.snapshot_id, start, end, text[start:end],
            draft.question_id, round(judged.score, 6),
        )  # fmt: skip
        one = _known(made, evidence)
        draft.evidence.append(one)
        draft.scores[one.evidence_id] = judged.score
        draft.rules = True
        held.add(source_id)


def _known(made: Evidence, evidence: list[Evidence]) -> Evidence:
    """The evidence that exists for this span, or the one just made, added to the list."""
    place = (made.snapshot_id, made.start, made.end, made.source_id)
    for known in evidence:
        if (known.snapshot_id, known.start, known.end, known.source_id) == place:
            return known
    evidence.append(made)
    return made


def _claim(number: int, draft: _Draft, state: ResearchState, deps: Deps) -> Claim:
    sources = {source.source_id: source for source in state.sources}
    passages: dict[str, str] = {}
    for one in draft.evidence:
        passages.setdefault(one.source_id, one.quote)
    voices = voice_groups(passages, sources, deps)
    best = max(draft.scores.values(), default=0.0)
    heading = next((q.heading for q in state.plan.questions if q.id == draft.question_id), "")
    return Claim(
        claim_id=f"C{number}",
        text=draft.text,
        section=heading,
        question_id=draft.question_id,
        evidence_ids=tuple(one.evidence_id for one in draft.evidence),
        verified=best >= deps.settings.span_threshold,
        match_score=round(best, 6),
        supporting_sources=tuple(sorted(passages)),
        voices=voices,
        independent_sources=len(voices),
        cross_validated=len(voices) > 1 and deps.settings.cross_validation,
        verifier=draft.by[1] or (deps.verifier.name if draft.rules else "quote"),
        model=draft.by[0],
    )


def contradict(
    claims: Sequence[Claim], evidence: Sequence[Evidence], state: ResearchState
) -> tuple[tuple[Claim, ...], tuple[Contradiction, ...]]:
    """Contradictions between claims, each claim with the evidence against it; only direct ones count against."""
    titles = {source.source_id: source.title for source in state.sources}
    owner = {one.evidence_id: one.source_id for one in evidence}
    # The title of the text that the words of a claim are from may say whom they mean
    heads = [titles.get(owner[claim.evidence_ids[0]], "") if claim.evidence_ids else "" for claim in claims]
    statements = [within(analyse(claim.text), head) for claim, head in zip(claims, heads, strict=True)]
    found: list[Contradiction] = []
    against: dict[int, list[str]] = defaultdict(list)
    seen: set[tuple[str, str, tuple[float, ...]]] = set()
    for i, j in pairs(statements):
        clashing = clash(statements[i], statements[j], across=True)
        if clashing is None or set(claims[i].supporting_sources) == set(claims[j].supporting_sources):
            continue  # where all who state one state the other too, nobody sees a contradiction in them
        if clashing.nature == DIRECT:
            against[i] += _of_others(claims[j], claims[i], owner)
            against[j] += _of_others(claims[i], claims[j], owner)
        key = (clashing.nature, clashing.attribute, clashing.values)
        if clashing.values and key in seen:
            continue  # the same two values once more, in other words
        seen.add(key)
        found.append(contradiction(len(found) + 1, claims[i], claims[j], clashing))
    marked = tuple(
        replace(claim, contradicting_evidence_ids=tuple(dict.fromkeys(against[i]))) if i in against else claim
        for i, claim in enumerate(claims)
    )
    return marked, tuple(found)


def _of_others(claim: Claim, other: Claim, owner: Mapping[str, str]) -> list[str]:
    """The evidence of a claim from sources that do not state the other as well."""
    return [one for one in claim.evidence_ids if owner.get(one, "") not in other.supporting_sources]
