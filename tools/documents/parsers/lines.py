"""Signs by which the lines of a text without markup show what they are: list items, captions."""

import re
from collections.abc import Iterator

from tools.documents.model import BlockKind
from tools.documents.parsers.blocks import ParsedBlock

BULLETS = "•▪■□●◦○◆◇►‣∙·⁃▸✓☐☒❏❐❑❒❖➢➤"
# A bullet or a number with its point or brackets, and white space behind it
LIST_MARK = re.compile(
    rf"((?:[{BULLETS}–—*-]|"
    r"\(?\d{1,3}[.)]|\[\d{1,3}\]|\(?[a-zA-Z]\)|[a-h]\.|\(?[ivx]{1,5}[.)]))"
    r"[ \t]+(?=\S)"
)
CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|chart|box|listing|algorithm|scheme|plate|exhibit|abbildung|abb\.|tabelle|tableau|"
    r"figura|tabla|cuadro|tabella|figuur|tabel|quadro)\s{0,3}(?:[A-Z]?\d{1,3}(?:[.-]\d{1,3})?[a-z]?|[IVXL]{1,6})\s?[.:|–—]\s",
    re.I,
)
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LEADING_LINE = 4  # level of a heading that nothing but its place above prose shows
_MAX_HEADING = 100
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s")
_LETTERED = re.compile(r"(?:[A-Z]|[IVX]{1,5})[.)]\s")
_CHAPTER = re.compile(
    r"(?:chapter|part|appendix|annex|title|book|kapitel|teil|chapitre|capítulo|capitolo)\b", re.I
)


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text with their ends, one at a time: a list of all of them could be many times
    as large as the text."""
    at = 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        yield text[at:end]
        at = end


def is_capitals(text: str) -> bool:
    """Whether a line is set in capitals, as headings are."""
    letters = [sign for sign in text if sign.isalpha()]
    return len(letters) >= 4 and text == text.upper() and text != text.lower()


def heading_level(text: str) -> int:
    """The level of a heading by how it begins: chapters, then sections, then numbers with more
    points."""
    number = _NUMBERED.match(text)
    if number:
        return min(6, number.group(1).count(".") + 2)
    if _CHAPTER.match(text):
        return 1
    return 2 if _LETTERED.match(text) or is_capitals(text) else 3


def may_be_heading(text: str) -> bool:
    """Whether a line by itself is short enough, and ends as headings do."""
    return len(text) <= _MAX_HEADING and text[-1:] not in ".,;:!?…" and any(map(str.isalpha, text))


def deepen(depths: list[float], indent: float, slack: float = 0) -> None:
    """Keeps the indents of the items that the next one stands in, and its own."""
    while depths and depths[-1] > indent + slack:
        depths.pop()
    if not depths or indent > depths[-1] + slack:
        depths.append(indent)


def with_bold_headings(blocks: list[ParsedBlock], bold: set[int]) -> list[ParsedBlock]:
    """Bold lines as headings: a level below the heading they stand under; before the first heading
    of the level of that, or of the highest where they open the document. Right above a table they
    are its caption.

    A document that names no headings has them of its capital lines too, each of the level that its
    beginning shows. bold: ids of paragraphs set in bold.
    """
    kinds = [block.block_kind for block in blocks]
    names_none = BlockKind.HEADING not in kinds
    marked, count = list(blocks), 0
    level = next((block.level - 1 for block in blocks if block.block_kind == BlockKind.HEADING), 0)
    for number, (block, kind, below) in enumerate(zip(blocks, kinds, kinds[1:], strict=False)):
        if kind == BlockKind.HEADING:
            level = block.level
        elif not _stands_out(block, id(block) in bold, names_none):
            continue
        elif below == BlockKind.TABLE_ROW:
            marked[number] = block._replace(kind=BlockKind.CAPTION)
        elif below != BlockKind.HEADING:
            below_heading = min(6, level + 1) if number else 1
            depth = heading_level(block.text) if names_none else below_heading
            marked[number] = ParsedBlock(block.text, depth, block.page)
            count += 1
    return marked if count <= len(blocks) / 2 else blocks


def _stands_out(block: ParsedBlock, is_bold: bool, or_in_capitals: bool) -> bool:
    """Whether a block is a line by itself that may be the heading of what is below it."""
    if block.block_kind != BlockKind.PARAGRAPH or not may_be_heading(block.text.rstrip("?")):
        return False
    return is_bold or (or_in_capitals and is_capitals(block.text))
