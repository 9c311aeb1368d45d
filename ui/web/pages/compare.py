"""Two researches side by side."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.answers import HistoryQuery
from engine.models import Claim, Conflict, NotFound, RecordKind, ResearchState, RunStatus, Source
from engine.reports.about_reports import Comparison, Pair
from engine.reports.figures import Rating, hundredths, rating_of
from ui.web.context import engine
from ui.web.views.citations import Cite, Citing, Glyph, author, year_of
from ui.web.views.labels import many
from ui.web.views.report_view import NATURES, sentence

bp = Blueprint("compare", __name__)

CHOICES = 60


@dataclass(frozen=True, slots=True)
class Said:
    """A claim of one research as the page shows it."""

    text: str
    glyph: Glyph | None
    cites: tuple[Cite, ...]
    words: str


@bp.get("/compare")
def index() -> ResponseReturnValue:
    """The comparison of ?a= and ?b=, or the form that chooses them."""
    ids = [request.args.get(name, "").strip()[:200] for name in ("a", "b")]
    if not all(ids):
        return choose(*ids)
    if ids[0] == ids[1]:
        return choose(ids[0], "", "Choose two different reports.")
    a, b = map(comparable, ids)
    return render_template(
        "compare.html", **comparison_context(a, b, engine().compare(a.research_id, b.research_id))
    )


def choose(a: str, b: str, problem: str | None = None) -> ResponseReturnValue:
    query = HistoryQuery(
        limit=CHOICES, status=(RunStatus.COMPLETE, RunStatus.PARTIAL), kind=RecordKind.RESEARCH
    )
    entries = engine().history(query).entries
    page = render_template("compare_choose.html", entries=entries, a=a, b=b, problem=problem)
    return page, 400 if problem else 200


def comparable(research_id: str) -> ResearchState:
    """A finished research; the sentence says what it is otherwise. Quick searches and conversations
    have no claims to hold against others."""
    state = engine().load_research(research_id)
    if state is None:
        job = engine().status(research_id)  # NotFound, when there is not even a job
        if job.over:
            raise NotFound(
                f"“{job.query[:200]}” ended without a result, so there is nothing to compare."
            )
        raise Conflict(f"“{job.query[:200]}” is not finished yet. It can be compared when it is.")
    if state.kind != RecordKind.RESEARCH:
        kind = "conversation" if state.is_conversation else "quick search"
        raise Conflict(
            f"“{state.original_query[:200]}” is a {kind}, which has no statements to compare. "
            "Make a full report of it first."
        )
    return state


@bp.get("/compare/swap")
def swap() -> ResponseReturnValue:
    """The same two, the other way round."""
    args = request.args
    return redirect(url_for("compare.index", a=args.get("b", ""), b=args.get("a", "")))


def comparison_context(
    a: ResearchState, b: ResearchState, comparison: Comparison
) -> dict[str, Any]:
    """What the page shows."""
    sides = (Citing(a), Citing(b))
    return {
        "states": (a, b),
        "bases": tuple(side.base for side in sides),
        "headline": headline(comparison),
        "both": [pair_of(pair, sides) for pair in comparison.both],
        "clashes": [
            (
                pair_of(pair, sides),
                NATURES.get(pair.nature, pair.nature),
                sentence(pair.explanation),
            )
            for pair in comparison.clashes
        ],
        "only": [
            [statement_of(claim, side) for claim in claims]
            for claims, side in zip(comparison.only, sides, strict=True)
        ],
        "shared": [shared(pair, sides) for pair in comparison.shared_sources],
        "only_sources": [
            [(source.title, side.cite(source.source_id), facts(source)) for source in sources]
            for sources, side in zip(comparison.only_sources, sides, strict=True)
        ],
    }


def headline(comparison: Comparison) -> str:
    """What there is, in one sentence."""
    clashes, (first, second) = comparison.clashes, comparison.only
    return (
        f"{many(len(comparison.both), 'statement')} in both, "
        f"{many(len(clashes), 'difference') if clashes else 'no difference'}, "
        f"{len(first)} only in the first, {len(second)} only in the second; "
        f"{many(len(comparison.shared_sources), 'shared source')}."
    )


def pair_of(pair: Pair, sides: tuple[Citing, Citing]) -> tuple[Said, Said]:
    return statement_of(pair.a, sides[0]), statement_of(pair.b, sides[1])


def statement_of(claim: Claim, citing: Citing) -> Said:
    first: dict[str, str] = {}
    for name in claim.evidence_ids:
        if name in citing.evidence:
            first.setdefault(citing.evidence[name].source_id, name)
    cites = tuple(
        citing.cite(source, name) for source, name in first.items() if source in citing.sources
    )
    words = []
    if claim.independent_sources > 1 or claim.confidence is not None:
        words.append(many(claim.independent_sources, "independent source"))
    if claim.confidence is not None:
        words.append(f"confidence {hundredths(claim.confidence)}")
    return Said(claim.text, citing.claim_glyph(claim), cites, ", ".join(words))


def shared(
    pair: tuple[Source, Source], sides: tuple[Citing, Citing]
) -> tuple[str, tuple[str, ...], list[tuple[Cite, Rating]]]:
    """A source of both: its title, its facts, and its entry and score in each."""
    entries = [
        (side.cite(source.source_id), rating_of(source))
        for source, side in zip(pair, sides, strict=True)
    ]
    return pair[0].title or pair[0].url, facts(pair[0]), entries


def facts(source: Source) -> tuple[str, ...]:
    return tuple(word for word in (author(source), year_of(source)) if word)
