"""RSS 0.9 to 2.0, RSS 1.0 (RDF) and Atom as sources: also broken XML, wrong encodings and markup
where text should be.

Feeds are written by many hands. Entities that only HTML knows are decoded; what a parser can repair
is repaired. Entities of a document's own are refused, DTDs and addresses are never loaded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape, unescape
from urllib.parse import parse_qs, urlsplit

from tools.documents.parsers.encoding import decode
from tools.errors import SourceError
from tools.sources.answer_fields import Element, clean, distinct, joined, link, xml_root
from tools.sources.source import Source, make_source
from tools.sources.web.web_dates import written_date

_PROLOGUE = re.compile(r"^\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]{0,400}>", re.I)
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)(?:#?[A-Za-z0-9]{1,31};)?")
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_BLOCKS = frozenset(
    "p div br li tr td th ul ol table blockquote h1 h2 h3 h4 h5 h6 pre hr section article".split()
)
_SILENT = frozenset("script style svg math iframe object video audio form".split())
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_NO_FEED = "no RSS or Atom feed"
_MOST_TEXT = 20_000
_LONGEST_SNIPPET = 1000
_DEEPEST = 200


def parse(data: bytes, address: str = "") -> list[Source]:
    """Entries in the feed's order as sources; those without address or any text are left out.
    address: for relative links.

    Raises SourceError when it is no feed.
    """
    root = _root(data)
    if _name(root) not in ("rss", "rdf", "feed", "channel"):
        raise SourceError(_NO_FEED)
    feed = _feed(root, address)
    items = [item for item in root.iter() if _name(item) in ("item", "entry")]
    sources = [source for item in items if (source := _source(item, feed)) is not None]
    if items and not sources:
        raise SourceError("broken: none of its entries has both an address and a text")
    return sources


@dataclass(frozen=True, slots=True)
class _Feed:
    base: str
    outlet: str
    language: str | None
    authors: tuple[str, ...]


def _feed(root: Element, address: str) -> _Feed:
    head = next((part for part in root if _name(part) == "channel"), root)
    return _Feed(
        base=_base(head, address),
        outlet=_plain(_child(head, "title")),
        language=_language(
            _child_text(head, "language") or head.get(_LANG, "") or root.get(_LANG, "")
        ),
        authors=_people(head) if _name(root) == "feed" else (),
    )


def _root(data: bytes) -> Element:
    # What says nothing of its encoding and is no UTF-8 is Windows-1252 more often than what a guess
    # finds
    declared = None if b"encoding" in data[:300] else "text/xml; charset=windows-1252"
    text = _ILLEGAL.sub("", decode(data, declared, markup=True)).lstrip()
    text = _DOCTYPE.sub("", _PROLOGUE.sub("", text, count=1))
    if "<!ENTITY" in text[:20_000].upper():
        raise SourceError("it declares entities of its own, which is refused")
    # Characters that XML does not know by name or number, and ampersands that begin none
    text = _REFERENCE.sub(lambda match: escape(_ILLEGAL.sub("", unescape(match[0]))), text)
    return xml_root(text.encode("utf-8"), repaired=True, problem=_NO_FEED)


def _source(item: Element, feed: _Feed) -> Source | None:
    """An entry with its summary, or the head of its content, and all its text for matching."""
    title, address = _plain(_child(item, "title")), _address(item, feed.base)
    url = unwrapped(address)
    texts = _texts(item)
    text = next(iter(texts), "")
    if not url or not (title or text):
        return None
    outlet = _outlet(item) or (feed.outlet if url == address else "")
    return make_source(
        url,
        title or text[:120],
        authors=_people(item) or feed.authors,
        published=_date(item),
        # A search (Google Alerts) finds anybody's pages, not those of one outlet
        source_type="newsroom" if url == address else "web",
        providers=("feeds",),
        doi=_child_text(item, "doi"),
        venue=outlet,
        language=_language(item.get(_LANG, "")) or feed.language,
        snippet=text[:_LONGEST_SNIPPET],
        fields={
            "type": "news",
            "outlet": outlet,
            "topic_tags": _tags(item),
            "image": _picture(item),
            "body": " ".join([title, *texts]),
        },
    )


def _texts(item: Element) -> list[str]:
    """Its summary and its content, in all forms in which feeds give them, each once."""
    return distinct(
        _plain(_child(item, name)) for name in ("description", "summary", "encoded", "content")
    )


def _picture(item: Element) -> str:
    pictures = (link(part.get("url")) for part in _children(item, "thumbnail"))
    return next(filter(None, pictures), "")


def _tags(item: Element) -> list[str]:
    parts = _children(item, "category", "subject")
    return distinct(_plain(part) or clean(part.get("term")) for part in parts)


def _outlet(item: Element) -> str:
    """Who published it, where the feed gathers from others."""
    source = _child(item, "source")
    return _plain(source) if source is not None and source.get("url") else ""


def _date(item: Element) -> str | None:
    """When it was published; else when it was changed."""
    names = ("published", "pubdate", "date", "issued", "created", "updated", "modified")
    return next((date for name in names if (date := written_date(_child_text(item, name)))), None)


def _address(item: Element, base: str) -> str:
    """The page of an entry: what a tracker hides, its link, a permanent id."""
    links = _children(item, "link")
    addresses = [
        part.get("href", "") for part in links if part.get("rel", "alternate") == "alternate"
    ]
    guid = _child(item, "guid")
    permanent = guid is not None and guid.get("isPermaLink", "true").lower() != "false"
    about = [value for name, value in item.attrib.items() if str(name).endswith("}about")]
    candidates = (
        _child_text(item, "origlink"),
        *addresses,
        *map(_text, links),
        _text(guid) if permanent else "",
        *map(str, about),
        _child_text(item, "id"),
    )
    stripped = filter(None, map(str.strip, map(str, candidates)))
    return next(filter(None, (_absolute(candidate, base) for candidate in stripped)), "")


def unwrapped(url: str) -> str:
    """The page that an address of Google Alerts leads to; any other address as it is."""
    parts = urlsplit(url)
    if (
        not re.fullmatch(r"(?:www\.)?google\.[a-z.]{2,6}", parts.hostname or "")
        or parts.path != "/url"
    ):
        return url
    params = parse_qs(parts.query)
    return next(
        (page for name in ("url", "q") for page in map(link, params.get(name, ())) if page), url
    )


def _absolute(address: str, base: str) -> str:
    if re.match(r"[a-z][a-z0-9+.-]*:", address, re.I):
        return link(address)
    return joined(base, address) if base else ""


def _base(head: Element, address: str) -> str:
    """What relative links are relative to: xml:base, the feed's address, or what it says about
    itself."""
    links = _children(head, "link")
    addresses = [
        part.get("href", "")
        for rel in ("self", "alternate")
        for part in links
        if part.get("rel") == rel
    ]
    candidates = (
        head.get(_BASE, ""),
        address,
        *addresses,
        *map(_text, links),
        _child_text(head, "id"),
    )
    return next((url for candidate in candidates if (url := link(candidate))), "")


def _people(part: Element) -> tuple[str, ...]:
    names = []
    for person in _children(part, "creator", "author", "contributor") or ():
        name = _plain(_child(person, "name")) if len(person) else _plain(person)
        # RSS: mail address (Name)
        bracketed = re.fullmatch(r"[^\s@]+@[^\s@]+ \((.{1,100})\)", name)
        names.append(bracketed[1] if bracketed else name)
    return tuple(dict.fromkeys(name for name in names if name and "@" not in name))


def _language(value: str) -> str | None:
    code = re.match(r"[A-Za-z]{2,3}(?=$|[-_])", value.strip())
    return code[0].lower() if code else None


def _name(part: Element) -> str:
    return _local_name(part.tag) if isinstance(part.tag, str) else ""


@lru_cache(maxsize=256)
def _local_name(tag: str) -> str:
    """A name without its namespace. A feed says the same few for every entry."""
    return tag.rpartition("}")[2].rpartition(":")[2].lower()


def _children(part: Element, *names: str) -> list[Element]:
    return [child for name in names for child in part if _name(child) == name]


def _child(part: Element, name: str) -> Element | None:
    """The first child of a name that is not of another medium's namespace when there is a
    choice."""
    children = _children(part, name)
    unprefixed = [child for child in children if "mrss" not in str(child.tag)]
    return next(iter(unprefixed or children), None)


def _child_text(part: Element, name: str) -> str:
    return _text(_child(part, name))


def _text(part: Element | None) -> str:
    return clean("".join(map(str, part.itertext()))) if part is not None else ""


def _plain(part: Element | None) -> str:
    """All text of an element, whether its markup is real, escaped, or in CDATA."""
    if part is None:
        return ""
    if len(part):
        text = " ".join("".join(_pieces(part)).split())[:_MOST_TEXT]
    else:
        text = (part.text or "")[:_MOST_TEXT]
    return clean(_without_markup(text) if "<" in text else text)


def _without_markup(text: str) -> str:
    from lxml import etree
    from lxml.html import fragment_fromstring

    try:
        return "".join(_pieces(fragment_fromstring(text, create_parent="div")))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return text


def _pieces(part: Element, depth: int = 0) -> Iterator[str]:
    """The texts inside, blocks apart by spaces, without scripts and drawings."""
    if depth > _DEEPEST:
        return
    yield part.text or ""
    for child in part:
        name = _name(child)
        gap = " " if name in _BLOCKS else ""
        if name and name not in _SILENT:
            yield gap
            yield from _pieces(child, depth + 1)
            yield gap
        yield child.tail or ""
