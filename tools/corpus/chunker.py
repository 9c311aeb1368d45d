"""Chunks: what is indexed and found. Whole sentences, at most 1 000 characters, one sentence of overlap.

Cut by characters alone, so that the borders are the same whatever is installed. Characters of scripts that carry a
word or a syllable each count fourfold, which keeps a chunk near 200 tokens in every script.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tools.corpus.model import Section
from tools.text.sentences import spans

MAX_CHARACTERS = 1000
CHARACTERS_PER_TOKEN = 5
_REPEATED_SHARE = 0.35  # of a chunk; a longer sentence is not repeated
_DENSE_WEIGHT = 3  # added per dense character
# Thai, Kana, Han, Hangul
_DENSE = re.compile(
    r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_SOFT_BORDER = re.compile(r"[;,:\n。、，)\]]\s*|\s+")
_LEFT_OUT = ("references", "contents")


@dataclass(frozen=True, slots=True)
class Chunk:
    """text[start:end], without surrounding white space, inside one section (None: outside all)."""

    start: int
    end: int
    section_id: str | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """How long a chunk may be, and how many sentences two neighbours share."""

    max_characters: int = MAX_CHARACTERS
    overlap_sentences: int = 1


DEFAULT = Cut()


def chunks(text: str, sections: Sequence[Section] = (), cut: Cut = DEFAULT) -> list[Chunk]:
    """The chunks of a text in order.

    Reference lists and tables of contents are left out (their lines state nothing), unless there is nothing else.
    """
    found = list(_chunks(text, sections, _LEFT_OUT, cut))
    return found or list(_chunks(text, sections, (), cut))


def _chunks(text: str, sections: Sequence[Section], left_out: Sequence[str], cut: Cut) -> Iterator[Chunk]:
    for start, end, section in regions(text, sections):
        if section and section.kind in left_out:
            continue
        section_id = section.section_id if section else None
        for first, last in _pack(_sentences(text, start, end, cut.max_characters), cut):
            yield Chunk(first, last, section_id)


def regions(text: str, sections: Sequence[Section]) -> Iterator[tuple[int, int, Section | None]]:
    """The text cut at every section border: (start, end, innermost section). Heading lines belong to none."""
    usable = [s for s in sections if 0 <= s.start < s.end <= len(text)]
    borders = sorted({0, len(text)} | {s.start for s in usable} | {s.end for s in usable})
    # Narrow sections are laid over wide ones
    owner: dict[int, Section] = {}
    for section in sorted(usable, key=lambda s: (s.start - s.end, s.start, s.section_id)):
        first, last = bisect_right(borders, section.start) - 1, bisect_right(borders, section.end) - 1
        for index in range(first, last):
            owner[index] = section
    titles = {s.title.strip() for s in usable}
    for index, (start, end) in enumerate(pairwise(borders)):
        inside = owner.get(index)
        if inside or text[start : min(end, start + 400)].strip().strip("#=- \n") not in titles:
            yield start, end, inside


def _sentences(text: str, start: int, end: int, limit: int) -> list[tuple[int, int, int]]:
    """(start, end, weight) of the sentences of a region; longer ones than a chunk in pieces."""
    plain = text.isascii() or not _DENSE.search(text, start, end)
    found = []
    for first, last in spans(text, start, end):
        weight = last - first if plain else _weight(text, first, last)
        if weight <= limit:
            found.append((first, last, weight))
        else:
            found.extend(_pieces(text, first, last, limit))
    return found


def _weight(text: str, start: int, end: int) -> int:
    return end - start + _DENSE_WEIGHT * sum(1 for _ in _DENSE.finditer(text, start, end))


def _pack(sentences: Sequence[tuple[int, int, int]], cut: Cut) -> Iterator[tuple[int, int]]:
    """Sentences collected into chunks; each chunk but the first begins with the last sentences of the one before."""
    first = 0
    while first < len(sentences):
        last, weight = first, sentences[first][2]
        while last + 1 < len(sentences) and (grown := _joined(weight, sentences, last)) <= cut.max_characters:
            last, weight = last + 1, grown
        yield sentences[first][0], sentences[last][1]
        if last + 1 == len(sentences):
            return
        first = _next_first(sentences, first, last, cut)


def _next_first(sentences: Sequence[tuple[int, int, int]], first: int, last: int, cut: Cut) -> int:
    """Where the next chunk begins: not with sentences that would leave no room for a new one."""
    begin, weight = last + 1, sentences[last + 1][2]
    while last - begin + 1 < cut.overlap_sentences and begin - 1 > first:
        repeated = sentences[begin - 1]
        weight += repeated[2] + sentences[begin][0] - repeated[1]
        if repeated[2] > cut.max_characters * _REPEATED_SHARE or weight > cut.max_characters:
            break
        begin -= 1
    return begin


def _joined(weight: int, sentences: Sequence[tuple[int, int, int]], last: int) -> int:
    """The weight of a chunk that ends with sentence `last` when the next one joins it."""
    return weight + sentences[last + 1][0] - sentences[last][1] + sentences[last + 1][2]


def _pieces(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int, int]]:
    """A sentence that is too long, cut where it hurts least: at a comma, a line end, a space, else anywhere."""
    while start < end:
        limit = _reach(text, start, end, most)
        cut = limit
        if limit < end:
            borders = [m.end() for m in _SOFT_BORDER.finditer(text, start + (limit - start) // 2, limit)]
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
        if not (unicodedata.combining(text[cut]) or text[cut] in "\u200d\ufe0f" or text[cut - 1] == "\u200d"):
            return cut
    return limit
