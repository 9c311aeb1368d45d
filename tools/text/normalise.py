"""The snapshot form of a text. Pure functions on strings."""

import re
import unicodedata

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Places where a line may or may not end, and joiners of letters that do not join
INVISIBLE = re.compile(
    "[\u200b\u2060-\u2064\ufeff]|(?<![^\x00-\u024f])[\u200c\u200d]++(?![^\x00-\u024f])"
)


def snapshot_text(text: str) -> str:
    """The one form in which texts are hashed, stored and cited.

    CR and CRLF become LF, C0 controls except tab and newline disappear, lone surrogates become
    U+FFFD (a pair written as two surrogates becomes its character), and the result is NFC.
    Idempotent.
    """
    # Most are so but for their lines; what is below takes several times as long
    if text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable():
        return _composed(text)
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if not text.isascii() and _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _composed(text)


def _composed(text: str) -> str:
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text
    return unicodedata.normalize("NFC", text)
