"""Chunks: what is indexed and found. Whole blocks of one section, at most 1 000 characters
together.

A block that is longer is cut between sentences, one of which two neighbours share. Cut by
characters alone, so that the borders are the same whatever is installed. Characters of scripts that
carry a word or a syllable each count fourfold, which keeps a chunk near 200 tokens in every script.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from tools.documents.blocks import Span, blocks_of_text, start_with_marker
from tools.documents.model import Block, BlockKind, Cut, Section
from tools.text.sentences import spans

_REPEATED_SHARE = 0.35  # of a chunk; a longer sentence is not repeated
_DENSE_WEIGHT = 3  # added per dense character
# Thai, Kana, Han, Hangul
_DENSE = re.compile(
    r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_SOFT_BORDER = re.compile(r"[;,:\n。、，)\]]\s*|\s+")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
# Of 62 sections with such headings in papers, manuals and handbooks 51 are lists of cited works,
# with a year in each 255 characters or fewer; the others (advice, links, people to ask) have none,
# but for one with a year in each 365
_MOST_A_YEAR = 320
_DEFAULT = Cut()


class Chunk(NamedTuple):
    """text[start:end], without surrounding white space, of one section (None: outside all).

    heading_path: the headings above it. context: spans that its first block needs and that lie
    outside the chunk.
    """

    start: int
    end: int
    section_id: str | None = None
    heading_path: tuple[str, ...] = ()
    context: tuple[Span, ...] = ()


def chunks(
    text: str, sections: Sequence[Section] = (), cut: Cut = _DEFAULT, blocks: Sequence[Block] = ()
) -> list[Chunk]:
    """The chunks of a text in order; a text without blocks is first cut into some.

    Lists of cited works and tables of contents are left out (their lines state nothing), unless
    there is nothing else.
    """
    blocks = blocks or blocks_of_text(text, sections)
    places = _Sections(sections)
    listings = {section.section_id for section in sections if _is_listing(text, section)}
    placed = [(places.id_at(block.start), block) for block in _quotable(blocks)]
    indexed = [(section_id, block) for section_id, block in placed if section_id not in listings]
    return list(
        _chunks(text, indexed or [(places.id_at(block.start), block) for block in blocks], cut)
    )


def _is_listing(text: str, section: Section) -> bool:
    """Whether a section only lists: what stands in the document, or the works it cites, each with
    its year."""
    if section.kind != "references":
        return section.kind == "contents"
    years = sum(1 for _ in _YEAR.finditer(text, max(0, section.start), section.end))
    return section.end - section.start <= years * _MOST_A_YEAR


def _quotable(blocks: Sequence[Block]) -> Iterator[Block]:
    """All blocks but headings, and those headings under which nothing stands: they are found with
    what they head."""
    for block, following in zip_longest(blocks, blocks[1:]):
        alone = following is None or (
            following.kind == BlockKind.HEADING and following.level <= block.level
        )
        if block.kind != BlockKind.HEADING or alone:
            yield block


def _chunks(text: str, placed: Sequence[tuple[str | None, Block]], cut: Cut) -> Iterator[Chunk]:
    """placed: the blocks with the sections that hold them."""
    last_end = 0
    for (section_id, path), group in groupby(
        placed, key=lambda pair: (pair[0], pair[1].heading_path)
    ):
        pieces: list[_Piece] = []
        for _, block in group:
            start = start_with_marker(text, block, last_end)
            pieces += _pieces_of(text, block, start, cut.max_characters)
            last_end = block.end
        for packed in _pack(pieces, cut):
            start, end = packed[0].start, packed[-1].end
            outside = tuple(span for span in packed[0].block.context if not start <= span[0] < end)
            yield Chunk(start, end, section_id, path, outside)


class _Sections:
    """Which section holds an offset. Sections do not overlap; those outside the text hold
    nothing."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = sorted(
            (s for s in sections if 0 <= s.start < s.end), key=lambda s: (s.start, -s.end)
        )
        self._starts = [section.start for section in self._sections]

    def id_at(self, offset: int) -> str | None:
        for index in range(bisect_right(self._starts, offset) - 1, -1, -1):
            if offset < self._sections[index].end:
                return self._sections[index].section_id
        return None


class _Piece(NamedTuple):
    """A block, or a sentence of a block that is longer than a chunk. weight: its length as chunks
    count it."""

    start: int
    end: int
    weight: int
    block: Block


def _pieces_of(text: str, block: Block, start: int, limit: int) -> list[_Piece]:
    """A block in pieces that fit a chunk. start: where it begins, with the marker of a list
    item."""
    weight = _weight(text, start, block.end)
    if weight <= limit:
        return [_Piece(start, block.end, weight, block)]
    sentences = _sentences(text, start, block.end, limit)
    return [_Piece(start, end, weight, block) for start, end, weight in sentences]


def _sentences(text: str, start: int, end: int, limit: int) -> list[tuple[int, int, int]]:
    """(start, end, weight) of the sentences of a region; longer ones than a chunk in pieces."""
    plain = text.isascii() or not _DENSE.search(text, start, end)
    pieces = []
    for first, last in spans(text, start, end):
        weight = last - first if plain else _weight(text, first, last)
        if weight <= limit:
            pieces.append((first, last, weight))
        else:
            pieces.extend(_cut_sentence(text, first, last, limit))
    return pieces


def _weight(text: str, start: int, end: int) -> int:
    if text.isascii():  # known without a look at the text, and most texts are
        return end - start
    return end - start + _DENSE_WEIGHT * sum(1 for _ in _DENSE.finditer(text, start, end))


def _pack(pieces: Sequence[_Piece], cut: Cut) -> Iterator[Sequence[_Piece]]:
    """Pieces collected into chunks; a chunk that goes on with a long block begins with its last
    sentences."""
    first = 0
    while first < len(pieces):
        last, weight = first, pieces[first].weight
        while (
            last + 1 < len(pieces)
            and (grown := _joined(weight, pieces, last)) <= cut.max_characters
        ):
            last, weight = last + 1, grown
        yield pieces[first : last + 1]
        if last + 1 == len(pieces):
            return
        first = _next_first(pieces, first, last, cut)


def _next_first(pieces: Sequence[_Piece], first: int, last: int, cut: Cut) -> int:
    """Where the next chunk begins: not with sentences that would leave no room for a new one."""
    begin, weight = last + 1, pieces[last + 1].weight
    while last - begin + 1 < cut.overlap_sentences and begin - 1 > first:
        repeated = pieces[begin - 1]
        weight += repeated.weight + pieces[begin].start - repeated.end
        too_long = (
            repeated.weight > cut.max_characters * _REPEATED_SHARE or weight > cut.max_characters
        )
        if too_long or repeated.block is not pieces[last + 1].block:
            break
        begin -= 1
    return begin


def _joined(weight: int, pieces: Sequence[_Piece], last: int) -> int:
    """The weight of a chunk that ends with piece `last` when the next one joins it."""
    return weight + pieces[last + 1].start - pieces[last].end + pieces[last + 1].weight


def _cut_sentence(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int, int]]:
    """A sentence that is too long, cut where it hurts least: at a comma, a line end, a space, else
    anywhere."""
    while start < end:
        limit = _reach(text, start, end, most)
        cut = limit
        if limit < end:
            borders = [
                m.end() for m in _SOFT_BORDER.finditer(text, start + (limit - start) // 2, limit)
            ]
            cut = borders[-1] if borders else _whole_character(text, start, limit)
        piece = text[start:cut]
        bare = piece.strip()
        if bare:
            first = start + len(piece) - len(piece.lstrip())
            yield first, first + len(bare), _weight(text, first, first + len(bare))
        start = cut


def _reach(text: str, start: int, end: int, most: int) -> int:
    """How far a chunk that begins at `start` may go."""
    limit = min(end, start + most)
    if _weight(text, start, limit) > most:  # a dense script: the worst case fits
        limit = min(end, start + max(1, most // (1 + _DENSE_WEIGHT)))
    return limit


def _whole_character(text: str, start: int, limit: int) -> int:
    """A cut that separates no mark from its letter (a few steps back at most)."""
    for cut in range(limit, max(start + 1, limit - 16), -1):
        if not (
            unicodedata.combining(text[cut])
            or text[cut] in "\u200d\ufe0f"
            or text[cut - 1] == "\u200d"
        ):
            return cut
    return limit
