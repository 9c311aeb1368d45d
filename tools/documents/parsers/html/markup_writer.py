"""Running text becomes blocks: what is collected until a block ends, its kind, and the label that
waits for it."""

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tools.documents.model import BlockKind
from tools.documents.parsers.blocks import ParsedBlock
from tools.documents.parsers.html.markup_tables import Table
from tools.text.normalise import INVISIBLE

PRE = ("pre", "listing", "xmp", "plaintext")
CONTAINERS = frozenset("div section header hgroup center article".split())  # may stand in a heading
HEADINGS = {f"h{level}": level for level in range(1, 7)}
LINE_BREAK = "\u2028"
_PARAGRAPH_BREAK = re.compile(rf"{LINE_BREAK}\s*{LINE_BREAK}[\s{LINE_BREAK}]*")
_WHITE = r"[ \t\n\r\f\v\u00a0\u2000-\u200a\u2028\u202f\u205f\u3000]"
_SPACE = re.compile(rf"{_WHITE}(?:(?<! ){_WHITE}*|{_WHITE}+)")  # but for single spaces
_NOT_PROSE = " \t\n\r\u00a0\u2028.,;:()0123456789"
_LONGEST_LABEL = 200  # characters; a longer term stands by itself
_LONGEST_HEADING = 300  # characters; a longer text in a heading is none


class PlacedBlock(NamedTuple):
    """A block with its place on the page.

    element: the innermost element around its first word. linked: how many of its characters are
    links. bold: one line outside lists, all of it set in bold.
    """

    block: ParsedBlock
    element: Any
    linked: int = 0
    bold: bool = False


@dataclass(slots=True)
class Flow:
    """A stretch of text with blocks of its own: the page, a cell, a term."""

    blocks: list[PlacedBlock] = field(default_factory=list)
    depth: int = 0  # of lists
    marker: str = ""  # of the list item whose text is to come
    level: int = 0  # of the heading that is open
    code: int = 0  # how many elements of each kind are open
    quotes: int = 0
    captions: int = 0
    footnotes: int = 0
    label: PlacedBlock | None = None  # of what comes next: its term, the title of its box
    table: Table | None = None


@dataclass(slots=True)
class Run:
    """The running text of the block that is being written."""

    pieces: list[str] = field(default_factory=list)
    element: Any = None  # around its first word
    linked: int = 0
    has_equation: bool = False
    has_prose: bool = False
    is_bold: bool = True


def _one_line(text: str) -> str:
    text = text.replace("\n", " ")  # most white space is that and spaces
    if not text.isprintable():  # it holds another, for which the pattern takes ten times as long
        return _SPACE.sub(" ", text).strip()
    return " ".join(text.split()) if "  " in text else text.strip()


def _lines(text: str) -> str:
    return "\n".join(filter(None, map(_one_line, text.split(LINE_BREAK))))


class BlockWriter:
    """Collects running text until a block ends; MarkupWriter says what the elements mean."""

    def __init__(self) -> None:
        self._flows = [Flow()]
        self._run = Run()
        self._links = 0  # open ones
        self._bolds = 0
        self._after_link = False

    @property
    def _flow(self) -> Flow:
        return self._flows[-1]

    def add(self, text: str | None, element: Any) -> None:
        """Running text that stands in `element`."""
        if not text:
            return
        run = self._run
        if not text.isspace():
            self._after_link = False
            if run.element is None:
                run.element = element
            if self._links:
                run.linked += len(text)
            if not self._bolds:
                run.is_bold = False
            run.has_prose = run.has_prose or bool(text.strip(_NOT_PROSE))
        run.pieces.append(text)

    def finished(self) -> list[PlacedBlock]:
        """All blocks, at the end of the page."""
        self._end_block("html")
        self._put_label()
        return self._flow.blocks

    def _end_block(self, tag: str) -> None:
        """Ends the block that is being written, unless its text goes on over the border of a
        `tag`."""
        flow, run = self._flows[-1], self._run
        if flow.level and tag in CONTAINERS:
            run.pieces.append(" ")
            return
        if not run.pieces:
            return  # two elements begin or end in a row
        if flow.code and tag not in (*PRE, "code"):  # a line of code in an element of its own
            run.pieces.append("" if run.pieces[-1].endswith("\n") else "\n")
            return
        self._run = Run()
        for text in self._texts("".join(run.pieces)):
            self._add_block(text, self._kind(run), run)
            if tag not in HEADINGS:
                flow.level = 0  # a heading that is never closed ends with its first block

    def _texts(self, raw: str) -> list[str]:
        if not raw or raw.isspace():
            return []
        if not (raw.isascii() or raw.isprintable()):
            raw = INVISIBLE.sub("", raw.replace("\u00ad", ""))
        if self._flow.code:
            return [raw.replace("\r", "").replace(LINE_BREAK, "\n")]
        if LINE_BREAK not in raw or self._flow.level:
            return [text] if (text := _one_line(raw)) else []
        return list(filter(None, map(_lines, _PARAGRAPH_BREAK.split(raw))))

    def _kind(self, run: Run) -> BlockKind:
        flow = self._flow
        if run.has_equation and not run.has_prose:
            return BlockKind.EQUATION
        if flow.level and len(self._flows) == 1:
            return BlockKind.HEADING
        kinds = (
            (flow.code, BlockKind.CODE),
            (flow.captions, BlockKind.CAPTION),
            (flow.footnotes, BlockKind.FOOTNOTE),
            (flow.marker, BlockKind.LIST_ITEM),
            (flow.quotes, BlockKind.QUOTATION),
        )
        return next((kind for is_inside, kind in kinds if is_inside), BlockKind.PARAGRAPH)

    def _add_block(self, text: str, kind: BlockKind, run: Run) -> None:
        """Adds a block, with the label that waits for it."""
        flow = self._flow
        if kind == BlockKind.HEADING and len(text) > _LONGEST_HEADING:
            kind = BlockKind.PARAGRAPH
        element, linked, label, bold = run.element, run.linked, flow.label, run.is_bold
        if (
            label
            and kind in (BlockKind.PARAGRAPH, BlockKind.QUOTATION)
            and len(label.block.text) <= _LONGEST_LABEL
        ):
            text = f"{label.block.text}{'' if label.block.text[-1] in '.:;,?!' else ':'} {text}"
            kind, element, linked, flow.label, bold = (
                label.block.block_kind,
                label.element,
                linked + label.linked,
                None,
                False,
            )
        self._put_label()
        if kind == BlockKind.FOOTNOTE and flow.marker not in ("", "-"):
            text = f"[{flow.marker.rstrip('.')}] {text}"
        level = {BlockKind.HEADING: flow.level, BlockKind.FOOTNOTE: 0}.get(kind, flow.depth)
        level = max(1, level) if kind == BlockKind.LIST_ITEM else level
        block = ParsedBlock(text, level, kind=kind, marker=flow.marker or "-")
        bold = bold and not level and "\n" not in text
        flow.blocks.append(PlacedBlock(block, element, linked, bold))
        if kind in (BlockKind.LIST_ITEM, BlockKind.FOOTNOTE):
            flow.marker = ""

    def _put_label(self) -> None:
        """A label that nothing joined stands by itself."""
        flow = self._flow
        if flow.label:
            flow.blocks.append(flow.label)
            flow.label = None

    def _leave_flow(self) -> tuple[str, Any, int]:
        """The flow that ends as one line, with the element of its first word and the characters of
        its links."""
        self._put_label()
        blocks = self._flows.pop().blocks
        line, previous = "", None
        for placed in blocks:
            kind = placed.block.block_kind
            goes_on = kind == previous == BlockKind.LIST_ITEM and line[-1] not in ".;:,?!"
            line += ("; " if goes_on else " ") + placed.block.text
            previous = kind
        return (
            " ".join(line.split()),
            blocks[0].element if blocks else None,
            sum(placed.linked for placed in blocks),
        )

    def _add_equation(self, text: str, element: Any) -> None:
        run = self._run
        if run.element is None:
            run.element = element
        run.has_equation = True
        run.pieces.append(text)
