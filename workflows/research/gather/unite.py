"""Two sources that turn out to be one work become one, with everything that points at them.

It happens when a page states a DOI, a look-up brings a further identifier, a preprint's article
appears, or two addresses lead to one page. The source that came first stays; claims, evidence,
edges and fetches go over to it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from tools.documents.model import Completeness
from tools.sources.merge import groups_of, merge_group
from tools.sources.source import Source, SourceKind, canonical_url
from tools.text.phrases import counted
from workflows.research.deps import Deps
from workflows.research.model import Claim
from workflows.research.state import ResearchState

T = TypeVar("T")


def unite(state: ResearchState, deps: Deps) -> ResearchState:
    """The state without two sources of one work."""
    ordered = sorted(
        state.sources,
        key=lambda source: int(source.tag[1:]) if source.tag else len(state.sources) + 1,
    )
    new_ids: dict[str, str] = {}
    by_id: dict[str, Source] = {}
    for group in _works(state, [source for source in ordered if not source.document_id]):
        first = _joined(group, state)
        by_id[first.source_id] = first
        new_ids |= {other.source_id: first.source_id for other in group[1:]}
    if not new_ids:
        return state
    deps.moved(new_ids)
    message = (
        f"{counted(len(new_ids), 'source')} turned out to be known already under another "
        "address or identifier."
    )
    deps.note("aggregate", message, joined=dict(sorted(new_ids.items())))
    sources = tuple(
        by_id.get(source.source_id, source)
        for source in state.sources
        if source.source_id not in new_ids
    )
    return with_ids(replace(state, sources=sources), new_ids)


def with_ids(state: ResearchState, new_ids: Mapping[str, str]) -> ResearchState:
    """The state with every mention of an old id replaced by the one that stays (old -> new)."""
    texts = {
        (snapshot.snapshot_id, _id(snapshot.source_id, new_ids)): snapshot
        for snapshot in reversed(state.snapshots)
    }
    return replace(
        state,
        snapshots=tuple(
            replace(snapshot, source_id=source_id)
            for (_, source_id), snapshot in reversed(texts.items())
        ),
        evidence=tuple(
            replace(piece, source_id=_id(piece.source_id, new_ids)) for piece in state.evidence
        ),
        claims=tuple(_claim(claim, new_ids) for claim in state.claims),
        findings=tuple(
            replace(finding, sources=_ids(finding.sources, new_ids)) for finding in state.findings
        ),
        citation_graph=_graph(state.citation_graph, new_ids),
        read=_ids(state.read, new_ids),
    )


def _works(state: ResearchState, sources: list[Source]) -> list[list[Source]]:
    """Groups of two and more, each in the order given."""
    # A page is known by where it was finally found, too
    final = {
        snapshot.source_id: snapshot.url
        for snapshot in state.snapshots
        if snapshot.completeness == Completeness.FULL
    }
    there = [_at(source, final.get(source.source_id)) for source in sources]
    groups = [
        set(group) for records in (sources, there) for group in groups_of(records) if len(group) > 1
    ]
    return [[sources[i] for i in sorted(group)] for group in sorted(disjoint(groups), key=min)]


def disjoint(groups: Iterable[set[T]]) -> list[set[T]]:
    """The groups, of which those that share a member are one."""
    whole: list[set[T]] = []
    for group in groups:
        touching = [other for other in whole if other & group]
        whole = [other for other in whole if not other & group] + [group.union(*touching)]
    return whole


def _at(source: Source, url: str | None) -> Source:
    """A web page as it is known by its final address alone; a scholarly work by nothing more than
    before.

    Scholarly addresses may all lead to one page of a publisher that asks for a login.
    """
    if source.source_type == SourceKind.ACADEMIC or not url:
        return source
    return replace(source, url=canonical_url(url))


def _joined(group: list[Source], state: ResearchState) -> Source:
    """One source of several; of their texts it names the fullest, the earliest of equals."""
    whole = {
        snapshot.snapshot_id
        for snapshot in state.snapshots
        if snapshot.completeness == Completeness.FULL
    }
    texts = [source.snapshot_id for source in group if source.snapshot_id]
    best = next((text for text in texts if text in whole), texts[0] if texts else None)
    return replace(merge_group(group, keep=True), snapshot_id=best)


def _claim(claim: Claim, new_ids: Mapping[str, str]) -> Claim:
    voices = tuple(dict.fromkeys(_ids(voice, new_ids) for voice in claim.voices))
    return replace(
        claim,
        supporting_sources=_ids(claim.supporting_sources, new_ids),
        voices=voices,
        independent_sources=len(voices) if claim.voices else claim.independent_sources,
    )


def _graph(
    graph: Mapping[str, tuple[str, ...]], new_ids: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Edges under the new ids; a work does not cite itself."""
    edges: dict[str, list[str]] = {}
    for citing, works in graph.items():
        citing_id = _id(citing, new_ids)
        edges.setdefault(citing_id, []).extend(
            work for work in _ids(works, new_ids) if work != citing_id
        )
    return {citing: tuple(dict.fromkeys(edges[citing])) for citing in sorted(edges)}


def _ids(ids: Iterable[str], new_ids: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_id(key, new_ids) for key in ids))


def _id(source_id: str, new_ids: Mapping[str, str]) -> str:
    return new_ids.get(source_id, source_id)
