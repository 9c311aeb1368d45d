"""Places of a citation graph on rings: found first in the middle, each hop of citations around it."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import cos, pi, sin

WIDTH = 960
GAP = 0.7  # radians below the middle, where the words of a ring stand
APART = 60.0  # along a ring, at least
BETWEEN = 108.0  # rings
MOST = WIDTH / 2 - 70
WORDS = ("found by searching", "cited by these or citing them", "two hops away", "further away")

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Circle:
    """A ring around the middle, with what it stands for."""

    x: float
    y: float
    radius: float
    words: str


@lru_cache(maxsize=64)
def rings(hops: tuple[int, ...]) -> tuple[int, tuple[Point, ...], tuple[Circle, ...]]:
    """Height of the drawing, a place for each node in the order given, and the rings that hold one."""
    groups = {hop: [number for number, own in enumerate(hops) if own == hop] for hop in sorted(set(hops))}
    wanted = [
        max(APART * len(members) / (2 * pi - GAP), 0.0 if len(members) == 1 else 1.5 * APART)
        for members in groups.values()
    ]
    radii = list(accumulate(wanted, lambda before, own: max(own, before + BETWEEN)))
    scale = min(1.0, MOST / radii[-1]) if radii and radii[-1] else 1.0
    radii = [radius * scale for radius in radii]
    height = round(2 * (radii[-1] if radii else 0.0) + 150)
    middle = (WIDTH / 2, height / 2)
    places: dict[int, Point] = {}
    for radius, members in zip(radii, groups.values(), strict=True):
        for place, number in enumerate(members):
            angle = pi / 2 + GAP / 2 + (2 * pi - GAP) * (place + 0.5) / len(members)
            places[number] = (round(middle[0] + radius * cos(angle), 1), round(middle[1] + radius * sin(angle), 1))
    circles = tuple(
        Circle(middle[0], middle[1], round(radius, 1), WORDS[min(hop, len(WORDS) - 1)])
        for hop, radius in zip(groups, radii, strict=True)
    )
    return height, tuple(places[number] for number in range(len(hops))), circles
