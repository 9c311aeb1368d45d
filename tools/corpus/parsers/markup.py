"""An element tree to blocks: headings, paragraphs, lists, tables, code. For HTML, XHTML and trafilatura's own tree.

The walk is iterative: trees from outside may be nested thousands deep.
"""

import re
from collections.abc import Iterator
from typing import Any

from tools.corpus.model import BlockKind
from tools.corpus.parsers.blocks import ParsedBlock

SKIPPED = frozenset(
    "script style template noscript svg math head iframe object embed canvas audio video map select option datalist "
    "button input textarea graphic del".split()
)
CHROME = frozenset(["nav", "header", "footer", "aside", "form", "dialog", "menu"])
_CHROME_ROLES = frozenset(["navigation", "banner", "contentinfo", "complementary", "search", "dialog", "menu"])
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody td "
    "tfoot th thead tr ul quote list item ab code row cell fw".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_ITEMS = frozenset(["li", "item"])
_ROWS = frozenset(["tr", "row"])
_CELLS = frozenset(["td", "th", "cell"])
_BREAKS = frozenset(["br", "lb"])
_SPACE = re.compile(r"[ \t\n\r\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_BLANK_LINES = re.compile(r"\n\s*\n+")
# The last one: moved thousands of pixels off the page
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|\b(?:left|right|top|text-indent)\s*:\s*-\d{4}", re.I)


def blocks_of(root: Any, *, chrome: bool = True, teiheads: bool = False) -> list[ParsedBlock]:
    """The blocks of an lxml element in reading order.

    chrome: keep navigation, headers, footers and side columns. teiheads: `head rend="h2"` is a heading, as
    trafilatura writes it (in HTML `head` holds no text).
    """
    writer = _Writer()
    skipping: Any = None
    for event, element in _walk(root):
        if skipping is not None:
            if event == "end" and element is skipping:
                skipping = None
                writer.add(element.tail if element is not root else None)
            continue
        tag = _tag_of(element, teiheads)
        if event == "start" and _is_skipped(element, tag, chrome):
            skipping = element
        elif event == "start":
            writer.start(tag, element)
        else:
            writer.end(tag, element)
            writer.add(element.tail if element is not root else None)
    return writer.finished()


def _walk(root: Any) -> Iterator[tuple[str, Any]]:
    from lxml import etree  # loaded in parse workers only

    return iter(etree.iterwalk(root, events=("start", "end", "comment", "pi")))


def _tag_of(element: Any, teiheads: bool) -> str:
    tag = element.tag
    if not isinstance(tag, str):
        return "#other"
    name = tag.rsplit("}", 1)[-1].lower()
    if name == "head" and teiheads:
        rend = str(element.get("rend") or "h2")
        return rend if rend in _HEADINGS else "h2"
    return name


def _is_skipped(element: Any, tag: str, chrome: bool) -> bool:
    if tag in SKIPPED:
        return True
    if tag.startswith("#"):
        return False
    if element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
        return True
    return not chrome and (tag in CHROME or (element.get("role") or "").lower() in _CHROME_ROLES)


class _Writer:
    """Collects running text until a block ends."""

    def __init__(self) -> None:
        self._blocks: list[ParsedBlock] = []
        self._text: list[str] = []
        self._rows: list[str] = []
        self._cells: list[str] = []
        self._tables: list[bool] = []  # one per open table: does it hold data (not layout)?
        self._level = 0
        self._code = 0
        self._item = ""

    def start(self, tag: str, element: Any) -> None:
        if tag.startswith("#"):
            return
        if tag in _BLOCKS:
            self._boundary()
        if tag in _HEADINGS and not self._in_data:
            self._level = _HEADINGS[tag]
        elif tag in ("pre", "code"):
            self._code += tag == "pre" or _is_block_code(element)
        elif tag == "table":
            self._tables.append(_holds_data(element))
        elif tag in _ITEMS:
            self._item = "- "
        elif tag in _BREAKS:
            self._text.append("\n" if self._code else " ")
        self.add(element.text)

    def end(self, tag: str, element: Any) -> None:
        if tag in _CELLS and self._in_data:
            self._cells.append(self._take())
        elif tag in _ROWS and self._in_data:
            self._end_row()
        elif tag == "table":
            self._end_table()
        elif tag in _BLOCKS:
            self._boundary()
        if tag in _HEADINGS:
            self._level = 0
        elif tag in ("pre", "code"):
            self._code = max(0, self._code - (tag == "pre" or _is_block_code(element)))

    def add(self, text: str | None) -> None:
        if text:
            self._text.append(text)

    def finished(self) -> list[ParsedBlock]:
        self._tables.clear()
        self._boundary()
        return self._blocks

    @property
    def _in_data(self) -> bool:
        return bool(self._tables) and self._tables[-1]

    def _take(self) -> str:
        raw = "".join(self._text)
        self._text.clear()
        if self._code and not self._in_data:
            return _BLANK_LINES.sub("\n", raw.replace("\r", "")).strip("\n").rstrip()
        return _SPACE.sub(" ", raw).strip()

    def _boundary(self) -> None:
        if self._in_data:
            self._text.append(" ")
            return
        text = self._take()
        if text:
            item, self._item = self._item, ""
            if self._level:
                self._blocks.append(ParsedBlock(text, self._level))
            else:
                self._blocks.append(ParsedBlock(text, 1, kind=BlockKind.LIST_ITEM) if item else ParsedBlock(text))

    def _end_row(self) -> None:
        loose = self._take()  # text outside cells, in broken tables
        cells = [*self._cells, loose] if loose else self._cells
        if any(cells):
            self._rows.append(" | ".join(cells))
        self._cells = []

    def _end_table(self) -> None:
        data = self._tables.pop() if self._tables else False
        if not data:
            self._boundary()
            return
        self._end_row()
        if self._rows:
            self._blocks.append(ParsedBlock("\n".join(self._rows)))
        self._rows = []


def _is_block_code(element: Any) -> bool:
    """trafilatura writes `code` for blocks and for words alike; a block spans lines."""
    return "\n" in (element.text or "") or element.find(".//lb") is not None


def _holds_data(table: Any) -> bool:
    """Whether a table holds data: no table or heading inside, and cells that are not whole texts."""
    inner = ("table", "h1", "h2", "h3", "head", "list", "ul", "ol")
    if any(table.find(f".//{tag}") is not None or table.find(f".//{{*}}{tag}") is not None for tag in inner):
        return False
    cells = sum(1 for _ in table.iter("{*}td", "{*}th", "{*}cell"))
    paragraphs = sum(1 for _ in table.iter("{*}p"))
    rows = sum(1 for _ in table.iter("{*}tr", "{*}row"))
    return cells > rows and paragraphs <= 2 * cells
