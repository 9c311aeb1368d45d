"""Words for what was done with a finished research: the pieces of work, the revisions, what
differs."""

from collections.abc import Sequence

from engine.models import ResearchState
from ui.web.views.citations import short
from ui.web.views.labels import confidence_words, many

# What a page says while it is done
ACTIONS = {
    "exclude": "Making the report again without {subject}",
    "include": "Making the report again with {subject}",
    "deepen": "Searching and reading another round",
    "rescore": "Scoring with today's lists",
    "replay": "Replaying over the stored texts",
    "recheck": "Reading the cited pages again",
}
ENDED = {"replay": "Replayed over the stored texts", "recheck": "The cited pages, read again"}
# What a new revision is, said on the report
OVER = {
    "exclude": "The report was made again without {subject}.",
    "include": "The report was made again with {subject}.",
    "deepen": "One more round was searched and read.",
    "rescore": "The sources were scored with today's lists.",
}
FIELDS = {
    "sources": "the sources",
    "claims": "the statements and their confidence",
    "evidence": "the passages chosen",
    "contradictions": "the contradictions",
    "findings": "the findings",
    "authority": "the authority of the sources",
    "report": "the text of the report",
    "synthesis": "the text of the report",
    "quality": "the quality figures",
    "trajectory": "the log",
    "gaps": "the open questions",
    "senses": "the different answers",
    "versions": "the versions of the program and its lists",
}
BY_YOU = " by you: "


def heading(action: str, subject: str, running: bool, failed: bool) -> str:
    """What the page of a piece of work is called."""
    if failed:
        return "Not done"
    return ACTIONS[action].format(subject=subject) if running else ENDED.get(action, "Done")


def field_words(names: Sequence[str]) -> tuple[str, ...]:
    """Names of fields of the record as words, each once."""
    return tuple(dict.fromkeys(FIELDS.get(name, name.replace("_", " ")) for name in names))


def revision_rows(
    states: Sequence[ResearchState],
) -> list[tuple[ResearchState, tuple[str, ...], tuple[str, ...]]]:
    """Each revision with its facts and its differences from the one before, in short sentences;
    newest first."""
    rows = []
    for place, state in enumerate(states):
        facts = (
            f"{many(state.quality.sources_used, 'source')} cited",
            *confidence_words(state.quality.overall_confidence),
        )
        changed = changes(states[place - 1], state) if place else ("The first report.",)
        rows.append((state, facts, changed))
    return rows[::-1]


def changes(before: ResearchState, after: ResearchState) -> tuple[str, ...]:
    """What was done between two revisions, as far as the records say."""
    entries = after.trajectory[len(before.trajectory) :]
    messages = [entry.message for entry in entries if BY_YOU in entry.message] or [
        message for message in by_sources(before, after) if message
    ]
    questions = _further_questions(before, after)
    messages += [f"Searched and read further for “{short(text, 120)}”" for text in questions]
    if not questions and _rounds(after) > _rounds(before):
        messages.append("Searched and read further.")
    if turns := [
        turn
        for turn in after.conversation[len(before.conversation) :]
        if turn.question not in questions
    ]:
        messages.append(f"{many(len(turns), 'question')} asked about the report.")
    return tuple(messages) or ("Made again from the same sources.",)


def _further_questions(before: ResearchState, after: ResearchState) -> list[str]:
    ids = {question.id for question in before.plan.questions}
    added = [question for question in after.plan.questions if question.id not in ids]
    return [question.text for question in added if question.tier == "primary"]


def _rounds(state: ResearchState) -> int:
    return max(state.round, state.quality.iterations)


def by_sources(before: ResearchState, after: ResearchState) -> tuple[str, str]:
    """Sources that came and went, counted."""
    source_sets = [
        {source.source_id for source in state.sources if not source.rejected}
        for state in (before, after)
    ]
    came, went = len(source_sets[1] - source_sets[0]), len(source_sets[0] - source_sets[1])
    return (
        f"{many(came, 'source')} more." if came else "",
        f"{many(went, 'source')} fewer." if went else "",
    )
