"""Places of a citation graph on rings: found first in the middle, each hop of citations around it."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import asin, cos, pi, sin

WIDTH = 960
APART = 60.0  # along a ring, at least
BETWEEN = 108.0  # rings
MOST = WIDTH / 2 - 70
LARGEST = 26.0  # radius of a node, at most
LETTER = 6.6  # mean width of a letter of the words in px
WORDS = ("found by searching", "cited by these or citing them", "two hops away", "further away")

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Circle:
    """A ring around the middle, with what it stands for."""

    x: float
    y: float
    radius: float
    words: str

    @property
    def foot(self) -> float:
        """Where its words stand: within it at its foot, or below the one node that has no ring."""
        return round(self.y + (self.radius - 10 if self.radius else LARGEST + 16), 1)

    @property
    def box(self) -> Box:
        """What its words take up."""
        half = _half(self.words)
        return self.x - half, self.foot - 12, self.x + half, self.foot + 4


@lru_cache(maxsize=64)
def rings(hops: tuple[int, ...]) -> tuple[int, tuple[Point, ...], tuple[Circle, ...]]:
    """Height of the drawing, a place for each node in the order given, and the rings that hold one."""
    groups = {hop: [number for number, own in enumerate(hops) if own == hop] for hop in sorted(set(hops))}
    words = [WORDS[min(hop, len(WORDS) - 1)] for hop in groups]
    radii_wanted = [
        max((APART * len(members) + 2.2 * _room(said)) / (2 * pi), 1.5 * APART) if len(members) > 1 else 0.0
        for said, members in zip(words, groups.values(), strict=True)
    ]
    radii = list(accumulate(radii_wanted, lambda before, least: max(least, before + BETWEEN)))
    scale = min(1.0, MOST / radii[-1]) if radii and radii[-1] else 1.0
    radii = [radius * scale for radius in radii]
    height = round(2 * (radii[-1] if radii else 0.0) + 150)
    middle = (WIDTH / 2, height / 2)
    places: dict[int, Point] = {}
    for radius, label, members in zip(radii, words, groups.values(), strict=True):
        gap = asin(min(0.95, _room(label) / radius)) if radius else 0.0  # half of it, below the middle: for the words
        for place, number in enumerate(members):
            angle = pi / 2 + gap + 2 * (pi - gap) * (place + 0.5) / len(members)
            places[number] = (round(middle[0] + radius * cos(angle), 1), round(middle[1] + radius * sin(angle), 1))
    circles = tuple(
        Circle(middle[0], middle[1], round(radius, 1), said) for said, radius in zip(words, radii, strict=True)
    )
    return height, tuple(places[number] for number in range(len(hops))), circles


def _half(words: str) -> float:
    return LETTER * len(words) / 2


def _room(words: str) -> float:
    """From the middle of the words to the middle of the nearest node on their ring."""
    return _half(words) + LARGEST
