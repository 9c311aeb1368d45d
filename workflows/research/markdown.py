"""The report as Markdown: the `synthesis` of the record. Everything from outside is escaped."""

import re
from collections.abc import Mapping, Sequence

from tools.text.figures import hundredths
from workflows.research.model import Contradiction, Finding
from workflows.research.report import Disagreement, SensePart, Sentence
from workflows.research.state import ResearchState

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~])")
_LINE_START = re.compile(r"^(\s*)([-+]|\d+[.)])(\s)")


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
    parts.append(paragraph(report.summary))
    if report.verdict:
        parts += [f"## Verdict: {report.verdict.label}", paragraph(report.verdict.sentences)]
    parts += _findings(report.key_findings, {finding.claim_id: finding for finding in state.findings})
    for one in report.tables:
        parts += [f"## {escape(one.heading)}", table(one.columns, one.rows)]
    for section in report.sections:
        parts += [f"## {escape(section.heading)}", paragraph(section.sentences)]
    if report.senses:
        parts += ["## Different answers", *(_sense(one) for one in report.senses)]
    if report.disagreements:
        parts.append("## Where sources disagree")
        clashes = {one.contradiction_id: one for one in state.contradictions}
        parts += [_disagreement(one, clashes) for one in report.disagreements]
    if report.open:
        parts += ["## What stayed open", "\n".join(f"- {escape(text)}" for text in report.open)]
    return "\n\n".join(part for part in parts if part) + "\n"


def conversation(state: ResearchState) -> str:
    """What was asked after the report, with the answers; empty when nothing was."""
    parts = ["## Asked afterwards"] if state.conversation and state.kind != "ask" else []
    for turn in state.conversation:
        parts += [f"**{escape(turn.question)}**", _said(turn.text) or paragraph(turn.sentences)]
    return "\n\n".join(part for part in parts if part)


def _said(text: str) -> str:
    """The words of a model, line by line, as they are."""
    return "\n\n".join(escape(line) for line in text.splitlines() if line.strip())


def _line(sentence: Sentence) -> str:
    tags = f" [{', '.join(citation.tag for citation in sentence.citations)}]" if sentence.citations else ""
    mark = f" {sentence.indicator}" if sentence.indicator and sentence.citations else ""
    return f"{escape(sentence.text)}{tags}{mark}"


def paragraph(sentences: Sequence[Sentence]) -> str:
    return " ".join(_line(sentence) for sentence in sentences)


def _findings(sentences: Sequence[Sentence], findings: Mapping[str, Finding]) -> list[str]:
    """One line a finding, with its level, voices and mean credibility."""
    if not sentences:
        return []
    return ["## Key findings", "\n".join(f"- {_line(one)}{_standing(one, findings)}" for one in sentences)]


def _standing(sentence: Sentence, findings: Mapping[str, Finding]) -> str:
    found = next((findings[one] for one in sentence.claim_ids if one in findings), None)
    return f" ({found.confidence}, mean credibility {hundredths(found.average_credibility)})" if found else ""


def _sense(one: SensePart) -> str:
    """One answer: what it is about, its quotes, how many say so."""
    head = f"**{escape(one.thing)}**: " if one.thing else ""
    return f"- {head}{paragraph(one.sentences)}"


def _disagreement(one: Disagreement, clashes: Mapping[str, Contradiction]) -> str:
    """The two sides, and below them what differs and who says so."""
    clash = clashes.get(one.contradiction_id)
    why = f"{clash.nature.capitalize()}: {escape(clash.explanation)}. " if clash else ""
    lines = [f"- {_line(sentence)}" for sentence in one.sentences if sentence.citations]
    told = " ".join(escape(sentence.text) for sentence in one.sentences if not sentence.citations)
    return "\n".join([*lines, f"- {why}{told}"])


def table(columns: Sequence[str], rows: Sequence[Sequence[Sequence[Sentence]]]) -> str:
    lines = ["| " + " | ".join(escape(column) for column in columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(paragraph(cell) or "–" for cell in row) + " |" for row in rows]
    return "\n".join(lines)
