"""What some bytes are, by their content; a name or a declared type only decides between kinds of
text."""

import io
import re
import zipfile

from tools.documents.parsers.encoding import wide_codec

TEXT = "text/plain"
MARKDOWN = "text/markdown"
HTML = "text/html"
CSV = "text/csv"
JSON = "application/json"
PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EPUB = "application/epub+zip"
BIBTEX = "application/x-bibtex"
RIS = "application/x-research-info-systems"
ZIP = "application/zip"
XML = "application/xml"
JATS = "application/jats+xml"  # not registered; nothing else is, for full texts of articles
EMAIL = "message/rfc822"
MBOX = "application/mbox"
RTF = "application/rtf"
RST = "text/x-rst"
ORG = "text/x-org"
ASCIIDOC = "text/asciidoc"
TEX = "text/x-tex"
NOTEBOOK = "application/x-ipynb+json"
BINARY = "application/octet-stream"
OLE = "application/x-ole-storage"
# As Word, Excel and PowerPoint protect a file with a password
LOCKED_OFFICE = "application/encrypted"
ODT = "application/vnd.oasis.opendocument.text"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_HEAD = 65536
# (offset, bytes, type): signatures as the formats' own documents give them
_SIGNATURES = (
    (0, b"{\\rtf", RTF),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"8BPS", "image/vnd.adobe.photoshop"),
    (0, b"AT&TFORM", "image/vnd.djvu"),
    (0, b"%!PS", "application/postscript"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (257, b"ustar", "application/x-tar"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (60, b"BOOKMOBI", "application/x-mobipocket-ebook"),
    (0, b"\x7fELF", "application/x-executable"),
    (0, b"wOFF", "font/woff"),
    (0, b"wOF2", "font/woff2"),
    (0, b"PAR1", "application/vnd.apache.parquet"),
)
_SIGNED = re.compile(
    b"|".join(b"(.{%d}%s)" % (at, re.escape(signature)) for at, signature, _ in _SIGNATURES), re.S
)
# The stream that holds the document, [MS-OFFCRYPTO] 1.3.3
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
# What packages say of themselves in their first entry, which is not compressed (OCF 3.3,
# OpenDocument 1.3 part 2)
_STATED = (
    (b"mimetypeapplication/epub+zip", EPUB),
    (b"mimetypeapplication/vnd.oasis.opendocument.", ODT),
)
_STATED_AT = 30
_NAMES = {
    "txt": TEXT, "text": TEXT, "log": TEXT, "rst": RST, "rest": RST, "org": ORG, "tex": TEX,
    "ltx": TEX, "adoc": ASCIIDOC, "asciidoc": ASCIIDOC, "md": MARKDOWN,
    "mdx": MARKDOWN, "markdown": MARKDOWN, "mdown": MARKDOWN, "mkd": MARKDOWN, "rmd": MARKDOWN,
    "qmd": MARKDOWN, "livemd": MARKDOWN, "mdwn": MARKDOWN, "html": HTML, "htm": HTML,
    "xhtml": HTML, "csv": CSV, "tsv": CSV, "json": JSON, "jsonl": JSON, "ndjson": JSON,
    "geojson": JSON, "ipynb": NOTEBOOK, "bib": BIBTEX, "bibtex": BIBTEX, "ris": RIS,
    "docx": DOCX, "epub": EPUB, "odt": ODT, "ott": ODT, "odp": ODT, "ods": ODT, "pptx": PPTX,
    "xlsx": XLSX, "eml": EMAIL, "mbox": MBOX, "xml": XML, "svg": "image/svg+xml", "pdf": PDF,
    "rtf": RTF, "zip": ZIP,
}  # fmt: skip
# Endings of languages that fill in a text, behind the ending of that: "index.html.md.erb"
_TEMPLATES = frozenset(
    "eex ejs erb hbs handlebars j2 jinja jinja2 liquid mustache njk tmpl tpl twig".split()
)
_FILLED_IN = (MARKDOWN, HTML, RST, ORG, ASCIIDOC, TEX)
_DECLARED = {
    "text/x-markdown": MARKDOWN, "application/xhtml+xml": HTML, "application/csv": CSV,
    "text/json": JSON, "text/tab-separated-values": CSV, "text/x-bibtex": BIBTEX,
    "application/x-ndjson": JSON, "application/ld+json": JSON, "application/jsonl": JSON,
    "text/xml": XML, "text/rtf": RTF, "application/x-tex": TEX,
} | {
    kind: kind
    for kind in (
        *(TEXT, MARKDOWN, HTML, CSV, JSON, BIBTEX, RIS, EMAIL, XML, DOCX, EPUB),
        *(RST, ORG, ASCIIDOC, TEX, MBOX, NOTEBOOK),
    )
}  # fmt: skip
# Formats that are never plain text: a text file that is named like one of them is broken, or
# something else
_NEVER_TEXT = frozenset([PDF, DOCX, EPUB, ODT, PPTX, XLSX, RTF, ZIP])
_BY_HINT = (MARKDOWN, CSV, JSON, BIBTEX, RIS, EMAIL, RST, ORG, ASCIIDOC, TEX, NOTEBOOK)
_FAMILIES = {
    MARKDOWN: "markdown",
    HTML: "html",
    PDF: "pdf",
    JATS: "xml",
    EMAIL: "xml",
    MBOX: "xml",
    TEX: "tex",
    RST: "rst",
}
_PACKED = (b"application/epub+zip", b"word/document", b"ppt/", b"xl/", b"content.xml")
_MARKUP = re.compile(
    rb"\s*(?:<\?xml[^>]{0,300}>\s*|<!--(?:(?!-->).){0,4000}-->\s*)*<(!doctype\s+)?([a-z][\w:.-]{0,40})",
    re.I | re.S,
)
_JATS = re.compile(rb"<(?:article-meta|journal-meta|front-stub)[\s/>]|//NLM//DTD ")
_HTML_TAG = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h[1-6]|table|ul|a\s+href)[\s>]", re.I
)
_MAIL_FIELD = re.compile(
    rb"^(?:from|to|subject|date|received|message-id|mime-version|return-path|delivered-to):",
    re.I | re.M,
)
_MAIL_START = re.compile(rb"(?:From \S+@?|[A-Za-z][A-Za-z-]{1,40}:[ \t])")
_MAILBOX = re.compile(rb"From [^\n]{1,200}\d{4}[^\n]{0,20}\r?\n[A-Za-z-]{1,60}:")
_TEX = re.compile(rb"\s*(?:%[^\n]{0,500}\n\s*){0,200}\\document(?:class|style)\b")
_BIBTEX = re.compile(
    rb"\s*(?:%[^\n]*\n\s*)*@(?:article|book|booklet|conference|comment|inbook|incollection|inproceedings|manual|"
    rb"mastersthesis|misc|online|phdthesis|preamble|proceedings|string|techreport|unpublished)\s*[{(]",
    re.I,
)
# The manuals of Django and MongoDB are in files named .txt. Of 485 such files in 27 repositories
# 163 have a directive or a target, and all but one of them are in this format.
_RST_MARK = re.compile(rb"^\.\. (?:[\w-]{1,40}::|_[^:\n]{1,80}:)", re.M)
_RIS = re.compile(rb"\s*TY  ?- ?[A-Z]{3,8}")
_CONTROLS = bytes(set(range(32)) - {8, 9, 10, 12, 13, 27})


def detect(data: bytes, name: str = "", declared: str | None = None) -> str:
    """The media type of some bytes, without parameters.

    Binary formats are known by their signature, packages (DOCX, EPUB) by what they hold. Text is
    told apart by how it begins; `name` and `declared` decide between kinds of text that look alike.
    Unknown bytes are application/octet-stream.
    """
    head = data[:_HEAD]
    if b"%PDF-" in head[:1024]:
        return PDF
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _package(data, name)
    if signed := _SIGNED.match(head):
        kind = _SIGNATURES[(signed.lastindex or 1) - 1][2]
        return LOCKED_OFFICE if kind == OLE and _ENCRYPTED in data else kind
    if head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav"}.get(head[8:12], "video/x-msvideo")
    if _is_binary(head):
        return BINARY
    return _text_kind(head, name, declared)


def family(data: bytes, name: str = "", declared: str | None = None) -> str:
    """Which extractors a parse will need: text, markdown, html, pdf, xml or tex. Cheap, for
    choosing a worker."""
    if data[:4] == b"PK\x03\x04":
        names = data[:200] + data[-_HEAD:]  # a package lists its parts at its end
        packed = any(part in names for part in _PACKED)
        return "xml" if packed or hinted(name, None) in (DOCX, EPUB, ODT, PPTX, XLSX) else "html"
    kind = detect(data[:_HEAD], name, declared)
    return _FAMILIES.get(kind, "text")


def is_misnamed(kind: str, name: str) -> bool:
    """Whether a file that turned out to be plain text has the name of a format that never is
    ("broken.pdf")."""
    return kind in (TEXT, BINARY) and hinted(name, None) in _NEVER_TEXT


def hinted(name: str, declared: str | None) -> str | None:
    """What the ending of a name, else the declared type, say that something is; None when they say
    nothing."""
    *_, inner, ending = ["", "", *name.lower().split(".")[1:]]
    if ending in _TEMPLATES and _NAMES.get(inner) in _FILLED_IN:
        ending = inner
    plain = (declared or "").split(";")[0].strip().lower()
    return _NAMES.get(ending) or _DECLARED.get(plain)


def is_filled_in(name: str) -> bool:
    """Whether a file is named as one that a template language fills in ("page.njk")."""
    return name.lower().rpartition(".")[2] in _TEMPLATES


def _package(data: bytes, name: str) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError, OSError):
        hint = hinted(name, None) or ZIP
        return hint if hint in (DOCX, EPUB, ODT, PPTX, XLSX) else ZIP
    if "META-INF/container.xml" in names:
        return EPUB
    for part, kind in (("word/", DOCX), ("ppt/", PPTX), ("xl/", XLSX)):
        if "[Content_Types].xml" in names and any(entry.startswith(part) for entry in names):
            return kind
    if "content.xml" in names and "META-INF/manifest.xml" in names:
        return ODT
    return next((kind for words, kind in _STATED if data.startswith(words, _STATED_AT)), ZIP)


def _is_binary(head: bytes) -> bool:
    """Control characters give binary data away; UTF-16 and UTF-32 are text in spite of their zero
    bytes."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:3] == b"\xef\xbb\xbf":
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if not controls:
        return False
    if wide_codec(head):
        return False
    try:
        head[:-4].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return controls > 8 + 0.005 * len(head)
    return controls > 2 + 0.1 * len(head)


def _text_kind(head: bytes, name: str, declared: str | None) -> str:
    narrow = _narrowed(head)
    hint = hinted(name, declared)
    if hint != EMAIL and _MAILBOX.match(narrow):
        return MBOX
    if hint in _BY_HINT and not _is_page(narrow):
        return hint
    markup = _markup_kind(narrow, hint)
    if markup:
        return markup
    if _RIS.match(narrow):
        return RIS
    if _BIBTEX.match(narrow) or _TEX.match(narrow):
        return BIBTEX if _BIBTEX.match(narrow) else TEX
    if _MAIL_START.match(narrow) and len(_MAIL_FIELD.findall(narrow[:4096])) >= 3:
        return EMAIL
    if hint in (None, TEXT) and _RST_MARK.search(narrow):
        return RST
    is_html = hint == HTML or (hint is None and _HTML_TAG.search(narrow[:4096]))
    return HTML if is_html and b"<" in narrow else TEXT


def _markup_kind(narrow: bytes, hint: str | None) -> str | None:
    match = _MARKUP.match(narrow)
    if not match:
        return None
    doctype, root = bool(match.group(1)), match.group(2).lower()
    if root == b"html" or (not doctype and root in (b"head", b"body")):
        return HTML
    if root in (b"article", b"pmc-articleset") and _JATS.search(narrow):
        return JATS
    if root == b"svg":
        return "image/svg+xml"
    if hint in (HTML, TEXT):
        return hint
    return XML if doctype or narrow.lstrip().startswith(b"<?xml") or hint == XML else None


def _is_page(narrow: bytes) -> bool:
    """A whole HTML page whatever its name says (servers call pages "report.csv" when they ask for a
    login)."""
    match = _MARKUP.match(narrow)
    return bool(match and match.group(2).lower() == b"html")


def _narrowed(head: bytes) -> bytes:
    """The head without byte order mark and without the zero bytes of UTF-16, for looking at its
    first words."""
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"):
        head = head.removeprefix(mark)
    return head.replace(b"\x00", b"")
