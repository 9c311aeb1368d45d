"""HTML: the main text by trafilatura, with our own rendering, metadata and links; all of the page where it finds none.

Import of trafilatura costs about 0.9 s CPU; it happens in the parse pool's template process, once.
"""

import re
from copy import copy
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

from tools.corpus.detect import HTML
from tools.corpus.model import Extracted, Link
from tools.corpus.parsers.blocks import Composed, ParsedBlock, compose
from tools.corpus.parsers.encoding import decode
from tools.corpus.parsers.html_meta import article_body, metadata_of
from tools.corpus.parsers.markup import blocks_of
from tools.corpus.parsers.request import Request
from tools.corpus.sections import clean_title
from tools.errors import ParseError
from tools.text.normalise import snapshot_text

MAX_LINKS = 500
MAX_CHARACTERS = 30_000_000
MAX_ELEMENTS = 60_000
# What trafilatura found is a piece of the text, not the text, when it is less than this share of a page without its
# menus that consists of running text (few of its characters are links; lists of teasers are nothing but links).
_MIN_SHARE = 0.25
# On a small page of running text, our own rendering is taken when it holds hardly more: it keeps every heading.
_SAME_SHARE = 0.75
_MAX_LINK_SHARE = 0.2
_SMALL = 1500
_MIN_BODY = 300
_UNSEEN = re.compile(r"<(script|style|template|noscript)\b[^>]*>.*?</\1\s*>", re.I | re.S)
_ANY_TAG = re.compile(r"<[^<>]{0,5000}>")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,300}\?>")


def parse(request: Request) -> Extracted:
    """The main text of a page, its headings as sections, its metadata and its links (absolute, http and https)."""
    source = decode(request.data, request.media_type, markup=True)
    tree = parse_tree(source)
    metadata = metadata_of(tree)
    links = _links(tree, request.url)
    blocks, extractor = _main_blocks(tree)
    composed = compose(blocks)
    if not composed.text:
        composed, extractor = compose([ParsedBlock(_bare(source))]), "zorora-html 1"
    if not composed.text:
        raise ParseError("This page holds no readable text; it may build its content with scripts or be empty.")
    title = str(metadata.get("title") or _first_heading(composed))
    sections = composed.sections(title)
    return Extracted(composed.text, HTML, extractor, title, sections, (), links, (), metadata, blocks=composed.blocks)


def parse_tree(text: str) -> Any:
    """The element tree of an HTML text; ParseError when nothing is in it or it is too large."""
    from lxml import etree, html

    if len(text) > MAX_CHARACTERS:
        raise ParseError(f"This page is too large to read: {len(text):,} characters, the limit is {MAX_CHARACTERS:,}.")
    cleaned = _DECLARATION.sub("", snapshot_text(text), count=1)
    parser = html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        tree = html.document_fromstring(cleaned.encode("utf-8"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as exc:
        raise ParseError("This page holds no readable text; it is empty, not HTML, or too large.") from exc
    return tree


def _main_blocks(tree: Any) -> tuple[list[ParsedBlock], str]:
    """Main text, or the page without its menus when that text is missing or only a piece of a small page."""
    import trafilatura

    if tree.xpath(f"boolean((//*)[{MAX_ELEMENTS}])"):  # trafilatura would need minutes
        return blocks_of(_body(tree), chrome=False), "zorora-html 1"
    # a copy, since trafilatura takes the tree apart
    found: Any = trafilatura.bare_extraction(copy(tree), include_comments=False, with_metadata=False)
    main = blocks_of(found.body, teiheads=True) if found is not None else []
    size = _size(main)
    if size < _SMALL:
        whole = blocks_of(_body(tree), chrome=False) or blocks_of(_body(tree))
        share = size / max(1, _size(whole))
        running = _link_share(tree, whole) < _MAX_LINK_SHARE
        body = article_body(tree)
        if len(body) > max(_MIN_BODY, 3 * _size(whole)):  # a page that builds its text with scripts
            return [ParsedBlock(line) for line in body.split("\n")], "zorora-html 1"
        if not size or (running and (share < _MIN_SHARE or _SAME_SHARE < share < 1 / _SAME_SHARE)):
            return whole, "zorora-html 1"
    return main, f"trafilatura {trafilatura.__version__}"


def _first_heading(composed: Composed) -> str:
    return clean_title(composed.headings[0].title) if composed.headings else ""


def _bare(source: str) -> str:
    """The text between the tags, for markup too broken to have a tree (nested beyond what the parser follows)."""
    body = source[max(0, source.lower().find("<body")) :]
    return " ".join(unescape(_ANY_TAG.sub(" ", _UNSEEN.sub(" ", body))).split())


def _body(tree: Any) -> Any:
    body = tree.find("body")
    return tree if body is None else body


def _size(blocks: list[ParsedBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _link_share(tree: Any, whole: list[ParsedBlock]) -> float:
    linked = sum(len(text) for element in _body(tree).iter("a") for text in element.itertext())
    return linked / max(1, _size(whole))


def _links(tree: Any, url: str) -> tuple[Link, ...]:
    base_tag = tree.find(".//base[@href]")
    base = _joined(url, base_tag.get("href")) if base_tag is not None else url
    links: dict[str, str] = {}
    for element in tree.iter("a"):
        target = _joined(base or url, (element.get("href") or "").strip())
        if not target or (len(links) >= MAX_LINKS and target not in links):
            continue
        text = " ".join(str(element.text_content()).split())[:200]
        links[target] = links.get(target) or text
    return tuple(Link(target, text) for target, text in links.items())


def _joined(base: str, target: str) -> str:
    """An absolute http(s) address without its fragment; "" for anything else."""
    if not target or target.startswith("#") or len(target) > 2000:
        return ""
    try:
        joined = urljoin(base, target)
        parts = urlsplit(joined)
        if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
            return ""
    except ValueError:
        return ""
    return snapshot_text(joined.split("#", 1)[0])
