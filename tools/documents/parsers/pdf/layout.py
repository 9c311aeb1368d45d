"""Rows of PDF pages -> paragraphs, list items, code, captions, footnotes and equations. Pure
geometry, no PDF library.

Units are PDF points, y grows upwards.
"""

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from tools.documents.model import BlockKind
from tools.documents.parsers.lines import CAPTION, LIST_MARK, deepen
from tools.documents.parsers.pdf.characters import Piece
from tools.documents.parsers.pdf.paragraphs import (
    Paragraph,
    begins_paragraph,
    hang_of,
    is_next_column,
)
from tools.documents.parsers.pdf.rows import Row
from tools.documents.parsers.pdf.signs import is_bullet
from tools.documents.parsers.pdf.tables import Table, numbers_only
from tools.documents.parsers.torn_words import Vocabulary, join_lines
from tools.documents.sections import is_usual_name

_NOTE = re.compile(r"^(?:[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\d{1,3}(?=[^\d.,)])|[*†‡§¶]+)\s?(?=\S)")
_NUMBER_OF_EQUATION = re.compile(r"^\(?\d{1,3}(?:\.\d{1,3})?[a-z]?\)$")
_ADDRESS = re.compile(r"^(?:https?://\S+|www\.\S+|[\w.{},~ -]{1,80}@[\w.-]+)\W*$", re.I)
_RELATION = re.compile(r"[=≈≤≥<>≡∝∈⊂→↦∑∫∏√]")
_WORD = re.compile(r"[^\W\d_]{4,}")
_NAMED_FUNCTION = re.compile(
    r"^(?:sinh?|cosh?|tanh?|sqrt|diag|rank|sign|softmax|argm(?:ax|in)|where|with|span)$", re.I
)
_SMALL = 0.93  # of the usual size: footnotes
_LARGEST_CODE = 1.5  # in units of the usual size: titles may be set in a font of one width
_CODE_SHARE = 0.6  # of the text; a document set in one width throughout is no program


@dataclass(frozen=True, slots=True)
class Type:
    """How a document is set: the size of most of its text, and whether its programs are set in a
    font of their own."""

    size: float
    codes: bool


def paragraphs_of(pages: Sequence[Sequence[Row | Table]]) -> list[Paragraph]:
    """The paragraphs of a document in reading order."""
    style = _type_of(pages)
    paragraphs = [paragraph for page in pages for paragraph in _page_paragraphs(page, style)]
    vocabulary = Vocabulary.of(_whole_words(paragraphs))
    for paragraph in paragraphs:
        _write(paragraph, vocabulary)
    _nest(paragraphs)
    return [p for p in paragraphs if (p.text and not is_bullet(p.text)) or any(p.cells)]


def join_pieces(lines: Iterable[Piece], vocabulary: Vocabulary | None = None) -> str:
    """The lines of a paragraph as one text; torn words are put together."""
    return join_lines(
        [piece.text + ("\ufffe" if piece.torn else "") for piece in lines], vocabulary
    )


def _whole_words(paragraphs: Iterable[Paragraph]) -> Iterator[str]:
    """The texts of lines without a word that is cut at their end or beginning."""
    torn = False
    for paragraph in paragraphs:
        for piece in paragraph.lines:
            text = piece.text.partition(" ")[2] if torn else piece.text
            torn = piece.torn or piece.text.endswith("-")
            yield text.rpartition(" ")[0] if torn else text


def _type_of(pages: Sequence[Sequence[Row | Table]]) -> Type:
    sizes: Counter[float] = Counter()
    mono = total = 0
    for page in pages:
        for piece in _pieces(page):
            sizes[round(piece.size, 1)] += len(piece.text)
            total += len(piece.text)
            mono += len(piece.text) if piece.mono else 0
    return Type(sizes.most_common(1)[0][0] if sizes else 10.0, mono < _CODE_SHARE * total)


def _pieces(page: Sequence[Row | Table]) -> Iterator[Piece]:
    for row in page:
        if isinstance(row, Row):
            for cell in row.cells:
                yield from cell.pieces


def _page_paragraphs(page: Sequence[Row | Table], style: Type) -> list[Paragraph]:
    paragraphs: list[Paragraph] = []
    lines = list(_pieces(page))
    pitch = _pitch(lines)
    right = {id(piece): _right_edge(lines, index) for index, piece in enumerate(lines)}
    for row in page:
        if isinstance(row, Table):
            paragraphs += [
                Paragraph(
                    [], row.page, BlockKind.TABLE_ROW, cells=cells, header=row.header and not number
                )
                for number, cells in enumerate(row.rows)
            ]
            continue
        if equation := _equation_of(row):
            paragraphs.append(Paragraph(equation, row.page, BlockKind.EQUATION))
            continue
        for number, cell in enumerate(row.cells):
            for position, piece in enumerate(cell.pieces):
                kind = _kind_of_line(piece, lines, style)
                last = paragraphs[-1] if paragraphs else None
                beside = number > 0 and position == 0 and not _stretched(row)
                if (
                    last is None
                    or (beside and not is_next_column(last, piece))
                    or begins_paragraph(last, piece, kind, pitch, right)
                ):
                    hang = hang_of(last) if last else 0.0
                    paragraphs.append(Paragraph([piece], piece.page, kind, hang=hang))
                else:
                    last.lines.append(piece)
    _mark_floats(paragraphs, style)
    return paragraphs


def _stretched(row: Row) -> bool:
    """Whether a row is one line of text whose spaces were widened to fill it."""
    pieces = [cell.pieces[0] for cell in row.cells]
    single = all(len(cell.pieces) == 1 for cell in row.cells)
    return single and all(
        b.x0 - a.x1 < 2.5 * b.size and abs(a.size - b.size) < 0.5 for a, b in pairwise(pieces)
    )


def _kind_of_line(piece: Piece, lines: Sequence[Piece], style: Type) -> BlockKind | None:
    if style.codes and piece.mono and piece.size < _LARGEST_CODE * style.size:
        return None if _ADDRESS.match(piece.text) else BlockKind.CODE
    if numbers_only(piece.text):
        return BlockKind.TABLE_ROW
    return None


def _equation_of(row: Row) -> list[Piece] | None:
    """The pieces of an equation that stands by itself, its number last; None for anything else."""
    pieces = [piece for cell in row.cells for piece in cell.pieces]
    numbered = len(pieces) > 1 and bool(_NUMBER_OF_EQUATION.match(pieces[-1].text.strip()))
    body = pieces[:-1] if numbered else pieces
    text = " ".join(piece.text for piece in body)
    words = [word for word in _WORD.findall(text) if not _NAMED_FUNCTION.match(word)]
    share = sum(piece.math * len(piece.text) for piece in body) / max(1, len(text))
    if len(text) > 300 or len(words) > (2 if numbered else 1) or any(piece.mono for piece in body):
        return None
    mathematical = share > 0.25 or (numbered and share > 0.0)
    return pieces if mathematical and _RELATION.search(text) else None


def _mark_floats(paragraphs: Sequence[Paragraph], style: Type) -> None:
    """Captions by how they begin; footnotes and small print by their type and place below a column
    of text."""
    for paragraph in paragraphs:
        if paragraph.kind is None and paragraph.lines and CAPTION.match(paragraph.first.text):
            paragraph.kind = BlockKind.CAPTION
        paragraph.aside = bool(paragraph.lines) and paragraph.first.turned
    for run, before, after in _small_runs(paragraphs, style):
        ends_column = after is None or after.first.base > run[-1].lines[-1].base
        below_text = before.lines[-1].base > run[0].first.base
        if not ends_column or not below_text or is_usual_name(join_pieces(before.lines)):
            continue
        for paragraph in run:
            paragraph.aside = True
            if paragraph.kind is None and _NOTE.match(paragraph.first.text):
                paragraph.kind = BlockKind.FOOTNOTE


def _small_runs(
    paragraphs: Sequence[Paragraph], style: Type
) -> Iterator[tuple[list[Paragraph], Paragraph, Paragraph | None]]:
    """Paragraphs in small type that follow each other, with the ones before and after them."""
    plain = [p for p in paragraphs if p.lines and not p.first.turned and p.kind is None]
    at = 0
    for small, group in groupby(plain, key=lambda p: p.first.size < _SMALL * style.size):
        run = list(group)
        before = plain[at - 1] if at else None
        at += len(run)
        if small and before is not None:
            yield run, before, plain[at] if at < len(plain) else None


def _pitch(lines: Sequence[Piece]) -> float:
    """The usual distance from line to line on a page."""
    steps = [(a.base - b.base, b.size) for a, b in pairwise(lines)]
    usual = [step for step, size in steps if 0.5 * size < step < 3 * size]
    return statistics.median_low(usual) if usual else 12.0


def _right_edge(lines: Sequence[Piece], index: int) -> float:
    """The right edge of the column that a line stands in, from the lines around it."""
    here = lines[index]
    near = lines[max(0, index - 8) : index + 9]
    return max(
        (line.x1 for line in near if line.x0 < here.x0 + 40 and line.x1 > here.x0), default=here.x1
    )


def _write(paragraph: Paragraph, vocabulary: Vocabulary) -> None:
    """The text of a paragraph from its lines."""
    if paragraph.kind == BlockKind.CODE:
        paragraph.text = _code(paragraph.lines)
        return
    if paragraph.kind == BlockKind.EQUATION and len(paragraph.lines) > 2:
        # Set in two dimensions: its order means little
        paragraph.text = "[equation] " + join_pieces(paragraph.lines)
        return
    paragraph.text = join_pieces(paragraph.lines, vocabulary)
    match = LIST_MARK.match(paragraph.text)
    if paragraph.kind is None and match:
        paragraph.kind, paragraph.marker = BlockKind.LIST_ITEM, match.group(1)
        paragraph.text = paragraph.text[match.end() :]


def _code(lines: Sequence[Piece]) -> str:
    """Lines of a program, indented as they stand, with empty lines between them."""
    margin = min(piece.x0 for piece in lines)
    widths = [(piece.x1 - piece.x0) / len(piece.text) for piece in lines if piece.text]
    width = statistics.median(widths) or 1.0
    steps = [a.base - b.base for a, b in pairwise(lines)]
    pitch = statistics.median_low(steps) if steps else 1.0
    code_lines: list[str] = []
    for number, piece in enumerate(lines):
        if number and steps[number - 1] > 1.6 * pitch:
            code_lines.append("")
        code_lines.append(" " * min(60, round((piece.x0 - margin) / width)) + piece.text)
    return "\n".join(code_lines)


def _nest(paragraphs: Iterable[Paragraph]) -> None:
    """The levels of list items, by how far in they stand."""
    depths: list[float] = []
    for paragraph in paragraphs:
        if paragraph.kind != BlockKind.LIST_ITEM:
            if not paragraph.floats:
                depths = []
            continue
        x0, slack = paragraph.first.x0, 0.4 * paragraph.first.size
        if depths and not depths[0] - 200 < x0 < depths[-1] + 200:
            depths = []  # the next column
        deepen(depths, x0, slack)
        paragraph.level = len(depths)
