"""Tools that search: scholarly works, the web, headlines, images. The structured functions stand in
tools/research."""

from typing import TYPE_CHECKING

from tools.toolset.context import current, need

if TYPE_CHECKING:
    from tools.sources.combined import Desk

_WHAT = "Source clients"


def _desk() -> "Desk":
    return need(current().desk, _WHAT)


def academic_search(query: str, max_results: int = 10) -> str:
    """Scholarly works: address, DOI, year and citations, open copy, abstract."""
    from tools.research import academic_search as beneath

    return beneath.academic_search(query, max_results, desk=_desk())


def web_search(
    query: str,
    max_results: int | None = None,
    search_type: str = "general",
    enable_content_extraction: bool = False,
) -> str:
    """Web pages, news, scholarly works or images, by search_type."""
    from tools.research import web_search as beneath

    return beneath.web_search(
        query, max_results, search_type, enable_content_extraction, desk=_desk()
    )


def web_image_search(query: str, max_results: int = 10) -> str:
    """Images on the web with the pages they are on."""
    return web_search(query, max_results, "images")


def get_newsroom_headlines(
    query: str | None = None, days_back: int = 90, max_results: int = 25
) -> str:
    """Headlines of the newsroom and of the feeds; without a query the newest."""
    from tools.research import newsroom as beneath

    return beneath.get_newsroom_headlines(query, days_back, max_results, desk=_desk())
