"""What some bytes are, whatever their name says."""

import io
import zipfile

from tests.tables import each
from tools.documents.detect import (
    ASCIIDOC,
    BIBTEX,
    BINARY,
    CSV,
    DOCX,
    EMAIL,
    EPUB,
    HTML,
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
    TEX,
    TEXT,
    XLSX,
    XML,
    ZIP,
    detect,
    family,
    is_misnamed,
)

OLE_START = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def packed(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


def stated(kind: str) -> bytes:
    """A package without a list of its parts, that says what it is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("content.xml", "x")
    return buffer.getvalue()


@each(
    ("data", "name", "declared", "kind"),
    [
        (b"=====\nPaths\n=====\n\n.. _paths:\n\nText.", "paths.txt", None, RST),
        (b"Text.\n\n.. note::\n\n   More.", "README", None, RST),
        (b"Text ... and so on.\n.. more: that.\n  .. note::", "paths.txt", None, TEXT),
        (b"%PDF-1.7\n", "a.txt", "text/plain", PDF),
        (b"\n\n junk %PDF-1.4", "a", None, PDF),
        (packed("[Content_Types].xml", "word/document.xml"), "a.zip", None, DOCX),
        (packed("[Content_Types].xml", "ppt/presentation.xml"), "a.docx", None, PPTX),
        (packed("[Content_Types].xml", "xl/workbook.xml"), "", None, XLSX),
        (packed("mimetype", "META-INF/container.xml"), "", None, EPUB),
        (packed("mimetype", "content.xml", "META-INF/manifest.xml"), "", None, ODT),
        (packed("a.txt"), "a.txt", None, ZIP),
        (
            b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.text",
            "",
            None,
            ZIP,
        ),  # cut off
        (stated("application/vnd.oasis.opendocument.text"), "", None, ODT),
        (stated("application/epub+zip"), "a.zip", None, EPUB),
        (OLE_START + "WordDocument".encode("utf-16-le"), "a.doc", None, OLE),
        (OLE_START + "EncryptedPackage".encode("utf-16-le"), "a.docx", None, LOCKED_OFFICE),
        (b"PK\x03\x04 cut off", "a.docx", None, DOCX),
        (b"PK\x03\x04 cut off", "a.bin", None, ZIP),
        (b"{\\rtf1 x}", "a.doc", None, "application/rtf"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a.html", "text/html", "image/png"),
        (b"\x00\x00\x00\x20ftypM4A ", "", None, "video/mp4"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "", None, "image/webp"),
        (bytes(range(256)) * 10, "a.txt", None, BINARY),
        (b"<!DOCTYPE html><html><p>x", "a.txt", None, HTML),
        (b"\xef\xbb\xbf  <!-- c -->\n<HTML>", "", None, HTML),
        (b'<?xml version="1.0"?><html xmlns="x">', "", None, HTML),
        ("<html><body>wide</body></html>".encode("utf-16"), "", None, HTML),
        (b"<html>login</html>", "data.csv", "text/csv", HTML),
        (b"<p>Only a piece</p>", "", "text/html; charset=x", HTML),
        (b"<div>Only a piece</div> <p>of a page</p>", "", None, HTML),
        (b"no markup at all", "a.html", "text/html", TEXT),
        (b"# Title\n\n<h1>x</h1>", "a.md", None, MARKDOWN),
        (b"# Title", "index.html.md.erb", None, MARKDOWN),
        *(
            (b"# Title", f"a.{ending}", None, MARKDOWN)
            for ending in ("Rmd", "qmd", "livemd", "mdwn")
        ),
        (b"{{ x }}", "a.json.j2", None, TEXT),
        (b"<h1>{{ x }}</h1><p>Pay.</p>", "invoice.pdf.erb", None, HTML),
        (b"# Title", "md.erb", None, TEXT),
        (b"Title\n=====", "notes.rst.j2", None, RST),
        (b"# Title", "", "text/markdown", MARKDOWN),
        (b"a,b\n1,2\n", "a.csv", None, CSV),
        (b"a,b\n1,2\n", "a.txt", None, TEXT),
        (b'{"a": 1}', "", "application/json; charset=utf-8", JSON),
        (b'{"a": 1}', "a.ipynb", None, NOTEBOOK),
        (b"Title\n=====\n", "a.rst", None, RST),
        (b"* Title\n", "a.org", None, ORG),
        (b"= Title\n", "a.adoc", None, ASCIIDOC),
        (b"= Title\n", "a", "text/asciidoc; charset=utf-8", ASCIIDOC),
        (b"% x\n\\documentclass{article}", "", None, TEX),
        (b"words", "a.tex", None, TEX),
        (b"From a@b.c Mon Jan  1 10:00:00 2024\nSubject: x\n\nhi", "inbox", None, MBOX),
        (b"\n@article{a, title={x}}", "", None, BIBTEX),
        (b"TY  - JOUR\nER  - ", "", None, RIS),
        (b"<rss version='2.0'></rss>", "", "application/xml", XML),
        (b"<?xml version='1.0'?><TEI/>", "", None, XML),
        (b"<svg xmlns='x'></svg>", "", None, "image/svg+xml"),
        (b"Received: by x\nFrom: a@b.c\nSubject: hi\nDate: today\n\nbody", "", None, EMAIL),
        (b"Note: this is text\nand more", "", None, TEXT),
        (b"hello\x00world of text with one zero byte", "", None, TEXT),
        ("größer".encode("utf-16-le") * 40, "", None, TEXT),
        ("Größe und Maß".encode("latin-1"), "", None, TEXT),
        (b"", "", None, TEXT),
    ],
)
def test_content_decides(data: bytes, name: str, declared: str | None, kind: str) -> None:
    assert detect(data, name, declared) == kind


@each(
    ("data", "name", "expected"),
    [
        (b"plain", "a.txt", "text"),
        (b"# Plan", "a.md", "markdown"),
        (b"<html>", "", "html"),
        (b"%PDF-1.4", "", "pdf"),
        (packed("a"), "", "html"),
        (packed("[Content_Types].xml", "word/document.xml"), "", "xml"),
        (b"\\documentclass{a}", "", "tex"),
    ],
)
def test_the_family_says_which_extractors_are_needed(data: bytes, name: str, expected: str) -> None:
    assert family(data, name) == expected


def test_hostile_openings_cost_no_time() -> None:
    for data in (
        b"<!--" * 16000,
        b"<!---->" * 9000,
        b"<" * 65536,
        b"\n" * 65536 + b"@",
        b"%\n" * 30000,
        b"a:" * 32000,
    ):
        assert detect(data) in (TEXT, XML, HTML)


@each(
    ("kind", "name", "misnamed"),
    [
        (TEXT, "broken.pdf", True),
        (BINARY, "a.docx", True),
        (TEXT, "a.txt", False),
        (PDF, "a.pdf", False),
        (HTML, "a.pdf", False),
    ],
)
def test_a_text_named_like_another_format_is_told(kind: str, name: str, misnamed: bool) -> None:
    assert is_misnamed(kind, name) is misnamed
