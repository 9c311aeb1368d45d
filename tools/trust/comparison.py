"""A claim laid beside a passage: which sentences speak of it, what of it they hold, what is missing, which way it goes.

Everything the verifier scores by and explains with is measured here, in plain numbers. Each word of the claim weighs by
its rarity; a word counts as found when its stem is there, and partly when a word is that begins alike and shares most
of its letter triples ("infertile", "infertility"; "modem", "modern").
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from tools.text.sentences import spans
from tools.text.synonyms import alike
from tools.text.tokens import STOP, stem, words
from tools.trust.polarity import NEGATIONS, Mark, marks, relation
from tools.trust.quantities import Quantity, quantities
from tools.trust.rarity import rarity
from tools.trust.statement import analyse, direction_of
from tools.trust.units import NUMBER_WORDS, ORDINAL_WORDS
from tools.trust.wording import OPEN, asserted

CHOSEN = 4  # sentences whose words are taken together
_READ = 5  # sentences looked at for polarity
_WIDTH = 3  # sentences of a span
_NEAR = 8.0  # words over which the nearness to a polar word falls to 1/e
_ALIKE = 0.5  # share of letter triples from which two words count as partly the same
_SOFT = 60  # missing words that are looked for in other forms
_DIGIT = re.compile(r"\d")
_SPELLED = frozenset((*NUMBER_WORDS, *ORDINAL_WORDS)) - {"one"}
_MEANT = 0.8  # what a word of nearly the same meaning is worth
_LONGER = 0.04  # what a span must gain by another sentence

_ASKS = 0.15  # what a span loses by a sentence that leaves things open


class Line(NamedTuple):
    """A sentence of a passage: its place, what it says (less what it sets aside), its folded words and their stems.

    `terms` are the stems of the words that are no stop words.
    """

    start: int
    end: int
    text: str
    words: tuple[str, ...]
    terms: tuple[str, ...]

    @property
    def row(self) -> bool:
        """Whether it is a row of a table, which says nothing of its neighbours."""
        return _is_row(self.text)


@dataclass(frozen=True, slots=True)
class Lean:
    """How near the polar words about the claim's own words agree with it and oppose it, 0..1 each.

    same_word: agreement by the very same polar word. says_so: agreement in what is said, not only of whom (to speak of
    women is not yet to say the same of them). against: the nearest opposing pair (claim, passage).
    """

    agrees: float = 0.0
    opposes: float = 0.0
    same_word: float = 0.0
    says_so: float = 0.0
    against: tuple[Mark, Mark] | None = None


_NO_LEAN = Lean()


class Comparison:
    """A claim beside the sentences of a passage; its parts are computed when they are asked for."""

    def __init__(self, claim: str, passage: str) -> None:
        self.claim = analyse(claim)
        self.words = tuple(words(claim))
        self.lines = lines(passage)
        self.passage = passage
        otherwise = self._written_otherwise()
        self.terms = tuple(term for term in _terms(self.words) if term not in otherwise)
        self.wanted = frozenset(self.terms)
        self._sought = frozenset(_terms(self.words))
        self._weight = {term: rarity(term) for term in self._sought}
        self._total = sum(self._weight[term] for term in self.wanted) or 1.0

    def _written_otherwise(self) -> frozenset[str]:
        """Words of the claim's numbers that the passage writes in another way (1.2 GWh, 1,200 MWh): none is missing."""
        known = self.everything
        missing = ((one, _terms(words(one.text))) for one in self.claim.quantities)
        return frozenset(
            term for one, parts in missing if not known.issuperset(parts) and self.has_quantity(one) for term in parts
        )

    def coverage(self, found: Iterable[str]) -> float:
        """Weight of the claim's words that are among the stems, of all its weight."""
        return sum(self._weight[term] for term in self.wanted.intersection(found)) / self._total

    def held(self, context: str = "") -> float:
        """The largest share of the claim, by rarity, that one sentence of the span says, words of like meaning too.

        context: the title or heading it stands under, whose words count as said.
        """
        around = _terms(words(context))
        return max((self._said((*line.terms, *around)) for line in self.span_lines), default=0.0)

    def _said(self, found: Iterable[str]) -> float:
        here = frozenset(found)
        meant = [term for term in self.wanted - here if not alike(term).isdisjoint(here)]
        return round(self.coverage(here) + _MEANT * sum(self._weight[term] for term in meant) / self._total, 6)

    @cached_property
    def ranked(self) -> tuple[int, ...]:
        """Sentences by how much they say of the claim, most first; words that all of them have say less."""
        count = len(self.lines)
        held = {term: sum(term in line for line in self._sets) for term in self._sought}
        weight = {
            term: math.sqrt(self._weight[term]) * math.log1p((count + 0.5) / (seen + 0.5))
            for term, seen in held.items()
        }
        scores = [
            sum(weight[term] for term in self._sought & found) / (1 + 0.25 * math.log1p(len(line.terms) / 25))
            for found, line in zip(self._sets, self.lines, strict=True)
        ]
        return tuple(sorted(range(count), key=lambda i: (-round(scores[i], 6), i)))

    @cached_property
    def _sets(self) -> list[frozenset[str]]:
        return [frozenset(line.terms) for line in self.lines]

    @cached_property
    def chosen(self) -> tuple[int, ...]:
        """Up to four sentences, each adding most of what those before it lack."""
        found: list[int] = []
        held: set[str] = set()
        near = self.ranked[:40]
        for _ in range(min(CHOSEN, len(near))):
            gain = {
                i: sum(self._weight[t] for t in (self.wanted & self._sets[i]) - held) for i in near if i not in found
            }
            best = max(gain, key=lambda i: (round(gain[i], 6), -near.index(i)))
            if gain[best] <= 0:
                break
            found.append(best)
            held |= self.wanted & self._sets[best]
        return tuple(found)

    @cached_property
    def covered(self) -> float:
        """Soft coverage by the chosen sentences."""
        return self.soft_coverage(frozenset().union(*(self._sets[i] for i in self.chosen)))

    @cached_property
    def everything(self) -> frozenset[str]:
        """Stems of the whole passage."""
        return frozenset().union(*self._sets)

    def soft_coverage(self, found: frozenset[str]) -> float:
        """Coverage in which a missing word counts by its likest relative."""
        missing = sorted(self.wanted - found, key=lambda term: (-self._weight[term], term))
        gained = sum(self._weight[term] * _likeness(term, found) for term in missing[:_SOFT])
        return self.coverage(found) + gained / self._total

    @cached_property
    def lean(self) -> Lean:
        """Which way the nearest sentences go, relative to the claim."""
        return self.leaning(self.ranked[:_READ])

    def leaning(self, numbers: Sequence[int]) -> Lean:
        """Lean over the given sentences."""
        best = Lean()
        for number in numbers:
            best = _merged(best, lean_between(self.words, self.wanted, self.lines[number].words))
        return best

    @cached_property
    def span(self) -> tuple[int, int]:
        """First and last (exclusive) of the neighbouring sentences that together say most of the claim."""
        best, score = (0, min(1, len(self.lines))), -1.0
        firsts = {i - back for i in self.ranked[:12] for back in range(_WIDTH)}
        for first in sorted(i for i in firsts if i >= 0):
            for last in range(first + 1, min(first + _WIDTH, len(self.lines)) + 1):
                if not self._joined(first, last):
                    continue
                found = frozenset().union(*self._sets[first:last])
                value = round(self.coverage(found) - _LONGER * (last - first - 1), 6)
                if value > score and any(_leaves_open(line.text) for line in self.lines[first:last]):
                    value = round(value - _ASKS, 6)
                if value > score:
                    best, score = (first, last), value
        return best

    def _joined(self, first: int, last: int) -> bool:
        return last - first == 1 or not any(line.row for line in self.lines[first:last])

    @property
    def span_lines(self) -> tuple[Line, ...]:
        return self.lines[self.span[0] : self.span[1]]

    def features(self) -> Mapping[str, float]:
        """What the learned score is made of, apart from `differs`; tools/data/verifier.toml describes each."""
        near = direction_of(self.lines[self.ranked[0]].terms) if self.lines else 0
        absent = [one for one in self.claim.quantities if not self.has_quantity(one)]
        lost = [name for name in self.names if name not in self.everything]
        lean = self.lean
        return {
            "covered": self.covered,
            "together": self.soft_coverage(frozenset().union(*(line.terms for line in self.span_lines))),
            "leans": lean.agrees - lean.opposes,
            "opposes": lean.opposes,
            "same_word": lean.same_word,
            "names": math.log1p(len(self.names)),
            "names_missing": math.log1p(len(lost)),
            "numbers_missing": math.log1p(len(absent)),
            "no_direction": float(self.claim.direction != 0 and near == 0),
            "other_direction": float(self.claim.direction * near < 0),
            "sentences": math.log1p(len(self.lines)),
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Stems of the claim's names."""
        return tuple(sorted({stem(name) for name in self.claim.names}))

    def has_quantity(self, wanted: Quantity) -> bool:
        """Whether a sentence of the passage gives this number; the first 200 are looked at."""
        return any(wanted.covered_by(one) for line in self.lines[:200] for one in numbers(line))


def numbers(line: Line) -> tuple[Quantity, ...]:
    """The quantities of one sentence; most have none, which a look at its words shows."""
    if _SPELLED.isdisjoint(line.words) and not _DIGIT.search(line.text):
        return ()
    return _quantities(line.text[:4000])


_quantities = lru_cache(maxsize=20000)(quantities)


@lru_cache(maxsize=20000)
def _leaves_open(text: str) -> bool:
    return bool(OPEN.search(text))


def lines(passage: str) -> tuple[Line, ...]:
    """The sentences of a passage; a table without stops falls into its rows."""
    found: list[Line] = []
    for start, end in spans(passage):
        text = passage[start:end]
        if "\n" in text and sum(map(_is_row, text.split("\n"))) > 1:
            for row in text.split("\n"):
                if row.strip():
                    found.append(_line(row, start))
                start += len(row) + 1
        else:
            found.append(_line(text, start))
    return tuple(found)


def _is_row(text: str) -> bool:
    return "\t" in text or text.count("|") > 1 or (text.count("; ") > 1 and ": " in text)


def _line(text: str, start: int) -> Line:
    said, found, terms = _read(text)
    return Line(start, start + len(text), said, found, terms)


@lru_cache(maxsize=20000)
def _read(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    said = asserted(text)
    found = tuple(words(said))
    return said, found, _terms(found)


def _terms(found: Iterable[str]) -> tuple[str, ...]:
    return tuple([stem(word) for word in found if word not in STOP])  # a list first: the quicker way


@lru_cache(maxsize=4096)
def _polar(claim: tuple[str, ...], wanted: frozenset[str]) -> tuple[tuple[Mark, ...], Mapping[str, float]]:
    """The first twelve polar words of a claim, and the weights of its other words."""
    mine = marks(claim)[:12]
    polar = {stem(mark.word) for mark in mine} | NEGATIONS
    return mine, {term: rarity(term) for term in wanted if term not in polar}


def lean_between(claim: tuple[str, ...], wanted: frozenset[str], other: tuple[str, ...]) -> Lean:
    """How near the polar words of a sentence stand to the claim's words, by whether they agree with the claim's."""
    mine, core = _polar(claim, wanted)
    places: dict[str, list[int]] = {}
    for at, word in enumerate(other[:600]) if mine else ():
        term = stem(word)
        if term in core:
            places.setdefault(term, []).append(at)
    total = sum(core.values())
    found = Lean()
    for theirs in marks(other) if places else ():
        near = sum(
            core[term] * math.exp(-min(abs(at - theirs.at) for at in where) / _NEAR) for term, where in places.items()
        )
        for one in mine:
            found = _merged(found, _pair(one, theirs, near / total))
    return found


def _pair(one: Mark, theirs: Mark, near: float) -> Lean:
    how = relation(one, theirs)
    if how > 0:
        same = near if stem(one.word) == stem(theirs.word) else 0.0
        return Lean(near, 0.0, same, says_so=0.0 if one.scope else near)
    return Lean(0.0, near, against=(one, theirs)) if how < 0 else _NO_LEAN


def _merged(a: Lean, b: Lean) -> Lean:
    return Lean(
        max(a.agrees, b.agrees),
        max(a.opposes, b.opposes),
        max(a.same_word, b.same_word),
        max(a.says_so, b.says_so),
        b.against if b.opposes > a.opposes else a.against,
    )


def _likeness(term: str, found: Iterable[str]) -> float:
    """The likest of the stems that begin with the same two letters: shared letter triples (Dice), 0 below a half."""
    mine = _triples(term)
    best = 0.0
    for other in found:
        if other[:2] == term[:2]:
            theirs = _triples(other)
            best = max(best, 2 * len(mine & theirs) / (len(mine) + len(theirs)))
    return best if best >= _ALIKE else 0.0


@lru_cache(maxsize=65536)
def _triples(word: str) -> frozenset[str]:
    edged = f"#{word}#"
    return frozenset(edged[i : i + 3] for i in range(len(edged) - 2))
