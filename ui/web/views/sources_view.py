"""Sources of a research: in order of authority, each with the sum behind its score; those set aside
apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.models import (
    CONCERN_FACTOR,
    Completeness,
    Credibility,
    Mark,
    ResearchState,
    Snapshot,
    Source,
)
from engine.reports.figures import Rating, file_name, hundredths, rating_of, score_of
from ui.web.views.citations import Citing, author, year_of
from ui.web.views.labels import KINDS, day, web_link
from ui.web.views.report_view import where_used

FACTORS = {
    "citation": "Citations",
    "cross_reference": "Cross-references",
    "journal": "Journal",
}
MARKS = {
    "retracted": "Retracted",
    "withdrawn": "Withdrawn",
    "concern": "Expression of concern",
    "correction": "Corrected",
}


@dataclass(frozen=True, slots=True)
class SourceRow:
    """href: the reader when a text was kept, else None. link: the original address when it is safe
    to follow."""

    id: str
    tag: str
    title: str
    href: str | None
    link: str | None
    address: str
    facts: tuple[str, ...]
    score: Rating
    sum: tuple[tuple[str, str], ...]
    override: str
    reason: str
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceLists:
    cited: tuple[SourceRow, ...]
    unused: tuple[SourceRow, ...]
    rejected: tuple[SourceRow, ...]


def source_lists(state: ResearchState, citing: Citing) -> SourceLists:
    """Used sources by authority, found but unused ones, and those set aside with their reasons."""
    parts = where_used(state)
    ranked = state.get_authoritative_sources(top_n=len(state.sources))

    def row_of(source: Source) -> SourceRow:
        snapshot = citing.snapshots.get(source.snapshot_id or "")
        href = citing.reader(source.source_id) if source.snapshot_id else None
        return source_row(source, snapshot, href, parts.get(source.source_id, ()))

    rows = [row_of(source) for source in ranked]
    return SourceLists(
        cited=tuple(row for row in rows if row.id in parts),
        unused=tuple(row for row in rows if row.id not in parts),
        rejected=tuple(row_of(source) for source in state.sources if source.rejected),
    )


def source_row(
    source: Source, snapshot: Snapshot | None, href: str | None = None, used_in: Sequence[str] = ()
) -> SourceRow:
    """An entry. href: where its stored text can be read."""
    credibility = source.credibility
    return SourceRow(
        id=source.source_id,
        tag=source.tag or "",
        title=source.title or source.url or "Untitled",
        href=href,
        link=web_link(source.url),
        address=address(source),
        facts=tuple(filter(None, facts(source, snapshot, used_in))),
        score=rating_of(source),
        sum=sum_rows(source, credibility) if credibility else (),
        override=reason(source)
        if credibility and credibility.overrides and not credibility.modifiers
        else "",
        reason=reason(source),
        marks=tuple(map(mark_words, source.marks)),
    )


def facts(source: Source, snapshot: Snapshot | None, used_in: Sequence[str]) -> list[str]:
    """The line under a title: who, when, what kind, where used, and what to know about its text."""
    kind = "preprint" if source.is_preprint else KINDS.get(source.source_type, source.source_type)
    return [
        author(source),
        year_of(source),
        kind if kind != author(source).lower() else "",
        f"cited in {', '.join(used_in)}" if used_in else "",
        "abstract only" if snapshot and snapshot.completeness == Completeness.ABSTRACT else "",
        "may be outdated"
        if source.credibility and source.credibility.detail.get("outdated")
        else "",
    ]


def address(source: Source) -> str:
    """What identifies a source: its DOI, its address, or the name of a document."""
    if source.url.startswith("local:"):
        return file_name(source)
    return source.doi or source.url


def reason(source: Source) -> str:
    """Why a source stands apart, as a sentence of ours where a rule set it aside."""
    credibility = source.credibility
    if credibility and "predatory_publisher" in credibility.overrides:
        name = credibility.detail.get("list")
        return (
            "Predatory publisher, credibility "
            f"{hundredths(credibility.score)}{f' ({name})' if name else ''}"
        )
    if credibility and "retracted" in credibility.overrides:
        return _retraction(source, credibility)
    words = source.rejected or ""
    return words[:1].upper() + words[1:]


def _retraction(source: Source, credibility: Credibility) -> str:
    mark = next((mark for mark in source.marks if mark.retracts), None)
    date = str(credibility.detail.get("date") or (mark and mark.date) or "")
    why = str(credibility.detail.get("reason") or (mark and mark.reason) or "")
    return ", ".join(filter(None, (f"Retracted {date[:4]}".strip(), why)))


def mark_words(mark: Mark) -> str:
    words = [MARKS.get(mark.kind, mark.kind), day(mark.date), mark.reason or ""]
    return ", ".join(filter(None, words)) + f" (says {mark.by})"


def sum_rows(source: Source, credibility: Credibility) -> tuple[tuple[str, str], ...]:
    """The product behind a score, one factor a row; empty where a rule replaced the product."""
    if score_of(source) is None or (credibility.overrides and not credibility.modifiers):
        return ()
    rows = [(f"Base: {credibility.category}", hundredths(credibility.base_score))]
    product = credibility.base_score
    for key, value in credibility.modifiers.items():
        product *= value
        label = FACTORS.get(key, key.replace("_", " ").capitalize())
        factor_rows = factor_words(key, label, source, credibility)
        if factor_rows or value != 1.0:
            rows.append((factor_rows or label, f"× {hundredths(value)}"))
    if round(product, 6) > credibility.score + 0.005 and "concern" not in credibility.overrides:
        rows.append((f"Product {hundredths(product)}, capped", ""))
    if "concern" in credibility.overrides:
        rows.append((MARKS["concern"], f"× {hundredths(CONCERN_FACTOR)}"))
    rows.append(("Score", hundredths(credibility.score)))
    return tuple(rows)


def factor_words(key: str, label: str, source: Source, credibility: Credibility) -> str:
    """What is behind a factor in words, "" when nothing is known about it."""
    if key == "citation" and source.cited_by_count is not None:
        return f"{label}, {source.cited_by_count}"
    voices = credibility.detail.get("cross_references", credibility.detail.get("voices"))
    if key == "cross_reference" and voices is not None:
        return f"{label}, {voices} independent"
    if key == "journal" and credibility.modifiers[key] > 1:
        venue = credibility.detail.get("venue")
        return f"{venue}, listed high impact" if venue else "Journal, listed high impact"
    return ""
