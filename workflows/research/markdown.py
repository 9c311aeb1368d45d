"""The report as Markdown: the `synthesis` of the record. Everything from outside is escaped."""

import re
from collections.abc import Sequence

from workflows.research.model import Finding
from workflows.research.report import Sentence
from workflows.research.state import ResearchState

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
_LINE_START = re.compile(r"^(\s*)([-+]|\d+[.)])(\s)")
_HIGH, _MEDIUM = 5, 5


def escape(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    plain = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _LINE_START.sub(r"\1\\\2\3", plain)


def to_markdown(state: ResearchState) -> str:
    """The report, part by part; a part without content is left out."""
    report = state.report
    if report is None:
        return ""
    parts = [f"# {escape(report.title)}"]
    parts += [f"> {escape(note)}" for note in report.notes]
    parts.append(_paragraph(report.summary))
    if report.verdict:
        parts += [f"## Verdict: {report.verdict.label}", _paragraph(report.verdict.sentences)]
    parts += _findings(state.findings, {s.source_id: s.tag or "" for s in state.sources})
    for table in report.tables:
        parts += [f"## {escape(table.heading)}", _table(table.columns, table.rows)]
    for section in report.sections:
        parts += [f"## {escape(section.heading)}", _paragraph(section.sentences)]
    if report.disagreements:
        parts.append("## Where sources disagree")
        parts += ["\n".join(f"- {_line(sentence)}" for sentence in one.sentences) for one in report.disagreements]
    if report.open:
        parts += ["## What stayed open", "\n".join(f"- {escape(text)}" for text in report.open)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _line(sentence: Sentence) -> str:
    tags = f" [{', '.join(citation.tag for citation in sentence.citations)}]" if sentence.citations else ""
    mark = f" {sentence.indicator}" if sentence.indicator and sentence.citations else ""
    return f"{escape(sentence.text)}{tags}{mark}"


def _paragraph(sentences: Sequence[Sentence]) -> str:
    return " ".join(_line(sentence) for sentence in sentences)


def _findings(findings: Sequence[Finding], tags: dict[str, str]) -> list[str]:
    shown = [f for f in findings if f.confidence == "high"][:_HIGH]
    shown += [f for f in findings if f.confidence == "medium"][:_MEDIUM]
    if not shown:
        return []
    lines = (
        f"- {escape(f.claim)} [{', '.join(tags.get(one, '') for one in f.sources)}] "
        f"({f.confidence}, mean credibility {f.average_credibility:.2f})"
        for f in shown
    )
    return ["## Key findings", "\n".join(lines)]


def _table(columns: Sequence[str], rows: Sequence[Sequence[Sequence[Sentence]]]) -> str:
    lines = ["| " + " | ".join(escape(column) for column in columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(_paragraph(cell) or "–" for cell in row) + " |" for row in rows]
    return "\n".join(lines)
