"""PowerPoint presentations: slide by slide its title, text, tables and notes. A page is a slide.

ECMA-376 part 1, 19 (PresentationML) and 21 (DrawingML).
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, TableCell, compose, table_blocks
from tools.documents.parsers.office.docx import core_properties
from tools.documents.parsers.office.equations import equation_text
from tools.documents.parsers.office.zip_package import Package, attribute, local_name, relation_of
from tools.documents.parsers.versions import with_version

_WHAT = "PowerPoint presentation"
_TITLES = frozenset(["title", "ctrTitle"])
_FURNITURE = frozenset(["dt", "ftr", "sldNum", "hdr", "sldImg"])
_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml$")
_DEFAULT_TITLE = re.compile(
    r"powerpoint[- ]pr|^(?:presentation|slide|folie|diapositive)\s*\d*$", re.I
)
MAX_SLIDES = 2000
_FEWEST_COPIES = 3  # slides with the same text box before it counts as a footer


class _SlidePart(NamedTuple):
    """The blocks of one shape. box: words and place of a text box; () of all else."""

    blocks: list[ParsedBlock]
    box: tuple[str, ...] = ()


def parse(request: Request) -> Extracted:
    """The text of a presentation."""
    package = Package(request.data, _WHAT)
    slides = _slides(package)[:MAX_SLIDES]
    parts = [list(_slide(package, name, number)) for number, name in enumerate(slides, 1)]
    blocks = _without_footers(parts)
    metadata = core_properties(package)
    if _DEFAULT_TITLE.search(str(metadata.get("title", ""))):
        del metadata["title"]
    no_text = "This presentation contains no text; its slides may be pictures."
    return compose(blocks, len(slides)).extracted(
        with_version("zorora-pptx"), metadata, empty=no_text
    )


def _slides(package: Package) -> list[str]:
    """The parts of the slides in the order of the presentation."""
    slides = []
    if package.has("ppt/presentation.xml"):
        targets = package.relations("ppt/presentation.xml")
        for slide in package.xml("ppt/presentation.xml").iterfind("{*}sldIdLst/{*}sldId"):
            part = targets.get(relation_of(slide), "")
            if package.has(part):
                slides.append(part)
    numbered = sorted(
        (int(m.group(1)), name) for name in package.names if (m := _SLIDE.match(name))
    )
    return slides or [name for _, name in numbered]


def _without_footers(slides: list[list[_SlidePart]]) -> Iterator[ParsedBlock]:
    """The blocks of all slides; of a text box that most slides have at the same place, as a
    copyright line, those of the first."""
    slide_counts = Counter(box for slide in slides for box in {part.box for part in slide})
    fewest = max(_FEWEST_COPIES, len(slides) // 2 + 1)
    shown_boxes = set()
    for part in (part for slide in slides for part in slide):
        if part.box not in shown_boxes:
            yield from part.blocks
        if part.box and slide_counts[part.box] >= fewest:
            shown_boxes.add(part.box)


def _slide(package: Package, name: str, number: int) -> Iterator[_SlidePart]:
    tree = package.xml(name).find("{*}cSld/{*}spTree")
    if tree is None:
        return
    shapes = sorted(_shapes(tree), key=lambda shape: _placeholder(shape) not in _TITLES)
    for shape in shapes:
        blocks = list(_shape(shape, number))
        yield _SlidePart(blocks, _text_box(shape, blocks))
    for part in package.relations(name).values():
        if "notesSlides/" in part and package.has(part):
            notes = package.xml(part).find("{*}cSld/{*}spTree")
            for shape in _shapes(notes) if notes is not None else ():
                yield _SlidePart(
                    [
                        ParsedBlock(f"Notes: {text}", page=number)
                        for text, _, _ in _paragraphs(shape)
                    ]
                )


def _shapes(tree: Any) -> Iterator[Any]:
    """Shapes and tables of a slide in their order, also those in groups."""
    for element in tree.iter("{*}sp", "{*}graphicFrame"):
        if _placeholder(element) not in _FURNITURE:
            yield element


def _placeholder(shape: Any) -> str:
    """What a shape is for: title, body, ..."""
    placeholder = shape.find("{*}nvSpPr/{*}nvPr/{*}ph")
    return "" if placeholder is None else attribute(placeholder, "type", "body")


def _text_box(shape: Any, blocks: list[ParsedBlock]) -> tuple[str, ...]:
    """The words of a shape and its place; () where it is a title, holds a table, or has its place
    from the layout, as the body of a slide does."""
    corner = shape.find("{*}spPr/{*}xfrm/{*}off")
    if corner is None or _placeholder(shape) in _TITLES or shape.find(".//{*}tbl") is not None:
        return ()
    return (attribute(corner, "x"), attribute(corner, "y"), *(block.text for block in blocks))


def _shape(shape: Any, page: int) -> Iterator[ParsedBlock]:
    for table in shape.iter("{*}tbl"):
        yield from _table(table, page)
    place = _placeholder(shape)
    paragraphs = list(_paragraphs(shape)) if shape.find(".//{*}tbl") is None else []
    if place in _TITLES:
        title = " ".join(text for text, _, _ in paragraphs)
        if title:
            yield ParsedBlock(title, 1 if place == "ctrTitle" and page == 1 else 2, page)
        return
    several = len(paragraphs) > 1
    for text, level, bullet in paragraphs:
        if bullet or (place == "body" and several):
            yield ParsedBlock(text, level + 1, page, kind=BlockKind.LIST_ITEM)
        else:
            yield ParsedBlock(text, page=page)


def _paragraphs(shape: Any) -> Iterator[tuple[str, int, bool]]:
    """(text, level, with a bullet) of the paragraphs of a shape."""
    for paragraph in shape.iter("{*}p"):
        text = " ".join(_text(paragraph).split())
        properties = paragraph.find("{*}pPr")
        level = attribute(properties, "lvl", "0")
        bullet = properties is not None and any(
            properties.find(f"{{*}}{name}") is not None for name in ("buChar", "buAutoNum")
        )
        if text:
            yield text, int(level) if level in tuple("012345678") else 0, bullet


def _text(paragraph: Any) -> str:
    parts = []
    for element in paragraph:
        name = local_name(element)
        if name in ("r", "fld"):
            parts.append("".join(piece.text or "" for piece in element.iterfind("{*}t")))
        elif name == "br":
            parts.append(" ")
        elif name in ("m", "oMath", "AlternateContent"):
            parts.extend(equation_text(math) for math in element.iter("{*}oMath"))
    return "".join(parts)


def _table(table: Any, page: int) -> list[ParsedBlock]:
    rows = [
        [
            TableCell(
                " ".join(" ".join(_text(p).split()) for p in cell.iter("{*}p")).strip(),
                continued=attribute(cell, "vMerge") in ("1", "true"),
            )
            for cell in row.iterfind("{*}tc")
        ]
        for row in table.iterfind("{*}tr")
    ]
    first = attribute(table.find("{*}tblPr"), "firstRow") in ("1", "true")
    return table_blocks(rows, 1 if first and len(rows) > 1 else None, page)
