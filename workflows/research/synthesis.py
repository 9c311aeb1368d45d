"""Synthesis (6): from verified claims to a report: write, cite, verify, count.

Without a model the report is a brief of quotations: a summary, a verdict or a table where the question asks for one,
key findings, sections from the research tree, disagreements, what stayed open. Every sentence that is not narration is
a quote or an edited quote, carries the evidence it is made of, and stands in the report once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tools.text.figures import hundredths
from tools.text.phrases import counted
from tools.trust.confidence import weighted_mean
from tools.trust.contradict import DIRECT
from workflows.research.checks import check_report
from workflows.research.compose import Composer
from workflows.research.deps import Deps
from workflows.research.discover import taken_note
from workflows.research.events import Event
from workflows.research.markdown import to_markdown
from workflows.research.model import Claim, Gap
from workflows.research.modelled.arrange import Sections, arrange
from workflows.research.outline import FEW, FURTHER, Clash, Outline, outline
from workflows.research.plan import finish_tasks
from workflows.research.quality import measure
from workflows.research.ranking import rank
from workflows.research.report import Disagreement, Report, ReportSection, SensePart, Sentence, Table, Verdict
from workflows.research.selection import Selection, says_again, tokens
from workflows.research.sense_parts import sense_parts
from workflows.research.senses import asks_for_one_thing
from workflows.research.source_notes import all_silent, failure, unanswered, unread_pages
from workflows.research.stance import Judged, about, judge
from workflows.research.state import ResearchState
from workflows.research.wording import Wording

NOTHING_FOUND = "Nothing that could be verified was found."
_POOL = 20  # claims without a heading that a model may put under one
_ANSWERS = 0.55  # share of the question's words in a sentence of the summary that speaks of what was asked
_OPEN = 6  # questions that are called open
_LABELS = {
    "supported": "The claim is supported",
    "contested": "The claim is contested",
    "unsupported": "The claim is not supported by what was read",
}


def synthesis(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with its report, Markdown and quality table."""
    deps.emit(Event("synthesis_started", "synthesis", "Writing the report.", {"claims": len(state.claims)}))
    wording = Wording(state, deps)
    report, failed = check_report(write(state, deps, wording), state, deps)
    refused = failed + wording.refused
    state = finish_tasks(replace(state, report=report), "synthesise")
    state = replace(state, quality=measure(state, refused, deps))
    state = replace(state, report=_with_notes(state, deps))
    state = replace(state, synthesis=to_markdown(state))
    cited = sum(sentence.kind != "narration" for sentence in report.sentences())
    message = f"The report has {counted(cited, 'cited sentence')} from {counted(state.quality.sources_used, 'source')}."
    data = {"sentences": cited, "refused": refused, "written": state.quality.written_sentences}
    deps.emit(Event("synthesis_finished", "synthesis", message, data))
    return state


def write(state: ResearchState, deps: Deps, wording: Wording) -> Report:
    """The report of the state's claims, composed in the order of reading."""
    ranking = rank(state, deps)
    judged = judge(state, ranking.ordered(state.claims), deps)
    words = deps.settings.words[state.config.depth - 1]
    made = outline(state, ranking, judged, Selection(state, deps.text), words)
    if deps.work is not None:
        pool = outline(state, ranking, judged, Selection(state, deps.text), words, _POOL)
        sections = arrange(state, pool.sections, deps.work)
        made = replace(pool, sections=_trimmed(sections)) if sections else made
    composer = wording.composer
    summary = _summary(state, made, wording)
    report = Report(
        title=" ".join(state.original_query.split())[:300] or "Untitled question",
        summary=summary,
        verdict=_verdict(judged, made, composer, summary),
        key_findings=composer.sentences(made.findings),
        tables=_tables(state, made, composer),
        sections=tuple(_section(heading, claims, state, wording) for heading, claims in made.sections),
        open=_open(state, any(ranking.named[claim.claim_id] >= _ANSWERS for claim in (*made.opening, *made.summary))),
    )
    report = replace(report, disagreements=_disagreements(made.clashes, report, composer))
    said = {claim_id: sentence for sentence in report.sentences() for claim_id in sentence.claim_ids}
    parts = sense_parts(state, composer, said)
    return replace(report, senses=_once(parts, [one.text for one in report.sentences() if one.citations]))


def _trimmed(sections: Sections) -> Sections:
    """With no more under no heading than a report without a model has there."""
    return tuple((heading, claims[:FEW] if heading == FURTHER else claims) for heading, claims in sections)


def _once(parts: Sequence[SensePart], told: Sequence[str]) -> tuple[SensePart, ...]:
    """The different answers without quotes that say again what was told above, or in an answer before."""
    known = list(told)
    fresh = []
    for part in parts:
        kept = []
        for sentence in part.sentences:
            if sentence.citations and any(_repeats(sentence.text, one) for one in known):
                continue
            kept.append(sentence)
            known += [sentence.text] if sentence.citations else []
        fresh.append(replace(part, sentences=tuple(kept)))
    return tuple(fresh)


def _repeats(text: str, other: str) -> bool:
    """Whether a sentence adds nothing to another. Two that differ in the one word that is the answer both stand:
    a wrong copy of a right sentence is what this part is there to show."""
    mine, said = tokens(text), tokens(other)
    return says_again(text, other) and not (mine - said and said - mine)


def _summary(state: ResearchState, made: Outline, wording: Wording) -> tuple[Sentence, ...]:
    """What answers the question, and the counts behind it."""
    composer = wording.composer
    said = [composer.sentence(claim) for claim in made.opening]
    if made.opening:
        standing = _standing(made.opening, said)
        said.append(composer.narration(f"On this the sources contradict each other: {standing}."))
    said += wording.part("Summary", made.summary)
    return (*said, *(composer.narration(text) for text in _closing(state, made)))


def _standing(sides: Sequence[Claim], said: Sequence[Sentence]) -> str:
    """How many voices each side has. The sides go by their sources: not everybody who shows them keeps their order."""
    first, second = (_and(dict.fromkeys(cite.tag for cite in one.citations)) for one in said)
    voices = [counted(side.independent_sources, "voice") for side in sides]
    return f"the statement of {first} stands on {voices[0]}, that of {second} on {voices[1]}"


def _and(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _closing(state: ResearchState, made: Outline) -> list[str]:
    """Counts behind the summary: of the contradictions those that the report shows."""
    verified = [claim for claim in state.claims if claim.verified]
    if not verified:
        return []
    shared = sum(claim.cross_validated for claim in verified)
    sources = len({source for claim in verified for source in claim.supporting_sources})
    direct = sum(one.contradiction.nature == DIRECT for one in made.clashes)
    known = bool(made.opening)  # the summary has named one already
    disagreed = [f"The sources contradict each other on {counted(direct, 'point')}."] if direct > known else []
    return [_support(shared, len(verified), sources), *disagreed]


def _support(shared: int, verified: int, sources: int) -> str:
    rest = f"together they rest on {counted(sources, 'source')}"
    if verified == 1:
        return f"This is the only statement that could be verified; it rests on {counted(sources, 'source')}."
    if not shared:
        return f"None of the {verified} verified statements is supported by more than one voice; {rest}."
    verb = "is" if shared == 1 else "are"
    return f"{shared} of {verified} verified statements {verb} supported by two or more independent voices; {rest}."


def _verdict(judged: Judged | None, made: Outline, composer: Composer, summary: Sequence[Sentence]) -> Verdict | None:
    """The balance of voices, whom the summary quotes for either side, and what they say beyond it."""
    if judged is None:
        return None
    if judged.in_favour or judged.against:
        balance = f"{_LABELS[judged.label]}: {counted(judged.in_favour, 'voice')} for it, "
        told = [f"{balance}{counted(judged.against, 'voice')} against."]
    else:
        told = ["Nothing that was read says plainly that the claim is so, or that it is not."]
    if judged.inner:
        told.append(f"The voices for it contradict each other on {counted(judged.inner, 'point')}.")
    told += _quoted(judged, summary)
    said = (*(composer.narration(text) for text in told), *composer.sentences((*made.supporting, *made.opposing)))
    return Verdict(judged.label, judged.in_favour, judged.against, said)


def _quoted(judged: Judged, summary: Sequence[Sentence]) -> list[str]:
    """Whose sentences the summary has of either side: the strongest words of a verdict stand there."""
    sides = []
    for claims, where in ((judged.supporting, "for it"), (judged.opposing, "against it")):
        ids = {claim.claim_id for claim in claims}
        tags = [one.citations[0].tag for one in summary if one.citations and not ids.isdisjoint(one.claim_ids)]
        sides += [f"{_and(dict.fromkeys(tags))} {where}"] if tags else []
    return [f"The summary quotes {', '.join(sides)}."] if sides else []


def _section(heading: str, claims: Sequence[Claim], state: ResearchState, wording: Wording) -> ReportSection:
    weights = {question.id: question.weight for question in state.plan.questions}
    confidence = weighted_mean((claim.confidence, weights.get(claim.question_id, 0.0)) for claim in claims)
    return ReportSection(heading, wording.part(heading, claims), confidence)


def _disagreements(clashes: Sequence[Clash], report: Report, composer: Composer) -> tuple[Disagreement, ...]:
    """Both sides of each, the stronger first, and how many voices they have. Sides that the report has told are its own
    sentences, shown here once more beside each other; nothing is written twice."""
    known = {claim_id: sentence for sentence in report.sentences() for claim_id in sentence.claim_ids}
    made = []
    for clash in clashes:
        said = [known.get(side.claim_id) or composer.sentence(side) for side in clash.sides]
        known.update({claim_id: one for one in said for claim_id in one.claim_ids})
        text = f"{_standing(clash.sides, said)}."
        told = composer.narration(text[0].upper() + text[1:])
        made.append(Disagreement(clash.contradiction.contradiction_id, (*said, told)))
    return tuple(made)


def _tables(state: ResearchState, made: Outline, composer: Composer) -> tuple[Table, ...]:
    """The comparison by dimension."""
    if not made.rows:
        return ()
    rows = tuple(
        ((composer.narration(row.heading),), *(composer.sentences(cell) for cell in row.cells)) for row in made.rows
    )
    return (Table("Comparison", ("", *state.understanding.subjects), rows),)


def _open(state: ResearchState, told: bool = False) -> tuple[str, ...]:
    """Questions that found little, the main ones first, and the perspectives that found nothing.

    Whoever asks for a date or a number is told whether that is open, not what else might be asked. told: the summary
    speaks of what was asked, whichever question of the plan has the passages; then nothing found is not said of it.
    """
    gaps: Sequence[Gap] = sorted(state.gaps, key=lambda gap: (-gap.importance, int(gap.question_id[1:])))
    named = {question.id: question for question in state.plan.questions}
    mute = {one.name for one in state.plan.perspectives} - {q.perspective for q in named.values() if q.evidence_ids}
    known = [(gap, named[gap.question_id]) for gap in gaps if gap.question_id in named]
    if told:
        known = [(gap, q) for gap, q in known if q.coverage or q.text != state.original_query]
    if asks_for_one_thing(state):
        known, mute = [(gap, q) for gap, q in known if q.text == state.original_query.strip()], set()
    known = [(gap, q) for gap, q in known if q.tier != "tertiary" or q.perspective not in mute]
    texts = [_open_text(gap.text, q.coverage) for gap, q in known]
    silent = [one.name.lower() for one in state.plan.perspectives if one.name in mute]
    seen = [f"Nothing was found from the point of view of the {_listed(silent)}."] if silent else []
    unnamed = [
        f"Nothing that was read speaks of {subject}."
        for subject in state.understanding.subjects
        if not any(claim.verified and about(claim, subject) for claim in state.claims)
    ]
    return (*unnamed, *dict.fromkeys([text for text in texts if text][:_OPEN]), *seen)


def _listed(names: Sequence[str]) -> str:
    return " and the ".join((", the ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]


def _open_text(question: str, coverage: float) -> str:
    """A question nobody answered, or only one voice; better covered ones are not called open."""
    if coverage == 0:
        return f"{question} (nothing was found)"
    return f"{question} (one voice only)" if coverage < 0.5 else ""


def _with_notes(state: ResearchState, deps: Deps) -> Report:
    """The report with what must stand at its head."""
    assert state.report is not None
    trouble = [failure(state)] if all_silent(state) else unread_pages(state)
    notes = [*trouble, *state.report.notes, *_written_note(state)]
    overall = state.quality.overall_confidence
    if not any(sentence.kind != "narration" for sentence in state.report.sentences()):
        notes.append(NOTHING_FOUND)
    elif float(hundredths(overall)) < deps.settings.min_confidence:
        least = hundredths(deps.settings.min_confidence)
        notes.append(f"Overall confidence is {hundredths(overall)}, below {least}: read with care.")
    if taken := taken_note(state.understanding):
        notes.append(taken)
    notes += unanswered(state)
    return replace(state.report, notes=tuple(notes))


def _written_note(state: ResearchState) -> list[str]:
    """Who wrote sentences of the report, and how many were refused."""
    assert state.report is not None
    quality, names = state.quality, sorted({one.model for one in state.report.sentences() if one.model})
    if not names:
        return []
    dropped = quality.refused_sentences
    left_out = f"; {counted(dropped, 'sentence')} did not pass and {'was' if dropped == 1 else 'were'} left out"
    count = quality.written_sentences
    told = f"{counted(count, 'sentence')} {'was' if count == 1 else 'were'}"
    return [
        f"{told} written by {', '.join(names)}, checked against the "
        f"passage it cites{left_out if dropped else ''}; all others are quotations."
    ]
