"""The figures of a research, the same in every interface and format."""

from typing import TYPE_CHECKING

from tools.text.figures import hundredths
from tools.text.phrases import counted

if TYPE_CHECKING:
    from workflows.research.model import DeadEnd
    from workflows.research.state import ResearchState

__all__ = ["dead_ends", "hundredths", "quality"]


def dead_ends(state: "ResearchState") -> "list[DeadEnd]":
    """What led nowhere; older records also name queries there that were never asked."""
    return [end for end in state.dead_ends if end.reason != "budget"]


def quality(state: "ResearchState") -> list[tuple[str, str]]:
    """The quality table: label and value. A quick search has no claims, so nothing of theirs is counted."""
    found = state.quality
    sources = ("Sources", f"{found.sources_used} used, {found.sources_rejected} set aside")
    models = ("Models", ", ".join(state.model_names) or "none")
    if state.kind == "search":
        return [sources, ("Sentences refused", str(found.refused_sentences)), models, *_calls(state)]
    links = f"{found.links_alive} of {found.links_checked}" if found.links_checked else "not checked"
    searches = f"{counted(found.searches, 'query', 'queries')}, {counted(len(dead_ends(state)), 'dead end')}"
    return [
        ("Overall confidence", hundredths(found.overall_confidence)),
        ("Claims verified", f"{found.verified_claims} of {found.total_claims}"),
        ("Cross-validated", str(found.cross_validated)),
        ("Model sentences", f"{found.written_sentences} taken, {found.refused_sentences} refused"),
        sources,
        ("Distinct domains", str(found.distinct_domains)),
        ("Credibility 0.70 or more", f"{found.credible_share:.0%}"),
        ("Rounds", str(max(found.iterations, state.round, 1))),
        ("Searches", searches),
        ("Links alive", links),
        ("Questions not fully covered", str(found.gaps_open)),
        models,
        *_calls(state),
    ]


def _calls(state: "ResearchState") -> list[tuple[str, str]]:
    """What models took in this run; no row where none was asked."""
    usage = state.usage
    if not usage.calls:
        return []
    costs = [row["cost"] for row in usage.models.values() if row.get("cost") is not None]
    cost = [("Cost of the calls", f"{sum(costs):.4f}")] if costs else []
    tokens = f"{usage.tokens_in + usage.tokens_out:,}".replace(",", "\u202f")
    return [("Calls of models", f"{usage.calls}, {tokens} tokens"), *cost]
