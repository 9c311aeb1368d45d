"""Compose: claims into report sentences with citations, each at most once in a report, foretold ones apart."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from tools.text.tokens import stems
from tools.trust.edits import smooth
from workflows.research.model import Claim, Evidence
from workflows.research.report import Citation, Edit, Sentence
from workflows.research.state import ResearchState

_REPEATS = 0.65  # token overlap above which a sentence says again what another said
_CITED = 6  # sources cited behind one sentence


class Composer:
    """Makes the sentences of one report; remembers what was said."""

    def __init__(self, state: ResearchState) -> None:
        self._evidence: Mapping[str, Evidence] = {e.evidence_id: e for e in state.evidence}
        self._sources = {source.source_id: source for source in state.sources}
        self._said: list[frozenset[str]] = []
        self._used: set[str] = set()
        self._stated: set[str] = set()  # evidence behind anything said: its own sentence would say it again
        self._number = 0

    def usable(self, claim: Claim) -> bool:
        """Verified, with evidence of a source that may support, not said yet and not like anything said."""
        return (
            claim.verified
            and claim.claim_id not in self._used
            and claim.evidence_ids[0] not in self._stated
            and bool(self._citations(claim))
            and not any(_overlap(_tokens(claim.text), said) > _REPEATS for said in self._said)
        )

    def foretold(self, claim: Claim) -> Sentence:
        """The sentence of a claim that stands in full further down: it may be said there again."""
        return self._sentence(claim)

    def sentence(self, claim: Claim) -> Sentence:
        """The sentence of a claim. Its first citation is the quote it is made of."""
        made = self._sentence(claim)
        self._used.add(claim.claim_id)
        self._stated.update(claim.evidence_ids)
        self._said.append(_tokens(made.text))
        return made

    def _sentence(self, claim: Claim) -> Sentence:
        citations = self._citations(claim)
        quote = self._evidence[citations[0].evidence_id].quote
        text, edits = smooth(quote)
        return Sentence(
            sentence_id=self._next(),
            kind="edited" if edits else "quote",
            text=text,
            edits=tuple(Edit(e.start, e.end, e.replacement, e.kind) for e in edits),
            claim_ids=(claim.claim_id,),
            citations=citations,
            indicator=claim.indicator,
        )

    def narration(self, text: str) -> Sentence:
        """A sentence from a fixed template over counts of this record; no citation."""
        return Sentence(self._next(), "narration", text)

    def take(self, claims: Iterable[Claim], limit: int, words: Callable[[], int] | None = None) -> list[Sentence]:
        """Sentences of the first usable claims, at most `limit`, while `words()` are left."""
        taken: list[Sentence] = []
        for claim in claims:
            if len(taken) >= limit:
                break
            if self.usable(claim) and (words is None or words() >= len(claim.text.split())):
                taken.append(self.sentence(claim))
        return taken

    def _next(self) -> str:
        self._number += 1
        return f"s{self._number}"

    def _citations(self, claim: Claim) -> tuple[Citation, ...]:
        """The quote itself first, then the best evidence of each other source, by credibility; rejected ones never."""
        supporting = set(claim.supporting_sources)
        listed = [self._evidence[one] for one in claim.evidence_ids if one in self._evidence]
        listed = [one for one in listed if one.source_id in supporting and self._cites(one)]
        own = [one for one in listed if smooth(one.quote)[0] == claim.text]
        if not own:
            return ()
        others: dict[str, Evidence] = {}
        for one in listed:
            if one.source_id != own[0].source_id:
                others.setdefault(one.source_id, one)
        ranked = sorted(others.values(), key=lambda e: (-self._credibility(e.source_id), e.source_id))
        return tuple(self._citation(one) for one in (own[0], *ranked)[:_CITED])

    def _cites(self, evidence: Evidence) -> bool:
        source = self._sources.get(evidence.source_id)
        return source is not None and not source.rejected and source.tag is not None

    def _credibility(self, source_id: str) -> float:
        credibility = self._sources[source_id].credibility
        return credibility.score if credibility else 0.0

    def _citation(self, evidence: Evidence) -> Citation:
        return Citation(self._sources[evidence.source_id].tag or "", evidence.source_id, evidence.evidence_id)


def by_rank(claims: Sequence[Claim], relevance: Mapping[str, float]) -> list[Claim]:
    """Best first: confidence and closeness to the question (claim id -> 0..1); ties by number."""

    def key(claim: Claim) -> tuple[float, int]:
        return (-round((claim.confidence + relevance[claim.claim_id]) / 2, 6), int(claim.claim_id[1:]))

    return sorted(claims, key=key)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(stems(text))


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(1, min(len(a), len(b)))
