"""The parsers of the scholarly and support services on small answers that hold the oddities of the
real ones."""

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.tables import each
from tools.errors import SourceError
from tools.sources.scholarly import (
    core,
    doaj,
    google_scholar,
    opencitations,
    semantic_scholar,
    unpaywall,
)
from tools.sources.source import Source

DATA = Path(__file__).resolve().parents[2] / "data" / "sources"
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {
    "semantic_scholar_search.json": semantic_scholar.parse,
    "core_search.json": core.parse,
    "google_scholar.html": google_scholar.parse,
    "unpaywall_open.json": unpaywall.parse,
    "opencitations_references.json": opencitations.parse,
    "opencitations_meta.json": opencitations.parse,
    "doaj_journal.json": doaj.parse,
    "doaj_article.json": doaj.parse,
}


def parsed(name: str) -> list[Source]:
    return PARSERS[name]((DATA / name).read_bytes())


def test_semantic_scholar_gives_all_that_a_paper_says() -> None:
    work, bare = parsed("semantic_scholar_search.json")
    assert (work.title, work.url) == ("Effects of CO2 & more", "https://doi.org/10.1234/abc.1")
    assert (work.doi, work.arxiv_id, work.pmid, work.pmcid) == (
        "10.1234/abc.1",
        "2401.00001",
        "9500320",
        "PMC3458472",
    )
    assert (work.authors, work.published) == (("Ana Łódź", "B. Raw"), "2021-04-01")
    assert (work.venue, work.issn, work.cited_by_count) == ("Annals of Tests", "0925-2312", 0)
    assert (work.abstract, work.fulltext_url) == ("We test it.", "https://open.example/x.pdf")
    assert work.ids == {
        "semantic_scholar": "0123456789abcdef0123456789abcdef01234567",
        "corpus_id": "7",
        "mag": "314",
    }
    assert work.fields == {
        "type": "Review", "types": ["Review", "JournalArticle"], "volume": "45", "pages": "1-9",
        "author_ids": ["semantic_scholar:11", ""], "keywords": ["Physics"], "open_access": "green",
        "license": "CCBY", "reference_count": 30, "influential_citations": 2,
    }  # fmt: skip
    assert (bare.title, bare.published, bare.cited_by_count, bare.fulltext_url) == (
        "",
        None,
        None,
        None,
    )


def test_core_gives_all_that_a_work_says() -> None:
    work, bare = parsed("core_search.json")
    assert (work.title, work.doi, work.pmid) == ("A & B", "10.1234/abc.1", "9500320")
    assert work.authors == ("Seokhyun Byun", "The Group", "One, Two, Three")
    assert (work.published, work.language, work.publisher) == ("2019", "en", "A Press")
    assert work.abstract == "First line of a file. Second."
    assert work.fulltext_url == "https://repo.example/x.pdf", "a file before a page"
    assert work.fields["copies"] == ["https://repo.example/x.pdf", "https://core.example/works/123"]
    assert (work.venue, work.issn, work.references) == (
        "Annals of Tests",
        "0925-2312",
        ("doi:10.1234/old",),
    )
    assert (bare.url, bare.published, bare.fulltext_url) == (
        "https://core.ac.uk/works/124",
        None,
        None,
    )


def test_a_scholar_page_gives_its_results() -> None:
    work, cited = parsed("google_scholar.html")
    assert (work.title, work.doi) == ("On tests & trials", "10.1234/abc.1")
    assert (work.authors, work.published, work.venue) == (
        ("A One", "B Two"),
        "2021",
        "Annals of Tests",
    )
    assert (work.publisher, work.cited_by_count, work.fulltext_url) == (
        "A Press",
        1234,
        "https://open.example/x.pdf",
    )
    assert (work.snippet, work.abstract) == ("… tests are tests …", ""), "an extract is no evidence"
    assert (cited.title, cited.url) == (
        "Only cited",
        "https://scholar.google.com/scholar?cluster=88",
    )
    with pytest.raises(SourceError, match="blocked: it asks for proof of being human"):
        google_scholar.parse((DATA / "google_scholar_block.html").read_bytes())
    with pytest.raises(SourceError, match="without results"):
        google_scholar.parse(b"<html><body><h1>Welcome</h1></body></html>")
    assert google_scholar.parse(b'<div id="gs_res_ccl_mid"></div> did not match any articles') == []


def test_unpaywall_gives_every_copy_once() -> None:
    (work,) = parsed("unpaywall_open.json")
    assert (work.doi, work.title, work.published) == ("10.1234/abc.1", "A & B", "2019")
    assert (work.authors, work.issn, work.publisher) == (
        ("Ana One", "B Two"),
        "0925-2312",
        "A Press",
    )
    assert work.fulltext_url == "https://repo.example/x.pdf"
    assert [copy["url"] for copy in work.fields["copies"]] == [
        "https://repo.example/x.pdf",
        "https://other.example/x",
    ]
    assert (work.fields["license"], work.fields["open_access"]) == ("cc-by", "green")
    missing = b'{"HTTP_status_code": 404, "error": true, "message": "not in our database"}'
    assert unpaywall.parse(missing) == []
    with pytest.raises(SourceError, match="use your own email"):
        unpaywall.parse(
            b'{"HTTP_status_code": 422, "error": true, "message": "Please use your own email"}'
        )


def test_opencitations_gives_the_ends_of_edges_and_describes_works() -> None:
    (cited,) = parsed("opencitations_references.json")
    assert (cited.doi, cited.pmid, cited.ids, cited.title) == (
        "10.1234/old",
        "42",
        {"openalex": "W2"},
        "",
    )
    assert cited.published is None, "the date of a citation is the citing work's"
    (citing,) = opencitations.parse((DATA / "opencitations_references.json").read_bytes(), "citing")
    assert (citing.doi, citing.published) == ("10.1234/abc.1", "2021-04")
    (work,) = parsed("opencitations_meta.json")
    assert (work.title, work.authors, work.published) == (
        "An Older Test",
        ("Ana One", "Group"),
        "2019-03",
    )
    assert (work.venue, work.issn, work.publisher) == ("Annals of Tests", "0925-2312", "A Press")
    assert work.source_id == cited.source_id


def test_the_directory_tells_how_a_journal_works() -> None:
    (journal,) = parsed("doaj_journal.json")
    assert (journal.title, journal.url, journal.issn) == (
        "Annals of Tests",
        "https://annals.example/",
        "0925-2312",
    )
    assert journal.language is None, "of two languages nobody knows which is meant"
    assert journal.fields == {
        "type": "journal", "issns": ["0925-2312", "1234-567X"], "country": "DE",
        "review": ["Double blind peer review"], "license": ["CC BY"], "fees": ["900 EUR"],
        "weeks_to_publication": 12, "plagiarism_check": True, "preserved_by": ["CLOCKSS"],
        "seal": True,
    }  # fmt: skip
    (article,) = parsed("doaj_article.json")
    assert (article.doi, article.published, article.language) == ("10.1234/abc.1", "2019", "de")
    assert (article.authors, article.fulltext_url) == (("Ana One",), "https://annals.example/a1")


@each("name", PARSERS)
@each("data", [b"", b"{", b"[[[", b"3", b'"x"', b"\xff\xfe\x00", b'{"error": "no such field"}'])
def test_what_is_no_answer_is_a_problem(name: str, data: bytes) -> None:
    with pytest.raises(SourceError):
        PARSERS[name](data)


@each("name", PARSERS)
def test_no_damage_to_an_answer_breaks_a_parser(name: str) -> None:
    rng, data = random.Random(7), (DATA / name).read_bytes()
    swaps = (b"null", b'"x"', b"[]", b"{}", b"-1", b'""', b"true")
    for _ in range(50):
        at = rng.randrange(len(data))
        damaged = data[:at] + rng.choice(swaps) + data[at + rng.randrange(12) :]
        with suppress(SourceError):
            for source in PARSERS[name](damaged):
                assert source.source_id and source.url
    for value in (b"null", b"[]", b"{}", b'"x"', b"7", b"true"):
        for key in set(data.replace(b"'", b"").split(b'"')[1::2]):
            start = data.find(b'"' + key + b'": ')
            if start >= 0 and key:
                cut = data.find(b",", start)
                with suppress(SourceError):
                    PARSERS[name](
                        data[: start + len(key) + 4] + value + (data[cut:] if cut > 0 else b"}")
                    )
