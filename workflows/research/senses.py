"""Senses: one name, several things. What each source answers, and whether the answers are about one thing.

Only for questions with a short answer ("When was Cove Fort built?"). Per source the sentence that answers best becomes
evidence; sources that answer differently never support each other's answer; sources about different things of one name
are told apart by how each names its subject ("Cove Fort (Utah)") and contradict each other in nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from tools.research.source import Source
from tools.text.sentences import spans
from tools.text.tokens import words
from tools.trust.answers import Answer, Wanted, answers, covered, differ, pieces, share_named, speaks_of, wanted
from tools.trust.contradict import DIRECT, SCOPE
from tools.trust.quotable import quotable, shown
from tools.trust.worth import prose
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import Claim, Contradiction, Evidence, Sense, last_number
from workflows.research.stance import about
from workflows.research.state import ResearchState
from workflows.research.supporters import voice_groups

SENSES = "Different answers"  # section of a claim that stands among the senses alone

_READ = 20_000  # characters of a text that are searched sentence by sentence
_HEAD = 160  # characters in which a text names its subject
_LEAST = 0.2  # score below which a span answers nothing
_LEAST_UNNAMED = 0.35  # the same in a text that does not name the whole subject
_BESIDE_BEST = 0.5  # of the best score of all: what is far worse answers something else
_COVERED = 0.5  # of what is asked, by the answering sentence and its title: what says less answers something else
_FEW = 3  # words asked for beside the subject: so few may all be said in other words
_CANDIDATES = 20  # spans looked at closely
_PER_SOURCE = 2
_PREFERRED = 0.1  # how much better a span must be that cannot stand by itself
_MOST = 12  # sources whose answers are told apart
_NOT_SHORT = ("comparison", "claim_check", "concept", "technical")
_TOLD_APART = r"(?:\s?\([^()\n]{2,50}\)|,\s[A-ZÀ-Þ][\w'’.-]+(?:\s[A-ZÀ-Þ][\w'’.-]+)*(?:,\s[A-ZÀ-Þ][\w'’.-]+)?)"
_PLACE = re.compile(
    r"\b[A-ZÀ-Þ][\w'’.-]{1,40}(?:\s[A-ZÀ-Þ][\w'’.-]{1,40}){0,3},\s[A-ZÀ-Þ][\w'’.-]+(?:\s[A-ZÀ-Þ][\w'’.-]+)?"
)  # "Salem, Ohio"
_ASKS = re.compile(r"(?:what|which|who|whose|whom|when|where|how|in|on|at|by)\b", re.I)
_NAME = re.compile(r"\b[A-ZÀ-Þ\d][\w'’.&-]*(?:\s(?:(?:of|de|the|van|von|and|in|for)\s)?[A-ZÀ-Þ\d][\w'’.&-]*)*")
_QUOTED = re.compile(r"[\"“«„]([^\"”»“]{2,80})[\"”»“]")


@dataclass(frozen=True, slots=True)
class Answers:
    """What the sources answer. by_source: source id -> its answers, best first.

    evidence: the evidence that holds each (source id, start); thing: source id -> how it names its subject, "" unknown.
    """

    by_source: Mapping[str, tuple[Answer, ...]] = field(default_factory=dict)
    evidence: Mapping[tuple[str, int], str] = field(default_factory=dict)
    thing: Mapping[str, str] = field(default_factory=dict)
    named: Set[str] = frozenset()  # ids of sources that name the whole subject, and whose sentence surely speaks of it
    by_thing: bool = False  # nothing was asked but who or what it is

    def apart(self, one: Evidence, source_id: str) -> bool:
        """Whether a source answers otherwise than this passage does, so that it cannot support what is said here."""
        mine, others = self.by_source.get(one.source_id, ()), self.by_source.get(source_id, ())
        said = next((answer for answer in mine if answer.start < one.end and one.start < answer.end), None)
        if self.by_thing:
            return said is not None and _other_thing(self.thing.get(one.source_id, ""), self.thing.get(source_id, ""))
        return said is not None and bool(others) and all(differ(said, other) for other in others)


def find_answers(state: ResearchState, deps: Deps) -> tuple[ResearchState, Answers]:
    """The state with every source's best answering spans as evidence, and the answers."""
    subject, asked = subject_of(state), short_answer(state)
    if asked is None or not asked.direct:
        return state, Answers()
    read: dict[str, _Reply] = {}
    for source in _readable(state):
        deps.check_cancelled()
        read[source.source_id] = _reply(asked, subject, source, deps.text(source.snapshot_id or ""))
    thing = {source_id: one.thing for source_id, one in read.items()}
    found = _speaking(asked, read)
    evidence = list(state.evidence)
    held: dict[tuple[str, int], str] = {}
    for source in _readable(state):
        for one in found[source.source_id].told if source.source_id in found else ():
            quote = deps.text(source.snapshot_id or "")[one.start : one.end]
            held[source.source_id, one.start] = _held(source, one, quote, evidence, state).evidence_id
    if len(found) < 2:  # nothing to tell apart; the one answer is evidence all the same
        sure = {held[one, told.start] for one in found if found[one].named for told in found[one].told}
        fresh = [one for one in evidence[len(state.evidence) :] if one.evidence_id in sure]
        return replace(state, evidence=(*state.evidence, *fresh)), Answers(thing=thing)
    by_source = {source_id: one.told for source_id, one in found.items()}
    naming = frozenset(source_id for source_id, one in found.items() if one.sure)
    return replace(state, evidence=tuple(evidence)), Answers(by_source, held, thing, naming, not asked.aspect)


@dataclass(frozen=True, slots=True)
class _Reply:
    """What a text answers, best first, and how it names its subject.

    named: whether it names the whole subject; sure: and its best answer speaks of it; whole: the best answer speaks of
    all that is asked, and it or the text of the subject; of a question of few words each does.
    """

    told: tuple[Answer, ...]
    thing: str
    named: bool = False
    sure: bool = False
    whole: bool = False


def _reply(asked: Wanted, subject: str, source: Source, text: str) -> _Reply:
    found, thing = tuple(answers_of(asked, text)), thing_of(subject, source.title, text)
    if not found or not (asked.aspect or thing):
        return _Reply((), thing)  # of whom a bare name means, only those speak who tell theirs from others of the name
    share = share_named(asked, f"{source.title} {text[:_READ]}")
    few, speaks = len(asked.meant) <= _FEW, speaks_of(asked, found[0])
    said = covered(asked, found[0], source.title)
    if said < _COVERED and not few:
        return _Reply((), thing)
    whole = few or (said == 1 and (share == 1 or speaks))
    return _Reply(found, thing, share == 1, share == 1 and speaks, whole)


def _speaking(asked: Wanted, read: Mapping[str, _Reply]) -> dict[str, _Reply]:
    """Sources whose answer is one to this question: near the best, and where none is sure, all that is asked."""
    told = {source_id: one for source_id, one in read.items() if one.told}
    best = max((one.told[0].score for one in told.values()), default=0.0)
    told = {source_id: one for source_id, one in told.items() if one.told[0].score >= _BESIDE_BEST * best}
    if any(one.sure for one in told.values()):
        return told
    return {source_id: one for source_id, one in told.items() if one.whole}


def asks_for_one_thing(state: ResearchState) -> bool:
    """Whether a date, a number or a name answers the question, and nothing else is asked."""
    asked = short_answer(state)
    return state.understanding.query_type == "general" and asked is not None and bool(asked.aspect)


def short_answer(state: ResearchState) -> Wanted | None:
    """What a question with a short answer asks for; None for every other question."""
    subject = subject_of(state)
    asked = wanted(state.original_query, subject) if subject else None
    return None if state.understanding.query_type in _NOT_SHORT else asked


def thing_of(subject: str, title: str, text: str) -> str:
    """How a source names its subject where a name alone would not do: "Cove Fort (Utah)", "Screven, Georgia"."""
    for place in (title, text[:_HEAD]):
        match = re.search(rf"\b(?i:{re.escape(subject.partition(',')[0])})\w*{_TOLD_APART}", place)
        if match:
            return " ".join(match.group().split()).rstrip(" ,.")
    return ""


def subject_of(state: ResearchState) -> str:
    """What the question is about: its quoted phrase, or its longest name; "" where it names nothing."""
    question = " ".join(state.original_query.split())
    if quoted := _QUOTED.search(question):
        return quoted.group(1)
    if place := _PLACE.search(question):
        return place.group()
    body = question.partition(" ")[2] if _ASKS.match(question) else question
    names = [match.group() for match in _NAME.finditer(body) if any(c.isalpha() for c in match.group())]
    return max(names, key=len, default="")


def _readable(state: ResearchState) -> Iterator[Source]:
    """Sources with a text, at most so many, in their order."""
    read = [one for one in state.sources if one.snapshot_id and not one.rejected]
    yield from read[:_MOST]


def answers_of(asked: Wanted, text: str) -> list[Answer]:
    """The answering spans of a text, at most two, best first; those that can stand in a report alone are preferred."""
    least = _LEAST if share_named(asked, text[:_READ]) == 1 else _LEAST_UNNAMED
    places = list(pieces(text, spans(text, 0, min(len(text), _READ))))
    found = [one for one in answers(asked, text, places) if one.score >= least]
    found = [one for one in found if prose(text[one.start : one.end])][:_CANDIDATES]
    alone = {one.start for one in found if quotable(text, one.start, one.end) is not None}
    ranked = sorted(found, key=lambda one: (-one.score - _PREFERRED * (one.start in alone), one.start))
    return ranked[:_PER_SOURCE]


def _held(source: Source, found: Answer, quote: str, evidence: list[Evidence], state: ResearchState) -> Evidence:
    """The evidence of this very span, or a new one, added to the list."""
    assert source.snapshot_id is not None
    for known in evidence:
        if (known.source_id, known.start, known.end) == (source.source_id, found.start, found.end):
            return known
    question = state.plan.questions[0].id if state.plan.questions else ""
    made = Evidence(
        f"E{last_number(evidence) + 1}", source.source_id, source.snapshot_id, found.start, found.end, quote, question,
        round(min(1.0, 0.4 + 0.6 * found.score), 6),
    )  # fmt: skip
    evidence.append(made)
    return made


def tell_apart(state: ResearchState, found: Answers, deps: Deps) -> ResearchState:
    """The state with its senses: the different answers, each with its claims and voices, and what they are about.

    Nothing is told where all agree. Contradictions between different things of one name become differences of scope.
    """
    state = _compared(state)
    groups = _groups(found)
    if len(groups) < 2:
        return state
    made = _Maker(state, found, deps)
    senses = [made.sense(group) for group in groups]
    senses.sort(key=lambda one: (not one.named, -one.voices, int(one.claim_ids[0][1:])))
    claims, contradictions = _settled(tuple(made.claims), state, found)
    sure = [one for one in senses if one.named]
    if len(sure) > 1:
        names = [one.thing or "not said of what" for one in sure]
        message = f"{len(sure)} different answers were found ({', '.join(dict.fromkeys(names))})."
        deps.emit(Event("note", "cross_reference", message, {"answers": len(sure)}))
    return replace(state, claims=claims, contradictions=contradictions, senses=tuple(senses))


def _compared(state: ResearchState) -> ResearchState:
    """The state without contradictions between claims about different things that the question compares.

    "Batteries cost 90 euro" and "Hydrogen costs 240 euro" are what was asked for.
    """
    subjects = state.understanding.subjects
    if len(subjects) < 2:
        return state
    of = {claim.claim_id: {s for s in subjects if about(claim, s)} for claim in state.claims}
    apart = [x for x in state.contradictions if of[x.claim_a] and of[x.claim_b] and not of[x.claim_a] & of[x.claim_b]]
    evidence = {claim.claim_id: claim.evidence_ids for claim in state.claims}
    gone: dict[str, set[str]] = {}
    for one in apart:
        gone.setdefault(one.claim_a, set()).update(evidence[one.claim_b])
        gone.setdefault(one.claim_b, set()).update(evidence[one.claim_a])
    claims = tuple(_without(claim, gone.get(claim.claim_id, set())) for claim in state.claims)
    left = tuple(one for one in state.contradictions if one not in apart)
    return replace(state, claims=claims, contradictions=left)


def _groups(found: Answers) -> list[list[str]]:
    """Sources by what they answer first, in their order; sources about different things are never together."""
    groups: list[list[str]] = []
    for source_id, told in found.by_source.items():
        thing = found.thing.get(source_id, "")
        for group in groups:
            first = found.by_source[group[0]]
            other = found.thing.get(group[0], "")
            alike = found.by_thing or not differ(first[0], told[0])
            if alike and not _other_thing(thing, other):
                group.append(source_id)
                break
        else:
            groups.append([source_id])
    return groups


def _other_thing(a: str, b: str) -> bool:
    """Whether both are told apart by name, and differently."""
    return bool(a and b) and set(words(a)) != set(words(b))


class _Maker:
    """Makes senses; `claims` grows by those that the drafts did not hold."""

    def __init__(self, state: ResearchState, found: Answers, deps: Deps) -> None:
        self.claims = list(state.claims)
        self._evidence = {one.evidence_id: one for one in state.evidence}
        self._sources = {source.source_id: source for source in state.sources}
        self._question = state.plan.questions[0].id if state.plan.questions else ""
        self._found, self._deps = found, deps

    def sense(self, group: Sequence[str]) -> Sense:
        """The sense of sources that answer alike. Its claims are those of the first source."""
        first = group[0]
        own = [self._at(first, one) for one in self._found.by_source[first]]
        passages = {one: self._at(one, self._found.by_source[one][0]).quote for one in group}
        voices = voice_groups(passages, self._sources, self._deps)
        ids = tuple(dict.fromkeys(self._claim(evidence, group, voices) for evidence in own))
        thing = next((self._found.thing[one] for one in group if self._found.thing.get(one)), "")
        return Sense(thing, ids, tuple(group), len(voices), not self._found.named.isdisjoint(group))

    def _at(self, source_id: str, answer: Answer) -> Evidence:
        return self._evidence[self._found.evidence[source_id, answer.start]]

    def _claim(self, evidence: Evidence, group: Sequence[str], voices: tuple[tuple[str, ...], ...]) -> str:
        """The claim that this passage makes; a new one of the senses alone when no draft was made of it."""
        for claim in self.claims:
            if claim.evidence_ids and claim.evidence_ids[0] == evidence.evidence_id:
                return claim.claim_id
        others = (self._at(one, self._found.by_source[one][0]).evidence_id for one in group)
        first = self._found.by_source[group[0]][0].start == evidence.start
        claim = Claim(
            claim_id=f"C{len(self.claims) + 1}",
            text=shown(self._deps.text(evidence.snapshot_id), evidence.start, evidence.end)[0],
            section=SENSES,
            question_id=self._question,
            evidence_ids=tuple(dict.fromkeys((evidence.evidence_id, *others))) if first else (evidence.evidence_id,),
            verified=True,
            match_score=1.0,
            supporting_sources=tuple(sorted(group)) if first else (group[0],),
            voices=voices if first else ((group[0],),),
            independent_sources=len(voices) if first else 1,
            cross_validated=first and len(voices) > 1 and self._deps.settings.cross_validation,
            verifier="quote",
        )
        self.claims.append(claim)
        return claim.claim_id


def _settled(
    claims: tuple[Claim, ...], state: ResearchState, found: Answers
) -> tuple[tuple[Claim, ...], tuple[Contradiction, ...]]:
    """Claims and contradictions, without conflict between sources about different things."""
    by_id = {claim.claim_id: claim for claim in claims}
    kept: list[Contradiction] = []
    against: dict[str, set[str]] = {}
    for one in state.contradictions:
        a, b = by_id[one.claim_a], by_id[one.claim_b]
        first, second = (found.thing.get(_owner(side, state), "") for side in (one.evidence_a, one.evidence_b))
        if one.nature == DIRECT and _other_thing(first, second):
            why = f"{one.explanation}; about different things of this name: {first} and {second}"
            kept.append(replace(one, nature=SCOPE, explanation=why))
            against.setdefault(a.claim_id, set()).update(b.evidence_ids)
            against.setdefault(b.claim_id, set()).update(a.evidence_ids)
        else:
            kept.append(one)
    return tuple(_without(claim, against.get(claim.claim_id, set())) for claim in claims), tuple(kept)


def _owner(evidence_id: str, state: ResearchState) -> str:
    return next((one.source_id for one in state.evidence if one.evidence_id == evidence_id), "")


def _without(claim: Claim, gone: Set[str]) -> Claim:
    left = tuple(one for one in claim.contradicting_evidence_ids if one not in gone)
    return (
        claim if len(left) == len(claim.contradicting_evidence_ids) else replace(claim, contradicting_evidence_ids=left)
    )
