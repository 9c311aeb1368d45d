"""The snapshot form of a text, and how the lines of a PDF become paragraphs. Pure functions on strings."""

import re
import unicodedata
from collections.abc import Sequence

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_BREAK_HYPHENS = "\u00ad\ufffe\u0002"  # soft hyphen; what pdfium writes for a hyphen at a line's end
_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]++-[^\W\d_]+")
_MARKED = re.compile(r"(?:(?<![^\W\d_])([^\W\d_]++))?[\ufffe\u0002]([^\W\d_]*)")
_HEAD = re.compile(r"(?<![^\W\d_])([^\W\d_]++)[-\u2010]$")
_TAIL = re.compile(r"[^\W\d_]+")


def snapshot_text(raw: str) -> str:
    """The one form in which texts are hashed, stored and cited.

    CR and CRLF become LF, C0 controls except tab and newline disappear, lone surrogates become U+FFFD
    (a pair written as two surrogates becomes its character), and the result is NFC. Idempotent.
    """
    text = raw
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _CONTROLS.search(text):
        text = _CONTROLS.sub("", text)
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def compounds_of(text: str) -> frozenset[str]:
    """Hyphenated words that stand whole on a line, lower case: these keep their hyphen at a line's end too."""
    return frozenset(match.group(0).lower() for match in _COMPOUND.finditer(text))


def join_lines(lines: Sequence[str], compounds: frozenset[str] = frozenset()) -> str:
    """The lines of one paragraph as one line.

    Lines are joined by one space; a word cut by a hyphen at a line's end is put together, unless the text also
    writes it with a hyphen (`compounds`) or the next line does not begin with a small letter. Soft hyphens and
    pdfium's line-end marks (U+FFFE, U+0002) are removed.
    """
    joined = ""
    for raw in lines:
        line = _SPACES.sub(" ", raw).strip()
        if line:
            joined = _append(joined, line, compounds) if joined else line
    return drop_break_hyphens(_MARKED.sub(lambda match: _unmarked(match, compounds), joined))


def drop_break_hyphens(text: str) -> str:
    """The text without soft hyphens and pdfium's line-end marks."""
    return text.translate(dict.fromkeys(map(ord, _BREAK_HYPHENS)))


def _unmarked(match: re.Match[str], compounds: frozenset[str]) -> str:
    """A word that pdfium marked as cut: with its hyphen when the text also writes it so elsewhere."""
    head, tail = match.groups("")
    return f"{head}-{tail}" if f"{head}-{tail}".lower() in compounds else head + tail


def _append(joined: str, line: str, compounds: frozenset[str]) -> str:
    if joined[-1] in _BREAK_HYPHENS:
        return joined + line
    head, tail = _HEAD.search(joined[-60:]), _TAIL.match(line)
    if head and tail:
        if f"{head.group(1)}-{tail.group(0)}".lower() in compounds:
            return joined + line
        if line[0].islower():
            return joined[:-1] + line
        return joined + line
    return f"{joined} {line}"
