"""What a page says about itself: <meta> (Highwire, Dublin Core, Open Graph), JSON-LD, <title>, lang."""

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from tools.corpus.parsers.dates import iso_date
from tools.research.source import find_doi
from tools.text.normalise import snapshot_text

MAX_AUTHORS = 100
MAX_VALUE = 1000
MAX_BODY = 500_000
_MAX_NODES = 2000
_ARTICLES = re.compile(
    r"article|blogposting|report|webpage|book|thesis|dataset|creativework|review|course|recipe|qapage", re.I
)
_TITLE = ("citation_title", "dc.title", "dcterms.title", "og:title", "twitter:title")
_AUTHORS = ("citation_author", "citation_authors", "dc.creator", "dcterms.creator", "author", "article:author")
_AUTHORS_LATE = ("parsely-author", "sailthru.author", "byl")
_PUBLISHED = (
    "citation_publication_date", "citation_date", "citation_online_date", "article:published_time", "dc.date",
    "dc.date.issued", "dcterms.issued", "dcterms.date", "datepublished", "date", "pubdate", "publish-date",
    "parsely-pub-date", "sailthru.date", "og:published_time", "og:article:published_time", "publication_date",
)  # fmt: skip
_DOI = (
    "citation_doi",
    "dc.identifier",
    "dc.identifier.doi",
    "dcterms.identifier",
    "doi",
    "prism.doi",
    "bepress_citation_doi",
)
_SITE = ("og:site_name", "citation_journal_title", "application-name", "dc.publisher", "citation_publisher")
_DESCRIPTION = ("description", "og:description", "dc.description", "twitter:description", "citation_abstract")
_LANGUAGE = ("citation_language", "dc.language", "dcterms.language", "og:locale", "content-language")
_SITE_SUFFIX = re.compile(
    r"(?<!\s)\s+[-–—|]\s+(?:Wikipedia|Wikimedia Commons|MDN Web Docs|Stack Overflow|YouTube|GitHub)$"
)
_SPACE = re.compile(r"\s+")
_TAGS = re.compile(r"<[^<>]{1,200}>")
_URL = re.compile(r"^(?:https?:)?//|^www\.", re.I)


def metadata_of(tree: Any) -> dict[str, object]:
    """title, authors, published, language, doi, site, description of a parsed page; only those it states."""
    named = _named(tree)
    linked = _article_of(_linked_data(tree))
    found: dict[str, object] = {
        "title": _first(named, _TITLE) or _title(tree, _text(linked.get("headline"))),
        "authors": _authors(named, linked),
        "published": _date(_first(named, _PUBLISHED[:4]), linked.get("datePublished"), _first(named, _PUBLISHED)),
        "language": _language(tree, named, linked),
        "doi": next((doi for value in _values(named, _DOI) if (doi := find_doi(value))), None),
        "site": _first(named, _SITE) or _name_of(linked.get("publisher")),
        "description": _first(named, _DESCRIPTION) or _text(linked.get("description")),
    }
    return {key: value for key, value in found.items() if value}


def article_body(tree: Any) -> str:
    """The text of the article as the page's JSON-LD carries it ("" when it does not), lines as it has them."""
    body = _article_of(_linked_data(tree)).get("articleBody")
    return snapshot_text(unescape(_TAGS.sub(" ", body[:MAX_BODY]))).strip() if isinstance(body, str) else ""


def clean_authors(values: list[str]) -> list[str]:
    """Names without "By", addresses and doubles, in order; "A and B" and "A; B" are several."""
    names: list[str] = []
    for value in values:
        for part in re.split(r"(?:(?<!\s)\s+)?;\s*|(?<!\s)\s+(?:and|&)\s+|\n", value):
            name = re.sub(r"^(?:by|von|par|por)\s+", "", part.strip(" ,@"), flags=re.I)
            if name and len(name) <= 120 and not _URL.search(name) and name.lower() not in map(str.lower, names):
                names.append(name)
    return names[:MAX_AUTHORS]


def _named(tree: Any) -> dict[str, list[str]]:
    """The contents of <meta> by their lower-case name."""
    named: dict[str, list[str]] = {}
    for element in tree.iter("meta"):
        key = element.get("name") or element.get("property") or element.get("itemprop") or element.get("http-equiv")
        value = _text(element.get("content"))
        if key and value:
            named.setdefault(key.strip().lower()[:80], []).append(value)
    return named


def _values(named: Mapping[str, list[str]], keys: tuple[str, ...]) -> Iterator[str]:
    return (value for key in keys for value in named.get(key, ()))


def _first(named: Mapping[str, list[str]], keys: tuple[str, ...]) -> str:
    return next(_values(named, keys), "")


def _title(tree: Any, headline: str) -> str:
    """The <title>; the headline of the JSON-LD instead when the <title> says it too (some put a description there)."""
    element = tree.find(".//title")
    tag = _text(element.text_content()) if element is not None else ""
    if headline and (not tag or headline.casefold()[:60] in tag.casefold()):
        return headline
    return _SITE_SUFFIX.sub("", tag) or tag


def _linked_data(tree: Any) -> Iterator[Mapping[str, Any]]:
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
            waiting += [node[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in node]
        elif isinstance(node, list):
            waiting += node[:_MAX_NODES]


def _article_of(nodes: Iterator[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The object that describes the text of the page: the article with the most to say."""
    best: Mapping[str, Any] = {}
    for node in nodes:
        if _ARTICLES.search(str(node.get("@type", ""))[:200]):
            keys = sum(1 for key in ("headline", "author", "datePublished", "publisher") if node.get(key))
            if keys > sum(1 for key in ("headline", "author", "datePublished", "publisher") if best.get(key)):
                best = node
    return best


def _authors(named: Mapping[str, list[str]], linked: Mapping[str, Any]) -> list[str]:
    scholarly = clean_authors(list(_values(named, _AUTHORS[:4])))
    if scholarly:
        return scholarly
    people = linked.get("author")
    listed = people if isinstance(people, list) else [people]
    return (
        clean_authors([name for person in listed[:MAX_AUTHORS] if (name := _name_of(person))])
        or clean_authors(list(_values(named, _AUTHORS)))
        or clean_authors(list(_values(named, _AUTHORS_LATE)))
    )


def _name_of(thing: Any) -> str:
    if isinstance(thing, list):
        thing = thing[0] if thing else None
    return _text(thing.get("name")) if isinstance(thing, dict) else _text(thing)


def _date(*values: Any) -> str | None:
    return next((date for value in values if (date := iso_date(_text(value)))), None)


def _language(tree: Any, named: Mapping[str, list[str]], linked: Mapping[str, Any]) -> str:
    root = tree.getroottree().getroot()
    value = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.get("xml:lang")
    value = value or _first(named, _LANGUAGE) or _text(linked.get("inLanguage"))
    match = re.match(r"[A-Za-z]{2,3}(?![A-Za-z])", str(value).strip())
    return match.group(0).lower() if match else ""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    plain = snapshot_text(unescape(_TAGS.sub("", value[: 4 * MAX_VALUE])))  # many pages escape twice
    return _SPACE.sub(" ", plain).strip()[:MAX_VALUE]
