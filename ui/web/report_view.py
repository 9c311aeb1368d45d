"""The parts of a finished research as the report page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import source_status
from engine.figures import hundredths
from engine.models import Claim, Contradiction, Finding, Gap, ResearchState, Sentence
from ui.web.citing import Cite, Citing, Glyph, Shown, byline, is_contested, paragraphs, score_of
from ui.web.wording import depth_name, duration, many, state_name

CONFIDENT = 0.7
NATURES = {"direct": "direct contradiction", "scope": "difference of scope", "nuanced": "difference of degree"}


@dataclass(frozen=True, slots=True)
class FindingRow:
    glyph: Glyph | None
    text: str
    cites: tuple[Cite, ...]
    said: str
    credibility: float


@dataclass(frozen=True, slots=True)
class Part:
    """A numbered section."""

    number: int
    heading: str
    paragraphs: list[list[Shown]]
    confidence: float


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: header, and per row its cells; the first cell heads the row."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[Shown, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a disagreement."""

    title: str
    quote: str
    cite: Cite
    who: str
    credibility: float | None
    voices: int


@dataclass(frozen=True, slots=True)
class Facing:
    """Two sides, the stronger first, and why they clash."""

    summary: tuple[str, ...]
    sides: tuple[Side, Side]
    explanation: str


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    text: str
    facts: tuple[str, ...]
    ask: str


_NOTHING = {
    "cancelled": "This research was stopped before a sentence was verified.",
    "failed": "This research failed before a sentence was verified.",
}


def notices(state: ResearchState) -> list[str]:
    """What has to be said at the head of a report."""
    said = []
    if state.status == "partial":
        said.append(f"{state_name(state.status, state.ended_by)}: this report holds what was verified until then.")
    if state.status in _NOTHING:
        said.append(_NOTHING[state.status])
    line = source_status.unanswered(state)
    report_notes = [note for note in (state.report.notes if state.report else ()) if note not in line]
    overall = hundredths(state.quality.overall_confidence)
    low = state.claims and float(overall) < CONFIDENT  # as it is shown: 0.70 is not below 0.70
    if low and not any("confidence" in note.lower() for note in report_notes):
        said.append(f"Overall confidence is {overall}, below {hundredths(CONFIDENT)}. Read with care.")
    return said + report_notes


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The line about sources that did not answer, and why they did not."""

    line: str
    reasons: list[str]


def unanswered(state: ResearchState) -> Unanswered | None:
    """What is said of sources that did not answer; None when all did."""
    said = source_status.unanswered(state) or ["What each source said"]
    reasons = source_status.reasons(state) if state.report else []
    return Unanswered(said[0], reasons) if reasons else None


def facts(state: ResearchState) -> list[str]:
    """The line under the title, after the date."""
    models = state.model_names
    if state.kind == "search":
        return ["quick search", duration(state.usage.seconds), ", ".join(models) or "no model"]
    depth = f"{depth_name(state.config.depth)}, {many(max(state.quality.iterations, state.round, 1), 'round')}"
    return [depth, duration(state.usage.seconds), ", ".join(models) or "no model"]


def findings(state: ResearchState, citing: Citing) -> tuple[list[FindingRow], list[FindingRow]]:
    """The key findings, which stand nowhere else in the report, and those that stand in none of its parts."""
    report = state.report
    rows = {finding.claim_id: finding for finding in state.findings}
    key = [rows[name] for s in (report.key_findings if report else ()) for name in s.claim_ids if name in rows]
    said = {name for s in (report.sentences() if report else ()) for name in s.claim_ids}
    rest = [finding for finding in state.findings if finding.claim_id not in said]
    return [_finding(f, citing) for f in key], [_finding(f, citing) for f in rest]


def _finding(finding: Finding, citing: Citing) -> FindingRow:
    claim = citing.claims.get(finding.claim_id)
    by_source = _first_evidence(claim, citing)
    cites = tuple(citing.cite(s, by_source.get(s, "")) for s in finding.sources if s in citing.sources)
    voices = claim.independent_sources if claim else len(finding.sources)
    contested = claim is not None and is_contested(claim)
    said = f"{'contested' if contested else finding.confidence}, {many(voices, 'voice')}"
    glyph = citing.claim_glyph(claim) if claim else None
    return FindingRow(glyph, finding.claim, cites, said, finding.average_credibility)


def _first_evidence(claim: Claim | None, citing: Citing) -> dict[str, str]:
    out: dict[str, str] = {}
    for name in claim.evidence_ids if claim else ():
        if name in citing.evidence:
            out.setdefault(citing.evidence[name].source_id, name)
    return out


def sections(state: ResearchState, citing: Citing) -> list[Part]:
    if not state.report:
        return []
    return [
        Part(number, part.heading, paragraphs(citing.paragraph(part.sentences)), part.confidence)
        for number, part in enumerate(state.report.sections, 1)
    ]


def tables(state: ResearchState, citing: Citing) -> list[Grid]:
    if not state.report:
        return []
    return [
        Grid(
            table.heading,
            table.columns,
            tuple(tuple(tuple(citing.show(s) for s in cell) for cell in row) for row in table.rows),
        )
        for table in state.report.tables
    ]


def senses(state: ResearchState, citing: Citing) -> list[tuple[str, list[Shown]]]:
    """Different answers: what each is about, and its sentences."""
    return [(one.thing, citing.paragraph(one.sentences)) for one in (state.report.senses if state.report else ())]


def verdict(state: ResearchState, citing: Citing) -> list[Shown]:
    """What the verdict says beyond the balance of voices, which the page draws and counts itself."""
    judged = state.report.verdict if state.report else None
    if judged is None:
        return []
    first = judged.sentences[:1]
    balance = first and first[0].kind == "narration" and "for it" in first[0].text
    return citing.paragraph(judged.sentences[1:] if balance else judged.sentences)


def disagreements(state: ResearchState, citing: Citing) -> list[Facing]:
    """One block per pair, direct contradictions first. What the report says of how they stand is shown side by side."""
    order = {"direct": 0, "scope": 1, "nuanced": 2}
    known = sorted(state.contradictions, key=lambda c: (order.get(c.nature, 3), c.contradiction_id))
    out = []
    for item in known:
        pair = _sides(item, citing)
        if pair:
            summary = (NATURES.get(item.nature, item.nature),)
            out.append(Facing(summary, pair, sentence(item.explanation)))
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
        first, second = _untitled(first), _untitled(second)
    ordered = sorted((first, second), key=lambda s: (-s.voices, -(s.credibility or 0.0)))
    return ordered[0], ordered[1]


def _side(claim_id: str, evidence_id: str, citing: Citing) -> Side | None:
    evidence = citing.evidence.get(evidence_id)
    source = citing.sources.get(evidence.source_id) if evidence else None
    if evidence is None or source is None:
        return None
    claim = citing.claims.get(claim_id)
    said = " ".join(evidence.quote.split())
    # A claim that is the quotation itself needs no heading that repeats it.
    title = claim.text if claim and _plain(claim.text) not in _plain(said) else ""
    voices = claim.independent_sources if claim else 1
    cite = citing.cite(source.source_id, evidence_id)
    return Side(title, said, cite, byline(source), score_of(source), voices)


def _untitled(side: Side) -> Side:
    return Side("", side.quote, side.cite, side.who, side.credibility, side.voices)


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .\"“”'")


def open_questions(state: ResearchState) -> list[OpenQuestion]:
    """What the report says stayed open, and what is known of the gap behind it; every gap where there is no report."""
    gaps = sorted(state.gaps, key=lambda g: (-g.importance, g.question_id))
    if state.report is None:
        return [_open(state, gap.text, gap) for gap in gaps]
    behind = {text: next((gap for gap in gaps if text.startswith(gap.text)), None) for text in state.report.open}
    return [_open(state, text, gap) for text, gap in behind.items()]


def _open(state: ResearchState, text: str, gap: Gap | None) -> OpenQuestion:
    if gap is None:
        return OpenQuestion(text, (), asked(state, text))
    facts = [text.removeprefix(gap.text).strip(" ()"), f"importance {gap.importance:.1f}"]
    if gap.queries:
        facts.append("tried: " + ", ".join(gap.queries[:3]))
    return OpenQuestion(gap.text, tuple(fact for fact in facts if fact), asked(state, gap.text))


def asked(state: ResearchState, text: str) -> str:
    """An open question as a question of its own: short ones are nothing without the one they belong to."""
    return text if len(text.split()) > 7 else f"{state.original_query} {text}"


def unverified(state: ResearchState) -> list[Claim]:
    return [claim for claim in state.claims if not claim.verified]


def where_used(state: ResearchState) -> dict[str, list[str]]:
    """source_id -> the parts of the report that cite it: Summary, Verdict, § 1, § 2, Table."""
    report = state.report
    used: dict[str, list[str]] = {}
    groups: list[tuple[str, Sequence[Sentence]]] = []
    if report:
        groups.append(("Summary", report.summary))
        groups.append(("Verdict", report.verdict.sentences if report.verdict else ()))
        groups.append(("Findings", report.key_findings))
        groups += [(f"§ {number}", part.sentences) for number, part in enumerate(report.sections, 1)]
        groups += [("Table", cell) for table in report.tables for row in table.rows for cell in row]
    for name, sentences in groups:
        for sentence in sentences:
            for citation in sentence.citations:
                parts = used.setdefault(citation.source_id, [])
                if name not in parts:
                    parts.append(name)
    return used
