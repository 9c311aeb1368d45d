"""The JSON-LD of a page: its objects, the article among them, and their values as plain text."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any

from tools.text.normalise import snapshot_text

MAX_VALUE = 1000
MAX_BODY = 500_000
_MAX_NODES = 2000
_ARTICLES = re.compile(
    r"article|blogposting|report|webpage|book|thesis|dataset|creativework|review|course|recipe|qapage",
    re.I,
)
_SPACE = re.compile(r"\s+")
_TAGS = re.compile(r"<[^<>]{1,200}>")


def linked_data(tree: Any) -> Iterator[Mapping[str, Any]]:
    """The objects of all JSON-LD scripts, nested ones too, up to a limit."""
    waiting: list[Any] = []
    for element in tree.iter("script"):
        if "ld+json" in (element.get("type") or "").lower():
            try:
                waiting.append(json.loads(element.text or "", strict=False))
            except (ValueError, RecursionError):
                continue  # broken JSON-LD is common; the other descriptions of the page remain
    for _ in range(_MAX_NODES):
        if not waiting:
            return
        node = waiting.pop(0)
        if isinstance(node, dict):
            yield node
            waiting += [
                node[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in node
            ]
        elif isinstance(node, list):
            waiting += node[:_MAX_NODES]


def article_of(nodes: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The object that describes the text of the page: the article with the most to say."""
    articles = [node for node in nodes if _ARTICLES.search(str(node.get("@type", ""))[:200])]
    best = max(articles, key=_facts, default={})
    return best if _facts(best) else {}


def _facts(node: Mapping[str, Any]) -> int:
    """How much an object says about an article."""
    return sum(bool(node.get(key)) for key in ("headline", "author", "datePublished", "publisher"))


def article_body(tree: Any) -> str:
    """The text of the article as the page's JSON-LD carries it ("" when it does not), lines as it
    has them."""
    body = article_of(linked_data(tree)).get("articleBody")
    if isinstance(body, str):
        return snapshot_text(unescape(_TAGS.sub(" ", body[:MAX_BODY]))).strip()
    return ""


def name_of(thing: Any) -> str:
    """The name of a person or a publisher, of the first where there are several."""
    if isinstance(thing, list):
        thing = thing[0] if thing else None
    return plain_value(thing.get("name")) if isinstance(thing, dict) else plain_value(thing)


def plain_value(value: Any) -> str:
    """A value as text in one line, without tags; "" for what is no text."""
    if not isinstance(value, str):
        return ""
    # Many pages escape twice
    plain = snapshot_text(unescape(_TAGS.sub("", value[: 4 * MAX_VALUE])))
    return _SPACE.sub(" ", plain).strip()[:MAX_VALUE]
