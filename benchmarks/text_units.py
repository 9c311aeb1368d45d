"""Which text units of HTML pages can be quoted: paragraphs, list items, terms, cells and code, each
in a block."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tools.documents.model import BlockKind, Extracted

_UNITS = frozenset("p li dt dd td th pre caption figcaption".split())
_UNSEEN = frozenset("head script style template noscript select button textarea svg nav".split())
# Menus and tables of contents by the names that pages give them
_MENUS = re.compile(
    r"\b(?:nav\w*|menu|searchmenu|fancy_toc|toc|contents|related|\w*sidebar\w*|breadcrumbs?)\b"
)
_CHANGED = re.compile(
    r"(?:(?:this )?page (?:was )?)?last (?:modified|updated|changed|edited)", re.I
)
_HIDDEN = re.compile(r"display\s*:\s*none")
_WORD = re.compile(r"[^\W_]+")


def units_of(source: bytes) -> list[str]:
    """The text units of a page, read off its markup alone; menus, headings and lines of change
    apart."""
    from lxml import html

    root = html.document_fromstring(
        source, parser=html.HTMLParser(encoding="utf-8", remove_comments=True)
    )
    pieces = _pieces(root)
    units: list[str] = []
    holder: Any = None
    for element, text in pieces:
        if element is not None and element is holder:
            units[-1] += text
        elif element is not None:
            units.append(text)
        holder = element
    return [
        unit
        for unit in (" ".join(unit.split()) for unit in units)
        if _WORD.search(unit) and not _CHANGED.match(unit)
    ]


def quotable(units: Sequence[str], extracted: Extracted) -> list[bool]:
    """For each unit that is no heading, whether its words stand in one block that is none, in their
    order."""
    texts: dict[bool, list[str]] = {True: [], False: []}
    for block in extracted.blocks:
        texts[block.kind == BlockKind.HEADING].append(extracted.text[block.start : block.end])
    headings = set(map(_words, texts[True]))
    # Line ends between the blocks: a unit has none
    words, letters = ("\n".join(map(form, texts[False])) for form in (_words, _letters))
    # Letters alone where an exponent or an index stands closer to its base than the markup tells
    return [
        _words(unit) in words or ("\x00" in unit and _letters(unit) in letters)
        for unit in units
        if _words(unit) not in headings
    ]


def _pieces(root: Any) -> Iterator[tuple[Any, str]]:
    """Every text with the unit it belongs to (None outside units); \\x00 marks equations, raised
    and lowered text."""
    waiting: list[tuple[Any, Any, bool]] = [(root, None, False)]
    while waiting:
        element, unit, is_tail = waiting.pop()
        if is_tail:
            yield unit, element.tail or ""
            continue
        tag = element.tag if isinstance(element.tag, str) else ""
        if _is_unseen(element, tag):
            continue
        unit = element if tag in _UNITS else unit
        yield unit, _before(element, tag) + (element.text or "")
        for child in reversed(element):
            waiting += [(child, unit, True), (child, unit, False)]


def _before(element: Any, tag: str) -> str:
    if tag == "img" and "math" in (element.get("class") or ""):
        return f"\x00{element.get('alt') or ''}"
    return {"br": " ", "sup": "\x00", "sub": "\x00"}.get(tag, "")


def _is_unseen(element: Any, tag: str) -> bool:
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return (
        tag in _UNSEEN
        or bool(_HIDDEN.search(element.get("style") or "") or _MENUS.search(names))
        or not tag
    )


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text.lower()))
