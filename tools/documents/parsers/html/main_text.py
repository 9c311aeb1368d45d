"""Which blocks of a page are its main text. Of a manual or a note everything but what is plainly
not text is kept."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain, islice
from typing import Any

from tools.documents.model import BlockKind
from tools.documents.parsers.html.block_classifier import chances
from tools.documents.parsers.html.markup_writer import PlacedBlock
from tools.documents.parsers.html.metadata import is_made_for_sharing, page_kinds
from tools.documents.parsers.html.page_furniture import furniture

MAX_ELEMENTS = 60_000  # of a page that is classified; so many cost about 5 s
_LEAST = 0.5  # chance of a block that is kept
# What is chosen is a piece of the main text, not the main text, when it is less than this share of
# a page of running text (few of its characters are links; lists of teasers are nothing but links).
_MIN_SHARE = 0.25
# On a small page of running text, the whole page is taken when it holds hardly more: it keeps every
# heading.
_SAME_SHARE = 0.75
_MAX_LINK_SHARE = 0.2
_SMALL = 1500
_SHORT = 4  # words
# Of a page that describes itself to nobody, as manuals are, an element that is mostly text is text
# throughout
_LEAST_WHOLE = 300  # characters of such an element
_DEEPEST = 60
_DOUBTFUL = 0.2  # chance below which a block or an element inside it stays out
_AROUND = frozenset(["nav", "header", "footer", "aside", "form", "dialog", "menu"])
_AROUND_ROLES = frozenset(["banner", "contentinfo", "complementary"])
_WORD = re.compile(r"\w+")


def main_blocks(
    tree: Any, blocks: Sequence[PlacedBlock], *, title: str, is_web_page: bool
) -> list[PlacedBlock]:
    """The text of a page, titles shown twice in a row once.

    is_web_page: with menus and teasers; of a manual or a note nothing doubtful is left out.
    """
    rest = [
        placed for placed, outside in zip(blocks, furniture(blocks), strict=True) if not outside
    ] or list(blocks)
    main = rest if not is_web_page else _main_of(tree, blocks, rest, title)
    return [
        placed
        for number, placed in enumerate(main)
        if not number or not _is_repeated(main[number - 1], placed)
    ]


def _main_of(
    tree: Any, blocks: Sequence[PlacedBlock], rest: list[PlacedBlock], title: str
) -> list[PlacedBlock]:
    """The blocks among `rest` that are main text; all of them where only a piece of the text was
    recognised."""
    whole = [placed for placed in rest if not _is_around(placed.element)] or rest
    if tree.xpath(f"boolean((//*)[{MAX_ELEMENTS}])"):
        return whole
    each = _by_group(rest, chances(rest, title, page_kinds(tree)))
    main = _likely_blocks(rest, each if is_made_for_sharing(tree) else _by_container(rest, each))
    size, full = length_of(main), max(1, length_of(whole))
    if size >= _SMALL:
        return main
    is_running = sum(placed.linked for placed in blocks) < _MAX_LINK_SHARE * full
    share = size / full
    if not main or (is_running and (share < _MIN_SHARE or _SAME_SHARE < share < 1 / _SAME_SHARE)):
        return whole
    return main


def _is_repeated(before: PlacedBlock, placed: PlacedBlock) -> bool:
    return BlockKind.HEADING in (before.block.block_kind, placed.block.block_kind) and (
        before.block.text == placed.block.text
    )


def length_of(blocks: Sequence[PlacedBlock]) -> int:
    """The characters of some blocks."""
    return sum(len(placed.block.text) for placed in blocks)


def _is_around(element: Any) -> bool:
    return element is not None and any(
        outer.tag in _AROUND or outer.get("role", "").lower() in _AROUND_ROLES
        for outer in chain([element], element.iterancestors())
    )


def _likely_blocks(blocks: Sequence[PlacedBlock], each: Sequence[float]) -> list[PlacedBlock]:
    """The blocks whose chance is good, headings with what stands under them."""
    flags = [chance >= _LEAST for chance in each]
    _drop_bare_headings(blocks, flags)
    return [placed for placed, keep in zip(blocks, flags, strict=True) if keep]


def _by_group(blocks: Sequence[PlacedBlock], shares: Sequence[float]) -> list[float]:
    """Shares, those of a table's rows and of a list's items at least their mean, in which longer
    ones weigh more.

    A short one, which may stand in the text by chance, has the mean.
    """
    settled = list(shares)
    groups: dict[int, tuple[Any, list[int]]] = {}
    for number, placed in enumerate(blocks):
        group = _group_of(placed)
        if (
            group is not None
        ):  # kept beside its number: lxml's elements are proxies, whose ids are used again
            groups.setdefault(id(group), (group, []))[1].append(number)
    for _, members in groups.values():
        weights = [len(blocks[number].block.text) for number in members]
        mean = sum(w * shares[number] for w, number in zip(weights, members, strict=True)) / sum(
            weights
        )
        for number in members:
            is_short = len(_WORD.findall(blocks[number].block.text)) <= _SHORT
            settled[number] = mean if is_short else max(mean, shares[number])
    return settled


def _by_container(blocks: Sequence[PlacedBlock], each: Sequence[float]) -> list[float]:
    """Chances, those in an element whose mean is good raised to it: manuals have many short and odd
    blocks."""
    sizes: Counter[Any] = Counter()
    sums: defaultdict[Any, float] = defaultdict(float)
    around = [[] if placed.element is None else _containers(placed.element) for placed in blocks]
    for placed, chance, containers in zip(blocks, each, around, strict=True):
        size = len(placed.block.text)
        for container in containers:
            sizes[container] += size
            sums[container] += size * chance
    means = {container: sums[container] / max(1, size) for container, size in sizes.items()}
    return [
        max(chance, next((means[c] for c in containers if _decides(means[c], sizes[c])), 0.0))
        for chance, containers in zip(each, around, strict=True)
    ]


def _decides(mean: float, size: int) -> bool:
    """Whether an element tells what stands in it is: text, or what is left out of the text around
    it."""
    return mean < _DOUBTFUL or (mean >= _LEAST and size >= _LEAST_WHOLE)


def _containers(element: Any) -> list[Any]:
    """The element and those around it, innermost first; not all of them where they are very many.

    The body only of what stands in it directly: of a page without other elements around its text.
    """
    around = islice(chain([element], element.iterancestors()), _DEEPEST)
    below = [outer for outer in around if outer.tag not in ("body", "html")]
    outside = below[-1].getparent() if len(below) == 1 else None
    return below if outside is None else [*below, outside]


def _group_of(placed: PlacedBlock) -> Any:
    """The table or list that a row or an item belongs to."""
    tags = {BlockKind.TABLE_ROW: ("table",), BlockKind.LIST_ITEM: ("ul", "ol", "dl")}.get(
        placed.block.block_kind
    )
    if tags is None or placed.element is None:
        return None
    return next((outer for outer in placed.element.iterancestors() if outer.tag in tags), None)


def _drop_bare_headings(blocks: Sequence[PlacedBlock], flags: list[bool]) -> None:
    """Headings under which nothing is kept are not kept; the title of the page needs no text of its
    own."""
    has_text = [False] * 8  # by level: whether text is kept under a heading of that level
    for number in range(len(blocks) - 1, -1, -1):
        block = blocks[number].block
        if block.block_kind != BlockKind.HEADING:
            has_text = [has or flags[number] for has in has_text]
            continue
        level = min(7, max(1, block.level))
        flags[number] = flags[number] and (has_text[level] or level == 1)
        has_text[level:] = [False] * (8 - level)
