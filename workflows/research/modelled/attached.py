"""Whether the parts of a written sentence belong together as they do in its passage.

A sentence may leave out what the passage says; it may not join what stands apart there. Its words keep their order
(time and place may move), a number stays beside what it counts, in the same bounds, and what is taken from the end of
a clause comes with the beginning of that clause. Rules over words alone: they refuse some honest sentences, too, and
those then stay quotations.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from tools.text.tokens import STOP, fold, stem
from tools.trust.dates import MONTH
from tools.trust.quantities import Quantity, quantities
from workflows.research.modelled.beyond import FRAME

_TOKEN = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*|[^\W\d_]+(?=['’]s\b)|[^\W\d_]+|[.,;:()–—]")
_BREAKS = frozenset(
    """, ; : ( ) – — and but while whereas although though against which who whose than when where whereas because
    however or nor""".split()
)
_BOUND = re.compile(
    r"\b(?:up to|at least|at most|more than|less than|fewer than|over|under|above|below|about|around|approximately"
    r"|roughly|nearly|almost|some|about half of|half of|a third of|a quarter of|not|no|only)\s+[$€£]?$",
    re.I,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|except|provided|as long as|assuming|in case|only when|only where|depending)\b", re.I
)
_PLACED = frozenset("in at near across".split())
_DATED = ("year", "date", "month")


@dataclass(frozen=True, slots=True)
class _Token:
    """A content word or number: stem, clause it stands in, whether it is a name, whether it says when."""

    stem: str
    clause: int
    name: bool
    time: bool
    place: bool


def joins_apart(text: str, passage: str) -> str:
    """How a sentence joins what its passage does not, in words; "" when it does not."""
    mine, theirs = _tokens(text), _tokens(passage)
    numbers = {one.stem for one in theirs}
    strange = [one.stem for one in mine if one.stem[0].isdigit() and one.stem not in numbers]
    if strange:
        return f"number: {strange[0]} is not in the passage"
    ways = [found for found in (_places(mine, theirs), _places(mine, theirs, last=True)) if found is not None]
    if not ways:
        return "its words stand in another order than in the passage, which may turn who does what"
    taken = [_hijacked(found, theirs) for found in ways]
    if all(taken):
        return f"“{taken[0]}” belongs to another statement of the passage"
    if _CONDITION.search(passage) and not _CONDITION.search(text):
        return "it leaves out a condition of the passage"
    lost = [_unscoped(found, theirs) for found in ways]
    return f"it leaves out “{lost[0]}”, without which it says more" if all(lost) else _misplaced(text, passage)


def _tokens(text: str) -> list[_Token]:
    """Content words and numbers in order."""
    found: list[_Token] = []
    clause, before = 0, ""
    for place, match in enumerate(_TOKEN.finditer(text)):
        word = match.group()
        plain = fold(word)
        if plain in _BREAKS or plain == ".":
            clause += 1
        elif word[0].isdigit():
            year = len(word) == 4 and word[:2] in ("17", "18", "19", "20", "21")
            found.append(_Token(re.sub(r"[,\u00a0\u202f](?=\d{3})", "", word), clause, False, year, False))
        elif plain not in STOP and stem(plain) not in FRAME:
            name = word[0].isupper() and place > 0
            found.append(_Token(stem(plain), clause, name, plain in MONTH and name, name and before in _PLACED))
        before = plain if plain not in ("the", "a", "an") else before
    return found


def _places(mine: Sequence[_Token], theirs: Sequence[_Token], last: bool = False) -> set[int] | None:
    """Where in the passage the sentence's words stand, in its order: the first places that fit, or the last; None where
    none fit. When, and where by name, may stand anywhere; a word the passage lacks (a synonym) stands nowhere.
    """
    found: set[int] = set()
    order = range(len(theirs))
    left = iter(reversed(order) if last else order)
    for one in reversed(mine) if last else mine:
        places = [i for i in order if theirs[i].stem == one.stem]
        if one.time or one.place:
            found.update(places[-1:] if last else places[:1])
        elif places:
            at = next((i for i in left if theirs[i].stem == one.stem), None)
            if at is None:
                return None
            found.add(at)
    return found


def _hijacked(taken: Set[int], theirs: Sequence[_Token]) -> str:
    """A word taken from a clause without that clause's beginning; names alone may be carried over."""
    for number in sorted({theirs[i].clause for i in taken}):
        clause = [i for i, one in enumerate(theirs) if one.clause == number and not one.name]
        first = next((i for i in clause if not theirs[i].time), None)
        own = [i for i in clause if i in taken]
        if own and first is not None and first not in taken:
            return theirs[own[0]].stem
    return ""


def _unscoped(taken: Set[int], theirs: Sequence[_Token]) -> str:
    """A number, time or place of a clause that is told without it. Who acts may be carried over from another clause."""
    clauses = sorted({theirs[i].clause for i in taken if not theirs[i].name})
    for number in clauses:
        clause = [i for i, one in enumerate(theirs) if one.clause == number]
        own = [i for i in clause if i in taken]
        if len(clauses) > 1 and own == clause[: len(own)]:
            continue
        said = {theirs[i].stem for i in taken}
        scope = [theirs[i] for i in clause if theirs[i].time or theirs[i].place or theirs[i].stem[0].isdigit()]
        if lost := next((one for one in scope if one.stem not in said), None):
            return lost.stem
    return ""


def _misplaced(text: str, passage: str) -> str:
    """A number in other bounds, before another noun, or with the year of another number."""
    ours, theirs = quantities(text), quantities(passage)
    for one in ours:
        rivals = [other for other in theirs if other.kind == one.kind and other.value == one.value]
        if rivals and one.kind not in _DATED and not any(_alike(text, one, passage, other) for other in rivals):
            return f"“{one.text.strip()}” stands with other words in the passage"
    return _unpaired(ours, theirs)


def _alike(text: str, one: Quantity, passage: str, other: Quantity) -> bool:
    """Whether two equal numbers stand in the same bounds and, where they count something, before the same noun."""
    return _bound(text, one) == _bound(passage, other) and (
        one.kind != "count" or _counted(text, one) == _counted(passage, other)
    )


def _bound(text: str, one: Quantity) -> str:
    found = _BOUND.search(text[: one.start])
    return found.group().strip(" $€£").lower() if found else ""


def _counted(text: str, one: Quantity) -> str:
    """The stem after a number; empty at the end of a clause."""
    after = _TOKEN.search(text, one.start + len(one.text.rstrip()))
    return stem(fold(after.group())) if after and after.group()[0].isalpha() else ""


def _unpaired(ours: Sequence[Quantity], theirs: Sequence[Quantity]) -> str:
    """Where the passage gives several values, each with its year, the value that stands with another's year."""
    years = [one for one in theirs if one.kind == "year"]
    for kind in sorted({one.kind for one in ours if one.kind not in _DATED}):
        values = [one for one in theirs if one.kind == kind]
        if len(years) < 2 or len(values) < 2 or len(years) > len(values):
            continue
        partner = {value.value: year.value for value, year in zip(values, years, strict=False)}
        mine = [one for one in ours if one.kind == kind and one.value in partner]
        when = [one.value for one in ours if one.kind == "year"]
        wrong = next((one for one in mine if when and partner[one.value] not in when), None)
        if wrong is not None:
            return f"“{wrong.text.strip()}” belongs to another year in the passage"
    return ""
