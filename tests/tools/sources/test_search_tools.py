"""The search tools: readable numbered text over several clients, one of which may fail."""

from collections.abc import Callable
from typing import Any

import pytest

from tools.errors import ConfigError
from tools.research.academic_search import academic_search
from tools.research.newsroom import get_newsroom_headlines
from tools.research.web_search import web_search
from tools.sources.combined import Desk, ask_all
from tools.sources.source import FetchedPage, Mark, Outcome, Source, make_source

WORK = make_source(
    "https://doi.org/10.1234/x", "Coffee and sleep", doi="10.1234/x",
    authors=("A", "B", "C", "D", "E"),
    published="2021-04-01", cited_by_count=12, venue="Annals", abstract="Coffee delays sleep.\n"
                                                                        "Much.",
    fulltext_url="https://a.example/x.pdf", marks=(Mark("retracted", "OpenAlex"),),
    source_type="academic",
)  # fmt: skip
PAGE = make_source(
    "https://b.example/page", "A page", snippet="Some words. " * 60, published="2025-01-02"
)
NEWS = make_source(
    "https://n.example/1", "News", source_type="newsroom", venue="The Daily",
    published="2026-05-01",
    fields={"topic_tags": ["energy"], "country_tags": ["ZA"]},
)  # fmt: skip


def desk(answers: dict[str, Any], **more: Any) -> Desk:
    def ask(name: str, query: str, limit: int) -> Outcome:
        sources = answers[name]
        if isinstance(sources, str):
            return Outcome(name, query, problem=sources, reason="error")
        return Outcome(name, query, tuple(sources))

    return Desk(ask, academic=tuple(answers), web=tuple(answers), newsroom=tuple(answers), **more)


def test_academic_search_reads_like_a_list() -> None:
    text = academic_search(
        "coffee", desk=desk({"openalex": [WORK], "arxiv": "arXiv: rate limited; skipped"})
    )
    assert text == (
        "1. Coffee and sleep\n   Authors: A, B, C, D and others\n   URL: https://doi.org/10.1234/x\n"
        "   DOI: 10.1234/x\n   Year: 2021 | Citations: 12 | In: Annals\n   Notice: retracted "
        "(reported by OpenAlex)\n"
        "   Open access: https://a.example/x.pdf\n   Coffee delays sleep. Much.\n\n"
        '1 work found for "coffee".\nNote: arXiv: rate limited; skipped.'
    )


def test_what_two_clients_know_is_one_entry() -> None:
    same = make_source(
        "https://doi.org/10.1234/x", "Coffee and sleep", doi="10.1234/X", providers=("crossref",)
    )
    other = make_source("https://c.example/", "Other")
    outcome = ask_all("q", 10, ("a", "b"), desk({"a": [WORK, PAGE], "b": [same, other]}).ask)
    assert [source.title for source in outcome.sources] == ["Coffee and sleep", "A page", "Other"]
    assert "crossref" in outcome.sources[0].providers
    assert (
        len(ask_all("q", 2, ("a", "b"), desk({"a": [WORK, PAGE], "b": [same, other]}).ask).sources)
        == 2
    )


@pytest.mark.parametrize("tool", [academic_search, web_search, get_newsroom_headlines])
def test_an_empty_answer_says_what_to_try(tool: Callable[..., str]) -> None:
    text = tool("zzz", desk=desk({"a": []}))
    assert text.startswith("No ") and "Try" in text and '"zzz"' in text
    assert "Note: X: down." in tool("zzz", desk=desk({"a": "X: down"}))
    assert tool("zzz", desk=desk({})).startswith("No ")


def test_web_search_shortens_extracts_at_a_word() -> None:
    text = web_search("q", desk=desk({"duckduckgo": [PAGE]}))
    assert text.splitlines()[:3] == [
        "1. A page",
        "   URL: https://b.example/page",
        "   Date: 2025-01-02",
    ]
    assert text.splitlines()[3].endswith("words. ...") and len(text.splitlines()[3]) < 320


def test_web_search_reads_pages_when_asked_to() -> None:
    def read(source: Source) -> tuple[FetchedPage, str]:
        return FetchedPage(source.source_id, source.url), "The whole\ntext."

    def fail(source: Source) -> tuple[FetchedPage, str]:
        return FetchedPage(source.source_id, source.url, problem="b.example: gone"), ""

    assert "Text: The whole text." in web_search(
        "q", None, "general", True, desk=desk({"a": [PAGE]}, read=read)
    )
    assert "Text: (b.example: gone)" in web_search(
        "q", None, "general", True, desk=desk({"a": [PAGE]}, read=fail)
    )
    assert "Text:" not in web_search("q", None, "general", True, desk=desk({"a": [PAGE]}))


def test_web_search_has_its_types() -> None:
    assert "Citations: 12" in web_search("q", search_type="academic", desk=desk({"a": [WORK]}))
    assert "The Daily | 2026-05-01" in web_search("q", search_type="news", desk=desk({"a": [NEWS]}))
    assert "No service for image search" in web_search("q", search_type="images", desk=desk({}))
    picture = make_source(
        "https://a.example/cups", "A cup", fields={"image": "https://a.example/cup.jpg"}
    )
    images = desk({}, images=lambda query, limit: Outcome("brave", query, (picture,)))
    assert web_search("cups", search_type="images", desk=images) == (
        "1. A cup\n   Image: https://a.example/cup.jpg\n   URL: https://a.example/cups\n\n1 image "
        'found for "cups".'
    )
    with pytest.raises(ConfigError, match="general, news, academic, images"):
        web_search("q", search_type="video", desk=desk({}))


def test_newsroom_headlines_show_outlet_date_and_tags_and_leave_out_old_ones() -> None:
    text = get_newsroom_headlines(desk=desk({"newsroom": [NEWS]}, today="2026-06-01"))
    assert text == (
        "1. News\n   The Daily | 2026-05-01\n   URL: https://n.example/1\n   energy, ZA\n\n1 "
        "article found."
    )
    assert get_newsroom_headlines(
        "x", 10, desk=desk({"newsroom": [NEWS]}, today="2026-06-01")
    ).startswith("No article")
