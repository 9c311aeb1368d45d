"""Bytes to text: one parser per format, all pure functions; `parse` chooses by content.

A new format is a file with `parse(Request) -> Extracted` and one line in PARSERS. Everything here runs inside the
bounded child processes of tools.documents.parse_pool; nothing reads files, the network or the clock.
"""

from collections.abc import Callable, Mapping

from tools.documents.detect import (
    BIBTEX,
    CSV,
    DOCX,
    EMAIL,
    EPUB,
    HTML,
    JATS,
    JSON,
    MARKDOWN,
    MBOX,
    NOTEBOOK,
    ODT,
    ORG,
    PDF,
    PPTX,
    RIS,
    RST,
    RTF,
    TEX,
    TEXT,
    XLSX,
    ZIP,
    detect,
    is_misnamed,
)  # fmt: skip
from tools.documents.model import Extracted
from tools.documents.parsers import archive
from tools.documents.parsers.html import epub, page
from tools.documents.parsers.office import docx, odf, pptx, rtf, xlsx
from tools.documents.parsers.pdf import pages  # fmt: skip
from tools.documents.parsers.refusals import misnamed, refusal
from tools.documents.parsers.request import Request
from tools.documents.parsers.scholarly import bibtex, jats, ris
from tools.documents.parsers.text import csv_table, email_message, json_text, markdown, notebook, org, plain, rst, tex
from tools.documents.parsers.titles_and_dates import with_heading_as_title, with_title_and_date
from tools.errors import ParseError

PARSERS: Mapping[str, Callable[[Request], Extracted]] = {
    TEXT: plain.parse,
    MARKDOWN: markdown.parse,
    RST: rst.parse,
    ORG: org.parse,
    TEX: tex.parse,
    HTML: page.parse,
    CSV: csv_table.parse,
    JSON: json_text.parse,
    NOTEBOOK: notebook.parse,
    PDF: pages.parse,
    DOCX: docx.parse,
    PPTX: pptx.parse,
    XLSX: xlsx.parse,
    ODT: odf.parse,
    RTF: rtf.parse,
    EPUB: epub.parse,
    JATS: jats.parse,
    MBOX: email_message.parse_mailbox,
    BIBTEX: bibtex.parse,
    RIS: ris.parse,
}
CONTAINERS: Mapping[str, Callable[[Request, Callable[[Request], Extracted]], Extracted]] = {
    ZIP: archive.parse,
    EMAIL: email_message.parse,
}


def parse(request: Request) -> Extracted:
    """The text of some bytes; ParseError says in a sentence why there is none.

    The format is recognised by content; the declared media type and the name are only hints.
    """
    extracted = _parse(request, nested=False)
    # On the web the address says nothing about title and date
    return with_heading_as_title(extracted) if request.url else with_title_and_date(extracted, request.name)


def _parse(request: Request, nested: bool) -> Extracted:
    """nested: it stands in another file; what holds files itself is not opened there."""
    if not request.data:
        raise ParseError("This file is empty.")
    kind = detect(request.data, request.name, request.media_type)
    if not request.url and is_misnamed(kind, request.name):
        raise ParseError(misnamed(request.name))
    if kind in CONTAINERS:
        extracted = CONTAINERS[kind](request, _refuse if nested else _parse_nested)
    elif kind in PARSERS:
        extracted = PARSERS[kind](request)
    else:
        raise ParseError(refusal(kind))
    if not extracted.text.strip() and not extracted.entries:
        raise ParseError("This file contains no text.")
    return extracted


def _parse_nested(request: Request) -> Extracted:
    return _parse(request, nested=True)


def _refuse(request: Request) -> Extracted:
    raise ParseError("This file is inside a file inside another one, which is not opened; unpack it.")
