"""Follow-up questions: answers from the texts of one research, with the same passages and checks as its report.

Without a model an answer is quotations, two to five where there are so many; with one it is written and passes the
gate of the report (workflows/research/modelled). What no text answers is said to be unanswered.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tools.text.tokens import stems, words
from tools.trust.contradict import DIRECT
from workflows.research.checks import problem_of
from workflows.research.compose import Composer
from workflows.research.conversation import AFTERWARDS, next_number, passage_id
from workflows.research.credibility import with_confidence
from workflows.research.cross_reference import cross_reference
from workflows.research.deps import Deps
from workflows.research.evidence import select_evidence
from workflows.research.model import Claim, Evidence, Plan, Question
from workflows.research.modelled.answer import FOLLOW_UP, Writing, write
from workflows.research.modelled.writing import Written
from workflows.research.report import Sentence
from workflows.research.selection import Selection
from workflows.research.state import ResearchState

NOTHING = "Nothing in this research’s texts answers this."
DISAGREE = "The sources contradict each other on this."
MOST = 5  # sentences of an answer
_LOOKED_AT = 14  # passages whose support in other sources is looked for
# What tells an answer from a sentence that shares words with the question. Chosen on 50 questions of HotpotQA and 50
# claims of SciFact, each over the ten paragraphs nearest in words; on 50 others of each: answered where a paragraph
# answers 80% and 58%, of these from the right paragraph 82% and 93%, answered although none does 28% and 10%.
_ANSWERS = 0.45  # score of a passage
_TEXT_SHARE = 0.5  # of the question's words that its text and title have
_NAME_SHARE = 0.34  # of the question's names and numbers
_READ = 20_000  # characters of a text
_BESIDE_BEST = 0.7  # of the best score, for the sentences after it
_PLAIN = 2  # content words from which a question may stand alone
_NAME = re.compile(r"(?<!^)(?<![.?!]\s)\b[A-ZÀ-Þ\d][\w'’-]*")  # not the first word of a sentence
_LEANS = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her|him|there|both|either|neither)\b"
    r"|^\s*(?:and|or|but|so|also|what about|how about)\b",
    re.I,
)

Told = Callable[[Sentence], object]


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer. evidence: the new passages it cites. found: whether the texts answer the question."""

    sentences: tuple[Sentence, ...]
    evidence: tuple[Evidence, ...] = ()
    found: bool = False
    writing: Writing = Writing()


def answer(
    state: ResearchState, question: str, deps: Deps, told: Told, before: str = "", least: float = _ANSWERS
) -> Answered:
    """The answer to a question from the texts of a finished research. told: is handed each sentence as it is ready.

    before: the conversation so far, for the model. least: score below which no passage answers. deps.work: the calls
    a model may take; None writes nothing.
    Cancelled passes.
    """
    looked = _looked(state, standalone(state, question), deps)
    claims = _chosen(looked, deps, least) if words(question) else []
    if not claims:
        nothing = Sentence("a1", "narration", NOTHING)
        told(nothing)
        return Answered((nothing,))
    speaker = _Speaker(state, looked, deps, told)
    writing = Writing()
    if deps.work is not None:
        writing = write(looked, question, claims, deps, before, speaker.written)
    if not speaker.said or writing.problem:
        # Nobody wrote, or the model was lost half-way: what is not told yet is quoted
        speaker.quoted([claim for claim in claims if claim.claim_id not in writing.used])
    if not speaker.said:
        nothing = Sentence("a1", "narration", NOTHING)
        told(nothing)
        return Answered((nothing,), writing=writing)
    return Answered(tuple(speaker.said), tuple(speaker.evidence), True, writing)


def standalone(state: ResearchState, question: str) -> str:
    """The question with what it leans on: the one before it, or what the research asked."""
    own = " ".join(question.split())
    if len(set(stems(own))) >= _PLAIN and not _LEANS.search(own):
        return own
    answered = [turn.question for turn in state.conversation if any(one.citations for one in turn.sentences)]
    last = answered[-1] if answered else state.original_query
    return f"{' '.join(last.split())[:300]} {own}"


def _looked(state: ResearchState, question: str, deps: Deps) -> ResearchState:
    """The research as if this had been its question: passages, claims, voices, confidence; nothing is fetched."""
    asked = Question("Q1", question, "primary", 1.0, queries=(question,))
    understanding = replace(state.understanding, query_type="general", subjects=())
    bare = replace(
        state, original_query=question, understanding=understanding, plan=Plan(questions=(asked,)), evidence=(),
        claims=(), contradictions=(), senses=(),
    )  # fmt: skip
    found = select_evidence(bare, deps, carried=False)
    best = sorted(found.evidence, key=lambda one: (-one.score, int(one.evidence_id[1:])))[:_LOOKED_AT]
    kept = tuple(one for one in found.evidence if one in best)
    looked = cross_reference(replace(found, evidence=kept), deps)
    credibility = {
        one.source_id: one.credibility.score for one in looked.sources if one.credibility and not one.rejected
    }
    evidence = {one.evidence_id: one for one in looked.evidence}
    graded = with_confidence(looked.claims, looked.contradictions, evidence, credibility, deps)
    return replace(looked, claims=tuple(graded))


def _chosen(looked: ResearchState, deps: Deps, least: float) -> list[Claim]:
    """The claims that answer, best first; after each what contradicts it, which alone would perhaps not be chosen."""
    scores = {one.evidence_id: one.score for one in looked.evidence}

    def score(claim: Claim) -> float:
        return scores.get(claim.evidence_ids[0], 0.0) if claim.evidence_ids else 0.0

    ranked = sorted(looked.claims, key=lambda claim: (-score(claim), -claim.confidence, int(claim.claim_id[1:])))
    selection = Selection(looked, deps.text)
    citable = [claim for claim in ranked if selection.citable(claim)]
    close = _Closeness(looked, deps)
    ranked = [claim for claim in citable if score(claim) >= least and close.fits(claim)]
    if not ranked:
        return []
    good = [claim for claim in ranked if score(claim) >= _BESIDE_BEST * score(ranked[0])]
    chosen: list[Claim] = []
    while len(chosen) < MOST and (taken := selection.take([one for one in good if one not in chosen], 1)):
        opposed = [one for one in citable if one.claim_id in _against(taken[0], looked) and one not in chosen]
        for one in opposed:
            selection.add(one)
        chosen += [*taken, *opposed]
    return chosen[:MOST]


class _Closeness:
    """Whether the text behind a claim is about what the question is about."""

    def __init__(self, looked: ResearchState, deps: Deps) -> None:
        self._evidence = {one.evidence_id: one for one in looked.evidence}
        self._titles = {source.source_id: source.title for source in looked.sources}
        self._deps = deps
        self._wanted = frozenset(stems(looked.original_query))
        self._names = frozenset(stems(" ".join(_NAME.findall(looked.original_query))))
        self._said: dict[str, frozenset[str]] = {}

    def fits(self, claim: Claim) -> bool:
        one = self._evidence[claim.evidence_ids[0]]
        if one.snapshot_id not in self._said:
            text = f"{self._titles.get(one.source_id, '')}\n{self._deps.text(one.snapshot_id)[:_READ]}\n{one.quote}"
            self._said[one.snapshot_id] = frozenset(stems(text))
        said = self._said[one.snapshot_id]
        return _share(self._wanted, said) >= _TEXT_SHARE and _share(self._names, said) >= _NAME_SHARE


def _share(wanted: frozenset[str], said: frozenset[str]) -> float:
    return len(wanted & said) / len(wanted) if wanted else 1.0


def _against(claim: Claim, looked: ResearchState) -> set[str]:
    """Ids of the claims that directly contradict a claim."""
    pairs = [(one.claim_a, one.claim_b) for one in looked.contradictions if one.nature == DIRECT]
    return {b if a == claim.claim_id else a for a, b in pairs if claim.claim_id in (a, b)}


class _Speaker:
    """Puts sentences into the answer: checked, with passages of its own, told at once."""

    def __init__(self, state: ResearchState, looked: ResearchState, deps: Deps, told: Told) -> None:
        self._looked, self._deps, self._told = looked, deps, told
        self._composer = Composer(looked, deps.text)
        self._tags = {source.source_id: source.tag for source in state.sources}
        self._found = {one.evidence_id: one for one in looked.evidence}
        self._names: dict[str, str] = {}
        self._number = next_number(state)
        self.evidence: list[Evidence] = []
        self.said: list[Sentence] = []

    def quoted(self, claims: Sequence[Claim]) -> None:
        """The claims as quotations, with a word where one contradicts the one before it."""
        before: Claim | None = None
        for claim in claims:
            if not self._say(self._composer.sentence(claim)):
                continue
            if before and claim.claim_id in _against(before, self._looked):
                self._say(Sentence("", "narration", DISAGREE))
            before = claim

    def written(self, one: Written, indicator: str) -> bool:
        """A sentence of a model that passed the gate; whether it stands in the answer."""
        prompt = self._deps.work.prompt(FOLLOW_UP) if self._deps.work else ""
        by = (one.verifier, one.model, prompt)
        return self._say(self._composer.written(one.text, (), one.evidence, indicator, by))

    def _say(self, sentence: Sentence) -> bool:
        evidence: Mapping[str, Evidence] = self._found
        if problem_of(sentence, dict(evidence), self._tags, self._deps) is not None:
            return False
        cited = tuple(replace(one, evidence_id=self._own(one.evidence_id)) for one in sentence.citations)
        # Claims are numbered anew in every revision; an answer stands on its passages alone
        sentence = replace(sentence, sentence_id=f"a{len(self.said) + 1}", claim_ids=(), citations=cited)
        self.said.append(sentence)
        self._told(sentence)
        return True

    def _own(self, evidence_id: str) -> str:
        if evidence_id not in self._names:
            name = passage_id(self._number)
            self._number += 1
            self._names[evidence_id] = name
            self.evidence.append(replace(self._found[evidence_id], evidence_id=name, question_id=AFTERWARDS))
        return self._names[evidence_id]
