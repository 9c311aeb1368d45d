"""The base of a score: an ordered tuple of rules, each answering from the tables or not at all.

The first that answers is the base, the others are named beside it. A rule sees hosts as whole
labels, titles as whole titles, ISSNs and DOI prefixes; no rule looks for a word inside an address.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tools.credibility.credibility_tables import (
    Rule,
    Tables,
    issn_key,
    listed_hosts,
    starts_with,
    title_key,
)
from tools.sources.domains import longest, suffixes
from tools.sources.source import NOT_LISTED, Source, SourceKind
from tools.sources.work_ids import dois

UNKNOWN = Rule("unknown", 0.50, NOT_LISTED, "", "")
LOCAL = Rule("local", 0.50, "Your document", "", "")
NEWSROOM = Rule("newsroom", 0.75, "Curated newsroom", "", "")
REGISTERED = Rule("doi", 0.65, "DOI-registered work (venue unknown)", "", "", scholarly=True)
PUBLISHED = Rule(
    "published", 0.65, "Published version of a preprint (venue unknown)", "", "", scholarly=True
)
PUBMED = Rule("indexed", 0.70, "PubMed (indexed)", "PubMed", "pmid", scholarly=True)

_PAGES = ("web", "newsroom")


@dataclass(frozen=True, slots=True)
class Work:
    """What the rules may know of a source. dois: every DOI of it, lower case. doi: the one that
    registers it.

    kind: academic, web, newsroom, local, or None when not declared. outlet: the newspaper an
    article came from. indexed: in PubMed or PMC. user_rules: by host, title key or ISSN.
    """

    source: Source
    host: str
    kind: str | None
    dois: tuple[str, ...]
    doi: str | None
    pmid: str | None
    indexed: bool
    issns: tuple[str, ...]
    outlet: str | None
    user_rules: Mapping[str, Rule]


def matches(work: Work, tables: Tables) -> list[Rule]:
    """Every rule that answers, in order; at least one. For local documents only what their DOI and
    venue say."""
    rules = _LOCAL_RULES if work.kind == SourceKind.LOCAL else _RULES
    matching = [answer for rule in rules if (answer := rule(work, tables))]
    return matching or [LOCAL if work.kind == SourceKind.LOCAL else UNKNOWN]


def own_rule(work: Work, tables: Tables) -> Rule | None:
    """A rule of the user's configuration: by host, venue or ISSN."""
    keys = (title_key(work.source.venue or ""), *work.issns)
    venue = next((work.user_rules[key] for key in keys if key and key in work.user_rules), None)
    return venue or longest(work.host, work.user_rules)


def venue_rule(work: Work, tables: Tables) -> Rule | None:
    """A listed journal or conference. The title alone counts only where it is a bibliographic fact,
    not a page's."""
    for issn in work.issns:
        if issn in tables.issns:
            return tables.issns[issn]
    if not work.source.venue or work.kind in _PAGES:
        return None
    return tables.venues.get(title_key(work.source.venue))


def published_rule(work: Work, tables: Tables) -> Rule | None:
    """A preprint with a DOI that is not of a preprint server has been published elsewhere."""
    if not work.doi or preprint_doi(work.doi, tables) or not preprint_rule(work, tables):
        return None
    return PUBLISHED


def preprint_rule(work: Work, tables: Tables) -> Rule | None:
    """A preprint server by host, DOI prefix, arXiv id or venue."""
    rule = longest(work.host, tables.hosts)
    if rule and rule.rule == "preprint":
        return rule
    if work.doi and (rule := preprint_doi(work.doi, tables)):
        return rule
    if work.source.arxiv_id:
        return tables.hosts["arxiv.org"]
    if work.source.venue and work.kind not in _PAGES:
        return tables.preprint_venues.get(title_key(work.source.venue))
    return None


def preprint_doi(doi: str, tables: Tables) -> Rule | None:
    """The preprint server that registers DOIs like this one."""
    if doi.startswith(tables.not_preprints):
        return None
    prefix = starts_with(doi, tables.preprint_prefixes)
    return tables.preprint_prefixes[prefix] if prefix else None


def domain_rule(work: Work, tables: Tables) -> Rule | None:
    """A listed publisher, institution, outlet or reference work, by the host or its nearest listed
    parent."""
    # A subdomain that belongs to a platform or another suffix is listed itself; the nearest entry
    # is the host's own
    rule = longest(work.host, tables.hosts)
    return rule if rule and rule.rule != "preprint" else None


def suffix_rule(work: Work, tables: Tables) -> Rule | None:
    """Government, treaty organisation, university: names that only they can register under."""
    return None if platform_rule(work, tables) else longest(work.host, tables.suffixes)


def listed_rule(work: Work, tables: Tables) -> Rule | None:
    """A host of an openly licensed list, where no rule for the host or its suffix says more."""
    if any(rule(work, tables) for rule in (domain_rule, suffix_rule, platform_rule)):
        return None
    listed = listed_hosts()
    key = next((suffix for suffix in suffixes(work.host) if suffix in listed), "")
    return replace(listed[key], key=key) if key else None


def indexed_rule(work: Work, tables: Tables) -> Rule | None:
    """A record of PubMed, or a registered DOI."""
    if work.indexed:
        return PUBMED
    if not work.doi or (work.kind == SourceKind.LOCAL and preprint_doi(work.doi, tables)):
        return None
    return REGISTERED


def newsroom_rule(work: Work, tables: Tables) -> Rule | None:
    """An article of the curated newsroom: by its outlet's own rule where there is one, even a lower
    one."""
    if work.kind != SourceKind.NEWSROOM:
        return None
    return tables.outlets.get(title_key(work.outlet or ""), NEWSROOM)


def platform_rule(work: Work, tables: Tables) -> Rule | None:
    """A place where anybody may write."""
    return longest(work.host, tables.platforms)


def local_rule(work: Work, tables: Tables) -> Rule | None:
    """One of the user's own documents without a DOI or venue that says more."""
    return LOCAL


BaseRule = Callable[[Work, Tables], Rule | None]
_RULES: tuple[BaseRule, ...] = (
    own_rule,
    venue_rule,
    published_rule,
    preprint_rule,
    domain_rule,
    suffix_rule,
    listed_rule,
    indexed_rule,
    newsroom_rule,
    platform_rule,
)
_LOCAL_RULES: tuple[BaseRule, ...] = (
    own_rule,
    venue_rule,
    published_rule,
    preprint_rule,
    indexed_rule,
    local_rule,
)


def registering_doi(
    url: str, host: str, doi: str | None, kind: str | None, tables: Tables
) -> str | None:
    """The DOI under which this very work is registered.

    A DOI that merely stands in the address of a page somewhere ("blog.example/on-10.1038-x")
    registers nothing: it counts at the resolver and on hosts of publishers, indexes and preprint
    servers, or when a provider declares it.
    """
    from_url = dois(url)
    declared = dois("", doi)
    if declared and not (kind in _PAGES and declared[0] in from_url):
        return declared[-1]
    rule = longest(host, tables.hosts)
    trusted = host == "doi.org" or host.endswith(".doi.org") or (rule and rule.scholarly)
    return from_url[-1] if from_url and trusted else None


def issns_of(issn: str | None) -> tuple[str, ...]:
    """ISSNs in a field that may hold several ("0028-0836, 1476-4687")."""
    parts = (issn or "").replace(";", ",").replace(" ", ",").split(",")
    return tuple(key for key in map(issn_key, parts) if key)
