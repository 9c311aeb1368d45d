"""The text of a PDF page as pieces of lines with their places and type. Only this module asks
pdfium for characters.

Units are PDF points; y grows upwards. Characters are named as pdfium counts them, in UTF-16 units.
"""

import ctypes
import math
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import median, median_low
from typing import Any

from pypdfium2 import raw

from tools.documents.parsers.pdf.signs import is_invisible, mend, with_spaces

# pdfium marks a word that is cut at the end of a line by one of these instead of its hyphen
_TORN = "\ufffe\u0002"
_TOKENS = re.compile(r"[^ \t\r\n\u00a0\ufffe\u0002]+|[\ufffe\u0002]|\r?\n|\r")
_RAISABLE = re.compile(r"[\w)\]*†‡§¶.,;:!?”’\"'-][\d*†‡§¶+\u2212-]", re.A)
# pdfium estimates weights from the font: regular text comes out near 350, bold above 500
_BOLD_WEIGHT = 500
_FIXED_PITCH = 1  # flag of a font descriptor, ISO 32000-1 table 123
_MONO_NAME = re.compile(
    r"mono|courier|consol|cmtt|cmsltt|typewriter|inconsolata|menlo|fixed|code", re.I
)
_MATH_NAME = re.compile(
    r"cmmi|cmsy|cmex|msam|msbm|math|euler|eufm|lmmi|lmsy|stix.{0,40}math|mtmi|mtsy|symbol", re.I
)
_BOLD_NAME = re.compile(r"bold|black|heavy|cmbx|-bd|demi", re.I)
_GAP = 1.2  # in units of the font size: a wider one parts pieces (cells of a row, columns)
_TOO_WIDE = 1.5  # in units of the font size, for each character of a word
_NAME_SIZE = 120
_USUAL_SIZE = 10.0
_PIXEL = 0.5  # points; no font is as small
_LETTERS_LOOKED_AT, _LETTERS_NEEDED = 40, 4
# Heights of letters in Computer Modern, in units of the font size
_HEIGHTS = (
    dict.fromkeys(map(ord, "acemnorsuvwxz"), 0.45)
    | dict.fromkeys(map(ord, "bdhkl"), 0.70)
    | dict.fromkeys(map(ord, "ABCDEFGHIKLMNOPRSTUVWXYZ"), 0.69)
    | dict.fromkeys(map(ord, "0123456789"), 0.66)
)

_SUPERSCRIPTS = str.maketrans("0123456789+-\u2212=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
# a superscript is smaller than its line, and stands higher by this share
_RAISED_SIZE, _RAISED_BY = (
    0.85,
    0.15,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of one line without a wide gap between them.

    base: height of the base line. math: share of characters in a mathematical font. torn: its last
    word goes on in the next line. turned: set sideways, such as a stamp in the margin. edges: left
    and right of each word in turn.
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


@dataclass(slots=True)
class _Word:
    """A word and where it stands."""

    text: str
    x0: float
    x1: float
    base: float
    size: float
    font: _Font
    turned: bool
    torn: bool = False


@dataclass(frozen=True, slots=True)
class _Type:
    """How the characters of one text object are set. turned: 0, or 1 and -1 for the two ways of
    standing sideways."""

    size: float
    exact_size: float
    font: _Font
    turned: int = 0


class PageText:
    """The text of one page."""

    def __init__(self, text_page: Any, number: int) -> None:
        self._owner = text_page  # frees the page when it goes
        self._page, self._number = text_page.raw, number
        count = text_page.count_chars()
        self._text = with_spaces(text_page.get_text_range()) if count > 0 else ""
        self._wide = bool(self._text) and max(self._text) > "\uffff"
        # Where the text leaves none out, a place in it is the index of its character
        self._as_counted = not self._wide and len(self._text) == count
        self._ask_box, self._ask_origin, self._ask_object = _plain_calls()
        self._handle = ctypes.cast(text_page.raw, ctypes.c_void_p).value
        self._box, self._matrix = raw.FS_RECTF(), raw.FS_MATRIX()
        self._x, self._y, self._flags = ctypes.c_double(), ctypes.c_double(), ctypes.c_int()
        self._to_box = ctypes.addressof(self._box)
        self._to_x, self._to_y = ctypes.addressof(self._x), ctypes.addressof(self._y)
        self._name = ctypes.create_string_buffer(_NAME_SIZE)
        self._fonts: dict[tuple[bytes, int, bool], _Font] = {}
        self._types: dict[int, _Type] = {}  # by the address of the text object
        self._bitmap_sizes: dict[int | None, float] = {}  # by the address of the font

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
        shift = 0  # UTF-16 units beyond characters so far
        last: _Word | None = None
        for match in _TOKENS.finditer(self._text):
            token = match.group()
            if is_invisible(token):
                continue
            if token in _TORN:
                if last:
                    last.torn = True
                continue
            if last:
                yield last
                last = None
            if token[0] in "\r\n":
                yield None
                continue
            start = match.start() + shift
            shift += sum(1 for sign in token if sign > "\uffff") if self._wide else 0
            last = self._word(token, start, match.end() - 1 + shift)
            if last.x1 - last.x0 > _TOO_WIDE * last.size * len(token) and len(token) > 1:
                # The cells of a table that pdfium wrote without a space, each by itself
                *before, last = (self._word(sign, at, at) for at, sign in enumerate(token, start))
                yield from before
        if last:
            yield last

    def _word(self, token: str, first: int, last: int) -> _Word:
        page, box = self._handle, self._box
        if self._as_counted:
            start = first
        else:
            start = raw.FPDFText_GetCharIndexFromTextIndex(self._page, first)
        end = start + last - first  # a word has no generated characters inside
        if start < 0 or not self._ask_box(page, start, self._to_box):
            return _Word(token, 0, 0, 0, 10, _Font(), False)
        x0, x1, bottom, top = box.left, box.right, box.bottom, box.top
        if end != start and self._ask_box(page, end, self._to_box):
            x0, x1 = min(x0, box.left), max(x1, box.right)
            bottom, top = min(bottom, box.bottom), max(top, box.top)
        self._ask_origin(page, start, self._to_x, self._to_y)
        base = self._y.value
        of = self._types.get(self._ask_object(page, start)) or self._type(start)
        if of.turned:  # as it stands when the page is turned so that it can be read
            x0, x1, base = (
                (bottom, top, -self._x.value) if of.turned > 0 else (-top, -bottom, self._x.value)
            )
        text = token
        if not (token.isalpha() or of.turned) and len(token) > 1 and _RAISABLE.search(token):
            text = self._with_raised(token, start, of.size, base)
        if of.font.fixed and len(token) > 2 and x1 > x0:
            of.font.measure((x1 - x0) / len(token) / of.size)
        return _Word(text, x0, x1, base, of.size, of.font, bool(of.turned))

    def _with_raised(self, token: str, start: int, size: float, base: float) -> str:
        """The word with figures that stand above the line as superscripts: 10⁻³, courses.¹"""
        pieces = []
        for index, sign in enumerate(token, start):
            raised = (
                ord(sign) in _SUPERSCRIPTS
                and self._type(index).exact_size < _RAISED_SIZE * size
                and self._ask_origin(self._handle, index, self._to_x, self._to_y)
                and self._y.value > base + _RAISED_BY * size
            )
            pieces.append(sign.translate(_SUPERSCRIPTS) if raised else sign)
        return "".join(pieces)

    def _type(self, index: int) -> _Type:
        """How a character is set; pdfium is asked once for every text object."""
        address = self._ask_object(self._handle, index)
        font_type = self._types.get(address)
        if font_type is None:
            font_type = self._asked_type(index)
            if address:
                self._types[address] = font_type
        return font_type

    def _asked_type(self, index: int) -> _Type:
        page, matrix = self._page, self._matrix
        raw.FPDFText_GetMatrix(page, index, ctypes.byref(matrix))
        # Fonts are often set at size 1 and enlarged by the text matrix
        scale = math.hypot(matrix.c, matrix.d)
        size = raw.FPDFText_GetFontSize(page, index) * scale
        if size <= _PIXEL:
            size = self._size_of_letters(index)
        sideways = abs(matrix.b) > abs(matrix.a)
        turned = (1 if matrix.b > 0 else -1) if sideways else 0
        return _Type(round(size, 2), size, self._font(index), turned)

    def _size_of_letters(self, index: int) -> float:
        """The size of a bitmap font as dvips makes them, whose own size is that of a pixel: from
        how high its letters stand."""
        page, text_object = self._page, self._ask_object(self._handle, index)
        if not text_object:
            return _USUAL_SIZE
        place = raw.FPDFText_GetTextObject(page, index)
        font = ctypes.cast(raw.FPDFTextObj_GetFont(place), ctypes.c_void_p).value
        if font not in self._bitmap_sizes:
            sizes = []
            for at in range(index, index + _LETTERS_LOOKED_AT):
                if self._ask_object(self._handle, at) != text_object:
                    break
                if height := _HEIGHTS.get(raw.FPDFText_GetUnicode(page, at)):
                    sizes.append(self._height(at) / height)
            if len(sizes) < 2:  # a sign, which is set as the text around it
                return median_low(self._bitmap_sizes.values() or [_USUAL_SIZE])
            size = max(1.0, round(2 * median(sizes)) / 2)
            if len(sizes) < _LETTERS_NEEDED:
                return size
            self._bitmap_sizes[font] = size
        return self._bitmap_sizes[font]

    def _height(self, index: int) -> float:
        x0, x1, bottom, top = (ctypes.c_double() for _ in range(4))
        raw.FPDFText_GetCharBox(self._page, index, x0, x1, bottom, top)
        return top.value - bottom.value

    def _font(self, index: int) -> _Font:
        page = self._page
        length = raw.FPDFText_GetFontInfo(
            page, index, self._name, _NAME_SIZE, ctypes.byref(self._flags)
        )
        name = self._name.raw[: max(0, min(length, _NAME_SIZE) - 1)]
        heavy = raw.FPDFText_GetFontWeight(page, index) >= _BOLD_WEIGHT
        key = (name, self._flags.value, heavy)
        if key not in self._fonts:
            plain = name.decode("utf-8", "replace").split("+", 1)[-1]
            mono = bool(self._flags.value & _FIXED_PITCH) or bool(_MONO_NAME.search(plain))
            bold = heavy or bool(_BOLD_NAME.search(plain))
            self._fonts[key] = _Font(bold, mono, bool(_MATH_NAME.search(plain)))
        return self._fonts[key]

    def _piece(self, words: list[_Word]) -> Piece:
        size = max([word.size for word in words])
        base = next(word.base for word in words if word.size >= _RAISED_SIZE * size)
        mathematical = sum([len(word.text) for word in words if word.font.math])
        mono = all(word.font.mono for word in words)
        return Piece(
            text=mend(_text_of(words, size, base, mono)),
            page=self._number,
            x0=words[0].x0,
            x1=max([word.x1 for word in words]),
            base=base,
            size=size,
            bold=words[0].font.bold and words[-1].font.bold,
            mono=mono,
            math=mathematical / sum([len(word.text) for word in words]) if mathematical else 0.0,
            turned=words[0].turned,
            torn=words[-1].torn,
            edges=array("f", [edge for word in words for edge in (word.x0, word.x1)]),
        )


@lru_cache(maxsize=1)
def _plain_calls() -> tuple[Callable[..., int], Callable[..., int], Callable[..., int]]:
    """The functions that are called for every word, taking addresses: pypdfium2 checks and wraps
    every pointer."""
    pointer, number = ctypes.c_void_p, ctypes.c_int
    calls = (
        (raw.FPDFText_GetLooseCharBox, ctypes.CFUNCTYPE(number, pointer, number, pointer)),
        (raw.FPDFText_GetCharOrigin, ctypes.CFUNCTYPE(number, pointer, number, pointer, pointer)),
        (raw.FPDFText_GetTextObject, ctypes.CFUNCTYPE(pointer, pointer, number)),
    )
    box, origin, text_object = (
        prototype(ctypes.cast(function, pointer).value or 0) for function, prototype in calls
    )
    return box, origin, text_object


def _goes_on(last: _Word, word: _Word) -> bool:
    """Whether a word stands on the line of the one before it, without a wide gap between."""
    size = last.size if last.size > word.size else word.size
    gap = word.x0 - last.x1
    if last.font.mono and word.font.mono:
        return abs(word.base - last.base) < 0.5 * size and gap > -size
    return abs(word.base - last.base) < 0.6 * size and -size < gap < _GAP * size


def _text_of(words: list[_Word], size: float, base: float, mono: bool) -> str:
    """The words of a line with the spaces between them; in a font of fixed width as many as there
    are."""
    texts = [
        word.text if word.size >= _RAISED_SIZE * size else _raised(word, size, base)
        for word in words
    ]
    if not mono:
        return " ".join(texts)
    parts = texts[:1]
    for (before, word), text in zip(pairwise(words), texts[1:], strict=True):
        width = (before.x1 - before.x0) / max(1, len(before.text))
        spaces = max(1, round((word.x0 - before.x1) / width)) if width > 0 else 1
        parts.append(" " * min(spaces, 80) + text)
    return "".join(parts)


def _raised(word: _Word, size: float, base: float) -> str:
    """The word; figures that stand above the line by themselves as superscripts."""
    high = word.size < _RAISED_SIZE * size and word.base > base + _RAISED_BY * size
    if high and word.text.strip("0123456789+-\u2212,*") == "":
        return word.text.translate(_SUPERSCRIPTS)
    return word.text
