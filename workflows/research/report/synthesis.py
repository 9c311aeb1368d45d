"""Synthesis (6): the report around the answer: strength lines, sections, disagreements, what is
open, counts."""

from dataclasses import replace

from tools.text.figures import hundredths
from tools.text.phrases import counted
from workflows.research.answer.sections import sections_of
from workflows.research.answer.strength import with_strength
from workflows.research.deps import Deps
from workflows.research.events import Event, EventKind
from workflows.research.kinds import AnswerStatus
from workflows.research.report.markdown import to_markdown
from workflows.research.report.model import Report
from workflows.research.report.quality import measure
from workflows.research.report.source_notes import all_silent, failure, unanswered, unread_pages
from workflows.research.state import ResearchState
from workflows.research.understand.discover import taken_note
from workflows.research.understand.plan import finish_tasks
from workflows.research.verify.checks import check_report
from workflows.research.verify.disagreement import disagreements_of
from workflows.research.writing.answer import write_report

_TITLE = 300  # characters


def synthesis(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with its report, Markdown and quality table."""
    deps.emit(
        Event(
            EventKind.SYNTHESIS_STARTED,
            "synthesis",
            "Writing the report.",
            {"claims": len(state.claims)},
        )
    )
    searched = state.answer.searched.sources if state.answer else 0
    state = with_strength(state, searched)
    report = Report(
        title=" ".join(state.original_query.split())[:_TITLE] or "Untitled question",
        sections=sections_of(state),
        disagreements=disagreements_of(state),
        open=_open(state),
    )
    state, unsupported = write_report(replace(state, report=report), deps)
    state, refused = check_report(replace(state, passages=()), deps)
    refused += unsupported
    state = finish_tasks(state, "synthesise")
    state = replace(state, quality=measure(state, refused))
    state = replace(state, report=_with_notes(state, deps.settings.min_confidence))
    state = replace(state, synthesis=to_markdown(state))
    used_count = counted(state.quality.sources_used, "source")
    deps.emit(
        Event(
            EventKind.SYNTHESIS_FINISHED,
            "synthesis",
            f"The report cites {used_count}.",
            {"refused": refused},
        )
    )
    return state


def _open(state: ResearchState) -> tuple[str, ...]:
    """The parts of the user's own question that nothing answers, where others are answered."""
    if state.answer is None or state.answer.status == AnswerStatus.NOT_FOUND:
        return ()
    return tuple(
        part.question for part in state.answer.parts if part.status == AnswerStatus.NOT_FOUND
    )


def _with_notes(state: ResearchState, least: float) -> Report:
    """The report with what a reader must know about how it came to be. least: confidence below
    which it says so."""
    assert state.report is not None
    notes = [failure(state)] if all_silent(state) else unread_pages(state)
    notes += state.report.notes
    confidence = state.quality.overall_confidence
    confidence_text = hundredths(confidence) if confidence is not None and state.claims else ""
    if confidence_text and float(confidence_text) < least:  # as it is shown: 0.70 is not below 0.70
        notes.append(
            f"Overall confidence is {confidence_text}, below "
            f"{hundredths(least)}. Read it with caution."
        )
    if note := taken_note(state.understanding):
        notes.append(note)
    return replace(state.report, notes=(*notes, *unanswered(state)))
