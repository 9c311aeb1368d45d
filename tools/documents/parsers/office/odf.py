"""OpenDocument texts, presentations and spreadsheets (ODT, ODP, ODS).

https://docs.oasis-open.org/office/OpenDocument/v1.3/: content.xml, styles by name, meta.xml.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.authors_and_dates import clean_authors, iso_date
from tools.documents.parsers.blocks import (
    MAX_COLUMNS,
    ParsedBlock,
    TableCell,
    compose,
    table_blocks,
)
from tools.documents.parsers.lines import CAPTION, SUPERSCRIPTS, with_bold_headings
from tools.documents.parsers.office.equations import equation_text
from tools.documents.parsers.office.zip_package import Package, attribute, local_name
from tools.documents.parsers.versions import with_version
from tools.text.normalise import snapshot_text

_WHAT = "OpenDocument file"
_SILENT = frozenset(
    "tracked-changes sequence-decls note-citation annotation annotation-end bookmark forms change "
    "change-start "
    "change-end frame text-box object".split()
)
_CONTAINERS = frozenset(
    "section table-of-content index-body illustration-index alphabetical-index frame text-box "
    "page custom-shape g object-ole image header footer shapes presentation text spreadsheet "
    "body drawing group rect ellipse".split()
)
_DEFAULT_NAME = re.compile(r"page|slide|folie|seite", re.I)
_DEEPEST = 100


def parse(request: Request) -> Extracted:
    """The text of a document with its headings, lists, tables and notes."""
    package = Package(request.data, _WHAT)
    root = package.xml("content.xml")
    parents = {
        attribute(style, "name"): attribute(style, "parent-style-name")
        for style in root.iter("{*}style")
    }
    reader = _Reader(package, parents)
    body = root.find("{*}body")
    composed = compose(
        with_bold_headings(list(reader.blocks(body, 0)) if body is not None else [], set())
    )
    no_text = "This OpenDocument file contains no text."
    return composed.extracted(with_version("zorora-odf"), _metadata(package), empty=no_text)


@dataclass(slots=True)
class _Reader:
    """Reads the elements of a body in order."""

    package: Package
    parents: Mapping[str, str]  # which style each is made from
    _notes: list[str] = field(default_factory=list)  # of the paragraph that is being read
    _count: int = 0

    def blocks(self, element: Any, depth: int, lists: int = 0) -> Iterator[ParsedBlock]:
        """The blocks inside an element."""
        if depth > _DEEPEST:
            return
        for child in element:
            name = local_name(child)
            if name in ("h", "p"):
                yield from self._paragraph(child, name)
            elif name == "list":
                yield from self._list(child, depth + 1, lists + 1)
            elif name == "table":
                yield from self._table(child)
            elif name in _CONTAINERS:
                title = attribute(child, "name") if name == "page" else ""
                if title and not _DEFAULT_NAME.match(title):  # of a slide
                    yield ParsedBlock(title, 2)
                yield from self.blocks(child, depth + 1, lists)
            elif name == "object":
                yield from self._object(child)

    def _paragraph(self, element: Any, name: str) -> Iterator[ParsedBlock]:
        text = self._text(element, 0)
        style = self._style(attribute(element, "style-name"))
        if name == "h":
            level = attribute(element, "outline-level", "1")
            yield ParsedBlock(
                " ".join(text.split()), max(1, min(6, int(level))) if level.isdecimal() else 1
            )
        elif style == "title":
            yield ParsedBlock(" ".join(text.split()), 1)
        elif "preformatted" in style or "source" in style:
            yield ParsedBlock(text, kind=BlockKind.CODE)
        else:
            yield ParsedBlock(" ".join(text.split()), kind=_kind(style, text))
        yield from self._pending()
        for box in element.iter("{*}text-box"):
            yield from self.blocks(box, 1)
        for inner in element.iter("{*}object"):
            yield from self._object(inner)

    def _pending(self) -> Iterator[ParsedBlock]:
        notes, self._notes = self._notes, []
        for note in notes:
            yield ParsedBlock(note, kind=BlockKind.FOOTNOTE)

    def _list(self, element: Any, depth: int, lists: int) -> Iterator[ParsedBlock]:
        for item in element:
            if local_name(item) not in ("list-item", "list-header") or depth > _DEEPEST:
                continue
            first = True
            for child in item:
                name = local_name(child)
                if name == "list":
                    yield from self._list(child, depth + 1, lists + 1)
                elif name == "h":
                    yield from self._paragraph(child, "h")
                elif name == "p" and (text := " ".join(self._text(child, 0).split())):
                    yield ParsedBlock(text, lists, kind=BlockKind.LIST_ITEM if first else None)
                    yield from self._pending()
                    first = False

    def _table(self, table: Any) -> Iterator[ParsedBlock]:
        name = attribute(table, "name")
        spreadsheet = local_name(table.getparent()) == "spreadsheet"
        if spreadsheet and name:
            yield ParsedBlock(name, 2)
        rows = list(table.iter("{*}table-row"))
        heads = sum(1 for row in rows if local_name(row.getparent()) == "table-header-rows")
        grid = [self._row(row) for row in rows]
        if max((len(row) for row in grid), default=0) < 2:
            yield from (ParsedBlock(cell.text) for row in grid for cell in row if cell.text)
        else:
            yield from table_blocks(grid, heads or None)
        yield from self._pending()

    def _row(self, row: Any) -> list[TableCell]:
        cells: list[TableCell] = []
        for cell in row:
            name = local_name(cell)
            if name not in ("table-cell", "covered-table-cell"):
                continue
            texts = (" ".join(self._text(p, 0).split()) for p in cell.iter("{*}p", "{*}h"))
            text = " ".join(filter(None, texts))
            repeated = attribute(cell, "number-columns-repeated", "1")
            times = int(repeated) if repeated.isdecimal() and len(repeated) < 6 else 1
            covered = name == "covered-table-cell"
            cells += [TableCell(text, continued=covered)] * (times if text or times < 20 else 1)
        while cells and not cells[-1].text and not cells[-1].continued:
            cells.pop()
        return cells[:MAX_COLUMNS]

    def _object(self, element: Any) -> Iterator[ParsedBlock]:
        """A formula kept in a part of its own."""
        part = attribute(element, "href").removeprefix("./") + "/content.xml"
        if self.package.has(part):
            root = self.package.xml(part)
            if local_name(root) == "math":
                yield ParsedBlock(equation_text(root), kind=BlockKind.EQUATION)

    def _style(self, name: str) -> str:
        """The name of the style that an automatic one is made from, lower case."""
        return (self.parents.get(name) or name).replace("_20_", " ").lower()

    def _text(self, element: Any, depth: int) -> str:
        """The text of a paragraph; notes are set aside and leave their number."""
        parts = [element.text or ""]
        for child in element:
            name = local_name(child)
            if name == "note":
                parts.append(self._note(child))
            elif name == "s":
                spaces = attribute(child, "c", "1")
                parts.append(" " * min(200, int(spaces) if spaces.isdecimal() else 1))
            elif name in ("tab", "line-break"):
                parts.append("\t" if name == "tab" else "\n")
            elif name and name not in _SILENT and depth < _DEEPEST:
                parts.append(self._text(child, depth + 1))
            parts.append(child.tail or "")
        return "".join(parts)

    def _note(self, note: Any) -> str:
        self._count += 1
        number = str(self._count).translate(SUPERSCRIPTS)
        body = note.find("{*}note-body")
        text = " ".join(" ".join(body.itertext()).split()) if body is not None else ""
        if text:
            self._notes.append(f"{number} {text}")
        return number


def _kind(style: str, text: str) -> BlockKind | None:
    if "caption" in style or style in ("illustration", "table", "figure") or CAPTION.match(text):
        return BlockKind.CAPTION
    return BlockKind.QUOTATION if "quot" in style else None


def _metadata(package: Package) -> dict[str, object]:
    """meta.xml: title, authors, language, description, created."""
    if not package.has("meta.xml"):
        return {}
    properties = {
        local_name(e): snapshot_text(e.text or "").strip()
        for e in package.xml("meta.xml").iter()
        if local_name(e)
    }
    return {
        "title": properties.get("title", "")[:500],
        "authors": clean_authors(
            [properties.get("initial-creator") or properties.get("creator", "")]
        ),
        "language": properties.get("language", "")[:2].lower(),
        "description": properties.get("description", "")[:1000],
        "created": iso_date(properties.get("creation-date", "")),
    }
