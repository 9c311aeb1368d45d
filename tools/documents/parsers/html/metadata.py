"""What a page says about itself: <meta> (Highwire, Dublin Core, Open Graph), JSON-LD, <title>,
<h1>, <time>, lang.

How the title and the date were found stands beside them: title_from is metadata or heading,
published_from is metadata, time (a <time> element) or text (a line such as "Last updated on 3 May
2024").
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from tools.documents.parsers.authors_and_dates import MAX_AUTHORS, clean_authors, iso_date
from tools.documents.parsers.html.linked_data import (
    article_of,
    linked_data,
    name_of,
    plain_value,
)
from tools.sources.source import find_doi

_TITLE = ("citation_title", "dc.title", "dcterms.title", "og:title", "twitter:title")
_AUTHORS = (
    "citation_author",
    "citation_authors",
    "dc.creator",
    "dcterms.creator",
    "author",
    "article:author",
)
_AUTHORS_LATE = ("parsely-author", "sailthru.author", "byl")
_PUBLISHED = (
    "citation_publication_date",
    "citation_date",
    "citation_online_date",
    "article:published_time",
    "dc.date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.date",
    "datepublished",
    "date",
    "pubdate",
    "publish-date",
    "parsely-pub-date",
    "sailthru.date",
    "og:published_time",
    "og:article:published_time",
    "publication_date",
)
_MODIFIED = (
    "article:modified_time",
    "og:updated_time",
    "dcterms.modified",
    "last-modified",
    "revised",
)
_BESIDE = frozenset(["aside", "footer", "nav"])
_DATED_LINE = re.compile(
    r"(?:last\s+(?:modified|updated|edited|changed|reviewed|revised)|(?:^|\W)(?:published|posted|updated|modified|issued)|"
    r"zuletzt\s+(?:bearbeitet|geändert|aktualisiert)|veröffentlicht|dernière\s+(?:modification|mise\s+à\s+jour)|publié)\b"
    r"(?:\s+(?:on|at|am|le|in))?\s*:?",
    re.I,
)
_DATED_WORDS = ("last", "publish", "posted", "updated", "modified", "issued", "zuletzt")
_HEADINGS, _MAX_TIMES, _MAX_PIECES = 5, 50, 12
_LONG_LINE, _SHORT_LINE = 160, 60
_NAMED_DATE = re.compile(
    r"(?:^|[\s_-])(?:date|datum|fecha|published|posted-?on|dateline|timestamp)(?:$|[\s_-])", re.I
)
_SEPARATED = re.compile(r"(\s{1,8}(?:[-–—|›»•·]|::)\s+)")
_SITE_PART = re.compile(r"\s*(?:[-–—|·:»]|\(|\[)")
_DOI = (
    "citation_doi",
    "dc.identifier",
    "dc.identifier.doi",
    "dcterms.identifier",
    "doi",
    "prism.doi",
    "bepress_citation_doi",
)
_SITE = (
    "og:site_name",
    "citation_journal_title",
    "application-name",
    "dc.publisher",
    "citation_publisher",
)
_DESCRIPTION = (
    "description",
    "og:description",
    "dc.description",
    "twitter:description",
    "citation_abstract",
)
_LANGUAGE = (
    "citation_language",
    "dc.language",
    "dcterms.language",
    "og:locale",
    "content-language",
)
_TYPE = re.compile(r'"@type"\s{0,9}:\s{0,9}"(\w{1,60})"')
_PAGE_KINDS = (
    {"Article", "NewsArticle", "BlogPosting", "TechArticle", "Report", "ReportageNewsArticle"},
    {"DiscussionForumPosting", "QAPage", "Question"},
    {"Product", "ProductGroup"},
    {"ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog"},
)
_SITE_SUFFIX = re.compile(
    r"(?<!\s)\s+[-–—|]\s+(?:Wikipedia|Wikimedia Commons|MDN Web Docs"
    r"|Stack Overflow|YouTube|GitHub)$"
)


def metadata_of(tree: Any) -> dict[str, object]:
    """title, authors, published, language, doi, site, description of a parsed page; only those it
    states."""
    names = _meta_contents(tree)
    nodes = list(linked_data(tree))
    linked = article_of(nodes)
    dated = next((node for node in nodes if node.get("datePublished")), linked)
    title, title_from = _title(tree, names, plain_value(linked.get("headline")))
    published, published_from = _published(
        tree, names, dated if not linked.get("datePublished") else linked
    )
    metadata: dict[str, object] = {
        "title": title,
        "title_from": title_from,
        "authors": _authors(names, linked),
        "published": published,
        "published_from": published_from,
        "language": _language(tree, names, linked),
        "doi": next((doi for value in _values(names, _DOI) if (doi := find_doi(value))), None),
        "site": _first(names, _SITE) or name_of(linked.get("publisher")),
        "description": _first(names, _DESCRIPTION) or plain_value(linked.get("description")),
    }
    return {key: value for key, value in metadata.items() if value}


def is_made_for_sharing(tree: Any) -> bool:
    """Whether a page describes itself to social networks or search engines, as web sites do and
    manuals do not."""
    return any(key.startswith(("og:", "twitter:")) for key in _meta_contents(tree)) or any(
        True for _ in linked_data(tree)
    )


def page_kinds(tree: Any) -> list[float]:
    """Whether a page says it is an article, a discussion, a product, a list; the same for its Open
    Graph type."""
    types = {kind for script in tree.iter("script") for kind in _TYPE.findall(script.text or "")}
    shared = _first(_meta_contents(tree), ("og:type",)).lower()
    graph = (shared == "article", shared in ("", "website"), shared.startswith("product"))
    return [*(float(not types.isdisjoint(kind)) for kind in _PAGE_KINDS), *map(float, graph)]


def _meta_contents(tree: Any) -> dict[str, list[str]]:
    """The contents of <meta> by their lower-case name."""
    values: dict[str, list[str]] = {}
    for element in tree.iter("meta"):
        key = (
            element.get("name")
            or element.get("property")
            or element.get("itemprop")
            or element.get("http-equiv")
        )
        value = plain_value(element.get("content"))
        if key and value:
            values.setdefault(key.strip().lower()[:80], []).append(value)
    return values


def _values(names: Mapping[str, list[str]], keys: tuple[str, ...]) -> Iterator[str]:
    return (value for key in keys for value in names.get(key, ()))


def _first(names: Mapping[str, list[str]], keys: tuple[str, ...]) -> str:
    return next(_values(names, keys), "")


def _title(tree: Any, names: Mapping[str, list[str]], headline: str) -> tuple[str, str]:
    """The title of the text, without the name of its site, and where it stands; ("", "") without
    one."""
    scholarly = _first(names, _TITLE[:3])
    if scholarly:
        return scholarly, "metadata"
    tag = plain_value(
        "".join(element.itertext()) if (element := tree.find(".//title")) is not None else ""
    )
    shared = _first(names, _TITLE)
    headings = [
        plain_value("".join(element.itertext())) for element in islice(tree.iter("h1"), _HEADINGS)
    ]
    titles = [title for title in (tag, shared, headline) if title]
    # What the page shows as its title, when what it says about itself is that too
    for heading in headings:
        if len(heading) > 2 and any(_begins_with(title, heading) for title in titles):
            return heading, "heading"
    if len(headings) == 1 and any(_is_like(title, headings[0]) for title in titles):
        return headings[0], "heading"
    if headline and (not tag or headline.casefold()[:60] in tag.casefold()):
        return headline, "metadata"
    title = _without_site(shared or tag, _first(names, _SITE))
    if title:
        return title, "metadata"
    return next(((heading, "heading") for heading in headings if heading), ("", ""))


def _is_like(title: str, heading: str) -> bool:
    """Whether most words of the one are words of the other."""
    ours, theirs = (set(re.findall(r"\w+", text.casefold())) for text in (title, heading))
    return 2 * len(ours & theirs) > max(len(ours), len(theirs))


def _without_site(title: str, site: str) -> str:
    """A title without the name of its site at the end."""
    parts = _SEPARATED.split(title)
    if len(parts) < 3:
        return title
    tail, rest = parts[-1], "".join(parts[:-2]).strip()
    usual = (
        parts[-2].strip() in ("|", "›", "»", "•", "·", "::")
        and len(rest.split()) >= 3
        and len(tail.split()) <= 5
    )
    if usual or tail.casefold() == site.casefold():
        return rest
    return _SITE_SUFFIX.sub("", title) or title


def _begins_with(title: str, heading: str) -> bool:
    """Whether a stated title is the heading, or the heading with the name of a site after it."""
    rest = title[len(heading) :]
    return title.casefold().startswith(heading.casefold()) and (
        not rest or bool(_SITE_PART.match(rest))
    )


def _published(
    tree: Any, names: Mapping[str, list[str]], linked: Mapping[str, Any]
) -> tuple[str, str]:
    """The date of the text and where it stands; ("", "") without one."""
    dated_elements = [
        element.get("content") or element.get("datetime") or element.text
        for element in tree.xpath(".//*[@itemprop='datePublished']")[:3]
    ]
    meta_date = _date(
        *(_first(names, _PUBLISHED[:4]), linked.get("datePublished"), _first(names, _PUBLISHED)),
        *(*dated_elements, linked.get("dateModified"), _first(names, _MODIFIED)),
    )
    if meta_date:
        return meta_date, "metadata"
    if visible_date := _visible_date(tree):
        return visible_date, "time"
    line = _dated_line(tree) or _dated_element(tree)
    return (line, "text") if line else ("", "")


def _visible_date(tree: Any) -> str | None:
    """The date of a <time> element, but for a year alone."""
    date = _date(*(element.get("datetime") or element.text for element in _times(tree)))
    return date if date and "-" in date else None


def _dated_element(tree: Any) -> str | None:
    """The date in the first short element that is named as one."""
    for element in tree.iterfind(".//*[@class]"):
        if _NAMED_DATE.search(element.get("class")) and element.tag not in (
            "body",
            "article",
            "time",
        ):
            text = plain_value("".join(islice(element.itertext(), _MAX_PIECES)))
            date = iso_date(text) if len(text) <= _SHORT_LINE and not _is_beside(element) else None
            if date and "-" in date:
                return date
    return None


def _is_beside(element: Any) -> bool:
    """Whether an element stands in a side column, a footer, or comments."""
    return any(
        outer.tag in _BESIDE or "comment" in (outer.get("class") or "")
        for outer in element.iterancestors()
    )


def _times(tree: Any) -> list[Any]:
    """The first <time> element that is in no comment, side column or footer, and in no paragraph:
    there it is a day that the text tells of."""
    times = islice(tree.iter("time"), _MAX_TIMES)
    return [element for element in times if not (_is_beside(element) or _is_in_prose(element))][:1]


def _is_in_prose(element: Any) -> bool:
    block = next(element.iterancestors("p", "li", "td", "dd", "div", "header", "article"), None)
    if block is None or (block.tag != "p" and any(True for _ in block.iter("p", "h1", "h2", "h3"))):
        return False  # a part of the page with paragraphs of its own
    return len("".join(islice(block.itertext(), _MAX_PIECES))) > _LONG_LINE


def _dated_line(tree: Any) -> str | None:
    """The date of a short line that tells when the page was published or changed."""
    for element in tree.iter("p", "div", "span", "small", "li", "td", "footer"):
        if _may_be_dated(element.text) or (len(element) and _may_be_dated(element[0].text)):
            line = plain_value("".join(islice(element.itertext(), _MAX_PIECES)))
            match = _DATED_LINE.search(line)
            date = iso_date(line[match.end() :][:60]) if match and len(line) <= _LONG_LINE else None
            if date and "-" in date:
                return date
    return None


def _may_be_dated(text: str | None) -> bool:
    """Whether a text holds what stands before a date; a plain search tells most that do not."""
    if not text or text.isspace():
        return False
    words = text.lower()
    may_be = not text.isascii() or any(map(words.__contains__, _DATED_WORDS))
    return may_be and bool(_DATED_LINE.search(text))


def _authors(names: Mapping[str, list[str]], linked: Mapping[str, Any]) -> list[str]:
    scholarly = clean_authors(list(_values(names, _AUTHORS[:4])))
    if scholarly:
        return scholarly
    people = linked.get("author")
    entries = people if isinstance(people, list) else [people]
    return (
        clean_authors([name for person in entries[:MAX_AUTHORS] if (name := name_of(person))])
        or clean_authors(list(_values(names, _AUTHORS)))
        or clean_authors(list(_values(names, _AUTHORS_LATE)))
    )


def _date(*values: Any) -> str | None:
    return next((date for value in values if (date := iso_date(plain_value(value)))), None)


def _language(tree: Any, names: Mapping[str, list[str]], linked: Mapping[str, Any]) -> str:
    root = tree.getroottree().getroot()
    value = (
        root.get("lang")
        or root.get("{http://www.w3.org/XML/1998/namespace}lang")
        or root.get("xml:lang")
    )
    value = value or _first(names, _LANGUAGE) or plain_value(linked.get("inLanguage"))
    match = re.match(r"[A-Za-z]{2,3}(?![A-Za-z])", str(value).strip())
    return match.group(0).lower() if match else ""
