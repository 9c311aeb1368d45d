"""Lines of a page with their places -> paragraphs and headings. Pure geometry, no PDF library.

Units are PDF points, y grows upwards. Reading order is the order of the lines given.
"""

import itertools
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tools.corpus.sections import is_usual_name
from tools.text.normalise import compounds_of, join_lines

_END = re.compile(r"[.!?:;。！？][\"'”’)\]]*$")
_BULLET = re.compile(r"^(?:[•▪■●◦‣∙·–—*-]\s|\(?\d{1,3}[.)]\s|\[\d{1,3}\]\s|\([a-z]\)\s)")
_NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+[^\W\d_]")
_PAGE_NUMBER = re.compile(
    r"^\W*(?:(?:page|seite|p\.)\s*)?(?:\d{1,4}|[ivxl]{1,7})(?:\s*(?:of|/|von)\s*\d{1,4})?\W*$", re.I
)
_NUMBER = re.compile(r"^[^\w]*\d[\d.,:%/()-]*[^\w]*$")
_DIGITS = re.compile(r"\d+")
MAX_HEADING = 150


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page. `base` is the base line of its first character, `last_base` of its last one.

    pdfium puts two lines into one where a word is cut between them, so the two can differ. size: font size.
    turned: set sideways, such as a stamp in the margin.
    """

    text: str
    page: int
    x0: float
    x1: float
    base: float
    last_base: float
    size: float
    bold: bool = False
    turned: bool = False


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together. `row`: its lines are rows of a table, kept apart."""

    lines: list[Line]
    row: bool = False
    level: int = 0
    text: str = field(default="")

    @property
    def page(self) -> int:
        return self.lines[0].page


def paragraphs_of(pages: Sequence[Sequence[Line]]) -> list[Paragraph]:
    """The paragraphs of a document, without running heads, running feet and page numbers, with headings marked."""
    kept = _without_furniture(pages)
    compounds = compounds_of("\n".join(line.text for page in kept for line in page))
    paragraphs = [paragraph for page in kept for paragraph in _page_paragraphs(page)]
    for paragraph in paragraphs:
        texts = [line.text for line in paragraph.lines]
        if paragraph.row:
            paragraph.text = "\n".join(join_lines([text]) for text in texts)
        else:
            paragraph.text = join_lines(texts, compounds)
    return [paragraph for paragraph in paragraphs if paragraph.text]


def mark_headings(paragraphs: Sequence[Paragraph]) -> None:
    """Sets `level` where size, weight, numbering or a usual name ("References") make a paragraph a heading."""
    body = _body_size(paragraphs)
    bold_body = sum(p.lines[0].bold for p in paragraphs) > len(paragraphs) / 2
    found = [p for p in paragraphs if _is_heading(p, body, bold_body)]
    many = len(found) > 8 and len(found) > len(paragraphs) / 3
    if many or sum(len(p.text) for p in found) > 0.3 * sum(len(p.text) for p in paragraphs):
        return  # a poster, a form, a figure: size says nothing about structure there
    sizes = sorted({round(p.lines[0].size) for p in found if p.lines[0].size > 1.12 * body}, reverse=True)
    for paragraph in found:
        numbered = _NUMBERED.match(paragraph.text)
        depth = numbered.group(1).count(".") + 1 if numbered else 0
        size = round(paragraph.lines[0].size)
        rank = sizes.index(size) + 1 if size in sizes else len(sizes) + 1
        paragraph.level = min(6, max(depth + 1 if depth else 0, min(rank, 4)))


def largest_text(paragraphs: Iterable[Paragraph]) -> str:
    """The text set largest at the top of the first page: most often the title."""
    first = [p for p in paragraphs if p.page == 1 and not p.row and len(p.text) <= 300][:8]
    if len(first) < 2:
        return ""
    best = max(first, key=lambda p: round(p.lines[0].size, 1))
    ordinary = statistics.median(p.lines[0].size for p in first)
    return best.text if best.lines[0].size >= 1.1 * ordinary and len(best.text) >= 4 else ""


def continues(before: Paragraph, after: Paragraph) -> bool:
    """Whether a paragraph goes on after a page break: no end of a sentence before, no beginning of one after."""
    if before.level or after.level or before.row or after.row or _BULLET.match(after.text):
        return False
    return not _END.search(before.text) and after.text[0].islower()


def _without_furniture(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Pages without the lines that repeat at their top or base, and without page numbers."""
    if len(pages) < 2:
        return [list(page) for page in pages]
    edges = [_edges(page) for page in pages]
    seen = Counter(key for lines in edges for key in {_key(line) for line in lines})
    often = max(3, 0.3 * len(pages))
    drop: list[set[Line]] = [
        {line for line in lines if seen[_key(line)] >= often or _PAGE_NUMBER.match(line.text)} for lines in edges
    ]
    kept = [[line for line in page if line not in gone] for page, gone in zip(pages, drop, strict=True)]
    return kept if any(kept) else [list(page) for page in pages]


def _edges(page: Sequence[Line]) -> list[Line]:
    """The two highest and two lowest lines."""
    ordered = sorted(page, key=lambda line: -line.base)
    return ordered[:2] + ordered[2:][-2:]


def _key(line: Line) -> str:
    return _DIGITS.sub("#", line.text.strip().lower())


def _merged(lines: Sequence[Line]) -> list[Line]:
    """Pieces of one line put together: raised and lowered figures come as lines of their own."""
    made: list[Line] = []
    for line in lines:
        last = made[-1] if made else None
        if last is None or not _same_line(last, line):
            made.append(line)
            continue
        gap = line.x0 - last.x1
        joint = " " if gap > 0.15 * max(last.size, line.size) else ""
        larger = last if last.size >= line.size else line
        text = f"{last.text}{joint}{line.text}"
        made[-1] = replace(larger, text=text, x0=last.x0, x1=line.x1, base=last.base, last_base=larger.last_base)
    return made


def _turned_last(lines: Sequence[Line]) -> list[Line]:
    """Stamps set sideways in the margin after the text that they would cut in two."""
    turned = [line for line in lines if line.turned]
    if len(turned) > len(lines) / 2:
        return list(lines)
    return [line for line in lines if not line.turned] + turned


def _same_line(last: Line, line: Line) -> bool:
    size = max(last.size, line.size)
    return abs(last.last_base - line.base) < 0.6 * size and -0.5 * size < line.x0 - last.x1 < 2 * size


def _page_paragraphs(pieces: Sequence[Line]) -> list[Paragraph]:
    lines = _merged(_turned_last(pieces))
    made: list[Paragraph] = []
    pitch = _pitch(lines)
    for index, line in enumerate(lines):
        row = _is_row(line.text)
        last = made[-1] if made else None
        if last is None or row != last.row:
            made.append(Paragraph([line], row))
        elif row or not _breaks(last.lines[-1], line, pitch, _right_edge(lines, index - 1)):
            last.lines.append(line)
        else:
            made.append(Paragraph([line], row))
    return made


def _breaks(before: Line, line: Line, pitch: float, right: float) -> bool:
    """Whether a new paragraph begins with `line`."""
    down = before.last_base - line.base
    full = before.x1 > right - 0.12 * max(1.0, right - before.x0)
    ended = bool(_END.search(before.text))
    if abs(line.size - before.size) > 0.12 * before.size or _BULLET.match(line.text):
        return True
    if before.bold != line.bold and (before.bold or not full):
        return True
    if down < -line.size:  # the next column: the paragraph may go on there
        return ended or not full
    if down > 1.4 * pitch or line.text[0].islower():
        return down > 2.2 * pitch or (down > 1.4 * pitch and ended)
    indented = line.x0 > before.x0 + 0.7 * line.size or line.x0 < before.x0 - 1.5 * line.size
    return (ended and (indented or not full)) or (before.x1 < right - 0.35 * max(1.0, right - before.x0))


def _pitch(lines: Sequence[Line]) -> float:
    """The usual distance from line to line on a page."""
    steps = [a.last_base - b.base for a, b in itertools.pairwise(lines)]
    usual = [step for step, line in zip(steps, lines, strict=False) if 0.5 * line.size < step < 3 * line.size]
    return statistics.median_low(usual) if usual else 12.0


def _right_edge(lines: Sequence[Line], index: int) -> float:
    """The right edge of the column that a line stands in, from the lines around it."""
    here = lines[index]
    near = lines[max(0, index - 8) : index + 9]
    return max((line.x1 for line in near if line.x0 < here.x0 + 40 and line.x1 > here.x0), default=here.x1)


def _is_row(text: str) -> bool:
    """A row of a table: mostly numbers, at least three of them."""
    parts = text.split()
    numbers = sum(1 for part in parts if _NUMBER.match(part))
    return numbers >= 3 and numbers >= 0.4 * len(parts)


def _body_size(paragraphs: Iterable[Paragraph]) -> float:
    """The size that most characters are set in."""
    count: Counter[float] = Counter()
    for paragraph in paragraphs:
        count[round(paragraph.lines[0].size, 1)] += len(paragraph.text)
    return count.most_common(1)[0][0] if count else 10.0


def _is_heading(paragraph: Paragraph, body: float, bold_body: bool) -> bool:
    text, first = paragraph.text, paragraph.lines[0]
    letters = sum(c.isalpha() for c in text)
    if paragraph.row or len(text) > MAX_HEADING or len(paragraph.lines) > 3 or not text[0].isalnum():
        return False
    if letters < 0.5 * len(text.replace(" ", "")):
        return False
    if is_usual_name(text) and text[0].isupper() and first.size >= 0.95 * body:
        return True
    if text[-1] in ".,;:" or letters < 3 or (_BULLET.match(text) and not _NUMBERED.match(text)):
        return False
    larger = first.size > 1.12 * body
    weighty = first.bold and not bold_body and first.size >= 0.97 * body and len(paragraph.lines) <= 2
    return larger or weighty
