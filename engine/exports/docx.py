"""docx: the report for a word processor; every citation is a footnote with its quote and source.

Written here (see ooxml.py) and not with a library: the light ones have no footnotes, and a report
has few parts.
"""

import re
import unicodedata
from collections.abc import Sequence
from xml.sax.saxutils import escape

from engine.exports import ooxml, outline
from engine.exports.form import NOT_XML, address, described, link_of
from engine.reports.figures import credibility_words, listed
from tools.documents.model import BlockKind
from tools.sources.source import Source
from tools.text.plain import line
from workflows.research.report.blocks import (
    CLOSEST,
    Block,
    Bullets,
    Card,
    Closest,
    Facing,
    Grid,
    Heading,
    ItemList,
    Paragraph,
    Quotation,
    Remark,
    Reply,
    card_facts,
    item_mark,
)
from workflows.research.report.document import document
from workflows.research.report.tags import shown_tag
from workflows.research.state import Citation, ResearchState, Sentence

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=Z|\+00:00)")


def write(state: ResearchState) -> bytes:
    """The file, the same bytes every time."""
    writer = _Document(state)
    title = outline.title_of(state)
    body = [
        _paragraph("Title", _run(title), title),
        _paragraph("Quiet", _run(outline.facts_of(state))),
    ]
    body += [writer.block(block) for block in document(state)]
    if sources := listed(state):
        body.append(_paragraph("Heading1", _run("Sources")))
        body += [_paragraph("Reference", writer.source(source)) for source in sources]
    body += [writer.block(block) for block in outline.apparatus(state)]
    body.append(_paragraph("Quiet", _run(f"Zorora, report {state.research_id}.")))
    stamp = _TIME.match(state.completed_at or state.started_at)
    timestamp = f"{stamp.group()}Z" if stamp else ""
    return ooxml.archive("".join(body), "".join(writer.notes), writer.links, _xml(title), timestamp)


class _Document:
    """Makes the parts, numbers the footnotes and collects the addresses."""

    def __init__(self, state: ResearchState) -> None:
        self._quotes = {evidence.evidence_id: evidence.quote for evidence in state.evidence}
        self._sources = {source.source_id: source for source in state.sources}
        self.notes: list[str] = []
        self.links: dict[str, str] = {}  # address -> id

    def block(self, block: Block) -> str:  # noqa: C901 - one case for each kind of block
        """One block of the report."""
        match block:
            case Heading(text):
                return _paragraph("Heading1", _run(text), text)
            case Remark(text):
                return _paragraph("Quiet", _run(text), text)
            case Reply(text, citations):
                return _paragraph("Normal", _run(text, "<w:b/>") + self._marks(citations), text)
            case Paragraph(sentences):
                return self._sentences("Normal", sentences)
            case Quotation():
                return self._quotation(block)
            case Card(card, passages):
                head = _paragraph("Heading2", _run(card.title), card.title) + _paragraph(
                    "Quiet", _run(card_facts(card))
                )
                return head + "".join(map(self._quotation, passages))
            case Closest(passages):
                return _paragraph("Heading2", _run(CLOSEST)) + "".join(
                    map(self._quotation, passages)
                )
            case ItemList(items):
                return "".join(
                    _paragraph("ListBullet", _run(f"{item.text} [{item.tag}]"), item.text)
                    for item in items
                )
            case Facing(sides):
                bullets = "".join(self._sentences("ListBullet", (side,)) for side in sides)
                return bullets + (
                    _paragraph("Quiet", _run(block.why), block.why) if block.why else ""
                )
            case Bullets(items):
                return "".join(self._sentences("ListBullet", item) for item in items)
            case Grid():
                return self._table(block)

    def _quotation(self, block: Quotation) -> str:
        passage = block.passage
        path = " › ".join(block.headings)
        parts = [_paragraph("Quiet", _run(path), path)] if path else []
        for piece in block.pieces:
            mark = f"{item_mark(piece)} " if piece.kind == BlockKind.LIST_ITEM else ""
            lines = (mark + piece.text + piece.end).splitlines()
            parts += [_paragraph("Quote", _run(text), text) for text in lines if text.strip()]
        title = f"{block.source.title}. " if block.source else ""
        parts.append(
            _paragraph("Quiet", _run(f"[{shown_tag(passage.tag)}] {title}{passage.strength}"))
        )
        return "".join(parts)

    def source(self, source: Source) -> str:
        """One entry of the list of sources: tag, description as a link, score."""
        link = address(link_of(source))
        runs = _run(described(source))
        words = credibility_words(source)
        score = f" ({words})" if words else ""
        tag = _run(f"{source.tag or '–'}  ", "<w:b/>")
        return f"{tag}{self._linked(runs, link)}{_run(score)}"

    def _sentences(self, style: str, sentences: Sequence[Sentence]) -> str:
        text = sentences[0].text if sentences else ""
        return _paragraph(
            style, _run(" ").join(self._sentence(sentence) for sentence in sentences), text
        )

    def _sentence(self, sentence: Sentence) -> str:
        sign = f" {sentence.indicator}" if sentence.indicator and sentence.citations else ""
        return _run(sentence.text) + self._marks(sentence.citations) + _run(sign)

    def _marks(self, citations: Sequence[Citation]) -> str:
        return _run(",", '<w:vertAlign w:val="superscript"/>').join(map(self._note, citations))

    def _note(self, citation: Citation) -> str:
        number = len(self.notes) + 1
        quote = self._quotes.get(citation.evidence_id)
        source = self._sources.get(citation.source_id)
        mark = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:{}/></w:r>'
        if quote is None:
            inside = _run(" The evidence is not in the record.")
        else:
            inside = _run(f" “{line(quote)}” ") + (self.source(source) if source else "")
        body = _paragraph("FootnoteText", mark.format("footnoteRef") + inside, quote or "")
        self.notes.append(f'<w:footnote w:id="{number}">{body}</w:footnote>')
        return mark.format(f'footnoteReference w:id="{number}"')

    def _linked(self, runs: str, link: str) -> str:
        if not link:
            return runs
        name = self.links.setdefault(link, f"link{len(self.links) + 1}")
        styled = runs.replace("<w:r>", '<w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr>', 1)
        return f'<w:hyperlink r:id="{name}">{styled}</w:hyperlink>'

    def _table(self, grid: Grid) -> str:
        width = max(1, len(grid.columns))
        border = "".join(
            f'<w:{side} w:val="single" w:sz="4" w:color="D3DADB"/>'
            for side in ("top", "bottom", "insideH")
        )
        columns = f'<w:gridCol w:w="{9000 // width}"/>' * width
        head = _row(
            [_paragraph("Normal", _run(column, "<w:b/>"), column) for column in grid.columns],
            header=True,
        )
        rows = "".join(
            _row(
                [
                    self._sentences("Normal", cell) if cell else _paragraph("Normal", _run("–"))
                    for cell in row
                ]
            )
            for row in grid.rows
        )
        look = (
            '<w:tblPr><w:tblW w:w="5000" '
            f'w:type="pct"/><w:tblBorders>{border}</w:tblBorders></w:tblPr>'
        )
        return (
            f"<w:tbl>{look}<w:tblGrid>{columns}</w:tblGrid>{head}{rows}</"
            f"w:tbl>{_paragraph('Normal', '')}"
        )


def _row(cells: Sequence[str], header: bool = False) -> str:
    look = "<w:trPr><w:tblHeader/></w:trPr>" if header else ""
    inside = "".join(
        f'<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>{cell}</w:tc>' for cell in cells
    )
    return f"<w:tr>{look}{inside}</w:tr>"


def _paragraph(style: str, runs: str, text: str = "") -> str:
    """text: what the paragraph says, to see in which direction it runs."""
    direction = "<w:bidi/>" if _right_to_left(text) else ""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{direction}</w:pPr>{runs}</w:p>'


def _run(text: str, look: str = "") -> str:
    if not text:
        return ""
    properties = f"<w:rPr>{look}</w:rPr>" if look else ""
    return f'<w:r>{properties}<w:t xml:space="preserve">{_xml(text)}</w:t></w:r>'


def _xml(text: str) -> str:
    """Escaped text of one line; spaces at its ends stay, since runs meet there."""
    before, after = " " * text.startswith(" "), " " * (text.endswith(" ") and len(text) > 1)
    escaped = line(text)
    return escape(NOT_XML.sub("", f"{before}{escaped}{after}" if escaped else " "))


def _right_to_left(text: str) -> bool:
    """By the first letter that has a direction (Unicode Bidirectional Algorithm, rule P2)."""
    kinds = (unicodedata.bidirectional(sign) for sign in text[:200])
    return next((kind in ("R", "AL") for kind in kinds if kind in ("L", "R", "AL")), False)
