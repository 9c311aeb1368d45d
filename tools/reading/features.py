"""The reader that needs no model: features of words, weighed by numbers fitted on public
question-answer data.

The weights (tools/data/reader.toml) come from fit_reader.py, fit_leads.py and fit_definitions.py
in benchmarks/training, which name the data.
"""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from tools.reading.abbreviations import introduces
from tools.reading.answer_type import AnswerType, defined_subject, defines, expected_answer, holds
from tools.reading.reader import Candidate, Reading, logistic
from tools.reading.thesaurus import related
from tools.reading.word_vectors import Likeness
from tools.text.asking import task_words
from tools.text.sentences import spans
from tools.text.tokens import STOP, is_word, stem, stems, words
from tools.translation.gloss import gloss, query_languages, text_languages

FEATURES = (
    "retrieval", "with_heading", "best_pair", "heading", "answer_type", "length", "meaning",
    "defines", "opening",
)  # fmt: skip
_OPENING = 1000  # characters behind the beginning of a document, after which "opening" is halved
_RELATED = 0.8  # what a word of like meaning counts, times its likeness


class FeatureReader:
    """rarity: weight of a folded word in the collection that is searched (inverse document
    frequency, above 0)."""

    def __init__(self, rarity: Callable[[str], float]) -> None:
        self._rarity = rarity

    def read(
        self, question: str, candidates: Sequence[Candidate], *, units: bool = False
    ) -> list[Reading]:
        """See Reader. Gives no spans."""
        weights = reader_weights("units" if units else "passages")
        rows = self.features(question, candidates)
        return [Reading(round(logistic(_weighed(row, weights)), 6)) for row in rows]

    def features(self, question: str, candidates: Sequence[Candidate]) -> list[tuple[float, ...]]:
        """The features of each candidate, in the order of FEATURES."""
        languages = query_languages(question)
        sought = _Sought.of(question, self._rarity)
        candidates = [_in_english(candidate, languages) for candidate in candidates]
        best = max((candidate.retrieval for candidate in candidates), default=0.0) or 1.0
        return [
            _features(sought, candidate, candidate.retrieval / best) for candidate in candidates
        ]


@dataclass(frozen=True, slots=True)
class _Sought:
    """The content words of a question as stems with their weights, and words of like meaning."""

    stems: tuple[str, ...]
    weights: tuple[float, ...]
    related: tuple[Mapping[str, float], ...]
    kind: AnswerType
    likeness: Likeness
    subject: frozenset[str]
    abbreviation: str  # what is to be defined, where it is one word

    @classmethod
    def of(cls, question: str, rarity: Callable[[str], float]) -> "_Sought":
        kind = expected_answer(question)
        in_english = gloss(question, query_languages(question))
        sources, question = in_english.sources(question), in_english.text
        content = [w for w in words(question) if w not in STOP and is_word(w, question)]
        # What is asked about, without "mean", "list", "difference"; all of it where nothing else is
        # asked about
        asking = task_words(question)
        about = [w for w in content if w not in asking] or content or words(question)
        terms = list(dict.fromkeys(about))
        weights, near = tuple(rarity(sources.get(w, w)) for w in terms), tuple(map(related, terms))
        subject = frozenset(words(defined_subject(question))).intersection(terms)
        subject_stems = frozenset(map(stem, subject))
        abbreviation = next(iter(subject)) if len(subject) == 1 else ""
        return cls(
            tuple(map(stem, terms)),
            weights,
            near,
            kind,
            Likeness(question),
            subject_stems,
            abbreviation,
        )

    def defined_in(self, sentences: Sequence[str]) -> float:
        """How far one of some sentences says what that is which the question asks to be defined; 0
        for other questions."""
        if self.kind != AnswerType.DEFINITION:
            return 0.0
        # A sentence may go on over lines, and entries of a glossary are items or rows, one a line
        lines = dict.fromkeys(line for whole in sentences for line in (whole, *whole.split("\n")))
        return max(map(self._defined_by, lines), default=0.0)

    def _defined_by(self, sentence: str) -> float:
        spelled_out = (
            self.abbreviation and "(" in sentence and introduces(sentence, self.abbreviation)
        )
        return 1.0 if spelled_out else defines(self.subject, sentence)

    def coverage(self, bag: frozenset[str]) -> float:
        """The share of the question's weight that a bag of stems holds, 0..1; of words of like
        meaning a part."""
        met = 0.0
        for term, weight, near in zip(self.stems, self.weights, self.related, strict=True):
            if term in bag:
                met += weight
            elif near:
                met += (
                    weight
                    * _RELATED
                    * max((near[other] for other in near.keys() & bag), default=0.0)
                )
        return met / (sum(self.weights) or 1.0)


def _in_english(candidate: Candidate, languages: tuple[str, ...]) -> Candidate:
    """A candidate as word lists of English can read it. languages: of one too short to tell."""
    languages = text_languages(candidate.text, languages)
    text, heading = gloss(candidate.text, languages).text, gloss(candidate.heading, languages).text
    return replace(candidate, text=text, heading=heading)


def _features(sought: _Sought, candidate: Candidate, retrieval: float) -> tuple[float, ...]:
    body = stems(candidate.text)
    bag, heading = frozenset(body), frozenset(stems(candidate.heading))
    sentences = [candidate.text[start:end] for start, end in spans(candidate.text)]
    bags = [frozenset(stems(sentence)) for sentence in sentences]
    pairs = [
        bag | (bags[i + 1] if i + 1 < len(bags) else frozenset()) for i, bag in enumerate(bags)
    ]
    return (
        retrieval,
        sought.coverage(bag | heading),
        max(map(sought.coverage, pairs), default=0.0),
        sought.coverage(heading),
        0.5 if sought.kind == AnswerType.ANY else float(holds(sought.kind, candidate.text)),
        math.log(1 + len(body)),
        max((sought.likeness.of(sentence) for sentence in sentences), default=0.0),
        sought.defined_in(sentences),
        1 / (1 + candidate.start / _OPENING),
    )


def _weighed(row: Sequence[float], weights: Mapping[str, float]) -> float:
    return weights["intercept"] + sum(
        weights[name] * value for name, value in zip(FEATURES, row, strict=True)
    )


@lru_cache(maxsize=2)
def reader_weights(grain: str) -> dict[str, float]:
    """The shipped weights for "passages" or "units": "intercept", and of each feature for values as
    they are (not standardised)."""
    text = files("tools.data").joinpath("reader.toml").read_text(encoding="utf-8")
    return {**dict.fromkeys(FEATURES, 0.0), **tomllib.loads(text)[grain]}
