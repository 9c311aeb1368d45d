"""A paragraph of a PDF page, and which line begins the next one. Pure geometry, no PDF library.

Units are PDF points, y grows upwards.
"""

import re
from dataclasses import dataclass

from tools.documents.model import BlockKind
from tools.documents.parsers.lines import CAPTION, LIST_MARK
from tools.documents.parsers.pdf.characters import Piece
from tools.documents.parsers.pdf.signs import is_bullet

END = re.compile(r"[.!?:;。！？…][\"'”’)\]⁰¹²³⁴⁵⁶⁷⁸⁹]*$")
_LABELLED = re.compile(r"^[A-Z][\w/-]{1,20}(?: [\w/-]{1,15}){0,2}:\s")
_RUNNING_TEXT = 25  # characters that a line of it has at least
_LARGE = 1.15  # in units of the usual distance of lines, which small type exceeds
_DASHES = ("–", "—", "-")


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together, or the cells of a table's row. kind None: a paragraph or, with a
    level, a heading."""

    lines: list[Piece]
    page: int
    kind: BlockKind | None = None
    level: int = 0
    text: str = ""
    marker: str = ""
    cells: tuple[str, ...] = ()
    header: bool = False
    aside: bool = False  # a stamp in the margin, small print below a column
    hang: float = 0.0  # how far the lines of the paragraph before it stand in from its first one

    @property
    def first(self) -> Piece:
        return self.lines[0]

    @property
    def floats(self) -> bool:
        """Whether it stands beside the running text: that goes on after it."""
        return self.aside or self.kind in (
            BlockKind.TABLE_ROW,
            BlockKind.CAPTION,
            BlockKind.FOOTNOTE,
        )


def is_next_column(last: Paragraph, piece: Piece) -> bool:
    """Whether a line stands at the top of the column beside running text, which may go on there."""
    before = last.lines[-1] if last.lines else None
    return (
        before is not None
        and len(before.text) >= _RUNNING_TEXT
        and piece.base - before.base > 2 * piece.size
    )


def begins_paragraph(
    last: Paragraph, piece: Piece, kind: BlockKind | None, pitch: float, right: dict[int, float]
) -> bool:
    """Whether a new paragraph begins with this line."""
    before = last.lines[-1] if last.lines else None
    if before is None or last.kind == BlockKind.EQUATION or before.turned != piece.turned:
        return True
    if kind == BlockKind.CODE or last.kind == BlockKind.CODE:
        return _begins_at_code(last, before, piece, kind, pitch)
    if kind != last.kind or kind == BlockKind.TABLE_ROW:
        return True
    return _breaks(last, before, piece, pitch, right[id(before)])


def _begins_at_code(
    last: Paragraph, before: Piece, piece: Piece, kind: BlockKind | None, pitch: float
) -> bool:
    """Lines of code stay together; a line of one word in the font of code may belong to a
    sentence."""
    if kind == last.kind:
        return not 0 < before.base - piece.base < 3.5 * pitch
    goes_on = (
        not END.search(before.text)
        and before.base - piece.base < 1.4 * pitch
        and before.base > piece.base
    )
    return not (
        kind == BlockKind.CODE
        and goes_on
        and len(before.text) > 60
        and " " not in piece.text.strip()
    )


def _breaks(last: Paragraph, before: Piece, piece: Piece, pitch: float, right: float) -> bool:
    """Whether a line of text begins a new paragraph, by type, place, and how the line before it
    ends."""
    down = before.base - piece.base
    full = before.x1 > right - 0.12 * max(1.0, right - before.x0)
    if _differs(last, before, piece, full):
        return True
    if before.torn:
        return down > 2.2 * pitch
    if min(before.size, piece.size) > _LARGE * pitch and is_set_on(before, piece):
        return False
    if (
        _leaves(last, before, piece, down)
        or (not full and _LABELLED.match(piece.text))
        or _hangs(last, piece)
    ):
        return True
    has_end = bool(END.search(before.text))
    if down < -piece.size:  # the next column: the paragraph may go on there
        return has_end or not full
    if abs(down) < 0.3 * piece.size:  # beside the line before
        return piece.x0 - before.x1 > 2.5 * piece.size
    if down > 1.4 * pitch:
        # A formula in the line above pushes a line down; it does not shorten that line
        starts = not piece.text[0].islower() and not full
        return has_end or starts or down > 2.2 * pitch
    if piece.text[0].islower():
        return False
    return (has_end and (not full or _is_indented(last, before, piece))) or _stops_short(
        before, piece, right
    )


def _differs(last: Paragraph, before: Piece, piece: Piece, full: bool) -> bool:
    """Whether a line shows by its type or its mark that something else begins."""
    if abs(piece.size - before.size) > 0.12 * before.size or CAPTION.match(piece.text):
        return True
    if _begins_item(last, piece, full):
        return True
    if before.bold != piece.bold and (before.bold or not full):
        return True
    return not full and bool(CAPTION.match(last.first.text))


def is_set_on(before: Piece, piece: Piece) -> bool:
    """Whether a line goes on with the one before it in a title, whose lines are as long as their
    words. A number begins the next heading or ends a date below the title."""
    numbered = piece.text[0].isdecimal() or piece.text[-1].isdecimal()
    alike = abs(before.size - piece.size) <= 0.12 * before.size and before.bold == piece.bold
    near = 0 < before.base - piece.base <= 1.5 * piece.size
    return alike and near and before.text[-1] != "." and not numbered


def _is_indented(last: Paragraph, before: Piece, piece: Piece) -> bool:
    """Whether a line stands further in or out, as the first line of a paragraph does."""
    step = piece.x0 - before.x0
    item = LIST_MARK.match(last.first.text) and 0 < step < 4 * piece.size
    if len(last.lines) == 1 and (item or (step > 0 and abs(step - last.hang) < 1)):
        # The second line of a list item or of an entry stands further in than its first
        return False
    return step > 0.7 * piece.size or step < -1.5 * piece.size


def _stops_short(before: Piece, piece: Piece, right: float) -> bool:
    """Whether a line ends so early that the next word would have fitted behind it."""
    room, width = right - before.x1, max(1.0, right - before.x0)
    word = len(piece.text.split(" ", 1)[0]) * 0.5 * piece.size
    starts = piece.text[0].isupper() or piece.text[0].isdigit()
    return room > (0.2 if starts else 0.35) * width and room > word + 1.5 * piece.size


def _leaves(last: Paragraph, before: Piece, piece: Piece, down: float) -> bool:
    """Whether a line stands beside the column of the one before it, or left of the mark of its list
    item."""
    if down < 0.3 * piece.size:
        return False
    beside = piece.x1 < before.x0 or piece.x0 > max(line.x1 for line in last.lines)
    return beside or bool(
        LIST_MARK.match(last.first.text) and piece.x0 < last.first.x0 - 0.5 * piece.size
    )


def _begins_item(last: Paragraph, piece: Piece, full: bool) -> bool:
    """Whether a line begins with the mark of a list item, and not with a number or a dash of a
    sentence.

    full: the line before reaches the end of its column.
    """
    match = LIST_MARK.match(piece.text)
    if is_bullet(piece.text):
        return True
    if not match or LIST_MARK.match(last.first.text):
        return bool(match)
    mark = match.group(1)
    if not mark[-2:].strip(").]").isdigit() and (mark not in _DASHES or not full):
        return mark not in last.lines[-1].text
    return bool(END.search(last.lines[-1].text)) or piece.x0 > last.first.x0 + 0.5 * piece.size


def _hangs(last: Paragraph, piece: Piece) -> bool:
    """A line that stands again where the paragraph began, after lines further in: reference lists,
    definitions."""
    first = last.first
    inner = [line.x0 for line in last.lines[1:] if line.base < first.base]
    return (
        bool(inner)
        and min(inner) > first.x0 + 0.7 * piece.size
        and abs(piece.x0 - first.x0) < 0.3 * piece.size
    )


def hang_of(paragraph: Paragraph) -> float:
    """How far its lines stand in from its first one; of a single line that of the one before."""
    if len(paragraph.lines) < 2:
        return paragraph.hang if paragraph.lines else 0.0
    return max(0.0, paragraph.lines[1].x0 - paragraph.first.x0)
