"""What a sentence states, in a form that can be compared: words, numbers, polarity, direction, hedges, scope.

Only surface features, each readable; tools/trust/verify.py and contradict.py judge with them and say why.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from tools.text.tokens import STOP, stem, words
from tools.trust.quantities import Quantity, quantities
from tools.trust.rarity import rarity
from tools.trust.units import UNITS
from tools.trust.wording import HEDGE, REFUTES, asserted, negates

_UP_WORDS = """increase increased increases increasing rise rises rose risen rising grow grows grew grown growing raise
    raised raises raising higher climb climbed gain gained expand expanded improve improved improves strengthen
    strengthened accelerate accelerated boost boosted widen widened lengthen lengthened double doubled surge surged
    upward greater larger longer exceed exceeded extend extends extended prolong prolongs"""
_DOWN_WORDS = """decrease decreased decreases decreasing fall falls fell fallen falling decline declined declines drop
    dropped drops lower lowered lowers lowering reduce reduced reduces reducing reduction shrink shrank shorten
    shortened shortens shortening weaken weakened worsen worsened slow slowed narrow narrowed narrows cut cuts halve
    halved downward smaller shorter less fewer diminish diminished lessen cool cooled cools"""
_SEASONS = frozenset("summer winter spring autumn summers winters springs autumns".split())
_TIMES = frozenset(
    """morning evening night midday noon afternoon daytime nighttime weekday weekend january february march april may
    june july august september october november december""".split()
)
_PLACE = re.compile(r"\b(?i:in|at|near|across|from)\s+((?:[A-Z][\w'’-]+)(?:\s+(?:[A-Z][\w'’-]+|of))*)")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'’-]*(?:\s+(?:of|de|van|von|the)?\s?[A-Z][\w'’-]*)*")

_FIRST = re.compile(r"\W{0,4}(?P<word>[A-Z][\w-]*)(?P<more>['’]s\b|\s[A-Z][a-z])?")
_PARTS = re.compile(r"[\s-]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """words: folded, in order. terms: stems of content words without numbers. direction: 1 up, -1 down, 0 none or both.

    places: capitalised names after a preposition of place; times: seasons, months, parts of the day, years.
    """

    text: str
    terms: frozenset[str]
    ordered: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    names: frozenset[str]
    negated: bool
    refutes: bool
    hedged: bool
    direction: int
    places: frozenset[str]
    times: frozenset[str]
    words: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def up_words() -> frozenset[str]:
    """Stems that say something grows."""
    return frozenset(stem(word) for word in _UP_WORDS.split())


@lru_cache(maxsize=1)
def down_words() -> frozenset[str]:
    """Stems that say something shrinks."""
    return frozenset(stem(word) for word in _DOWN_WORDS.split())


@lru_cache(maxsize=20000)
def analyse(text: str) -> Statement:
    """The statement of one sentence."""
    found = quantities(text)
    folded = words(_without(text, found))
    content = [word for word in folded if word not in STOP and not word[0].isdigit()]
    ordered = tuple(stem(word) for word in content)
    years = {str(int(q.value)) for q in found if q.kind == "year"}
    return Statement(
        text=text,
        terms=frozenset(ordered),
        ordered=ordered,
        quantities=found,
        names=_names(_without(text, found)),
        negated=negates(text),
        refutes=bool(REFUTES.search(asserted(text))),
        hedged=bool(HEDGE.search(text)),
        direction=direction_of(ordered),
        places=_places(text),
        words=tuple(words(text)),
        times=frozenset({_season(w) for w in folded if w in _SEASONS or w in _TIMES} | years),
    )


def _without(text: str, found: tuple[Quantity, ...]) -> str:
    """The text with its measures blanked, so that a unit is neither a word nor a name ("GWh")."""
    kept = list(text)
    for quantity in found:
        if quantity.kind not in ("count", "year", "date", "month", "clock", "ordinal"):
            kept[quantity.start : quantity.end] = " " * (quantity.end - quantity.start)
    return "".join(kept)


def _season(word: str) -> str:
    return word[:-1] if word in _SEASONS and word.endswith("s") else word


def _places(text: str) -> frozenset[str]:
    found = (match.group(1).lower() for match in _PLACE.finditer(text))
    return frozenset(place for place in found if place not in _TIMES and place not in _SEASONS)


@lru_cache(maxsize=20000)
def names_of(text: str) -> frozenset[str]:
    """The names of a sentence as `Statement.names` has them, without the rest of the analysis; units are none."""
    return frozenset(name for name in _names(text) if name not in UNITS)


def direction_of(terms: Iterable[str]) -> int:
    """1 when the stems say up, -1 when they say down, 0 when neither or both."""
    found = frozenset(terms)
    return bool(up_words() & found) - bool(down_words() & found)


def _names(text: str) -> frozenset[str]:
    """Capitalised words, folded, one entry a word; of "HIV-positive" only "hiv".

    The first word of the sentence counts when another capitalised one or a genitive follows it ("Ada Miller",
    "Norland's"), or when it is no word of the vocabulary at all.
    """
    found: set[str] = set()
    for match in _NAME.finditer(text):
        parts = (part for part in _PARTS.split(match.group(0)) if part and not part.islower())
        found.update(word for part in parts for word in words(part) if word not in STOP and len(word) > 1)
    first = _FIRST.match(text)
    if first:
        heads = (word for word in words(first["word"]) if word not in STOP and len(word) > 1)
        found.update(word for word in heads if first["more"] or rarity(stem(word)) == 1.0)
    return frozenset(found)
