"""Word documents (DOCX): headings, numbered lists, tables, notes at their place, equations, tracked
changes resolved.

ECMA-376 part 1. Namespaces are left aside: strict documents have others. The body is read
piecemeal, so that the memory for a book is that of its longest table.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.authors_and_dates import clean_authors, iso_date
from tools.documents.parsers.blocks import ParsedBlock, TableCell, compose, table_blocks
from tools.documents.parsers.lines import CAPTION, with_bold_headings
from tools.documents.parsers.office.docx_styles import (
    Numbering,
    Style,
    Styles,
    numbering_of,
    outline_level,
)
from tools.documents.parsers.office.docx_text import NoteNumbers, RunText, note_mark, read_runs
from tools.documents.parsers.office.zip_package import (
    Package,
    attribute,
    forget,
    is_on,
    local_name,
)
from tools.documents.parsers.versions import with_version
from tools.text.normalise import snapshot_text

_WHAT = "Word document"
_MAIN = "word/document.xml"
_TEMPLATE_DATE = "2013-12-23"  # of the empty document that python-docx starts from
_CODE_SIGNS = re.compile(r"[{}<>;=$#|\\]|\(\)|^ {2,}\S|(?<!\w)--?\w", re.M)
# characters; a cell with more, in several paragraphs, is a part of the page and no value
_LAYOUT_CELL = 500


def parse(request: Request) -> Extracted:
    """The text of a Word document; ParseError for bombs, damage and emptiness."""
    package = Package(request.data, _WHAT)
    reader = _Reader(package)
    composed = compose(with_bold_headings(list(reader.blocks()), reader.bold))
    metadata = core_properties(package)
    if not metadata.get("title") and reader.title:
        metadata |= {"title": reader.title, "title_from": "heading"}
    no_text = (
        "This Word document contains no text; if it shows pictures of text, run text "
        "recognition (OCR)."
    )
    return composed.extracted(with_version("zorora-docx"), metadata, empty=no_text)


@dataclass(slots=True)
class _Reader:
    """Reads the body of a document in order."""

    package: Package
    title: str = ""
    bold: set[int] = field(default_factory=set)  # ids of paragraphs all of whose text is bold
    _styles: Styles = field(init=False)
    _numbering: Numbering = field(init=False)
    _numbers: NoteNumbers = field(default_factory=dict)
    _notes: dict[tuple[str, str], Any] = field(default_factory=dict)
    # Whether a paragraph of the code that is being read has a style for it
    _code_style: bool = False
    _unfinished: str = ""  # of a paragraph whose end was deleted: the next one goes on with it

    def __post_init__(self) -> None:
        self._styles, self._numbering = Styles(self.package), Numbering(self.package)
        for kind in ("footnote", "endnote"):
            name = f"word/{kind}s.xml"
            if self.package.has(name):
                for note in self.package.xml(name).iterfind(f"{{*}}{kind}"):
                    self._notes[kind, attribute(note, "id")] = note

    def blocks(self) -> Iterator[ParsedBlock]:
        """The blocks of the document; lines of code that follow each other become one."""
        for is_code, run in groupby(self._body(), lambda block: block.kind == BlockKind.CODE):
            if is_code:
                yield from self._listing([block.text for block in run])
            else:
                yield from run

    def _listing(self, lines: list[str]) -> Iterator[ParsedBlock]:
        """Paragraphs in the style of code, or in a font of fixed width when one of them looks like
        code."""
        text = "\n".join(lines)
        if self._code_style or _CODE_SIGNS.search(text):
            yield ParsedBlock(text, kind=BlockKind.CODE)
        else:
            yield from (ParsedBlock(" ".join(line.split())) for line in lines)
        self._code_style = False

    def _body(self) -> Iterator[ParsedBlock]:
        for element in self.package.elements(_main_part(self.package), "p", "tbl"):
            if _is_inside(element):
                continue
            if local_name(element) == "p":
                yield from self._paragraph(element)
            else:
                yield from self._table(element)
            forget(element)

    def _paragraph(self, element: Any) -> Iterator[ParsedBlock]:
        runs = read_runs(element, self._numbers)
        text = self._unfinished + runs.text
        if element.find("{*}pPr/{*}rPr/{*}del") is not None:
            self._unfinished = text
            return
        self._unfinished = ""
        yield from self._block(element, runs, text)
        for box in runs.boxes:
            yield from self._contents(box)
        for note in runs.notes:
            yield from self._note(note)

    def _block(self, element: Any, runs: RunText, text: str) -> Iterator[ParsedBlock]:
        style = self._styles.style(attribute(element.find("{*}pPr/{*}pStyle"), "val"))
        if not text.strip():
            if style.kind == BlockKind.CODE:
                yield ParsedBlock("", kind=BlockKind.CODE)
            return
        level = style.level or outline_level(element)
        numbering = numbering_of(element) or style.numbering
        if numbering and numbering[0] == "0":  # takes back the numbering of its style
            numbering = None
        marker = self._numbering.marker(*numbering) if numbering else ""
        plain = " ".join(text.split())
        if level:
            heading = f"{marker} {plain}" if marker.strip("-") else plain
            self.title = self.title or (plain if level == 1 or style.title else "")
            yield ParsedBlock(heading, level)
        elif _is_code(style, runs):
            self._code_style = self._code_style or style.kind == BlockKind.CODE
            yield ParsedBlock(text, kind=BlockKind.CODE)
        elif runs.equations and not runs.plain:
            yield ParsedBlock(plain, kind=BlockKind.EQUATION)
        elif numbering:
            yield ParsedBlock(plain, numbering[1] + 1, kind=BlockKind.LIST_ITEM, marker=marker)
        else:
            block = ParsedBlock(plain, kind=_kind(style, plain))
            if all(_run_is_bold(run) for run in element.iter("{*}r")):
                self.bold.add(id(block))
            yield block

    def _note(self, note: tuple[str, str]) -> Iterator[ParsedBlock]:
        """A footnote or endnote, right behind the paragraph that refers to it first."""
        element = self._notes.pop(note, None)
        if element is None:
            return
        text = " ".join(
            " ".join(read_runs(p, self._numbers).text.split()) for p in element.iter("{*}p")
        ).strip()
        if text:
            yield ParsedBlock(f"{note_mark(note, self._numbers)} {text}", kind=BlockKind.FOOTNOTE)

    def _contents(self, container: Any) -> Iterator[ParsedBlock]:
        """The paragraphs and tables inside an element: a text box, a cell of a layout table."""
        for child in container:
            name = local_name(child)
            if name == "p":
                yield from self._paragraph(child)
            elif name == "tbl":
                yield from self._table(child)
            elif name in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
                yield from self._contents(child)

    def _table(self, table: Any) -> Iterator[ParsedBlock]:
        rows = [row for row in _children(table, "tr") if row.find("{*}trPr/{*}del") is None]
        cells = [list(_children(row, "tc")) for row in rows]
        if _is_layout(cells):
            for row in cells:
                for cell in row:
                    yield from self._contents(cell)
            return
        notes: list[tuple[str, str]] = []
        grid = [[self._cell(cell, notes) for cell in row] for row in cells]
        header_count = sum(1 for row in rows if row.find("{*}trPr/{*}tblHeader") is not None)
        yield from table_blocks(grid, header_count or (1 if _is_bold(rows[:2]) else None))
        for note in notes:
            yield from self._note(note)

    def _cell(self, cell: Any, notes: list[tuple[str, str]]) -> TableCell:
        texts = []
        for paragraph in cell.iter("{*}p"):
            runs = read_runs(paragraph, self._numbers)
            notes += runs.notes
            texts.append(" ".join(runs.text.split()))
        span = attribute(cell.find("{*}tcPr/{*}gridSpan"), "val", "1")
        merge = cell.find("{*}tcPr/{*}vMerge")
        continued = merge is not None and attribute(merge, "val", "continue") == "continue"
        return TableCell(
            " ".join(filter(None, texts)), int(span) if span.isdecimal() else 1, continued
        )


def _is_code(style: Style, runs: RunText) -> bool:
    return style.kind == BlockKind.CODE or style.mono or bool(runs.mono and runs.plain)


def _kind(style: Style, text: str) -> BlockKind | None:
    return style.kind or (BlockKind.CAPTION if CAPTION.match(text) else None)


def _is_inside(element: Any) -> bool:
    """Whether a paragraph or table stands inside another one, which reads it."""
    return any(
        local_name(parent) in ("p", "tbl", "txbxContent") for parent in element.iterancestors()
    )


def _children(element: Any, tag: str) -> Iterator[Any]:
    """Rows of a table or cells of a row, also those inside content controls and insertions."""
    for child in element:
        name = local_name(child)
        if name == tag:
            yield child
        elif name in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            yield from _children(child, tag)


def _is_bold(rows: Sequence[Any]) -> bool:
    """Whether the first of two rows is set in bold, and the second is not."""
    bold = [
        all(_run_is_bold(run) for run in row.iter("{*}r"))
        for row in rows
        if row.find(".//{*}r") is not None
    ]
    return bold == [True, False]


def _run_is_bold(run: Any) -> bool:
    return is_on(run.find("{*}rPr/{*}b"))


def _is_layout(rows: Iterable[list[Any]]) -> bool:
    """Whether a table only arranges a page: a frame around text, or columns of whole texts."""
    cells = [cell for row in rows for cell in row]
    if max((len(row) for row in rows), default=0) < 2:
        return True
    return any(
        len(paragraphs) > 3 and sum(len("".join(p.itertext())) for p in paragraphs) > _LAYOUT_CELL
        for paragraphs in (cell.findall("{*}p") for cell in cells)
    )


def _main_part(package: Package) -> str:
    """The part with the text; some programs put a number behind its name."""
    parts = (name for name in package.names if re.fullmatch(r"word/document\d*\.xml", name, re.I))
    return min(parts, default=_MAIN)


def core_properties(package: Package) -> dict[str, object]:
    """docProps/core.xml: title, authors, language, description, created (ECMA-376 part 2, core
    properties)."""
    if not package.has("docProps/core.xml"):
        return {}
    root = package.xml("docProps/core.xml")
    properties = {
        local_name(e): snapshot_text(e.text or "").strip() for e in root if isinstance(e.tag, str)
    }
    created = iso_date(properties.get("created", ""))
    return {
        "title": properties.get("title", "")[:500],
        "authors": clean_authors([properties.get("creator", "").removesuffix("python-docx")]),
        "language": properties.get("language", "")[:2].lower(),
        "description": properties.get("description", "").removesuffix("generated by python-docx")[
            :1000
        ],
        "created": created if created != _TEMPLATE_DATE else None,
    }
