"""Places for the nodes of a citation graph: by forces between them, or on rings around the middle.

The layout by forces is that of Fruchterman and Reingold (Graph Drawing by Force-directed Placement,
1991): linked nodes attract, all nodes repel, and the steps become smaller. It starts from a spiral
in the order of authority instead of from random places, so the same graph always looks the same. On
rings, what was found first is in the middle, and each hop of citations around it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import asin, cos, hypot, pi, sin, sqrt

WIDTH = 960
EDGE = 34
STEPS = 60
GOLDEN_ANGLE = 2.399963  # radians, pi * (3 - sqrt(5))
APART = 60.0  # along a ring, at least
BETWEEN = 108.0  # rings
MOST = WIDTH / 2 - 70
LARGEST = 26.0  # radius of a node, at most
LETTER = 6.6  # mean width of a letter of the words in px
WORDS = ("found by searching", "cited by these or citing them", "two hops away", "further away")

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@lru_cache(maxsize=64)
def layout(count: int, pairs: tuple[tuple[int, int], ...], height: int) -> tuple[Point, ...]:
    """Places inside WIDTH x height, with room at the edges for labels."""
    if count == 0:
        return ()
    wide, high = WIDTH - 4 * EDGE, height - 2.6 * EDGE
    ideal = 0.75 * sqrt(wide * high / count)
    at = [_spiral(number, count, wide, high) for number in range(count)]
    for step in range(STEPS):
        limit = wide / 8 * (1 - step / STEPS) + 1
        moves = _moves(at, pairs, ideal)
        at = [
            (x + _cap(dx, dy, limit) * dx, y + _cap(dx, dy, limit) * dy)
            for (x, y), (dx, dy) in zip(at, moves, strict=True)
        ]
    return _spread(at, wide, high, height)


def _spread(at: Sequence[Point], wide: float, high: float, height: int) -> tuple[Point, ...]:
    """The places moved and scaled to fill the drawing; stretched not more than threefold."""
    left, right = min(x for x, _ in at), max(x for x, _ in at)
    top, bottom = min(y for _, y in at), max(y for _, y in at)
    by_x = min(3.0, wide / (right - left)) if right > left else 1.0
    by_y = min(3.0, high / (bottom - top)) if bottom > top else 1.0
    return tuple(
        (
            round((x - (left + right) / 2) * by_x + WIDTH / 2, 1),
            round((y - (top + bottom) / 2) * by_y + height / 2 - EDGE / 3, 1),
        )
        for x, y in at
    )


def _spiral(number: int, count: int, wide: float, high: float) -> Point:
    distance, angle = sqrt((number + 0.5) / count), number * GOLDEN_ANGLE
    return distance * cos(angle) * wide / 2, distance * sin(angle) * high / 2


def _moves(
    at: Sequence[Point], pairs: Sequence[tuple[int, int]], ideal: float
) -> list[list[float]]:
    # Towards the middle, more so in the shorter direction
    moves = [[-x * 0.08, -y * 0.16] for x, y in at]
    for first in range(len(at)):
        x, y = at[first]
        mine = moves[first]
        for second in range(first):
            dx, dy = x - at[second][0], y - at[second][1]
            push = ideal * ideal / (dx * dx + dy * dy + 0.01)
            dx, dy = dx * push, dy * push
            mine[0] += dx
            mine[1] += dy
            moves[second][0] -= dx
            moves[second][1] -= dy
    for a, b in pairs:
        dx, dy = at[a][0] - at[b][0], at[a][1] - at[b][1]
        pull = hypot(dx, dy) / ideal
        moves[a][0] -= dx * pull
        moves[a][1] -= dy * pull
        moves[b][0] += dx * pull
        moves[b][1] += dy * pull
    return moves


def _cap(dx: float, dy: float, limit: float) -> float:
    length = hypot(dx, dy)
    return min(length, limit) / length if length else 0.0


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
