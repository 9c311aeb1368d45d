"""What of a claim has no counterpart in the passage that should support it: numbers, dates, units, names, polarity.

Each difference says what stands on either side, in words for people; any one of them forbids support, whatever the
score. Numbers must stand in the span itself, and beside the name they belong to; a name may also stand elsewhere in the
passage or in its context (a title) as long as the span speaks of nobody else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tools.text.synonyms import alike
from tools.text.tokens import STOP, fold, stem, words
from tools.trust.comparison import Comparison, Line, numbers
from tools.trust.dates import MONTH
from tools.trust.ends import swapped
from tools.trust.polarity import Mark, denials, denied, left_out, marks, undoes
from tools.trust.quantities import Quantity
from tools.trust.rarity import rarity
from tools.trust.statement import names_of
from tools.trust.wording import ELSEWHERE, HEARD, HELD_UP, OPEN, REFUTES, TAKES_BACK

NUMBER, UNIT, DATE, NAME = "number", "unit", "date", "name"
POLARITY, DIRECTION, SCOPE, HEDGE = "polarity", "direction", "scope", "hedge"
DENIAL, ROLE = "denial", "role"
# Words that deny without a negation
_DENYING = frozenset(
    stem(word)
    for word in """absent absence devoid refuse refusal reject exclude avoid prohibit prohibition forbid forbidden ban
    oppose against""".split()
)
_ROOT = 4  # letters that two forms of one word have in common ("injured", "injuries")
_DENIED_ALONE = 0.35  # share of a claim that may be said in a denial alone
_OPPOSED = 0.3  # how near an opposing polar word must stand to the claim's words
_CLEARLY = 0.05  # and how much nearer than an agreeing one
_DATED = ("year", "date", "month")
_CLASSES = {"power": "energy", "energy": "power"}
_LONG_NAME = re.compile(r"\b[A-Z]\w+(?:[\s-](?:(?:of|and|for|the)\s)?[A-Z]\w+)+")
_EXPLAINED = re.compile(r"(?P<long>(?:[\w'’]{1,30}+[ -]){2,10})\((?P<short>[A-Z]{2,6})\)")
_LISTED = re.compile(r"[A-Z][\w’'-]+(?:,| and| or| &) [A-Z]")  # a sentence that opens with several names
_JOINED = re.compile(r"(?:[,;]|\b(?:and|but|while|whereas)) (?:and )?$")
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
# What character recognition takes for a letter, and Greek letters that are typed as Latin ones ("NF-kB")
_CONFUSED = str.maketrans("015|αβγδεκλ", "olslabgdekl")


@dataclass(frozen=True, slots=True)
class Difference:
    """kind: number, unit, date, name, polarity, denial, role, direction, scope, hedge.

    claim, passage: what stands on either side.
    """

    kind: str
    claim: str
    passage: str
    text: str


def differences(comparison: Comparison, context: str = "") -> tuple[Difference, ...]:
    """All differences between the claim and the span of the passage that says most of it."""
    span = comparison.span_lines
    if not span:
        return ()
    return (
        *_numbers(comparison, span),
        *_names(comparison, span, context),
        *_polarity(comparison, span),
        *_roles(comparison, span),
        *_direction(comparison),
        *_open(comparison, span),
    )


# --- numbers ---------------------------------------------------------------------------------------------------------


def _numbers(comparison: Comparison, span: Sequence[Line]) -> Iterator[Difference]:
    for wanted in comparison.claim.quantities:
        holders = [line for line in span if any(wanted.covered_by(one) for one in numbers(line))]
        if not holders:
            yield _absent(wanted, [one for line in span for one in numbers(line)])
        elif other := _belongs_elsewhere(wanted, holders, span, comparison):
            yield Difference(
                NUMBER, wanted.text, other, f"number: {wanted.text} here; the passage gives {other} for this"
            )


def _absent(wanted: Quantity, found: Sequence[Quantity]) -> Difference:
    kind = DATE if wanted.kind in _DATED else NUMBER
    near = [one for one in found if one.kind == wanted.kind or {wanted.kind, one.kind} == {"date", "month"}]
    if not near and kind == NUMBER:
        digits = re.match(r"[\d.,]+", wanted.text)
        near = [one for one in found if digits and one.text.startswith(digits[0]) and one.kind != wanted.kind]
        kind = UNIT if near else NUMBER
    if not near:
        return Difference(kind, wanted.text, "", f"{kind}: {wanted.text} is not in the passage")
    theirs = ", ".join(dict.fromkeys(one.text for one in near))
    return Difference(kind, wanted.text, theirs, f"{kind}: {wanted.text} here, {theirs} in the passage")


def _belongs_elsewhere(
    wanted: Quantity, holders: Sequence[Line], span: Sequence[Line], comparison: Comparison
) -> str | None:
    """The value that the passage gives for what the claim speaks of, where the claim's value is another thing's."""
    if wanted.kind in _DATED:
        return None
    said = {id(line): sum(rarity(term) for term in comparison.claim.terms.intersection(line.terms)) for line in span}
    least = 0.1 * sum(map(rarity, comparison.claim.terms))
    rivals = [line for line in span if line not in holders and _of_kind(line, wanted.kind)]
    best = max(rivals, key=lambda line: said[id(line)], default=None)
    if best is not None and said[id(best)] > max(said[id(line)] for line in holders) + least:
        return ", ".join(one.text for one in _of_kind(best, wanted.kind))
    if sum(one.kind == wanted.kind for one in comparison.claim.quantities) > 1:
        return None
    bound = [_bound_to(comparison.claim.names, line, wanted) for line in holders]
    return next((one.text for one in bound if one and not wanted.covered_by(one)), None) if all(bound) else None


def _of_kind(line: Line, kind: str) -> list[Quantity]:
    return [one for one in numbers(line) if one.kind == kind]


def _bound_to(names: frozenset[str], line: Line, wanted: Quantity) -> Quantity | None:
    """Of several numbers of one kind, the one that stands with the claim's name, where several names share them."""
    values = _of_kind(line, wanted.kind)
    places = [(m.start(), m.end(), fold(m.group())) for m in re.finditer(r"\b[A-Z][\w’'-]+", line.text)]
    if not _LISTED.match(line.text):  # a capital that only begins the sentence makes no name
        places = [place for place in places if place[0] > 0 or place[2] in names]
    known = [place for place in places if place[2] in names]
    others = [place for place in places if place[2] not in names and place[2] not in STOP]
    if len(values) < 2 or len({fold(p[2]) for p in known}) != 1 or not (others or _takes_over(line, known, values)):
        return None
    if "respectively" in line.text:
        return values[places.index(known[0])] if len(places) == len(values) else None
    return min(values, key=lambda one: min(_gap(one, place) for place in known))


def _takes_over(line: Line, known: Sequence[tuple[int, int, str]], values: Sequence[Quantity]) -> bool:
    """Whether the name stands without its verb before a number: "Norland supplied 9% of the demand and Sudland 12%"."""
    return any(
        _JOINED.search(line.text[:start]) and any(0 < one.start - end <= 2 for one in values) for start, end, _ in known
    )


def _gap(one: Quantity, place: tuple[int, int, str]) -> int:
    return max(one.start - place[1], place[0] - one.end, 0)


# --- names -----------------------------------------------------------------------------------------------------------


def _names(comparison: Comparison, span: Sequence[Line], context: str) -> Iterator[Difference]:
    here = {word for line in span for word in line.words}
    text = " ".join(line.text for line in span)
    claimed = sorted(name for name in comparison.claim.names if name not in MONTH and name not in _DAYS)
    shortened = _written_short(comparison.claim.text, here)
    missing = [name for name in claimed if name not in shortened and not _named(name, here, text)]
    if not missing:
        return
    around = set(words(context)) if context else set()
    if not _others(span, comparison):
        around |= {word for line in comparison.lines for word in line.words}
    lost = [name for name in missing if not _named(name, around, context)]
    if lost:
        theirs = ", ".join(_others(span, comparison)[:3])
        yield Difference(NAME, ", ".join(lost), theirs, f"name: {', '.join(lost)} is not in the passage")


def _named(name: str, found: set[str], text: str) -> bool:
    """Whether a name is there: as a word, in another form, as the letters of an acronym, misread by a machine."""
    if name in found or stem(name) in {stem(word) for word in found if word[:2] == name[:2]}:
        return True
    if name in _short_forms(text):
        return True
    if name.isdigit() and any(word.endswith(name) and word[: -len(name)].isalpha() for word in found):
        return True  # "A-769662", "A769662"
    plain = _unconfused(name)
    return any(abs(len(word) - len(name)) <= 2 and _unconfused(word) == plain for word in found)


def _written_short(claim: str, here: set[str]) -> set[str]:
    """Words of the claim's long names that the passage has as an acronym ("World Health Organization", "WHO").

    And the acronyms that the claim sets behind what they stand for ("diastolic blood pressure (DBP)"), where that is
    in the passage.
    """
    found = {word for short, parts in _long_names(claim) if short in here for part in parts for word in words(part)}
    for match in _EXPLAINED.finditer(claim):
        short, said = fold(match["short"]), words(match["long"])[-2 * len(match["short"]) :]
        starts = [at for at in range(len(said)) if _spells(short, said[at:])]
        if starts and here.issuperset(word for word in said[starts[-1] :] if word not in STOP):
            found.add(short)
    return found


def _spells(short: str, said: Sequence[str]) -> bool:
    """Whether an acronym takes its letters from the beginnings of these words, the first of them first, in order."""
    letters = iter(word[0] for word in said)
    return bool(said) and said[0][0] == short[0] and all(letter in letters for letter in short)


@lru_cache(maxsize=4096)
def _short_forms(text: str) -> frozenset[str]:
    """The acronyms of the long names in a text, folded."""
    return frozenset(short for short, _ in _long_names(text))


def _long_names(text: str) -> Iterator[tuple[str, list[str]]]:
    """(acronym, words) of each run of capitalised words."""
    for match in _LONG_NAME.finditer(text):
        parts = [part for part in re.split(r"[\s-]+", match.group()) if part[0].isupper() and fold(part) not in STOP]
        yield fold("".join(part[0] for part in parts)), parts


def _unconfused(word: str) -> str:
    return word.translate(_CONFUSED).replace("rn", "m").replace("vv", "w")


def _others(span: Sequence[Line], comparison: Comparison) -> list[str]:
    """Names in the span that the claim does not have."""
    claimed = set(comparison.words)
    found = sorted({name for line in span for name in names_of(line.text[:4000]) | _heads(line)})
    return [name for name in found if name not in claimed]


def _heads(line: Line) -> set[str]:
    """Words in capitals at the head of a table's row: whom the row is about."""
    first = re.match(r"[\s|]*([A-Z][\w'’-]*)", line.text) if line.row else None
    return set(words(first[1])) - STOP if first else set()


# --- which way -------------------------------------------------------------------------------------------------------


def _polarity(comparison: Comparison, span: Sequence[Line]) -> Iterator[Difference]:
    text = " ".join(line.text for line in span)
    best = max(span, key=lambda line: comparison.coverage(line.terms))
    held_up = _held_up(comparison, best)
    refutes = bool((held_up and not held_up["open"]) or REFUTES.search(best.text))
    after = comparison.lines[comparison.span[1] : comparison.span[1] + 1]
    taken_back = any(TAKES_BACK.search(line.text) for line in (*span[1:], *after))
    turned = sorted(_turned(comparison, best))
    if turned and refutes != comparison.claim.refutes and not taken_back:
        yield Difference(HEDGE, "", "", "hedge: the two deny it in different words")
        return
    if refutes != comparison.claim.refutes or (taken_back and not comparison.claim.refutes):
        yield Difference(POLARITY, "", "", "polarity: the passage says that this is not so")
        return
    if turned:
        yield Difference(POLARITY, "", ", ".join(turned), f"polarity: one of the two denies it ({', '.join(turned)})")
    elif bool(ELSEWHERE.search(comparison.claim.text)) != bool(ELSEWHERE.search(text)):
        yield Difference(POLARITY, "", "", "polarity: one of the two denies it")
    elif lacking := ", ".join(sorted(_without(comparison, best))):
        yield Difference(DENIAL, "", lacking, f"denial: one of the two is without it ({lacking})")
    elif word := _unanswered(comparison, span):
        yield Difference(DENIAL, word, "", f"denial: the passage does not deny it ({word})")
    elif _denied_alone(comparison, span):
        yield Difference(DENIAL, "", "", "denial: the passage speaks of this only to deny it")


def _held_up(comparison: Comparison, line: Line) -> re.Match[str] | None:
    """The label before a sentence that only holds it up."""
    return HELD_UP.search(comparison.passage, max(0, line.start - 40), line.start)


def _turned(comparison: Comparison, line: Line) -> frozenset[str]:
    """Words of both that a negation turns on one side only."""
    shared = comparison.wanted.intersection(line.terms)
    return (denied(comparison.words) ^ denied(line.words)) & shared


def _without(comparison: Comparison, line: Line) -> frozenset[str]:
    """Words of both that something is without on one side only."""
    ours, theirs = left_out(comparison.words), left_out(line.words)
    return ((ours - theirs - denied(line.words)) | (theirs - ours - denied(comparison.words))).intersection(
        comparison.wanted, line.terms
    )


def _unanswered(comparison: Comparison, span: Sequence[Line]) -> str:
    """What the claim denies and the passage does not: neither by a negation of the same thing nor by its opposite."""
    for scope in denials(comparison.words):
        if not any(_answers(scope, comparison, line) for line in span):
            return next(word for word in comparison.words if stem(word) == scope[0])
    return ""


def _answers(scope: tuple[str, ...], comparison: Comparison, line: Line) -> bool:
    """Whether a sentence speaks of what a negation of the claim turns, or denies the rest of what it denies."""
    head, rest = scope[0], {*scope, *(other for one in scope for other in alike(one))}
    if (
        head in line.terms
        or any(undoes(term, head) for term in line.terms)
        or any(stem(word) in _DENYING for word in line.words)
    ):
        return True
    theirs = denied(line.words).union(*denials(line.words))
    if not rest.isdisjoint(theirs) or any(len(head) > _ROOT and term[:_ROOT] == head[:_ROOT] for term in theirs):
        return True
    said = {_way(mark) for mark in marks(line.words)}
    return any(_way(mark) in said for mark in marks(comparison.words) if mark.negated) or ("link", -1) in said


def _way(mark: Mark) -> tuple[str, int]:
    return mark.axis, -mark.sign if mark.negated else mark.sign


def _denied_alone(comparison: Comparison, span: Sequence[Line]) -> bool:
    """Whether much of a claim that denies nothing stands in the passage within a denial and nowhere else."""
    if denials(comparison.words) or comparison.claim.refutes:
        return False
    inside, outside = set[str](), set[str]()
    for line in span:
        here = {term for scope in denials(line.words, of_verbs=True) for term in scope}
        inside |= here
        outside |= set(line.terms) - here
    return comparison.coverage(inside - outside) >= _DENIED_ALONE


def _roles(comparison: Comparison, span: Sequence[Line]) -> Iterator[Difference]:
    found = swapped(comparison.claim.text, tuple(line.text for line in span))
    if found:
        ours, theirs = found
        yield Difference(ROLE, ours, theirs, f"role: {ours} here, {theirs} in the passage")


def _direction(comparison: Comparison) -> Iterator[Difference]:
    lean = comparison.leaning(range(*comparison.span))
    if lean.against and lean.opposes >= _OPPOSED and lean.opposes > lean.says_so + _CLEARLY:
        ours, theirs = lean.against
        mine, other = (f"not {mark.word}" if mark.negated else mark.word for mark in (ours, theirs))
        kind = SCOPE if ours.scope else DIRECTION
        yield Difference(kind, mine, other, f"{kind}: {mine} here, {other} in the passage")


def _open(comparison: Comparison, span: Sequence[Line]) -> Iterator[Difference]:
    best = max(span, key=lambda line: comparison.coverage(line.terms))
    heard = HEARD.search(best.text)
    if bool(heard) != bool(HEARD.search(comparison.claim.text)):
        told = "the passage only tells that somebody says so" if heard else "the passage tells nobody who says so"
        yield Difference(HEDGE, "", heard[0] if heard else "", f"hedge: {told}")
    if OPEN.search(comparison.claim.text):
        return
    held_up = _held_up(comparison, best)
    found = held_up if held_up and held_up["open"] else OPEN.search(best.text)
    if found:
        word = " ".join(found.group().split())
        yield Difference(HEDGE, "", word, f"hedge: the passage leaves it open ({word!r})")
