"""Synthesis (6): from verified claims to a report: write, cite, verify, count.

Without a model the report is a brief of quotations: a summary, a verdict or a table where the question asks for one,
sections from the research tree, disagreements, what stayed open. Every sentence that is not narration is a quote or an
edited quote and carries the evidence it is made of.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tools.text.phrases import counted
from tools.trust.contradict import COMPARABLE, DIRECT
from tools.trust.statement import analyse
from workflows.research.checks import check_report
from workflows.research.compose import Composer, by_rank
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.evidence import SIDES
from workflows.research.markdown import to_markdown
from workflows.research.model import Claim, Contradiction, Gap, Question
from workflows.research.plan import finish_tasks
from workflows.research.quality import measure
from workflows.research.report import Disagreement, Report, ReportSection, Sentence, Table
from workflows.research.stance import about, verdict
from workflows.research.state import ResearchState
from workflows.research.templates import TEMPLATES

_SUMMARY = 5
_SECTION = 7
_MEASURES = COMPARABLE - {"time", "count"}  # "for three years" measures nothing
_AGREED = 0.1  # what agreement is worth beside closeness in the summary
_BEARS = 0.5  # of the closest claim: what bears on the question at all
_CLOSE = 0.7  # of the closest claim: what may open the report
_SECTIONS = 6
_DISAGREEMENTS = 8
NOTHING_FOUND = "Nothing that could be verified was found."


def synthesis(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with its report, Markdown and quality table."""
    deps.emit(Event("synthesis_started", "synthesis", "Writing the report.", {"claims": len(state.claims)}))
    report = write(state, deps)
    report, refused = check_report(report, state, deps)
    state = finish_tasks(replace(state, report=report), "synthesise")
    state = replace(state, quality=measure(state, refused, deps))
    state = replace(state, report=_with_notes(state, deps))
    state = replace(state, synthesis=to_markdown(state))
    written = sum(sentence.kind != "narration" for sentence in report.sentences())
    message = (
        f"The report has {counted(written, 'cited sentence')} from {counted(state.quality.sources_used, 'source')}."
    )
    deps.emit(Event("synthesis_finished", "synthesis", message, {"sentences": written, "refused": refused}))
    return state


def write(state: ResearchState, deps: Deps) -> Report:
    """The report of the state's claims; parts in the order in which claims are handed out, not of reading."""
    composer = Composer(state)
    relevance = closeness(state, deps)
    ranked = by_rank(state.claims, relevance)
    left = _budget(deps.settings.words[state.config.depth - 1])
    calm = [claim for claim in ranked if not claim.contradicting_evidence_ids]
    tables = _tables(state, composer, ranked)
    opening = contested(state, composer, relevance)
    room = max(1, min(_SUMMARY - len(opening), len(calm) // 3))
    summary = opening + composer.take(leading(calm, relevance), room)
    disagreements = _disagreements(state, composer)
    judged = verdict(state, composer, ranked, deps)
    sections = _sections(state, composer, ranked, relevance, left)
    summary += _closing(state, composer, told=bool(opening))
    return Report(
        title=" ".join(state.original_query.split())[:300] or "Untitled question",
        summary=tuple(summary),
        verdict=judged,
        tables=tables,
        sections=sections,
        disagreements=disagreements,
        open=_open(state),
    )


def closeness(state: ResearchState, deps: Deps) -> dict[str, float]:
    """How close each claim is to the question, 0..1: its evidence's score, and its meaning where embeddings tell."""
    score = {evidence.evidence_id: evidence.score for evidence in state.evidence}
    near = {claim.claim_id: score[claim.evidence_ids[0]] for claim in state.claims}
    meaning = deps.similarity(state.original_query, [claim.text for claim in state.claims]) if state.claims else None
    if meaning is None:
        return near
    pairs = zip(state.claims, meaning, strict=True)
    return {claim.claim_id: round((near[claim.claim_id] + like) / 2, 6) for claim, like in pairs}


def leading(claims: Sequence[Claim], relevance: Mapping[str, float]) -> list[Claim]:
    """Claims fit for the summary: nearly as close to the question as the closest; agreed ones before single voices."""
    closest = max((relevance[claim.claim_id] for claim in claims), default=0.0)
    near = [claim for claim in claims if relevance[claim.claim_id] >= _CLOSE * closest]
    fit = [claim for claim in near if claim.cross_validated or _says_how_much(claim)] or near
    bonus = {claim.claim_id: _AGREED * claim.cross_validated for claim in fit}
    return sorted(fit, key=lambda claim: -round(relevance[claim.claim_id] + bonus[claim.claim_id], 6))


def _says_how_much(claim: Claim) -> bool:
    """Whether a claim gives a figure or says which way something goes."""
    statement = analyse(claim.text)
    return bool(statement.direction) or any(quantity.kind in _MEASURES for quantity in statement.quantities)


def contested(state: ResearchState, composer: Composer, relevance: Mapping[str, float]) -> list[Sentence]:
    """Both sides of the direct contradiction closest to the question, when hardly anything is closer than it.

    An answer the sources disagree about is still what was asked for; it must not stand at the end alone.
    """
    closest = max(relevance.values(), default=0.0)
    pairs = [_sides(one, state) for one in state.contradictions if one.nature == DIRECT]
    near = [pair for pair in pairs if max(relevance[side.claim_id] for side in pair) >= _CLOSE * closest]
    near = [pair for pair in near if all(composer.usable(side) for side in pair)]
    if not near:
        return []
    best = max(near, key=lambda pair: round(max(relevance[side.claim_id] for side in pair), 6))
    told = f"On this the sources contradict each other: {_standing(best)}."
    return [*(composer.foretold(side) for side in best), composer.narration(told)]


def _sides(one: Contradiction, state: ResearchState) -> tuple[Claim, Claim]:
    """The two claims of a contradiction, the stronger first."""
    pair = [claim for claim in state.claims if claim.claim_id in (one.claim_a, one.claim_b)]
    first, second = sorted(pair, key=lambda c: (-c.independent_sources, -c.confidence, int(c.claim_id[1:])))
    return first, second


def _standing(sides: tuple[Claim, Claim]) -> str:
    first, second = (side.independent_sources for side in sides)
    return f"the first stands on {counted(first, 'voice')}, the second on {counted(second, 'voice')}"


def _budget(words: int) -> Callable[[int], int]:
    """How many words are left; each call takes some away."""
    left = [words]

    def take(used: int = 0) -> int:
        left[0] -= used
        return left[0]

    return take


def _closing(state: ResearchState, composer: Composer, told: bool) -> list[Sentence]:
    """Counts behind the summary. told: it has already named one contradiction."""
    verified = [claim for claim in state.claims if claim.verified]
    if not verified:
        return []
    shared = sum(claim.cross_validated for claim in verified)
    sources = len({source for claim in verified for source in claim.supporting_sources})
    text = (
        f"{shared} of {counted(len(verified), 'verified statement')} {'is' if shared == 1 else 'are'} supported by two "
        f"or more independent voices; together they rest on {counted(sources, 'source')}."
    )
    direct = sum(one.nature == DIRECT for one in state.contradictions)
    disagreed = [f"The sources contradict each other on {counted(direct, 'point')}."] if direct > told else []
    return [composer.narration(text) for text in (text, *disagreed)]


def _sections(
    state: ResearchState,
    composer: Composer,
    ranked: Sequence[Claim],
    relevance: Mapping[str, float],
    left: Callable[[int], int],
) -> tuple[ReportSection, ...]:
    """Sections of the tree's questions that have claims, in the tree's order; cut by confidence."""
    headed = [question for question in state.plan.questions if question.heading][:_SECTIONS]
    sections = []
    closest = max(relevance.values(), default=0.0)
    near = [claim for claim in ranked if relevance[claim.claim_id] >= _BEARS * closest]
    for question in headed:
        own = [claim for claim in near if _belongs(claim, question, headed)]
        sentences = composer.take(own, _SECTION, lambda: left(0))
        left(sum(len(sentence.text.split()) for sentence in sentences))
        if sentences:
            sections.append(ReportSection(question.heading, tuple(sentences)))
    return tuple(sections)


def _belongs(claim: Claim, question: Question, headed: Sequence[Question]) -> bool:
    """Claims of questions without a heading of their own join the first section that takes no side."""
    if claim.question_id == question.id:
        return True
    open_to_all = next((one for one in headed if one.heading not in SIDES), headed[0])
    return question is open_to_all and claim.question_id not in {one.id for one in headed}


def _disagreements(state: ResearchState, composer: Composer) -> tuple[Disagreement, ...]:
    """Both sides of each contradiction, the stronger first, and how many voices each has."""
    order = {"direct": 0, "nuanced": 1, "scope": 2}
    found: list[Disagreement] = []
    for one in sorted(state.contradictions, key=lambda c: (order[c.nature], int(c.contradiction_id[1:]))):
        sides = _sides(one, state)
        if len(found) >= _DISAGREEMENTS or not all(composer.usable(side) for side in sides):
            continue
        sentences = [composer.sentence(side) for side in sides]
        text = f"{_standing(sides).capitalize()}."
        found.append(Disagreement(one.contradiction_id, (*sentences, composer.narration(text))))
    return tuple(found)


def _tables(state: ResearchState, composer: Composer, ranked: Sequence[Claim]) -> tuple[Table, ...]:
    """A comparison by dimension: the best statement about each subject in each row."""
    subjects = state.understanding.subjects
    if state.understanding.query_type != "comparison" or len(subjects) != 2:
        return ()
    rows = []
    for row in TEMPLATES["comparison"]:
        ids = {q.id for q in state.plan.questions if q.heading == row.heading}
        own = [claim for claim in ranked if claim.question_id in ids]
        cells = []
        for i, subject in enumerate(subjects):
            fits = [c for c in own if about(c, subject) and not about(c, subjects[1 - i])]
            cells.append(tuple(composer.take(fits, 1)))
        if any(cells):
            rows.append(((composer.narration(row.heading),), *cells))
    return (Table("Comparison", ("", *subjects), tuple(rows)),) if rows else ()


def _open(state: ResearchState) -> tuple[str, ...]:
    """Questions that found little, and perspectives that found nothing."""
    gaps: Sequence[Gap] = sorted(state.gaps, key=lambda gap: (-gap.importance, int(gap.question_id[1:])))
    named = {question.id: question for question in state.plan.questions}
    texts = [_open_text(gap.text, named[gap.question_id].coverage) for gap in gaps if gap.question_id in named]
    silent = [
        f"The perspective “{perspective.name}” found no evidence."
        for perspective in state.plan.perspectives
        if not any(q.evidence_ids for q in state.plan.questions if q.perspective == perspective.name)
    ]
    return tuple(dict.fromkeys(text for text in (*texts, *silent) if text))


def _open_text(question: str, coverage: float) -> str:
    """A question nobody answered, or only one voice; better covered ones are not called open."""
    if coverage == 0:
        return f"{question} (nothing was found)"
    return f"{question} (one voice only)" if coverage < 0.5 else ""


def _with_notes(state: ResearchState, deps: Deps) -> Report:
    """The report with what must stand at its head."""
    assert state.report is not None
    notes = list(state.report.notes)
    overall = state.quality.overall_confidence
    if not any(sentence.kind != "narration" for sentence in state.report.sentences()):
        notes.append(NOTHING_FOUND)
    elif round(overall, 2) < deps.settings.min_confidence:
        notes.append(f"Overall confidence is {overall:.2f}, below {deps.settings.min_confidence:.2f}: read with care.")
    if state.understanding.entity:
        notes.append(f"Taken as: {state.understanding.entity}.")
    notes += _unanswered([report.problem for report in state.clients if report.problem])
    return replace(state.report, notes=tuple(notes))


def _unanswered(problems: Sequence[str]) -> list[str]:
    """The clients that did not answer, those with one reason together ("arXiv: rate limited; skipped")."""
    if not problems:
        return []
    reasons: dict[str, list[str]] = {}
    for problem in problems:
        label, _, reason = problem.partition(": ")
        reasons.setdefault(reason.removesuffix("; skipped").rstrip("."), []).append(label)
    told = (f"{', '.join(labels)}: {reason}." if reason else f"{labels[0]}." for reason, labels in reasons.items())
    return [f"Not every source answered. {' '.join(told)}"]
