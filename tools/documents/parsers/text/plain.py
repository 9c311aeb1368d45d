"""Plain text: paragraphs, list items, headings in capitals or underlined, tables with aligned
columns.

Lines of one paragraph are joined where they were wrapped to a width; where every line is a
paragraph or an entry, each stays by itself.
"""

import itertools
import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from textwrap import dedent

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, compose, has_header, table_row
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.lines import (
    CAPTION,
    LEADING_LINE,
    LIST_MARK,
    deepen,
    heading_level,
    is_capitals,
    lines_of,
    may_be_heading,
)
from tools.documents.parsers.text.front_matter import header, metadata_of
from tools.documents.parsers.torn_words import join_lines
from tools.documents.parsers.versions import with_version
from tools.documents.sections import is_usual_name

UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}\s*$")
_HASHES = re.compile(r"(#{1,6})\s+(?=\S)")
_ENDED = re.compile(r"[.!?…:;。！？][\"'”’)\]]*$")
_CHAPTER = re.compile(
    r"(?:chapter|part|book|act|scene|appendix|section|article)\s+(?:[IVXLC]+|\d+|[A-Z])\b[.:]?",
    re.I,
)
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z]")
_NUMBERED_TITLE = re.compile(r"\d{1,2}(?:\.\d{1,2})*\. [A-Z][\w ,'’-]{2,60}\.?$")
_COLUMNS = re.compile(r"\s{2,}|\t+| \| ")
_CODE_SIGNS = re.compile(r"[{}<>;=$#|\\]|\(\)|(?<!\w)--?\w")
# At most of a heading without a sign of one, at least of what it stands above
_HEADING_WORDS, _PROSE_WORDS = (
    8,
    12,
)
_LONG_LINE = 120  # characters; text was not wrapped to more
_MANY_LINES = 12  # lines of entries that are kept together, such as those of a poem or an address
_FEW_LINES, _FAR_IN = 4, 8  # of headings in the middle of the line
# Files of programs: their lines are code, and none of them is a title
_SOURCE_CODE = tuple(
    f".{ending}"
    for ending in (
        "bash bat c cc cfg cmake conf cpp cs css cxx dart ex go h hpp hs ini java jl js jsx kt lua "
        "m mjs php pl ps1 py "
        "r rb rs scala scss sh sql swift tcl toml ts tsx vim yaml yml zsh"
    ).split()
)
_SAMPLE = 200  # lines of a run that are looked at
_SAMPLE_OF_TEXT = 200_000  # characters
_MOSTLY_FULL = 0.75  # of the width, that the lines of a paragraph have which was wrapped by hand
_NARROWEST = 40  # characters of the narrowest text that is wrapped


def parse(request: Request) -> Extracted:
    """The text of a file in blocks."""
    text = text_of(request)
    is_code = request.name.lower().endswith(_SOURCE_CODE)
    fields, body = header(text)
    if is_code:  # its parts between empty lines stay as they stand
        blocks = (ParsedBlock("\n".join(run), kind=BlockKind.CODE) for run in _runs(text))
        metadata = {"title": request.name, "title_from": "file_name"}
        return compose(blocks).extracted(with_version("zorora-text"), metadata)
    return compose(blocks_of_lines(body)).extracted(
        with_version("zorora-text"), metadata_of(fields)
    )


def blocks_of_lines(text: str) -> Iterator[ParsedBlock]:
    """The blocks of a text without markup."""
    reader = _Reader(_width(text))
    for run, following in pairwise(itertools.chain(_runs(text), [[]])):
        yield from reader.read(run, following)


def _runs(text: str) -> Iterator[list[str]]:
    """Lines between empty lines."""
    run: list[str] = []
    for line in lines_of(text):
        if line.strip():
            run.append(line.rstrip())
        elif run:
            yield run
            run = []
    if run:
        yield run


@dataclass(slots=True)
class _Reader:
    """Reads runs of lines; knows the signs under headings, whose order makes their levels."""

    width: int
    _underlines: list[str] = field(default_factory=list)

    def read(self, run: list[str], following: Sequence[str] = ()) -> Iterator[ParsedBlock]:
        """The blocks of a run. following: the next run, whose prose shows what a short line above
        it is."""
        heading, rest = self._heading(run)
        if heading is not None:
            yield heading
        if not rest:
            return
        if heading is None and len(rest) <= _FEW_LINES and _is_centred(rest):
            yield from map(_centred, rest)
        elif len(rest) == 1 and heading is None and _stands_alone(rest[0].strip()):
            text = rest[0].strip()
            yield ParsedBlock(text, heading_level(text))
        elif len(rest) == 1 and heading is None and _leads(rest[0].strip(), following):
            yield ParsedBlock(rest[0].strip(), LEADING_LINE)
        elif _has_items(rest):
            yield from _items(rest, self.width)
        elif grid := _grid(rest):
            header = has_header(grid)
            yield from (
                table_row(row, header=header and number == 0, begins=not number)
                for number, row in enumerate(grid)
            )
        else:
            yield from _text(rest, self.width)

    def _heading(self, run: list[str]) -> tuple[ParsedBlock | None, list[str]]:
        """A heading that is underlined or begins with #, and the lines behind it."""
        first = run[0].strip()
        hashes = _HASHES.match(first)
        if hashes and len(first) <= _LONG_LINE:
            return ParsedBlock(first[hashes.end() :].rstrip("# "), len(hashes.group(1))), run[1:]
        if len(run) > 2 and UNDERLINE.match(first) and UNDERLINE.match(run[2].strip()):
            run = run[1:]  # a line above the heading as well
            first = run[0].strip()
        if len(run) > 1 and self._is_underlined(first, run[1].strip()):
            sign = run[1].strip()[0]
            if sign not in self._underlines:
                self._underlines.append(sign)
            return ParsedBlock(first, min(6, self._underlines.index(sign) + 1)), run[2:]
        rule = UNDERLINE.match(first) and not any(map(str.isalnum, first))
        return None, run[1:] if rule else run

    def _is_underlined(self, title: str, line: str) -> bool:
        fits = 0.6 * len(title) <= len(line) and len(title) <= _LONG_LINE
        return fits and bool(UNDERLINE.match(line)) and any(map(str.isalpha, title))


def _is_centred(run: Sequence[str]) -> bool:
    return all(
        line.startswith(" " * _FAR_IN) and len(line.strip()) < _LONG_LINE / 2 for line in run
    )


def _centred(line: str) -> ParsedBlock:
    text = " ".join(line.split())
    heading = may_be_heading(text) and text[0].isupper() and not any(map(str.isdigit, text))
    return ParsedBlock(text, heading_level(text) if heading else 0)


def _stands_alone(line: str) -> bool:
    """Whether a line between empty lines is a heading: capitals, a number, the usual name of a
    part."""
    if _NUMBERED_TITLE.match(line):
        return True
    if not may_be_heading(line) or (LIST_MARK.match(line) and not _NUMBERED.match(line)):
        return False
    return (
        is_capitals(line)
        or bool(_CHAPTER.match(line) or _NUMBERED.match(line))
        or is_usual_name(line)
    )


def _leads(line: str, following: Sequence[str]) -> bool:
    """Whether a few words between empty lines stand above prose, as its heading."""
    if (
        not (may_be_heading(line) and line[0].isupper() and len(line.split()) <= _HEADING_WORDS)
        or "," in line
    ):
        return False
    return len(" ".join(following).split()) >= _PROSE_WORDS and bool(
        _ENDED.search(following[-1].rstrip())
    )


def _has_items(run: Sequence[str]) -> bool:
    marks = sum(1 for line in run[:_SAMPLE] if LIST_MARK.match(line.lstrip()))
    return marks > 0 and (bool(LIST_MARK.match(run[0].lstrip())) or marks > 1)


def _items(run: Sequence[str], width: int) -> Iterator[ParsedBlock]:
    """The list items of a run, each with the lines that go on with it; text before the first is its
    lead-in."""
    before: list[str] = []
    item: list[str] = []
    depths: list[float] = []
    marker = ""

    def finish() -> ParsedBlock:
        return ParsedBlock(join_lines(item), len(depths), kind=BlockKind.LIST_ITEM, marker=marker)

    for line in run:
        plain = line.lstrip()
        match = LIST_MARK.match(plain)
        if match:
            if item:
                yield finish()
            elif before:
                yield from _text(before, width)
            deepen(depths, len(line.expandtabs(4)) - len(plain))
            marker, item = match.group(1), [plain[match.end() :]]
        elif item:
            item.append(plain)
        else:
            before.append(line)
    if item:
        yield finish()


def _grid(run: Sequence[str]) -> list[list[str]]:
    """The cells of lines with aligned columns; nothing when they are no table."""
    if len(run) < 3 or len(_COLUMNS.split(run[0].strip())) < 2:
        return []
    rows = [
        _COLUMNS.split(line.strip().strip("|").strip())
        for line in run
        if any(map(str.isalnum, line))
    ]
    width = len(rows[0]) if rows else 0
    return rows if len(rows) > 1 and all(len(row) == width for row in rows) else []


def _text(run: list[str], width: int) -> Iterator[ParsedBlock]:
    """The paragraphs of a run, and what stands between them line by line."""
    others: list[str] = []
    for lines in _evenly_indented(run):
        if not (width and _is_wrapped_by_hand(lines, width)):
            others += lines
            continue
        if others:
            yield from _lines(others, width)
            others = []
        yield _paragraph(join_lines(lines))
    if others:
        yield from _lines(others, width)


def _lines(run: list[str], width: int) -> Iterator[ParsedBlock]:
    """Lines that were broken because the next word did not fit are joined; a few others stay
    together."""
    if len(run) > 1 and _is_code(run):
        yield ParsedBlock(dedent("\n".join(run)), kind=BlockKind.CODE)
        return
    paragraphs = [[run[0]]]
    for before, line in pairwise(run):
        if (
            width
            and len(before) + 1 + len(line.split(None, 1)[0]) > width
            and len(before) <= _LONG_LINE
        ):
            paragraphs[-1].append(line)
        else:
            paragraphs.append([line])
    short = all(len(lines) == 1 and not _ENDED.search(lines[0]) for lines in paragraphs[:-1])
    if 1 < len(paragraphs) <= _MANY_LINES and short and len(run[0]) < _LONG_LINE:
        yield ParsedBlock("\n".join(" ".join(line.split()) for line in run))  # an address, a poem
    else:
        yield from (_paragraph(join_lines(lines)) for lines in paragraphs)


def _evenly_indented(run: list[str]) -> Iterator[list[str]]:
    """The parts of a run whose lines stand equally far in; the first of a part may stand elsewhere,
    as a term does."""
    indents = [len(line) - len(line.lstrip()) for line in run]
    start = 0
    for number in range(2, len(run)):
        if number - start > 1 and indents[number] != indents[number - 1]:
            yield run[start:number]
            start = number
    yield run[start:]


def _is_wrapped_by_hand(run: Sequence[str], width: int) -> bool:
    """Whether lines are one paragraph though some end early: most are long and go on with a small
    letter."""
    going_on = sum(next(filter(str.isalpha, line), "").islower() for line in run[1:])
    if len(run) < 2 or 2 * going_on < len(run) - 1 or max(map(len, run)) > _LONG_LINE:
        return False
    if 2 * sum(1 for line in run if _CODE_SIGNS.search(line)) >= len(run):
        return False
    return statistics.median_high(map(len, run[:-1])) >= _MOSTLY_FULL * width


def _paragraph(line: str) -> ParsedBlock:
    text = " ".join(line.split())
    return ParsedBlock(text, kind=BlockKind.CAPTION if CAPTION.match(text) else None)


def _is_code(run: Sequence[str]) -> bool:
    """Lines that all stand far in, with signs that prose has not."""
    indented = all(line.startswith(("    ", "\t")) for line in run[:_SAMPLE])
    return indented and sum(1 for line in run[:_SAMPLE] if _CODE_SIGNS.search(line)) >= 0.3 * len(
        run[:_SAMPLE]
    )


def _width(text: str) -> int:
    """The width that a text was wrapped to; 0 when it was not wrapped."""
    lengths = sorted(len(line) for line in text[:_SAMPLE_OF_TEXT].split("\n") if line.strip())
    short = [length for length in lengths if length <= _LONG_LINE]
    if len(short) < 0.7 * len(lengths) or not short:
        return 0
    width = short[int(0.9 * (len(short) - 1))]
    return width if width >= _NARROWEST else 0
