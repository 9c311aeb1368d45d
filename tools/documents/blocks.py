"""Blocks of a snapshot: their heading paths, how they are stored, and how a text without stored
blocks is cut.

Stored form (JSON): one row a block, [kind, start, end, level, header, [[start, end] ...]], heading
paths follow from the headings and are not stored.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tools.documents.model import Block, BlockKind, Section

Span = tuple[int, int]

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MARKER = r"(?:[-*•‣▪]|\(?\d{1,3}[.)]|\(?[a-z][.)])"
_LIST_ITEM = re.compile(rf"([ \t]*){_MARKER}[ \t]+(?=\S)")
_MARKER_AT_END = re.compile(rf"(?<![^\W_]){_MARKER}\Z")
_MARKER_LENGTH = 5  # "(123)"
_KINDS = {kind.value: kind for kind in BlockKind}
_INDENT = 2  # spaces of a level of a list, as our own texts are written


def with_heading_paths(text: str, blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks, each with the headings it stands under, outermost first; a heading has those
    above it."""
    path: list[tuple[int, str]] = []
    above: tuple[str, ...] = ()
    placed = []
    for block in blocks:
        if block.kind == BlockKind.HEADING:
            level = max(1, block.level)
            while path and path[-1][0] >= level:
                path.pop()
            above = tuple([title for _, title in path])
        placed.append(block if above == block.heading_path else _under(block, above))
        if block.kind == BlockKind.HEADING:
            path.append((level, " ".join(text[block.start : block.end].split())))
            above = (*above, path[-1][1])
    return tuple(placed)


def _under(block: Block, above: tuple[str, ...]) -> Block:
    """The block with another heading path: `_replace` takes three times as long."""
    return Block(
        block.kind, block.start, block.end, block.level, block.header, above, block.context
    )


def start_with_marker(text: str, block: Block, after: int) -> int:
    """Where a list item begins with its marker ("a. ", "- "); of any other block its start. after:
    not before this."""
    if block.kind != BlockKind.LIST_ITEM:
        return block.start
    end = block.start
    while end > after and text[end - 1] in " \t":
        end -= 1
    # One character more, which tells a marker from the end of a word
    match = _MARKER_AT_END.search(text[max(after, end - _MARKER_LENGTH - 1) : end])
    return end - len(match[0]) if match else block.start


def encode_blocks(blocks: Iterable[Block]) -> list[list[Any]]:
    """JSON values for `decode_blocks`."""
    return [
        [
            block.kind,
            block.start,
            block.end,
            block.level,
            int(block.header),
            block.context,
        ]
        for block in blocks
    ]


def decode_blocks(text: str, rows: Iterable[Sequence[Any]]) -> tuple[Block, ...]:
    """Blocks of a text from their stored rows. ValueError when a row does not fit the text."""
    blocks = [
        Block(
            _KINDS.get(kind)
            or BlockKind(kind),  # an enumeration takes ten times as long, and refuses others
            int(start),
            int(end),
            int(level),
            bool(header),
            (),
            tuple([(int(a), int(b)) for a, b in context]) if context else (),
        )
        for kind, start, end, level, header, context in rows
    ]
    last = 0
    for block in blocks:
        if not last <= block.start <= block.end <= len(text):
            raise ValueError("a block lies outside its text")
        if block.context and any(
            not 0 <= start <= end <= len(text) for start, end in block.context
        ):
            raise ValueError("the context of a block lies outside its text")
        last = block.end
    return with_heading_paths(text, blocks)


def blocks_of_text(text: str, sections: Sequence[Section] = ()) -> tuple[Block, ...]:
    """The blocks of a text of which none are stored: parted by blank lines and at the borders of
    its sections."""
    titles = {section.title.strip(): section.level for section in sections}
    borders = {offset for section in sections for offset in (section.start, section.end)}
    return with_heading_paths(text, _plain_blocks(text, titles, borders))


def _plain_blocks(
    text: str, titles: Mapping[str, int], borders: Collection[int]
) -> Iterator[Block]:
    lead_in: Span | None = None
    for start, end in _paragraphs(text, borders):
        title = text[start:end].strip("#=* \t\n")
        if title in titles:
            yield Block(BlockKind.HEADING, start, end, titles[title])
            lead_in = None
            continue
        items = list(_items(text, start, end))
        list_start = items[0][0] if items else end
        if list_start > start:
            paragraph_end = start + len(text[start:list_start].rstrip())
            yield Block(BlockKind.PARAGRAPH, start, paragraph_end)
            lead_in = (start, paragraph_end)
        for _, item in items:
            yield item._replace(context=(lead_in,) if lead_in else ())


def _paragraphs(text: str, borders: Collection[int]) -> Iterator[Span]:
    """Spans between blank lines and borders, without surrounding white space."""
    at = 0
    inside = ((border, border) for border in {*borders, len(text)} if 0 < border <= len(text))
    for border in sorted([*(match.span() for match in _BLANK_LINE.finditer(text)), *inside]):
        piece = text[at : border[0]]
        bare = piece.strip()
        if bare:
            start = at + len(piece) - len(piece.lstrip())
            yield start, start + len(bare)
        at = max(at, border[1])


def _items(text: str, start: int, end: int) -> Iterator[tuple[int, Block]]:
    """The list items of a paragraph, each with the lines that go on with it, and where the line of
    each begins."""
    marks: list[tuple[int, int, int]] = []
    at = start
    while at < end:
        match = _LIST_ITEM.match(text, at, end)
        if match:
            marks.append((at, match.end(), 1 + len(match.group(1).expandtabs(4)) // _INDENT))
        line_end = text.find("\n", at, end)
        at = end if line_end < 0 else line_end + 1
    stops = [*(line for line, _, _ in marks[1:]), end]
    for (line, body, level), stop in zip(marks, stops, strict=False):
        yield line, Block(BlockKind.LIST_ITEM, body, body + len(text[body:stop].rstrip()), level)
