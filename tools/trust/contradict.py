"""When do two statements clash? Only the definite kinds: values, polarity, direction; scope decides what that means.

direct:  scope (time, place) equal or unstated, and values differ beyond the rounding of the less precise, or polarity
         or direction is opposed. scope: scope stated and different; context, no effect. nuanced: hedged on one side.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.text.tokens import STOP, stem, words
from tools.trust.quantities import Quantity
from tools.trust.statement import Statement, down_words, up_words

DIRECT, SCOPE, NUANCED = "direct", "scope", "nuanced"
_SHARED_TERMS = 3
_OVERLAP = 0.6  # of the shorter statement's terms
_ALIKE = 0.4  # of the terms of both
_OVERLAP_OPPOSED = 0.7  # polarity and direction say less than a number, so the rest must agree more
COMPARABLE = frozenset(
    """share points power energy length area mass volume temperature temperature_f time dollar cent euro pound_money
    frequency count""".split()
)
_OF = re.compile(r"^\s+of\s+((?:[\w'’-]+\s*){1,4}?)(?=[,.;:()]|\s(?:in|at|by|for|from|to|and|or|was|were|is|are)\b|$)")
_NAMES = {
    "share": "percentage",
    "points": "percentage points",
    "temperature_f": "temperature",
    "count": "number",
    "dollar": "amount of money",
    "cent": "amount of money",
    "euro": "amount of money",
    "pound_money": "amount of money",
}
# Two amounts of one sentence are told apart by these: "at least 9%" and "9%" do not clash
_BOUND = re.compile(r"(?:at least|at most|up to|more than|less than|over|under|fewer than|above|below)\s*$", re.I)


@dataclass(frozen=True, slots=True)
class Clash:
    """nature: direct, scope, nuanced. attribute: unit class, polarity or direction. explanation in words."""

    nature: str
    subject: str
    attribute: str
    explanation: str
    values: tuple[float, ...] = ()


def clash(a: Statement, b: Statement) -> Clash | None:
    """The way two statements contradict each other, or None."""
    moving = up_words() | down_words()
    shared = (a.terms & b.terms) - moving
    if len(shared) < _SHARED_TERMS or a.refutes or b.refutes:
        return None
    core_a, core_b = a.terms - moving, b.terms - moving
    overlap = len(shared) / max(1, min(len(core_a), len(core_b)))
    alike = len(shared) / max(1, len(core_a | core_b))
    found = _values(a, b) if overlap >= _OVERLAP and alike >= _ALIKE else None
    if found is None and overlap >= _OVERLAP_OPPOSED:
        found = _opposed(a, b)
    if found is None:
        return None
    attribute, explanation, values = found
    nature, why = _nature(a, b)
    subject = " ".join(word for word in words(a.text) if stem(word) in shared and word not in STOP)
    return Clash(nature, subject, _NAMES.get(attribute, attribute), explanation + why, values)


def pairs(statements: Sequence[Statement]) -> Iterator[tuple[int, int]]:
    """Pairs worth comparing, through an index of terms: i < j, at least three terms in common."""
    index: dict[str, list[int]] = defaultdict(list)
    for j, statement in enumerate(statements):
        common: dict[int, int] = defaultdict(int)
        for term in sorted(statement.terms):
            for i in index[term]:
                common[i] += 1
            index[term].append(j)
        yield from ((i, j) for i, count in sorted(common.items()) if count >= _SHARED_TERMS)


def _values(a: Statement, b: Statement) -> tuple[str, str, tuple[float, ...]] | None:
    for kind in sorted(COMPARABLE):
        ours, theirs = _measures(a, kind), _measures(b, kind)
        if len(ours) != 1 or len(theirs) != 1:
            continue  # with several numbers of one kind it is not certain which belongs to which
        mine, other = ours[0], theirs[0]
        if kind == "count" and _counted(a.text, mine) != _counted(b.text, other):
            continue
        if not (_share_of(a.text, mine) <= b.terms and _share_of(b.text, other) <= a.terms):
            continue
        if not mine.agrees(other) and not (_bounded(a.text, mine) or _bounded(b.text, other)):
            return kind, f"{mine.text} against {other.text}", tuple(sorted((mine.value, other.value)))
    return None


def _measures(statement: Statement, kind: str) -> list[Quantity]:
    return [quantity for quantity in statement.quantities if quantity.kind == kind]


def _counted(text: str, quantity: Quantity) -> str:
    following = words(text[quantity.end : quantity.end + 40])
    return stem(following[0]) if following else ""


def _share_of(text: str, quantity: Quantity) -> frozenset[str]:
    """What a number is a part of ("12% of evening demand" -> demand): its measure must be the other's too."""
    match = _OF.match(text[quantity.end : quantity.end + 80])
    content = [word for word in words(match.group(1)) if word not in STOP] if match else []
    return frozenset((stem(content[-1]),)) if content else frozenset()


def _bounded(text: str, quantity: Quantity) -> bool:
    return bool(_BOUND.search(text[max(0, quantity.start - 14) : quantity.start]))


def _opposed(a: Statement, b: Statement) -> tuple[str, str, tuple[float, ...]] | None:
    if a.negated != b.negated and a.direction * b.direction >= 0:
        return "polarity", "one affirms what the other denies", ()
    if a.direction * b.direction < 0 and not (a.negated or b.negated):
        return "direction", "one says it goes up, the other that it goes down", ()
    return None


def _nature(a: Statement, b: Statement) -> tuple[str, str]:
    for name, ours, theirs in (("time", a.times, b.times), ("place", a.places, b.places)):
        if ours and theirs and not ours & theirs:
            return SCOPE, f"; {name} differs: {', '.join(sorted(ours))} and {', '.join(sorted(theirs))}"
    years = [{t for t in statement.times if t.isdigit()} for statement in (a, b)]
    if years[0] and years[1] and not years[0] & years[1]:
        return SCOPE, f"; years differ: {', '.join(sorted(years[0]))} and {', '.join(sorted(years[1]))}"
    seasons = [{t for t in s.times if t in ("summer", "winter", "spring", "autumn")} for s in (a, b)]
    if seasons[0] != seasons[1] and (seasons[0] and seasons[1]):
        return SCOPE, "; the seasons differ"
    if a.hedged != b.hedged:
        return NUANCED, "; one side is hedged or conditional"
    return DIRECT, ""
