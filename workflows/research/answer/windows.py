"""Passages to be shown: whole blocks around the words that answer, with what they need to be
understood."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tools.documents.model import SENTENCE_KINDS, Block, BlockKind
from tools.text.instructions import speaks_to_machines
from tools.text.sentences import spans

Span = tuple[int, int]
PASSAGE_WORDS = 120
LEAD_WORDS = 40
_WORTH_CUTTING = 30  # words of room for which a longer sentence is begun
_WORD_LENGTH = 12  # characters; twice a word of prose
_NAME_WORDS = 5  # of a picture at most
_SENTENCE_ENDS = tuple(".!?…。！？")
LONGEST_MARK = 8  # characters of a bullet or number between two blocks


@dataclass(frozen=True, slots=True)
class Unit:
    """What can be a lead: a sentence of a paragraph, or an item, row, caption or piece of code.

    Of an item or a piece of code that is too long to be shown whole it is a sentence, or a line.
    """

    start: int
    end: int
    block: Block


@dataclass(frozen=True, slots=True)
class Window:
    """text[start:end], whole blocks but for long ones. context: spans that it needs. kind: of its
    main block."""

    start: int
    end: int
    blocks: tuple[Block, ...]
    context: tuple[Span, ...]
    kind: BlockKind
    heading_path: tuple[str, ...]


def units_within(text: str, blocks: Sequence[Block], start: int, end: int) -> list[Unit]:
    """The units that stand between start and end, if only in part, in order; headings are none, nor
    are those of tables and the names of pictures."""
    units = []
    for block in blocks:
        if block.end <= start or block.start >= end or block.kind == BlockKind.HEADING:
            continue
        words = text[block.start : block.end]
        if block.header or names_picture(block.kind, words):
            continue
        if block.kind in SENTENCE_KINDS or _count(text, block.start, block.end) > PASSAGE_WORDS:
            units += [
                Unit(first, last, block)
                for first, last in _parts(text, block)
                if first < end and last > start
            ]
        else:
            units.append(Unit(block.start, block.end, block))
    return units


def window_around(
    text: str, blocks: Sequence[Block], unit: Unit, limit: int = PASSAGE_WORDS
) -> Window:
    """The unit with as much of its section around it as fits into `limit` words, what follows
    before what precedes."""
    index = next(
        i
        for i, block in enumerate(blocks)
        if block.start == unit.block.start and block.end == unit.block.end
    )
    if _count(text, unit.block.start, unit.block.end) > limit:
        start, end = _parts_around(text, unit, limit)
        if unit.block.kind == BlockKind.CODE:
            # Its indentation is part of what it says
            start = max(unit.block.start, text.rfind("\n", 0, start) + 1)
        return _window((unit.block,), start, end)
    first, last, end = _blocks_around(text, blocks, index, limit)
    if speaks_to_machines(text[blocks[first].start : end]):  # an order torn over several blocks
        first, last, end = index, index, blocks[index].end
    return _window(tuple(blocks[first : last + 1]), blocks[first].start, end, unit.block)


def _blocks_around(
    text: str, blocks: Sequence[Block], index: int, limit: int
) -> tuple[int, int, int]:
    """The first and the last of the blocks around one that may be shown with it, with what they
    need `limit` words at most, and where the last is cut.

    A list is shown before what follows it. What leads in to a list or code ("as follows:") comes
    with the beginning of it, or not at all.
    """
    first = last = index
    spans_shown = _spans_of(blocks[index])
    room = limit - _count_all(text, spans_shown) - _has_mark(blocks[index])
    within_list = blocks[index].kind == BlockKind.LIST_ITEM
    while True:
        grown = False
        for neighbour in _beside(blocks, first, last, within_list):
            if not _joins(text, blocks, first, last, neighbour, index):
                continue
            added = _spans_of(blocks[neighbour]) - spans_shown
            size = _count_all(text, added) + _has_mark(blocks[neighbour])
            if size <= room:
                room, spans_shown = room - size, spans_shown | added
                first, last, grown = min(first, neighbour), max(last, neighbour), True
            elif neighbour > last and _leads_in(text, blocks[last]) and room >= _WORTH_CUTTING:
                return first, neighbour, _cut(text, blocks[neighbour], room)
        if not (grown or within_list):
            break
        within_list &= grown
    first, last = _trimmed(text, blocks, first, last, index)
    return first, last, blocks[last].end


def _trimmed(
    text: str, blocks: Sequence[Block], first: int, last: int, index: int
) -> tuple[int, int]:
    """The first and the last of the blocks around one without what says nothing at its end: a
    heading, a lead-in, and captions of figures, which are not shown; that of a table is context of
    its rows."""
    while last > index and (
        _leads_in(text, blocks[last])
        or blocks[last].kind in (BlockKind.CAPTION, BlockKind.HEADING)
        or blocks[last].header
    ):
        last -= 1
    while first < index and blocks[first].kind == BlockKind.CAPTION:
        first += 1
    return first, last


def _beside(blocks: Sequence[Block], first: int, last: int, within_list: bool) -> list[int]:
    """The numbers of the blocks behind and before some; within_list: of items alone."""
    sides = [i for i in (last + 1, first - 1) if 0 <= i < len(blocks)]
    return [i for i in sides if not within_list or blocks[i].kind == BlockKind.LIST_ITEM]


def _joins(
    text: str, blocks: Sequence[Block], first: int, last: int, neighbour: int, index: int
) -> bool:
    """Whether the block beside some others may be shown with the one that they stand around."""
    is_led_in = neighbour > last and _leads_in(text, blocks[last])
    beside = blocks[last if neighbour > last else first]
    if not _adjacent(text, blocks[first : last + 1], blocks[neighbour]):
        return False
    if _in_subsection(blocks[neighbour], blocks[index]):
        return neighbour > last and (is_led_in or _in_subsection(blocks[last], blocks[index]))
    return _in_section(blocks[neighbour], blocks[index]) and (
        is_led_in or _goes_with(blocks[neighbour], beside)
    )


def _in_subsection(block: Block, of: Block) -> bool:
    """Whether a block is or stands under a heading within the section of another one."""
    depth = len(of.heading_path)
    is_within = block.heading_path[:depth] == of.heading_path
    return is_within and (block.kind == BlockKind.HEADING or len(block.heading_path) > depth)


def _leads_in(text: str, block: Block) -> bool:
    return block.kind in SENTENCE_KINDS and text[block.start : block.end].rstrip().endswith(":")


def names_picture(kind: str, caption: str) -> bool:
    """Whether a block is a caption of a few words that are no sentence ("Database unlock screen").

    Of 544 questions about 25 collections three answers led a passage with one; none answered.
    """
    caption = caption.rstrip("\"'”’)»")
    is_short = len(caption.split()) <= _NAME_WORDS
    return kind == BlockKind.CAPTION and is_short and not caption.endswith(_SENTENCE_ENDS)


def _cut(text: str, block: Block, room: int) -> int:
    """The end of the first sentences or lines of a block, `room` words together at most."""
    unit = Unit(*_parts(text, block)[0], block)
    return _parts_around(text, unit, room)[1]


def _spans_of(block: Block) -> frozenset[Span]:
    """A block and what it needs."""
    return frozenset(((block.start, block.end), *block.context))


def _has_mark(block: Block) -> bool:
    """Whether a block has a bullet or a number, which counts as a word."""
    return block.kind == BlockKind.LIST_ITEM


def _count_all(text: str, spans: Iterable[Span]) -> int:
    return sum(_count(text, start, end) for start, end in spans)


def begins_late(text: str, blocks: Sequence[Block], window: Window) -> bool:
    """Whether items of the same list or rows of the same table stand before a window, of which it
    does not show the last."""
    first = window.blocks[0]
    before = next((block for block in reversed(blocks) if block.end <= first.start), None)
    if before is None or (before.start, before.end) in window.context:
        return False
    return _goes_on(text, before, first)


def is_cut(text: str, blocks: Sequence[Block], window: Window) -> bool:
    """Whether a window ends within a sentence, a line of code, a list or a table."""
    last = window.blocks[-1]
    if any(start < window.end < end for start, end in _parts(text, last)):
        return True
    following = next((block for block in blocks if block.start >= last.end), None)
    return following is not None and _goes_on(text, last, following)


def _goes_on(text: str, block: Block, following: Block) -> bool:
    """Whether two blocks are neighbours in one list, with what stands in its items, or one
    table."""
    if not (_in_section(following, block) and _adjacent(text, (block,), following)):
        return False
    if block.kind == following.kind == BlockKind.TABLE_ROW:
        return not (block.header or following.header) and block.context == following.context
    return _is_in_list(block) and _is_in_list(following)


def _is_in_list(block: Block) -> bool:
    return block.kind == BlockKind.LIST_ITEM or (
        block.level > 0 and block.kind != BlockKind.HEADING
    )


def lead_text(text: str, unit: Unit, limit: int = LEAD_WORDS) -> Span:
    """The unit, cut to `limit` whole words when it is longer."""
    words = list(_words(text, unit.start, unit.end))
    return (unit.start, unit.end) if len(words) <= limit else (unit.start, words[limit - 1][1])


def grown_lead(
    text: str, blocks: Sequence[Block], unit: Unit, end: int, limit: int = LEAD_WORDS
) -> int:
    """Where a lead ends that goes on with the whole sentences and items behind a sentence while
    there is room.

    A sentence in the words of a question is often the one before the answer. end: of the passage.
    """
    reached = unit.end
    for following in units_within(text, blocks, unit.end, end):
        if _count(text, unit.start, following.end) > limit or following.end > end:
            break
        if (
            not text[following.start : following.end].rstrip().endswith(":")
        ):  # what leads in to more
            reached = following.end
    return reached


def _in_section(block: Block, of: Block) -> bool:
    return block.heading_path == of.heading_path and block.kind != BlockKind.HEADING


def _goes_with(block: Block, beside: Block) -> bool:
    """Whether a block may be shown with its neighbour: rows of a table only with rows.

    A header row comes as context of the rows that need it.
    """
    is_row, is_beside_row = (b.kind == BlockKind.TABLE_ROW for b in (block, beside))
    return is_row == is_beside_row and not block.header


def _adjacent(text: str, blocks: Sequence[Block], neighbour: Block) -> bool:
    """Whether no block that may not be quoted lies between: nothing but a mark of a list."""
    first, last = blocks[0], blocks[-1]
    if neighbour.start < first.start:
        start, end = (neighbour.end, first.start)
    else:
        start, end = (last.end, neighbour.start)
    return len(text[start:end].strip()) <= LONGEST_MARK


def _parts(text: str, block: Block) -> list[Span]:
    """The lines of code, the sentences of anything else."""
    if block.kind != BlockKind.CODE:
        return spans(text, block.start, block.end) or [(block.start, block.end)]
    lines, at = [], block.start
    for line in text[block.start : block.end].split("\n"):
        if bare := line.strip():
            first = at + len(line) - len(line.lstrip())
            lines.append((first, first + len(bare)))
        at += len(line) + 1
    return lines


def _parts_around(text: str, unit: Unit, limit: int) -> Span:
    """Sentences or lines of a long block around one of them, at most `limit` words; a longer one is
    cut."""
    cut = _parts(text, unit.block)
    index = next((i for i, (start, end) in enumerate(cut) if start <= unit.start < end), 0)
    first = last = index
    room = limit - _count(text, *cut[index])
    if room < 0:
        return lead_text(text, Unit(*cut[index], unit.block), limit)
    while True:
        if last + 1 < len(cut) and room >= _WORTH_CUTTING and _count(text, *cut[last + 1]) > room:
            return cut[first][0], lead_text(text, Unit(*cut[last + 1], unit.block), room)[1]
        sides = [
            i for i in (last + 1, first - 1) if 0 <= i < len(cut) and _count(text, *cut[i]) <= room
        ]
        if not sides:
            return cut[first][0], cut[last][1]
        room -= _count(text, *cut[sides[0]])
        first, last = min(first, sides[0]), max(last, sides[0])


def _window(blocks: tuple[Block, ...], start: int, end: int, main: Block | None = None) -> Window:
    main = main or blocks[0]
    # An item of an inner list that opens the passage needs the item that it stands in
    spans_needed = {*main.context, *blocks[0].context}
    needed = tuple(sorted(span for span in spans_needed if not start <= span[0] < end))
    return Window(start, end, blocks, needed, main.kind, main.heading_path)


def _count(text: str, start: int, end: int) -> int:
    """Words of a span. Where it has few spaces (code, some scripts) its length decides: so many
    characters are a word."""
    return max(len(text[start:end].split()), (end - start) // _WORD_LENGTH)


def _words(text: str, start: int, end: int) -> Iterator[Span]:
    at = start
    for word in text[start:end].split():
        first = text.index(word, at)
        at = first + len(word)
        yield first, at
