"""Styles and numbering of Word documents: what a paragraph is by its style, and the number of a
list item or heading.

ECMA-376 part 1, 17.7 (styles) and 17.9 (numbering).
"""

import re
from dataclasses import dataclass, field
from typing import Any

from tools.documents.model import BlockKind
from tools.documents.parsers.office.zip_package import Package, attribute

_HEADING = re.compile(r"heading (\d)$")
_CODE = re.compile(r"\b(?:code|verbatim|preformatted)\b|^(?:source|listing|macro text)$", re.I)
_QUOTATION = re.compile(r"quote|block text|quotation", re.I)
_MONO = re.compile(
    r"courier|consolas|mono|menlo|lucida console|fixedsys|source code|typewriter", re.I
)
_LEVEL_IN_TEXT = re.compile(r"%(\d)")
_DEEPEST = 20  # styles that a style is based on
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph style says. level: of a heading; numbering: (list, depth) that its
    paragraphs belong to."""

    kind: BlockKind | None = None
    level: int = 0
    numbering: tuple[str, int] | None = None
    mono: bool = False
    title: bool = False


class Styles:
    """The paragraph styles of a document by their id."""

    def __init__(self, package: Package) -> None:
        self._elements: dict[str, Any] = {}
        self._by_id: dict[str, Style] = {}
        if package.has("word/styles.xml"):
            for style in package.xml("word/styles.xml").iterfind("{*}style"):
                if attribute(style, "type", "paragraph") == "paragraph":
                    self._elements[attribute(style, "styleId")] = style

    def style(self, style_id: str) -> Style:
        """The style of that id; a plain one when there is none."""
        if style_id not in self._by_id:
            self._by_id[style_id] = self._resolved(style_id)
        return self._by_id[style_id]

    def _resolved(self, style_id: str) -> Style:
        names: list[str] = []
        outline = numbering = None
        mono = False
        current = style_id
        for _ in range(_DEEPEST):
            element = self._elements.get(current)
            names.append(
                attribute(element.find("{*}name"), "val", current)
                if element is not None
                else current
            )
            if element is None:
                break
            outline = outline or outline_level(element)
            numbering = numbering or numbering_of(element)
            mono = mono or bool(_MONO.search(attribute(element.find("{*}rPr/{*}rFonts"), "ascii")))
            current = attribute(element.find("{*}basedOn"), "val")
            if not current:
                break
        return _style([name.lower() for name in names if name], outline, numbering, mono)


def _style(
    names: list[str], outline: int | None, numbering: tuple[str, int] | None, mono: bool
) -> Style:
    spaced = [re.sub(r"(?<=[a-z])(?=\d)", " ", name) for name in names]
    level = (
        next((int(match.group(1)) for name in spaced if (match := _HEADING.search(name))), 0)
        or outline
        or 0
    )
    if names[:1] == ["title"]:
        return Style(level=1, title=True)
    if 0 < level <= 9:
        return Style(level=min(level, 6), numbering=numbering)
    for pattern, kind in ((re.compile("caption"), BlockKind.CAPTION), (_CODE, BlockKind.CODE),
                          (_QUOTATION, BlockKind.QUOTATION)):  # fmt: skip
        if any(pattern.search(name) for name in names):
            return Style(kind, numbering=numbering, mono=mono)
    return Style(numbering=numbering, mono=mono)


def outline_level(element: Any) -> int | None:
    """The level that paragraph properties give in the outline of the document; None for body
    text."""
    level = attribute(element.find("{*}pPr/{*}outlineLvl"), "val")
    return int(level) + 1 if level.isdecimal() and int(level) < 9 else None


def numbering_of(element: Any) -> tuple[str, int] | None:
    """(list, depth) of paragraph properties; list "0" takes a paragraph out of the list of its
    style."""
    numbering = element.find("{*}pPr/{*}numPr")
    if numbering is None:
        return None
    number, level = (
        attribute(numbering.find("{*}numId"), "val"),
        attribute(numbering.find("{*}ilvl"), "val", "0"),
    )
    return (number, min(int(level), 8) if level.isdecimal() else 0) if number else None


@dataclass(slots=True)
class _Level:
    format: str = "decimal"
    text: str = "%1."
    start: int = 1


@dataclass(slots=True)
class _List:
    """An abstract list: its levels, and how far the numbers of each have come."""

    levels: dict[int, _Level] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """The lists of a document; counts as its paragraphs are read in order."""

    def __init__(self, package: Package) -> None:
        self._lists: dict[str, _List] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        if package.has("word/numbering.xml"):
            self._read(package.xml("word/numbering.xml"))

    def _read(self, root: Any) -> None:
        abstract: dict[str, _List] = {}
        for element in root.iterfind("{*}abstractNum"):
            levels = {
                _number(level, "ilvl"): _Level(
                    attribute(level.find("{*}numFmt"), "val", "decimal"),
                    attribute(level.find("{*}lvlText"), "val")[:50],
                    _number(level.find("{*}start"), "val", 1),
                )
                for level in element.iterfind("{*}lvl")
            }
            abstract[attribute(element, "abstractNumId")] = _List(levels)
        for element in root.iterfind("{*}num"):
            number = attribute(element, "numId")
            self._lists[number] = abstract.get(
                attribute(element.find("{*}abstractNumId"), "val"), _List()
            )
            overrides = element.iterfind("{*}lvlOverride")
            self._restarts[number] = {
                _number(override, "ilvl"): _number(override.find("{*}startOverride"), "val")
                for override in overrides
                if override.find("{*}startOverride") is not None
            }

    def marker(self, number: str, depth: int) -> str:
        """The mark of the next paragraph of a list at that depth, as it is read: "-", "3.", "2.1",
        "" for none."""
        list_state = self._lists.get(number)
        level = list_state.levels.get(depth) if list_state else None
        if list_state is None or level is None:
            return "-"
        restart = self._restarts[number].pop(depth, None)
        before = list_state.counts.get(depth, level.start - 1)
        list_state.counts[depth] = restart if restart is not None else before + 1
        for deeper in [count for count in list_state.counts if count > depth]:
            del list_state.counts[deeper]
        if level.format == "bullet":
            return "-"
        if level.format == "none":
            return ""
        return _LEVEL_IN_TEXT.sub(
            lambda match: self._formatted(list_state, int(match.group(1)) - 1), level.text
        ).strip()

    def _formatted(self, list_state: _List, depth: int) -> str:
        level = list_state.levels.get(depth, _Level())
        return formatted(list_state.counts.get(depth, level.start), level.format)


def _number(element: Any, name: str, default: int = 0) -> int:
    value = attribute(element, name)
    return int(value) if value.isdecimal() and len(value) < 8 else default


def formatted(number: int, how: str) -> str:
    """A number as lists write it: decimal, lowerLetter, upperRoman ..."""
    if how.endswith("Letter") and number > 0:
        letters = chr(ord("a") + (number - 1) % 26) * min(10, (number - 1) // 26 + 1)
        return letters if how.startswith("lower") else letters.upper()
    if how.endswith("Roman") and 0 < number < 4000:
        digits, rest = "", number
        for value, sign in _ROMAN:
            digits += sign * (rest // value)
            rest %= value
        return digits if how.startswith("lower") else digits.upper()
    return f"{number:02d}" if how == "decimalZero" else str(number)


def is_mono(run: Any) -> bool:
    """Whether a run is set in a font of fixed width."""
    return bool(_MONO.search(attribute(run.find("{*}rPr/{*}rFonts"), "ascii")))
