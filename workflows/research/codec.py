"""States and records: frozen dataclasses to plain JSON values and back, driven by the type
annotations alone."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, cast, get_args, get_origin, get_type_hints

from workflows.research.older_records import with_fields_of_words

if TYPE_CHECKING:
    from workflows.research.state import ResearchState

FORMAT = "zorora-research/1"
Build = Callable[[Any], Any]
_LEAVES = frozenset((str, int, float, bool, NoneType))
# Field names that are not Python identifiers of our choice but names of the record
RENAMED = {("AnswerVerdict", "in_favour"): "for"}


def plain(value: Any) -> Any:
    """Dataclasses to dicts, tuples to lists, mappings to dicts; everything else unchanged."""
    kind: Any = type(value)
    if kind in _LEAVES:
        return value
    if names := _record_names(kind):
        return {key: plain(getattr(value, name)) for name, key in names}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


@cache
def _record_names(kind: type) -> tuple[tuple[str, str], ...]:
    """(field, key of the record) of a dataclass; of another type none."""
    if not is_dataclass(kind):
        return ()
    return tuple((f.name, RENAMED.get((kind.__name__, f.name), f.name)) for f in fields(kind))


def build(kind: Any, value: Any) -> Any:
    """A value of an annotated type from plain values."""
    return builder(kind)(value)


@cache
def builder(kind: Any) -> Build:
    """The function that turns a plain value into an annotated type. Made once a type: annotations
    are slow to read."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _optional(builder(next(arg for arg in args if arg is not NoneType)))
    if origin is tuple:
        return _tuple(builder(args[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(builder(args[1]))
    if is_dataclass(kind) and isinstance(kind, type):
        return _dataclass(kind)
    return _optional(float) if kind is float else _as_it_is


def _as_it_is(value: Any) -> Any:
    return value


def _optional(inner: Build) -> Build:
    return lambda value: None if value is None else inner(value)


def _tuple(item: Build) -> Build:
    return _list if item is _as_it_is else lambda value: tuple([item(element) for element in value])


def _list(value: Any) -> tuple[Any, ...]:
    if isinstance(value, str):  # would become a list of its letters
        raise TypeError(f"{value[:40]!r} is where a list belongs")
    return tuple(value)


def _mapping(item: Build) -> Build:
    if item is _as_it_is:
        return dict
    return lambda value: {key: item(element) for key, element in dict(value).items()}


def _dataclass(kind: type) -> Build:
    rows: list[tuple[str, str, Build, bool]] = []

    def construct(value: Mapping[str, Any]) -> Any:
        if not rows:  # read on first use: a type may speak of itself
            rows.extend(_rows(kind))
        arguments = {}
        for name, key, make, nullable in rows:
            item = value.get(key)
            if item is not None:
                arguments[name] = make(item)
            elif nullable and key in value:
                arguments[name] = None
        return kind(**arguments)

    return construct


def _rows(kind: type) -> Iterator[tuple[str, str, Build, bool]]:
    """(field, key of the record, builder, whether null is a value of it) of a dataclass."""
    for name, annotation in get_type_hints(kind).items():
        key = RENAMED.get((kind.__name__, name), name)
        yield name, key, builder(annotation), NoneType in get_args(annotation)


def to_record(state: "ResearchState") -> dict[str, Any]:
    """The record of a state, with the plain duplicates that readers of the older format look
    for."""
    record = {"format": FORMAT, "query": state.original_query, **plain(state)}
    record["total_sources"] = len(state.sources)
    record["max_depth"] = state.config.depth
    record["synthesis_model"] = ", ".join(state.model_names) or "none"
    for source in record["sources"]:
        credibility = source["credibility"] or {}
        source["publication_date"] = source["published"]
        source["credibility_score"] = credibility.get("score")
        source["credibility_category"] = credibility.get("category")
        source["cites"] = list(state.citation_graph.get(source["source_id"], ()))
    return record


def from_record(kind: type["ResearchState"], record: Mapping[str, Any]) -> "ResearchState":
    """A state from a record; the older format's names fill what this one lacks."""
    data = {"original_query": record.get("query"), **record}
    if "format" not in data:
        data = _from_older(data)
    return cast("ResearchState", build(kind, with_fields_of_words(data)))


def _from_older(data: dict[str, Any]) -> dict[str, Any]:
    """The design's first format: flat sources, depth as max_depth, findings without claims."""
    filled = {key: value for key, value in data.items() if value}
    sources = [_older_source(dict(source)) for source in filled.get("sources", ())]
    graph = {s["source_id"]: list(s["cites"]) for s in sources if s.get("cites")}
    return {
        **data,
        "sources": sources,
        "citation_graph": filled.get("citation_graph", graph),
        "config": {"depth": filled.get("max_depth", 1), **dict(filled.get("config", {}))},
        "status": filled.get("status", "complete"),
        "started_at": filled.get("started_at", filled.get("created_at", "")),
        "findings": [f for f in filled.get("findings", ()) if "claim_id" in f],
    }


def _older_source(source: dict[str, Any]) -> dict[str, Any]:
    source.setdefault("published", source.get("publication_date"))
    if not source.get("credibility") and source.get("credibility_score") is not None:
        source["credibility"] = {
            "score": source["credibility_score"],
            "base_score": source["credibility_score"],
            "category": source.get("credibility_category") or "unknown",
        }
    return source
