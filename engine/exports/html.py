"""html: the report as one file that loads nothing: every citation leads to a note with its quote and source.

The note leads back to the sentence; on paper the notes stand at the end. No script, no image, no outside address but
those of the sources.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape

from engine.exports import outline
from engine.exports.form import address, line, link_of, listed, year
from engine.exports.outline import Bullets, Cited, Grid, Heading, Paragraph, Remark
from engine.figures import hundredths
from tools.research.source import Source
from workflows.research.report import Citation, Sentence
from workflows.research.state import ResearchState

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
@media print{body{max-width:none;margin:0;font-size:10.5pt}h2{break-after:avoid}li,tr{break-inside:avoid}}
@media print{.back{display:none}}
"""
_POLICY = "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"


def write(state: ResearchState) -> str:
    return page(state, STYLE)


def page(state: ResearchState, style: str) -> str:
    """The whole file with one style sheet."""
    title = _text(outline.title_of(state))
    notes = _Notes(outline.Lookup(state))
    body = [f'<h1 dir="auto">{title}</h1>', f'<p class="about">{_text(outline.facts_of(state))}</p>']
    body += [part for block in outline.blocks(state) for part in _block(block, notes)]
    body += [
        *notes.written(),
        *_sources(state),
        *(part for block in outline.apparatus(state) for part in _block(block, notes)),
        f"<footer><p>Zorora, research {_text(state.research_id)}.</p></footer>",
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

    def __init__(self, lookup: outline.Lookup) -> None:
        self._lookup = lookup
        self._numbers: dict[str, int] = {}
        self._cited: dict[str, Cited] = {}

    def marks(self, sentence: Sentence) -> str:
        links = [self._mark(citation) for citation in sentence.citations]
        return f"<sup>[{', '.join(links)}]</sup>" if links else ""

    def _mark(self, citation: Citation) -> str:
        new = citation.evidence_id not in self._numbers
        number = self._numbers.setdefault(citation.evidence_id, len(self._numbers) + 1)
        self._cited.setdefault(citation.evidence_id, self._lookup.cited(citation))
        own = f' id="r{number}"' if new else ""
        return f'<a href="#n{number}"{own}>{number}</a>'

    def written(self) -> Iterator[str]:
        if self._numbers:
            items = "\n".join(f'<li id="n{n}">{self._note(key, n)}</li>' for key, n in self._numbers.items())
            yield f'<section class="notes">\n<h2>Evidence</h2>\n<ol>\n{items}\n</ol>\n</section>'

    def _note(self, evidence_id: str, number: int) -> str:
        cited = self._cited[evidence_id]
        if cited.evidence is None:
            return "The evidence is not in the record."
        back = f' <a class="back" href="#r{number}" aria-label="Back to the sentence">↩</a>'
        source = _cited(cited.source) if cited.source else ""
        return f'<q dir="auto">{_text(cited.evidence.quote)}</q> {source}{back}'


def _block(block: outline.Block, notes: _Notes) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f'<h2 dir="auto">{_text(block.text)}</h2>'
    elif isinstance(block, Remark):
        yield f'<p dir="auto"><em>{_text(block.text)}</em></p>'
    elif isinstance(block, Paragraph):
        yield f'<p dir="auto">{_run(block.sentences, notes)}</p>'
    elif isinstance(block, Bullets):
        yield "<ul>" + "".join(f'<li dir="auto">{_run(item, notes)}</li>' for item in block.items) + "</ul>"
    else:
        yield _table(block, notes)


def _table(grid: Grid, notes: _Notes) -> str:
    head = "".join(f'<th scope="col" dir="auto">{_text(column)}</th>' for column in grid.columns)
    rows = ("".join(f'<td dir="auto">{_run(cell, notes) or "–"}</td>' for cell in row) for row in grid.rows)
    lines = "\n".join(f"<tr>{cells}</tr>" for cells in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>"


def _run(sentences: Sequence[Sentence], notes: _Notes) -> str:
    return " ".join(_sentence(sentence, notes) for sentence in sentences)


def _sentence(sentence: Sentence, notes: _Notes) -> str:
    mark = f" {_text(sentence.indicator)}" if sentence.indicator and sentence.citations else ""
    return f"{_text(sentence.text)}{notes.marks(sentence)}{mark}"


def _sources(state: ResearchState) -> Iterator[str]:
    sources = listed(state)
    if sources:
        items = "\n".join(f"<li>{_cited(source)}</li>" for source in sources)
        yield f'<section class="sources">\n<h2>Sources</h2>\n<ul>\n{items}\n</ul>\n</section>'


def _cited(source: Source) -> str:
    link = address(link_of(source))
    said = _text(described(source))
    shown = f'<a href="{escape(link)}" rel="noopener noreferrer nofollow">{said}</a>' if link else said
    score = f" (credibility {hundredths(source.credibility.score)})" if source.credibility else ""
    return f"<b>{_text(source.tag or '')}</b> <bdi>{shown}</bdi>{score}"


def described(source: Source) -> str:
    """Who, what, where, when."""
    who = ", ".join(line(author) for author in source.authors[:3]) + (" et al." if len(source.authors) > 3 else "")
    return ", ".join(part for part in (who, line(source.title), line(source.venue), year(source)) if part)


def _text(text: str) -> str:
    return escape(line(text))
