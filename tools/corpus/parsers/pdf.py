"""PDF by pdfium: text with places of pages, paragraphs put together, outline or layout headings, metadata."""

import ctypes
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tools.corpus.detect import PDF
from tools.corpus.model import Extracted
from tools.corpus.parsers.blocks import ParsedBlock, compose
from tools.corpus.parsers.dates import iso_date
from tools.corpus.parsers.html_meta import clean_authors
from tools.corpus.parsers.pdf_layout import Line, Paragraph, continues, largest_text, mark_headings, paragraphs_of
from tools.corpus.parsers.request import Request
from tools.corpus.sections import plain_title
from tools.errors import ParseError
from tools.research.source import find_doi
from tools.text.normalise import snapshot_text

MAX_PAGES = 5000
_MAX_OUTLINE = 2000
_BOLD = 500  # pdfium estimates weights from the font: regular text comes out near 350, bold above 500
_FILE_LIKE = re.compile(
    r"\.(?:docx?|pdf|tex|dvi|indd|qxd|pptx?|xlsx?|txt|rtf|odt|ps|eps|html?)\b|^(?:untitled|microsoft word)", re.I
)
_OWN_DOI = re.compile(r"(?:doi(?:\.org/|[:\s])\s*)(10\.\d{4,9}/\S{2,100})", re.I)
_UNREADABLE = re.compile("[\x00-\x08\x0e-\x1f\ue000-\uf8ff\ufffd]")


def parse(request: Request) -> Extracted:
    """The text of a PDF; ParseError when it is protected, damaged, a scan without text, or too long."""
    import pypdfium2

    document = _opened(request.data)
    try:
        pages = [_lines(document, number) for number in range(1, len(document) + 1)]
        outline = _outline(document)
        info = document.get_metadata_dict(skip_empty=True)
    finally:
        document.close()
    _check_readable(pages)
    paragraphs = paragraphs_of(pages)
    if not _mark_outline(paragraphs, outline):
        mark_headings(paragraphs)
    composed = compose(_blocks(paragraphs), len(pages))
    metadata = _metadata(info, paragraphs, composed.text)
    title = str(metadata.get("title", ""))
    extractor = f"pypdfium2 {pypdfium2.PYPDFIUM_INFO}"
    return Extracted(
        composed.text,
        PDF,
        extractor,
        title,
        composed.sections(title),
        composed.pages,
        metadata=metadata,
        blocks=composed.blocks,
    )


def _opened(data: bytes) -> Any:
    import pypdfium2
    from pypdfium2 import raw

    try:
        document = pypdfium2.PdfDocument(data)
        count = len(document)
    except pypdfium2.PdfiumError as exc:
        if getattr(exc, "err_code", None) == raw.FPDF_ERR_PASSWORD or "password" in str(exc).lower():
            raise ParseError("This PDF is protected with a password; save a copy without it and add that.") from None
        raise ParseError("This PDF is damaged and cannot be opened; open it in a viewer and save it anew.") from None
    if not count:
        raise ParseError("This PDF is damaged: it has no pages.")
    if count > MAX_PAGES:
        raise ParseError(f"This PDF has {count:,} pages, the limit is {MAX_PAGES:,}; split it and add the parts.")
    return document


def _lines(document: Any, number: int) -> list[Line]:
    """The lines of a page in reading order; a page that is damaged has none."""
    import pypdfium2

    try:
        page = document[number - 1]
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return []
    try:
        text = text_page.get_text_range() if text_page.count_chars() > 0 else ""
        return [_line(text_page, number, *found) for found in _split(text)]
    except pypdfium2.PdfiumError:
        return []
    finally:
        text_page.close()
        page.close()


def _split(text: str) -> list[tuple[str, int, int]]:
    """Lines with the places of their first and last character, in UTF-16 units as pdfium counts."""
    wide = bool(text) and max(text) > "\uffff"
    found: list[tuple[str, int, int]] = []
    at = 0
    for raw in re.split("(\r\n|\r|\n)", text):
        length = len(raw.encode("utf-16-le", "surrogatepass")) // 2 if wide else len(raw)
        stripped = raw.strip()
        if stripped:
            lead = len(raw) - len(raw.lstrip())
            tail = len(raw) - len(raw.rstrip())
            found.append((stripped, at + lead, at + length - tail - 1))
        at += length
    return found


def _line(text_page: Any, number: int, text: str, first: int, last: int) -> Line:
    start, end = _place(text_page, first), _place(text_page, last)
    bold = min(start.weight, end.weight) >= _BOLD
    return Line(
        text, number, start.left, end.right, start.base, end.base, max(start.size, end.size), bold, start.turned
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where and how a character is drawn; `base` is the height of its base line."""

    left: float = 0.0
    right: float = 0.0
    base: float = 0.0
    size: float = 10.0
    weight: int = 0
    turned: bool = False


def _place(text_page: Any, index: int) -> _Place:
    from pypdfium2 import raw

    at = raw.FPDFText_GetCharIndexFromTextIndex(text_page, index)
    box, matrix, x, y = raw.FS_RECTF(), raw.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
    known = (
        at >= 0
        and raw.FPDFText_GetLooseCharBox(text_page, at, ctypes.byref(box))
        and raw.FPDFText_GetMatrix(text_page, at, ctypes.byref(matrix))
        and raw.FPDFText_GetCharOrigin(text_page, at, ctypes.byref(x), ctypes.byref(y))
    )
    if not known:
        return _Place()
    # fonts are often set at size 1 and enlarged by the text matrix
    size = raw.FPDFText_GetFontSize(text_page, at) * math.hypot(matrix.c, matrix.d)
    weight = raw.FPDFText_GetFontWeight(text_page, at)
    size = round(size, 2) if size > 0.5 else 10.0
    return _Place(box.left, box.right, y.value, size, weight, abs(matrix.b) > abs(matrix.a))


def _check_readable(pages: Sequence[Sequence[Line]]) -> None:
    text = "".join(line.text for page in pages for line in page)
    if not text.strip():
        plural = f"its {len(pages)} pages hold" if len(pages) > 1 else "its page holds"
        raise ParseError(f"This PDF has no text: {plural} only pictures or nothing; run text recognition (OCR) on it.")
    if len(_UNREADABLE.findall(text)) > 0.5 * len(text):
        raise ParseError("This PDF's fonts do not say which characters they draw; run text recognition (OCR) on it.")


def _outline(document: Any) -> list[tuple[int, str, int]]:
    """level, title and page of the bookmarks; broken outlines count as none."""
    import pypdfium2

    found: list[tuple[int, str, int]] = []
    try:
        for bookmark in document.get_toc(max_depth=6):
            target = bookmark.get_dest()
            index = target.get_index() if target else None
            title = snapshot_text(bookmark.get_title() or "").strip()
            if title and index is not None and len(found) < _MAX_OUTLINE:
                found.append((bookmark.level + 1, title, index + 1))
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        return []
    return found


def _mark_outline(paragraphs: Sequence[Paragraph], outline: Sequence[tuple[int, str, int]]) -> bool:
    """Marks the paragraphs that bookmarks name; whether at least half of them were found."""
    marked = 0
    pages: dict[int, list[Paragraph]] = {}
    for paragraph in paragraphs:
        pages.setdefault(paragraph.page, []).append(paragraph)
    for level, title, page in outline:
        wanted = plain_title(title)
        short = [p for p in pages.get(page, ()) if not p.level and len(p.text) <= 2 * len(title) + 12]
        named = next((p for p in short if wanted and plain_title(p.text) == wanted), None)
        if named is not None:
            named.level = level
            marked += 1
    if marked >= max(2, len(outline) / 2):
        return True
    for paragraph in paragraphs:
        paragraph.level = 0
    return False


def _blocks(paragraphs: Sequence[Paragraph]) -> list[ParsedBlock]:
    made: list[ParsedBlock] = []
    before: Paragraph | None = None
    for paragraph in paragraphs:
        goes_on = before is not None and before.page != paragraph.page and continues(before, paragraph)
        made.append(ParsedBlock(paragraph.text, paragraph.level, paragraph.page, goes_on))
        before = paragraph
    return made


def _metadata(info: Mapping[str, str], paragraphs: Sequence[Paragraph], text: str) -> dict[str, object]:
    """What the file says about itself, then what its first page says: title, authors, doi, description, created."""
    stated = " ".join(snapshot_text(info.get("Title", "")).split())[:500]
    a_name = " " not in stated and any(c in "-_." or c.isdigit() for c in stated)
    plausible = len(stated) >= 4 and not a_name and not _FILE_LIKE.search(stated) and any(map(str.isalpha, stated))
    doi = _OWN_DOI.search(text[:4000])
    found: dict[str, object] = {
        "title": stated if plausible else largest_text(paragraphs),
        "authors": _authors(snapshot_text(info.get("Author", ""))),
        "doi": find_doi(doi.group(1)) if doi else None,
        "description": " ".join(snapshot_text(info.get("Subject", "")).split())[:1000],
        "created": iso_date(info.get("CreationDate", "").removeprefix("D:")),
    }
    return {key: value for key, value in found.items() if value}


def _authors(stated: str) -> list[str]:
    """Names of the Author entry; commas part names only when each part is a whole name ("Ann Lee, Bo Chen")."""
    parts = stated.split(",")
    whole = ";" not in stated and all(" " in part.strip() for part in parts)
    return clean_authors(parts if whole else [stated])
