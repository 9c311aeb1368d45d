"""Two researches side by side: the claims both make, those only one makes, those that clash, and the sources shared.

Only verified claims are compared. Two claims are the same when nearly all their stems, their numbers and their polarity
agree; they clash by the rules that find contradictions inside one research.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tools.research.source import Source
from tools.trust.contradict import clash
from tools.trust.statement import Statement, analyse
from workflows.research.model import Claim
from workflows.research.state import ResearchState

SAME = 0.75  # of the stems of both
MOST = 200  # claims of one research that are compared, the surest first
ORDER = {"direct": 0, "scope": 1, "nuanced": 2}


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim of each research. nature and explanation: of a clash, empty for claims that agree."""

    a: Claim
    b: Claim
    nature: str = ""
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """both: verified claims that say the same. clashes: those that contradict each other. only: the verified claims
    (of a alone, of b alone). shared_sources: each as (of a, of b). only_sources: (of a alone, of b alone)."""

    both: tuple[Pair, ...]
    clashes: tuple[Pair, ...]
    only: tuple[tuple[Claim, ...], tuple[Claim, ...]]
    shared_sources: tuple[tuple[Source, Source], ...]
    only_sources: tuple[tuple[Source, ...], tuple[Source, ...]]


def compare(a: ResearchState, b: ResearchState) -> Comparison:
    """What two researches have in common, and where they differ. The same two always compare alike."""
    ours, theirs = _surest(a), _surest(b)
    said = [analyse(claim.text) for claim in ours], [analyse(claim.text) for claim in theirs]
    both, clashes = _pairs(*said)
    taken = {i for i, _ in both} | {i for i, *_ in clashes}, {j for _, j in both} | {j for _, j, *_ in clashes}
    known = {source.source_id: source for source in _kept(b)}
    shared = tuple((source, known[source.source_id]) for source in _kept(a) if source.source_id in known)
    ids = {source.source_id for source, _ in shared}
    return Comparison(
        tuple(Pair(ours[i], theirs[j]) for i, j in both),
        tuple(Pair(ours[i], theirs[j], nature, why) for i, j, nature, why in clashes),
        (_rest(ours, taken[0]), _rest(theirs, taken[1])),
        shared,
        (
            tuple(source for source in _kept(a) if source.source_id not in ids),
            tuple(source for source in _kept(b) if source.source_id not in ids),
        ),
    )


def _surest(state: ResearchState) -> list[Claim]:
    claims = [claim for claim in state.claims if claim.verified]
    return sorted(claims, key=lambda claim: (-claim.confidence, claim.claim_id))[:MOST]


def _kept(state: ResearchState) -> list[Source]:
    return state.get_authoritative_sources(top_n=len(state.sources))


def _rest(claims: Sequence[Claim], taken: set[int]) -> tuple[Claim, ...]:
    return tuple(claim for number, claim in enumerate(claims) if number not in taken)


def _pairs(
    ours: Sequence[Statement], theirs: Sequence[Statement]
) -> tuple[list[tuple[int, int]], list[tuple[int, int, str, str]]]:
    """Claims that agree, each in one pair at most, best first; and those that clash."""
    agree: list[tuple[float, int, int]] = []
    clashes: list[tuple[int, int, str, str]] = []
    for i, j in _near(ours, theirs):
        share = _alike(ours[i], theirs[j])
        if share >= SAME:
            agree.append((-share, i, j))
        elif found := clash(ours[i], theirs[j]):
            clashes.append((i, j, found.nature, found.explanation))
    pairs: list[tuple[int, int]] = []
    used: tuple[set[int], set[int]] = (set(), set())
    for _, i, j in sorted(agree):
        if i not in used[0] and j not in used[1]:
            used[0].add(i)
            used[1].add(j)
            pairs.append((i, j))
    return sorted(pairs), sorted(clashes, key=lambda one: (ORDER.get(one[2], 3), one[0], one[1]))


def _near(ours: Sequence[Statement], theirs: Sequence[Statement]) -> list[tuple[int, int]]:
    """Pairs with at least two terms in common, through an index."""
    index: dict[str, list[int]] = defaultdict(list)
    for j, statement in enumerate(theirs):
        for term in statement.terms:
            index[term].append(j)
    near = []
    for i, statement in enumerate(ours):
        common: dict[int, int] = defaultdict(int)
        for term in statement.terms:
            for j in index.get(term, ()):
                common[j] += 1
        near += [(i, j) for j in sorted(common) if common[j] >= min(2, len(statement.terms))]
    return near


def _alike(a: Statement, b: Statement) -> float:
    """The share of terms two statements have in common; 0 when numbers or polarity differ."""
    if a.negated != b.negated or a.direction * b.direction < 0:
        return 0.0
    if sorted((q.kind, q.value) for q in a.quantities) != sorted((q.kind, q.value) for q in b.quantities):
        return 0.0
    return round(len(a.terms & b.terms) / max(1, len(a.terms | b.terms)), 6)
