"""Which claims come first: close to the question, well supported, central among what was found, readable alone."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass

from tools.corpus.model import Passage
from tools.text.synonyms import related
from tools.text.tokens import stem, stems, words
from tools.trust.answers import answers, share_named
from workflows.research.deps import Deps
from workflows.research.model import Claim, Evidence
from workflows.research.senses import short_answer
from workflows.research.state import ResearchState
from workflows.research.topic import content, subject, verb

# Words of a question that name no subject
_EMPTY = frozenset(stems("known know effect effects impact role main best overview information current state facts"))
_WORKING = frozenset(stems("work works function functions operate operates"))  # of what works in a certain way
# Words of a relation, said of everything: they weigh little beside the things related
_RELATING = frozenset(
    stems(
        """raise increase rise grow lower reduce decrease fall decline cause lead link associate affect influence
        improve worsen prevent change depend relate risk rate level chance likely amount number result"""
    )
)
_THINGS = ("concept", "technical")
_MEANT = 0.5  # what a word that goes with a wanted one is worth beside that word itself
_HEAD = 0.4  # of the subject's name, when only its noun is named: "batteries" for "grid-scale batteries"
_NAMED_WHOLE = ("person", "organisation")  # of whom a name is little without its last word
_NO_NOUN = 0.3  # of a compared thing's name without its noun, of a person's without the last: pumps are no pumped hydro
_NOBODY = 0.3  # of its share: what is left to a claim that names nothing of a name that is asked about
_ASPECT = 0.55  # of what a claim should name: the aspect asked about, the rest is the subject
_CONTEXT = 0.6  # of closeness: the passage a claim stands in; the rest is the claim itself
_ELSEWHERE = 0.7  # of the best passage of a text: what its other parts are worth
_TITLED = 0.7  # of what is missing to the best: for a text that is called by what is asked about
_NAMED = 20_000  # characters of a text that must name the whole subject
_UNNAMED = 0.5  # what an answer from a text that does not is worth
_SURE, _ANSWER_PLAIN = 0.6, 0.6  # how surely a sentence answers from which its plainness is at least so much
_PASSAGES = 200  # found for the question, among all texts
_ASKED = 300  # characters of a question that are searched for
_VERB, _OF_ALL = 2.0, 0.3  # what the verb of a clause, and a word of relation, weigh beside other words
_SHORT_CLAUSE = 8  # words
_IDLE = 0.4  # of its share: what is left to a claim in which nothing does what is asked about
_LEADS = 6  # words from the start in which the subject of a sentence usually stands
_LONG, _TOO_LONG = 26, 0.025  # words; what each further one costs
_JARGON = re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[\w-]{3,}|\b[A-Za-z]*[a-z][A-Z]\w*|\b[A-Z]{3,}s?\b|[α-ωΔ±≤≥]")
_DETAIL = re.compile(r"\([^()]{12,}\)|;|\bp\s?[<=]|\bn\s?=|\bCI\b|\b(?:odds|hazard) ratio\b", re.I)
_DONE = (
    r"evaluated|assessed|examined|investigated|analy[sz]ed|recruited|enrolled|randomi[sz]ed|assigned|selected|matched"
    r"|interviewed|collected|performed|carried out|conducted|undertaken|drawn|tested|postulated|extended|extrapolated"
    r"|integrated|solved|demonstrated (?:analytically|by)|presented|described|discussed|reviewed|outlined|considered"
    r"|interpreted|observed on|reported|summari[sz]ed|proposed|derived|compared|formulated|deduced|taken over"
    r"|studied|indicated in terms"
    r"|used to (?:study|investigate|examine|determine|calculate|test|show)"
)
_WORKED_OUT = "measured|obtained|determined|estimated|calculated|computed"  # a finding where a figure stands before
# What is done with the tools of a study only: "a law is applied" is no step of a method
_WITH_TOOLS = "given|applied|introduced|employed|utili[sz]ed|set up|made|shown|assumed|treated|developed|illustrated"
_TOOL = (
    r"\b(?:solutions?|equations?|methods?|theor(?:y|ies)|analys[ei]s|experiments?|tests?|problems?|stud(?:y|ies)"
    r"|results?|data|measurements?|distributions?|models?|comparisons?|correlations?|techniques?|formulas?|formulae"
    r"|surveys?|tables?|examples?|procedures?|calculations?|expressions?|approximations?|attempts?)\b"
)
_PASSIVE = (
    r"\b(?:is|are|was|were|(?:has|have) (?:also )?been|can be|may be) (?:(?:then|also|first|further|both|\w+ly) ){0,2}"
)
_METHOD = re.compile(
    rf"{_PASSIVE}(?:{_DONE})\b(?!(?: \w+){{0,4}} (?:that|as|to be)\b)"
    r"|^(?:a total of|\d+ |using |presented (?:is|are)\b)"
    rf"|^\D*?{_PASSIVE}(?:{_WORKED_OUT})\b(?!(?: \w+){{0,4}} (?:that|as|to be)\b)"
    rf"|^.{{0,120}}?{_TOOL}.{{0,120}}?{_PASSIVE}(?:{_WITH_TOOLS})\b(?!(?: \w+){{0,2}} (?:that|as|to|in good)\b)",
    re.I,
)
_ASKS_HOW_DONE = re.compile(
    r"\b(?:methods?|techniques?|theor(?:y|ies)|solutions?|procedures?|approach(?:es)?|experiments?|tests|calculations?"
    r"|stud(?:y|ies|ied)|investigations?|analys[ei]s|measured|calculated|computed|solved|developed|obtained)\b",
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
    """Per claim id, each 0..1: closeness to the question, the share of its words that the claim names, how well the
    passage around it was found, value (what the claim is worth in a report), plainness. telling: the claims that say
    what is so, or what was done where that is asked. answers: those that hold the date, number or name asked for."""

    closeness: Mapping[str, float]
    named: Mapping[str, float]
    around: Mapping[str, float]
    value: Mapping[str, float]
    plain: Mapping[str, float]
    telling: Set[str] = frozenset()
    answers: Set[str] = frozenset()

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
    named, around, sure = shares(state), context(state, deps), short_answers(state, deps)
    close = closeness(state, named, around, sure, deps)
    central = centrality(state.claims)
    topic = frozenset(stems(state.original_query))
    methods = bool(_ASKS_HOW_DONE.search(state.original_query))
    plain = {claim.claim_id: plainness(claim.text, topic, methods) for claim in state.claims}
    telling = {claim.claim_id for claim in state.claims if methods or tells(claim.text)}
    answering = {claim_id for claim_id, share in sure.items() if share >= _SURE}
    for claim_id in answering:  # the answer itself is said however it is worded
        plain[claim_id] = max(plain[claim_id], _ANSWER_PLAIN)
    value = {
        claim.claim_id: round(
            0.8 * close[claim.claim_id]
            + 0.05 * claim.confidence
            + 0.1 * plain[claim.claim_id]
            + 0.05 * central[claim.claim_id],
            6,
        )
        for claim in state.claims
    }
    return Ranking(close, named, around, value, plain, telling, answering)


def shares(state: ResearchState) -> dict[str, float]:
    """Share of the question's words, by rarity, that each claim names; of the better covered subject of two."""
    groups, aspect, read = _wanted(state), _aspect(state), state.understanding
    asks = stem(verb(read).lower())
    terms = {claim.claim_id: stems(claim.text) for claim in state.claims}
    weight = _rarity({one for group in (*groups, aspect) for one in group}, list(terms.values()))
    for one in weight:
        weight[one] *= _OF_ALL if one in _RELATING else _VERB if one == asks else 1.0
    head = stems(subject(read) or read.primary_anchor)[-1:] if read.query_type in _THINGS else []
    named = read.subjects or ((read.primary_anchor,) if read.query_type in _NAMED_WHOLE else ())
    topic = {one: _of_groups(groups, set(said), weight, named) for one, said in terms.items()}
    topic = {one: max(share, _HEAD if head and head[0] in terms[one] else 0.0) for one, share in topic.items()}
    if not any(aspect.intersection(said) for said in terms.values()):
        return topic
    name = read.query_type == "general" and read.primary_anchor[:1].isupper()
    found = {
        one: ((1 - _ASPECT) * topic[one] + _ASPECT * _share(aspect, said, weight))
        * (_NOBODY if name and not topic[one] else 1.0)
        for one, said in terms.items()
    }
    short = len(read.primary_anchor.split()) <= _SHORT_CLAUSE  # of a long one the verb is the smallest part
    if asks not in aspect or asks in _RELATING or not short:
        return found
    doing = related(asks) | {asks}  # who asks how trees cool cities asks about cooling
    return {one: share * (1.0 if doing.intersection(terms[one]) else _IDLE) for one, share in found.items()}


def closeness(
    state: ResearchState,
    named: Mapping[str, float],
    around: Mapping[str, float],
    answering: Mapping[str, float],
    deps: Deps,
) -> dict[str, float]:
    """How close each claim is to the question: by the passage it stands in, as a search for the question finds it, and
    by its own words: what it names, its subject, its meaning, and how surely it is the short answer asked for."""
    groups = _wanted(state)
    meaning = deps.similarity(state.original_query, [claim.text for claim in state.claims]) if state.claims else None
    near = {}
    for place, claim in enumerate(state.claims):
        leads = any(stem(word) in group for group in groups for word in words(claim.text)[:_LEADS])
        own = 0.75 * named[claim.claim_id] + 0.25 * leads
        if meaning is not None:
            own = (own + meaning[place]) / 2
        if answering:
            own = (own + answering[claim.claim_id]) / 2
        near[claim.claim_id] = round(_CONTEXT * around[claim.claim_id] + (1 - _CONTEXT) * own, 6)
    return near


def short_answers(state: ResearchState, deps: Deps) -> dict[str, float]:
    """Per claim id how surely it holds the date, number or name that was asked for, 0..1; empty for other questions."""
    asked = short_answer(state)
    if asked is None:
        return {}
    evidence = {one.evidence_id: one for one in state.evidence}
    found = {}
    for claim in state.claims:
        own = evidence[claim.evidence_ids[0]] if claim.evidence_ids else None
        text = deps.text(own.snapshot_id) if own else ""
        told = answers(asked, text, [(own.start, own.end)]) if own else []
        named = 1.0 if share_named(asked, text[:_NAMED]) == 1 else _UNNAMED  # an answer about somebody else
        found[claim.claim_id] = max(0.0, min(1.0, told[0].score)) * named if told else 0.0
    return found


def context(state: ResearchState, deps: Deps) -> dict[str, float]:
    """Per claim id the score of the passage its words stand in, 0..1, in a search of all texts read for the question;
    elsewhere in a text that was found a part of that text's best."""
    evidence = {one.evidence_id: one for one in state.evidence}
    own = {claim.claim_id: evidence[claim.evidence_ids[0]] for claim in state.claims if claim.evidence_ids}
    texts = sorted({one.snapshot_id for one in own.values()})
    found: dict[str, list[Passage]] = {}
    for passage in deps.retrieve(state.original_query[:_ASKED], texts, _PASSAGES) if texts else ():
        found.setdefault(passage.snapshot_id, []).append(passage)
    asked = content(state.original_query)
    titled = {source.snapshot_id for source in state.sources if _titled(source.title, asked)}
    scores = {}
    for claim in state.claims:
        one = own.get(claim.claim_id)
        best = _around(one, found) if one else 0.0
        scores[claim.claim_id] = round(best + (1 - best) * _TITLED * (one is not None and one.snapshot_id in titled), 6)
    return scores


def _around(one: Evidence, found: Mapping[str, Sequence[Passage]]) -> float:
    passages = found.get(one.snapshot_id, ())
    holding = [x.score for x in passages if x.start < one.end and one.start < x.end]
    return max([*holding, _ELSEWHERE * max((x.score for x in passages), default=0.0)])


def _titled(title: str, asked: frozenset[str]) -> bool:
    """Whether a text is called by nothing but words of the question: "Nantong", not "Nantong Airport"."""
    named = stems(title.partition(" (")[0])
    return bool(named) and asked.issuperset(named)


def _wanted(state: ResearchState) -> list[frozenset[str]]:
    """What a claim should name: the stems of the subject; of either subject where two are compared."""
    read = state.understanding
    if read.subjects:
        return [frozenset(stems(one)) for one in read.subjects if stems(one)]
    return [frozenset(stems(subject(read) or read.primary_anchor)) - _EMPTY or content(state.original_query)]


def _aspect(state: ResearchState) -> frozenset[str]:
    """What is asked about the subject beside its name: "cost" in "the cost of grid-scale batteries", "cool cities" in
    "how do street trees cool cities"."""
    read = state.understanding
    if read.subjects:
        return frozenset()
    asked = content(" ".join(read.anchor_terms)) | content(read.primary_anchor)
    if related(stem(verb(read).lower())):
        asked |= {stem(verb(read).lower())}
    asked -= _WORKING if read.query_type == "technical" else frozenset()
    return asked - frozenset(stems(subject(read) or read.primary_anchor)) - _EMPTY


def _of_groups(
    groups: Sequence[frozenset[str]], said: Set[str], weight: Mapping[str, float], subjects: Sequence[str]
) -> float:
    """The best share of one group; of a name little is left where its last word is not named."""
    nouns = [stems(one)[-1] for one in subjects if stems(one)] or [""] * len(groups)
    found = (
        _share(group, said, weight) * (1.0 if not noun or noun in said else _NO_NOUN)
        for group, noun in zip(groups, nouns, strict=True)
    )
    return max(found, default=0.0)


def _rarity(wanted: Collection[str], said: Sequence[Sequence[str]]) -> dict[str, float]:
    counts = Counter(one for terms in said for one in set(terms) if one in wanted)
    return {one: 0.3 + math.log(1 + len(said) / (1 + counts[one])) for one in wanted if counts[one]}


def _share(wanted: Collection[str], said: Collection[str], weight: Mapping[str, float]) -> float:
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


def plainness(text: str, topic: frozenset[str] = frozenset(), methods: bool = False) -> float:
    """How easily a sentence is read alone, 0..1: not long, few codes and abbreviations, no detail of a method but where
    methods are asked for."""
    cost = max(0, len(text.split()) - _LONG) * _TOO_LONG
    codes = {match[0] for match in _JARGON.finditer(text) if not set(stems(match[0])) <= topic}
    cost += 0.12 * len(codes) + 0.12 * len(_DETAIL.findall(text)) + 0.6 * (not methods and not tells(text))
    return round(max(0.0, 1.0 - cost), 6)


def tells(text: str) -> bool:
    """Whether a sentence says what is so, not what was done or wondered about."""
    return not (_METHOD.search(text) or _WONDERS.search(text))


def number(claim: Claim) -> int:
    """The number of a claim's id."""
    return int(claim.claim_id[1:])
