"""Bytes to text: one parser per format, all pure functions; `parse` chooses by content.

A new format is a file with `parse(Request) -> Extracted` and one line in PARSERS ("module" or
"module:function"). Everything here runs inside the bounded child processes of
tools.documents.parse_pool; nothing reads files, the network or the clock.
"""

from collections.abc import Callable, Mapping
from importlib import import_module

from tools.documents.detect import (
    ASCIIDOC,
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
from tools.documents.model import Extracted, Request
from tools.documents.parsers.refusals import misnamed, refusal
from tools.documents.parsers.titles_and_dates import with_heading_as_title, with_title_and_date
from tools.errors import ParseError

# Modules beside this one, imported with the first file that needs them: all of them are half of a
# reader's start
PARSERS: Mapping[str, str] = {
    TEXT: "text.plain",
    MARKDOWN: "text.markdown",
    RST: "text.rst",
    ORG: "text.org",
    ASCIIDOC: "text.asciidoc",
    TEX: "text.tex",
    HTML: "html.page",
    CSV: "text.csv_table",
    JSON: "text.json_text",
    NOTEBOOK: "text.json_text",
    PDF: "pdf.pages",
    DOCX: "office.docx",
    PPTX: "office.pptx",
    XLSX: "office.xlsx",
    ODT: "office.odf",
    RTF: "office.rtf",
    EPUB: "html.epub",
    JATS: "scholarly.jats",
    MBOX: "text.email_message:parse_mailbox",
    BIBTEX: "scholarly.bibtex",
    RIS: "scholarly.ris",
}
# These are handed what reads the files in them
CONTAINERS: Mapping[str, str] = {ZIP: "archive", EMAIL: "text.email_message"}


def parser(kind: str) -> Callable[..., Extracted]:
    """The function behind one of PARSERS or CONTAINERS."""
    module, _, name = (PARSERS.get(kind) or CONTAINERS[kind]).partition(":")
    function: Callable[..., Extracted] = getattr(
        import_module(f"tools.documents.parsers.{module}"), name or "parse"
    )
    return function


def parse(request: Request) -> Extracted:
    """The text of some bytes; ParseError says in a sentence why there is none.

    The format is recognised by content; the declared media type and the name are only hints.
    """
    extracted = _parse(request, nested=False)
    # On the web the address says nothing about title and date
    if request.url:
        return with_heading_as_title(extracted)
    return with_title_and_date(extracted, request.name)


def _parse(request: Request, nested: bool) -> Extracted:
    """nested: it stands in another file; what holds files itself is not opened there."""
    if not request.data:
        raise ParseError("This file is empty.")
    kind = detect(request.data, request.name, request.media_type)
    if not request.url and is_misnamed(kind, request.name):
        raise ParseError(misnamed(request.name))
    if kind in CONTAINERS:
        extracted = parser(kind)(request, _refuse if nested else _parse_nested)
    elif kind in PARSERS:
        extracted = parser(kind)(request)
    else:
        raise ParseError(refusal(kind))
    if not extracted.text.strip() and not extracted.entries:
        raise ParseError("This file contains no text.")
    return extracted._replace(media_type=kind)


def _parse_nested(request: Request) -> Extracted:
    return _parse(request, nested=True)


def _refuse(request: Request) -> Extracted:
    raise ParseError(
        "This file is inside a file inside another one, which is not opened; unpack it."
    )
