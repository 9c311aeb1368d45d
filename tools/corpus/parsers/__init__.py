"""Bytes to text: one parser per format, all pure functions; `parse` chooses by content.

A new format is a file with `parse(Request) -> Extracted` and one line in PARSERS. Everything here runs inside the
bounded child processes of tools.corpus.parse_pool; nothing reads files, the network or the clock.
"""

from collections.abc import Callable, Mapping

from tools.corpus.detect import BIBTEX, CSV, DOCX, EPUB, HTML, JATS, JSON, MARKDOWN, PDF, RIS, TEXT, detect
from tools.corpus.model import Extracted
from tools.corpus.parsers import bibtex, csv_table, docx, epub, html, jats, json_text, markdown, pdf, plain, ris
from tools.corpus.parsers.refusals import refusal
from tools.corpus.parsers.request import Request
from tools.errors import ParseError

PARSERS: Mapping[str, Callable[[Request], Extracted]] = {
    TEXT: plain.parse,
    MARKDOWN: markdown.parse,
    HTML: html.parse,
    CSV: csv_table.parse,
    JSON: json_text.parse,
    PDF: pdf.parse,
    DOCX: docx.parse,
    EPUB: epub.parse,
    JATS: jats.parse,
    BIBTEX: bibtex.parse,
    RIS: ris.parse,
}


def parse(request: Request) -> Extracted:
    """The text of some bytes; ParseError says in a sentence why there is none.

    The format is recognised by content; the declared media type and the name are only hints.
    """
    if not request.data:
        raise ParseError("This file is empty.")
    kind = detect(request.data, request.name, request.media_type)
    parser = PARSERS.get(kind)
    if parser is None:
        raise ParseError(refusal(kind))
    extracted = parser(request)
    if not extracted.text.strip() and not extracted.entries:
        raise ParseError("This file holds no text.")
    return extracted
