"""What a JATS article says about itself, and whom it cites. https://jats.nlm.nih.gov/archiving/tag-library/1.3/

Older NLM tag sets are read too: `citation` for `mixed-citation`, `journal-title` without a group,
"pmc" and "pmcid".
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tools.documents.model import Entry
from tools.documents.parsers.office.equations import equation_text
from tools.sources.answer_fields import author_ids, distinct, number, partial_date
from tools.sources.source import find_arxiv_id, find_doi

_WEB = ("http://", "https://")
_XLINK = "{http://www.w3.org/1999/xlink}href"
# Where an article appeared, the most telling first; a date of release in PMC is none
_DATES = ("epub", "pub", "ppub", "epub-ppub", "collection", "preprint", "")
_NOTICES = {
    "retracted-article": "retraction",
    "corrected-article": "correction",
    "object-of-concern": "expression_of_concern",
}
_SPACE = re.compile(r"\s+")
_CITATIONS = (
    "element-citation",
    "mixed-citation",
    "citation",
    "nlm-citation",
    "citation-alternatives",
)
_NAMES = ("name", "name-alternatives/name", "string-name", "collab")
_MAX_REFERENCES = 5000


def articles(root: Any) -> list[Any]:
    """The articles of a document: itself, or those of a set."""
    return [root] if root.tag == "article" else list(root.iterfind("article"))


def line(element: Any) -> str:
    """All text in an element as one line; formulas once, comments and notes left out."""
    return "" if element is None else _SPACE.sub(" ", "".join(pieces(element))).strip()


def pieces(element: Any) -> Iterator[str]:
    """The text in an element, piece by piece. The tail is not part of it."""
    if not isinstance(element.tag, str):
        return
    yield element.text or ""
    has_mathml = (
        element.tag == "alternatives"
        and element.find("{http://www.w3.org/1998/Math/MathML}math") is not None
    )
    for child in element:
        name = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
        if name in (
            "fn",
            "annotation",
            "annotation-xml",
            "object-id",
            "media",
            "tex-math",
        ) and not (name == "tex-math" and not has_mathml):
            pass  # told elsewhere, or the same formula again
        elif name == "math":
            yield equation_text(child)
        elif not _is_mark(child):
            if name in ("break", "p", "list-item", "title"):
                yield " "
            yield from pieces(child)
        yield child.tail or ""


def front(article: Any) -> dict[str, Any]:
    """Metadata: title, authors, published, doi, pmid, pmcid, venue, issn, publisher, language,
    license, keywords ..."""
    meta = _first(article, "front/article-meta", "front-stub")
    if meta is None:
        return {}
    ids = {e.get("pub-id-type") or "": line(e) for e in meta.iterfind("article-id")}
    people = [
        c
        for c in meta.iterfind("contrib-group/contrib")
        if c.get("contrib-type", "author") == "author"
    ]
    fields = {
        "title": _title(meta),
        "authors": list(filter(None, map(_name, (_first(person, *_NAMES) for person in people)))),
        "author_ids": author_ids("orcid", map(_orcid, people)),
        "published": _published(meta),
        "doi": find_doi(ids.get("doi")) or "",
        "pmid": ids.get("pmid", ""),
        "pmcid": _pmcid(ids),
        "venue": line(article.find("front/journal-meta//journal-title")),
        "issn": line(article.find("front/journal-meta/issn")),
        "publisher": line(article.find("front/journal-meta/publisher/publisher-name")),
        "language": (article.get("{http://www.w3.org/XML/1998/namespace}lang") or "")[:2].lower(),
        "type": article.get("article-type") or "",
        "volume": line(meta.find("volume")),
        "issue": line(meta.find("issue")),
        "pages": _pages(meta),
        "license": _license(meta),
        "keywords": [word for kwd in meta.iterfind("kwd-group/kwd") if (word := line(kwd))],
        "affiliations": _affiliations(meta),
        "notice_on": _notices(meta),
    }
    return {name: value for name, value in fields.items() if value}


def abstract(article: Any) -> Any:
    """The element of the main abstract; teasers, graphical and translated ones only when there is
    no other."""
    abstracts = article.findall("front/article-meta/abstract")
    plain = [element for element in abstracts if not element.get("abstract-type")]
    return next(iter(plain or abstracts), None)


def abstract_lines(article: Any) -> list[str]:
    """Lines of the abstract: titles of its parts and paragraphs."""
    element = abstract(article)
    if element is None:
        return []
    parts = [part for part in element.iter("title", "p") if isinstance(part.tag, str)]
    lines = [line(part) for part in parts] if parts else [line(element)]
    return [text for text in lines if text and text.lower().strip(" .:") != "abstract"]


def references(article: Any) -> tuple[Entry, ...]:
    """The reference list: each work with its identifiers, as keyword arguments of `make_source`."""
    entries = []
    for reference in list(article.iterfind("back//ref-list//ref"))[:_MAX_REFERENCES]:
        for citation in (child for child in reference if child.tag in _CITATIONS):
            if citation.tag != "citation-alternatives":
                inner = citation
            else:
                inner = _first(citation, *_CITATIONS[:4])
            if inner is not None and (entry := _entry(inner)):
                entries.append(entry)
    return tuple(entries)


def key_of(entry: Entry) -> str:
    """The canonical key of a cited work ("doi:10.1/x"); empty when it has no identifier."""
    for name, key in (("doi", "doi"), ("arxiv", "arxiv_id"), ("pmid", "pmid"), ("pmcid", "pmcid")):
        if value := entry.fields.get(key):
            return f"{name}:{str(value).lower()}"
    return ""


def _entry(citation: Any) -> Entry | None:
    text = line(citation)
    title = (
        line(_first(citation, "article-title", "chapter-title", "part-title", "source"))
        or text[:300]
    )
    if not title:
        return None
    links = [e.get(_XLINK) or line(e) for e in citation.iter("ext-link", "uri", "pub-id")]
    year = re.match(r"\d{4}", line(citation.find("year")))
    identifiers = _identifiers(citation, links, text)
    fields = {
        "authors": tuple(
            name for name in map(_name, citation.iter("name", "string-name", "collab")) if name
        ),
        "published": partial_date(year.group(0)) if year else None,
        "venue": line(citation.find("source")),
        "source_type": "academic",
        **identifiers,
    }
    doi = identifiers["doi"]
    address = (
        f"https://doi.org/{doi}" if doi else next((u for u in links if u.startswith(_WEB)), "")
    )
    return Entry(title, address, {name: value for name, value in fields.items() if value})


def _identifiers(citation: Any, links: Sequence[str], text: str) -> dict[str, str | None]:
    """What names a cited work: stated as such, else in a link, a DOI also anywhere in the text."""
    ids = {e.get("pub-id-type") or "": line(e) for e in citation.iter("pub-id")}
    dois = (find_doi(value) for value in (ids.get("doi"), *links, text))
    preprints = (
        find_arxiv_id(value) for value in (ids.get("arxiv"), *(u for u in links if "arxiv" in u))
    )
    pmid = ids.get("pmid", "")
    return {
        "doi": next(filter(None, dois), None),
        "arxiv_id": next(filter(None, preprints), None),
        "pmid": pmid if pmid.isdecimal() and int(pmid) else None,
        "pmcid": _pmcid(ids),
    }


def _first(element: Any, *paths: str) -> Any:
    return next((child for path in paths if (child := element.find(path)) is not None), None)


def _is_mark(element: Any) -> bool:
    """A raised citation mark ("shown^1,2"), which would run into the word before it, or the
    asterisk of a note."""
    if element.tag == "xref" and element.get("ref-type") in ("fn", "corresp", "author-notes"):
        return not re.search(r"\w", "".join(element.itertext()))
    if element.tag != "sup" or not len(element):
        return False
    refs = all(child.tag == "xref" and child.get("ref-type") == "bibr" for child in element)
    rest = (element.text or "") + "".join(child.tail or "" for child in element)
    return refs and not re.search(r"\w", rest)


def _pmcid(ids: dict[str, str]) -> str:
    digits = re.sub(r"\D", "", ids.get("pmcid") or ids.get("pmc") or "")
    return f"PMC{digits}" if digits else ""


def _title(meta: Any) -> str:
    title = line(_first(meta, "title-group/article-title"))
    subtitle = line(_first(meta, "title-group/subtitle"))
    return f"{title}: {subtitle}" if title and subtitle and subtitle not in title else title


def _name(element: Any) -> str:
    if element is None:
        return ""
    parts = [line(element.find(part)) for part in ("given-names", "surname", "suffix")]
    return " ".join(filter(None, parts)) if parts[1] else line(element)


def _orcid(person: Any) -> str:
    return line(person.find("contrib-id[@contrib-id-type='orcid']")).rpartition("/")[2]


def _published(meta: Any) -> str | None:
    dates = {
        e.get("pub-type") or e.get("date-type") or "": e for e in reversed(meta.findall("pub-date"))
    }
    for kind in (*_DATES, *dates):
        if kind in dates and not kind.startswith("pmc"):
            parts = [number(line(dates[kind].find(part))) for part in ("year", "month", "day")]
            if date := partial_date(*parts):
                return date
    return None


def _pages(meta: Any) -> str:
    ends = [line(meta.find("fpage")), line(meta.find("lpage"))]
    return "-".join(dict.fromkeys(filter(None, ends))) or line(meta.find("elocation-id"))


def _license(meta: Any) -> str:
    for element in meta.iterfind("permissions/license"):
        links = [
            element.get(_XLINK) or "",
            *(line(e) for e in element if str(e.tag).endswith("license_ref")),
        ]
        links += [e.get(_XLINK) or "" for e in element.iter("ext-link")]
        if address := next((link for link in links if link.startswith("http")), ""):
            return address
    return ""


def _affiliations(meta: Any) -> list[str]:
    places = [
        line(aff).removeprefix(line(aff.find("label"))).strip(" ,") for aff in meta.iter("aff")
    ]
    return distinct(places)


def _notices(meta: Any) -> list[dict[str, str]]:
    """Works that this one retracts or corrects."""
    return [
        {"type": _NOTICES[kind], "doi": find_doi(element.get(_XLINK)) or ""}
        for element in meta.iterfind("related-article")
        if (kind := element.get("related-article-type") or "") in _NOTICES
    ]
