"""Formats that are recognised and not read: what each is called and what to do instead."""

from tools.documents.detect import BINARY, LOCKED_OFFICE, OLE, XML

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


def misnamed(name: str) -> str:
    """The sentence for a text file that has the name of another format."""
    ending = name.rsplit(".", 1)[-1]
    return (
        f"This file is named .{ending[:10]} but is not in the {ending[:10].upper()} format: it is "
        "damaged, or another "
        "file under this name; if it is a text, rename it to .txt."
    )


def refusal(media_type: str) -> str:
    """The sentence that names a format we do not read and says what to do."""
    what, advice = (
        _REFUSED.get(media_type)
        or _CLASSES.get(media_type.split("/")[0])
        or (f"of type {media_type}", "")
    )
    return f"This file is {what}, which cannot be read here" + (f"; {advice}." if advice else ".")
