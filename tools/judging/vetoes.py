"""Hard checks: what forbids calling a claim supported by a passage, whatever a judge says.

A veto needs a counterpart: the passage says the same thing of the same thing, but with another
number, unit, date, name or negation, or with the opposite word. What is merely missing from the
passage vetoes nothing. Every constant was chosen on development sets and measured on
others (benchmarks/judges.py).
"""

import difflib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache, partial

from tools.judging.antonyms import forms, opposites
from tools.judging.judge import Passage
from tools.judging.negation import denies, is_plain, negated_terms
from tools.judging.sentence import Sentence, Word, coverage, read_sentence, sentences_of, weight
from tools.text.quantities import DATED, Quantity
from tools.text.tokens import words
from tools.text.units import UNITS

CLOSEST = 6  # sentences of a passage that are compared word by word
# Share of the claim that a sentence and its surroundings say before anything in it is a counterpart
SAME_THING = 0.5
SAME_PLACE = 0.67  # share of the words around a number that stand around its counterpart
# Share of the claim that a sentence says before a word of opposite meaning in it counts
SAME_SENTENCE = 0.7
SAME_CLAUSE = 0.8  # the same for a negation and its clause
ALIKE, ALIKE_SHORT = 0.7, 0.6  # likeness of two spellings of one name, of one of up to four letters
# Words of content on each side of a number that are looked for, and among which
_AROUND, _WITHIN = 3, 6
_BARE = ("count", "ordinal")
_DATES = (*DATED, "clock")
_MEASURES = frozenset(kind for kind, _ in UNITS.values())
# "per cent" for percentage points; pounds
_CONFUSED = ({"share", "points"}, {"mass", "pound_money"})


class VetoKind(StrEnum):
    """What differs."""

    NUMBER = "number"
    UNIT = "unit"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"
    ANTONYM = "antonym"


@dataclass(frozen=True, slots=True)
class Veto:
    """claim, passage: the words on either side. reason: both, as a sentence for people."""

    kind: VetoKind
    claim: str
    passage: str

    @property
    def reason(self) -> str:
        """The veto as a sentence."""
        if self.kind is VetoKind.NEGATION:
            return (
                f"One says what the other denies: “{self.claim}” "
                f"here, “{self.passage}” in the passage."
            )
        return f"The {self.kind} differs: “{self.claim}” here, “{self.passage}” in the passage."


def vetoes(claim: str, passage: Passage) -> list[Veto]:
    """What forbids saying that the passage supports the claim, at most one veto a kind; empty where
    nothing does."""
    comparison = _Comparison(read_sentence(claim), passage)
    vetoes: dict[VetoKind, Veto] = {}
    for check in (_numbers, _names, _negations, _antonyms):
        for veto in check(comparison):
            vetoes.setdefault(veto.kind, veto)
    return list(vetoes.values())


class _Comparison:
    """A claim beside a passage: the sentences that say most of it, and what stands around them."""

    def __init__(self, claim: Sentence, passage: Passage) -> None:
        self.claim = claim
        self.sentences = _read_passage(passage.text)
        self.context = [read_sentence(line) for line in passage.surroundings.splitlines()]

    @cached_property
    def closest(self) -> list[Sentence]:
        """The sentences that say most of the claim, the closest first."""
        shared = [
            (round(weight(self.claim.terms & other.terms), 6), -i)
            for i, other in enumerate(self.sentences)
        ]
        best = sorted(range(len(shared)), key=shared.__getitem__, reverse=True)[:CLOSEST]
        return [self.sentences[i] for i in best if shared[i][0] > 0]

    @cached_property
    def words(self) -> frozenset[str]:
        """All folded words of the passage and its surroundings."""
        return frozenset(
            word.folded for other in (*self.sentences, *self.context) for word in other.words
        )

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """All numbers of the passage and its surroundings."""
        return tuple(
            quantity for other in (*self.sentences, *self.context) for quantity in other.quantities
        )

    @cached_property
    def surrounding_terms(self) -> frozenset[str]:
        return frozenset().union(*(line.terms for line in self.context))

    def says_the_same(
        self, other: Sentence, without: frozenset[str], least: float | None = None
    ) -> bool:
        """Whether a sentence in its surroundings says enough of the claim, the contested words
        apart."""
        return coverage(self.claim.terms - without, other.terms | self.surrounding_terms) >= (
            least or SAME_THING
        )


@lru_cache(maxsize=64)
def _read_passage(text: str) -> tuple[Sentence, ...]:
    return tuple(sentences_of(text))


# --- numbers, units, dates ------------------------------------------------------------------------


def _numbers(comparison: _Comparison) -> Iterator[Veto]:
    claim = comparison.claim
    contested = frozenset(
        claim.words[i].stem for quantity in claim.quantities for i in claim.span_of(quantity)
    )
    for quantity in claim.quantities:
        if _is_stated(quantity, comparison):
            continue
        for other in filter(
            partial(comparison.says_the_same, without=contested), comparison.closest
        ):
            for rival in other.quantities:
                kind = _number_kind(claim, quantity, other, rival)
                if kind and not any(_says(number, rival) for number in claim.quantities):
                    yield Veto(kind, quantity.text, rival.text)


def _is_stated(quantity: Quantity, comparison: _Comparison) -> bool:
    """Whether the passage has a number of the claim, or a bare month ("in December") that may be
    its month."""
    if any(_says(quantity, counterpart) for counterpart in comparison.quantities):
        return True
    return quantity.kind == "month" and not comparison.words.isdisjoint(words(quantity.text))


def _says(quantity: Quantity, counterpart: Quantity) -> bool:
    return quantity.covered_by(counterpart) or quantity.agrees(counterpart)


def _number_kind(
    claim: Sentence, quantity: Quantity, other: Sentence, rival: Quantity
) -> VetoKind | None:
    """The kind of veto that a number of the passage is for a number of the claim; None where it is
    another matter."""
    ours, theirs = claim.span_of(quantity), other.span_of(rival)
    if not _same_place(claim, ours, other, theirs):
        return None
    if quantity.kind != rival.kind:
        return VetoKind.UNIT if _differ_in_unit(quantity, rival) else None
    heads = claim.next_content(ours.stop), other.next_content(theirs.stop)
    if heads[0] != heads[1] and (
        quantity.kind in _BARE or (all(heads) and quantity.kind not in _DATES)
    ):
        return None  # "44 % carbon dioxide", "60 % water"
    return VetoKind.DATE if quantity.kind in _DATES else VetoKind.NUMBER


def _differ_in_unit(quantity: Quantity, rival: Quantity) -> bool:
    kinds = {quantity.kind, rival.kind}
    return kinds <= _MEASURES and kinds not in _CONFUSED and _digits(quantity) == _digits(rival)


def _digits(quantity: Quantity) -> str:
    return "".join(char for char in quantity.text if char.isdigit() or char in ".,")


def _same_place(claim: Sentence, ours: range, other: Sentence, theirs: range) -> bool:
    """Whether most of the words around one place of the claim stand around the place of the
    sentence."""
    return coverage(claim.near(ours, _AROUND), other.near(theirs, _WITHIN)) >= SAME_PLACE


# --- names ----------------------------------------------------------------------------------------


def _names(comparison: _Comparison) -> Iterator[Veto]:
    """A name in the very place of another one: the same word before it and the same after it."""
    claim = comparison.claim
    for span in claim.names:
        words = claim.words[span.start : span.stop]
        if _stands_in(words, comparison):
            continue
        contested = frozenset(word.stem for word in words)
        for other in comparison.closest:
            for place in other.names:
                rival = other.words[place.start : place.stop]
                if (
                    _between_the_same(claim, span, other, place)
                    and comparison.says_the_same(other, contested)
                    and not _any_alike(rival, [word.folded for word in claim.words])
                ):
                    yield Veto(VetoKind.NAME, _text(words), _text(rival))


def _between_the_same(claim: Sentence, span: range, other: Sentence, place: range) -> bool:
    """Whether two names stand between the same words, among words that are mostly the same."""
    return (
        claim.before(span.start) == other.before(place.start)
        and claim.after(span.stop) == other.after(place.stop)
        and _same_place(claim, span, other, place)
    )


def _stands_in(words: Sequence[Word], comparison: _Comparison) -> bool:
    """Whether any word of a name stands in the passage in some spelling, or the name in an
    abbreviation."""
    initials = "".join(word.folded[0] for word in words)
    if len(words) > 1 and initials in comparison.words:
        return True
    if _any_alike(words, comparison.words):
        return True
    short = [word.folded for word in words if word.text.isupper()]
    return any(_initials_stand(name, other) for name in short for other in comparison.sentences)


def _initials_stand(short: str, sentence: Sentence) -> bool:
    letters = "".join(word.folded[0] if word.capital else " " for word in sentence.words)
    return short in letters


def _any_alike(words: Sequence[Word], others: Iterable[str]) -> bool:
    return any(_alike(word.folded, other) for word in words for other in others)


def _alike(first: str, second: str) -> bool:
    """Two spellings or forms of one name: "Müller" and "Mueller", "France" and "French", "VA" and
    "Virginia"."""
    if first == second:
        return True
    least, most = sorted((first, second), key=len)
    if least[:4] == most[:4]:
        return True
    if len(least) < 4 < len(most):
        return least[0] == most[0] and least[-1] == most[-1]
    least_share = ALIKE if len(least) > 4 else ALIKE_SHORT
    if 2 * len(least) < least_share * (
        len(least) + len(most)
    ):  # no likeness of words of these lengths is larger
        return False
    return difflib.SequenceMatcher(None, first, second).ratio() >= least_share


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


# --- negation, opposites --------------------------------------------------------------------------


def _negations(comparison: _Comparison) -> Iterator[Veto]:
    """A word that one side denies and the other affirms, where the clauses say the same
    otherwise."""
    claim = comparison.claim
    others = [other for other in comparison.closest if not other.text.rstrip().endswith("?")]
    denied = {term for other in others for term in negated_terms(other)}
    affirmed = {term for other in others if is_plain(other) and coverage(claim.terms,
        other.terms) >= SAME_CLAUSE
                for term in other.terms}  # fmt: skip
    for other in others:
        yield from _denials(claim, claim, other, denied)
        yield from _denials(claim, other, claim, affirmed)


def _denials(
    claim: Sentence, denying: Sentence, affirming: Sentence, settled: Collection[str]
) -> Iterator[Veto]:
    """What one side denies and the other affirms, but for terms that are settled otherwise."""
    if not is_plain(affirming):
        return
    for term, clause in negated_terms(denying).items():
        if (
            term in affirming.terms
            and term not in settled
            and denies(denying, clause, affirming, claim) >= SAME_CLAUSE
        ):
            yield Veto(VetoKind.NEGATION, *_sides(claim, denying, clause, affirming, term))


def _sides(
    claim: Sentence, denying: Sentence, clause: range, affirming: Sentence, term: str
) -> tuple[str, str]:
    denial = _text(denying.words[clause.start : clause.stop])
    word = next(word.text for word in affirming.words if word.stem == term)
    return (denial, word) if denying is claim else (word, denial)


def _antonyms(comparison: _Comparison) -> Iterator[Veto]:
    """A word of opposite meaning in the same place, where neither sentence denies anything."""
    claim = comparison.claim
    if not is_plain(claim) or "than" in claim.stems:
        return  # "wider here than there" is "narrower there than here"
    for at, word in enumerate(claim.words):
        against = (
            opposites(word.stem) - claim.stems if word.content and len(word.folded) > 3 else ()
        )
        if against:
            yield from _opposed(comparison, at, against)


def _opposed(comparison: _Comparison, at: int, against: Collection[str]) -> Iterator[Veto]:
    """The words of opposite meaning in the place of one word of the claim."""
    claim, word = comparison.claim, comparison.claim.words[at]
    contested = frozenset((word.stem,))
    same = [
        other
        for other in comparison.closest
        if comparison.says_the_same(other, contested, SAME_SENTENCE)
    ]
    if any(forms(word.stem) & other.stems for other in same):
        return
    for other in filter(is_plain, same):
        for place, rival in enumerate(other.words):
            if rival.content and rival.stem in against and _beside(claim, at, other, place):
                yield Veto(VetoKind.ANTONYM, word.text, rival.text)


def _beside(claim: Sentence, at: int, other: Sentence, place: int) -> bool:
    """Whether two words have the same word before them or the same after them."""
    before, after = claim.before(at), claim.after(at + 1)
    return bool(before and before == other.before(place)) or bool(
        after and after == other.after(place + 1)
    )
