"""Source: one work or page, with the keys that make two records of it the same.

The canonical key of a source is the first of: DOI, arXiv id, PMID, PMCID, canonical URL, document
hash. `source_id` is a hash of that key, so that one work found by five clients is one source.

Outcome and FetchedPage are what asking a source and reading a page give back. A failure is data
there: problem is a sentence, reason a kind.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from tools.documents.model import Link, Snapshot
from tools.sources.source_kind import SourceKind as SourceKind

ARXIV_DOI = "10.48550/arxiv."
OF_QUESTION = "question"  # provider of the addresses that a question names

# Old DOIs of serials hold "<" and ">", and end with ";2-" and a check character
_SICI = r"\(sici\)[^\s\"]{5,120}?;2-[a-z0-9]"
_DOI = re.compile(
    r"10\.\d{4,9}/(?:" + _SICI + r"|[^\s\"<>{}|\\^`\[\]\x00-\x1f\x7f-\x9f]{1,200})", re.I
)
_ARXIV = re.compile(
    r"(?:arxiv[:./ ]|/(?:abs|pdf|html)/)((?:\d{4}\.\d{4,5})|(?:[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7}))",
    re.I,
)
_ARXIV_BARE = re.compile(
    r"^((?:\d{4}\.\d{4,5})|(?:[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7}))(?:v\d{1,3})?$", re.I
)
_TRACKING = re.compile(
    r"^(utm_.*|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref_src|spm|_hsenc|_hsmi|yclid|wt_mc|cmpid)$",
    re.I,
)
_PORTS = {"http": "80", "https": "443"}


@dataclass(frozen=True, slots=True)
class Filters:
    """The limits of a run. since, until: ISO dates. urls are read first and stay in the pool. The
    default filters nothing."""

    since: str | None = None
    until: str | None = None
    sites: tuple[str, ...] = ()
    exclude_sites: tuple[str, ...] = ()
    lang: str | None = None
    urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A notice on a work: `kind` is retracted, concern, correction, withdrawn; `by` says who
    reports it."""

    kind: str
    by: str
    date: str | None = None
    reason: str | None = None
    notice: str | None = None

    @property
    def retracts(self) -> bool:
        """Whether its publisher or its authors have taken the work back."""
        return self.kind in ("retracted", "withdrawn")


# The category of a source whose outlet no rule and no list has: its score is the middle, not a
# rating
NOT_LISTED = "Unknown source"
CONCERN_FACTOR = 0.5  # what an expression of concern leaves of a score
PREPRINT = "preprint"  # the rule of the tables for works that nobody reviewed


@dataclass(frozen=True, slots=True)
class Credibility:
    """A score with everything that led to it (spec of the numbers: docs/credibility.md).

    score: 0..0.95. modifiers: citation, cross_reference, journal (empty when overridden).
    overrides: retracted, predatory_publisher, concern. breakdown: the one sentence. eeat: facets
    0..1 and `overall`.
    """

    score: float
    category: str
    base_score: float
    modifiers: Mapping[str, float] = field(default_factory=dict)
    overrides: tuple[str, ...] = ()
    breakdown: str = ""
    eeat: Mapping[str, float] = field(default_factory=dict)
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_rated(self) -> bool:
        """Whether a rule or a notice stands behind the score. Otherwise it is only the middle, for
        rankings."""
        return self.category != NOT_LISTED or bool(self.overrides)

    @property
    def is_preprint(self) -> bool:
        """Whether the base rule is that of preprints: not that of their published versions."""
        return self.detail.get("rule") == PREPRINT


@dataclass(frozen=True, slots=True)
class Source:
    """One work or page.

    published: ISO date, possibly only "2024" or "2024-05". cited_by_count: None = unknown, never 0
    for unknown. references: keys of cited works as in `canonical_key` ("doi:10.1/x",
    "arxiv:2401.00001", "openalex:W1"). ids: further identifiers by name ("openalex": "W1",
    "semantic_scholar": ...). fields: what a provider says beyond the common fields ("topic_tags",
    "country_tags", "outlet", "affiliations"). abstract: text from a scholarly index (evidence,
    "abstract only"). snippet: a search engine's extract (never evidence). reasons: why it was read;
    relevance: what its place among the candidates was computed from ("meaning", "words", "kind").
    """

    source_id: str
    url: str
    title: str
    authors: tuple[str, ...] = ()
    published: str | None = None
    source_type: str = SourceKind.WEB.value
    providers: tuple[str, ...] = ()
    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    venue: str | None = None
    issn: str | None = None
    publisher: str | None = None
    language: str | None = None
    cited_by_count: int | None = None
    references: tuple[str, ...] = ()
    snippet: str = ""
    abstract: str = ""
    fulltext_url: str | None = None
    document_id: str | None = None
    ids: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    hop: int = 0
    tag: str | None = None
    snapshot_id: str | None = None
    reasons: tuple[str, ...] = ()
    relevance: Mapping[str, float] = field(default_factory=dict)
    rejected: str | None = None
    credibility: Credibility | None = None

    @property
    def is_local(self) -> bool:
        """Whether it is one of the user's own documents."""
        return self.source_type == SourceKind.LOCAL

    @property
    def is_preprint(self) -> bool:
        return self.credibility is not None and self.credibility.is_preprint


def find_doi(text: str | None) -> str | None:
    """The first DOI in a text or URL, lower case, without trailing punctuation; None when there is
    none."""
    match = _DOI.search(unquote(text or ""))
    if not match:
        return None
    doi = re.split(r"[?#&]", match.group(0))[0].rstrip(".,;:'")
    while doi.endswith(")") and doi.count(")") > doi.count("("):
        doi = doi[:-1]
    return doi.lower() or None


def work_address(doi: str | None, otherwise: str = "") -> str:
    """The page of a work: where its DOI leads; `otherwise` when it has none."""
    return f"https://doi.org/{doi}" if doi else otherwise


def quoted_doi(doi: str) -> str:
    """A DOI as part of a path: its slashes stay, anything else that has a meaning there does
    not."""
    return quote(doi, safe="/:()")


def doi_keys(texts: Iterable[Any]) -> tuple[str, ...]:
    """Keys of the works whose DOIs stand in some texts, each once."""
    dois = (find_doi(text) for text in texts if isinstance(text, str))
    return tuple(dict.fromkeys(f"doi:{doi}" for doi in dois if doi))


def is_preprint_doi(doi: str | None) -> bool:
    """Whether it is the DOI under which arXiv registers a paper with DataCite; Crossref and
    Unpaywall know none."""
    return (doi or "").startswith(ARXIV_DOI)


def find_arxiv_id(text: str | None) -> str | None:
    """The arXiv id in a text or URL, without its version ("2312.12345", "astro-ph/0601001")."""
    match = _ARXIV_BARE.match((text or "").strip()) or _ARXIV.search(text or "")
    return match.group(1).lower() if match else None


# Bidirectional controls could show a name in another order than it is kept; the block of tags
# repeats ASCII unseen
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
_BREAKS = re.compile("[\t\n\r\x0b\x0c\x85\u2028\u2029]")


def canonical_url(url: str) -> str:
    """Scheme and host in lower case, no default port, fragment or tracking parameters."""
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return url.strip()
    if not host:
        return url.strip()
    scheme = parts.scheme.lower()
    if port and str(port) != _PORTS.get(scheme):
        host = f"{host}:{port}"
    query = urlencode(
        [
            (k, v)
            for k, v in parse_qsl(parts.query, keep_blank_values=True)
            if not _TRACKING.match(k)
        ]
    )
    path = quote(parts.path, safe="/%:@!$&'()*+,;=~-._") or "/"
    return urlunsplit((scheme, host, path, query, ""))


def canonical_key(source: Source) -> str:
    """The key two records share exactly when they are one work."""
    doi = source.doi if not (source.arxiv_id and is_preprint_doi(source.doi)) else None
    ids = (("doi", doi), ("arxiv", source.arxiv_id), ("pmid", source.pmid), ("pmcid", source.pmcid))
    for name, value in ids:
        if value:
            return f"{name}:{value.lower()}"
    if source.document_id:
        return f"document:{source.document_id}"
    return f"url:{canonical_url(source.url)}"


def id_of(key: str) -> str:
    """`source_id` of a canonical key: the first 16 hexadecimal digits of its sha256."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:16]


def in_one_line(text: str) -> str:
    """A text without control characters, signs that turn its direction, unseen letters and half
    characters."""
    return text if text.isprintable() else " ".join(_UNSEEN.sub("", _BREAKS.sub(" ", text)).split())


def make_source(url: str, title: str, **fields: Any) -> Source:
    """A source with the id of its canonical key; identifiers hidden in the URL are found.

    A DataCite DOI of arXiv ("10.48550/arxiv.2401.00001") gives the arXiv id as well, so that
    preprint records agree. What people are shown in one line (title, authors, venue, publisher)
    loses controls, signs of direction and unseen ones. An empty value is as good as none, also
    among authors and inside `ids` and `fields`.
    """
    values = _stated(fields)
    doi = find_doi(values.pop("doi", None)) or find_doi(url)
    arxiv_id = find_arxiv_id(values.pop("arxiv_id", None)) or (
        find_arxiv_id(url) if "arxiv.org" in url else None
    )
    if is_preprint_doi(doi):
        arxiv_id = arxiv_id or find_arxiv_id((doi or "").removeprefix(ARXIV_DOI))
    source = Source("", url, in_one_line(title), doi=doi, arxiv_id=arxiv_id, **values)
    return replace(source, source_id=id_of(canonical_key(source)))


def titled_source(url: str, title: str, **fields: Any) -> Source | None:
    """`make_source` of a hit; None where its address or its title is missing."""
    return make_source(url, title, **fields) if url and title else None


def _stated(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a source that say something, names in one line."""
    values = {name: value for name, value in fields.items() if value not in ("", None)}
    values["authors"] = tuple(filter(None, map(in_one_line, values.get("authors", ()))))
    for name in ("venue", "publisher"):
        values[name] = in_one_line(values.get(name, "")) or None
    for name in ("ids", "fields"):
        values[name] = {key: value for key, value in values.get(name, {}).items() if value}
    return values


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """A source client as the workflow sees it. kind: academic, web, newsroom, local.

    budget: searches per run; each: requests that one of them takes. What questions about works may
    cost is taken off.
    """

    name: str
    label: str
    kind: str
    budget: int
    deadline: float
    max_results: int
    each: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one request to one client gave. reason: a dead-end reason (no_results, error, budget,
    paywall ...).

    requests: what the client asked its service for this. parts: the outcomes of which this one was
    put together. A problem beside sources says what was missing although there is an answer. note:
    a sentence worth telling that is no problem. label: the client's name for people, where there is
    a problem.
    """

    client: str
    query: str
    sources: tuple[Source, ...] = ()
    problem: str | None = None
    reason: str | None = None
    seconds: float = 0.0
    cached: bool = False
    note: str = ""
    requests: int = 1
    parts: tuple["Outcome", ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What fetching one source gave: a snapshot and what the page says about itself, or a problem
    with its reason.

    references: keys of the works that its reference list identifies ("doi:10.1/x", "pmid:1"), where
    the text has one. raw_sha256: of the bytes that came. exhausted: open copies were tried, and
    this is one unless it is a problem. closed: the problem is the address itself, which is not
    asked.
    """

    source_id: str
    url: str
    snapshot: Snapshot | None = None
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str | None = None
    language: str | None = None
    doi: str | None = None
    problem: str | None = None
    reason: str | None = None
    cached: bool = False
    links: tuple[Link, ...] = ()
    references: tuple[str, ...] = ()
    raw_sha256: str | None = None
    exhausted: bool = False
    closed: bool = False
