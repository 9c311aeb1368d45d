"""Measures of a citation graph: in-degree and PageRank, in plain Python and the same every time.

A graph is {node: nodes it cites}. Edges to nodes outside the given set, and of a node to itself, do
not count.
"""

import math
from collections.abc import Collection, Mapping

DAMPING = 0.85
ROUNDS = 100
CLOSE = 1e-10

Graph = Mapping[str, Collection[str]]


def inside(graph: Graph, nodes: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The edges between the given nodes, each once, in a fixed order; every node is a key."""
    node_set = set(nodes)
    return {
        node: tuple(
            sorted(
                {target for target in graph.get(node, ()) if target in node_set and target != node}
            )
        )
        for node in sorted(node_set)
    }


def in_degree(graph: Graph, nodes: Collection[str]) -> dict[str, int]:
    """How many of the nodes cite each node."""
    counts = dict.fromkeys(sorted(set(nodes)), 0)
    for targets in inside(graph, nodes).values():
        for target in targets:
            counts[target] += 1
    return counts


def pagerank(graph: Graph, nodes: Collection[str]) -> dict[str, float]:
    """PageRank by power iteration (Page and others 1999): damping 0.85, sums to 1, rounded to 6
    places.

    The rank of nodes that cite nothing is spread over all.
    """
    edges = inside(graph, nodes)
    count = len(edges)
    if not count:
        return {}
    rank = dict.fromkeys(edges, 1.0 / count)
    for _ in range(ROUNDS):
        loose = sum(rank[node] for node, targets in edges.items() if not targets)
        base = (1.0 - DAMPING + DAMPING * loose) / count
        new = dict.fromkeys(edges, base)
        for node, targets in edges.items():
            for target in targets:
                new[target] += DAMPING * rank[node] / len(targets)
        change = sum(abs(new[node] - rank[node]) for node in edges)
        rank = new
        if change < CLOSE:
            break
    return {node: round(value, 6) for node, value in rank.items()}


def authority(credibility: float, cited_by: int) -> float:
    """credibility x (1 + ln(1 + in-degree)), rounded to 6 places."""
    return round(credibility * (1.0 + math.log(1.0 + cited_by)), 6)
