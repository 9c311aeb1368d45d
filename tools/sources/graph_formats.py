"""A citation graph as GraphML (graphml.graphdrawing.org) and as DOT
(graphviz.org/doc/info/lang.html). Pure text."""

import re
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

Attribute = str | int | float
_TYPES = {bool: "boolean", int: "int", float: "double", str: "string"}
# What XML 1.0 cannot hold, escaped or not
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'


def graphml(
    nodes: Mapping[str, Mapping[str, Attribute]], edges: Mapping[str, Sequence[str]]
) -> str:
    """GraphML of a directed graph. nodes: id -> attributes; ends of edges that are no nodes are
    added without any."""
    every = {**nodes, **{target: {} for target in _missing(nodes, edges)}}
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


def dot(nodes: Mapping[str, Mapping[str, Attribute]], edges: Mapping[str, Sequence[str]]) -> str:
    """DOT of a directed graph; attribute values are quoted strings."""
    lines = ["digraph citations {"]
    for node, attributes in nodes.items():
        listed = ", ".join(
            f"{_quoted(name)}={_quoted(value)}" for name, value in attributes.items()
        )
        lines.append(f"  {_quoted(node)} [{listed}];" if listed else f"  {_quoted(node)};")
    lines += [f"  {_quoted(a)} -> {_quoted(b)};" for a in edges for b in edges[a]]
    return "\n".join([*lines, "}", ""])


def _missing(nodes: Mapping[str, object], edges: Mapping[str, Sequence[str]]) -> list[str]:
    ends = [end for start in edges for end in (start, *edges[start])]
    return list(dict.fromkeys(end for end in ends if end not in nodes))


def _attribute(value: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", value))


def _text(value: Attribute) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return escape(_NOT_XML.sub("\ufffd", str(value)))


def _quoted(value: Attribute) -> str:
    # Backslashes first: "\N" and the like are escapes of labels in DOT
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]+", " ", text) + '"'
