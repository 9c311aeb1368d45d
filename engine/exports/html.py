"""html: the report as one file that loads nothing: every citation leads to a note with its quote and source."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape

from engine.exports.form import address, line, link_of, listed, year
from tools.research.source import Source
from workflows.research.report import Report, Sentence
from workflows.research.state import ResearchState

STYLE = """
:root{color-scheme:light dark}
body{font:19px/1.58 Charter,"Iowan Old Style",Georgia,serif;max-width:38rem;margin:3rem auto;padding:0 1.2rem}
h1{font-size:2em;line-height:1.15}h2{font-size:1.25em;margin-top:2.4em}
.about,.notes,.sources,table,sup{font:14px/1.45 system-ui,sans-serif}
sup a{text-decoration:none}q{font-style:italic}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4em .6em .4em 0}
td,th{border-bottom:1px solid #8886}:target{background:#ddecf0;color:#1b2123}
@media print{body{max-width:none;margin:0}}
"""
_POLICY = "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"


def write(state: ResearchState) -> str:
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    report = state.report
    title = _text(report.title if report else state.original_query)
    notes = _Notes(state)
    body = [
        f"<h1>{title}</h1>",
        _about(state),
        *(_parts(report, notes) if report else ["<p>No report was written.</p>"]),
    ]
    policy = escape(_POLICY.format(hash=digest))
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
    )
    return head + "\n".join([*body, notes.written(), _sources(state)]) + "\n</main>\n</body>\n</html>\n"


class _Notes:
    """Numbers the evidence in the order it is cited, and writes the notes at the end."""

    def __init__(self, state: ResearchState) -> None:
        self._evidence = {evidence.evidence_id: evidence for evidence in state.evidence}
        self._sources = {source.source_id: source for source in state.sources}
        self._numbers: dict[str, int] = {}

    def marks(self, sentence: Sentence) -> str:
        links = []
        for citation in sentence.citations:
            number = self._numbers.setdefault(citation.evidence_id, len(self._numbers) + 1)
            links.append(f'<a href="#n{number}">{_text(citation.tag)}</a>')
        return f"<sup>[{', '.join(links)}]</sup>" if links else ""

    def written(self) -> str:
        if not self._numbers:
            return ""
        items = "\n".join(f'<li id="n{number}">{self._note(key)}</li>' for key, number in self._numbers.items())
        return f'<section class="notes">\n<h2>Evidence</h2>\n<ol>\n{items}\n</ol>\n</section>'

    def _note(self, evidence_id: str) -> str:
        evidence = self._evidence.get(evidence_id)
        if evidence is None:
            return "The evidence is not in the record."
        source = self._sources.get(evidence.source_id)
        return f"<q>{_text(evidence.quote)}</q> {_cited(source) if source else ''}"


def _parts(report: Report, notes: _Notes) -> Iterable[str]:
    for note in report.notes:
        yield f"<p><em>{_text(note)}</em></p>"
    yield _paragraph(report.summary, notes)
    if report.verdict:
        yield f"<h2>Verdict: {_text(report.verdict.label)}</h2>"
        yield _paragraph(report.verdict.sentences, notes)
    for table in report.tables:
        yield f"<h2>{_text(table.heading)}</h2>"
        yield _table(table.columns, table.rows, notes)
    for section in report.sections:
        yield f"<h2>{_text(section.heading)}</h2>"
        yield _paragraph(section.sentences, notes)
    if report.disagreements:
        yield "<h2>Where sources disagree</h2>"
        for one in report.disagreements:
            yield "<ul>" + "".join(f"<li>{_sentence(s, notes)}</li>" for s in one.sentences) + "</ul>"
    if report.open:
        yield "<h2>What stayed open</h2>\n<ul>" + "".join(f"<li>{_text(text)}</li>" for text in report.open) + "</ul>"


def _table(columns: Sequence[str], rows: Sequence[Sequence[Sequence[Sentence]]], notes: _Notes) -> str:
    head = "".join(f"<th>{_text(column)}</th>" for column in columns)
    lines = ["<tr>" + "".join(f"<td>{_run(cell, notes) or '–'}</td>" for cell in row) + "</tr>" for row in rows]
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table>"


def _paragraph(sentences: Sequence[Sentence], notes: _Notes) -> str:
    return f"<p>{_run(sentences, notes)}</p>" if sentences else ""


def _run(sentences: Sequence[Sentence], notes: _Notes) -> str:
    return " ".join(_sentence(sentence, notes) for sentence in sentences)


def _sentence(sentence: Sentence, notes: _Notes) -> str:
    mark = f" {_text(sentence.indicator)}" if sentence.indicator and sentence.citations else ""
    return f"{_text(sentence.text)}{notes.marks(sentence)}{mark}"


def _about(state: ResearchState) -> str:
    quality = state.quality
    said = (
        f"{len(state.sources)} sources, {quality.verified_claims} of {quality.total_claims} claims verified, "
        f"overall confidence {quality.overall_confidence:.2f}. Depth {state.config.depth}, as of {state.as_of}, "
        f"{state.status}. Research {state.research_id}."
    )
    return f'<p class="about">{_text(said)}</p>'


def _sources(state: ResearchState) -> str:
    items = "\n".join(f"<li>{_cited(source)}</li>" for source in listed(state))
    return f'<section class="sources">\n<h2>Sources</h2>\n<ul>\n{items}\n</ul>\n</section>' if items else ""


def _cited(source: Source) -> str:
    who = ", ".join(line(author) for author in source.authors[:3]) + (" et al." if len(source.authors) > 3 else "")
    said = ", ".join(part for part in (who, line(source.title), line(source.venue), year(source)) if part)
    link = address(link_of(source))
    shown = f'<a href="{escape(link)}" rel="noopener noreferrer nofollow">{_text(said)}</a>' if link else _text(said)
    score = f" (credibility {source.credibility.score:.2f})" if source.credibility else ""
    return f"<b>{_text(source.tag or '')}</b> {shown}{score}"


def _text(text: str) -> str:
    return escape(line(text))
