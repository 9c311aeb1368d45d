"""Verdict on a claim to check: which verified claims speak for it and which against, and how many voices each has."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.text.synonyms import alike
from tools.text.tokens import stem, stems
from tools.trust.contradict import DIRECT
from tools.trust.ends import swapped
from tools.trust.polarity import marks, relation
from tools.trust.statement import Statement, analyse, down_words, up_words
from workflows.research.deps import Deps
from workflows.research.model import Claim
from workflows.research.state import ResearchState
from workflows.research.supporters import voice_groups

_ROLES = 12  # words of a claim whose verb is looked for
_ON_TOPIC = 0.5  # share of the claim's own terms that a statement must hold; of each of its two ends too
_FLAT = re.compile(
    r"\b(?:unchanged|stayed (?:within|flat|the same)|remained (?:flat|stable|the same|within)|no (?:\w+\s){0,2}"
    r"(?:effect|change|difference|impact|link|evidence|association|relation(?:ship)?)|(?:little|hardly any) (?:effect"
    r"|change|difference)|not (?:\w+\s)?(?:associated|related|linked|affected?))\b",
    re.I,
)
# What turns "vitamin D" round: less of it
_LACKS = frozenset(
    stem(word)
    for word in """deficiency deficient deficiencies insufficiency insufficient inadequate lack lacking low shortage
    absence absent depleted depletion poor scarce scarcity""".split()
)
_MEASURES = frozenset(stem(word) for word in "risk risks rate rates chance level levels number amount odds".split())
_NEAR = 4  # words between a lack and what is lacking


@dataclass(frozen=True, slots=True)
class Judged:
    """label: supported, contested, unsupported. in_favour, against: voices. inner: clashes among those for it."""

    label: str
    in_favour: int
    against: int
    inner: int
    supporting: tuple[Claim, ...]
    opposing: tuple[Claim, ...]


def judge(state: ResearchState, ranked: Sequence[Claim], deps: Deps) -> Judged | None:
    """The judgement of a claim check; None for other questions, and where nothing was read that could speak at all."""
    if state.understanding.query_type != "claim_check" or not any(claim.verified for claim in ranked):
        return None
    hypothesis = analyse(state.understanding.primary_anchor)
    sides: dict[int, list[Claim]] = {1: [], -1: []}
    for claim in ranked:
        side = stance(hypothesis, analyse(claim.text)) if claim.verified else 0
        if side:
            sides[side].append(claim)
    in_favour, against = (_voices(state, sides[side], deps) for side in (1, -1))
    label = _label(in_favour, against)
    return Judged(label, in_favour, against, _inner(state, sides[1]), tuple(sides[1]), tuple(sides[-1]))


def _inner(state: ResearchState, favouring: Sequence[Claim]) -> int:
    """How often those who speak for the claim contradict each other, on its size for example."""
    ids = {claim.claim_id for claim in favouring}
    return sum(one.nature == DIRECT and one.claim_a in ids and one.claim_b in ids for one in state.contradictions)


def stance(hypothesis: Statement, statement: Statement) -> int:
    """1 for, -1 against, 0 beside the point.

    A hypothesis that says which way something goes ("batteries lower prices") is answered only by a statement that
    names both its ends, what acts and what is acted on, and says which way that goes or that it does not move.
    """
    moving = up_words() | down_words()
    wanted = hypothesis.terms - moving
    if not wanted or _held(wanted, statement) < _ON_TOPIC or statement.hedged:
        return 0
    ends = _ends(hypothesis, moving)
    named = (max(_held(frozenset(part[-1:]), statement), _held(frozenset(part), statement)) for part in ends)
    if not all(share >= _ON_TOPIC for share in named):
        return 0
    if _elsewhere(hypothesis, statement) or _turned_round(hypothesis, statement):
        return 0
    flat = bool(_FLAT.search(statement.text)) or statement.refutes
    if hypothesis.direction:
        acting = frozenset(ends[0]) if ends else frozenset()
        turned = _lacking(hypothesis, acting) != _lacking(statement, acting)
        return _on_the_way(hypothesis, statement, flat, turned)
    return -1 if (statement.negated or flat) != hypothesis.negated else 1


def _elsewhere(hypothesis: Statement, statement: Statement) -> bool:
    """Whether a statement speaks of the other half alone of what the claim is limited to: evenings, not mornings."""
    own, other = ({(one.axis, one.sign) for one in marks(made.words) if one.scope} for made in (hypothesis, statement))
    return any((axis, sign) not in other and (axis, -sign) in other for axis, sign in own)


def _turned_round(hypothesis: Statement, statement: Statement) -> bool:
    """Whether who does it and to whom are exchanged. A question has its verb bare ("Did Fitbit acquire Google?")."""
    words = hypothesis.text.split()[:_ROLES]
    forms = (" ".join([*words[:at], f"{words[at]}s", *words[at + 1 :]]) for at in range(1, len(words) - 1))
    return any(swapped(form, (statement.text,)) for form in (" ".join(words), *forms))


def _held(wanted: frozenset[str], statement: Statement) -> float:
    """Share of the terms that a statement has, words that go with them counted: "midnight" for "night"."""
    return sum(term in statement.terms or _close(term, statement) for term in wanted) / len(wanted)


def _close(term: str, statement: Statement) -> bool:
    return not alike(term).isdisjoint(statement.terms)


def _lacking(statement: Statement, acting: frozenset[str]) -> bool:
    """Whether it speaks of too little of what acts: "low vitamin D" against "vitamin D"."""
    order = statement.ordered
    places = [i for i, term in enumerate(order) if term in acting]
    lacks = [i for i, term in enumerate(order) if term in _LACKS]
    return any(abs(i - j) <= _NEAR for i in places for j in lacks)


def _on_the_way(hypothesis: Statement, statement: Statement, flat: bool, turned: bool) -> int:
    way = _opposite(hypothesis, statement) or statement.direction * hypothesis.direction
    if not way:
        return -1 if flat else 0
    agrees = (way > 0) != turned
    if statement.negated or flat:
        return -1 if agrees else 0  # "did not rise" does not yet say that it fell
    return 1 if agrees else -1


def _opposite(hypothesis: Statement, statement: Statement) -> int:
    """1 or -1 where a word says the same as one of the hypothesis, or its opposite: "warmer" to "cool"."""
    found = {
        relation(a, b)
        for a in marks(hypothesis.words)
        for b in marks(statement.words)
        if a.axis == b.axis and not (a.scope or a.negated or b.negated) and a.axis.startswith("opposite")
    }
    return found.pop() if len(found) == 1 else 0


def _ends(hypothesis: Statement, moving: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """The terms before and after the word that says which way it goes, the noun last; empty parts are left out."""
    turn = next((i for i, term in enumerate(hypothesis.ordered) if term in moving), None)
    if turn is None:
        return ()
    found = []
    for part in (hypothesis.ordered[:turn], hypothesis.ordered[turn + 1 :]):
        still = [term for term in part if term not in moving]
        found.append(tuple(term for term in still if term not in _LACKS | _MEASURES) or tuple(still))
    return tuple(part for part in found if part)


def _voices(state: ResearchState, claims: Sequence[Claim], deps: Deps) -> int:
    evidence = {one.evidence_id: one for one in state.evidence}
    passages: dict[str, str] = {}  # each source by its own words, or all who share a claim would look like copies
    for one in (evidence[i] for claim in claims for i in claim.evidence_ids if i in evidence):
        passages.setdefault(one.source_id, one.quote)
    sources = {source.source_id: source for source in state.sources if not source.rejected}
    return len(voice_groups(passages, sources, deps))


def _label(in_favour: int, against: int) -> str:
    if not in_favour:
        return "unsupported"
    return "contested" if against and in_favour < 4 * against else "supported"


def about(claim: Claim, subject: str) -> bool:
    """Whether a claim names a subject: all of a name ("Porcupine Tree") and of two words ("flow batteries"), of others
    at least half of the stems and the last one."""
    wanted = stems(subject)
    found = set(stems(claim.text))
    share = 1.0 if len(wanted) < 3 or all(word[:1].isupper() for word in subject.split()) else 0.5
    return bool(wanted) and wanted[-1] in found and sum(w in found for w in wanted) >= share * len(wanted)
