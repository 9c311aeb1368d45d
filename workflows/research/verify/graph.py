"""Citation graph (5): who cites whom among the sources of the run, how central each is, and its
authority.

authority = credibility x (1 + ln(1 + in-degree)). Edges to works that were not fetched stay in the
graph under the id of their key; they count for nobody's degree.
"""

from collections.abc import Iterable
from dataclasses import replace

from tools.sources.graph_metrics import authority, in_degree, pagerank
from tools.sources.merge import keys_of
from tools.sources.source import Source, id_of
from tools.text.phrases import counted
from workflows.research.deps import Deps
from workflows.research.model import Authority
from workflows.research.state import ResearchState


def graph(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with its citation graph in ids and the authority of every source, highest first."""
    edges = citation_edges(state)
    ids = [source.source_id for source in state.sources]
    degrees, ranks = in_degree(edges, ids), pagerank(edges, ids)
    entries = [
        Authority(
            source_id=source.source_id,
            in_degree=degrees[source.source_id],
            pagerank=ranks[source.source_id],
            authority=authority(
                source.credibility.score if source.credibility else 0.0, degrees[source.source_id]
            ),
        )
        for source in state.sources
    ]
    entries.sort(key=lambda entry: (-entry.authority, -entry.pagerank, entry.source_id))
    between = sum(degrees.values())
    message = (
        f"{counted(between, 'citation')} among {counted(len(ids), 'source')}, "
        f"{sum(map(len, edges.values()))} in all."
    )
    deps.note("graph", message, edges=between, sources=len(ids))
    return replace(state, citation_graph=edges, authority=tuple(entries))


def citation_edges(state: ResearchState) -> dict[str, tuple[str, ...]]:
    """Edges found on the way and those of the sources' reference lists; every held work under its
    own id."""
    owner = _owners(state.sources)
    by_source: dict[str, list[str]] = {}
    for citing, cited_ids in state.citation_graph.items():
        by_source.setdefault(owner.get(citing, citing), []).extend(
            owner.get(entry, entry) for entry in cited_ids
        )
    for source in state.sources:
        targets = (
            owner.get(key) or owner.get(id_of(key)) or id_of(key) for key in source.references
        )
        by_source.setdefault(source.source_id, []).extend(targets)
    edges = {
        node: tuple(dict.fromkeys(target for target in by_source[node] if target != node))
        for node in sorted(by_source)
    }
    return {node: targets for node, targets in edges.items() if targets}


def _owners(sources: Iterable[Source]) -> dict[str, str]:
    """Every key of a held work, and the id that its key would have, to the id under which it is
    held."""
    owner: dict[str, str] = {}
    for source in sources:
        for key in keys_of(source):
            owner.setdefault(key, source.source_id)
            owner.setdefault(id_of(key), source.source_id)
    # A work's own id is never another's alias
    return {**owner, **{source.source_id: source.source_id for source in sources}}
