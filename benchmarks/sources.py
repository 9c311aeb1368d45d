"""Conformance: every recorded answer of every service, read by the client of that service.

One row a service: how many recordings there are, how many give records, how many say why they have none; below it
which fields were found how often. A recording that no parser can read fails the bar. Expected values stand in the
tests; this shows that nothing is left out. `--data` takes a folder of the same shape (SERVICE/FILE, MANIFEST.jsonl).
"""

import importlib
import inspect
import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.options import Options, Row, shown
from tools.errors import ZororaError
from tools.research.source import Source

# Folders that are called otherwise than the module of their client
MODULES = {"semanticscholar": "semantic_scholar", "news_feeds": "feeds"}
CLIENTS = (
    "openalex", "crossref", "arxiv", "pubmed", "pmc", "europepmc", "biorxiv", "core", "semanticscholar",
    "google_scholar", "doaj", "opencitations", "unpaywall", "brave", "duckduckgo", "searxng", "tavily", "serper",
    "wikipedia", "news_feeds",
)  # fmt: skip
_BOOKKEEPING = ("source_id", "providers", "reasons", "tag", "hop", "fields", "credibility", "rejected", "source_type")


@dataclass
class Tally:
    """What the recordings of one service gave. wrong: names of those that could not be read."""

    recordings: int = 0
    with_records: int = 0
    empty: int = 0
    refused: int = 0
    records: int = 0
    wrong: list[str] = field(default_factory=list)
    found: Counter[str] = field(default_factory=Counter)


def run(options: Options) -> list[Row]:
    """Two rows a service: what was read, and the fields."""
    folder = options.data or (options.shared / "recorded" if options.shared else None)
    if folder is None or not (folder / "MANIFEST.jsonl").is_file():
        return [shown("recorded answers: none here (../shared/recorded, or --data)", None)]
    entries = [json.loads(line) for line in (folder / "MANIFEST.jsonl").read_text("utf-8").splitlines() if line.strip()]
    rows: list[Row] = []
    for service in CLIENTS:
        mine = [entry for entry in entries if entry["service"] == service]
        if mine:
            rows += _rows(service, tally(service, mine, folder))
    return rows


def _rows(service: str, sums: Tally) -> Iterable[Row]:
    read = sums.recordings - len(sums.wrong)
    said = f"{sums.with_records} with {sums.records} records, {sums.empty} empty, {sums.refused} say why not"
    if sums.wrong:
        said += f"; not read: {', '.join(sums.wrong)}"
    yield Row(
        what=f"{service}: read of {sums.recordings}",
        value=read,
        unit=said,
        bar=f"= {sums.recordings}",
        ok=not sums.wrong,
    )
    if sums.found:
        yield shown(f"{service}: fields", ", ".join(f"{name} {count}" for name, count in sums.found.most_common()))


def tally(service: str, entries: Iterable[dict[str, Any]], folder: Path) -> Tally:
    """Read the recordings of one service."""
    sums = Tally()
    readers = parsers(service)
    for entry in entries:
        sums.recordings += 1
        data = (folder / entry["file"]).read_bytes()
        outcome = read(readers, data)
        if isinstance(outcome, str):
            # The door makes a sentence of such a status before a parser sees the answer
            known = outcome == "refused" or int(entry.get("status") or 200) >= 400
            sums.refused += known
            sums.wrong += [] if known else [entry["file"]]
            continue
        sums.with_records += bool(outcome)
        sums.empty += not outcome
        sums.records += len(outcome)
        for source in outcome:
            sums.found.update(_filled(source))
    return sums


def read(readers: Iterable[Callable[[bytes], Any]], data: bytes) -> list[Source] | str:
    """The records of the parser that finds most; "refused" when one says why there are none, "unread" when none can."""
    best: list[Source] | str = "unread"
    for reader in readers:
        try:
            found = reader(data)
        except ZororaError:
            best = "refused" if best == "unread" else best
            continue
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
            continue
        records = [one for one in _several(found) if isinstance(one, Source)]
        if isinstance(best, str) or len(records) > len(best):
            best = records
    return best


def parsers(service: str) -> list[Callable[[bytes], Any]]:
    """The functions of a client that read an answer: parse, then the others called parse_...; none without a client."""
    try:
        module: ModuleType = importlib.import_module(f"tools.research.{MODULES.get(service, service)}")
    except ModuleNotFoundError:
        return []
    return [
        value
        for name, value in sorted(vars(module).items())
        if (name == "parse" or name.startswith("parse_")) and inspect.isfunction(value) and _takes_bytes(value)
    ]


def _takes_bytes(function: Callable[..., Any]) -> bool:
    first, *rest = inspect.signature(function).parameters.values()
    return first.name == "data" and all(one.default is not one.empty for one in rest)


def _several(found: Any) -> list[Any]:
    return list(found) if isinstance(found, list | tuple) else [found]


def _filled(source: Source) -> list[str]:
    names = [one.name for one in fields(source) if one.name not in _BOOKKEEPING]
    return [name for name in names if getattr(source, name) not in (None, "", (), False)]
