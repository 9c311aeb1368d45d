"""LaTeX as bibliographies use it, to plain characters: accents, letters, dashes, commands and
braces."""

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "aa": "å", "AA": "Å", "i": "i", "j": "j", "dh": "ð", "th": "þ", "alpha": "α", "beta": "β",
    "gamma": "γ", "delta": "δ", "mu": "μ", "pi": "π", "sigma": "σ", "lambda": "λ",
    "textendash": "–", "textemdash": "—", "ldots": "…", "dots": "…", "textquoteright": "’",
    "textquoteleft": "‘", "copyright": "©", "times": "×", "pm": "±", "textdegree": "°",
    "LaTeX": "LaTeX", "TeX": "TeX",
}  # fmt: skip
_ACCENT_SIGN = re.compile(
    r"""\\([`'^~"=.])\s*(?:\{\s*(\\?[A-Za-z])\s*\}|(\\[ij](?![A-Za-z])|[A-Za-z]))"""
)
_ACCENT_WORD = re.compile(
    r"\\([uvHckrdb])(?:\s*\{\s*(\\?[A-Za-z])\s*\}|\s+(\\[ij](?![A-Za-z])|[A-Za-z]))"
)
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?\s*")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_SPACE = re.compile(r"\s+")


def plain(text: str) -> str:
    """Plain text in NFC: "{\\"O}zg\\"ur" is "Özgür". What is not known is left out as markup, its
    argument stays."""
    if "\\" in text:
        text = _ACCENT_SIGN.sub(_accented, text)
        text = _ACCENT_WORD.sub(_accented, text)
        text = _ESCAPED.sub(_placeholder, text)
        text = _COMMAND.sub(lambda match: _LETTERS.get(match.group(1), ""), text)
        text = text.replace("\\\\", " ").replace("\\", "")
    text = (
        text.replace("---", "—")
        .replace("--", "–")
        .replace("``", "“")
        .replace("''", "”")
        .replace("~", " ")
    )
    text = text.replace("{", "").replace("}", "").replace("$", "")
    text = text.translate(_BACK)
    return unicodedata.normalize("NFC", _SPACE.sub(" ", text)).strip()


# Escaped signs wait in the private use area while braces and dollars are removed.
_SIGNS = "&%$#_{}"
_BACK = {0xE000 + number: sign for number, sign in enumerate(_SIGNS)}


def _placeholder(match: re.Match[str]) -> str:
    return chr(0xE000 + _SIGNS.index(match.group(1)))


def _accented(match: re.Match[str]) -> str:
    letter = (match.group(2) or match.group(3)).lstrip("\\")
    return letter + _ACCENTS[match.group(1)]
