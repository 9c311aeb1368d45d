"""The parts of a finished research as the report page shows them, after its answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.models import (
    Contradiction,
    RecordKind,
    Report,
    ResearchState,
    RunStatus,
    Sentence,
)
from engine.reports import figures, report_document as doc
from engine.reports.reader_page import checkable
from engine.wiring import source_status
from ui.web.views.citations import Cite, Citing, byline
from ui.web.views.labels import confidence_words, depth_name, duration, many, state_name

NATURES = {
    "direct": "direct contradiction",
    "scope": "difference of scope",
    "nuanced": "difference of degree",
    "figures": "figures differ",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a disagreement."""

    title: str
    quote: str
    cite: Cite
    who: str
    credibility: figures.Rating
    voices: int


@dataclass(frozen=True, slots=True)
class Facing:
    """Two sides, the stronger first, and why they clash. attribute: what they say something
    different about."""

    nature: str
    attribute: str
    sides: tuple[Side, Side]
    explanation: str


@dataclass(frozen=True, slots=True)
class Caps:
    """How much of a report its page shows. passages: open in each section; folded: those that fold
    out under them.

    lines: sources as one line each. pairs: figures that differ, as one line each.
    """

    passages: int = 3
    folded: int = 9
    sources: int = 10
    lines: int = 100
    pairs: int = 60
    open: int = 6


ALL = 1_000_000
LONG = 5  # sections


def caps(state: ResearchState, whole: bool) -> Caps:
    """whole: everything is asked for."""
    if whole:
        return Caps(3, ALL, ALL, ALL, ALL, ALL)
    return Caps(passages=2 if state.report and len(state.report.sections) > LONG else 3)


@dataclass(frozen=True, slots=True)
class Clashes:
    """shown: pairs face to face, one an attribute first. groups: the others by attribute, folded.

    folded: how many are not face to face; left: how many of them only the whole page has.
    """

    pairs: tuple[Facing, ...]
    groups: tuple[tuple[str, tuple[Facing, ...]], ...]
    folded: int
    more: int


FACING = 3


def clashes(pairs: Sequence[Facing], most: int) -> Clashes:
    """Three pairs face to face, of different attributes where there are some; at most `most` of the
    others."""
    first: dict[str, Facing] = {}
    for pair in pairs:
        first.setdefault(pair.attribute, pair)
    first_pairs = (*first.values(), *(pair for pair in pairs if pair is not first[pair.attribute]))[
        :FACING
    ]
    others = [pair for pair in pairs if pair not in first_pairs]
    names = dict.fromkeys(pair.attribute for pair in others[:most])
    groups = tuple((name, tuple(p for p in others[:most] if p.attribute == name)) for name in names)
    return Clashes(first_pairs, groups, len(others), max(0, len(others) - most))


_NOTHING = {
    "cancelled": "This report was stopped before anything was read.",
    "failed": "This report failed before anything was found.",
}


def notices(state: ResearchState) -> list[str]:
    """What has to be said about the whole of a report."""
    messages = []
    if state.status == RunStatus.PARTIAL:
        messages.append(
            f"{state_name(state.status, state.ended_by)}: this "
            "report contains what was found until then."
        )
    if state.status in _NOTHING:
        messages.append(_NOTHING[state.status])
    line = source_status.unanswered(state)
    report_notes = [
        note for note in (state.report.notes if state.report else ()) if note not in line
    ]
    return messages + report_notes


def unanswered(state: ResearchState) -> tuple[str, list[str]] | None:
    """What is said of sources that did not answer, and why they did not; None when all did."""
    lines = source_status.unanswered(state) or ["What each source said"]
    reasons = source_status.reasons(state) if state.report else []
    return (lines[0], reasons) if reasons else None


def facts(state: ResearchState) -> list[str]:
    """The line under the title, after the date: what was searched and cited, and who wrote."""
    searched = state.answer.searched.sources if state.answer else 0
    local = bool(state.sources) and all(source.is_local for source in state.sources)
    noun = "document" if local else "source"
    parts = (
        [f"{many(searched, noun)} searched"]
        if searched
        else [figures.counts(state)]
        if state.sources
        else []
    )
    return [
        *parts,
        ", ".join(state.model_names) or "no model",
        *confidence_words(state.quality.overall_confidence),
        *checked(state),
    ]


def checked(state: ResearchState) -> list[str]:
    """What the user checked so far; nothing before the first."""
    checks = state.user.checks
    disputed = sum(check.mark == "no" for check in checks)
    words = f", {disputed} disputed" if disputed else ""
    if checks:
        return [f"checked by you: {len(checks)} of {many(checkable(state), 'citation')}{words}"]
    return []


def effort(state: ResearchState) -> str:
    """How much was done."""
    if state.kind == RecordKind.SEARCH:
        return f"Quick search, {duration(state.usage.seconds)}"
    words = (
        depth_name(state.config.depth).capitalize(),
        many(max(state.quality.iterations, state.round, 1), "round"),
        duration(state.usage.seconds),
        *figures.used_by_models(state),
    )
    return ", ".join(words)


def pairs(blocks: Iterable[doc.Block], citing: Citing) -> list[Facing]:
    """What the report says of how the two sides of a disagreement stand, side by side."""
    out = []
    for item in (block.contradiction for block in blocks if isinstance(block, doc.Facing)):
        sides = _sides(item, citing) if item else None
        if item and sides:
            about = sentence(item.attribute or item.subject).rstrip(".")
            out.append(
                Facing(
                    NATURES.get(item.nature, item.nature), about, sides, sentence(item.explanation)
                )
            )
    return out


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if not text or text[-1] in ".?!" else ".")


def _sides(item: Contradiction, citing: Citing) -> tuple[Side, Side] | None:
    first = _side(item.claim_a, item.evidence_a, citing)
    second = _side(item.claim_b, item.evidence_b, citing)
    if not first or not second:
        return None
    if first.title == "" or second.title == "":
        first, second = replace(first, title=""), replace(second, title="")
    ordered = sorted((first, second), key=lambda s: (-s.voices, -_weight(s.credibility)))
    return ordered[0], ordered[1]


def _side(claim_id: str, evidence_id: str, citing: Citing) -> Side | None:
    evidence = citing.evidence.get(evidence_id)
    source = citing.sources.get(evidence.source_id) if evidence else None
    if evidence is None or source is None:
        return None
    claim = citing.claims.get(claim_id)
    text = " ".join(evidence.quote.split())
    # A claim that is the quotation itself needs no heading that repeats it.
    title = claim.text if claim and _plain(claim.text) not in _plain(text) else ""
    voices = claim.independent_sources if claim else 1
    return Side(
        title,
        text,
        citing.cite(source.source_id, evidence_id),
        byline(source),
        figures.rating_of(source),
        voices,
    )


def _weight(rating: figures.Rating) -> float:
    """The place of a rating in an order; the middle where nobody rates."""
    return rating if isinstance(rating, float) else 0.5


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .\"“”'")


def as_question(state: ResearchState, text: str) -> str:
    """An open question as a question of its own: a short one is nothing without the one it belongs
    to."""
    return text if len(text.split()) > 7 else f"{state.original_query} {text}"


def where_used(state: ResearchState) -> dict[str, list[str]]:
    """source_id -> the parts of the report that cite it: Answer, Follow-up, § 1, § 2 (or the
    heading of the only section, which has no number), and those of older records."""
    uses: dict[str, list[str]] = {}
    for name, source_id in _citing_parts(state):
        parts = uses.setdefault(source_id, [])
        if name not in parts:
            parts.append(name)
    return uses


def _citing_parts(state: ResearchState) -> Iterable[tuple[str, str]]:
    for name, answer in (
        ("Answer", state.answer),
        *(("Follow-up", turn.answer) for turn in state.conversation),
    ):
        if answer:
            yield from ((name, source_id) for source_id in doc.cited_sources(answer))
    if state.report is None:
        return
    for number, part in enumerate(state.report.sections, 1):
        name = _section_name(state.report, number)
        yield from ((name, passage.source_id) for passage in part.passages)
    for name, sentence in _sentences(state.report):
        yield from ((name, citation.source_id) for citation in sentence.citations)


def _section_name(report: Report, number: int) -> str:
    """A section as the page numbers it; one that stands alone has no number."""
    return f"§ {number}" if len(report.sections) > 1 else report.sections[number - 1].heading


def _sentences(report: Report) -> Iterable[tuple[str, Sentence]]:
    verdict = report.verdict.sentences if report.verdict else ()
    parts = [("Summary", report.summary), ("Verdict", verdict), ("Findings", report.key_findings)]
    parts += [
        (_section_name(report, number), part.sentences)
        for number, part in enumerate(report.sections, 1)
    ]
    parts += [("Table", cell) for table in report.tables for row in table.rows for cell in row]
    yield from ((name, sentence) for name, sentences in parts for sentence in sentences)
