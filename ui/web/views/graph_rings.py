"""Places of a citation graph on rings: found first in the middle, each hop of citations around
it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
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
    """Height of the drawing, a place for each node in the order given, and the rings that hold
    one."""
    if not hops:
        return 150, (), ()
    groups = {
        hop: [number for number, other in enumerate(hops) if other == hop]
        for hop in sorted(set(hops))
    }
    words = [WORDS[min(hop, len(WORDS) - 1)] for hop in groups]
    radii = _ring_radii(words, [len(members) for members in groups.values()])
    height = round(2 * radii[-1] + 150)
    places: dict[int, Point] = {}
    circles = []
    for radius, label, members in zip(radii, words, groups.values(), strict=True):
        places |= zip(members, _on_ring(len(members), radius, label, height), strict=True)
        circles.append(Circle(WIDTH / 2, height / 2, round(radius, 1), label))
    return height, tuple(places[number] for number in range(len(hops))), tuple(circles)


def _ring_radii(words: Sequence[str], counts: Sequence[int]) -> list[float]:
    """Room for the nodes and the words of each ring, and between the rings; all together in the
    drawing."""
    radii: list[float] = []
    for label, count in zip(words, counts, strict=True):
        least = (
            max((APART * count + 2.2 * _room(label)) / (2 * pi), 1.5 * APART) if count > 1 else 0.0
        )
        radii.append(max(least, radii[-1] + BETWEEN) if radii else least)
    scale = min(1.0, MOST / radii[-1]) if radii[-1] else 1.0
    return [radius * scale for radius in radii]


def _on_ring(count: int, radius: float, label: str, height: int) -> list[Point]:
    """Places along a ring, which leave room for its words at its foot."""
    gap = asin(min(0.95, _room(label) / radius)) if radius else 0.0
    angles = [pi / 2 + gap + 2 * (pi - gap) * (place + 0.5) / count for place in range(count)]
    return [
        (round(WIDTH / 2 + radius * cos(angle), 1), round(height / 2 + radius * sin(angle), 1))
        for angle in angles
    ]


def _half(words: str) -> float:
    return LETTER * len(words) / 2


def _room(words: str) -> float:
    """From the middle of the words to the middle of the nearest node on their ring."""
    return _half(words) + LARGEST
