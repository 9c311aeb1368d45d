"""Credibility of a source, by rules and arithmetic; docs/credibility.md explains the numbers.

    score = min(0.95, base x citation x cross_reference x journal)
    0.0 when retracted, 0.20 when predatory

`score_source_credibility` takes plain facts and needs no database; `assess` takes a Source, the
downloaded lists and the text, and adds the E-E-A-T facets. Nothing here asks the network or a
model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Any, TypedDict

from tools.credibility import base_rules, eeat
from tools.credibility.base_rules import Work
from tools.credibility.credibility_tables import Notice, Rule, tables, title_key
from tools.credibility.overrides import Standing, predatory, standing
from tools.credibility.store import JournalStore
from tools.credibility.user_rules import MOST, Rules, rules_of
from tools.sources.ages import outdated, years_between
from tools.sources.domains import host_of
from tools.sources.source import CONCERN_FACTOR, Credibility, Mark, Source, SourceKind
from tools.sources.work_ids import dois, pubmed_id
from tools.text.figures import hundredths
from tools.text.phrases import counted

PREDATORY = 0.20
HIGH_IMPACT = 1.05
CITATIONS = ((1000, 1.2), (100, 1.1), (10, 1.0), (1, 0.9), (0, 0.8))
VOICES = ((7, 1.15), (4, 1.1), (2, 1.0), (0, 0.9))
YOUNG_YEARS = 1.0


class Score(TypedDict):
    """score 0..0.95; category: reason of the base rule, or retracted, predatory_publisher;
    breakdown: one sentence.

    modifiers: citation, cross_reference, journal; empty when overridden. detail: the data behind
    it.
    """

    score: float
    base_score: float
    category: str
    modifiers: dict[str, float]
    breakdown: str
    detail: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is counted: citations (None = unknown), voices behind its best claim, and when it was
    published."""

    citations: int | None = None
    voices: int | None = None
    published: str | None = None
    as_of: str = ""
    marks: tuple[Mark, ...] = ()


def score_source_credibility(  # noqa: PLR0913 - the public signature of the specification
    url: str,
    citation_count: int | None = None,
    cross_reference_count: int | None = None,
    publication_year: int | None = None,
    *,
    doi: str | None = None,
    venue: str | None = None,
    issn: str | None = None,
    publisher: str | None = None,
    pmid: str | None = None,
    arxiv_id: str | None = None,
    source_type: str | None = None,
    outlet: str | None = None,
    title: str = "",
    published: str | None = None,
    as_of: str | None = None,
    marks: Sequence[Mark] = (),
    lists: JournalStore | None = None,
    rules: Rules | Mapping[str, Any] | None = None,
) -> Score:
    """The score of a source from what is known about it; every unknown may be left out.

    cross_reference_count: the largest number of voices behind a verified claim it supports.
    published: ISO date, better than publication_year where known. as_of: the day ages are counted
    to, today if absent. lists: a JournalStore; without one the built-in lists are used alone.
    rules: `Rules`, or a mapping as `Rules.own`.
    """
    source = Source(
        "",
        url,
        title,
        doi=doi,
        venue=venue,
        issn=issn,
        publisher=publisher,
        pmid=pmid,
        arxiv_id=arxiv_id,
    )
    facts = Facts(
        citation_count,
        cross_reference_count,
        published or (str(publication_year) if publication_year else None),
        as_of or date.today().isoformat(),
        tuple(marks),
    )
    rule_list = rules_of(rules)
    rating = evaluate(_work(source, source_type, outlet, rule_list), facts, lists, rule_list)
    return Score(
        score=rating.score,
        base_score=rating.base_score,
        category=rating.category,
        modifiers=dict(rating.modifiers),
        breakdown=rating.breakdown,
        detail=dict(rating.detail),
    )


def assess(
    source: Source,
    *,
    voices: int | None = None,
    as_of: str = "",
    journals: JournalStore | None = None,
    text: str = "",
    rules: Rules | Mapping[str, Any] | None = None,
) -> Credibility:
    """Score, overrides, E-E-A-T facets and notes of a source.

    voices: see `score_source_credibility`; None when it supports no verified claim. as_of: ISO date
    of the run. text: what was read of it ("" when nothing was). The marks that providers set on the
    source are honoured.
    """
    rule_list = rules_of(rules)
    facts = Facts(
        source.cited_by_count,
        voices,
        source.published,
        as_of or date.today().isoformat(),
        source.marks,
    )
    outlet = source.fields.get("outlet") or source.fields.get("source")
    rating = evaluate(
        _work(source, source.source_type, outlet if isinstance(outlet, str) else None, rule_list),
        facts,
        journals,
        rule_list,
    )
    facets = eeat.facets(source, text, rating.base_score, facts.as_of)
    note = outdated(source, facts.as_of, rule_list.outdated_years)
    detail = {**rating.detail, **({"outdated": note} if note else {})}
    return replace(rating, eeat=facets, detail=detail)


def evaluate(work: Work, facts: Facts, lists: JournalStore | None, rules: Rules) -> Credibility:
    """Overrides first, then base and modifiers; without E-E-A-T facets."""
    lists_in_use = tables()
    status = (
        standing(work, facts.marks, lists_in_use, lists) if rules.retraction_check else Standing()
    )
    if status.retracted:
        return _retracted(work, status.retracted, status)
    listing = predatory(work, lists_in_use, lists) if rules.predatory_check else None
    if listing:
        sentence = f"PREDATORY PUBLISHER - {listing.name} ({listing.list}, {listing.dated})"
        detail = {
            "overrides": ["predatory_publisher"],
            "name": listing.name,
            "list": listing.list,
            "dated": listing.dated,
            "matched": listing.key,
            **_notices(status),
        }
        return _overridden(PREDATORY, "predatory_publisher", sentence, detail)
    return _scored(work, facts, status, lists, rules)


def _scored(
    work: Work, facts: Facts, status: Standing, lists: JournalStore | None, rules: Rules
) -> Credibility:
    matches = base_rules.matches(work, tables())
    base = matches[0]
    modifiers = {
        "citation": _weighted(
            citation_modifier(facts, _scholarly(work, matches)), rules.citation_weight
        ),
        "cross_reference": _weighted(voices_modifier(facts.voices), rules.cross_reference_weight),
        "journal": HIGH_IMPACT if (venue := _high_venue(work)) else 1.0,
    }
    value = base.base
    for factor in modifiers.values():
        value *= factor
    # Rounded before it is shown, so that the sentence and the number never differ
    value = round(
        min(rules.max_score, MOST, value) * (CONCERN_FACTOR if status.concern else 1.0), 6
    )
    detail: dict[str, Any] = {
        "base": base.base,
        "rule": base.rule,
        "matched": base.key,
        "also": [
            {"rule": r.rule, "base": r.base, "category": r.category}
            for r in matches[1:]
            if r != base
        ],
        "citations": facts.citations,
        "voices": facts.voices,
        "venue": venue,
        "published": facts.published,
        "open_access": _open_access(work, lists),
        "overrides": ["concern"] if status.concern else [],
        **_notices(status),
    }
    return Credibility(
        score=value,
        category=base.category,
        base_score=base.base,
        modifiers=modifiers,
        overrides=tuple(detail["overrides"]),
        breakdown=_sentence(base, modifiers, facts, venue, status, value),
        detail=detail,
    )


def citation_modifier(facts: Facts, scholarly: bool) -> float:
    """By citations of a scholarly work; unknown, and not a scholarly work: 1.0. Young works are not
    punished."""
    if facts.citations is None or facts.citations < 0 or not scholarly:
        return 1.0
    factor = next(factor for least, factor in CITATIONS if facts.citations >= least)
    age = years_between(facts.published, facts.as_of)
    return max(factor, 1.0) if age is not None and age < YOUNG_YEARS else factor


def voices_modifier(voices: int | None) -> float:
    """By the number of independent voices behind its best verified claim; 1.0 when there is no such
    claim."""
    if voices is None:
        return 1.0
    return next((factor for least, factor in VOICES if voices >= least), VOICES[-1][1])


def factors_in_words() -> list[tuple[str, str]]:
    """Each factor and its steps, as documentation and help show them."""
    return [
        ("Citations of a scholarly work", f"{_steps(CITATIONS)}; unknown × 1.0"),
        ("Independent sources for its best statement", f"{_steps(VOICES)}; unknown × 1.0"),
        ("Journal", f"listed as high impact × {HIGH_IMPACT}, otherwise × 1.0"),
    ]


def _steps(steps: Sequence[tuple[int, float]]) -> str:
    """ "up to 1 × 0.9, 2 to 3 × 1.0, from 4 × 1.1", of steps (from so many, factor) downwards."""
    rising = steps[::-1]
    words = []
    for (least, factor), (following, _) in pairwise(rising):
        most = following - 1
        count = f"{least} to {most}" if least else f"up to {most}" if most else "none"
        words.append(f"{count} × {factor}")
    return ", ".join([*words, f"from {rising[-1][0]} × {rising[-1][1]}"])


def _work(source: Source, kind: str | None, outlet: str | None, rules: Rules) -> Work:
    host = host_of(source.url)
    if kind is None and source.url.startswith("local:"):
        kind = "local"
    pmid = pubmed_id(source.url, source.pmid)
    return Work(
        source=source,
        host="" if kind == SourceKind.LOCAL else host,
        kind=kind,
        dois=dois(source.url, source.doi, source.arxiv_id),
        doi=base_rules.registering_doi(source.url, host, source.doi, kind, tables()),
        pmid=pmid,
        indexed=bool(pmid or source.pmcid),
        issns=base_rules.issns_of(source.issn),
        outlet=outlet,
        user_rules=rules.by_key,
    )


def _scholarly(work: Work, matches: Sequence[Rule]) -> bool:
    return (
        work.kind == SourceKind.ACADEMIC
        or bool(work.doi or work.indexed)
        or any(rule.scholarly for rule in matches)
    )


def _high_venue(work: Work) -> str | None:
    rule = base_rules.venue_rule(work, tables())
    return rule.name if rule and rule.high else None


def _open_access(work: Work, lists: JournalStore | None) -> str | None:
    if (
        not lists
        or not (work.issns or work.source.venue)
        or work.kind in (SourceKind.WEB, SourceKind.NEWSROOM)
    ):
        return None
    return lists.open_access(work.issns, title_key(work.source.venue or ""))


def _weighted(factor: float, weight: float) -> float:
    return round(1.0 + (factor - 1.0) * max(0.0, weight), 6)


def _retracted(work: Work, notice: Notice, status: Standing) -> Credibility:
    name = notice.label or work.source.title or (work.dois[0] if work.dois else work.source.url)
    verb = "withdrawn" if notice.mark.kind == "withdrawn" else "retracted"
    year = (notice.mark.date or "")[:4]
    sentence = f"RETRACTED - {name} ({verb}{' ' + year if year else ''})"
    detail = {
        "overrides": ["retracted"],
        "name": name,
        "date": notice.mark.date,
        "reason": notice.mark.reason,
        "notice": notice.mark.notice,
        "list": notice.mark.by,
        **_notices(status),
    }
    return _overridden(0.0, "retracted", sentence, detail)


def _overridden(score: float, category: str, sentence: str, detail: dict[str, Any]) -> Credibility:
    return Credibility(
        score=score,
        category=category,
        base_score=score,
        overrides=tuple(detail["overrides"]),
        breakdown=sentence,
        detail=detail,
    )


def _notices(status: Standing) -> dict[str, Any]:
    """Every notice, for people: corrections and reinstatements too."""
    marks = [notice.mark for notice in status.notices]
    rows = [
        {"kind": m.kind, "date": m.date, "reason": m.reason, "notice": m.notice, "by": m.by}
        for m in marks
    ]
    return {"notices": rows} if rows else {}


def _sentence(
    base: Rule,
    modifiers: Mapping[str, float],
    facts: Facts,
    venue: str | None,
    status: Standing,
    value: float,
) -> str:
    """`Base: 0.85 (...) | Citations: 1.1x (523 cites) | Cross-refs: 1.1x (4 sources agree) ->
    Final: 0.95`."""
    rated = base != base_rules.UNKNOWN or status.concern
    parts = [
        f"Base: {hundredths(base.base)} ({base.category})"
        if rated
        else f"Not rated ({base.category.lower()})"
    ]
    for name, (label, reason) in _reasons(facts, venue).items():
        if modifiers[name] != 1.0:
            parts.append(f"{label}: {modifiers[name]:g}x ({reason})")
    if status.concern:
        year = (status.concern.mark.date or "")[:4]
        parts.append(f"Expression of concern: {CONCERN_FACTOR:g}x{f' ({year})' if year else ''}")
    return f"{' | '.join(parts)} -> {'Final:' if rated else 'counts as'} {hundredths(value)}"


def _reasons(facts: Facts, venue: str | None) -> dict[str, tuple[str, str | None]]:
    """What each modifier is called, and what it comes from."""
    voices = facts.voices or 0
    return {
        "citation": ("Citations", counted(facts.citations or 0, "cite")),
        "cross_reference": (
            "Cross-refs",
            f"{voices} sources agree" if voices > 1 else "no other source agrees",
        ),
        "journal": ("Journal", venue),
    }
