"""Bytes to text: one parser per format, all pure functions; `parse` chooses by content.

A new format is a file with `parse(Request) -> Extracted` and one line in PARSERS ("module" or
"module:function"). Everything here runs inside the bounded child processes of
tools.documents.parse_pool; nothing reads files, the network or the clock.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module

from tools.documents.detect import (
    ASCIIDOC,
    BIBTEX,
    BINARY,
    CSV,
    DOCX,
    EMAIL,
    EPUB,
    HTML,
    JATS,
    JSON,
    LOCKED_OFFICE,
    MARKDOWN,
    MBOX,
    NOTEBOOK,
    ODT,
    OLE,
    ORG,
    PDF,
    PPTX,
    RIS,
    RST,
    RTF,
    TEX,
    TEXT,
    XLSX,
    XML,
    ZIP,
    detect,
    is_misnamed,
)  # fmt: skip
from tools.documents.model import Extracted, Request
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

# Formats that are recognised and not read: what each is called and what to do instead
_SAVE_AS = "save it as {} and add that"
_OFFICE = _SAVE_AS.format("DOCX or PDF")
_REFUSED = {
    LOCKED_OFFICE: (
        "an Office file protected with a password",
        "save a copy without it and add that",
    ),
    OLE: ("an old Office file (DOC, XLS, PPT or MSG)", _OFFICE),
    XML: ("an XML file", "convert it to HTML or text and add that"),
    "image/svg+xml": ("a drawing (SVG)", "add a text that describes it"),
    "application/gzip": ("a compressed file (GZIP)", "unpack it and add what is in it"),
    "application/x-tar": ("a TAR archive", "unpack it and add the files in it"),
    "application/postscript": ("a PostScript file", _SAVE_AS.format("PDF")),
    "application/x-mobipocket-ebook": ("a Kindle book (MOBI)", _SAVE_AS.format("EPUB")),
    "image/vnd.djvu": ("a DjVu scan", _SAVE_AS.format("PDF with a text layer")),
    "application/vnd.sqlite3": ("a SQLite database", "export the tables as CSV and add those"),
    "application/vnd.apache.parquet": ("a Parquet table", "export it as CSV and add that"),
    BINARY: ("not a text or document (binary data of an unknown format)", ""),
}
_CLASSES = {
    "image": ("an image", "run text recognition (OCR) on it and add the result"),
    "audio": ("a sound recording", "add a transcript of it"),
    "video": ("a video or sound recording", "add a transcript of it"),
    "font": ("a font", ""),
}


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
        raise ParseError(_misnamed(request.name))
    if kind in CONTAINERS:
        extracted = parser(kind)(request, _refuse if nested else partial(_parse, nested=True))
    elif kind in PARSERS:
        extracted = parser(kind)(request)
    else:
        raise ParseError(_refusal(kind))
    if not extracted.text.strip() and not extracted.entries:
        raise ParseError("This file contains no text.")
    return extracted._replace(media_type=kind)


def _refuse(request: Request) -> Extracted:
    raise ParseError(
        "This file is inside a file inside another one, which is not opened; unpack it."
    )


def _misnamed(name: str) -> str:
    """The sentence for a text file that has the name of another format."""
    ending = name.rsplit(".", 1)[-1]
    return (
        f"This file is named .{ending[:10]} but is not in the {ending[:10].upper()} format: it is "
        "damaged, or another "
        "file under this name; if it is a text, rename it to .txt."
    )


def _refusal(media_type: str) -> str:
    """The sentence that names a format we do not read and says what to do."""
    what, advice = (
        _REFUSED.get(media_type)
        or _CLASSES.get(media_type.split("/")[0])
        or (f"of type {media_type}", "")
    )
    return f"This file is {what}, which cannot be read here" + (f"; {advice}." if advice else ".")
