"""Texts are opened by handle or address, never by path, and told in numbered lines with handles."""

from collections.abc import Iterator

import pytest

from engine.research_engine import ResearchEngine
from tests.tables import each
from tools.documents.model import Link, Section, Snapshot
from tools.errors import NotFound, Refused, SourceError
from tools.net.store import FetchRecord
from tools.shelf import telling
from tools.shelf.handles import Handle, check_address, parse_handle
from tools.shelf.shelf import Opened, Shelf
from tools.sources.source import FetchedPage, Source
from tools.text.digest import digest

DOCUMENT = (
    "# Cooling\n\nTrees cool streets by three degrees at noon. "
    + "".join(f"Loggers in street number {n} showed shade in place {n * 7}. " for n in range(30))
    + "\n\n## Methods\n\nWe measured forty streets with loggers over two years.\n"
)
PAGE = "Owls hunt at night because their eyes gather much light. " * 12
LINKS = (Link("https://x.org/owl-eyes", "Eyes of owls"), Link("https://x.org/about", "About us"),
         Link("https://x.org/owl-eyes", "again"),
         Link("https://x.org/night", "Hunting"))  # fmt: skip


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """A library with one document, and a web with one page. Made once: reading a document starts a
    process."""
    tmp_path = tmp_path_factory.mktemp("shelf")
    (tmp_path / "doc.md").write_text(DOCUMENT)
    with ResearchEngine(
        home=tmp_path / "home", environ={}, overrides={"embeddings.enabled": False}
    ) as engine:
        engine.ingest([tmp_path / "doc.md"])
        tools = engine._opened.tools

        def read(source: Source) -> FetchedPage:
            if "10.0.0.1" in source.url:
                return FetchedPage(
                    source.source_id, source.url, problem="10.0.0.1: a private network", closed=True
                )
            if "owls" not in source.url:
                return FetchedPage(source.source_id, source.url, problem="x.org: the page is gone")
            snapshot_id = tools.snapshots.put(PAGE)
            about = {
                "title": "Owls",
                "links": [[link.url, link.text] for link in LINKS],
                "sections": [],
            }
            tools.net.fetches.add(
                FetchRecord(
                    source.source_id,
                    "r",
                    source.url,
                    "2026",
                    1.0,
                    "text/html",
                    "x",
                    None,
                    snapshot_id,
                    metadata=about,
                )
            )
            snapshot = Snapshot(
                snapshot_id,
                source.source_id,
                source.url,
                "text/html",
                "2026",
                "x",
                "full",
                len(PAGE),
            )
            return FetchedPage(source.source_id, source.url, snapshot, "Owls", links=LINKS)

        yield Shelf(tools.corpus, tools.snapshots, tools.library, tools.net.fetches, read)


def handle(shelf: Shelf) -> str:
    return str(shelf.open(f"corpus://cache/{shelf.library.documents()[0].document_id}").handle)


def plain(opened: Opened, query: str, sentences: int) -> str:
    return f"[{opened.part[:20]}|{query}|{sentences}]"


def test_handles_are_read_in_both_forms() -> None:
    assert parse_handle("corpus://cache/0123456789abcdef") == Handle("0123456789abcdef")
    assert parse_handle("corpus://cache/0123456789abcdef#section=2-methods").section == "2-methods"
    assert parse_handle("corpus://cache/0123456789abcdef/methods").section == "methods"
    for wrong in (
        "corpus://cache/../x",
        "corpus://other/0123456789abcdef",
        "corpus://cache/0123",
        "corpus://cache/XYZ" * 9,
        "",
    ):
        with pytest.raises(Refused):
            parse_handle(wrong)


LOCAL = (
    "/etc/passwd",
    "./x",
    "../x",
    "~/x",
    "file:///etc/passwd",
    "FILE://x",
    "local://x",
    "C:\\x",
    "a/b.txt",
    "\\\\host\\x",
    ".env",
)


@each("target", LOCAL)
def test_local_targets_are_refused_however_they_are_written(shelf: Shelf, target: str) -> None:
    with pytest.raises(Refused):
        check_address(target)
    for call in (
        lambda: telling.extract_links(shelf, target),
        lambda: telling.get_full_content(shelf, target),
        lambda: telling.get_relevant_content(shelf, "x", [target], None, None, 5),
        lambda: telling.list_sections(shelf, target),
        lambda: telling.summarize_section(shelf, target, "x", None, plain),
    ):  # fmt: skip
        with pytest.raises(Refused):
            call()


def test_sections_are_listed_and_summed_up_by_handle(shelf: Shelf) -> None:
    listed = telling.list_sections(shelf, handle(shelf))
    assert (
        "1. Cooling (" in listed
        and f"{handle(shelf)}#section=methods" in listed
        and listed.endswith("2 sections.")
    )
    assert "doc.md" not in listed and "/" not in listed.replace("corpus://cache/", "")
    summary = telling.summarize_section(shelf, handle(shelf), "Cooling", None, plain)
    assert "[Trees cool streets b||4]" in summary
    with pytest.raises(Refused, match="only 54 characters"):
        telling.summarize_section(shelf, handle(shelf), "methods", None, plain)
    with pytest.raises(NotFound, match="Did you mean 'Methods'"):
        telling.summarize_section(shelf, handle(shelf), "method x", None, plain)
    with pytest.raises(NotFound, match="Name a section"):
        telling.summarize_section(shelf, handle(shelf), None, None, plain)
    with pytest.raises(Refused, match="stored texts only"):
        telling.list_sections(shelf, "https://x.org/owls")


def test_section_ref_wins_over_section_id(shelf: Shelf) -> None:
    reference = f"{handle(shelf)}#section=methods"
    text = telling.get_relevant_content(
        shelf, "loggers", ["https://gone.org"], "cooling", reference, 5
    )
    assert (
        "We measured forty streets" in text
        and "number 3" not in text
        and text.endswith("1 passage found.")
    )
    older = telling.get_relevant_content(
        shelf, "loggers", [handle(shelf) + "/methods"], None, None, 5
    )
    assert "We measured forty streets" in older and "number 3" not in older


def test_passages_come_from_what_is_named_or_from_the_documents(shelf: Shelf) -> None:
    text = telling.get_relevant_content(
        shelf, "why do owls hunt", ["https://x.org/owls", "https://gone.org"], None, None, 2
    )
    assert (
        "1. Owls" in text
        and "URL: https://x.org/owls" in text
        and "Note: https://gone.org could not be read." in text
    )
    assert "1. Cooling" in telling.get_relevant_content(shelf, "trees", [], None, None, 2)
    assert "Try other words" in telling.get_relevant_content(shelf, "zebras", [], None, None, 2)
    assert "Nothing found" in telling.get_relevant_content(shelf, "", [], None, None, 2)


def test_an_address_of_a_private_network_is_refused_alone_and_noted_among_others(
    shelf: Shelf,
) -> None:
    for call in (telling.extract_links, telling.get_full_content):
        with pytest.raises(Refused, match="a private network"):
            call(shelf, "http://10.0.0.1/")
    text = telling.get_relevant_content(
        shelf, "owls", ["http://10.0.0.1/", "https://x.org/owls"], None, None, 2
    )
    assert (
        "1. Owls" in text
        and "Note: http://10.0.0.1/ could not be read. 10.0.0.1: a private network" in text
    )


def test_links_are_ranked_by_the_query(shelf: Shelf) -> None:
    links = telling.extract_links(shelf, "https://x.org/owls", "night hunting")
    assert (
        links.splitlines()[0] == "Owls"
        and links.index("Hunting") < links.index("Eyes of owls")
        and "3 of 4 links" in links
    )
    stored = links.splitlines()[1].removeprefix("Handle: ")
    assert "1. Eyes of owls" in telling.extract_links(shelf, stored, None, 1)
    with pytest.raises(SourceError, match="gone"):
        telling.extract_links(shelf, "https://gone.org")


def test_summaries_name_what_could_not_be_read(shelf: Shelf) -> None:
    summaries = telling.get_link_summaries(
        shelf, ["https://gone.org", "https://x.org/owls", "https://gone.org"], "eyes", plain
    )
    assert "1. https://gone.org\n   https://gone.org could not be read." in summaries
    assert "2. Owls" in summaries and "|eyes|3]" in summaries and summaries.endswith("2 pages.")
    assert "is on this machine" in telling.get_link_summaries(shelf, ["/etc/passwd"], None, plain)


def test_a_text_is_paged_without_losing_a_character(shelf: Shelf) -> None:
    for text in ("", "x", "word " * 9000, "x" * 30_000, "para\n\n" * 5000, "é\n" * 20_000):
        spans = telling.page_spans(text)
        assert "".join(text[a:b] for a, b in spans) == text and all(
            b - a <= telling.PAGE for a, b in spans
        )
    assert "Page 1 of 1" in telling.get_full_content(shelf, handle(shelf))
    with pytest.raises(NotFound, match="no page 2"):
        telling.get_full_content(shelf, handle(shelf), 2)


def test_an_unknown_handle_says_so(shelf: Shelf) -> None:
    with pytest.raises(NotFound, match="no stored text"):
        shelf.open("corpus://cache/0123456789abcdef")


def test_an_offline_shelf_fetches_nothing(shelf: Shelf) -> None:
    closed = Shelf(shelf.corpus, shelf.snapshots, shelf.library, shelf.fetches)
    with pytest.raises(SourceError, match="offline"):
        closed.open("https://x.org/owls")


def test_a_digest_quotes_the_telling_sentences_in_order() -> None:
    grows = "The heat island of a city grows with its sealed ground."
    shrinks = "Trees cool the ground of a city and its heat island shrinks."
    text = (
        f"Thanks for coming. {grows} It was sunny then. {shrinks} {shrinks} Nobody knows the "
        "price of the tea."
    )
    assert digest(text, 2) == [grows, shrinks]
    assert all(sentence in text for sentence in digest(text, 9)) and digest(
        text, 1, "price of tea"
    )[0].startswith("Nobody")
    assert (
        digest("") == []
        and digest("Short.") == ["Short."]
        and Section("x", "x", 1, 0, 1).kind == "body"
    )
