"""graphml and dot: the citation graph, nodes with their title, credibility and authority, as
GraphML (graphml.graphdrawing.org) and as DOT (graphviz.org/doc/info/lang.html)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from engine.exports.form import NOT_XML, link_of
from engine.reports.figures import score_of
from tools.text.plain import line
from workflows.research.state import ResearchState

Attribute = str | int | float
_TYPES = {int: "int", float: "double", str: "string"}
_HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'


def _nodes(state: ResearchState) -> dict[str, dict[str, Attribute]]:
    ranks = {entry.source_id: entry for entry in state.authority}
    nodes: dict[str, dict[str, Attribute]] = {}
    for source in state.sources:
        rank, score = ranks.get(source.source_id), score_of(source)
        nodes[source.source_id] = {
            "label": source.tag or "",
            "title": line(source.title),
            "url": link_of(source),
            "type": source.source_type,
            **({} if score is None else {"credibility": round(score, 6)}),
            "authority": rank.authority if rank else 0.0,
            "in_degree": rank.in_degree if rank else 0,
        }
    return nodes


def write_graphml(state: ResearchState) -> str:
    """Ends of citations that are no sources are nodes without attributes."""
    nodes, edges = _nodes(state), state.citation_graph
    every = {**nodes, **{end: nodes.get(end, {}) for end in _ends(edges)}}
    columns: dict[str, str] = {}
    for attributes in every.values():
        for name, value in attributes.items():
            kind = _TYPES[type(value)]
            columns[name] = kind if columns.get(name, kind) == kind else "string"
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', _HEAD]
    lines += [
        f'  <key id={_attribute(name)} for="node" attr.name={_attribute(name)} attr.type="{kind}"/>'
        for name, kind in columns.items()
    ]
    lines.append('  <graph edgedefault="directed">')
    for node, attributes in every.items():
        lines.append(f"    <node id={_attribute(node)}>")
        lines += [
            f"      <data key={_attribute(n)}>{_text(v)}</data>" for n, v in attributes.items()
        ]
        lines.append("    </node>")
    lines += [
        f"    <edge source={_attribute(a)} target={_attribute(b)}/>"
        for a in edges
        for b in edges[a]
    ]
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def write_dot(state: ResearchState) -> str:
    """Attribute values are quoted strings."""
    edges = state.citation_graph
    lines = ["digraph citations {"]
    for node, attributes in _nodes(state).items():
        listed = ", ".join(
            f"{_quoted(name)}={_quoted(value)}" for name, value in attributes.items()
        )
        lines.append(f"  {_quoted(node)} [{listed}];")
    lines += [f"  {_quoted(a)} -> {_quoted(b)};" for a in edges for b in edges[a]]
    return "\n".join([*lines, "}", ""])


def _ends(edges: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for start in edges:
        yield from (start, *edges[start])


def _attribute(value: str) -> str:
    return quoteattr(NOT_XML.sub("\ufffd", value))


def _text(value: Attribute) -> str:
    return escape(NOT_XML.sub("\ufffd", str(value)))


def _quoted(value: Attribute) -> str:
    # Backslashes first: "\N" and the like are escapes of labels in DOT
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]+", " ", text) + '"'
