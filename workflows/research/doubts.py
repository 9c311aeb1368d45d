"""Doubts: pairs of claims that rules let pass and in which a model sees a clash. Shown, attributed, without effect.

Rules decide what contradicts (tools/trust/contradict.py); a model can add a pair to be read with care, in words copied
from both sides, and can take none away, so that it changes no confidence.
"""

from collections.abc import Sequence

from tools.trust.contradict import DIRECT, NUANCED, Clash, clash, pairs
from tools.trust.statement import Statement, analyse
from workflows.research.deps import Deps
from workflows.research.model import Claim, Contradiction
from workflows.research.modelled.claims import CONTRADICTION, judge_pairs
from workflows.research.modelled.shown import own_sources
from workflows.research.state import ResearchState

_ASKED = 6  # pairs
_KEPT = 3


def doubts(
    claims: Sequence[Claim], known: Sequence[Contradiction], state: ResearchState, deps: Deps
) -> tuple[Contradiction, ...]:
    """The contradictions known, and after them those that the model sees in pairs worth a look."""
    if deps.work is None:
        return tuple(known)
    own = own_sources(state)
    hidden = set() if deps.work.models.may_see_documents(CONTRADICTION.role) else own
    verified = [claim for claim in claims if claim.verified and claim.evidence_ids]
    seen = [claim for claim in verified if not hidden.intersection(claim.supporting_sources)]
    chosen = _worth_asking(seen, {frozenset((one.claim_a, one.claim_b)) for one in known})
    private = any(own.intersection((*a.supporting_sources, *b.supporting_sources)) for a, b, _ in chosen)
    asked = [(f"pair {i}", a.text, b.text) for i, (a, b, _) in enumerate(chosen, 1)]
    said = judge_pairs(asked, deps.work, private)
    name = deps.work.models.name(CONTRADICTION.role)
    made: list[Contradiction] = []
    for (label, _, _), (a, b, subject) in zip(asked, chosen, strict=True):
        if label in said and len(made) < _KEPT:
            made.append(_doubt(len(known) + len(made) + 1, (a, b), subject, said[label], name))
    return (*known, *made)


def _worth_asking(claims: Sequence[Claim], known: set[frozenset[str]]) -> list[tuple[Claim, Claim, str]]:
    """Pairs about one thing, of different sources, that differ in a number, a direction or a denial; nearest first."""
    statements = [analyse(claim.text) for claim in claims]
    found = []
    for i, j in pairs(statements):
        a, b = claims[i], claims[j]
        apart = not set(a.supporting_sources) & set(b.supporting_sources)
        if not apart or frozenset((a.claim_id, b.claim_id)) in known or not _differ(statements[i], statements[j]):
            continue
        if clash(statements[i], statements[j]) is None:
            shared = statements[i].terms & statements[j].terms
            near = len(shared) / max(1, len(statements[i].terms | statements[j].terms))
            found.append((-round(near, 6), i, j, " ".join(sorted(shared))))
    return [(claims[i], claims[j], subject) for _, i, j, subject in sorted(found)[:_ASKED]]


def _differ(a: Statement, b: Statement) -> bool:
    numbers = [{(one.kind, one.value) for one in statement.quantities} for statement in (a, b)]
    return numbers[0] != numbers[1] or a.direction != b.direction or a.negated != b.negated


def _doubt(
    number: int, sides: tuple[Claim, Claim], subject: str, said: tuple[str, str, str], model: str
) -> Contradiction:
    nature, here, there = said
    a, b = sides
    explanation = f"“{here}” here, “{there}” there; {model} sees a clash, rules do not"
    return contradiction(number, a, b, Clash(NUANCED if nature == DIRECT else nature, subject, "meaning", explanation))


def contradiction(number: int, a: Claim, b: Claim, clashing: Clash) -> Contradiction:
    """A clash of two claims as a record keeps it, each side with its first passage."""
    return Contradiction(
        contradiction_id=f"X{number}",
        claim_a=a.claim_id,
        claim_b=b.claim_id,
        evidence_a=a.evidence_ids[0],
        evidence_b=b.evidence_ids[0],
        nature=clashing.nature,
        subject=clashing.subject,
        attribute=clashing.attribute,
        explanation=clashing.explanation,
    )
