"""Places for the nodes of a citation graph, found by forces between them, the same every time.

The layout is that of Fruchterman and Reingold (Graph Drawing by Force-directed Placement, 1991):
linked nodes attract, all nodes repel, and the steps become smaller. It starts from a spiral in the
order of authority instead of from random places, so the same graph always looks the same.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, hypot, sin, sqrt

from ui.web.views.graph_rings import WIDTH, Point

EDGE = 34
STEPS = 60
GOLDEN_ANGLE = 2.399963  # radians, pi * (3 - sqrt(5))


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
