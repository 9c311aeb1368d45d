"""Which sources a drawing of citations holds, and room between them, the same way every time."""

from collections.abc import Sequence
from math import cos, hypot, sin

from ui.web.graph_rings import Point

GAP = 16  # px between two rims, so that an arrow head and a tag fit between them
FLAT = 0.8  # labels are wider than high: nodes beside each other get more room than nodes above each other
ROUNDS = 60
NUDGE = 0.01  # px: nodes on one line leave it, and places of one decimal stay as they are
Frame = tuple[float, float, float, float]  # left, top, right, bottom


def joined(names: Sequence[str], edges: Sequence[tuple[str, str]], most: int) -> set[str]:
    """The first of the names, at most `most`, each of which cites or is cited by another one of them."""
    near: dict[str, set[str]] = {}
    for a, b in edges:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    seen: set[str] = set()
    chosen: set[str] = set()
    for name in names:
        linked = near.get(name, set()) & seen
        seen.add(name)
        more = chosen | linked | {name}
        if linked and len(more) <= most:
            chosen = more
    return chosen


def apart(places: Sequence[Point], radii: Sequence[float], frame: Frame) -> tuple[Point, ...]:
    """The places with no two nodes nearer than GAP where the frame has room for that; nothing leaves the frame."""
    at = [_inside((x + NUDGE * cos(number), y + NUDGE * sin(number)), frame) for number, (x, y) in enumerate(places)]
    for _ in range(ROUNDS):
        if not _round(at, radii, frame):
            break
    return tuple((round(x, 1), round(y, 1)) for x, y in at)


def _round(at: list[Point], radii: Sequence[float], frame: Frame) -> bool:
    """Move every pair that is too near half the way each; whether there was one."""
    moved = False
    for first in range(len(at)):
        for second in range(first):
            need = radii[first] + radii[second] + GAP
            dx, dy = (at[first][0] - at[second][0]) * FLAT, at[first][1] - at[second][1]
            if abs(dx) >= need or abs(dy) >= need:
                continue
            distance = hypot(dx, dy)
            if distance >= need - 0.5:
                continue
            step = (need - distance) / 2
            dx, dy = (dx / distance, dy / distance) if distance else (1.0, 0.0)
            (x1, y1), (x2, y2) = at[first], at[second]
            at[first] = _inside((x1 + dx * step / FLAT, y1 + dy * step), frame)
            at[second] = _inside((x2 - dx * step / FLAT, y2 - dy * step), frame)
            moved = True
    return moved


def _inside(place: Point, frame: Frame) -> Point:
    left, top, right, bottom = frame
    return min(right, max(left, place[0])), min(bottom, max(top, place[1]))
