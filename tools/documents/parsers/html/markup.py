"""An element tree of HTML or XHTML to blocks: headings, paragraphs, lists, tables, code,
quotations, captions.

The walk is iterative: trees from outside may be nested thousands deep.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from tools.documents.parsers.blocks import ParsedBlock
from tools.documents.parsers.html.markup_elements import MarkupWriter
from tools.documents.parsers.html.markup_tables import data_tables
from tools.documents.parsers.html.markup_writer import PlacedBlock
from tools.documents.parsers.lines import with_bold_headings

_SKIPPED = frozenset(
    "script style template svg math head iframe object embed canvas audio video map select option "
    "datalist input "
    "textarea graphic del rp".split()
)
# Skipped unless they hold a whole page: forums serve their text in <noscript>, and an unclosed
# <button> holds the rest
_SKIPPED_WHEN_SHORT = frozenset(["noscript", "button"])
_SHORT = 1000  # characters
_MOST = 0.8  # of a page's characters: what hides so much is shown by scripts
# The last one: moved thousands of pixels off the page
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|\b(?:left|right|top|text-indent)\s*:\s*-\d{4}",
    re.I,
)
# Texts for screen readers only, edit links, the second form in which scripts write an equation,
# line numbers of code
_UNSEEN = re.compile(
    r"(?:^|\s)(?:sr-only|screen-reader-text|(?:visually|visibly)-?hidden|mw-editsection|katex-html|MathJax(?:_Preview)?|"
    r"mjx-math|headerlink|anchor-?link|line-?nos?|line-?numbers?|gutter|blob-num)(?=\s|$)",
    re.I,
)
_LINE_NUMBERS = re.compile(r"line|gutter|blob", re.I)


def blocks_of(root: Any) -> list[ParsedBlock]:
    """The blocks of an lxml element in reading order."""
    return [placed.block for placed in placed_blocks(root)]


def placed_blocks(root: Any, tables: Collection[Any] = ()) -> list[PlacedBlock]:
    """The blocks of an lxml element in reading order, each with its place. tables: elements known
    to hold data."""
    from lxml import etree  # loaded in parse workers only

    writer = MarkupWriter(data_tables(root).union(tables))
    skipping: Any = None
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if skipping is not None:
            if event == "end" and element is skipping:
                skipping = None
                _add_tail(writer, element, root)
            continue
        tag = _name(element.tag)
        if event == "start" and _is_skipped(element, tag, root):
            skipping = element
            writer.stand_in(tag, element)
        elif event == "start":
            writer.start(tag, element)
        else:
            writer.end(tag, element)
            _add_tail(writer, element, root)
    return _with_bold_headings(writer.finished())


def _with_bold_headings(placed: list[PlacedBlock]) -> list[PlacedBlock]:
    bold = {id(entry.block) for entry in placed if entry.bold}
    if not bold:
        return placed
    blocks = with_bold_headings([entry.block for entry in placed], bold)
    return [entry._replace(block=block) for entry, block in zip(placed, blocks, strict=True)]


@lru_cache(maxsize=1000)
def _name(tag: Any) -> str:
    """The name of an element, without its namespace; "" of a comment."""
    return tag.rsplit("}", 1)[-1].lower() if isinstance(tag, str) else ""


def _add_tail(writer: MarkupWriter, element: Any, root: Any) -> None:
    if element is not root and (tail := element.tail):
        writer.add(tail, element.getparent())


def _size(element: Any) -> int:
    return int(element.xpath("string-length()"))


def _is_skipped(element: Any, tag: str, root: Any) -> bool:
    if tag in _SKIPPED:
        return True
    if tag in _SKIPPED_WHEN_SHORT:
        return _size(element) < _SHORT
    attributes = element.attrib
    if not attributes or tag in ("html", "body"):
        return False
    style = attributes.get("style")
    if attributes.get("hidden", "until-found") != "until-found" or (
        style and _HIDDEN.search(style)
    ):
        return _size(element) < max(_SHORT, _MOST * _size(root))
    names = attributes.get("class")
    if names and (unseen := _UNSEEN.search(names)):
        return not _LINE_NUMBERS.search(unseen.group()) or not element.xpath("string()").strip(
            " \t\n\r0123456789"
        )
    return attributes.get("aria-hidden") == "true" and tag in ("span", "i")
