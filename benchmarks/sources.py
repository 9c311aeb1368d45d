"""Conformance: every recorded answer of every service, read by the client of that service.

An answer counts as read when records came out of it, or when it says itself that there are none: a
parser that gives nothing where something stands has not read it. Answers in which a service refuses
or fails are counted apart, with those of interfaces that no client asks. Below each service stands
how often which field was found. Expected values stand in the tests; this shows that nothing is left
out. `--data` takes a folder of the same shape (SERVICE/FILE, MANIFEST.jsonl).
"""

import importlib
import inspect
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.options import Options, Row, no_data, shown
from tools.errors import ZororaError
from tools.sources.biomedical import eutils
from tools.sources.source import Source

# Folders that are called otherwise than the module of their client
MODULES = {"semanticscholar": "semantic_scholar", "news_feeds": "feeds"}
CLIENTS = (
    "openalex", "crossref", "arxiv", "pubmed", "pmc", "europepmc", "biorxiv", "core",
    "semanticscholar", "google_scholar", "doaj", "opencitations", "unpaywall", "brave",
    "duckduckgo", "searxng", "tavily", "serper", "wikipedia", "news_feeds",
)  # fmt: skip
# Answers of interfaces that no client asks: kinds of thing that are no works, and XML where JSON is
# asked for
NOT_ASKED = (
    "openalex/csed_topics.json", "crossref/hab_test_workscontainer_failure_behavior.json",
    "crossref/hab_test_workscontainer_failure_behavior_1.json", "core/v2_article_history.json",
    "semanticscholar/s2py_test_get_paper_authors.json", "semanticscholar/"
                                                        "s2py_test_search_author.json",
    "pubmed/biopython_efetch_pmc.xml", "pubmed/biopython_elink8.xml", "pubmed/biopython_espell.xml",
    "pubmed/biopython_esummary8.xml",
)  # fmt: skip
_BOOKKEEPING = (
    "source_id",
    "providers",
    "reasons",
    "tag",
    "hop",
    "fields",
    "credibility",
    "rejected",
    "source_type",
)
# How a service says that it has nothing
_NONE = re.compile(
    rb"""\"(?:total|total-results|totalHits|hitCount|count)\":\s*\"?0\b|totalResults[^>]*>0<
    |no\ posts\ found|not\ found(?:\ in\ PMC)?\"
    |\"(?:items|results|data|recommendedPapers|records|articles|result|collection)\":\s*\[\s*\]|\"missing\":\s*(?:\"\"|true)
    |<Count>0</Count>|No\ results""",
    re.X,
)
# What our own parsers say of an answer that they cannot read; all else they hand on from the
# service
_OURS = ("unknown form", "other than JSON", "other than XML", "broken XML", "without results")


@dataclass
class Tally:
    """What the recordings of one service gave. wrong: names of those that were not read."""

    recordings: int = 0
    with_records: int = 0
    none: int = 0
    refused: int = 0
    others: int = 0
    records: int = 0
    wrong: list[str] = field(default_factory=list)
    fields: Counter[str] = field(default_factory=Counter)


def run(options: Options) -> list[Row]:
    """Two rows a service: what was read, and the fields."""
    folder = options.data or (options.shared / "recorded" if options.shared else None)
    if folder is None or not (folder / "MANIFEST.jsonl").is_file():
        return [no_data("recorded answers")]
    entries = [
        json.loads(line)
        for line in (folder / "MANIFEST.jsonl").read_text("utf-8").splitlines()
        if line.strip()
    ]
    rows: list[Row] = []
    for service in CLIENTS:
        mine = [entry for entry in entries if entry["service"] == service]
        if mine:
            rows += _rows(service, tally(service, mine, folder))
    return rows


def _rows(service: str, sums: Tally) -> Iterable[Row]:
    answer_count = sums.recordings - sums.refused - sums.others
    read = sums.with_records + sums.none
    unit = f"{sums.with_records} with {sums.records} records, {sums.none} that say none"
    apart = ((sums.refused, "in which it refuses"), (sums.others, "of interfaces not asked"))
    unit += "".join(f"; {count} {what}" for count, what in apart if count)
    unit += f"; not read: {', '.join(sums.wrong)}" if sums.wrong else ""
    yield Row(
        what=f"{service}: read of {answer_count}",
        value=read,
        unit=unit,
        bar=f"= {answer_count}",
        ok=read == answer_count,
    )
    if sums.fields:
        yield shown(
            f"{service}: fields",
            ", ".join(f"{name} {count}" for name, count in sums.fields.most_common()),
        )


def tally(service: str, entries: Iterable[dict[str, Any]], folder: Path) -> Tally:
    """Read the recordings of one service."""
    sums, readers = Tally(), parsers(service)
    for entry in entries:
        sums.recordings += 1
        data = (folder / entry["file"]).read_bytes()
        if entry["file"] in NOT_ASKED:
            sums.others += 1
            continue
        outcome = read(readers, data)
        if isinstance(outcome, str):
            # The door makes a sentence of such a status before a parser sees the answer
            refused = outcome == "refused" or int(entry.get("status") or 200) >= 400
            sums.refused += refused
            sums.wrong += [] if refused else [entry["file"]]
        elif outcome:
            sums.with_records += 1
            sums.records += len(outcome)
            for record in outcome:
                sums.fields.update(_filled(record))
        elif _NONE.search(data):
            sums.none += 1
        else:
            sums.wrong.append(entry["file"])
    return sums


def read(readers: Iterable[Callable[[bytes], Any]], data: bytes) -> list[Any] | str:
    """The records of the parser that finds most; "refused" when the service says why there are
    none, else "unread"."""
    best: list[Any] | str = "unread"
    for reader in readers:
        try:
            result = reader(data)
        except ZororaError as error:
            refusal = not any(words in str(error) for words in _OURS)
            best = "refused" if refusal and best == "unread" else best
            continue
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
            continue
        records = _several(result)
        if isinstance(best, str) or len(records) > len(best):
            best = records
    return best


def client_module(name: str) -> ModuleType:
    """The module of a client by its name, in whichever room it stands. Raises
    ModuleNotFoundError."""
    for room in ("sources.scholarly", "sources.biomedical", "sources.web", "research"):
        if find_spec(f"tools.{room}.{name}"):
            return importlib.import_module(f"tools.{room}.{name}")
    raise ModuleNotFoundError(name)


def parsers(service: str) -> list[Callable[[bytes], Any]]:
    """The functions of a client that read an answer: parse, then the others called parse_...; none
    without a client."""
    try:
        module = client_module(MODULES.get(service, service))
    except ModuleNotFoundError:
        return []
    parsers_of: list[Callable[[bytes], Any]] = [
        value
        for name, value in sorted(vars(module).items())
        if (name == "parse" or name.startswith("parse_"))
        and inspect.isfunction(value)
        and _takes_bytes(value)
    ]
    # a search there gives ids
    return [*parsers_of, eutils.ids] if service == "pubmed" else parsers_of


def _takes_bytes(function: Callable[..., Any]) -> bool:
    first, *rest = inspect.signature(function).parameters.values()
    return first.name == "data" and all(
        parameter.default is not parameter.empty for parameter in rest
    )


def _several(records: Any) -> list[Any]:
    return list(records) if isinstance(records, list | tuple) else [records]


def _filled(record: Any) -> list[str]:
    if not isinstance(record, Source):
        return ["ids"]
    names = [field.name for field in fields(record) if field.name not in _BOOKKEEPING]
    return [name for name in names if getattr(record, name) not in (None, "", (), False, {})]
