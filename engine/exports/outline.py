"""What every format that is read by people has around the report: its title, its figures, what
stands below it."""

from collections.abc import Iterator

from engine.reports import figures
from tools.text.plain import line
from workflows.research.report.blocks import (
    Block,
    Bullets,
    Grid,
    Heading,
    Paragraph,
    Remark,
    narrated,
)
from workflows.research.state import ResearchState

_AUTHORITIES = 10


def apparatus(state: ResearchState) -> Iterator[Block]:
    """What stands below the list of sources: which weigh most, what the user noted and checked,
    those set aside with the reason, the quality table."""
    ranked = state.get_authoritative_sources(len(state.sources))
    tags = [source.tag for source in ranked if source.tag and not source.is_local][:_AUTHORITIES]
    if len(tags) > 1:
        yield Remark(
            "Most authoritative, by credibility and by how often the others cite them: "
            f"{', '.join(tags)}."
        )
    yield from annotations(state)
    aside = [source for source in state.sources if source.rejected]
    if aside:
        yield Heading("Set aside")
        yield Bullets(
            tuple((narrated(f"{line(source.title)}. {line(source.rejected)}"),) for source in aside)
        )
    if not state.is_conversation:
        yield Heading("Quality")
        yield Grid(
            ("Figure", "Value"),
            tuple(((narrated(a),), (narrated(b),)) for a, b in figures.quality(state)),
        )


MARKS = {"yes": "Confirmed", "part": "Only partly", "no": "Disputed"}


def annotations(state: ResearchState) -> Iterator[Block]:
    """The note and the tags of the user, and the sentences that they checked."""
    user = state.user
    if user.note or user.tags:
        yield Heading("Your note")
        yield from (
            Paragraph((narrated(line(text)),)) for text in user.note.splitlines() if text.strip()
        )
        if user.tags:
            yield Remark(f"Tags: {', '.join(map(line, user.tags))}.")
    if user.checks:
        yield from _checks(state)


def _checks(state: ResearchState) -> Iterator[Block]:
    tags = {source.source_id: source.tag or line(source.title) for source in state.sources}
    entries = (
        f"{MARKS[check.mark]}, {tags.get(check.source_id, '?')}: {line(check.text)}"
        for check in state.user.checks
    )
    yield Heading("Checked by you")
    yield Bullets(tuple((narrated(text),) for text in entries))


def title_of(state: ResearchState) -> str:
    return line(state.report.title if state.report else state.original_query)


def facts_of(state: ResearchState) -> str:
    """The lines under the title."""
    models = ", ".join(map(line, state.model_names)) or "no model"
    return (
        f"{figures.counts(state)}. Depth {state.config.depth}, {models}, as of {state.as_of}, "
        f"{state.status}."
    )
