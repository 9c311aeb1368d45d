"""JSON schemas of what is read and answered, made from annotations."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from flask import Response

from engine.models import ResearchState

Schema = dict[str, Any]

SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean"}

# The record (docs/record.md) in outline; further names may come.
RECORD: Schema = {
    "type": "object",
    "required": [
        "format",
        "research_id",
        "original_query",
        "status",
        "sources",
        "evidence",
        "claims",
        "report",
        "quality",
    ],
    "properties": {
        "format": {"const": "zorora-research/1"},
        "research_id": {"type": "string"},
        "original_query": {"type": "string"},
        "status": {"type": "string"},
        "total_sources": {"type": "integer"},
        "max_depth": {"type": "integer"},
        "synthesis": {"type": "string"},
        "synthesis_model": {"type": "string"},
        "report": {"type": ["object", "null"]},
        "quality": {"type": "object"},
        "config": {"type": "object"},
        "user": {"type": "object"},
        **{
            name: {"type": "array", "items": {"type": "object"}}
            for name in (
                "sources",
                "snapshots",
                "evidence",
                "claims",
                "contradictions",
                "findings",
                "gaps",
                "trajectory",
            )
        },
        "citation_graph": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
    },
}

# Problem details (RFC 9457)
PROBLEM: Schema = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"const": "about:blank"},
        "title": {"type": "string", "description": "What the status means."},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened and what to do, for people."},
        "log_entry": {
            "type": "string",
            "description": "Number of the log entry, where the fault is the server's.",
        },
    },
    "additionalProperties": False,
}


def schema_of(kind: Any, components: dict[str, Schema]) -> Schema:
    """The schema of an annotated type; those of dataclasses are added to `components`."""
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    if kind is Response:
        return {"type": "string", "format": "binary"}
    if kind is ResearchState:
        return {"$ref": "#/components/schemas/Record"}
    if is_dataclass(kind) and isinstance(kind, type):
        return reference(kind, components)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        inner = schema_of(without_none(kind), components)
        return {"anyOf": [inner, {"type": "null"}]} if NoneType in args else inner
    if origin is Literal:
        return {"type": "string", "enum": list(args)}
    return container(origin, args, components) if isinstance(origin, type) else {}


def without_none(kind: Any) -> Any:
    """The type of a value that may be missing."""
    union = get_origin(kind) in (Union, UnionType)
    return next(part for part in get_args(kind) if part is not NoneType) if union else kind


def container(origin: type, args: tuple[Any, ...], components: dict[str, Schema]) -> Schema:
    if issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(args[1], components)}
    if origin is tuple and Ellipsis not in args:
        return fixed([schema_of(arg, components) for arg in args])
    return {"type": "array", "items": schema_of(args[0], components)}


def fixed(items: list[Any]) -> Schema:
    """An array of a fixed length. Items of one kind are said once: few programs know
    `prefixItems`."""
    length = {"minItems": len(items), "maxItems": len(items)}
    if all(item == items[0] for item in items):
        return {"type": "array", "items": items[0], **length}
    return {"type": "array", "prefixItems": items, **length}


def reference(kind: type, components: dict[str, Schema]) -> Schema:
    name = kind.__name__
    if name not in components:
        components[name] = {}
        hints = get_type_hints(kind)
        names = [field.name for field in fields(kind)]
        components[name] = {
            "type": "object",
            "required": names,
            "properties": {field: schema_of(hints[field], components) for field in names},
        }
    return {"$ref": f"#/components/schemas/{name}"}
