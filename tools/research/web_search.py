"""The tool web_search: web clients together, as numbered text; also news and scholarly works by
search type."""

from tools.errors import ConfigError
from tools.research.academic_search import academic_search
from tools.research.newsroom import get_newsroom_headlines
from tools.sources.combined import Desk, FoundSources, ask_all, numbered, shortened
from tools.sources.source import Source

ADVICE = "Try other words, or leave out quotation marks and names of sites."
DEFAULT_RESULTS = 10
TYPES = ("general", "news", "academic", "images")
_PAGES_READ = 3
_EXTRACT = 1200


def web_search(
    query: str,
    max_results: int | None = None,
    search_type: str = "general",
    enable_content_extraction: bool = False,
    *,
    desk: Desk,
) -> str:
    """Web pages on a question as numbered text: address, date, extract.

    search_type: general, news, academic or images (Brave's, which wants a key).
    enable_content_extraction: read the first three pages and give the head of their text.
    Raises ConfigError for another search type.
    """
    limit = max(1, min(max_results or DEFAULT_RESULTS, 50))
    if search_type == "academic":
        return academic_search(query, limit, desk=desk)
    if search_type == "news":
        return get_newsroom_headlines(query, max_results=limit, desk=desk)
    if search_type == "images":
        return _images(query, limit, desk)
    if search_type not in TYPES:
        raise ConfigError(
            f"There is no search type {search_type!r}; choose one of {', '.join(TYPES)}."
        )
    combined = desk.report(ask_all(query, limit, desk.web, desk.ask))
    texts = _texts(combined, desk) if enable_content_extraction else {}
    return numbered(
        combined, "page", ADVICE, lambda source: _details(source, texts.get(source.source_id, ""))
    )


def _images(query: str, limit: int, desk: Desk) -> str:
    if desk.images is None:
        problem = (
            "No service for image search is set up. The "
            "source brave finds images once it has a key."
        )
        desk.report(FoundSources(query, problems=(problem,)))
        return problem
    outcome = desk.images(query, limit)
    hits = FoundSources(
        query, outcome.sources[:limit], (outcome.problem,) if outcome.problem else ()
    )
    return numbered(
        desk.report(hits),
        "image",
        ADVICE,
        lambda s: [f"Image: {s.fields['image']}", f"URL: {s.url}"],
    )


def _texts(combined: FoundSources, desk: Desk) -> dict[str, str]:
    """The head of the text of the first pages, by source id."""
    if desk.read is None:
        return {}
    pages = ((source, *desk.read(source)) for source in combined.sources[:_PAGES_READ])
    return {source.source_id: text or f"({page.problem})" for source, page, text in pages}


def _details(source: Source, text: str) -> list[str]:
    lines = (
        f"URL: {source.url}",
        f"Date: {source.published}" if source.published else "",
        shortened(" ".join(source.snippet.split())),
        f"Text: {shortened(' '.join(text.split()), _EXTRACT)}" if text else "",
    )
    return [line for line in lines if line]
