"""Tools over stored texts and pages: links, passages, whole texts, sections. The work is done in
tools/shelf."""

from typing import TYPE_CHECKING

from tools.toolset.context import current, need

if TYPE_CHECKING:
    from tools.shelf.shelf import Shelf
    from tools.shelf.telling import Summary

_WHAT = "Stored texts"


def _shelf() -> "Shelf":
    return need(current().shelf, _WHAT)


def _summary() -> "Summary":
    from tools.shelf import telling

    context = current()
    return telling.summariser(context.models() if context.models else None, context.check)


def extract_links(url: str, query: str | None = None, max_links: int = 20) -> str:
    """The links of a page, ranked by the query; the page is kept."""
    from tools.shelf import telling

    return telling.extract_links(_shelf(), url, query, max_links)


def get_link_summaries(urls: list[str], query: str | None = None) -> str:
    """A few sentences on each of up to ten pages."""
    from tools.shelf import telling

    return telling.get_link_summaries(_shelf(), urls, query, _summary())


def get_relevant_content(
    query: str,
    sources: list[str] | None = None,
    section_id: str | None = None,
    section_ref: str | None = None,
    max_passages: int = 6,
) -> str:
    """The best passages for a query out of addresses, handles or a section; without any, out of the
    documents."""
    from tools.shelf import telling

    return telling.get_relevant_content(
        _shelf(), query, sources or [], section_id, section_ref, max_passages
    )


def get_full_content(source: str, page: int = 1) -> str:
    """The whole text of an address or a handle, in pages."""
    from tools.shelf import telling

    return telling.get_full_content(_shelf(), source, page)


def list_sections(source: str) -> str:
    """The sections of a stored text."""
    from tools.shelf import telling

    return telling.list_sections(_shelf(), source)


def summarize_section(
    source: str = "", section_id: str | None = None, section_ref: str | None = None
) -> str:
    """What one section says, at some length."""
    from tools.shelf import telling

    return telling.summarize_section(_shelf(), source, section_id, section_ref, _summary())
