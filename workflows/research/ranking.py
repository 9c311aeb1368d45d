"""Which claims come first: close to the question, well supported, central among what was found, readable alone."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tools.text.synonyms import related
from tools.text.tokens import stem, stems, words
from workflows.research.deps import Deps
from workflows.research.model import Claim
from workflows.research.state import ResearchState

# Words of a question that name no subject
_EMPTY = frozenset(stems("known know effect effects impact role main best overview information current state facts"))
_THINGS = ("concept", "technical")
_MEANT = 0.5  # what a word that goes with a wanted one is worth beside that word itself
_HEAD = 0.4  # of the subject's name, when only its noun is named: "batteries" for "grid-scale batteries"
_ASPECT = 0.55  # of what a claim should name: the aspect asked about, the rest is the subject
_LEADS = 6  # words from the start in which the subject of a sentence usually stands
_LONG, _TOO_LONG = 26, 0.025  # words; what each further one costs
_JARGON = re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[\w-]{3,}|\b[A-Za-z]*[a-z][A-Z]\w*|\b[A-Z]{3,}s?\b|[α-ωΔ±≤≥]")
_DETAIL = re.compile(r"\([^()]{12,}\)|;|\bp\s?[<=]|\bn\s?=|\bCI\b|\b(?:odds|hazard) ratio\b", re.I)
_METHOD = re.compile(
    r"\b(?:was|were) (?:then |also |further |\w+ly )?(?:evaluated|assessed|examined|investigated|analy[sz]ed|recruited"
    r"|enrolled|randomi[sz]ed|assigned|selected|matched|included|interviewed|collected|performed|carried out|conducted"
    r"|undertaken|drawn|tested|postulated|extended to|extrapolated|integrated|solved|demonstrated analytically"
    r"|used to (?:study|investigate|examine|determine))\b|^(?:a total of|\d+ |using )"
    r"|\b(?:is|are|was|were|(?:has|have) been) (?:also |then |\w+ly )?(?:presented|described|discussed|reviewed"
    r"|outlined|considered|reported|summari[sz]ed|proposed|developed|derived|compared|computed|calculated|applied)\b"
    r"(?!(?: \w+){0,4} (?:that|as)\b)",
    re.I,
)
# A question inside a sentence that does not answer it: "a record of what happens", "to learn where shade is missing"
_WONDERS = re.compile(
    r"\b(?:of|ask(?:s|ed)?|learn|test(?:s|ed)?|see|know|determine|decide|find out|about|question) "
    r"(?:what|where|whether|how|why|which)\b",
    re.I,
)
_CENTRAL = 5  # nearest other claims that say how central one is


@dataclass(frozen=True, slots=True)
class Ranking:
    """Per claim id, each 0..1: closeness to the question, the share of its words that the claim names, value (what the
    claim is worth in a report), plainness."""

    closeness: Mapping[str, float]
    named: Mapping[str, float]
    value: Mapping[str, float]
    plain: Mapping[str, float]

    def near(self, claims: Sequence[Claim], share: float) -> list[Claim]:
        """Claims at least `share` as close to the question as the closest of all, best first."""
        closest = max(self.closeness.values(), default=0.0)
        kept = [claim for claim in claims if self.closeness[claim.claim_id] >= share * closest]
        return self.ordered(kept)

    def ordered(self, claims: Collection[Claim]) -> list[Claim]:
        """Best first; ties by number."""
        return sorted(claims, key=lambda claim: (-self.value[claim.claim_id], number(claim)))


def rank(state: ResearchState, deps: Deps) -> Ranking:
    """The ranking of a state's claims."""
    named = shares(state)
    close = closeness(state, named, deps)
    central = centrality(state.claims)
    topic = frozenset(stems(state.original_query))
    plain = {claim.claim_id: plainness(claim.text, topic) for claim in state.claims}
    value = {
        claim.claim_id: round(
            0.45 * close[claim.claim_id]
            + 0.3 * claim.confidence
            + 0.2 * plain[claim.claim_id]
            + 0.05 * central[claim.claim_id],
            6,
        )
        for claim in state.claims
    }
    return Ranking(close, named, value, plain)


def shares(state: ResearchState) -> dict[str, float]:
    """Share of the question's words, by rarity, that each claim names; of the better covered subject of two."""
    groups, aspect = _wanted(state), _aspect(state)
    terms = {claim.claim_id: stems(claim.text) for claim in state.claims}
    weight = _rarity({one for group in (*groups, aspect) for one in group}, list(terms.values()))
    topic = {one: max((_share(group, said, weight) for group in groups), default=0.0) for one, said in terms.items()}
    head = stems(state.understanding.primary_anchor)[-1:] if state.understanding.query_type in _THINGS else []
    topic = {one: max(share, _HEAD if head and head[0] in terms[one] else 0.0) for one, share in topic.items()}
    if not any(aspect.intersection(said) for said in terms.values()):
        return topic
    return {one: (1 - _ASPECT) * topic[one] + _ASPECT * _share(aspect, said, weight) for one, said in terms.items()}


def closeness(state: ResearchState, named: Mapping[str, float], deps: Deps) -> dict[str, float]:
    """How close each claim is to the question: what it names, its subject, its evidence, and its meaning."""
    score = {evidence.evidence_id: evidence.score for evidence in state.evidence}
    groups = _wanted(state)
    near = {}
    for claim in state.claims:
        evidence = score.get(claim.evidence_ids[0], 0.0) if claim.evidence_ids else 0.0
        leads = any(stem(word) in group for group in groups for word in words(claim.text)[:_LEADS])
        near[claim.claim_id] = 0.7 * named[claim.claim_id] + 0.1 * evidence + 0.2 * leads
    meaning = deps.similarity(state.original_query, [claim.text for claim in state.claims]) if state.claims else None
    if meaning is None:
        return {claim_id: round(value, 6) for claim_id, value in near.items()}
    pairs = zip(state.claims, meaning, strict=True)
    return {claim.claim_id: round((near[claim.claim_id] + like) / 2, 6) for claim, like in pairs}


def _wanted(state: ResearchState) -> list[frozenset[str]]:
    """What a claim should name: the stems of the subject; of either subject where two are compared."""
    read = state.understanding
    if read.subjects:
        return [frozenset(stems(subject)) for subject in read.subjects if stems(subject)]
    return [frozenset(stems(read.primary_anchor)) - _EMPTY or frozenset(stems(state.original_query))]


def _aspect(state: ResearchState) -> frozenset[str]:
    """What is asked about the subject beside its name: "cost" in "the cost of grid-scale batteries"."""
    read = state.understanding
    if read.subjects:
        return frozenset()
    return frozenset(stems(" ".join(read.anchor_terms))) - frozenset(stems(read.primary_anchor)) - _EMPTY


def _rarity(wanted: Collection[str], said: Sequence[Sequence[str]]) -> dict[str, float]:
    counts = Counter(one for terms in said for one in set(terms) if one in wanted)
    return {one: 0.3 + math.log(1 + len(said) / (1 + counts[one])) for one in wanted if counts[one]}


def _share(wanted: Collection[str], said: Sequence[str], weight: Mapping[str, float]) -> float:
    """Of the wanted words that anything found names at all: a word nobody uses tells no two claims apart.

    A word that goes with a wanted one ("shade" with "cool") counts in part.
    """
    total = sum(weight.get(one, 0.0) for one in wanted) or 1.0
    here = set(said)
    meant = (one for one in set(wanted) - here if not related(one).isdisjoint(here))
    found = sum(weight.get(one, 0.0) for one in set(wanted) & here)
    return (found + _MEANT * sum(weight.get(one, 0.0) for one in meant)) / total


def centrality(claims: Sequence[Claim]) -> dict[str, float]:
    """How much of what others say a claim says too: mean overlap with its nearest few, scaled to 1 for the highest."""
    terms = [frozenset(stems(claim.text)) for claim in claims]
    found = {}
    for i, claim in enumerate(claims):
        shares = sorted((_jaccard(terms[i], other) for j, other in enumerate(terms) if j != i), reverse=True)[:_CENTRAL]
        found[claim.claim_id] = sum(shares) / len(shares) if shares else 0.0
    highest = max(found.values(), default=0.0) or 1.0
    return {claim_id: round(value / highest, 6) for claim_id, value in found.items()}


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(1, len(a | b))


def plainness(text: str, topic: frozenset[str] = frozenset()) -> float:
    """How easily a sentence is read alone, 0..1: not long, few codes and abbreviations, no detail of a method."""
    cost = max(0, len(text.split()) - _LONG) * _TOO_LONG
    codes = {match[0] for match in _JARGON.finditer(text) if not set(stems(match[0])) <= topic}
    cost += (
        0.12 * len(codes)
        + 0.12 * len(_DETAIL.findall(text))
        + 0.6 * bool(_METHOD.search(text))
        + 0.6 * bool(_WONDERS.search(text))
    )
    return round(max(0.0, 1.0 - cost), 6)


def number(claim: Claim) -> int:
    """The number of a claim's id."""
    return int(claim.claim_id[1:])
