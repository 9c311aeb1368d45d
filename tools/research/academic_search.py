"""The tool academic_search: scholarly clients together, as numbered text."""

from tools.sources.combined import Desk, ask_all, numbered, shortened
from tools.sources.source import Source

ADVICE = "Try fewer or more general words, or the title of a known paper."


def academic_search(query: str, max_results: int = 10, *, desk: Desk) -> str:
    """Scholarly works on a question as numbered text: address, DOI, year and citations, open copy,
    abstract.

    Never raises except Cancelled; a client that fails is named at the end.
    """
    return numbered(
        desk.report(ask_all(query, max(1, min(max_results, 50)), desk.academic, desk.ask)),
        "work",
        ADVICE,
        details,
    )


def details(source: Source) -> list[str]:
    """The lines under a work's title; what is unknown is left out."""
    authors = ", ".join(source.authors[:4]) + (" and others" if len(source.authors) > 4 else "")
    facts = (
        _labelled("Year", (source.published or "")[:4]),
        _labelled("Citations", source.cited_by_count),
        _labelled("In", source.venue),
    )
    lines = (
        _labelled("Authors", authors),
        f"URL: {source.url}",
        _labelled("DOI", source.doi),
        " | ".join(filter(None, facts)),
        *(f"Notice: {mark.kind} (reported by {mark.by})" for mark in source.marks),
        _labelled("Open access", source.fulltext_url),
        shortened(" ".join((source.abstract or source.snippet).split())),
    )
    return list(filter(None, lines))


def _labelled(label: str, value: str | int | None) -> str:
    return "" if value in ("", None) else f"{label}: {value}"
