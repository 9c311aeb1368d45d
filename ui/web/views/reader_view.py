"""The stored text of a source as paragraphs, passages marked, with where each is used."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from engine.answers import ReaderPage, Segment
from engine.models import Check

CONTEXT = 1


@dataclass(frozen=True, slots=True)
class Use:
    """A sentence of the report that rests on a passage; its text is "" where it is the passage
    itself.

    name: on the page of the report. mark: what the user found when checking it, "" before.
    """

    part: str
    text: str
    href: str
    name: str = ""
    mark: str = ""


Checked = Mapping[str, str]  # text of a sentence or passage -> yes, part, no


@dataclass(frozen=True, slots=True)
class Piece:
    """Plain text, or a passage (number > 0) with its letter, the anchors that lead to it and its
    uses."""

    text: str
    number: int = 0
    letter: str = ""
    anchors: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    first: bool = True


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or heading. level 0 = paragraph. skipped: how many were left out before it."""

    level: int
    pieces: tuple[Piece, ...]
    skipped: int = 0


def letter(number: int) -> str:
    """1 -> a, 26 -> z, 27 -> aa: names of passages that are no numbers of sources."""
    out = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        out = chr(97 + rest) + out
    return out


def reader_text(
    page: ReaderPage, whole: bool, home: str, checks: Sequence[Check] = ()
) -> tuple[list[Block], int]:
    """All paragraphs, or only those around passages with a note where others were left out; and how
    many were.

    home: the address of the report.
    """
    anchors: set[int] = set()
    marks = {check.text: check.mark for check in checks if check.source_id == page.source.source_id}
    blocks = [
        _block(group, home, anchors, marks)
        for _, group in groupby(page.segments, key=lambda s: s.paragraph)
    ]
    blocks = _without_title(blocks, page.source.title)
    everything = whole or not page.passages or len(blocks) <= 60
    shown = blocks if everything else list(_near(blocks))
    return stepped(shown), len(blocks) - len(shown)


def stepped(blocks: list[Block]) -> list[Block]:
    """Headings that begin at level 1 and never skip one on the way down, whatever the text had;
    three at most."""
    least = min((block.level for block in blocks if block.level), default=1)
    out, before = [], 0
    for block in blocks:
        if block.level:
            before = min(block.level - least + 1, before + 1, 3)
            block = replace(block, level=before)
        out.append(block)
    return out


def _block(segments: Iterable[Segment], base: str, anchors: set[int], marks: Checked) -> Block:
    """anchors: numbers of the passages before; one that goes on in a further paragraph is no new
    place to lead to."""
    pieces = []
    for segment in segments:
        pieces.append(_piece(segment, base, segment.number not in anchors, marks))
        anchors.add(segment.number)
    return Block(segment.level, tuple(pieces))


def _piece(segment: Segment, base: str, first: bool, marks: Checked) -> Piece:
    if segment.kind != "passage":
        return Piece(segment.text)
    if not first:
        return Piece(segment.text, segment.number, letter(segment.number), first=False)
    words = " ".join(segment.text.split())
    uses = tuple(
        Use(
            part,
            "" if " ".join(text.split()) in words else text,
            f"{base}#{name}",
            name,
            marks.get(text, ""),
        )
        for name, part, text in segment.used_by
    )
    return Piece(segment.text, segment.number, letter(segment.number), segment.evidence_ids, uses)


def _without_title(blocks: list[Block], title: str) -> list[Block]:
    """The page has the title as its heading already."""
    if not blocks or not blocks[0].level:
        return blocks
    heading = "".join(piece.text for piece in blocks[0].pieces)
    is_title = heading.lower().split() == title.lower().split()
    return blocks[1:] if is_title else blocks


def _near(blocks: list[Block]) -> Iterator[Block]:
    """Blocks with a passage and their neighbours; the first after a gap says how many were
    skipped."""
    hits = {i for i, block in enumerate(blocks) if any(piece.number for piece in block.pieces)}
    last = -1
    for i, block in enumerate(blocks):
        if hits.intersection(range(i - CONTEXT, i + CONTEXT + 1)):
            yield replace(block, skipped=i - last - 1)
            last = i
