"""What the templates of report blocks ask for: runs of like blocks, the layout of a passage, dates
in words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from markupsafe import Markup

from engine.reports import report_document as doc
from ui.web.views.labels import MONTHS

BEARING = "Passages that bear on this"
CODE_OPEN = 12  # lines of a listing that stand open
CODE_WHOLE = 18  # lines of a listing that is not folded
OPINIONS = ("yes_no", "claim")  # intents that nothing but a judge decides
_DATE = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")

Layout = list[tuple[str, list[doc.Piece]]]


def grouped(blocks: Iterable[doc.Block]) -> list[tuple[str, list[doc.Block]]]:
    """(kind, blocks) of those of one kind that follow each other."""
    return [
        (kind, list(group))
        for kind, group in groupby(blocks, key=lambda block: type(block).__name__)
    ]


def caption(answer: doc.Answer) -> str:
    """What stands first in the answer to a question that only a judge could decide; ""
    elsewhere."""
    return BEARING if answer.intent in OPINIONS and answer.passages else ""


def layout(quotation: doc.Quotation) -> tuple[tuple[str, ...], Layout]:
    """(columns, pieces of a passage by kind): rows under their header as one table, items of a list
    together."""
    pieces = _unmarked(quotation.pieces)
    header = doc.table_header(pieces)
    groups = groupby(
        (piece for piece in pieces if piece is not header), key=lambda piece: piece.kind
    )
    columns = tuple(cell for cell, _ in header.cells()) if header else ()
    return columns, [(kind, list(group)) for kind, group in groups]


def _unmarked(pieces: Sequence[doc.Piece]) -> Sequence[doc.Piece]:
    """The pieces; without marks where everything is marked, which marks nothing."""
    quoted = [piece for piece in pieces if piece.kind != "context"]
    whole = all(piece.marks == ((0, len(piece.text)),) for piece in quoted)
    return [replace(piece, marks=()) for piece in pieces] if whole else pieces


def code_parts(piece: doc.Piece) -> tuple[doc.Piece, doc.Piece, doc.Piece]:
    """A listing as what comes before the lines that stand open, those, and what comes after. A long
    one is open around the first line that answers, or at its beginning; "" is nothing."""
    ends = [match.end() for match in re.finditer("\n", piece.text)]
    starts = [0, *(end for end in ends if end < len(piece.text))]
    if len(starts) <= CODE_WHOLE:
        return _cut(piece, 0, 0), piece, _cut(piece, len(piece.text), len(piece.text))
    answering = piece.marks[0][0] if piece.marks else 0
    line = sum(start <= answering for start in starts) - 1
    # What answers may stand in the last lines; they are shown as many as elsewhere
    first = min(max(0, line - CODE_OPEN // 3), len(starts) - CODE_OPEN)
    start = starts[first]
    end = starts[first + CODE_OPEN] if first + CODE_OPEN < len(starts) else len(piece.text)
    return _cut(piece, 0, start), _cut(piece, start, end), _cut(piece, end, len(piece.text))


def _cut(piece: doc.Piece, start: int, end: int) -> doc.Piece:
    """text[start:end] of a piece with its marks there."""
    marks = tuple(
        (max(a, start) - start, min(b, end) - start)
        for a, b in piece.marks
        if a < end and b > start
    )
    return replace(piece, text=piece.text[start:end], marks=marks)


def with_marks(text: str, marks: Sequence[tuple[int, int]]) -> Markup:
    """Escaped text with what answers in <mark>."""
    html, at = Markup(), 0
    for start, end in marks:
        html += Markup("{}<mark>{}</mark>").format(text[at:start], text[start:end])
        at = end
    return html + text[at:]


def passage_facts(passage: doc.AnswerPassage) -> list[str]:
    """The date, then the counted facts, each once."""
    facts = [part for part in passage.strength.split(", ") if part]
    if passage.date and passage.date not in facts:
        facts.insert(0, passage.date)
    return [_date(fact) for fact in facts]


def card_line(card: doc.AnswerCard) -> str:
    """The date of a document in words, who wrote it, and what sets it apart."""
    return doc.card_facts(replace(card, date=_date(card.date or "")))


def _date(fact: str) -> str:
    """ "2026-06-03" as "3 June 2026"; anything else as it stands."""
    match = _DATE.fullmatch(fact)
    if match is None or not 1 <= int(match[2]) <= 12:
        return fact
    month = f"{MONTHS[int(match[2]) - 1]} {match[1]}"
    return f"{int(match[3])} {month}" if match[3] else month
