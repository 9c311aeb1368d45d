"""What happens once, and when: "the tunnel opened on 3 April 1967". Two dates of it contradict each other.

Most dates only say for when a sentence holds, and most of what happens may happen again; so the list is of what happens
once, or is called the first. Precision comes before finding all: what is said before the date must be the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.text.tokens import STOP, stem, words
from tools.trust.dates import MONTH, dates
from tools.trust.statement import Statement

_ALONE = ("opened", "sank")  # nothing is opened or sunk by what opens or sinks, of which there may be many
_DONE = "founded established opened inaugurated completed built launched invented discovered demolished sunk".split()
_SAME = {"established": "founded", "inaugurated": "opened", "sunk": "sank"}
_HAPPENED = re.compile(
    rf"\b(?P<life>born|died)\b|\b(?P<alone>{'|'.join(_ALONE)})(?=\s(?:in|on|to|at|\d)|,|\W{{0,3}}$)"
    rf"|(?:\b(?:was|were|been)\s(?:\w{{2,20}}ly\s)?|,\s)(?P<done>{'|'.join(_DONE)})\b"
    r"|\b(?:(?:his|her|its|their|(?:was|were)\sthe)\s(?P<first>first)|(?:was|were)\s(?P<once>first)(?=\s\w{2,20}ed\b))"
    r"(?!\s(?:quarter|half)\b)",
    re.I,
)
_STEMS = frozenset(map(stem, (*_ALONE, *_DONE, "born", "died")))
_AGAIN = frozenset(map(stem, "season festival fair session term exhibition conference tournament".split()))
# What stands before a date that is meant exactly, for its precision; "about", "before" and "since" are none of these
_ON = frozenset("in on of early late mid".split())
_BROKEN = re.compile(r"[;:()]|,\s(?!in\b|on\b|[A-Z\d])")
_FAR = 8  # words between what happened and its date

When = tuple[int, int, int]  # year, month, day; 0 where not given


@dataclass(frozen=True, slots=True)
class _Event:
    """head: stems of what is said before the date. readings: of the date, the likelier first."""

    verb: str
    head: frozenset[str]
    readings: tuple[When, ...]
    text: str

    def number(self) -> float:
        year, month, day = self.readings[0]
        return float(year * 10_000 + month * 100 + day)


def dated_apart(a: Statement, b: Statement) -> tuple[str, tuple[float, ...]] | None:
    """The two dates, in words and as YYYYMMDD, where both tell of one thing that happens once; else None."""
    if a.negated != b.negated:
        return None
    theirs = list(_events(b))
    for mine in _events(a) if theirs else ():
        for other in theirs:
            # The title of a text may have named whom its sentence means
            alike = mine.head - other.head <= _named(b) and other.head - mine.head <= _named(a)
            if mine.verb == other.verb and alike and not _meet(mine, other):
                return f"{mine.text} against {other.text}", tuple(sorted((mine.number(), other.number())))
    return None


def _events(statement: Statement) -> Iterator[_Event]:
    """What happened once by this sentence, each with the one date that belongs to it; to whom, must be named."""
    text = statement.text
    happened = list(_HAPPENED.finditer(text)) if statement.names - MONTH.keys() else []
    found = _dates(statement) if happened else []
    aside = [word for place in statement.places for word in words(place)]  # where and when, which may stand anywhere
    others = _STEMS | {stem(word) for word in (*aside, *statement.times)}
    for i, match in enumerate(happened):
        until = happened[i + 1].start() if i + 1 < len(happened) else len(text)
        verb = match[match.lastgroup or 0].lower()
        after = [one for one in found if match.end() < one[0] < until]
        if after and _belongs(text[match.end() : after[0][0]], text[after[0][0]]):
            start, end, readings = after[0]
            said = text[:start]
        elif not after and len(found) == 1 and found[0][1] < match.start() and _opens(text[: found[0][0]]):
            start, end, readings = found[0]
            said = text[end : match.end()]
        else:
            continue
        head = frozenset(stem(word) for word in words(said) if word not in STOP and not word[0].isdigit())
        if head & _AGAIN:
            continue
        yield _Event(_SAME.get(verb, verb), head - others, readings, text[start:end])


def _dates(statement: Statement) -> list[tuple[int, int, tuple[When, ...]]]:
    """Start, end and readings of the dates of a sentence, a year alone among them, in order."""
    found: list[tuple[int, int, tuple[When, ...]]] = []
    for one in dates(statement.text):
        swapped = [(one.year or 0, *one.swapped)] if one.swapped else []
        found.append((one.start, one.end, ((one.year or 0, one.month, one.day), *swapped)))
    whole = [(start, end) for start, end, _ in found]
    for year in statement.quantities:
        if year.kind == "year" and not any(start <= year.start < end for start, end in whole):
            found.append((year.start, year.end, ((int(year.value), 0, 0),)))
    return sorted(found)


def _belongs(between: str, first: str) -> bool:
    """Whether a date belongs to what happened before it, and is given exactly."""
    said = words(between)
    exact = not said or said[-1] in _ON or said[-1].endswith("day") or between.endswith(", ")
    return exact and len(said) <= _FAR and not _BROKEN.search(between + first)


def _opens(before: str) -> bool:
    return all(word in _ON or word.endswith("day") for word in words(before))


def _named(statement: Statement) -> set[str]:
    return {stem(name) for name in statement.names}


def _meet(a: _Event, b: _Event) -> bool:
    """Whether two dates are one in some reading, at the precision of the coarser."""
    return any(
        all(ours == theirs for ours, theirs in zip(mine, other, strict=True) if ours and theirs)
        for mine in a.readings
        for other in b.readings
    )
