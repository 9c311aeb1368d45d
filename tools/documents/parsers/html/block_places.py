"""The elements around the blocks of a page: how they are named, and what stands in each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_NAME = re.compile(r"[a-z]+(?:[-_][a-z]+)*")
_PART = re.compile(r"[a-z]{2,}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark q s samp small "
    "span strong strike sub sup time tt u var wbr".split()
)
_AROUND = "article main aside header footer form li table figure blockquote section nav".split()
_BITS = {tag: 1 << number for number, tag in enumerate(_AROUND)}
_COMMENTS = frozenset(
    "comment comments commentary commentlist reply replies respond disqus "
    "discussion reactions responses".split()
)
_COMMENT_BIT = 1 << len(_AROUND)
_LONGEST_NAMES = 200  # characters of a class or id


@dataclass(slots=True)
class Place:
    """An element around blocks, and what stands in it."""

    parent: "Place | None"
    tag: str
    depth: int
    weight: float  # of its names
    score: float  # and of those around it
    low: float
    around: int  # bits of _BITS
    signature: int
    chars: int = 0
    linked: int = 0
    count: int = 0
    prose: int = 0
    credit: float = 0.0
    shared: int = 0  # depth of the innermost element that it shares with the largest run of text

    def block_level(self) -> "Place":
        """This element, or the innermost one around it that is not part of a line of text."""
        place = self
        while place.tag in _INLINE and place.parent is not None:
            place = place.parent
        return place

    def around_flags(self) -> list[float]:
        """Of each tag that frames text whether such an element is around."""
        return [float(bool(self.around & bit)) for bit in _BITS.values()]

    @property
    def in_comments(self) -> bool:
        """Whether an element around is named as one that holds comments."""
        return bool(self.around & _COMMENT_BIT)


def names_of(element: Any) -> list[str]:
    """Names that an element carries: its tag, and the words of its class, id, role and itemprop."""
    names = [str(element.tag)]
    attributes = element.attrib
    if attributes:
        for key in ("class", "id", "itemprop", "role"):
            value = attributes.get(key)
            if value:
                for name in _NAME.findall(_CAMEL.sub("-", value[:_LONGEST_NAMES]).lower()):
                    parts = _PART.findall(name)
                    names += parts
                    if len(parts) > 1:
                        names.append(name.replace("_", "-"))
    return list(dict.fromkeys(names))


class Places:
    """The elements around the blocks of one page, each looked at once, outer before inner ones.

    name_weights: learned weights of the names of elements.
    """

    def __init__(self, name_weights: Mapping[str, float]) -> None:
        self._name_weights = name_weights
        self._places: dict[Any, Place] = {}
        self._signatures: dict[tuple[int, str, str], int] = {}

    def around(self, element: Any) -> Place:
        """The place of an element; those around it are made first."""
        path, places = [], self._places
        while element is not None and element not in places:
            path.append(element)
            element = element.getparent()
        place = places.get(element)
        for inner in reversed(path):
            place = places[inner] = self._new_place(inner, place)
        return place if place is not None else Place(None, "", 0, 0.0, 0.0, 0.0, 0, 0)

    def _new_place(self, element: Any, parent: Place | None) -> Place:
        tag, weights = str(element.tag), self._name_weights
        names = names_of(element)
        weight = sum(weights.get(name, 0.0) for name in names)
        bits = _BITS.get(tag, 0)
        if parent is None:
            return Place(None, tag, 0, weight, weight, weight, bits, 0)
        if tag != "body" and not _COMMENTS.isdisjoint(names):
            bits |= _COMMENT_BIT
        key = (parent.signature, tag, element.get("class", "") if element.attrib else "")
        if tag in _INLINE:
            signature = parent.signature
        else:
            signature = self._signatures.setdefault(key, len(self._signatures) + 1)
        score = max(-30.0, min(30.0, parent.score + weight))
        return Place(
            parent,
            tag,
            parent.depth + 1,
            weight,
            score,
            min(parent.low, weight),
            parent.around | bits,
            signature,
        )

    def add_up(self) -> None:
        """Adds what stands in each element to the one around it: that was made before it."""
        for inner in reversed(self._places.values()):
            outer = inner.parent
            if outer is not None:
                outer.chars += inner.chars
                outer.linked += inner.linked
                outer.count += inner.count
                outer.prose += inner.prose

    def find_best(self) -> Place | None:
        """The element around the largest run of text; marks how far each element is from it."""
        best = max(self._places.values(), key=lambda place: place.credit, default=None)
        around: set[int] = set()
        outer = best
        while outer is not None:
            around.add(id(outer))
            outer = outer.parent
        for place in self._places.values():
            place.shared = (
                place.depth if id(place) in around else place.parent.shared if place.parent else 0
            )
        return best
