"""Bytes to characters: byte order marks, declarations, UTF-8, then a guess. Never fails."""

import codecs
import re

from tools.documents.model import Request
from tools.text.normalise import snapshot_text

# Labels as web pages and mail write them -> Python codecs. Only these: Python also knows
# "encodings" such as zlib or unicode_escape, which a hostile page must not choose. ISO-8859-1 means
# Windows-1252 on the web (https://encoding.spec.whatwg.org/#names-and-labels).
_CODECS = {
    "utf-8": "utf8 utf-8 unicode-1-1-utf-8 utf-16 utf-16le utf-16be unicode",
    "cp1252": "iso-8859-1 iso8859-1 latin1 latin-1 l1 ascii us-ascii windows-1252 cp1252 cp-1252 "
    "x-cp1252",
    "iso-8859-2": "iso-8859-2 iso8859-2 latin2 l2",
    "iso-8859-5": "iso-8859-5",
    "iso-8859-6": "iso-8859-6 arabic",
    "iso-8859-7": "iso-8859-7 greek",
    "iso-8859-8": "iso-8859-8 iso-8859-8-i hebrew",
    "cp1254": "iso-8859-9 latin5 windows-1254 cp1254",
    "iso-8859-13": "iso-8859-13",
    "iso-8859-15": "iso-8859-15 latin9 latin-9",
    "cp1250": "windows-1250 cp1250",
    "cp1251": "windows-1251 cp1251 x-cp1251",
    "cp1253": "windows-1253 cp1253",
    "cp1255": "windows-1255 cp1255",
    "cp1256": "windows-1256 cp1256",
    "cp1257": "windows-1257 cp1257",
    "cp1258": "windows-1258 cp1258",
    "koi8-r": "koi8-r koi8 koi",
    "koi8-u": "koi8-u",
    "cp866": "ibm866 cp866 866",
    "mac-roman": "macintosh mac x-mac-roman",
    "gb18030": "gb2312 gbk gb18030 gb_2312-80 chinese x-gbk hz-gb-2312",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5",
    "cp932": "shift_jis shift-jis sjis x-sjis windows-31j ms_kanji cp932",
    "euc_jp": "euc-jp x-euc-jp",
    "iso2022_jp": "iso-2022-jp",
    "cp949": "euc-kr ks_c_5601-1987 korean windows-949 cp949",
    "cp874": "tis-620 windows-874 iso-8859-11",
}
_LABELS = {label: codec for codec, labels in _CODECS.items() for label in labels.split()}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*+=\s*+[\"']?\s*+([A-Za-z0-9_:.\-]{2,40})",
    re.I,
)
_PARAMETER = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9_:.\-]{2,40})", re.I)
_SAMPLE = 65536


def decode(data: bytes, media_type: str | None = None, *, markup: bool = False) -> str:
    """The text of some bytes.

    Tried in order: byte order mark, the charset of `media_type`, the declaration inside (`markup`),
    UTF-8 and UTF-16 by their shape, then the likeliest of the old encodings; what cannot be decoded
    becomes U+FFFD.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace")
    declared = _declared(data, media_type, markup)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as exc:
        if exc.reason == "unexpected end of data":
            return data.decode("utf-8", "replace")  # cut off within its last character
        return _decode_other(data, declared)
    if "\x00" in text[:_SAMPLE]:
        wide = wide_codec(data)
        return data.decode(wide, "replace") if wide else text
    if declared == "iso2022_jp":  # pure ASCII bytes, so it always passes as UTF-8
        return data.decode(declared, "replace")
    return text


def text_of(request: Request) -> str:
    """The text of a file without markup of its own, in snapshot form."""
    return snapshot_text(decode(request.data, request.media_type))


def _declared(data: bytes, media_type: str | None, markup: bool) -> str | None:
    """The codec that the charset parameter of a media type, else the text itself names, or None."""
    parameter = _PARAMETER.search(media_type or "")
    codec = _LABELS.get(parameter[1].lower()) if parameter else None
    match = _META.search(data[:4096]) if markup and not codec else None
    return _LABELS.get(match[1].decode("ascii").lower()) if match else codec


def _decode_other(data: bytes, declared: str | None) -> str:
    wide = wide_codec(data)
    if wide:
        return data.decode(wide, "replace")
    try:
        # Written by programs that encode UTF-16 halves
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    error_count = text.count("\ufffd")
    whole = sum(1 for c in text[:1_000_000] if c > "\x7f") - error_count
    if error_count <= max(1, whole // 20) and whole > 0:
        return text  # UTF-8 with a few damaged characters, such as one cut at the end
    if declared and declared != "utf-8":
        return data.decode(declared, "replace")
    return data.decode(_guess(data), "replace")


def wide_codec(data: bytes) -> str | None:
    """UTF-16 without a byte order mark: every other byte of Latin text is zero."""
    head = data[: _SAMPLE // 4]
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = max(4, len(head) // 2)
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.6 * half and odd < 0.05 * half else None


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes  # 60 ms to import, needed for old files only

    best = from_bytes(data[:_SAMPLE]).best()
    if best is None or best.encoding in ("ascii", "utf_8"):
        return "cp1252"
    return _LABELS.get(best.encoding.replace("_", "-"), best.encoding)
