"""What the elements of HTML mean for the blocks of a page.

Inline elements never end a block. A term of a definition list is written before its definition
("term: definition"); so are the title of a box ("Note: ...") and the summary of what can be folded
away.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from tools.documents.model import BlockKind
from tools.documents.parsers.blocks import ParsedBlock
from tools.documents.parsers.html.markup_inline import (
    equation_of,
    is_drawn_equation,
    lowered,
    plain_tex,
    raised,
)
from tools.documents.parsers.html.markup_tables import Cell, Row, Table, span_of
from tools.documents.parsers.html.markup_writer import (
    HEADINGS,
    LINE_BREAK,
    PRE,
    BlockWriter,
    Flow,
    PlacedBlock,
    Run,
)
from tools.documents.parsers.office.equations import UNREADABLE

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p "
    "plaintext pre search "
    "section summary table tbody td tfoot th thead tr ul xmp".split()
)
_BOX_TITLE = re.compile(
    r"(?:^|[\s_-])(?:admonition|alert|callout|note|notice)[\w-]{0,40}?(?:title|heading)(?=\s|$)",
    re.I,
)
# Of DocBook, which heads each with what it is
_BOXES = frozenset("caution important note tip warning".split())
_FOOTNOTES = re.compile(
    r"(?:^|\s)(?:(?:foot|end)notes?|references|doc-(?:foot|end)notes?)(?=\s|$)", re.I
)

# What an element does when it begins and, behind the one place where it yields, when it ends
_Steps = Iterator[None]


class MarkupWriter(BlockWriter):
    """Takes the elements and texts of a page in their order. data_tables: the elements of the
    tables that hold data."""

    def __init__(self, data_tables: set[Any]) -> None:
        super().__init__()
        self._data_tables = data_tables
        self._open: list[tuple[Any, _Steps]] = []
        self._counters: list[
            tuple[int, int, str]
        ] = []  # of the open lists: next number, step, style; step 0: bullets

    def start(self, tag: str, element: Any) -> None:
        """An element begins; its first text is taken too."""
        is_block = tag in _BLOCKS
        if is_block:
            self._end_block(tag)
        opener = self._OPENERS.get(tag)
        for steps in (
            opener(self, element) if opener else None,
            self._open_named(element) if is_block else None,
        ):
            if steps and next(steps, steps) is None:  # it yields where the element is open
                self._open.append((element, steps))
        if text := element.text:
            self.add(text, element)

    def end(self, tag: str, element: Any) -> None:
        """An element ends."""
        if tag in _BLOCKS:
            self._end_block(tag)
        while self._open and self._open[-1][0] is element:
            next(self._open.pop()[1], None)

    def stand_in(self, tag: str, element: Any) -> None:
        """What stands for an element that is not read: an equation as text."""
        if tag == "math":
            self._add_equation(equation_of(element), element)
        elif tag == "script" and (element.get("type") or "").startswith("math/tex"):
            self._add_equation(plain_tex(element.text) or UNREADABLE, element)

    def _count(self, name: str) -> _Steps:
        flow = self._flow
        setattr(flow, name, getattr(flow, name) + 1)
        yield
        setattr(flow, name, getattr(flow, name) - 1)

    def _open_bold(self, _: Any) -> _Steps:
        self._bolds += 1
        yield
        self._bolds -= 1

    def _open_heading(self, element: Any) -> _Steps:
        parent = element.getparent()
        is_title = element.get("class") == "title"
        if is_title and parent is not None and parent.get("class") in _BOXES:
            yield from self._open_label(BlockKind.PARAGRAPH)
            return
        flow = self._flow
        flow.level = HEADINGS[element.tag.rsplit("}", 1)[-1].lower()]
        yield
        flow.level = 0

    def _open_list(self, element: Any) -> _Steps:
        start, step, style = element.get("start") or "1", 0, element.get("type") or "1"
        if element.tag.rsplit("}", 1)[-1].lower() == "ol":
            step = -1 if element.get("reversed") is not None else 1
        self._counters.append((int(start) if start.lstrip("-")[:6].isdecimal() else 1, step, style))
        flow = self._flow
        flow.depth += 1
        yield
        self._counters.pop()
        flow.depth -= 1
        flow.marker = ""

    def _open_item(self, element: Any) -> _Steps:
        flow, marker = self._flow, "-"
        if self._counters and self._counters[-1][1]:
            number, step, style = self._counters[-1]
            value = element.get("value") or ""
            number = int(value) if value[:6].isdecimal() and len(value) < 7 else number
            self._counters[-1] = (number + step, step, style)
            lettered = style in ("a", "A") and 0 < number <= 26
            marker = f"{chr(ord(style) + number - 1) if lettered else number}."
        flow.marker = marker
        yield
        flow.marker = ""

    def _open_terms(self, _: Any) -> _Steps:
        self._put_label()
        flow = self._flow
        flow.depth += 1
        yield
        self._put_label()
        flow.depth -= 1

    def _open_label(self, kind: BlockKind) -> _Steps:
        self._flows.append(Flow())
        yield
        text, first, linked = self._leave_flow()
        flow = self._flow
        if not text:
            return
        if flow.label:  # two terms with one definition
            text, first = f"{flow.label.block.text}, {text}", flow.label.element
        flow.label = PlacedBlock(ParsedBlock(text, flow.depth, kind=kind), first, linked)

    def _open_named(self, element: Any) -> _Steps | None:
        """What the names of an element say about it."""
        names = f"{element.get('class') or ''} {element.get('role') or ''}"
        if names == " ":
            return None
        if _BOX_TITLE.search(names):
            return self._open_label(BlockKind.PARAGRAPH)
        return self._count("footnotes") if _FOOTNOTES.search(names) else None

    def _open_table(self, element: Any) -> _Steps:
        flow = self._flow
        outer, flow.table = flow.table, Table() if element in self._data_tables else None
        yield
        table, flow.table = flow.table, outer
        if table:
            self._put_table(table, element)

    def _put_table(self, table: Table, element: Any) -> None:
        flow = self._flow
        if len(self._flows) > 1:  # in a cell
            self._add_block(
                table.inline(), BlockKind.PARAGRAPH, Run(element=element, linked=table.linked)
            )
            return
        title = table.take_title()
        if title:
            self._add_block(title, BlockKind.CAPTION, Run(element=element))
        self._put_label()
        flow.blocks += [
            PlacedBlock(block, row.element, row.linked) for row, block in table.blocks()
        ]

    def _open_row(self, element: Any) -> None:
        table = self._flow.table
        if table is not None:
            parent = element.getparent()
            in_head = (
                parent is not None and isinstance(parent.tag, str) and parent.tag.endswith("thead")
            )
            table.rows.append(Row(element, in_head))

    def _open_cell(self, element: Any) -> _Steps:
        table = self._flow.table
        if table is None:
            return
        if not table.rows:
            table.rows.append(Row(element))
        row = table.rows[-1]
        self._flows.append(Flow())
        yield
        text, _, linked = self._leave_flow()
        row.linked += linked
        head, bold = element.tag.endswith("th"), _is_bold(element)
        row.cells.append(
            Cell(text, span_of(element, "colspan"), span_of(element, "rowspan"), head, bold)
        )

    def _open_figure(self, _: Any) -> _Steps:
        """Captions of tables stand before them."""
        flow = self._flow
        first = len(flow.blocks)
        yield
        blocks = flow.blocks[first:]
        if blocks and blocks[0].block.block_kind == BlockKind.TABLE_ROW:
            flow.blocks[first:] = sorted(
                blocks, key=lambda placed: placed.block.block_kind != BlockKind.CAPTION
            )

    def _open_link(self, _: Any) -> _Steps:
        pieces = self._run.pieces
        if self._after_link and pieces and not self._flow.code and pieces[-1][-1:].isalnum():
            pieces.append(" ")  # neighbouring links are set apart on the page
        self._links += 1
        yield
        self._links -= 1
        self._after_link = True

    def _open_code(self, element: Any) -> _Steps:
        """<code> with line breaks is a block of code."""
        if self._flow.code or element.find("{*}br") is None:
            return
        self._end_block("code")
        flow = self._flow
        flow.code += 1
        yield
        self._end_block("code")
        flow.code -= 1

    def _open_raised(self, element: Any) -> _Steps:
        self._after_link = False
        run, begins = self._run, len(self._run.pieces)
        yield
        if run is not self._run:
            return  # a block ended inside it
        before = "".join(run.pieces[max(0, begins - 3) : begins])
        text = "".join(run.pieces[begins:])
        if element.tag.endswith("sub"):
            changed = lowered(before, text)
        else:
            linked = any((link.get("href") or "").startswith("#") for link in element.iter("{*}a"))
            changed = raised(before, text, linked=linked)
        run.pieces[begins:] = [changed]

    def _put_between(self, opening: str, closing: str) -> _Steps:
        run, begins = self._run, len(self._run.pieces)
        yield
        if run is self._run and any(piece.strip() for piece in run.pieces[begins:]):
            run.pieces.insert(begins, opening)
            run.pieces.append(closing)

    def _open_image(self, image: Any) -> None:
        if is_drawn_equation(image):
            self._add_equation(plain_tex(image.get("alt")) or UNREADABLE, image)
        elif "emoji" in (image.get("class") or ""):
            self.add(image.get("alt"), image)

    # By the name of the element; of the class, as a note is read sooner than this is made
    _OPENERS: ClassVar[Mapping[str, Callable[["MarkupWriter", Any], _Steps | None]]] = {
        **dict.fromkeys(("ul", "dir", "menu", "ol"), _open_list),
        **dict.fromkeys(HEADINGS, _open_heading),
        **dict.fromkeys(("dl", "details"), _open_terms),
        **dict.fromkeys(("dt", "summary"), lambda self, _: self._open_label(BlockKind.LIST_ITEM)),
        **dict.fromkeys(PRE, lambda self, _: self._count("code")),
        **dict.fromkeys(("caption", "figcaption"), lambda self, _: self._count("captions")),
        **dict.fromkeys(("td", "th"), _open_cell),
        **dict.fromkeys(("sup", "sub"), _open_raised),
        **dict.fromkeys(("s", "strike"), lambda self, _: self._put_between("~~", "~~")),
        "q": lambda self, _: self._put_between("“", "”"),
        "blockquote": lambda self, _: self._count("quotes"),
        **dict.fromkeys(("b", "strong"), _open_bold),
        "li": _open_item,
        "table": _open_table,
        "tr": _open_row,
        "figure": _open_figure,
        "a": _open_link,
        "code": _open_code,
        "br": lambda self, _: self._run.pieces.append(LINE_BREAK),
        "img": _open_image,
    }


def _is_bold(cell: Any) -> bool:
    children = list(cell)
    if len(children) != 1 or (cell.text or "").strip() or (children[0].tail or "").strip():
        return False
    return isinstance(children[0].tag, str) and children[0].tag.rsplit("}", 1)[-1] in (
        "b",
        "strong",
    )
