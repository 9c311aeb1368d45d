"""Org files of Emacs: headings, lists, blocks of code and quotations, tables, notes. https://orgmode.org/worg/org-syntax.html"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import dedent

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, compose, table_row
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.lines import deepen
from tools.documents.parsers.text.front_matter import metadata_of
from tools.documents.parsers.text.literals import Literals
from tools.documents.parsers.versions import with_version

_HEADING = re.compile(
    r"(\*+)\s++(?:(?:TODO|DONE|NEXT|WAITING|CANCELLED)\s++)?(?:\[#[A-Z]\]\s++)?(.*?)(?:\s{1,9}:[\w@:]+:)?$"
)
_KEYWORD = re.compile(r"#\+(\w+):\s*(.*)$")
_BEGIN = re.compile(r"#\+begin_?(\w+)", re.I)
_ITEM = re.compile(
    r"(\s*)([-+]|\d{1,3}[.)])\s++(?:\[[ xX-]\]\s++)?(?:(\S.{0,199}?)\s{1,9}::\s++)?(?=\S)"
)
_NOTE = re.compile(r"\[fn:([\w-]{1,40})\]\s+(.*)$")
_LINK = re.compile(r"\[\[([^\[\]\n]{1,2000})\](?:\[([^\[\]\n]{1,2000})\])?\]")
# What may stand before and after: https://orgmode.org/worg/org-syntax.html#Emphasis_Markers
_EMPHASIS = r"(?<![^\s\-({'\"])(MARKS)(?=\S)([^\n]{0,500}?\S)\1(?=[\s\-.,;:!?'\")}\\\[]|$)"
_INLINE = re.compile(_EMPHASIS.replace("MARKS", "[*/_+]"))
_VERBATIM = re.compile(_EMPHASIS.replace("MARKS", "[=~]"))
_TARGET = re.compile(r"(?<!<)<<[^<>\n]{1,200}>>(?!>)")
_LINE_BREAK = re.compile(r"\\\\\s*$")
# Before what would be a heading or a keyword in a block
_ESCAPE = re.compile(r"^([ \t]*),(?=,*(?:\*|#\+))", re.M)
_FIXED = re.compile(r":(?: |$)")
_NOTE_MARK = re.compile(r"\[fn:([\w-]{1,40})\]")
_DRAWER = re.compile(r":[\w-]+:\s*$")
_PLANNING = re.compile(r"(?:SCHEDULED|DEADLINE|CLOSED):\s")
_TIME = re.compile(r"[<\[](\d{4}-\d\d-\d\d)[^>\]\n]{0,40}[>\]]")
_CODE = frozenset("src example export verbatim".split())


def parse(request: Request) -> Extracted:
    """The text without markup; #+TITLE, #+AUTHOR and #+DATE become metadata."""
    reader = _Reader()
    composed = compose(reader.read(text_of(request).split("\n")))
    return composed.extracted(with_version("zorora-org"), metadata_of(reader.fields))


def plain_words(text: str) -> str:
    """Inline markup as the words it shows."""
    literals = Literals()
    text = _VERBATIM.sub(lambda match: literals.keep(match[2]), text.replace("\ue000", ""))
    text = _TARGET.sub("", _LINK.sub(lambda match: match.group(2) or match.group(1), text))
    text = _NOTE_MARK.sub(r"[\1]", text)
    text = _TIME.sub(r"\1", text)
    return " ".join(literals.restored(_INLINE.sub(_without_emphasis, text)).split())


def _without_emphasis(match: re.Match[str]) -> str:
    return _INLINE.sub(_without_emphasis, match[2])


@dataclass(slots=True)
class _Reader:
    """Reads lines one after the other."""

    fields: dict[str, str] = field(default_factory=dict)
    _text: list[str] = field(default_factory=list)  # lines of the paragraph that is being read
    _marker: str = ""  # of the list item that they belong to
    _label: str = ""  # of the note
    _fixed: list[str] = field(default_factory=list)  # lines that stand as they are
    _indents: list[float] = field(default_factory=list)
    _rows: list[list[str]] = field(default_factory=list)
    _ruled: bool = False

    def read(self, lines: list[str]) -> Iterator[ParsedBlock]:
        """The blocks of a file."""
        at = 0
        while at < len(lines):
            line = lines[at].rstrip()
            begin = _BEGIN.match(line.lstrip())
            if begin:
                end = _end_of(lines, at, f"#+end_{begin.group(1)}", len(lines)) or len(lines)
                yield from self._finish()
                yield from _block(begin.group(1).lower(), lines[at + 1 : end])
                at = end
            elif _DRAWER.match(line.strip()) and (end := _end_of(lines, at, ":end:", 40)):
                at = end
            else:
                yield from self._line(line)
            at += 1
        yield from self._finish()

    def _line(self, line: str) -> Iterator[ParsedBlock]:
        plain = line.strip()
        heading, keyword = _HEADING.match(line), _KEYWORD.match(plain)
        item, note = _ITEM.match(line), _NOTE.match(line)
        if plain.startswith("|"):
            yield from self._row(plain)
            return
        is_fixed = bool(_FIXED.match(plain))
        if is_fixed != bool(self._fixed):
            yield from self._finish()
        if self._rows or heading or keyword or item or note or not plain:
            yield from self._finish()
        if is_fixed:
            self._fixed.append(plain[2:])
        elif heading:
            yield ParsedBlock(plain_words(heading.group(2)), min(6, len(heading.group(1))))
        elif keyword:
            yield from self._keyword(keyword.group(1).lower(), keyword.group(2))
        elif item:
            self._begin_item(item, line)
        elif note:
            self._label, self._text = f"[{note.group(1)}]", [note.group(2)]
        elif plain and not plain.startswith("# ") and not _PLANNING.match(plain):
            self._text.append(_LINE_BREAK.sub("", plain))

    def _keyword(self, name: str, value: str) -> Iterator[ParsedBlock]:
        self.fields.setdefault(name, plain_words(value))
        if name == "caption":
            yield ParsedBlock(plain_words(value), kind=BlockKind.CAPTION)

    def _begin_item(self, item: re.Match[str], line: str) -> None:
        deepen(self._indents, len(item.group(1).expandtabs(8)))
        self._marker = "-" if item.group(2) in "-+" else item.group(2)
        term = f"{item.group(3)}: " if item.group(3) else ""
        self._text = [term + _LINE_BREAK.sub("", line[item.end() :])]

    def _row(self, line: str) -> Iterator[ParsedBlock]:
        if not self._rows:
            yield from self._finish()
        if line.startswith("|-"):
            self._ruled = self._ruled or len(self._rows) == 1
        else:
            self._rows.append([plain_words(cell) for cell in line.strip("|").split("|")])

    def _finish(self) -> Iterator[ParsedBlock]:
        """The paragraph, item or table that was read so far."""
        text = plain_words(" ".join(self._text))
        if self._label:
            yield ParsedBlock(f"{self._label} {text}", kind=BlockKind.FOOTNOTE)
        elif self._marker and text:
            yield ParsedBlock(
                text, len(self._indents), kind=BlockKind.LIST_ITEM, marker=self._marker
            )
        elif text:
            self._indents = []
            yield ParsedBlock(text)
        if self._fixed:
            yield ParsedBlock(dedent("\n".join(self._fixed)), kind=BlockKind.CODE)
        for number, row in enumerate(self._rows):
            yield table_row(row, header=self._ruled and number == 0, begins=number == 0)
        self._text, self._marker, self._label, self._fixed = [], "", "", []
        self._rows, self._ruled = [], False


def _block(name: str, lines: list[str]) -> Iterator[ParsedBlock]:
    if name in _CODE:
        yield ParsedBlock(_ESCAPE.sub(r"\1", dedent("\n".join(lines))), kind=BlockKind.CODE)
    elif name != "comment":
        kind = BlockKind.QUOTATION if name == "quote" else None
        for text in "\n".join(lines).split("\n\n"):
            yield ParsedBlock(plain_words(text), kind=kind)


def _end_of(lines: list[str], at: int, closing: str, most: int) -> int:
    """The line that closes what begins at a line, within some lines; 0 when none does."""
    following = range(at + 1, min(len(lines), at + most))
    return next((n for n in following if lines[n].strip().lower().startswith(closing.lower())), 0)
