"""Selection: which claims a report says, each once, and nothing that says again what was said."""

from collections.abc import Callable, Iterable, Sequence

from tools.text.tokens import stems
from tools.trust.contradict import clash
from tools.trust.polarity import denied
from tools.trust.quantities import Quantity
from tools.trust.quotable import quotable
from tools.trust.statement import Statement, analyse
from tools.trust.subject import of_others
from workflows.research.model import Claim
from workflows.research.state import ResearchState

_ALIKE = 0.4  # of the terms of two sentences: they speak of one thing
REPEATS = 0.65  # token overlap above which a sentence says again what another said


class Selection:
    """The claims of one report, in the order in which they were taken. text: the text of a snapshot."""

    def __init__(self, state: ResearchState, text: Callable[[str], str]) -> None:
        sources = {source.source_id: source for source in state.sources}
        self._citable = {one for one, source in sources.items() if not source.rejected and source.tag is not None}
        self._evidence = {evidence.evidence_id: evidence for evidence in state.evidence}
        self._text = text
        self._said: list[str] = []
        self._taken: set[str] = set()
        self._stated: set[str] = set()  # evidence behind anything said: its own sentence would say it again

    def __contains__(self, claim: Claim) -> bool:
        return claim.claim_id in self._taken

    def usable(self, claim: Claim) -> bool:
        """Verified, with evidence of a source that may support, not said yet and not like anything said."""
        return self.citable(claim) and claim.evidence_ids[0] not in self._stated and not self.repeats(claim)

    def citable(self, claim: Claim) -> bool:
        """Verified, not taken yet, fit to stand alone, and the source whose words it has may be cited."""
        own = self._evidence.get(claim.evidence_ids[0]) if claim.evidence_ids else None
        if own is None or not claim.verified or claim.claim_id in self._taken:
            return False
        if own.source_id not in self._citable or own.source_id not in claim.supporting_sources:
            return False
        fit = quotable(self._text(own.snapshot_id), own.start, own.end)
        return fit is not None if claim.model else fit == claim.text

    def repeats(self, claim: Claim) -> bool:
        """Whether it says again what was said."""
        return any(says_again(claim.text, said) for said in self._said)

    def add(self, claim: Claim) -> None:
        """Take a claim whatever was said, as both sides of a contradiction are."""
        self._taken.add(claim.claim_id)
        self._stated.update(claim.evidence_ids)
        self._said.append(claim.text)

    def take(self, claims: Iterable[Claim], limit: int) -> list[Claim]:
        """The first usable claims, at most `limit`."""
        taken: list[Claim] = []
        for claim in claims:
            if len(taken) >= limit:
                break
            if self.usable(claim):
                self.add(claim)
                taken.append(claim)
        return taken

    def spread(self, claims: Sequence[Claim], limit: int, worth: float = 0.3) -> list[Claim]:
        """The first usable claims, each preferably unlike those before it (maximal marginal relevance).

        worth: how many places in the order full likeness costs, as a fraction of all of them.
        """
        taken: list[Claim] = []
        rest = list(claims)
        while rest and len(taken) < limit:
            costs = [i / len(rest) + worth * _likeness(claim, taken) for i, claim in enumerate(rest)]
            best = min(range(len(rest)), key=[round(cost, 6) for cost in costs].__getitem__)
            taken += self.take([rest.pop(best)], 1)
        return taken


def _likeness(claim: Claim, others: Sequence[Claim]) -> float:
    mine = tokens(claim.text)
    return max((overlap(mine, tokens(other.text)) for other in others), default=0.0)


def says_again(text: str, said: str) -> bool:
    """Whether a sentence has mostly the words of another and tells nothing else: no other number, date, name or side.

    "Opened on 3 April" and "opened on 3 May" share every word that counts, and are the two sides of a dispute.
    """
    return overlap(tokens(text), tokens(said)) > REPEATS and not _apart(analyse(text), analyse(said))


def _apart(a: Statement, b: Statement) -> bool:
    """Whether two sentences differ in what words do not show."""
    if a.refutes != b.refutes or a.direction * b.direction < 0 or of_others(a, b) or _denies(a, b):
        return True
    return (_alone(a, b) and _alone(b, a)) or clash(a, b) is not None


def _denies(a: Statement, b: Statement) -> bool:
    """Whether one denies what both speak of; one that is much longer may be denying something else."""
    if (denied(a.words) ^ denied(b.words)) & a.terms & b.terms:
        return True
    return a.negated != b.negated and len(a.terms & b.terms) >= _ALIKE * len(a.terms | b.terms)


def _alone(a: Statement, b: Statement) -> bool:
    """Whether a sentence gives a number or a date that the other does not, at the precision of the coarser."""
    return any(not any(_same(mine, other) for other in b.quantities) for mine in a.quantities)


def _same(a: Quantity, b: Quantity) -> bool:
    return a.agrees(b) or a.covered_by(b) or b.covered_by(a)


def tokens(text: str) -> frozenset[str]:
    """Content stems of a sentence."""
    return frozenset(stems(text))


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared tokens as a fraction of the smaller set."""
    return len(a & b) / max(1, min(len(a), len(b)))
