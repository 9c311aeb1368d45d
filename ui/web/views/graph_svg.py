"""Citation graph of a report: nodes, lines and labels of the drawing, and the rows of the table
that says the same."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

from engine.models import ResearchState, Source
from engine.reports.figures import Rating, credibility_words, rating_of, score_of
from ui.web.views.citations import author
from ui.web.views.graph_layouts import EDGE, LARGEST, WIDTH, Circle, Point, layout, rings
from ui.web.views.graph_spacing import CROWD, apart, joined, labels_of, points_along
from ui.web.views.labels import KINDS, many

MOST = 80  # nodes
SMALLER = 18.0  # radius of a node in a crowd, at most
NAMED = 12  # in a crowd only the most cited nodes have a label at rest
LABEL, TIP = 28, 90  # characters of a title
SHADES = (0.5, 0.7, 0.85)
LAST_HOP = 3  # what lies further out stands on the same ring


@dataclass(frozen=True, slots=True)
class Node:
    """A source in the drawing, its name and its tip. shade: k1 (credibility below 0.50) to k4 (from
    0.85). anchor: of its label.

    quiet: in a crowd the label appears only when the node is pointed at or has the focus."""

    source: Source
    name: str
    tip: str
    x: float
    y: float
    radius: float
    shade: str
    label_x: float
    label_y: float
    anchor: str
    retracted: bool
    quiet: bool


class Line(NamedTuple):
    """From the rim of the citing node to that of the cited one; a, b: their ids."""

    a: str
    b: str
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Row:
    """A source in the table that says the same."""

    source: Source
    name: str
    cites: tuple[str, ...]
    cited_by: tuple[str, ...]
    credibility: Rating
    authority: float
    retracted: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a graph is drawn. hops, kinds: only these, None for all; rings: one ring a hop."""

    hops: frozenset[int] | None = None
    kinds: frozenset[str] | None = None
    rings: bool = False

    def fits(self, source: Source) -> bool:
        hop = self.hops is None or min(source.hop, LAST_HOP) in self.hops
        return hop and (self.kinds is None or source.source_type in self.kinds)


@dataclass(frozen=True, slots=True)
class Graph:
    """hops, kinds: those there are, before any filter. circles: radius of each ring with its
    words."""

    nodes: tuple[Node, ...]
    lines: tuple[Line, ...]
    rows: tuple[Row, ...]
    height: int
    title: str
    left_out: int
    hops: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()
    circles: tuple[Circle, ...] = ()


def draw(state: ResearchState, drawing: Wanted) -> Graph:
    """The sources of highest authority and the citations between them; the table has all that fit
    the filter."""
    every = ranked_sources(state)
    ranked = [source for source in every if drawing.fits(source)]
    edges = _edges_among(ranked, state)
    # Sources that neither cite nor are cited would only push the others aside
    connected_ids = joined([source.source_id for source in ranked], edges, MOST)
    drawn_sources = [source for source in ranked if source.source_id in connected_ids]
    pairs = _pairs(drawn_sources, edges)
    authority = {entry.source_id: entry.authority for entry in state.authority}
    radii = _radii(drawn_sources, authority)
    height, places, circles = (
        rings(tuple(min(source.hop, LAST_HOP) for source in drawn_sources))
        if drawing.rings
        else _apart(drawn_sources, pairs, radii)
    )
    labelled = _most_cited(len(drawn_sources), pairs)
    labels = labels_of(
        tuple(zip(places, radii, strict=True)),
        _label_texts(drawn_sources),
        labelled,
        tuple(points_along(places, pairs)),
        height,
        tuple(circle.box for circle in circles),
    )
    nodes = _nodes(drawn_sources, places, radii, labels, labelled)
    present = {source.source_type for source in every}
    return Graph(
        nodes,
        _lines(nodes, pairs),
        _rows(ranked, edges, authority),
        height,
        _title(drawn_sources, pairs),
        len(ranked) - len(drawn_sources),
        tuple(sorted({min(source.hop, LAST_HOP) for source in every})),
        tuple(kind for kind in KINDS if kind in present),
        circles,
    )


def _pairs(
    sources: Sequence[Source], edges: Sequence[tuple[str, str]]
) -> tuple[tuple[int, int], ...]:
    """The edges by the places of their ends in the drawing."""
    order = {source.source_id: number for number, source in enumerate(sources)}
    return tuple((order[a], order[b]) for a, b in edges if a in order and b in order)


def _apart(
    sources: Sequence[Source], pairs: tuple[tuple[int, int], ...], radii: tuple[float, ...]
) -> tuple[int, tuple[Point, ...], tuple[Circle, ...]]:
    """Height and places where those who cite each other are near, and no two lie on each other."""
    height = 300 + min(20, len(sources)) * 14 + max(0, min(80, len(sources)) - CROWD) * 5
    frame = (EDGE, EDGE, WIDTH - EDGE, height - EDGE)
    return height, apart(layout(len(sources), pairs, height), radii, frame), ()


def _edges_among(sources: Sequence[Source], state: ResearchState) -> list[tuple[str, str]]:
    """Who cites whom among some sources, in one order."""
    ids = {source.source_id for source in sources}
    pairs = ((a, b) for a, targets in state.citation_graph.items() for b in targets)
    return sorted((a, b) for a, b in pairs if a in ids and b in ids and a != b)


def ranked_sources(state: ResearchState) -> list[Source]:
    """The sources by authority; after them those that others cite although they were retracted, and
    so set aside."""
    sources = state.get_authoritative_sources(top_n=len(state.sources))
    linked_ids = set(state.citation_graph).union(*state.citation_graph.values())
    return sources + [
        source
        for source in state.sources
        if source.rejected and retracted(source) and source.source_id in linked_ids
    ]


def retracted(source: Source) -> bool:
    return any(mark.retracts for mark in source.marks)


def _most_cited(count: int, pairs: Sequence[tuple[int, int]]) -> frozenset[int]:
    """The nodes with a label at rest: all of a few, else those cited most, ties by authority."""
    if count <= CROWD:
        return frozenset(range(count))
    citation_counts = Counter(target for _, target in pairs)
    return frozenset(
        sorted(range(count), key=lambda number: (-citation_counts[number], number))[:NAMED]
    )


def _label_texts(sources: Sequence[Source]) -> tuple[str, ...]:
    """What labels say: the author among few sources, the title in a crowd."""
    return tuple(
        _short(author(source) if len(sources) <= CROWD else source.title) for source in sources
    )


def _nodes(
    sources: Sequence[Source],
    places: Sequence[Point],
    radii: tuple[float, ...],
    labels: Sequence[tuple[float, float, str, str]],
    labelled: frozenset[int],
) -> tuple[Node, ...]:
    return tuple(
        Node(
            source,
            label[3],
            _tip(source),
            x,
            y,
            round(radius, 1),
            _shade(score_of(source)),
            label[0],
            label[1],
            label[2],
            retracted=retracted(source),
            quiet=number not in labelled,
        )
        for number, (source, (x, y), radius, label) in enumerate(
            zip(sources, places, radii, labels, strict=True)
        )
    )


def _radii(sources: Sequence[Source], authority: dict[str, float]) -> tuple[float, ...]:
    top = max((authority.get(s.source_id, 0.0) for s in sources), default=0.0) or 1.0
    largest = LARGEST if len(sources) <= CROWD else SMALLER
    return tuple(
        7 + (largest - 7) * max(0.0, authority.get(s.source_id, 0.0)) / top for s in sources
    )


def _tip(source: Source) -> str:
    words = [
        source.tag or "",
        _short(source.title, TIP),
        author(source),
        credibility_words(source),
        "retracted" if retracted(source) else "",
    ]
    return ", ".join(word for word in words if word)


def _short(name: str, most: int = LABEL) -> str:
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


def _shade(score: float | None) -> str:
    """The class of a shade; where nobody rates a source, that of the middle."""
    return f"k{1 + sum((0.5 if score is None else score) >= step for step in SHADES)}"


def _lines(nodes: Sequence[Node], pairs: Sequence[tuple[int, int]]) -> tuple[Line, ...]:
    """Lines from rim to rim, so that the arrow heads are seen."""
    out = []
    for a, b in pairs:
        source_node, other = nodes[a], nodes[b]
        dx, dy = other.x - source_node.x, other.y - source_node.y
        length = hypot(dx, dy) or 1.0
        start, end = source_node.radius / length, (other.radius + 2) / length
        out.append(
            Line(
                source_node.source.source_id,
                other.source.source_id,
                round(source_node.x + dx * start, 1),
                round(source_node.y + dy * start, 1),
                round(other.x - dx * end, 1),
                round(other.y - dy * end, 1),
            )
        )
    return tuple(out)


def _rows(
    ranked: Sequence[Source],
    edges: Sequence[tuple[str, str]],
    authority: dict[str, float],
) -> tuple[Row, ...]:
    tags = {source.source_id: source.tag or _short(author(source)) for source in ranked}
    cites: dict[str, list[str]] = {}
    cited_labels: dict[str, list[str]] = {}
    for a, b in edges:
        cites.setdefault(a, []).append(tags[b])
        cited_labels.setdefault(b, []).append(tags[a])
    return tuple(
        Row(
            source,
            _short(author(source)),
            tuple(cites.get(source.source_id, ())),
            tuple(cited_labels.get(source.source_id, ())),
            rating_of(source),
            authority.get(
                source.source_id, source.credibility.score if source.credibility else 0.0
            ),
            retracted(source),
        )
        for source in ranked
        if source.tag or source.source_id in cites or source.source_id in cited_labels
    )


def _title(sources: Sequence[Source], pairs: Sequence[tuple[int, int]]) -> str:
    words = f"{many(len(sources), 'source')} and {many(len(pairs), 'citation')} between them"
    if not pairs:
        return words
    counts = Counter(target for _, target in pairs)
    most = max(range(len(sources)), key=lambda number: (counts[number], -number))
    return f"{words}; {sources[most].tag or _short(author(sources[most]))} is cited most"
