"""docx: the report for a word processor; every citation is a footnote with its quote and source.

Written here (see ooxml.py) and not with a library: the light ones have no footnotes, and a report has few parts.
"""

import re
import unicodedata
from collections.abc import Sequence
from xml.sax.saxutils import escape

from engine.exports import ooxml, outline
from engine.exports.form import address, line, link_of, listed
from engine.exports.html import described
from engine.exports.outline import Bullets, Grid, Heading, Paragraph, Remark
from engine.figures import hundredths
from tools.research.source import Source
from workflows.research.report import Citation, Sentence
from workflows.research.state import ResearchState

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
# What XML 1.0 cannot hold, escaped or not
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=Z|\+00:00)")


def write(state: ResearchState) -> bytes:
    """The file, the same bytes every time."""
    document = _Document(outline.Lookup(state))
    title = outline.title_of(state)
    body = [_paragraph("Title", _run(title), title), _paragraph("Quiet", _run(outline.facts_of(state)))]
    body += [document.block(block) for block in outline.blocks(state)]
    if sources := listed(state):
        body.append(_paragraph("Heading1", _run("Sources")))
        body += [_paragraph("Reference", document.source(source)) for source in sources]
    body += [document.block(block) for block in outline.apparatus(state)]
    body.append(_paragraph("Quiet", _run(f"Zorora, research {state.research_id}.")))
    found = _TIME.match(state.completed_at or state.started_at)
    made = f"{found.group()}Z" if found else ""
    return ooxml.archive("".join(body), "".join(document.notes), document.links, _xml(title), made)


class _Document:
    """Makes the parts, numbers the footnotes and collects the addresses."""

    def __init__(self, lookup: outline.Lookup) -> None:
        self._lookup = lookup
        self.notes: list[str] = []
        self.links: dict[str, str] = {}

    def block(self, block: outline.Block) -> str:
        if isinstance(block, Heading):
            return _paragraph("Heading1", _run(block.text), block.text)
        if isinstance(block, Remark):
            return _paragraph("Quiet", _run(block.text), block.text)
        if isinstance(block, Paragraph):
            return self._said("Normal", block.sentences)
        if isinstance(block, Bullets):
            return "".join(self._said("ListBullet", item) for item in block.items)
        return self._table(block)

    def source(self, source: Source) -> str:
        """One entry of the list of sources: tag, description as a link, score."""
        link = address(link_of(source))
        said = _run(described(source))
        score = f" (credibility {hundredths(source.credibility.score)})" if source.credibility else ""
        tag = _run(f"{source.tag or '–'}  ", "<w:b/>")
        return f"{tag}{self._linked(said, link)}{_run(score)}"

    def _said(self, style: str, sentences: Sequence[Sentence]) -> str:
        text = sentences[0].text if sentences else ""
        return _paragraph(style, self._runs(sentences), text)

    def _runs(self, sentences: Sequence[Sentence]) -> str:
        return _run(" ").join(self._sentence(sentence) for sentence in sentences)

    def _sentence(self, sentence: Sentence) -> str:
        sign = f" {sentence.indicator}" if sentence.indicator and sentence.citations else ""
        marks = _run(",", '<w:vertAlign w:val="superscript"/>').join(self._note(one) for one in sentence.citations)
        return _run(sentence.text) + marks + _run(sign)

    def _note(self, citation: Citation) -> str:
        number = len(self.notes) + 1
        cited = self._lookup.cited(citation)
        mark = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:{}/></w:r>'
        if cited.evidence is None:
            inside = _run(" The evidence is not in the record.")
        else:
            inside = _run(f" “{line(cited.evidence.quote)}” ")
            inside += self.source(cited.source) if cited.source else ""
        text = cited.evidence.quote if cited.evidence else ""
        body = _paragraph("FootnoteText", mark.format("footnoteRef") + inside, text)
        self.notes.append(f'<w:footnote w:id="{number}">{body}</w:footnote>')
        return mark.format(f'footnoteReference w:id="{number}"')

    def _linked(self, runs: str, link: str) -> str:
        if not link:
            return runs
        name = next((name for name, known in self.links.items() if known == link), f"link{len(self.links) + 1}")
        self.links[name] = link
        styled = runs.replace("<w:r>", '<w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr>', 1)
        return f'<w:hyperlink r:id="{name}">{styled}</w:hyperlink>'

    def _table(self, grid: Grid) -> str:
        width = max(1, len(grid.columns))
        border = "".join(
            f'<w:{side} w:val="single" w:sz="4" w:color="D3DADB"/>' for side in ("top", "bottom", "insideH")
        )
        columns = f'<w:gridCol w:w="{9000 // width}"/>' * width
        head = _row([_paragraph("Normal", _run(column, "<w:b/>"), column) for column in grid.columns], header=True)
        rows = "".join(
            _row([self._said("Normal", cell) if cell else _paragraph("Normal", _run("–")) for cell in row])
            for row in grid.rows
        )
        look = f'<w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders>{border}</w:tblBorders></w:tblPr>'
        return f"<w:tbl>{look}<w:tblGrid>{columns}</w:tblGrid>{head}{rows}</w:tbl>{_paragraph('Normal', '')}"


def _row(cells: Sequence[str], header: bool = False) -> str:
    look = "<w:trPr><w:tblHeader/></w:trPr>" if header else ""
    inside = "".join(f'<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>{cell}</w:tc>' for cell in cells)
    return f"<w:tr>{look}{inside}</w:tr>"


def _paragraph(style: str, runs: str, text: str = "") -> str:
    """text: what the paragraph says, to see in which direction it runs."""
    direction = "<w:bidi/>" if _right_to_left(text) else ""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{direction}</w:pPr>{runs}</w:p>'


def _run(text: str, look: str = "") -> str:
    if not text:
        return ""
    shown = f"<w:rPr>{look}</w:rPr>" if look else ""
    return f'<w:r>{shown}<w:t xml:space="preserve">{_xml(text)}</w:t></w:r>'


def _xml(text: str) -> str:
    """Escaped text of one line; spaces at its ends stay, since runs meet there."""
    before, after = " " * text.startswith(" "), " " * (text.endswith(" ") and len(text) > 1)
    kept = line(text)
    return escape(_NOT_XML.sub("", f"{before}{kept}{after}" if kept else " "))


def _right_to_left(text: str) -> bool:
    """By the first letter that has a direction (Unicode Bidirectional Algorithm, rule P2)."""
    kinds = (unicodedata.bidirectional(sign) for sign in text[:200])
    return next((kind in ("R", "AL") for kind in kinds if kind in ("L", "R", "AL")), False)
