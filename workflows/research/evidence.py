"""Evidence: which sentences of the texts read answer which question? Whole sentences, byte-exact spans."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from tools.corpus.model import Passage
from tools.research.source import Source
from tools.text.sentences import spans
from tools.text.synonyms import related
from tools.text.tokens import stems
from tools.trust.quotable import opening, quotable
from tools.trust.rarity import rarity
from tools.trust.statement import analyse
from tools.trust.worth import specificity
from workflows.research.deps import Deps
from workflows.research.model import Evidence, Question, last_number
from workflows.research.plan import cue_words
from workflows.research.stance import stance
from workflows.research.state import ResearchState
from workflows.research.topic import content, subject

_PASSAGES = 40  # retrieved per question
_PER_SOURCE = 4  # sentences kept per source and question
_PER_QUESTION = 24
_ENOUGH = 0.22  # a sentence below this is not on the question
_ANSWER = 4  # sentences of a question's answer
_ON_TOPIC = 0.22  # share of the question's terms, by rarity, that a sentence must hold
_PLAINLY = 3  # terms of a long question that are enough, whatever share of it they are
_FOUND = 0.75  # of the best passage: what carries the sentences in it that leave the question's words unsaid
_ABOUT = 0.45  # share of the question's terms that such a passage must hold
SIDES = {"Evidence for": 1, "Evidence against": -1}
_MIDDLING = 0.5  # the score of a passage that was not retrieved
_NAMING = 100_000  # characters of a text in which it must name its subject
_SHORT_NAME = 2  # words of a name that are all needed
_MEANT = 0.5  # what a word that goes with one of the question is worth beside that word itself
_COMPOUND, _BEGINS = 9, 7  # letters of a word that may be made of several, and those by which two are alike
_FITS = 0.3  # for a sentence that takes the side a question asks about

_AROUND = 1200  # characters beside a passage that show whether it begins and ends with a sentence
_BLANK_BEFORE = re.compile(r"(?:\A|\n\s*\n)\s*\Z")
_BLANK_AFTER = re.compile(r"[^\S\n]*+\n[^\S\n]*+\n|\s*+\Z")

Place = tuple[str, int, int]  # snapshot, start, end
_NONE: Mapping[str, set[Place]] = {}


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence worth citing, read once for all questions.

    share: of the question's terms that it holds; match: the same, 0 where it holds too few of them to stand for itself.
    """

    quote: str
    terms: frozenset[str]
    share: float
    match: float
    specific: float
    side: int


@dataclass(frozen=True, slots=True)
class _Scored:
    place: Place
    quote: str
    score: float
    cue: float


def select_evidence(state: ResearchState, deps: Deps, carried: bool = True) -> ResearchState:
    """The state with evidence for every question from all texts read so far, and each question's answer.

    carried: also sentences that leave the question's words unsaid, in the passages most about it.
    """
    owner = {s.snapshot_id: s.source_id for s in state.sources if s.snapshot_id and not s.rejected}
    if not owner:
        return state
    reader = _Reader(state, deps, owner, carried)
    taken = {(e.snapshot_id, e.start, e.end): e.evidence_id for e in state.evidence}
    best: dict[Place, tuple[float, _Scored, Question]] = {}
    fits: dict[str, set[Place]] = defaultdict(set)
    for question in state.plan.questions:
        for scored in _sentences(state, question, deps, owner, reader):
            value = round(scored.score + scored.cue, 6)
            if scored.cue > 0:
                fits[question.id].add(scored.place)
            if scored.place not in taken and (scored.place not in best or value > best[scored.place][0]):
                best[scored.place] = (value, scored, question)
    chosen = _cap(best, owner)
    number = last_number(state.evidence)
    fresh = tuple(
        Evidence(f"E{number + i}", owner[s.place[0]], *s.place, s.quote, q.id, s.score)
        for i, (s, q) in enumerate(chosen, 1)
    )
    return with_answers(replace(state, evidence=(*state.evidence, *fresh)), fits)


def on_topic(state: ResearchState, source: Source, deps: Deps, characters: int) -> list[tuple[Place, str, float]]:
    """(place, quote, score) of the citable sentences on the question in the beginning of a source's text, in order."""
    owner = {s.snapshot_id: s.source_id for s in state.sources if s.snapshot_id and not s.rejected}
    snapshot_id = source.snapshot_id or ""
    text = deps.text(snapshot_id)[:characters]
    whole = Passage(snapshot_id, 0, len(text), text, _MIDDLING)
    found = _Reader(state, deps, owner, carried=True).sentences(whole)
    return [(place, read.quote, _score(read, whole)) for place, read in found]


def _score(read: _Read, passage: Passage) -> float:
    return round(0.6 * read.match + 0.2 * passage.score + 0.2 * read.specific, 6)


class _Reader:
    """Reads each sentence once, whatever the number of questions and passages it stands in."""

    def __init__(self, state: ResearchState, deps: Deps, owner: Mapping[str, str], carried: bool) -> None:
        self._deps, self._carried = deps, carried
        self._wanted = content(state.original_query)
        self._weight = _rarity(self._wanted, deps, owner)
        # Long words of other languages: who asks about "Glasfaserausbau" is answered by the "Glasfasernetz"
        self._compounds = frozenset(t for t in self._wanted if len(t) >= _COMPOUND and rarity(t) == 1.0)
        # Who compares two things is answered by sentences about either of them
        self._subjects = [set(stems(subject)) for subject in state.understanding.subjects if stems(subject)]
        # "Batteries" is what "grid-scale batteries" are, where a thing is asked about and nothing said of it
        named = state.understanding.query_type in ("concept", "technical")
        self._head = next(iter(stems(state.understanding.primary_anchor)[-1:]), "") if named else ""
        short = stems(state.understanding.primary_anchor)
        # Who asks what sport somebody plays is answered by "X is a footballer"
        name = state.understanding.query_type == "general" and state.understanding.primary_anchor[:1].isupper()
        self._name = frozenset(short if name else ())
        term = state.understanding.query_type == "concept"
        alone = set(stems(state.original_query)) <= set(short)  # nothing else is asked
        whole = term and alone and len(short) <= _SHORT_NAME
        self._named = frozenset(short if whole else _doer(state))
        self._naming: dict[str, bool] = {}
        claim = state.understanding.query_type == "claim_check"
        self._hypothesis = analyse(state.understanding.primary_anchor) if claim else None
        self._read: dict[Place, _Read | None] = {}
        self._titles = {source.snapshot_id: source.title for source in state.sources}
        self._about: dict[Place, float] = {}

    def sentences(self, passage: Passage) -> list[tuple[Place, _Read]]:
        """The sentences of a passage that are worth citing and on the question; in a passage that was found among the
        first and is about what is asked, also those that leave its words unsaid."""
        text = self._deps.text(passage.snapshot_id)
        about = self._cover(passage) if self._carried and passage.score >= _FOUND else 0.0
        carried = about if about >= _ABOUT else 0.0
        found = []
        for start, end in _whole(text, passage):
            start = opening(text, start, end)
            place = (passage.snapshot_id, start, end)
            if place not in self._read:
                self._read[place] = self._judge(text, start, end)
            read = self._read[place]
            if read is None:
                continue
            match = max(read.match, (read.share + carried) / 2 if carried and read.share else 0.0)
            if match >= _ON_TOPIC or (read.match and len(self._wanted & read.terms) >= _PLAINLY):
                found.append((place, replace(read, match=match)))
        return found

    def _cover(self, passage: Passage) -> float:
        """Share of the question's terms that a passage holds, with the title of its text."""
        place = (passage.snapshot_id, passage.start, passage.end)
        if place not in self._about:
            said = f"{self._titles.get(passage.snapshot_id, '')} {passage.text}"
            self._about[place] = self._held(frozenset(stems(said)))
        return self._about[place]

    def _judge(self, text: str, start: int, end: int) -> _Read | None:
        sentence = quotable(text, start, end)
        if sentence is None:
            return None
        terms = frozenset(stems(sentence))
        share = self._held(terms)
        if not (self._named <= terms or self._names_it(text)):
            return None
        side = stance(self._hypothesis, analyse(sentence)) if self._hypothesis else 0
        match = share if self._enough(terms) else 0.0
        return _Read(text[start:end], terms, share, match, specificity(sentence), side)

    def _names_it(self, text: str) -> bool:
        """Whether a text names the thing in full, or what goes with it: then a part of its name may stand for it ("law"
        for "canon law"), and what is done may be told without who does it ("sleep" in a text about whales)."""
        if text not in self._naming:
            said = set(stems(text[:_NAMING]))
            self._naming[text] = all(one in said or not related(one).isdisjoint(said) for one in self._named)
        return self._naming[text]

    def _held(self, terms: Set[str]) -> float:
        """Share of the question's terms, by rarity; of the better covered subject where two are compared."""
        if not self._wanted:
            return 0.5
        if self._subjects:
            return max(_share(subject, terms, self._weight) for subject in self._subjects)
        exact = _share(self._wanted, self._wanted & terms, self._weight)
        return exact + _MEANT * _share(self._wanted, self._meant(terms), self._weight)

    def _meant(self, terms: Set[str]) -> set[str]:
        """Words of the question for which a sentence has one that goes with it, or a compound that begins alike."""
        lost = self._wanted - terms
        found = {term for term in lost if not related(term).isdisjoint(terms)}
        heads = {term[:_BEGINS] for term in terms if len(term) > _BEGINS} if self._compounds & lost else set()
        return found | {term for term in self._compounds & lost if term[:_BEGINS] in heads}

    def _enough(self, terms: Set[str]) -> bool:
        """Whether a sentence holds two of the question's terms, the noun of what is asked about, or its whole name."""
        if self._subjects or not self._wanted or self._head in terms or (self._name and self._name <= terms):
            return True
        least, exact = min(2, len(self._wanted) - 1), len(self._wanted & terms)
        return exact >= min(1, least) and exact + len(self._meant(terms)) >= least


def _doer(state: ResearchState) -> list[str]:
    """The noun of the subject of a question about how something works or does what it does: "tree" of "street trees
    cool cities"; none for other questions and where no subject can be told."""
    if state.understanding.query_type != "technical":
        return []
    return stems(subject(state.understanding))[-1:]


def _sentences(
    state: ResearchState, question: Question, deps: Deps, owner: Mapping[str, str], reader: _Reader
) -> list[_Scored]:
    """Scored sentences of the passages retrieved for one question."""
    deps.check_cancelled()
    passages = deps.retrieve(_retrieval_query(state, question), sorted(owner), _PASSAGES)
    cues, side = _cues(state, question), SIDES.get(question.heading, 0)
    found: dict[Place, _Scored] = {}
    for passage in passages:
        for place, read in reader.sentences(passage):
            score = _score(read, passage)
            if score < _ENOUGH or (side and read.side != side):
                continue
            hits = len(cues & read.terms)
            cue = 0.25 * hits / (1 + hits) + (_FITS if side else 0.0)
            if place not in found or score > found[place].score:
                found[place] = _Scored(place, read.quote, score, round(cue, 6))
    return [found[place] for place in sorted(found)]


def _whole(text: str, passage: Passage) -> list[tuple[int, int]]:
    """The sentences of a passage, without pieces of a sentence too long for one passage."""
    found = spans(text, passage.start, passage.end)
    around = spans(text, max(0, passage.start - _AROUND), min(len(text), passage.end + _AROUND))
    begins, ends = {start for start, _ in around}, {end for _, end in around}
    return [
        (start, end)
        for start, end in found
        if (start != passage.start or start in begins or _BLANK_BEFORE.search(text, max(0, start - 8), start))
        and (end != passage.end or end in ends or _BLANK_AFTER.match(text, end))
    ]


def _share(wanted: Set[str], terms: Set[str], weight: Mapping[str, float]) -> float:
    total = sum(weight.get(term, 1.0) for term in wanted) or 1.0
    return sum(weight.get(term, 1.0) for term in wanted & terms) / total


def _rarity(wanted: Set[str], deps: Deps, owner: Mapping[str, str]) -> dict[str, float]:
    """Weight of each stem of the question: rare among the texts read counts more."""
    counts: Counter[str] = Counter()
    for snapshot_id in sorted(owner):
        counts.update(wanted & set(stems(deps.text(snapshot_id)[:20000])))
    return {term: 0.3 + math.log(1 + len(owner) / (1 + counts[term])) for term in wanted}


def _retrieval_query(state: ResearchState, question: Question) -> str:
    return f"{state.original_query[:300]} {question.queries[-1] if question.queries else question.text}"[:600]


def _cues(state: ResearchState, question: Question) -> set[str]:
    return set(stems(" ".join(cue_words(state, question)))) - set(stems(state.original_query))


def _cap(
    best: Mapping[Place, tuple[float, _Scored, Question]], owner: Mapping[str, str]
) -> list[tuple[_Scored, Question]]:
    """The best few per source and question, at most so many per question, in the order of texts and places."""
    ordered = sorted(best.values(), key=lambda item: (-item[0], item[1].place))
    per_source: Counter[tuple[str, str]] = Counter()
    per_question: Counter[str] = Counter()
    kept = []
    for _, scored, question in ordered:
        pair = (owner[scored.place[0]], question.id)
        if per_source[pair] < _PER_SOURCE and per_question[question.id] < _PER_QUESTION:
            per_source[pair] += 1
            per_question[question.id] += 1
            kept.append((scored, question))
    order = {snapshot: i for i, snapshot in enumerate(owner)}
    return sorted(kept, key=lambda item: (order[item[0].place[0]], item[0].place[1]))


def with_answers(state: ResearchState, fits: Mapping[str, set[Place]] = _NONE) -> ResearchState:
    """Each question with its evidence, own and fitting, and an answer of its best sentences with their tags."""
    tags = {source.source_id: source.tag or "" for source in state.sources}
    questions = []
    for question in state.plan.questions:
        fitting, known = fits.get(question.id, set()), set(question.evidence_ids)
        evidence = [
            one
            for one in state.evidence
            if one.question_id == question.id
            or one.evidence_id in known
            or (one.snapshot_id, one.start, one.end) in fitting
        ]
        questions.append(_answered(question, evidence, tags))
    return replace(state, plan=replace(state.plan, questions=tuple(questions)))


def _answered(question: Question, evidence: Sequence[Evidence], tags: Mapping[str, str]) -> Question:
    best = sorted(evidence, key=lambda e: (e.question_id != question.id, -e.score, e.evidence_id))[:_ANSWER]
    answer = tuple(f"{' '.join(one.quote.split())} [{tags[one.source_id]}]" for one in best)
    confidence = round(sum(one.score for one in best) / len(best), 6) if best else 0.0
    ids = tuple(one.evidence_id for one in evidence)
    return replace(question, evidence_ids=ids, answer=answer, confidence=confidence)
