"""Which sources a drawing of citations shows, room between them, and labels that keep out of each
other's way."""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, hypot, sin

from ui.web.views.graph_layouts import LETTER, WIDTH, Box, Point

GAP = 16  # px between two rims, so that an arrow head and a tag fit between them
# Labels are wider than high: nodes beside each other get more room than nodes above each other
FLAT = 0.8
ROUNDS = 60
NUDGE = 0.01  # px: nodes on one line leave it, and places of one decimal stay as they are
CROWD = 26  # nodes; of more than that not every one can have a label
COVERED = 500  # square px that a name may cover of nodes and other labels: a small node or two
Frame = tuple[float, float, float, float]  # left, top, right, bottom


def joined(names: Sequence[str], edges: Sequence[tuple[str, str]], most: int) -> set[str]:
    """The first of the names, at most `most`, each of which cites or is cited by another one of
    them."""
    near: dict[str, set[str]] = {}
    for a, b in edges:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    reached: set[str] = set()
    largest: set[str] = set()
    for name in names:
        linked = near.get(name, set()) & reached
        reached.add(name)
        more = largest | linked | {name}
        if linked and len(more) <= most:
            largest = more
    return largest


@lru_cache(maxsize=64)
def apart(places: tuple[Point, ...], radii: tuple[float, ...], frame: Frame) -> tuple[Point, ...]:
    """The places with no two nodes nearer than GAP where the frame has room for that; nothing
    leaves the frame."""
    at = [
        _inside((x + NUDGE * cos(number), y + NUDGE * sin(number)), frame)
        for number, (x, y) in enumerate(places)
    ]
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


@lru_cache(maxsize=64)
def labels_of(
    nodes: tuple[tuple[Point, float], ...],
    names: tuple[str, ...],
    resting: frozenset[int],
    crossed: tuple[Point, ...],
    height: int,
    avoided: tuple[Box, ...] = (),
) -> list[tuple[float, float, str, str]]:
    """A place for each label, below, above, right or left of its node, where it covers least; and
    what it says.

    nodes: place and radius of each. resting: those with a label at rest, which keep clear of each
    other; the other labels only of nodes and edges. crossed: points of lines. avoided: boxes of
    other words.
    """
    boxes = [*avoided] + [(x - r, y - r, x + r, y + r) for (x, y), r in nodes]
    out: dict[int, tuple[float, float, str, str]] = {}
    for number in sorted(range(len(nodes)), key=lambda number: number not in resting):
        place, box, words = _best(*nodes[number], names[number], boxes, crossed, height)
        if number in resting:
            boxes.append(box)
        out[number] = (*place, words)
    return [out[number] for number in range(len(nodes))]


def _best(
    at: Point, radius: float, name: str, boxes: Sequence[Box], crossed: Sequence[Point], height: int
) -> tuple[tuple[float, float, str], Box, str]:
    """Place, box and words of a label: the tag alone where the name would cover others whatever its
    place."""
    words = (name, "") if name else ("",)
    for label in words:
        choices = _choices(*at, radius, max(30.0, LETTER * len(label)), 32 if label else 17)
        _, _, box, place = min(
            (_cost(box, boxes, crossed, height), n, box, place)
            for n, (box, place) in enumerate(choices)
        )
        if not label or _covered(box, boxes, height) < COVERED:
            break
    return place, box, label


def _choices(
    x: float, y: float, r: float, wide: float, high: float
) -> list[tuple[Box, tuple[float, float, str]]]:
    half = wide / 2
    return [
        ((x - half, y + r + 2, x + half, y + r + 2 + high), (x, round(y + r + 15, 1), "middle")),
        (
            (x - half, y - r - 2 - high, x + half, y - r - 2),
            (x, round(y - r - high + 11, 1), "middle"),
        ),
        (
            (x + r + 4, y - 15, x + r + 4 + wide, y + 17),
            (round(x + r + 6, 1), round(y - 2, 1), "start"),
        ),
        (
            (x - r - 4 - wide, y - 15, x - r - 4, y + 17),
            (round(x - r - 6, 1), round(y - 2, 1), "end"),
        ),
    ]


def _cost(box: Box, boxes: Sequence[Box], crossed: Sequence[Point], height: int) -> float:
    """How much a label would cover: the outside most of all, then nodes and labels, then lines."""
    left, top, right, bottom = box
    lines = sum(left < x < right and top < y < bottom for x, y in crossed)
    return round(_covered(box, boxes, height) + lines * 60, 3)


def _covered(box: Box, boxes: Sequence[Box], height: int) -> float:
    left, top, right, bottom = box
    outside = max(0.0, -left) + max(0.0, right - WIDTH) + max(0.0, -top) + max(0.0, bottom - height)
    covered = sum(
        max(0.0, min(right, c) - max(left, a)) * max(0.0, min(bottom, d) - max(top, b))
        for a, b, c, d in boxes
    )
    return outside * 1000 + covered


def points_along(places: Sequence[Point], pairs: Sequence[tuple[int, int]]) -> list[Point]:
    """Points along the lines, for labels to keep away from."""
    out = []
    parts = 8 if len(pairs) <= 80 else 4
    for a, b in pairs:
        (x1, y1), (x2, y2) = places[a], places[b]
        out += [
            (x1 + (x2 - x1) * part / parts, y1 + (y2 - y1) * part / parts)
            for part in range(1, parts)
        ]
    return out
