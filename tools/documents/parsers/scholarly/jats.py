"""JATS: full texts as PMC, Europe PMC and preprint servers hand them out, with their sections and
reference lists.

https://jats.nlm.nih.gov. The document type names a DTD elsewhere; it is never loaded. Entities are
refused.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.blocks import ParsedBlock, compose
from tools.documents.parsers.html.markup_tables import Cell, Row, Table, span_of
from tools.documents.parsers.office.equations import UNREADABLE
from tools.documents.parsers.office.zip_package import parse_xml
from tools.documents.parsers.scholarly.jats_front import abstract, articles, front, line, references
from tools.documents.parsers.versions import with_version
from tools.errors import ParseError

_ABOUT = ("title", "authors", "published", "language", "doi", "pmid", "pmcid")
_WHAT = "JATS article"
_DEEPEST = 6
_TEXT = frozenset(["p", "verse-group", "disp-quote", "statement", "boxed-text"])
_APART = frozenset(
    "table-wrap fig list def-list fig-group boxed-text "
    "disp-formula disp-quote preformat code".split()
)
_SECTIONS = frozenset(["sec", "app", "notes", "glossary", "ack"])
_SILENT = frozenset(
    "title label object-id graphic media supplementary-material "
    "alternatives sec-meta kwd-group fn xref".split()
)


def parse(request: Request) -> Extracted:
    """The text of the first article of a document; ParseError when there is none.

    metadata: what the article says about itself; full_text is False when it holds no body (its
    publisher allows none).
    """
    article_list = articles(parse_xml(request.data, _WHAT))
    if not article_list:
        raise ParseError("This JATS document contains no article.")
    article = article_list[0]
    about = front(article)
    title = str(about.get("title", ""))
    blocks = [ParsedBlock(title, 1)] if title else []
    blocks += _abstract(article)
    body = article.find("body")
    inner = list(_parts(body, 1)) if body is not None else []
    if inner and len(blocks) > 1 and not inner[0].level:
        blocks.append(ParsedBlock("Main text", 2))  # else it would count as the end of the abstract
    blocks += [*inner, *_back(article)]
    metadata = {name: about.get(name) for name in _ABOUT} | {"site": about.get("venue")}
    if not inner:
        metadata["full_text"] = False
    no_text = "This JATS article contains no text."
    return compose(blocks).extracted(
        with_version("zorora-jats"), metadata, empty=no_text, references=references(article)
    )


def _abstract(article: Any) -> list[ParsedBlock]:
    element = abstract(article)
    inner = [] if element is None else list(_parts(element, 2)) or [ParsedBlock(line(element))]
    inner = [block for block in inner if not (block.level and block.text.lower() == "abstract")]
    return [ParsedBlock("Abstract", 2), *inner] if inner else []


def _back(article: Any) -> Iterator[ParsedBlock]:
    """What stands behind the text: floating figures and tables, appendices, acknowledgements,
    notes, references."""
    floats = article.find("floats-group")
    if floats is not None:
        yield from _parts(floats, 2)
    for part in article.iterfind("back/*"):
        if part.tag == "ref-list":
            yield from _reference_list(part)
        elif part.tag == "app-group":
            yield from _parts(part, 1)
        elif part.tag in ("ack", "notes", "app", "sec", "bio", "glossary"):
            yield from _section(part, 1, "Acknowledgements" if part.tag == "ack" else "")


def _section(element: Any, level: int, otherwise: str = "") -> Iterator[ParsedBlock]:
    """A part with its heading, one level below the one it stands in."""
    label, title = line(element.find("label")), line(element.find("title")) or otherwise
    heading = f"{label} {title}".strip() if label and not title.startswith(label) else title
    inner = list(_parts(element, level + 1 if heading else level))
    if heading and inner:
        yield ParsedBlock(heading, min(level + 1, _DEEPEST))
    yield from inner


def _parts(element: Any, level: int) -> Iterator[ParsedBlock]:
    """The blocks in a part. The parser bounds how deep elements may be nested."""
    for child in element:
        tag = child.tag
        if not isinstance(tag, str) or tag in _SILENT:
            continue
        if tag in _SECTIONS:
            yield from _section(child, level)
        elif tag in _READERS:
            yield from _READERS[tag](child)
        elif text := line(child):
            yield ParsedBlock(text)


def _paragraph(element: Any) -> Iterator[ParsedBlock]:
    """A paragraph; tables, figures, lists, equations set apart and notes inside it follow it."""
    inside = [child for child in element if child.tag in _APART]
    for child in inside:
        # Their text would run into the sentence; what follows them stays
        before, parent = child.getprevious(), child.getparent()
        if before is not None:
            before.tail = f"{before.tail or ''} {child.tail or ''}"
        else:
            parent.text = f"{parent.text or ''} {child.tail or ''}"
        child.tail = None
        parent.remove(child)
    if element.tag in ("boxed-text", "statement", "disp-quote") and element.find("p") is not None:
        quoted = element.tag == "disp-quote"
        for block in _parts(element, _DEEPEST):
            yield (
                block._replace(kind=BlockKind.QUOTATION) if quoted and block.kind is None else block
            )
    elif text := line(element):
        yield ParsedBlock(text)
    yield from (ParsedBlock(line(note), kind=BlockKind.FOOTNOTE) for note in element.iter("fn"))
    for child in inside:
        yield from _READERS[child.tag](child)


def _items(element: Any, level: int = 1) -> Iterator[ParsedBlock]:
    """The items of a list with their numbers; lists inside them one level deeper."""
    ordered = element.get("list-type") in ("order", "ordered", "alpha-lower", "roman-lower")
    for number, item in enumerate(element.iterfind("list-item"), 1):
        inner = [
            child for child in item.iter("list") if child.getparent() in (item, *item.iterfind("p"))
        ]
        for child in inner:
            child.getparent().remove(child)
        label = line(item.find("label"))
        for part in item.findall("label"):
            item.remove(part)
        if text := line(item):
            marker = label or (f"{number}." if ordered else "-")
            yield ParsedBlock(text, level, kind=BlockKind.LIST_ITEM, marker=marker)
        for child in inner:
            yield from _items(child, min(level + 1, _DEEPEST))


def _definitions(element: Any) -> Iterator[ParsedBlock]:
    """Terms with what they mean."""
    for item in element.iterfind("def-item"):
        term, meaning = line(item.find("term")), line(item.find("def"))
        if term or meaning:
            yield ParsedBlock(
                f"{term}: {meaning}" if term and meaning else term or meaning,
                1,
                kind=BlockKind.LIST_ITEM,
            )


def _equation(element: Any) -> Iterator[ParsedBlock]:
    """An equation set apart, with its number; "[equation]" where it is a picture."""
    label = line(element.find("label"))
    for part in element.findall("label"):
        element.remove(part)
    yield ParsedBlock(f"{line(element) or UNREADABLE} {label}".strip(), kind=BlockKind.EQUATION)


def _code(element: Any) -> Iterator[ParsedBlock]:
    yield ParsedBlock("".join(element.itertext()), kind=BlockKind.CODE)


def _floating(element: Any) -> Iterator[ParsedBlock]:
    """A figure or table: its label and caption, then the rows, then its notes."""
    label, caption = line(element.find("label")), line(element.find("caption"))
    if label or caption:
        text = f"{label.rstrip('.')}. {caption}" if label and caption else label or caption
        yield ParsedBlock(text, kind=BlockKind.CAPTION)
    for table in element.iter("table"):
        yield from _rows(table)
    for inner in element.iterfind("p"):
        yield ParsedBlock(line(inner))
    for note in element.iterfind("table-wrap-foot//p"):
        yield ParsedBlock(line(note), kind=BlockKind.FOOTNOTE)
    for inner in element.iterchildren("table-wrap", "fig"):
        yield from _floating(inner)


def _rows(element: Any) -> list[ParsedBlock]:
    """The rows of a table; cells over several rows stand in each of them."""
    table = Table()
    for row in element.iter("tr"):
        cells = [
            Cell(line(cell), span_of(cell, "colspan"), span_of(cell, "rowspan"), cell.tag == "th")
            for cell in row.iterchildren("td", "th")
        ]
        table.rows.append(Row(row, row.getparent().tag == "thead", cells))
    return [block for _, block in table.blocks()]


def _reference_list(element: Any) -> Iterator[ParsedBlock]:
    """The reference list as text: a line per work, in the words of the article."""
    entries = [text for ref in element.iter("ref") if (text := _reference(ref))]
    if entries:
        yield ParsedBlock(line(element.find("title")) or "References", 2)
        yield from (ParsedBlock(text, 1, kind=BlockKind.LIST_ITEM, marker="") for text in entries)


def _reference(ref: Any) -> str:
    """Publishers leave out the punctuation of structured references; without it words would run
    together."""
    citation = next(
        (child for child in ref if isinstance(child.tag, str) and child.tag != "label"), None
    )
    if citation is None:
        return ""
    loose = "".join(
        ((citation.text or "") + "".join(child.tail or "" for child in citation)).split()
    )
    if 2 * len(loose) >= len(citation):
        return line(citation)
    people = [line_of_name(name) for name in citation.iter("name", "string-name", "collab")]
    skipped = ("person-group", "name", "collab", "string-name", "label")
    rest = [
        line(child) for child in citation if isinstance(child.tag, str) and child.tag not in skipped
    ]
    return ". ".join(filter(None, (", ".join(filter(None, people)), *rest)))


def line_of_name(name: Any) -> str:
    """ "Surname GN" of a name in parts."""
    parts = [line(name.find("surname")), line(name.find("given-names"))]
    return " ".join(filter(None, parts)) or line(name)


_READERS: Mapping[str, Callable[[Any], Iterator[ParsedBlock]]] = {
    **dict.fromkeys(_TEXT, _paragraph),
    **dict.fromkeys(("table-wrap", "fig", "table-wrap-group", "fig-group"), _floating),
    **dict.fromkeys(("preformat", "code"), _code),
    **dict.fromkeys(("disp-formula", "disp-formula-group"), _equation),
    "list": _items,
    "def-list": _definitions,
    "ref-list": _reference_list,
}
