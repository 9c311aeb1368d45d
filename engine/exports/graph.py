"""graphml and dot: the citation graph, nodes with their title, credibility and authority."""

from engine.exports.form import link_of
from engine.reports.figures import score_of
from tools.sources.graph_formats import Attribute, dot, graphml
from tools.sources.source import Source
from tools.text.plain import line
from workflows.research.state import ResearchState


def write_graphml(state: ResearchState) -> str:
    return graphml(_nodes(state), _edges(state))


def write_dot(state: ResearchState) -> str:
    return dot(_nodes(state), _edges(state))


def _nodes(state: ResearchState) -> dict[str, dict[str, Attribute]]:
    ranks = {entry.source_id: entry for entry in state.authority}
    nodes: dict[str, dict[str, Attribute]] = {}
    for source in state.sources:
        rank = ranks.get(source.source_id)
        nodes[source.source_id] = {
            "label": source.tag or "",
            "title": line(source.title),
            "url": link_of(source),
            "type": source.source_type,
            **_credibility(source),
            "authority": rank.authority if rank else 0.0,
            "in_degree": rank.in_degree if rank else 0,
        }
    return nodes


def _credibility(source: Source) -> dict[str, Attribute]:
    """The score as an attribute; none where nobody rates the source."""
    score = score_of(source)
    return {} if score is None else {"credibility": round(score, 6)}


def _edges(state: ResearchState) -> dict[str, tuple[str, ...]]:
    return {source_id: tuple(targets) for source_id, targets in state.citation_graph.items()}
