"""The text of a PDF page as pieces of lines with their places and type. Only this module asks pdfium for characters.

Units are PDF points; y grows upwards. Characters are named as pdfium counts them, in UTF-16 units.
"""

import ctypes
import math
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

# pdfium marks a word that is cut at the end of a line by one of these instead of its hyphen
_TORN = "\ufffe\u0002"
_TOKENS = re.compile(r"[^ \t\r\n\u00a0\ufffe\u0002]+|[\ufffe\u0002]|\r?\n|\r")
_RAISABLE = re.compile(r"[\w)\]*†‡§¶.,;:!?”’\"'-][\d*†‡§¶+\u2212-]", re.A)
_BOLD_WEIGHT = 500  # pdfium estimates weights from the font: regular text comes out near 350, bold above 500
_FIXED_PITCH = 1  # flag of a font descriptor, ISO 32000-1 table 123
_MONO_NAME = re.compile(r"mono|courier|consol|cmtt|cmsltt|typewriter|inconsolata|menlo|fixed|code", re.I)
_MATH_NAME = re.compile(r"cmmi|cmsy|cmex|msam|msbm|math|euler|eufm|lmmi|lmsy|stix.{0,40}math|mtmi|mtsy|symbol", re.I)
_BOLD_NAME = re.compile(r"bold|black|heavy|cmbx|-bd|demi", re.I)
_GAP = 1.2  # in units of the font size: a wider one parts pieces (cells of a row, columns)
_TOO_WIDE = 1.5  # in units of the font size, for each character of a word
_NAME_SIZE = 120

# Ligatures and signs at their places in the fonts of TeX (T1, and OT1 below 0x10), for fonts that name no characters
_TEX_LIGATURES = {
    "\x0b": "ff", "\x0c": "fi", "\x0e": "ffi", "\x0f": "ffl", "\x1b": "ff", "\x1c": "fi", "\x1d": "fl",
    "\x1e": "ffi", "\x1f": "ffl",
}  # fmt: skip
_TEX_SIGNS = {"\x10": "“", "\x11": "”", "\x15": "–", "\x16": "—"}
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_BULLETS = {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "▸", "\uf0fc": "✓", "\uf076": "•", "\uf0a8": "•", "\uf02d": "–"}
_IN_TEX_WORD = re.compile("(?<=[A-Za-z])[\x0b\x0c\x0e\x0f\x1b-\x1f]|[\x0b\x0c\x0e\x0f\x1b-\x1f](?=[A-Za-z])")
_TEX_SIGN = re.compile("(?<=[A-Za-z ,.\r\n])[\x10\x11\x15\x16]|[\x10\x11\x15\x16](?=[A-Za-z ])")
_FIXED = {ord(sign): text for sign, text in (_LIGATURES | _BULLETS).items()}
_SUPERSCRIPTS = str.maketrans("0123456789+-\u2212=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_RAISED_SIZE, _RAISED_BY = 0.85, 0.15  # a superscript is smaller than its line, and stands higher by this share


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of one line without a wide gap between them.

    base: height of the base line. math: share of characters in a mathematical font. torn: its last word goes on in
    the next line. turned: set sideways, such as a stamp in the margin. edges: left and right of each word in turn.
    """

    text: str
    page: int
    x0: float
    x1: float
    base: float
    size: float
    bold: bool = False
    mono: bool = False
    math: float = 0.0
    turned: bool = False
    torn: bool = False
    edges: Sequence[float] = ()


@dataclass(slots=True)
class _Font:
    """A font; whether its characters have one width is not believed, but measured."""

    bold: bool = False
    fixed: bool = False
    math: bool = False
    narrowest: float = 100.0
    widest: float = 0.0

    @property
    def mono(self) -> bool:
        return self.fixed and self.widest <= 1.12 * self.narrowest

    def measure(self, width: float) -> None:
        """The mean width of the characters of a word, in units of the font size."""
        self.narrowest, self.widest = min(self.narrowest, width), max(self.widest, width)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word and where it stands. `size` is that of its first character that is not raised."""

    text: str
    x0: float
    x1: float
    base: float
    size: float
    font: _Font
    turned: bool
    torn: bool = False


def mend(text: str) -> str:
    """Ligatures as letters, also those that fonts of TeX leave as control characters; bullets of symbol fonts."""
    text = _IN_TEX_WORD.sub(lambda match: _TEX_LIGATURES[match.group()], text)
    text = _TEX_SIGN.sub(lambda match: _TEX_SIGNS[match.group()], text)
    return text.translate(_FIXED)


class PageText:
    """The text of one page. fonts: shared by the pages of a document."""

    def __init__(self, text_page: Any, number: int) -> None:
        self._owner = text_page  # frees the page when it goes
        self._page, self._number = text_page.raw, number
        self._text: str = text_page.get_text_range() if text_page.count_chars() > 0 else ""
        self._box, self._matrix = _structures()
        self._x, self._y, self._flags = ctypes.c_double(), ctypes.c_double(), ctypes.c_int()
        self._name = ctypes.create_string_buffer(_NAME_SIZE)
        self._fonts: dict[tuple[bytes, int, bool], _Font] = {}

    @property
    def raw(self) -> str:
        """The text as pdfium gives it."""
        return self._text

    def pieces(self) -> Iterator[Piece]:
        """The pieces of lines in the order of the page's content."""
        line: list[_Word] = []
        for word in self._words():
            if word is None or (line and not _goes_on(line[-1], word)):
                if line:
                    yield self._piece(line)
                line = []
            if word is not None:
                line.append(word)
                if word.torn:
                    yield self._piece(line)
                    line = []
        if line:
            yield self._piece(line)

    def _words(self) -> Iterator[_Word | None]:
        """The words in order; None where a line ends."""
        wide = bool(self._text) and max(self._text) > "\uffff"
        shift = 0  # UTF-16 units beyond characters so far
        last: _Word | None = None
        for match in _TOKENS.finditer(self._text):
            token = match.group()
            if token in _TORN:
                if last:
                    last = replace(last, torn=True)
                continue
            if last:
                yield last
                last = None
            if token[0] in "\r\n":
                yield None
                continue
            start = match.start() + shift
            beyond = sum(1 for sign in token if sign > "\uffff") if wide else 0
            shift += beyond
            *before, last = self._split(token, start, match.end() - 1 + shift)
            yield from before
        if last:
            yield last

    def _split(self, token: str, first: int, last: int) -> list[_Word]:
        """A word; the cells of a table that pdfium wrote without a space, each by itself."""
        word = self._word(token, first, last)
        if len(token) == 1 or word.x1 - word.x0 <= _TOO_WIDE * word.size * len(token):
            return [word]
        return [self._word(sign, first + offset, first + offset) for offset, sign in enumerate(token)]

    def _word(self, token: str, first: int, last: int) -> _Word:
        from pypdfium2 import raw

        page = self._page
        start = raw.FPDFText_GetCharIndexFromTextIndex(page, first)
        end = start + last - first  # a word has no generated characters inside
        box = self._box
        if start < 0 or not raw.FPDFText_GetLooseCharBox(page, start, ctypes.byref(box)):
            return _Word(token, 0, 0, 0, 10, _Font(), False)
        left, right, bottom, top = box.left, box.right, box.bottom, box.top
        if end != start and raw.FPDFText_GetLooseCharBox(page, end, ctypes.byref(box)):
            left, right = min(left, box.left), max(right, box.right)
            bottom, top = min(bottom, box.bottom), max(top, box.top)
        raw.FPDFText_GetCharOrigin(page, start, ctypes.byref(self._x), ctypes.byref(self._y))
        raw.FPDFText_GetMatrix(page, start, ctypes.byref(self._matrix))
        matrix = self._matrix
        scale = math.hypot(matrix.c, matrix.d)  # fonts are often set at size 1 and enlarged by the text matrix
        size = raw.FPDFText_GetFontSize(page, start) * scale
        size = round(size, 2) if size > 0.5 else 10.0
        turned = abs(matrix.b) > abs(matrix.a)
        x0, x1, base = left, right, self._y.value
        if turned:  # as it stands when the page is turned so that it can be read
            x0, x1, base = (bottom, top, -self._x.value) if matrix.b > 0 else (-top, -bottom, self._x.value)
        text = token
        if len(token) > 1 and _RAISABLE.search(token) and not turned:
            text = self._with_raised(token, start, size, base)
        font = self._font(start)
        if font.fixed and len(token) > 2 and x1 > x0:
            font.measure((x1 - x0) / len(token) / size)
        return _Word(text, x0, x1, base, size, font, turned)

    def _with_raised(self, token: str, start: int, size: float, base: float) -> str:
        """The word with figures that stand above the line as superscripts: 10⁻³, courses.¹"""
        from pypdfium2 import raw

        made = []
        for offset, sign in enumerate(token):
            index = start + offset
            known = raw.FPDFText_GetCharOrigin(self._page, index, ctypes.byref(self._x), ctypes.byref(self._y))
            raw.FPDFText_GetMatrix(self._page, index, ctypes.byref(self._matrix))
            here = raw.FPDFText_GetFontSize(self._page, index) * math.hypot(self._matrix.c, self._matrix.d)
            raised = known and here < _RAISED_SIZE * size and self._y.value > base + _RAISED_BY * size
            made.append(sign.translate(_SUPERSCRIPTS) if raised else sign)
        return "".join(made)

    def _font(self, index: int) -> _Font:
        from pypdfium2 import raw

        length = raw.FPDFText_GetFontInfo(self._page, index, self._name, _NAME_SIZE, ctypes.byref(self._flags))
        name = self._name.raw[: max(0, min(length, _NAME_SIZE) - 1)]
        heavy = raw.FPDFText_GetFontWeight(self._page, index) >= _BOLD_WEIGHT
        key = (name, self._flags.value, heavy)
        if key not in self._fonts:
            plain = name.decode("utf-8", "replace").split("+", 1)[-1]
            mono = bool(self._flags.value & _FIXED_PITCH) or bool(_MONO_NAME.search(plain))
            bold = heavy or bool(_BOLD_NAME.search(plain))
            self._fonts[key] = _Font(bold, mono, bool(_MATH_NAME.search(plain)))
        return self._fonts[key]

    def _piece(self, words: list[_Word]) -> Piece:
        size = max(word.size for word in words)
        main = [word for word in words if word.size >= _RAISED_SIZE * size] or words
        base = main[0].base
        letters = sum(len(word.text) for word in words)
        return Piece(
            text=mend(_text_of(words, size, base)),
            page=self._number,
            x0=words[0].x0,
            x1=max(word.x1 for word in words),
            base=base,
            size=size,
            bold=all(word.font.bold for word in (words[0], words[-1])),
            mono=all(word.font.mono for word in words),
            math=sum(len(word.text) for word in words if word.font.math) / letters,
            turned=words[0].turned,
            torn=words[-1].torn,
            edges=array("f", (edge for word in words for edge in (word.x0, word.x1))),
        )


def _structures() -> tuple[Any, Any]:
    from pypdfium2 import raw

    return raw.FS_RECTF(), raw.FS_MATRIX()


def _goes_on(last: _Word, word: _Word) -> bool:
    """Whether a word stands on the line of the one before it, without a wide gap between."""
    size = max(last.size, word.size)
    gap = word.x0 - last.x1
    if last.font.mono and word.font.mono:
        return abs(word.base - last.base) < 0.5 * size and gap > -size
    return abs(word.base - last.base) < 0.6 * size and -size < gap < _GAP * size


def _text_of(words: list[_Word], size: float, base: float) -> str:
    """The words of a line with the spaces between them; in a font of fixed width as many as there are."""
    made = [_raised(words[0], size, base)]
    mono = all(word.font.mono for word in words)
    for before, word in pairwise(words):
        width = (before.x1 - before.x0) / max(1, len(before.text))
        spaces = max(1, round((word.x0 - before.x1) / width)) if mono and width > 0 else 1
        made.append(" " * min(spaces, 80) + _raised(word, size, base))
    return "".join(made)


def _raised(word: _Word, size: float, base: float) -> str:
    """The word; figures that stand above the line by themselves as superscripts."""
    high = word.size < _RAISED_SIZE * size and word.base > base + _RAISED_BY * size
    return word.text.translate(_SUPERSCRIPTS) if high and word.text.strip("0123456789+-\u2212,*") == "" else word.text
