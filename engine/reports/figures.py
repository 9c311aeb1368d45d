"""The figures of a research, the same in every interface and format."""

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tools.errors import FailureReason
from tools.text.figures import hundredths
from tools.text.phrases import counted
from workflows.research.kinds import RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from tools.sources.source import Source
    from workflows.research.state import DeadEnd, ResearchState, Turn

__all__ = [
    "NOT_RATED", "Rating", "by_tag", "confidence", "counted", "counts", "credibility_words",
    "dead_ends", "duration", "file_name", "hundredths", "listed", "model_use", "origin_of",
    "quality", "rating_of", "rating_words", "score_of", "size", "used_by_models",
    "used_by_requests",
]  # fmt: skip

NOT_RATED = "not rated"
_HASH = re.compile(r"[0-9a-f]{16}")  # of a text without a file name
Rating = float | str | None


def dead_ends(state: "ResearchState") -> "list[DeadEnd]":
    """What led nowhere; older records also name queries there that were never asked."""
    return [end for end in state.dead_ends if end.reason != FailureReason.BUDGET]


def by_tag(source: "Source") -> tuple[int, str]:
    """The place of a source in a list: S1, S2, and those without a tag at its end."""
    tag = source.tag or ""
    return (int(tag[1:]) if tag[1:].isdecimal() else 10**9, source.source_id)


def listed(state: "ResearchState") -> "list[Source]":
    """The sources of a bibliography, by tag (S1, S2 ...): those that were not set aside."""
    return sorted((source for source in state.sources if not source.rejected), key=by_tag)


def file_name(source: "Source") -> str:
    """The file of a document of the user's; "" where its entry is named by a hash."""
    name = unquote(source.url.rpartition("/")[2])
    return "" if _HASH.fullmatch(name) else name


def score_of(source: "Source") -> float | None:
    """Credibility; None where nobody rates it: the user's own documents, and outlets in no list."""
    rating = rating_of(source)
    return rating if isinstance(rating, float) else None


def rating_of(source: "Source") -> Rating:
    """What people are shown: the score, "not rated" for an outlet in no list, None for the user's
    own documents."""
    if not source.credibility or source.is_local:
        return None
    return float(source.credibility.score) if source.credibility.is_rated else NOT_RATED


def rating_words(rating: Rating) -> str:
    """A rating in words; "" for none."""
    return hundredths(rating) if isinstance(rating, float) else rating or ""


def credibility_words(source: "Source") -> str:
    """ "credibility 0.75", "credibility not rated"; "" for the user's own documents."""
    words = rating_words(rating_of(source))
    return f"credibility {words}" if words else ""


def counts(state: "ResearchState") -> str:
    """The one set of counts: found, read, cited, set aside."""
    quality = state.quality
    parts = [f"{quality.sources_read} read", f"{quality.sources_used} cited"]
    if quality.sources_rejected:
        parts.append(f"{quality.sources_rejected} set aside")
    return f"{counted(quality.sources_found, 'source')}: {', '.join(parts)}"


def confidence(value: float | None) -> str:
    """A confidence, or that nobody judged it."""
    return "not judged" if value is None else hundredths(value)


def _credible(state: "ResearchState") -> str:
    """How many of the cited sources that are rated have a score of 0.70 or more, and how many are
    not rated."""
    from workflows.research.report.quality import CREDIBLE, used_sources

    used_ids = used_sources(state)
    ratings = [rating_of(source) for source in state.sources if source.source_id in used_ids]
    scores = [rating for rating in ratings if isinstance(rating, float)]
    credible = sum(score >= CREDIBLE for score in scores)
    words = f"{credible} of {len(scores)} rated sources" if scores else "no source rated"
    unrated = ratings.count(NOT_RATED)
    return f"{words}, {unrated} not rated" if unrated else words


def quality(state: "ResearchState") -> list[tuple[str, str]]:
    """The quality table: label and value. What nobody judged says so."""
    figures = state.quality
    rows = [("Sources", counts(state))]
    if state.answer is not None:
        rows.append(("Texts searched", str(state.answer.searched.sources)))
        rows.append(
            ("Judge", state.answer.judge.name if state.answer.judge.kind != "none" else "none")
        )
    rows.append(("Confidence", confidence(figures.overall_confidence)))
    if state.kind != RecordKind.SEARCH:
        links = f"{figures.links_alive} of {figures.links_checked}"
        searches = (
            f"{counted(figures.searches, 'query', 'queries')}, "
            f"{counted(len(dead_ends(state)), 'dead end')}"
        )
        rows += [
            ("Distinct domains", str(figures.distinct_domains)),
            ("Credibility 0.70 or more", _credible(state)),
            ("Rounds", str(max(figures.iterations, state.round, 1))),
            ("Searches", searches),
            ("Links alive", links if figures.links_checked else "not checked"),
        ]
    sentence_counts = f"{figures.written_sentences} taken, {figures.refused_sentences} refused"
    models = ", ".join(state.model_names)
    rows += [("Sentences of the model", sentence_counts)] if models else []
    users = used_by_models(state)
    return [
        *rows,
        ("Models", models or "none"),
        *([("Used by models", ", ".join(users))] if users else []),
    ]


def model_use(calls: int, tokens: int, costs: "Iterable[float | None]") -> list[str]:
    """What models took, in words: calls, tokens, and what was paid where that is known."""
    if not calls:
        return []
    amounts = [cost for cost in costs if cost is not None]
    parts = [counted(calls, "model call"), f"{tokens:,} tokens".replace(",", "\u202f")]
    return [*parts, f"{sum(amounts):.4f} paid"] if amounts else parts


def duration(seconds: float | None) -> str:
    """ "0.4 s", "48 s", "2 min 5 s", "1 h 3 min"."""
    value = max(0.0, float(seconds or 0))
    if value < 10:
        return f"{value:.1f} s"
    if value < 60:
        return f"{value:.0f} s"
    whole = round(value)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def size(count: float | None) -> str:
    """Bytes in decimal units: "512 B", "41 kB", "1.2 MB"."""
    value = float(count or 0)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit != "MB" or value >= 10 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"


def origin_of(turn: "Turn") -> str:
    """Who wrote an answer, what was refused of it, and what models took for it; "" where passages
    answer and no model was asked."""
    if turn.text:
        model = turn.model or "A model"
        words = f"{model}, from what it knows; nothing was searched or checked."
    elif turn.model:
        were = "was" if turn.refused == 1 else "were"
        refused = f"; {turn.refused} of its sentences did not pass and {were} left out"
        words = (
            f"Written by {turn.model} and checked against the texts{refused * (turn.refused > 0)}."
        )
    elif turn.refused:
        some = f"none of the {turn.refused} sentences that a model wrote passed"
        single = "the one sentence that a model wrote did not pass"
        words = f"Quoted, because {single if turn.refused == 1 else some}."
    elif turn.problem:
        words = "Quoted, because the model could not be used:"
    else:
        return ""
    use = ", ".join(model_use(turn.calls, turn.tokens_in + turn.tokens_out, ()))
    return " ".join(filter(None, (words, turn.problem, use and f"{use}.")))


def used_by_requests(requests: "Sequence[Mapping[str, Any]]") -> list[str]:
    """What models took so far, by the data of the events that say that one was asked."""
    kinds = ("tokens_in", "tokens_out")
    tokens = sum(int(row.get(kind) or 0) for row in requests for kind in kinds)
    costs = (row.get("cost") for row in requests)
    return model_use(sum(int(row.get("calls") or 0) for row in requests), tokens, costs)


def used_by_models(state: "ResearchState") -> list[str]:
    """What models took in a run."""
    usage = state.usage
    costs = (row.get("cost") for row in usage.models.values())
    return model_use(usage.calls, usage.tokens_in + usage.tokens_out, costs)
