"""What the answers of each service look like, as they were recorded, and how a live answer differs
from that.

tools/data/source_shapes.json holds names alone: of the keys or elements of all recorded answers,
and of the fields that records usually had. `python -m benchmarks.shapes` makes it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from tools.sources.answer_fields import xml_root
from tools.sources.source import Source

_DEPTH = 5
# Objects whose keys are values: words, numbers, names of pages
_OPEN = frozenset(
    ("abstract_inverted_index", "facets", "pages", "result", "interwikisearch", "counts_by_year")
)
_OWN = (
    frozenset(  # fields that we fill ourselves, or that most services leave empty for good reason
        """source_id url title source_type providers ids fields marks hop tag snapshot_id reasons
    relevance rejected credibility document_id arxiv_id""".split()
    )
)


@dataclass(frozen=True, slots=True)
class Drift:
    """How a live answer differs. fields: those that any record has. lost: those that recorded ones
    had and none has now. new: names that no recording had."""

    fields: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


def drift(service: str, sources: Sequence[Source], answers: Sequence[bytes]) -> Drift:
    """What is there, and what changed. answers: the bytes of the service; an unknown service has no
    drift."""
    shape = shapes().get(service, {})
    present = sorted({name for source in sources for name in filled(source)})
    lost = [name for name in shape.get("fields", ()) if sources and name not in present]
    expected = set(shape.get("names", ()))
    if expected:
        new = sorted({name for answer in answers for name in names(answer)} - expected)
    else:
        new = []
    return Drift(tuple(present), tuple(lost), tuple(new))


def filled(source: Source) -> list[str]:
    """The names of a source's fields that say something."""
    field_names = [field.name for field in fields(source) if field.name not in _OWN]
    return [name for name in field_names if getattr(source, name) not in (None, "", (), {})]


@cache
def shapes() -> dict[str, dict[str, list[str]]]:
    """{service: {"fields": [...], "names": [...]}}"""
    by_client: dict[str, dict[str, list[str]]] = json.loads(
        files("tools").joinpath("data", "source_shapes.json").read_text("utf-8")
    )
    return by_client


def names(answer: bytes) -> set[str]:
    """The names of the keys of a JSON answer or of the elements of an XML one; of other kinds
    none."""
    head = answer.lstrip()[:1]
    if head in (b"{", b"["):
        try:
            return set(_keys(json.loads(answer, strict=False), 0))
        except (ValueError, RecursionError):
            return set()
    return (
        set(_elements(answer)) if head == b"<" and b"<html" not in answer[:1000].lower() else set()
    )


def _keys(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _keys(item, depth)
    elif isinstance(value, dict) and depth < _DEPTH:
        for key, item in value.items():
            yield str(key)
            if key not in _OPEN:
                yield from _keys(item, depth + 1)


def _elements(answer: bytes) -> Iterator[str]:
    from lxml import etree  # 60 ms

    root = xml_root(answer, repaired=True)
    for element in root.iter("*") if root is not None else ():
        if sum(1 for _ in element.iterancestors()) < _DEPTH:
            yield etree.QName(element).localname
