"""PDF by pdfium: text with places of pages, paragraphs put together, outline or layout headings,
metadata."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import pairwise
from typing import Any

import pypdfium2
from pypdfium2 import raw

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.authors_and_dates import clean_authors, iso_date
from tools.documents.parsers.blocks import ParsedBlock, compose, table_row
from tools.documents.parsers.legibility import is_language
from tools.documents.parsers.lines import CAPTION, LIST_MARK
from tools.documents.parsers.pdf.characters import PageText, Piece
from tools.documents.parsers.pdf.headings import mark_headings, mark_outline, mark_title
from tools.documents.parsers.pdf.layout import paragraphs_of
from tools.documents.parsers.pdf.paragraphs import END, Paragraph
from tools.documents.parsers.pdf.rows import rows_of, without_doubles, without_furniture
from tools.documents.parsers.pdf.tables import with_tables
from tools.documents.parsers.torn_words import join_lines
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError
from tools.sources.source import find_doi
from tools.text.normalise import snapshot_text

MAX_PAGES = 5000
_MAX_OUTLINE = 2000
_MAX_LOOKED_AT = 500  # pages without text of which it is asked what they show
_FILE_LIKE = re.compile(
    r"\.(?:docx?|pdf|tex|dvi|indd|qxd|pptx?|xlsx?|txt|rtf|odt|ps|eps|html?)\b|^(?:untitled|"
    r"microsoft word|arxiv:)",
    re.I,
)
_OWN_DOI = re.compile(r"(?:doi(?:\.org/|[:\s])\s*)(10\.\d{4,9}/\S{2,100})", re.I)
_UNREADABLE = re.compile("[\x00-\x08\x0e-\x1f\ue000-\uf8ff\ufffd]")


def parse(request: Request) -> Extracted:
    """The text of a PDF; ParseError when it is protected, damaged, a scan without text, or too
    long."""
    with closing(_opened(request.data)) as document:
        pages = [_pieces(document, number) for number in range(1, len(document) + 1)]
        _check_readable(document, pages)
        unread = _pages_of_images(document, pages)
        outline = _outline(document)
        info = document.get_metadata_dict(skip_empty=True)
    paragraphs = paragraphs_of([with_tables(rows_of(page)) for page in without_furniture(pages)])
    if not mark_outline(paragraphs, outline):
        mark_headings(paragraphs)
    title, title_from = mark_title(paragraphs, _stated_title(info))
    composed = compose(_blocks(paragraphs), len(pages))
    metadata = {"title": title, "title_from": title_from if title else "", "unread": unread}
    extractor = f"pypdfium2 {pypdfium2.PYPDFIUM_INFO}, {with_version('layout')}"
    return composed.extracted(extractor, metadata | _metadata(info, composed.text))


def _opened(data: bytes) -> Any:
    try:
        document = pypdfium2.PdfDocument(data)
        count = len(document)
    except pypdfium2.PdfiumError as exc:
        if (
            getattr(exc, "err_code", None) == raw.FPDF_ERR_PASSWORD
            or "password" in str(exc).lower()
        ):
            raise ParseError(
                "This PDF is protected with a password; save a copy without it and add that."
            ) from None
        raise ParseError(
            "This PDF is damaged and cannot be opened; open it in a viewer and save it again."
        ) from None
    if not count:
        raise ParseError("This PDF is damaged: it has no pages.")
    if count > MAX_PAGES:
        raise ParseError(
            f"This PDF has {count:,} pages, the limit is {MAX_PAGES:,}; split it and add the parts."
        )
    return document


def _pieces(document: Any, number: int) -> list[Piece]:
    """The pieces of a page in reading order; a page that is damaged has none."""
    try:
        page = document[number - 1]
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return []
    try:
        return without_doubles(PageText(text_page, number).pieces())
    except pypdfium2.PdfiumError:
        return []
    finally:
        text_page.close()
        page.close()


def _check_readable(document: Any, pages: Sequence[Sequence[Piece]]) -> None:
    text = "\n".join(piece.text for page in pages for piece in page)
    if not text.strip():
        images = sum(_shows_image(document, number) for number in range(len(pages)))
        raise ParseError(f"This PDF has no text layer; {_of_images(images, len(pages))}")
    if len(_UNREADABLE.findall(text)) > 0.5 * len(text) or not is_language(text):
        raise ParseError(
            "This PDF's fonts do not say which characters they draw, and what can be read is not "
            "language; run text recognition (OCR) on it."
        )


def _pages_of_images(document: Any, pages: Sequence[Sequence[Piece]]) -> list[str]:
    """A sentence on the pages of a readable document that are pictures without text."""
    empty = [number for number, page in enumerate(pages, 1) if not page][:_MAX_LOOKED_AT]
    images = [number for number in empty if _shows_image(document, number - 1)]
    if not images:
        return []
    numbers = ", ".join(map(str, images[:10])) + (" ..." if len(images) > 10 else "")
    which = f"Page {numbers} is an image" if len(images) == 1 else f"Pages {numbers} are images"
    return [f"{which} without text; run text recognition (OCR) on it."]


def _of_images(images: int, pages: int) -> str:
    if not images:
        return "its page is empty." if pages == 1 else f"its {pages} pages are empty or drawings."
    what = "page is an image" if images == 1 else "pages are images"
    return f"{images} {what}: run text recognition (OCR) on it."


def _shows_image(document: Any, index: int) -> bool:
    """Whether there is a picture on a page, looked for among its first objects."""
    try:
        with closing(document[index]) as page:
            count = min(raw.FPDFPage_CountObjects(page), 50)
            objects = (raw.FPDFPage_GetObject(page, number) for number in range(count))
            kinds = set(map(raw.FPDFPageObj_GetType, objects))
            return bool(kinds & {raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM})
    except pypdfium2.PdfiumError:
        return False


def _outline(document: Any) -> list[tuple[int, str, int]]:
    """level, title and page of the bookmarks; broken outlines count as none."""
    entries: list[tuple[int, str, int]] = []
    try:
        for bookmark in document.get_toc(max_depth=6):
            target = bookmark.get_dest()
            index = target.get_index() if target else None
            title = snapshot_text(bookmark.get_title() or "").strip()
            if title and index is not None and len(entries) < _MAX_OUTLINE:
                entries.append((bookmark.level + 1, title, index + 1))
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        return []
    return entries


def _blocks(paragraphs: Iterable[Paragraph]) -> list[ParsedBlock]:
    """The blocks of a document; what a page break, a figure or a footnote cut in two becomes one
    again."""
    blocks: list[ParsedBlock] = []
    chain: list[Paragraph] = []  # a paragraph and what goes on with it
    before: list[
        Paragraph
    ] = []  # figures and notes inside it that stand before its end, on its own page
    floats: list[Paragraph] = []  # those since its last part

    def finish() -> None:
        blocks.extend(_block(paragraph) for paragraph in before)
        blocks.extend(_chained(chain))
        blocks.extend(_block(paragraph) for paragraph in floats)

    for paragraph in paragraphs:
        if paragraph.floats:
            floats.append(paragraph)
        elif chain and _code_goes_on(chain[-1], paragraph) and not floats:
            chain.append(paragraph)
        elif (
            chain
            and (floats or paragraph.page != chain[-1].page)
            and _continues(chain[-1], paragraph)
        ):
            before += [paragraph for paragraph in floats if paragraph.page == chain[-1].page]
            floats = [paragraph for paragraph in floats if paragraph.page != chain[-1].page]
            chain.append(paragraph)
        else:
            finish()
            chain, before, floats = [paragraph], [], []
    finish()
    return _captions_first(blocks)


def _continues(before: Paragraph, after: Paragraph) -> bool:
    """Whether a paragraph goes on after a page break: no sentence ends before it, and no paragraph
    begins after it."""
    if (
        before.kind not in (None, BlockKind.LIST_ITEM)
        or before.level * (before.kind is None)
        or after.level
    ):
        return False
    if after.kind is not None or LIST_MARK.match(after.text) or CAPTION.match(after.text):
        return False
    last, first = before.lines[-1], after.first
    if abs(last.size - first.size) > 0.1 * last.size or last.turned != first.turned:
        return False
    left_edge, right_edge = (
        min(line.x0 for line in before.lines),
        max(line.x1 for line in before.lines),
    )
    full = last.x1 > right_edge - 0.06 * (right_edge - left_edge) and len(before.lines) > 1
    has_end = bool(END.search(before.text))
    if last.torn or (after.text[0].islower() and (full or not has_end)):
        return True
    return full and not has_end and last.bold == first.bold


def _code_goes_on(before: Paragraph, after: Paragraph) -> bool:
    return before.kind == after.kind == BlockKind.CODE and before.page != after.page


def _chained(chain: Sequence[Paragraph]) -> list[ParsedBlock]:
    if not chain:
        return []
    pieces = [_block(chain[0])]
    for before, after in pairwise(chain):
        text, joint = pieces[-1].text, "\n" if after.kind == BlockKind.CODE else " "
        mark = "\ufffe" if before.lines[-1].torn else ""
        lines = join_lines([text + mark, after.text])
        if joint == " " and not lines.endswith(f" {after.text}"):
            text, joint = lines[: len(lines) - len(after.text)], ""
        pieces[-1] = pieces[-1]._replace(text=text)
        pieces.append(ParsedBlock(after.text, page=after.page, continues=True, joint=joint))
    return pieces


def _block(paragraph: Paragraph) -> ParsedBlock:
    if paragraph.cells:
        return table_row(paragraph.cells, header=paragraph.header, page=paragraph.page)
    return ParsedBlock(
        paragraph.text,
        paragraph.level,
        paragraph.page,
        kind=paragraph.kind,
        marker=paragraph.marker,
    )


def _captions_first(blocks: Sequence[ParsedBlock]) -> list[ParsedBlock]:
    """The caption of a table before its rows, as it is needed to understand them."""
    ordered: list[ParsedBlock] = []
    start = 0
    for block in blocks:
        row = block.kind == BlockKind.TABLE_ROW
        if ordered and row and ordered[-1].kind != BlockKind.TABLE_ROW:
            start = len(ordered)
        captioned = start > 0 and ordered[start - 1].kind == BlockKind.CAPTION
        below = (
            block.kind == BlockKind.CAPTION and ordered and ordered[-1].kind == BlockKind.TABLE_ROW
        )
        if below and not captioned and block.text[:3].lower() in ("tab", "cua", "qua"):
            ordered.insert(start, block)
        else:
            ordered.append(block)
    return ordered


def _metadata(info: Mapping[str, str], text: str) -> dict[str, object]:
    """What the file and its first page say besides the title: authors, doi, description,
    created."""
    doi = _OWN_DOI.search(text[:4000])
    return {
        "authors": _authors(snapshot_text(info.get("Author", ""))),
        "doi": find_doi(doi.group(1)) if doi else None,
        "description": " ".join(snapshot_text(info.get("Subject", "")).split())[:1000],
        "created": iso_date(info.get("CreationDate", "").removeprefix("D:")),
    }


def _stated_title(info: Mapping[str, str]) -> str:
    """The title that the file states, "" when it is the name of a file or of nothing."""
    title = " ".join(snapshot_text(info.get("Title", "")).split())[:500]
    a_name = " " not in title and any(c in "-_." or c.isdigit() for c in title)
    plausible = (
        len(title) >= 4
        and not a_name
        and not _FILE_LIKE.search(title)
        and any(map(str.isalpha, title))
    )
    return title if plausible else ""


def _authors(value: str) -> list[str]:
    """Names of the Author entry; commas part names only when each part is a whole name ("Ann Lee,
    Bo Chen")."""
    parts = value.split(",")
    whole = ";" not in value and all(" " in part.strip() for part in parts)
    return clean_authors(parts if whole else [value])
