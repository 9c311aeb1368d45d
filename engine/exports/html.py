"""html: the report as one file that loads nothing: every citation leads to a note with its quote
and source, and the note to the paragraph of the source that it stands in.

The note leads back to the sentence; on paper the notes stand at the end. No script, no image, no
outside address but those of the sources.
"""

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from engine.exports import outline
from engine.exports.excerpts import Excerpt, ReadParagraph, excerpts
from engine.exports.form import address, described, link_of
from engine.reports.figures import credibility_words, listed
from tools.documents.model import BlockKind
from tools.sources.source import Source
from tools.text.plain import UNSEEN, line
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
    Piece,
    Quotation,
    Remark,
    Reply,
    card_facts,
    item_mark,
)
from workflows.research.report.document import document
from workflows.research.report.tags import shown_tag
from workflows.research.state import Citation, ResearchState, Sentence

STYLE = """
:root{color-scheme:light dark;--ink:light-dark(#1b2123,#dde3e3);--quiet:light-dark(#515c60,#a3aeb2)}
:root{--paper:light-dark(#fcfcfb,#13181a);--accent:light-dark(#0d5466,#8bc6d6);--tint:light-dark(#ddecf0,#1f3840)}
body{font:1.125rem/1.58 Charter,"Iowan Old Style",Cambria,"Noto Serif",serif;color:var(--ink)}
body{font-variant-numeric:lining-nums;background:var(--paper)}
body{max-width:38rem;margin:3rem auto;padding:0 1.2rem;overflow-wrap:break-word}
h1{font-size:2em;line-height:1.2;margin:0 0 .4em}h2{font-size:1.3em;line-height:1.3;margin:2.2em 0 .6em}
.about,.notes,.sources,table,sup,footer{font:.875rem/1.5 system-ui,"Noto Sans",sans-serif;color:var(--quiet)}
.notes h2,.sources h2{font-family:inherit;color:var(--ink)}
sup{line-height:0;font-size:.68em;white-space:nowrap;margin-left:.15em}sup a{text-decoration:none}
a{color:var(--accent)}q{font-family:Charter,Cambria,"Noto Serif",serif;color:var(--ink)}
em{color:var(--quiet)}li{margin:.3em 0}.notes li,.sources li{margin:.7em 0}
table{border-collapse:collapse;width:100%}th,td{text-align:start;vertical-align:top;padding:.45em 1em .45em 0}
td,th{border-bottom:1px solid #8886}thead th{color:var(--quiet)}:target{background:var(--tint)}
.reply{font-size:1.25em;font-weight:600}figure{margin:1.4em 0}blockquote{margin:0;padding-inline-start:1em}
blockquote{border-inline-start:2px solid var(--accent)}blockquote p{margin:.3em 0;white-space:pre-line}blockquote .list_item{margin-left:1em}
.path,.context,figcaption{font:.875rem/1.5 system-ui,"Noto Sans",sans-serif;color:var(--quiet)}.path{margin:0}
mark{background:var(--tint);color:inherit}pre{white-space:pre-wrap;font-size:.8em;margin:.4em 0}
.read p{font-size:.9em}.read h3{margin:1.6em 0 .4em}:target+mark,mark:has(:target){outline:2px solid var(--accent)}
@media print{details::details-content{content-visibility:visible;display:block}mark{border-bottom:1px solid}}
@media print{body{max-width:none;margin:0;font-size:10.5pt}h2{break-after:avoid}li,tr{break-inside:avoid}}
@media print{.back{display:none}}
"""  # noqa: E501
_POLICY = "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"


def write(state: ResearchState, texts: Callable[[str], str] | None = None) -> str:
    """texts: gives the text of a snapshot; with what the reader page shows of every cited source
    then."""
    return page(state, STYLE, tuple(excerpts(state, texts)) if texts else ())


def page(state: ResearchState, style: str, excerpt_list: Sequence[Excerpt] = ()) -> str:
    """The whole file with one style sheet. read: what stands around the passages in their
    sources."""
    title = _text(outline.title_of(state))
    notes = _Notes(state, excerpt_list)
    body = [
        f'<h1 dir="auto">{title}</h1>',
        f'<p class="about">{_text(outline.facts_of(state))}</p>',
    ]
    body += [_block(block, notes) for block in document(state)]
    body += [
        *notes.written(),
        *_sources(state),
        *_excerpt_section(excerpt_list),
        *(_block(block, notes) for block in outline.apparatus(state)),
        f"<footer><p>Zorora, report {_text(state.research_id)}.</p></footer>",
    ]
    return _head(title, style) + "\n".join(body) + "\n</main>\n</body>\n</html>\n"


def _head(title: str, style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = escape(_POLICY.format(hash=digest))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
    )


class _Notes:
    """Numbers the evidence in the order it is cited, and writes the notes at the end."""

    def __init__(self, state: ResearchState, excerpt_list: Sequence[Excerpt]) -> None:
        self._quotes = {evidence.evidence_id: evidence.quote for evidence in state.evidence}
        self._sources = {source.source_id: source for source in state.sources}
        self._in_place = {name for excerpt in excerpt_list for name in excerpt.evidence_ids()}
        self._numbers: dict[str, int] = {}
        self._source_ids: dict[str, str] = {}  # evidence -> source

    def marks(self, citations: Sequence[Citation]) -> str:
        links = [self._mark(citation) for citation in citations]
        return f"<sup>[{', '.join(links)}]</sup>" if links else ""

    def _mark(self, citation: Citation) -> str:
        new = citation.evidence_id not in self._numbers
        number = self._numbers.setdefault(citation.evidence_id, len(self._numbers) + 1)
        self._source_ids.setdefault(citation.evidence_id, citation.source_id)
        anchor = f' id="r{number}"' if new else ""
        return f'<a href="#n{number}"{anchor}>{number}</a>'

    def written(self) -> Iterator[str]:
        if self._numbers:
            items = "\n".join(
                f'<li id="n{n}">{self._note(key, n)}</li>' for key, n in self._numbers.items()
            )
            yield f'<section class="notes">\n<h2>Evidence</h2>\n<ol>\n{items}\n</ol>\n</section>'

    def _note(self, evidence_id: str, number: int) -> str:
        if evidence_id not in self._quotes:
            return "The evidence is not in the record."
        back = f' <a class="back" href="#r{number}" aria-label="Back to the sentence">↩</a>'
        source = self._sources.get(self._source_ids[evidence_id])
        reference = _reference(source) if source else ""
        return (
            f'<q dir="auto">{_text(self._quotes[evidence_id])}</q> '
            f"{reference}{self.place(evidence_id)}{back}"
        )

    def place(self, evidence_id: str) -> str:
        """A link to the passage among what was read, where it stands there."""
        there = evidence_id in self._in_place
        return f' <a class="back" href="#x-{_text(evidence_id)}">in context</a>' if there else ""


def _block(block: Block, notes: _Notes) -> str:  # noqa: C901 - one case for each kind of block
    match block:
        case Heading(text):
            return f'<h2 dir="auto">{_text(text)}</h2>'
        case Remark(text):
            return f'<p dir="auto"><em>{_text(text)}</em></p>'
        case Reply(text, citations):
            return f'<p class="reply" dir="auto">{_text(text)}{notes.marks(citations)}</p>'
        case Paragraph(sentences):
            return f'<p dir="auto">{_run(sentences, notes)}</p>'
        case Quotation():
            return _quotation(block, notes)
        case Card(card, passages):
            facts = f'<p class="path">{_text(card_facts(card))}</p>' if card_facts(card) else ""
            return f'<h3 dir="auto">{_text(card.title)}</h3>{facts}{_quotations(passages, notes)}'
        case Closest(passages):
            return f"<details><summary>{CLOSEST}</summary>{_quotations(passages, notes)}</details>"
        case ItemList(items):
            return _list(f"{_text(item.text)} {_tag(item.tag)}" for item in items)
        case Facing(sides):
            return _list(
                [
                    *(_sentence(side, notes) for side in sides),
                    *([_text(block.why)] if block.why else []),
                ]
            )
        case Bullets(items):
            return _list(_run(item, notes) for item in items)
        case Grid():
            return _table(block, notes)


def _list(items: Iterable[str]) -> str:
    inside = "".join(f'<li dir="auto">{item}</li>' for item in items)
    return f"<ul>{inside}</ul>"


def _quotations(passages: Iterable[Quotation], notes: _Notes) -> str:
    return "".join(_quotation(passage, notes) for passage in passages)


def _quotation(block: Quotation, notes: _Notes) -> str:
    passage = block.passage
    path = " › ".join(block.headings)
    head = f'<p class="path" dir="auto">{_text(path)}</p>' if path else ""
    body = "".join(_piece(piece) for piece in block.pieces)
    title = f"{_text(block.source.title)}. " if block.source else ""
    place = notes.place(block.evidence_id)
    foot = f"{_tag(passage.tag)} {title}{_text(passage.strength)}{place}"
    return (
        f'<figure>{head}<blockquote dir="auto">{body}</blockquote><figcaption '
        f'dir="auto">{foot}</figcaption></figure>'
    )


def _piece(piece: Piece) -> str:
    if piece.kind == BlockKind.CODE:
        code = UNSEEN.sub(" ", piece.text)
        return f"<pre>{escape(code)}</pre>"
    html, end = "", 0
    for first, last in piece.marks:
        html += f"{_part(piece.text[end:first])}<mark>{_part(piece.text[first:last])}</mark>"
        end = last
    html += _part(piece.text[end:] + piece.end)
    if piece.kind == BlockKind.LIST_ITEM:
        html = f"{_text(item_mark(piece))} {html}"
    return f'<p class="{escape(piece.kind)}">{html}</p>'


def _part(text: str) -> str:
    """A part of a block, whose line breaks and spaces at its ends stay."""
    return escape(re.sub(r"[^\S\n]+", " ", UNSEEN.sub(" ", text)))


def _tag(tag: str) -> str:
    return f'<a class="tag" href="#{_text(tag)}">{_text(shown_tag(tag))}</a>'


def _table(grid: Grid, notes: _Notes) -> str:
    head = "".join(f'<th scope="col" dir="auto">{_text(column)}</th>' for column in grid.columns)
    rows = (
        "".join(f'<td dir="auto">{_run(cell, notes) or "–"}</td>' for cell in row)
        for row in grid.rows
    )
    lines = "\n".join(f"<tr>{cells}</tr>" for cells in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>"


def _run(sentences: Sequence[Sentence], notes: _Notes) -> str:
    return " ".join(_sentence(sentence, notes) for sentence in sentences)


def _sentence(sentence: Sentence, notes: _Notes) -> str:
    mark = f" {_text(sentence.indicator)}" if sentence.indicator and sentence.citations else ""
    return f"{_text(sentence.text)}{notes.marks(sentence.citations)}{mark}"


def _sources(state: ResearchState) -> Iterator[str]:
    sources = listed(state)
    if sources:
        items = "\n".join(
            f'<li id="{_text(source.tag or source.source_id)}">{_reference(source)}</li>'
            for source in sources
        )
        yield f'<section class="sources">\n<h2>Sources</h2>\n<ul>\n{items}\n</ul>\n</section>'


def _excerpt_section(excerpt_list: Sequence[Excerpt]) -> Iterator[str]:
    """The paragraphs around the passages, as they were read, source by source."""
    if excerpt_list:
        html = "\n".join(map(_excerpt, excerpt_list))
        yield f'<section class="read">\n<h2>Passages in context</h2>\n{html}\n</section>'


def _excerpt(excerpt: Excerpt) -> str:
    title = f"<b>{_text(excerpt.source.tag or '')}</b> {_text(excerpt.source.title)}"
    anchors: set[str] = set()  # a passage may go on in the next paragraph
    body = "\n".join(_as_read(paragraph, anchors) for paragraph in excerpt.paragraphs)
    more = f'<p class="path">{excerpt.more} more paragraphs are cited.</p>' if excerpt.more else ""
    return f'<h3 dir="auto">{title}</h3>\n{body}\n{more}'


def _as_read(paragraph: ReadParagraph, open_anchors: set[str]) -> str:
    html = ""
    for segment in paragraph.segments:
        anchors = "".join(
            f'<span id="x-{_text(name)}"></span>'
            for name in segment.evidence_ids
            if name not in open_anchors
        )
        open_anchors.update(segment.evidence_ids)
        html += (
            f"{anchors}<mark>{_part(segment.text)}</mark>"
            if segment.number
            else _part(segment.text)
        )
    gap = '<p class="path">[…]</p>\n' if paragraph.gap else ""
    return f'{gap}<p dir="auto">{f"<b>{html}</b>" if paragraph.level else html}</p>'


def _reference(source: Source) -> str:
    link = address(link_of(source))
    text = _text(described(source))
    html = (
        f'<a href="{escape(link)}" rel="noopener noreferrer nofollow">{text}</a>' if link else text
    )
    words = credibility_words(source)
    score = f" ({words})" if words else ""
    return f"<b>{_text(source.tag or '')}</b> <bdi>{html}</bdi>{score}"


def _text(text: str) -> str:
    return escape(line(text))
