"""What stands on a page without being part of its text, told by plain rules: navigation, tables of
contents made of links, breadcrumbs, lines about the last change, cookie notices, share bars."""

import re
from collections.abc import Sequence
from typing import Any

from tools.documents.model import BlockKind
from tools.documents.parsers.html.markup_writer import PlacedBlock

_TAGS = frozenset(["nav", "dialog"])
_ROLES = frozenset(["navigation", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar"])
_NAMES = re.compile(
    r"(?:^|[\s_-])(?:breadcrumbs?|cookie-?(?:banner|bar|box|consent|law|message|modal|notice|notification|policy|popup)|"
    r"(?:consent|gdpr)-?(?:banner|bar|manager|modal|popup)?|share-?(?:bar|buttons?|links?|tools)?|"
    r"social-?(?:bar|buttons?|icons?|links?|share|sharing)|"
    r"(?:jump|skip)-?(?:link|nav|to-(?:content|nav))|sitesub|toc|table-of-contents|fancy_toc|"
    r"(?:main|sub|site|nav)-?menu|site-?nav|navbar)(?=$|[\s_-])",
    re.I,
)
_CHANGED = re.compile(
    r"(?:this\s+)?(?:(?:page|article|document|site)\s*)?(?:was\s+)?(?:last\s+(?:modified|updated|edited|changed|reviewed)|"
    r"zuletzt\s+(?:bearbeitet|geändert|aktualisiert)|dernière\s+(?:modification|mise\s+à\s+jour))\b(?=.{0,60}\d)",
    re.I,
)
_CONTENTS = re.compile(r"\W*(?:table\s+of\s+)?contents\W*|on this page\W*|in this article\W*", re.I)
_SHORT = 160  # characters of a line about the last change, of a share bar
_LONG = 300  # characters: what is longer is text, whatever its container is called
_LEAST_ENTRIES = 3  # of a table of contents


def furniture(blocks: Sequence[PlacedBlock]) -> list[bool]:
    """Of each block whether it is no text of the page."""
    places: dict[Any, int] = {}
    contents = _contents(blocks)
    return [
        number in contents or _is_furniture(placed, places) for number, placed in enumerate(blocks)
    ]


def _is_furniture(placed: PlacedBlock, places: dict[Any, int]) -> bool:
    text = placed.block.text
    if len(text) <= _SHORT and _CHANGED.match(text):
        return True
    place = _place(placed.element, places)
    return place == _ALWAYS or (place == _SHORT_ONES and len(text) <= _LONG)


def _place(element: Any, places: dict[Any, int]) -> int:
    """What an element and those around it say; each is looked at once."""
    path = []
    while element is not None and element not in places:
        path.append(element)
        element = element.getparent()
    place = places.get(element, _NOWHERE)
    for inner in reversed(path):
        place = max(place, _kind_of(inner))
        places[inner] = place
    return place


_NOWHERE, _SHORT_ONES, _ALWAYS = 0, 1, 2


def _kind_of(element: Any) -> int:
    tag, attributes = element.tag, element.attrib
    if tag in _TAGS or attributes.get("role", "").lower() in _ROLES:
        return _ALWAYS
    if attributes and tag not in ("html", "body", "main", "article"):
        names = f"{attributes.get('class', '')[:_LONG]} {attributes.get('id', '')[:_LONG]}"
        return _SHORT_ONES if _NAMES.search(names) else _NOWHERE
    return _NOWHERE


def _contents(blocks: Sequence[PlacedBlock]) -> set[int]:
    """Runs of links into the same page, with the heading over them."""
    positions: set[int] = set()
    run: list[int] = []
    for number, placed in enumerate([*blocks, None]):
        if placed is not None and _is_entry(placed):
            run.append(number)
            continue
        if len(run) >= _LEAST_ENTRIES:
            positions.update(run)
            if run[0] and _CONTENTS.fullmatch(blocks[run[0] - 1].block.text):
                positions.add(run[0] - 1)
        run = []
    return positions


def _is_entry(placed: PlacedBlock) -> bool:
    if (
        placed.block.block_kind not in (BlockKind.LIST_ITEM, BlockKind.PARAGRAPH)
        or placed.element is None
    ):
        return False
    if placed.linked < 0.8 * len(placed.block.text.lstrip(" 0123456789.")):
        return False
    link = placed.element if placed.element.tag == "a" else next(placed.element.iter("{*}a"), None)
    return link is not None and (link.get("href") or "").startswith("#")
