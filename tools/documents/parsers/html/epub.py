"""EPUB: the documents of the spine in reading order, with the titles of the table of contents as
headings.

https://www.w3.org/TR/epub-33/ (container, package document, navigation) and OPF 2.0.1 (NCX).
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from tools.documents.model import Extracted, Request
from tools.documents.parsers.authors_and_dates import clean_authors, iso_date
from tools.documents.parsers.blocks import ParsedBlock, compose
from tools.documents.parsers.encoding import decode
from tools.documents.parsers.html.markup import blocks_of
from tools.documents.parsers.html.page import parse_tree
from tools.documents.parsers.office.zip_package import Package, parse_xml, refuse_entities
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError
from tools.sources.source import find_doi
from tools.text.normalise import snapshot_text

_WHAT = "EPUB"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")
MAX_SPINE = 5000


@dataclass(frozen=True, slots=True)
class _Item:
    """An entry of the manifest."""

    path: str
    media_type: str
    properties: str


def parse(request: Request) -> Extracted:
    """The text of a book; ParseError when it is protected, damaged, beyond the limits or without
    text."""
    package = Package(request.data, _WHAT)
    opf_path = _opf_path(package)
    opf = package.xml(opf_path)
    items = _manifest(opf, opf_path)
    references = (reference.get("idref") for reference in opf.iter("{*}itemref"))
    spine = [items[reference] for reference in references if reference in items]
    _refuse_protected(package, spine)
    titles = _titles(package, items)
    blocks: list[ParsedBlock] = []
    for item in list(dict.fromkeys(spine))[
        :MAX_SPINE
    ]:  # each document once, however often it is named
        if (
            item.media_type in _PAGES
            and "nav" not in item.properties.split()
            and package.has(item.path)
        ):
            blocks += _chapter(package.read(item.path), titles.get(item.path, ""))
    no_text = "This EPUB contains no text; its pages may be pictures."
    return compose(blocks).extracted(with_version("zorora-epub"), _metadata(opf), empty=no_text)


def _chapter(data: bytes, title: str) -> list[ParsedBlock]:
    """The blocks of one document; its title from the table of contents stands first when it has no
    heading."""
    refuse_entities(data, _WHAT)
    try:
        tree = parse_tree(decode(data, markup=True))
    except ParseError:
        return []  # an empty page between chapters
    body = tree.find("body")
    blocks = blocks_of(tree if body is None else body)
    if title and blocks and not any(block.level for block in blocks):
        blocks.insert(0, ParsedBlock(title, 1))
    return blocks


def _opf_path(package: Package) -> str:
    if package.has(_CONTAINER):
        for root_file in package.xml(_CONTAINER).iter("{*}rootfile"):
            path = unquote(root_file.get("full-path") or "")
            if package.has(path):
                return path
    paths = [name for name in package.names if name.lower().endswith(".opf")]
    if not paths:
        raise ParseError("This EPUB is damaged: it does not say which documents it consists of.")
    return paths[0]


def _manifest(opf: Any, opf_path: str) -> dict[str, _Item]:
    folder = posixpath.dirname(opf_path)
    items = {}
    for item in opf.iter("{*}item"):
        if item.get("id") and item.get("href"):
            path = _inside(folder, item.get("href"))
            kind = (item.get("media-type") or "").lower()
            items[item.get("id")] = _Item(path, kind, item.get("properties") or "")
    return items


def _inside(folder: str, href: str) -> str:
    """The name of a part that a reference names; references never leave the package, they only fail
    to be found."""
    return posixpath.normpath(posixpath.join(folder, unquote(href.split("#", 1)[0])))


def _refuse_protected(package: Package, spine: list[_Item]) -> None:
    """Books under copy protection encrypt their chapters; obfuscated fonts alone do no harm."""
    if not package.has(_ENCRYPTION):
        return
    locked = {
        unquote(reference.get("URI") or "")
        for reference in package.xml(_ENCRYPTION).iter("{*}CipherReference")
    }
    if any(item.path in locked for item in spine):
        raise ParseError(
            "This EPUB is copy protected (DRM); its text is encrypted and cannot be read here."
        )


def _titles(package: Package, items: dict[str, _Item]) -> dict[str, str]:
    """Chapter titles by document, from the navigation document or the NCX; the first title of each
    counts."""
    titles: dict[str, str] = {}
    for item in items.values():
        if not package.has(item.path):
            continue
        if "nav" in item.properties.split():
            pairs = _nav_titles(package.read(item.path))
        elif item.media_type == "application/x-dtbncx+xml":
            pairs = _ncx_titles(package.read(item.path))
        else:
            continue
        for href, title in pairs:
            if title and href:
                titles.setdefault(_inside(posixpath.dirname(item.path), href), title)
    return titles


def _nav_titles(data: bytes) -> Iterator[tuple[str, str]]:
    for link in parse_xml(data, _WHAT).iter("{*}a"):
        yield link.get("href") or "", _plain(" ".join(link.itertext()))


def _ncx_titles(data: bytes) -> Iterator[tuple[str, str]]:
    for point in parse_xml(data, _WHAT).iter("{*}navPoint"):
        label, content = point.find("{*}navLabel/{*}text"), point.find("{*}content")
        if label is not None and content is not None:
            yield content.get("src") or "", _plain(label.text or "")


def _metadata(opf: Any) -> dict[str, object]:
    """Dublin Core of the package document."""
    values: dict[str, list[str]] = {}
    for element in opf.iter("{http://purl.org/dc/elements/1.1/}*"):
        values.setdefault(element.tag.rsplit("}", 1)[-1].lower(), []).append(
            _plain("".join(element.itertext()))
        )
    return {
        "title": next(iter(values.get("title", ())), "")[:500],
        "authors": clean_authors(values.get("creator", [])),
        "published": next((d for value in values.get("date", ()) if (d := iso_date(value))), None),
        "language": next(iter(values.get("language", ())), "")[:2].lower(),
        "doi": next((d for value in values.get("identifier", ()) if (d := find_doi(value))), None),
        "site": next(iter(values.get("publisher", ())), "")[:200],
        "description": next(iter(values.get("description", ())), "")[:1000],
    }


def _plain(text: str) -> str:
    return " ".join(snapshot_text(text).split())
