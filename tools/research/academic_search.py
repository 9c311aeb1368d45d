"""The tool academic_search: scholarly clients together, as numbered text."""

from tools.sources.combined import Combined, Desk, ask_all, numbered, shortened
from tools.sources.source import Source

ADVICE = "Try fewer or more general words, or the title of a known paper."


def academic_search(query: str, max_results: int = 10, *, desk: Desk) -> str:
    """Scholarly works on a question as numbered text: address, DOI, year and citations, open copy, abstract.

    Never raises except Cancelled; a client that fails is named at the end.
    """
    return numbered(desk.report(find_works(query, max_results, desk)), "work", ADVICE, details)


def find_works(query: str, max_results: int, desk: Desk) -> Combined:
    """The structured answer beneath `academic_search`."""
    return ask_all(query, max(1, min(max_results, 50)), desk.academic, desk.ask)


def details(source: Source) -> list[str]:
    """The lines under a work's title; what is unknown is left out."""
    authors = ", ".join(source.authors[:4]) + (" and others" if len(source.authors) > 4 else "")
    facts = (
        f"Year: {source.published[:4]}" if source.published else "",
        f"Citations: {source.cited_by_count}" if source.cited_by_count is not None else "",
        f"In: {source.venue}" if source.venue else "",
    )
    lines = (
        f"Authors: {authors}" if authors else "",
        f"URL: {source.url}",
        f"DOI: {source.doi}" if source.doi else "",
        " | ".join(fact for fact in facts if fact),
        *(f"Notice: {mark.kind} (reported by {mark.by})" for mark in source.marks),
        f"Open access: {source.fulltext_url}" if source.fulltext_url else "",
        shortened(" ".join((source.abstract or source.snippet).split())),
    )
    return [line for line in lines if line]
