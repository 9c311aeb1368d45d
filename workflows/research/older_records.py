"""What older records say in words alone, put into the fields that newer ones have for it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from tools.errors import FailureReason
from tools.sources.source import PREPRINT

_HITS = re.compile(r"(\d[\d,]*) hits?")
_RELEVANCE = re.compile(r"(meaning|words|kind) (-?\d+\.\d+)")


def with_fields_of_words(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record with the fields that its entries lack. What has a wrong shape stays as it is."""
    filled = {
        name: [complete(item) if isinstance(item, kind) else item for item in items]
        for name, (kind, complete) in _PARTS.items()
        if isinstance(items := record.get(name), list)
    }
    return {**record, **filled}


def _search(line: str) -> Mapping[str, Any]:
    is_earlier = line.startswith("earlier\t")
    client, _, query = line.removeprefix("earlier\t").partition("\t")
    return {"client": client, "query": query, "earlier": is_earlier}


def _client(client: Mapping[str, Any]) -> Mapping[str, Any]:
    problem = client.get("problem")
    if "reason" in client or not isinstance(problem, str):
        return client
    reason = FailureReason.UNREACHABLE if "no network" in problem else FailureReason.ERROR
    return {**client, "label": problem.partition(": ")[0], "reason": reason.value}


def _dead_end(end: Mapping[str, Any]) -> Mapping[str, Any]:
    outcome = end.get("outcome")
    if "found" in end or not isinstance(outcome, str):
        return end
    hits = _HITS.fullmatch(outcome)
    return {
        **end,
        "found": int(hits[1].replace(",", ""))
        if hits
        else 0
        if outcome == "nothing either"
        else None,
    }


def _source(source: Mapping[str, Any]) -> Mapping[str, Any]:
    return _with_relevance(_with_rule(source))


def _with_rule(source: Mapping[str, Any]) -> Mapping[str, Any]:
    """The rule behind a credibility, and what overrode it, where only its category says so."""
    credibility = source.get("credibility")
    if (
        not isinstance(credibility, Mapping)
        or credibility.get("detail")
        or credibility.get("overrides")
    ):
        return source
    category = str(credibility.get("category")).lower()
    if category in ("retracted", "predatory_publisher"):
        return {**source, "credibility": {**credibility, "overrides": [category]}}
    rule = {"rule": PREPRINT} if "preprint" in category else {}
    return {**source, "credibility": {**credibility, "detail": rule}}


def _with_relevance(source: Mapping[str, Any]) -> Mapping[str, Any]:
    reasons = source.get("reasons")
    if "relevance" in source or not isinstance(reasons, list):
        return source
    matches = [
        _RELEVANCE.fullmatch(reason) if isinstance(reason, str) else None for reason in reasons
    ]
    return {
        **source,
        "relevance": {match[1]: float(match[2]) for match in matches if match},
        "reasons": [
            reason for reason, match in zip(reasons, matches, strict=True) if match is None
        ],
    }


_PARTS: Mapping[str, tuple[type, Callable[[Any], Any]]] = {
    "asked": (str, _search), "clients": (Mapping, _client), "dead_ends": (Mapping, _dead_end),
    "sources": (Mapping, _source),
}  # fmt: skip
