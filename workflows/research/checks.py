"""The last gate: every sentence is checked against the stored texts before the report exists; what fails is refused."""

from dataclasses import replace

from tools.trust.edits import QuoteEdit, replay
from tools.trust.quotable import shown
from workflows.research.deps import Deps
from workflows.research.model import Evidence
from workflows.research.modelled.gate import by_rules, form_problem
from workflows.research.report import Report, Sentence
from workflows.research.state import ResearchState

KINDS = ("quote", "edited", "written", "narration")


def check_report(report: Report, state: ResearchState, deps: Deps) -> tuple[Report, int]:
    """The report without sentences that fail, and how many failed."""
    evidence = {one.evidence_id: one for one in state.evidence}
    tags = {source.source_id: source.tag for source in state.sources}
    refused = 0

    def keep(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
        nonlocal refused
        good = tuple(s for s in sentences if problem_of(s, evidence, tags, deps) is None)
        refused += len(sentences) - len(good)
        return good

    checked = replace(
        report,
        summary=keep(report.summary),
        verdict=replace(report.verdict, sentences=keep(report.verdict.sentences)) if report.verdict else None,
        key_findings=keep(report.key_findings),
        tables=tuple(
            replace(table, rows=tuple(tuple(keep(cell) for cell in row) for row in table.rows))
            for table in report.tables
        ),
        sections=tuple(replace(s, sentences=keep(s.sentences)) for s in report.sections),
        disagreements=tuple(replace(d, sentences=keep(d.sentences)) for d in report.disagreements),
        senses=tuple(replace(one, sentences=keep(one.sentences)) for one in report.senses),
    )
    return replace(checked, sections=tuple(s for s in checked.sections if s.sentences)), refused


def problem_of(
    sentence: Sentence, evidence: dict[str, Evidence], tags: dict[str, str | None], deps: Deps
) -> str | None:
    """Why a sentence may not stand in the report, or None."""
    if sentence.kind == "narration":
        return "narration cites nothing" if sentence.citations else None
    if not sentence.citations:
        return "no citation"
    for citation in sentence.citations:
        one = evidence.get(citation.evidence_id)
        if one is None or one.source_id != citation.source_id or tags.get(citation.source_id) != citation.tag:
            return "the citation leads nowhere"
        if deps.text(one.snapshot_id)[one.start : one.end] != one.quote:
            return "the quotation is not in the stored text"
    first = evidence[sentence.citations[0].evidence_id]
    before = deps.text(first.snapshot_id)[: first.start]
    if sentence.kind == "written":
        return _written_problem(sentence, first, deps)
    return _wording_problem(sentence, first.quote) or _bracket_problem(sentence, before)


def _written_problem(sentence: Sentence, first: Evidence, deps: Deps) -> str | None:
    """A sentence by a model: held against its first passage once more, by the rules, whoever admitted it."""
    if not (sentence.model and sentence.verifier) or sentence.edits:
        return "nobody says who wrote it and who let it pass"
    passage, _ = shown(deps.text(first.snapshot_id), first.start, first.end)
    said = form_problem(sentence.text) or by_rules(sentence.text, passage, deps.verifier, deps.settings.span_threshold)
    return said if isinstance(said, str) and said else None


def _bracket_problem(sentence: Sentence, before: str) -> str | None:
    """What stands in brackets for a pronoun must have been named before the quote, in the same text."""
    known = " ".join(before.split())
    for edit in sentence.edits:
        name = edit.replacement.strip("[]").removesuffix("’s").removesuffix("’")
        if edit.kind == "pronoun" and name.lower() != "the authors" and name not in known:
            return "the name in brackets is not in the text before the quote"
    return None


def _wording_problem(sentence: Sentence, quote: str) -> str | None:
    edits = [QuoteEdit(e.start, e.end, e.replacement, e.kind) for e in sentence.edits]
    if bool(edits) != (sentence.kind == "edited"):
        return "the kind does not fit the edits"
    return None if replay(quote, edits) == sentence.text else "the edits do not lead from the quote to the sentence"
