"""HTML: the blocks of a page's own elements, those of them that are its text, its metadata and its
links.

Of a web page the main text is taken, also where it was saved as a file; of a manual all but what is
plainly not text.
"""

import re
from contextlib import suppress
from html import unescape
from typing import Any

from tools.documents.detect import is_filled_in
from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, compose
from tools.documents.parsers.encoding import decode
from tools.documents.parsers.html.linked_data import article_body
from tools.documents.parsers.html.links import links_of
from tools.documents.parsers.html.main_text import length_of, main_blocks
from tools.documents.parsers.html.markup import placed_blocks
from tools.documents.parsers.html.markup_writer import PlacedBlock
from tools.documents.parsers.html.metadata import is_made_for_sharing, metadata_of
from tools.documents.parsers.text.front_matter import front_matter, metadata_of as stated_of
from tools.documents.parsers.text.markdown_dialects import TEMPLATE_TAG
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError
from tools.text.normalise import snapshot_text

EXTRACTOR = with_version("zorora-html")
MAX_CHARACTERS = 30_000_000
_MIN_BODY = 300
_UNSEEN = re.compile(r"<(script|style|template|noscript)\b[^>]*>.*?</\1\s*>", re.I | re.S)
_ANY_TAG = re.compile(r"<[^<>]{0,5000}>")
_END_TAGS = re.compile(r"</(?:body|html)\s{0,9}>", re.I)
_CODE_OR_TAG = re.compile(rf"<(?P<end>/?)(?:code|pre)\b|{TEMPLATE_TAG.pattern}", re.I)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,300}\?>")


def parse(request: Request) -> Extracted:
    """The main text of a page, its headings as sections, its metadata and its links (absolute, http
    and https)."""
    source = decode(request.data, request.media_type, markup=True)
    stated: dict[str, object] = {}
    has_front_matter = source.startswith(("---", "+++"))
    if has_front_matter:
        fields, source = front_matter(snapshot_text(source))
        stated = stated_of(fields)
    if has_front_matter or is_filled_in(request.name):
        source = _without_tags(source)
    tree = parse_tree(source)
    metadata = metadata_of(tree) | {name: value for name, value in stated.items() if value}
    if stated.get("title"):
        metadata["title_from"] = "front_matter"
    links = links_of(tree, request.url)
    meta_title = str(metadata.get("title") or "")
    composed = compose(
        _blocks(tree, meta_title, is_web_page=bool(request.url) or is_made_for_sharing(tree))
    )
    if not composed.text:
        composed = compose([ParsedBlock(_bare(source))])
    no_text = (
        "This page contains no readable text; it may build its content with scripts or be empty."
    )
    return composed.extracted(EXTRACTOR, metadata, empty=no_text, links=links)


def parse_tree(text: str) -> Any:
    """The element tree of an HTML text; ParseError when nothing is in it or it is too large."""
    from lxml import etree

    if len(text) > MAX_CHARACTERS:
        raise ParseError(
            f"This page is too large to read: {len(text):,} characters, the limit is "
            f"{MAX_CHARACTERS:,}."
        )
    # What follows the end tags of a page would be lost; they are optional
    cleaned = _END_TAGS.sub("", _DECLARATION.sub("", snapshot_text(text), count=1))
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    tree: Any = None  # as lxml says that there is no element
    with suppress(etree.ParserError, etree.XMLSyntaxError):
        tree = etree.fromstring(cleaned.encode("utf-8"), parser)
    if tree is None:
        raise ParseError(
            "This page contains no readable text; it is empty, not HTML, or too large."
        )
    _place_streamed(tree)
    return tree


def _without_tags(source: str) -> str:
    """A page that a generator of sites fills in, without the tags of its templates; code keeps
    them."""
    depth = 0

    def keep_code(match: re.Match[str]) -> str:
        nonlocal depth
        if match["end"] is None:
            return match.group() if depth > 0 else ""
        depth = max(0, depth - 1) if match["end"] else depth + 1
        return match.group()

    return _CODE_OR_TAG.sub(keep_code, source)


def _place_streamed(tree: Any) -> None:
    """Moves the parts that a page sends hidden at its end to where its script would show them
    (React streaming)."""
    places = {str(place.get("id")): place for place in tree.iterfind(".//template[@id]")}
    for part in tree.findall(".//div[@hidden][@id]") if places else ():
        place = places.pop(f"B:{part.get('id').removeprefix('S:')}", None)
        if place is not None and part not in place.iterancestors():
            del part.attrib["hidden"]
            place.addprevious(part)


def _blocks(tree: Any, title: str, *, is_web_page: bool) -> list[ParsedBlock]:
    """The text of the page; the text that its JSON-LD carries when scripts would build the page
    from it."""
    body = tree.find("body")
    placed = placed_blocks(tree if body is None else body)
    article = article_body(tree)
    if len(article) > max(_MIN_BODY, 3 * length_of(placed)):
        return [ParsedBlock(line) for line in article.split("\n")]
    return [
        placed_block.block
        for placed_block in main_blocks(tree, placed, title=title, is_web_page=is_web_page)
        if not _is_template(placed_block)
    ]


def _is_template(placed: PlacedBlock) -> bool:
    """Whether a block is only a tag of a template, and no code."""
    if placed.block.kind == BlockKind.CODE or "{" not in placed.block.text:
        return False
    is_code = placed.element is not None and placed.element.tag == "code"
    return not is_code and not TEMPLATE_TAG.sub("", placed.block.text).strip()


def _bare(source: str) -> str:
    """The text between the tags, for markup too broken to have a tree (nested beyond what the
    parser follows)."""
    body = source[max(0, source.lower().find("<body")) :]
    text = unescape(_ANY_TAG.sub(" ", _UNSEEN.sub(" ", body)))
    return " ".join(TEMPLATE_TAG.sub(" ", text).split())
