"""Outline: which claim stands in which part of a report. Every claim is said once; later parts go on from earlier ones.

In the order in which claims are handed out: the contradiction that is itself the answer, the summary, the cells of a
comparison, the sides of other disagreements, key findings, sections. What is left is not said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tools.trust.contradict import COMPARABLE, DIRECT
from tools.trust.statement import analyse
from workflows.research.evidence import SIDES
from workflows.research.model import Claim, Contradiction, Question
from workflows.research.plan import cue_words
from workflows.research.ranking import Ranking, number
from workflows.research.roles import DEFINING, defines, fit, in_time, year
from workflows.research.selection import Selection
from workflows.research.senses import SENSES
from workflows.research.stance import Judged, about
from workflows.research.state import ResearchState
from workflows.research.templates import TEMPLATES
from workflows.research.topic import verb

FURTHER = "Further findings"
MECHANISM = "Mechanism"
_MEASURES = COMPARABLE - {"time", "count"}  # "for three years" measures nothing
_SUMMARY = 4  # cited sentences; with narration 3 to 6
_SECTION = 7
_DEFINITIONS = 3  # of one thing, beside the one in the summary
_SECTIONS = 6
FEW = 5  # claims under no heading of the tree
_FINDINGS = {"high": 5, "medium": 5}
_DISAGREEMENTS = 8
_ROW_MATTER = 3  # claims about one subject alone that its column may need
_SUBJECTS = 4  # columns of a comparison that can still be read
_TOPIC = 0.2  # of the words of the question, by rarity: what a claim names at least
_FOUND, _CARRIED = 0.75, 0.1  # in such a passage (of the best on the question) a claim may name less of it
_NEXT = 0.85  # of the closest claim: what is said however hard to read, when it tells something
_BEARS = 0.35  # of the closest claim: what bears on the question at all
_CLOSE = 0.8  # of the closest claim: what may open the report
_BESIDE = 0.6  # of the closest claim: what fills a summary from the texts that it quotes already
_LOOSE = 0.5  # of the closest claim: what may stand under no heading of its own
_READABLE = 0.45  # plainness below which a sentence is not said
_PLAIN = 0.65  # plainness of what stands under no heading of its own
_ALL_ASKED = 0.99  # of the words of the question, by rarity
_CLOSEST = 0.9  # of the closest claim: a contradiction that opens the report on a question that is no claim
_FORMED = 0.6  # of the closest claim: what may open the report when it has the form asked for
# Of what the claim that names most of the question names: what may open the report; where a verb says what is asked
# ("how do trees cool cities"), and elsewhere
_DOING, _NAMING = 0.4, 0.2
# What agreement is worth; being the definition, or saying how it comes about, where that is asked; holding the answer
_AGREED, _DEFINED, _EXPLAINED, _ANSWERED = 0.05, 0.3, 0.3, 0.3

Pair = tuple[Claim, Claim]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a comparison: its name and, per subject, the claims of the cell."""

    heading: str
    cells: tuple[tuple[Claim, ...], ...]


@dataclass(frozen=True, slots=True)
class Clash:
    """A contradiction with its sides, the stronger first. fresh: those that nothing before it says."""

    contradiction: Contradiction
    sides: Pair
    fresh: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """opening: the sides of the contradiction that is itself the answer, or nothing."""

    opening: tuple[Claim, ...]
    summary: tuple[Claim, ...]
    supporting: tuple[Claim, ...]
    opposing: tuple[Claim, ...]
    findings: tuple[Claim, ...]
    rows: tuple[Row, ...]
    sections: tuple[tuple[str, tuple[Claim, ...]], ...]
    clashes: tuple[Clash, ...]


def outline(
    state: ResearchState, ranking: Ranking, judged: Judged | None, selection: Selection, words: int, further: int = FEW
) -> Outline:
    """The outline of a report of at most so many words; what is too much is cut by confidence.

    further: how many claims may stand under no heading of the tree.
    """
    close = [c for c in ranking.near(state.claims, _BEARS) if _readable(c, ranking) and _on_topic(c, ranking)]
    near = [c for c in close if c.section != SENSES]
    by_name = [c for c in near if ranking.named[c.claim_id] >= _TOPIC or c.claim_id in ranking.answers]
    placed = places(state, by_name, judged)
    opening = _opening(state, ranking, selection)
    calm = [claim for claim in near if not claim.contradicting_evidence_ids]
    answers = _answers(state, calm, judged, selection)
    rows = _rows(state, near, selection)
    more = sum(one.nature == DIRECT for one in state.contradictions) > 1
    room = _SUMMARY - 2 - more if opening else max(3, min(_SUMMARY, len(calm) // 3))
    # The answer of one sense may open the report, though it has no other place in it than among the senses
    fit_to_open = [claim for claim in close if not claim.contradicting_evidence_ids]
    summary = _summary(state, ranking, fit_to_open, (answers, room), selection)
    supporting, opposing = (
        _of_side(side, near, selection) for side in ((judged.supporting, judged.opposing) if judged else ((), ()))
    )
    clashes = _clashes(state, selection)
    findings = _findings(state, near, selection)
    sections = _sections(placed, ranking, by_name, selection, further)
    made = Outline(opening, summary, supporting, opposing, findings, rows, sections, clashes)
    return _in_order(_cut(made, words), state)


def _readable(claim: Claim, ranking: Ranking) -> bool:
    """Plain enough; of what is nearly the closest to the question it is enough that it tells something."""
    closest = max(ranking.closeness.values(), default=0.0)
    near = ranking.closeness[claim.claim_id] >= _NEXT * closest
    return ranking.plain[claim.claim_id] >= _READABLE or (near and claim.claim_id in ranking.telling)


def _on_topic(claim: Claim, ranking: Ranking) -> bool:
    found = ranking.around[claim.claim_id] >= _FOUND
    return claim.claim_id in ranking.answers or ranking.named[claim.claim_id] >= (_CARRIED if found else _TOPIC)


def places(state: ResearchState, claims: Sequence[Claim], judged: Judged | None) -> dict[str, dict[str, float]]:
    """Heading -> claim id -> how well it fits there; each claim under the heading it fits best, in the tree's order."""
    headed = [question for question in state.plan.questions if question.heading][:_SECTIONS]
    found: dict[str, dict[str, float]] = {question.heading: {} for question in headed}
    for claim in claims:
        fits = [(_fit(question, claim, state, judged), -i) for i, question in enumerate(headed)]
        best, place = max(fits, default=(0.0, 0))
        if best > 0:
            found[headed[-place].heading][claim.claim_id] = best
    return found


def _fit(question: Question, claim: Claim, state: ResearchState, judged: Judged | None) -> float:
    side = SIDES.get(question.heading, 0)
    if side:
        mine = (judged.supporting if side > 0 else judged.opposing) if judged else ()
        return 1.0 if claim in mine else 0.0
    return fit(question.heading, claim.text, state.understanding.primary_anchor, cue_words(state, question))


def _opening(state: ResearchState, ranking: Ranking, selection: Selection) -> tuple[Claim, ...]:
    """Both sides of the direct contradiction closest to the question, when both are as close as what opens a report.

    An answer the sources disagree about is still what was asked for; it must not stand at the end alone.
    """
    pairs = [sides_of(one, state) for one in state.contradictions if one.nature == DIRECT]
    pairs = [pair for pair in pairs if all(selection.citable(side) for side in pair)]
    closest = max(ranking.closeness.values(), default=0.0)

    def close(pair: Pair) -> float:
        return round(min(ranking.closeness[side.claim_id] for side in pair), 6)

    best = max(pairs, key=close, default=None)
    if best is None or state.understanding.query_type not in ("claim_check", "general"):
        return ()
    # What names all that is asked need not be the closest as well
    all_asked = all(ranking.named[side.claim_id] >= _ALL_ASKED for side in best)
    checked = state.understanding.query_type == "claim_check"
    if close(best) < (_CLOSE if checked or all_asked else _CLOSEST) * closest:
        return ()
    for side in best:
        selection.add(side)
    return best


def sides_of(one: Contradiction, state: ResearchState) -> Pair:
    """The two claims of a contradiction, the stronger first."""
    pair = [claim for claim in state.claims if claim.claim_id in (one.claim_a, one.claim_b)]
    first, second = sorted(pair, key=lambda c: (-c.independent_sources, -c.confidence, number(c)))
    return first, second


def _answers(state: ResearchState, calm: Sequence[Claim], judged: Judged | None, selection: Selection) -> list[Claim]:
    """The strongest words of either side of a claim to check; what is said of both subjects of a comparison."""
    if judged:
        sides = ([claim for claim in side if claim in calm] for side in (judged.supporting, judged.opposing))
        return [claim for side in sides for claim in selection.take(side, 1)]
    subjects = state.understanding.subjects
    if not subjects:
        return []
    both = selection.spread([claim for claim in calm if all(about(claim, one) for one in subjects)], _SUMMARY)
    for one in [one for one in subjects[:_SUBJECTS] if not both]:  # nobody compares them: what each of them is
        alone = [claim for claim in calm if about(claim, one)]
        if len(alone) > _ROW_MATTER:  # else the table needs them
            both += selection.take(sorted(alone, key=lambda claim: -defines(claim.text, one)), 1)
    return both


def _summary(
    state: ResearchState, ranking: Ranking, calm: Sequence[Claim], begun: tuple[list[Claim], int], selection: Selection
) -> tuple[Claim, ...]:
    """The claims that answer the question, unlike each other; a definition first where one was asked for. Where few
    do, what their texts say besides, the closest first.

    begun: what stands in it already, and how many claims it may have.
    """
    chosen, room = begun
    leading = leads(state, ranking, [claim for claim in calm if selection.usable(claim)])
    anchor = state.understanding.primary_anchor
    chosen += selection.take([claim for claim in leading[:1] if defines(claim.text, anchor)], 1)
    if any(defines(claim.text, anchor) for claim in chosen):  # one definition is enough
        leading = [claim for claim in leading if not defines(claim.text, anchor)]
    chosen += selection.spread(leading, max(0, room - len(chosen)))
    return (*chosen, *selection.take(_beside(state, ranking, calm, chosen), max(0, room - len(chosen))))


def _beside(state: ResearchState, ranking: Ranking, calm: Sequence[Claim], chosen: Sequence[Claim]) -> list[Claim]:
    """Claims of the texts that a summary quotes already, close enough to the question, best first; definitions not."""
    owner = {one.evidence_id: one.source_id for one in state.evidence}
    told = {owner[name] for claim in chosen for name in claim.evidence_ids[:1]}  # a claim may have lost its texts
    closest = max(ranking.closeness.values(), default=0.0)
    return [
        claim
        for claim in ranking.ordered(calm)
        if any(owner[name] in told for name in claim.evidence_ids[:1])
        and ranking.closeness[claim.claim_id] >= _BESIDE * closest
        and not defines(claim.text, state.understanding.primary_anchor)
    ]


def leads(state: ResearchState, ranking: Ranking, claims: Sequence[Claim]) -> list[Claim]:
    """Claims fit for the summary, best first: nearly as close to the question as the closest, and saying something of
    what it asks by themselves; before them what has the form asked for, a definition or how a thing comes about."""
    closest = max((ranking.closeness[claim.claim_id] for claim in claims), default=0.0)
    naming = max((ranking.named[claim.claim_id] for claim in claims), default=0.0)
    naming *= _DOING if verb(state.understanding) else _NAMING
    held = {claim.claim_id for claim in claims} & ranking.answers
    form = {c.claim_id: _ANSWERED * (c.claim_id in held) if held else _form(c, state) for c in claims}
    near = [
        claim
        for claim in claims
        if ranking.closeness[claim.claim_id] >= (_FORMED if form[claim.claim_id] else _CLOSE) * closest
        and (ranking.named[claim.claim_id] >= naming or claim.claim_id in ranking.answers)
    ]
    worth = {
        claim.claim_id: ranking.value[claim.claim_id]
        + form[claim.claim_id]
        + _AGREED * (claim.cross_validated + _says_how_much(claim))
        for claim in near
    }
    return sorted(near, key=lambda claim: (-round(worth[claim.claim_id], 6), number(claim)))


def _form(claim: Claim, state: ResearchState) -> float:
    """What it is worth that a claim is of the kind asked for: a definition, or how something comes about."""
    headings = {question.heading for question in state.plan.questions}
    anchor = state.understanding.primary_anchor
    if not headings.isdisjoint(DEFINING):
        return _DEFINED * defines(claim.text, anchor)
    return _EXPLAINED * fit(MECHANISM, claim.text, anchor) if state.understanding.query_type == "technical" else 0.0


def _says_how_much(claim: Claim) -> bool:
    """Whether a claim gives a figure or says which way something goes."""
    statement = analyse(claim.text)
    return bool(statement.direction) or any(quantity.kind in _MEASURES for quantity in statement.quantities)


def _of_side(side: Sequence[Claim], near: Sequence[Claim], selection: Selection) -> tuple[Claim, ...]:
    """What a verdict says for its claim, or against it; a side that would have no word else has its first at least."""
    taken = selection.take([claim for claim in side if claim in near], 2)
    silent = not taken and not any(claim in selection for claim in side)
    return tuple(selection.take(side, 1) if silent else taken)


def _rows(state: ResearchState, near: Sequence[Claim], selection: Selection) -> tuple[Row, ...]:
    """A comparison by dimension: the best statement about each subject alone in each row."""
    subjects = state.understanding.subjects
    if state.understanding.query_type != "comparison" or not 2 <= len(subjects) <= _SUBJECTS:
        return ()
    calm = [claim for claim in near if not claim.contradicting_evidence_ids]
    alone = [[c for c in calm if about(c, s) and not any(about(c, o) for o in subjects if o != s)] for s in subjects]
    rows = []
    for row in TEMPLATES["comparison"]:
        cells = []
        for subject, claims in zip(subjects, alone, strict=True):
            scored = [(fit(row.heading, claim.text, subject, tuple(row.cues.split())), claim) for claim in claims]
            fitting = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], number(pair[1])))
            cells.append(tuple(selection.take([claim for _, claim in fitting], 1)))
        rows.append(Row(row.heading, tuple(cells)))
    general = tuple(
        tuple(selection.take([claim for claim in claims if defines(claim.text, subject)], 1))
        for subject, claims in zip(subjects, alone, strict=True)
    )
    return tuple(row for row in (Row("In short", general), *rows) if any(row.cells))


def _clashes(state: ResearchState, selection: Selection) -> tuple[Clash, ...]:
    """Each contradiction once, direct ones first; its sides are taken, but for those that are said already."""
    order = {"direct": 0, "nuanced": 1, "scope": 2}
    found: list[Clash] = []
    for one in sorted(state.contradictions, key=lambda c: (order[c.nature], int(c.contradiction_id[1:]))):
        sides = sides_of(one, state)
        fresh = tuple(side for side in sides if side not in selection)
        if len(found) >= _DISAGREEMENTS or not all(selection.citable(side) for side in fresh):
            continue
        if one.nature != DIRECT and len(fresh) == 1:
            continue  # one sentence need not be set beside every other that speaks of another year
        for side in fresh:
            selection.add(side)
        found.append(Clash(one, sides, fresh))
    return tuple(found)


def _findings(state: ResearchState, near: Sequence[Claim], selection: Selection) -> tuple[Claim, ...]:
    """What several voices say and the summary did not; at most half of what is left, so that sections have matter."""
    left = sum(selection.usable(claim) for claim in near)
    by_id = {claim.claim_id: claim for claim in near}
    found: list[Claim] = []
    for level, most in _FINDINGS.items():
        ranked = [by_id[f.claim_id] for f in state.findings if f.confidence == level and f.claim_id in by_id]
        found += selection.take(ranked, max(0, min(most, left // 2 - len(found))))
    return tuple(found)


def _sections(
    placed: dict[str, dict[str, float]], ranking: Ranking, near: Sequence[Claim], selection: Selection, further: int
) -> tuple[tuple[str, tuple[Claim, ...]], ...]:
    """The claims under each heading that answer it, and those close to the question that answer none."""
    found = []
    for heading, fits in placed.items():
        own = [claim for claim in near if claim.claim_id in fits]
        own.sort(key=lambda c: (-round(ranking.value[c.claim_id] + 0.3 * fits[c.claim_id], 6), number(c)))
        found.append((heading, tuple(selection.spread(own, _DEFINITIONS if heading in DEFINING else _SECTION))))
    elsewhere = {claim_id for fits in placed.values() for claim_id in fits}
    homeless = [claim for claim in ranking.near(near, _LOOSE) if claim.claim_id not in elsewhere]
    homeless = [claim for claim in homeless if ranking.plain[claim.claim_id] >= _PLAIN]
    found.append((FURTHER, tuple(selection.spread(homeless, further))))
    return tuple((heading, claims) for heading, claims in found if claims)


def _cut(made: Outline, words: int) -> Outline:
    """Without the least certain of findings and sections, until it has at most so many words."""
    fixed = (*made.opening, *made.summary, *made.supporting, *made.opposing, *_in_rows(made), *_in_clashes(made))
    left = words - sum(_length(claim) for claim in fixed)
    loose = {claim.claim_id: claim for part in (made.findings, *(c for _, c in made.sections)) for claim in part}
    kept: set[str] = set()
    for claim in sorted(loose.values(), key=lambda c: (-c.confidence, number(c))):
        if left >= _length(claim):
            left -= _length(claim)
            kept.add(claim.claim_id)
    sections = ((heading, tuple(c for c in claims if c.claim_id in kept)) for heading, claims in made.sections)
    return replace(
        made,
        findings=tuple(claim for claim in made.findings if claim.claim_id in kept),
        sections=tuple((heading, claims) for heading, claims in sections if claims),
    )


def _in_rows(made: Outline) -> list[Claim]:
    return [claim for row in made.rows for cell in row.cells for claim in cell]


def _in_clashes(made: Outline) -> list[Claim]:
    return [side for clash in made.clashes for side in clash.fresh]


def _length(claim: Claim) -> int:
    return len(claim.text.split())


def _in_order(made: Outline, state: ResearchState) -> Outline:
    """Each section in the order in which it is read best."""
    return replace(made, sections=tuple((heading, ordered(heading, c, state)) for heading, c in made.sections))


def ordered(heading: str, claims: Sequence[Claim], state: ResearchState) -> tuple[Claim, ...]:
    """By the years they name where a section tells what happened; else the definition first, then from the best on,
    the sentences of one source together and in its own order."""
    if in_time(heading):
        return tuple(sorted(claims, key=lambda claim: year(claim.text)))
    place = {one.evidence_id: (one.snapshot_id, one.start) for one in state.evidence}
    anchor = state.understanding.primary_anchor
    queue = sorted(claims, key=lambda claim: -defines(claim.text, anchor))
    found: list[Claim] = []
    for claim in queue:
        if claim in found:
            continue
        source, _ = place[claim.evidence_ids[0]]
        same = [one for one in queue if one not in found and place[one.evidence_ids[0]][0] == source]
        found += [claim] if defines(claim.text, anchor) else sorted(same, key=lambda c: place[c.evidence_ids[0]][1])
    return tuple(found)
