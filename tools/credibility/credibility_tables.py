"""The shipped tables of tools/data, read once on first use: hosts, suffixes, venues, preprints, bad
lists."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from tools.sources.source import PREPRINT, Mark
from tools.text.tokens import fold

_NOT_WORD = re.compile(r"[^\w]+|_")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a table says about a place of publication. key: the entry that matched; high: gets the
    journal modifier."""

    rule: str
    base: float
    category: str
    name: str
    key: str
    scholarly: bool = False
    high: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """An entry of a list of predatory publishers or journals, and the list that says so."""

    name: str
    list: str
    dated: str
    key: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A retraction, concern or correction of one work. label: how people call the work. mark.by:
    the list.

    curated: from the built-in list, whose label and date were chosen by hand.
    """

    label: str
    mark: Mark
    curated: bool = False


@dataclass(frozen=True, slots=True)
class Tables:
    """Every lookup is one of a dictionary; keys are hosts, whole titles (`title_key`), ISSNs, DOIs
    or prefixes."""

    hosts: Mapping[str, Rule]
    suffixes: Mapping[str, Rule]
    platforms: Mapping[str, Rule]
    venues: Mapping[str, Rule]
    issns: Mapping[str, Rule]
    outlets: Mapping[str, Rule]
    preprint_venues: Mapping[str, Rule]
    preprint_prefixes: Mapping[str, Rule]
    not_preprints: tuple[str, ...]
    predatory_hosts: Mapping[str, Listing]
    predatory_names: Mapping[str, Listing]
    predatory_prefixes: Mapping[str, Listing]
    disputed: frozenset[str]
    retracted_dois: Mapping[str, Notice]
    retracted_pmids: Mapping[str, Notice] = field(default_factory=dict)


def title_key(title: str) -> str:
    """A title for exact comparison: no case, accents or punctuation, "&" as "and", no leading
    "the"."""
    words = _NOT_WORD.sub(" ", fold(title.replace("&", " and "))).split()
    return " ".join(words[1:] if words[:1] == ["the"] and len(words) > 1 else words)


def issn_key(issn: str) -> str:
    """ISSN as 1234-567X; "" when it is none."""
    text = re.sub(r"[\s-]", "", issn).upper()
    return f"{text[:4]}-{text[4:]}" if re.fullmatch(r"\d{7}[\dX]", text) else ""


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The built-in tables. Reading them takes some 20 ms, so it happens on the first score, not on
    import."""
    places, journals, bad = (
        read_table("credibility.toml"),
        read_table("journals.toml"),
        read_table("predatory.toml"),
    )
    hosts = _rules(places["hosts"])
    dois, pmids = _retractions(read_table("retractions.toml"))
    preprints = places["preprints"]
    venues, issns = _venues(journals)
    return Tables(
        hosts=hosts,
        suffixes={
            name: Rule("suffix", group["base"], group["category"], f".{name}", name)
            for group in places["suffixes"]
            for name in group["names"]
        },
        platforms=_rules(places["platforms"], "platform"),
        venues=venues,
        issns=issns,
        outlets={title_key(rule.name): rule for rule in hosts.values() if rule.rule == "news"},
        preprint_venues={title_key(rule.key): rule for rule in _preprints(preprints, "venues")},
        preprint_prefixes={rule.key: rule for rule in _preprints(preprints, "prefixes")},
        not_preprints=tuple(preprints["not"]["prefixes"]),
        **_predatory(bad),
        retracted_dois=dois,
        retracted_pmids=pmids,
    )


@lru_cache(maxsize=1)
def listed_hosts() -> dict[str, Rule]:
    """Hosts of openly licensed lists, each with the rule of its list. Read apart from `tables`: a
    host with a rule of its own never needs them. The rule is shared by its list and names no
    host."""
    rules: dict[str, Rule] = {}
    for group in read_table("listed_hosts.toml")["lists"]:
        rule = Rule(
            group["tier"],
            group["base"],
            f"{group['category']}, by the {group['name']}",
            group["name"],
            "",
        )
        for line in group["hosts"].splitlines():
            suffix, *names = line.split()
            rules.update((f"{name}.{suffix}", rule) for name in names)
    return rules


def starts_with(doi: str, prefixes: Iterable[str]) -> str | None:
    """The longest of the prefixes that the DOI begins with."""
    return max((prefix for prefix in prefixes if doi.startswith(prefix)), key=len, default=None)


def read_table(name: str) -> dict[str, Any]:
    return tomllib.loads(files("tools").joinpath("data", name).read_text(encoding="utf-8"))


def _rules(groups: Iterable[Mapping[str, Any]], rule: str = "") -> dict[str, Rule]:
    return {
        host: Rule(
            rule or group["tier"],
            group["base"],
            group["category"].format(name=name),
            name,
            host,
            scholarly=group.get("scholarly", False),
        )
        for group in groups
        for host, name in group["names"].items()
    }


def _preprints(data: Mapping[str, Any], by: str) -> Iterator[Rule]:
    """The rules of preprint servers. by: "venues" or "prefixes", how they are recognised."""
    for key, name in data[by].items():
        yield Rule(
            PREPRINT, data["base"], data["category"].format(name=name), name, key, scholarly=True
        )


def _venues(data: Mapping[str, Any]) -> tuple[dict[str, Rule], dict[str, Rule]]:
    by_title: dict[str, Rule] = {}
    by_issn: dict[str, Rule] = {}
    for group in data["groups"]:
        for title, issns in group["titles"].items():
            category = group["category"].format(name=title)
            rule = Rule(
                "venue", group["base"], category, title, title, scholarly=True, high=group["high"]
            )
            by_title[title_key(title)] = rule
            by_issn.update((issn, rule) for issn in issns)
    for alias, title in data["aliases"].items():
        by_title[title_key(alias)] = by_title[title_key(title)]
    return by_title, by_issn


def _predatory(data: Mapping[str, Any]) -> dict[str, Any]:
    hosts, names, prefixes = {}, {}, {}
    for host, entry in data["publishers"].items():
        listing = Listing(entry["name"], data["list"], data["dated"], host)
        hosts[host] = names[title_key(entry["name"])] = listing
        prefixes.update(dict.fromkeys(entry.get("prefixes", ()), listing))
    return {
        "predatory_hosts": hosts,
        "predatory_names": names,
        "predatory_prefixes": prefixes,
        "disputed": frozenset(data["disputed"]),
    }


def _retractions(data: Mapping[str, Any]) -> tuple[dict[str, Notice], dict[str, Notice]]:
    dois, pmids = {}, {}
    for work in data["works"]:
        mark = Mark("retracted", data["list"], work["date"], work["reason"], work.get("notice"))
        notice = Notice(work["label"], mark, curated=True)
        dois[work["doi"].lower()] = notice
        if "pmid" in work:
            pmids[work["pmid"]] = notice
    return dois, pmids
