"""Formats that are recognised and not read: what each is called and what to do instead."""

from tools.corpus.detect import BINARY, EMAIL, ODT, PPTX, XLSX, XML, ZIP

_SAVE_AS = "save it as {} and add that"
_OFFICE = _SAVE_AS.format("DOCX or PDF")
_REFUSED = {
    "application/rtf": ("a Rich Text (RTF) file", _OFFICE),
    ODT: ("an OpenDocument text (ODT)", _OFFICE),
    "application/x-ole-storage": ("an old Office file (DOC, XLS, PPT or MSG)", _OFFICE),
    PPTX: ("a PowerPoint presentation", _SAVE_AS.format("PDF")),
    XLSX: ("an Excel workbook", _SAVE_AS.format("CSV")),
    EMAIL: ("an e-mail message", "save its text as TXT or HTML and add that"),
    XML: ("an XML file", "convert it to HTML or text and add that"),
    "image/svg+xml": ("a drawing (SVG)", "add a text that describes it"),
    ZIP: ("a ZIP archive", "unpack it and add the files in it"),
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


def refusal(media_type: str) -> str:
    """The sentence that names a format we do not read and says what to do."""
    what, advice = _REFUSED.get(media_type) or _CLASSES.get(media_type.split("/")[0]) or (f"of type {media_type}", "")
    return f"This file is {what}, which cannot be read here" + (f"; {advice}." if advice else ".")
