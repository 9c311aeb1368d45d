"""The signs of a PDF as a reader means them: ligatures, accents, bullets and spaces that fonts give
as something else."""

import re
import unicodedata
from collections import Counter

from tools.documents.parsers.lines import BULLETS
from tools.text.normalise import INVISIBLE

# Ligatures and signs at their places in the fonts of TeX (T1, and OT1 below 0x10), for fonts that
# name no characters
_TEX_LIGATURES = {
    "\x0b": "ff", "\x0c": "fi", "\x0e": "ffi", "\x0f": "ffl", "\x1b": "ff", "\x1c": "fi",
    "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl",
}  # fmt: skip
_TEX_SIGNS = {"\x10": "“", "\x11": "”", "\x15": "–", "\x16": "—"}
_LIGATURES = {
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\uf001": "fi",
    "\uf002": "fl",
}  # fmt: skip
_BULLETS = {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "▸", "\uf0fc": "✓", "\uf02d": "–"}
# Small capitals and old style figures of Adobe's fonts, which lie as Latin-1 does
_SMALL = {chr(0xF700 + code): chr(code) for code in (*range(0x21, 0x7B), *range(0xE0, 0x100))}
_IN_TEX_WORD = re.compile(
    "(?<=[A-Za-z])[\x0b\x0c\x0e\x0f\x1b-\x1f]|[\x0b\x0c\x0e\x0f\x1b-\x1f](?=[A-Za-z])"
)
_TEX_SIGN = re.compile("(?<=[A-Za-z ,.\r\n])[\x10\x11\x15\x16]|[\x10\x11\x15\x16](?=[A-Za-z ])")
_FIXED = {ord(sign): text for sign, text in (_LIGATURES | _BULLETS | _SMALL).items()}
# Symbol fonts give their signs private places; one that stands alone before text is a bullet
_BULLET = re.compile("^[\uf020-\uf0ff](?=[ \t])")
_LONE_BULLET = re.compile(f"[\uf020-\uf0ff{BULLETS}]")
# The one hyphen of some fonts stands for three
_HYPHENS = re.compile("-\u00ad?\u2010")
_ACCENTS = dict(
    zip(
        "´`¨ˆ˜¸ˇ˘˙˚˝",
        "\u0301\u0300\u0308\u0302\u0303\u0327\u030c\u0306\u0307\u030a\u030b",
        strict=True,
    )
)
# As TeX sets them: before their letter. A grave one before a word, or one that also ends it, is a
# quotation mark; behind a figure they are minutes and degrees; a tilde in an address is none; hats
# of variables may stand behind them
_ACCENT = re.compile(
    r"(?:(?<=[^\W\d_])[´`¨¸ˇ˘˝]|(?<=[^\W\d_]{2})[ˆ˜˙˚]|(?<=[^\W\d_])[ˆ˜˙˚](?=[^\W\d_]{2})"
    r"|(?<![^\W_])(?<!/)[´¨ˆ˜¸ˇ˘˙˚˝](?![^\W\d_]{1,30}[´¨](?!\w)))[A-Za-zı]"
)
_LAST_ACCENTED = "\u017f"  # of the letters that languages write so
_BETWEEN_LETTERS = re.compile(r"(?<=[^\W\d_])(?: |[^\w\s])(?=[^\W\d_])")
_FEWEST_SPACES = 20  # on a page


def is_invisible(token: str) -> bool:
    """Whether nothing is to be seen of some characters."""
    return not (token.isascii() or INVISIBLE.sub("", token))


def is_bullet(text: str) -> bool:
    """Whether some text is the mark of a list item alone."""
    return bool(_LONE_BULLET.fullmatch(text))


def mend(text: str) -> str:
    """Ligatures as letters, also those that fonts of TeX leave as control characters; accents on
    their letters; bullets of symbol fonts; nothing that is not seen."""
    if text.isascii() and text.isprintable():
        return text
    text = _IN_TEX_WORD.sub(lambda match: _TEX_LIGATURES[match.group()], text)
    text = _TEX_SIGN.sub(lambda match: _TEX_SIGNS[match.group()], text)
    text = INVISIBLE.sub("", _HYPHENS.sub("-", text)).translate(_FIXED)
    return _ACCENT.sub(_accented, _BULLET.sub("•", text))


def _accented(match: re.Match[str]) -> str:
    accent, letter = match.group()[0], match.group()[1]
    letter = unicodedata.normalize("NFC", letter.replace("ı", "i") + _ACCENTS[accent])
    return letter if len(letter) == 1 and letter <= _LAST_ACCENTED else match.group()


def with_spaces(text: str) -> str:
    """The text of a page whose font gives another sign for each space, with spaces there.

    Between letters that sign stands more often than spaces do, and it follows commas, as no
    apostrophe, hyphen or point does.
    """
    counts = Counter(_BETWEEN_LETTERS.findall(text)).most_common(1)
    sign, count = counts[0] if counts else (" ", 0)
    return text.replace(sign, " ") if count >= _FEWEST_SPACES and f",{sign}" in text else text
