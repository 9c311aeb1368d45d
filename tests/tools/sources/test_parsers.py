"""The parsers of the source clients on small answers that hold every oddity the real ones have
shown."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from tools.errors import SourceError
from tools.research import newsroom
from tools.sources.answer_fields import clean, iso_date
from tools.sources.scholarly import arxiv, crossref, openalex
from tools.sources.source import Mark, Source
from tools.sources.web import duckduckgo, wikipedia

DATA = Path(__file__).resolve().parents[2] / "data" / "sources"
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {
    "openalex_search.json": openalex.parse,
    "crossref_search.json": crossref.parse,
    "arxiv_search.xml": arxiv.parse,
    "wikipedia_generator.json": wikipedia.parse,
    "wikipedia_search.json": wikipedia.parse,
    "duckduckgo_html.html": duckduckgo.parse,
    "duckduckgo_lite.html": duckduckgo.parse,
    "newsroom.json": newsroom.parse,
}


def parsed(name: str) -> list[Source]:
    return PARSERS[name]((DATA / name).read_bytes())


def test_a_venue_is_the_journal_of_any_location_and_never_a_repository() -> None:
    place = {"source": {"display_name": "A Repository", "type": "repository"}}
    journal = {"source": {"display_name": "J. of Tests", "type": "journal"}}
    for places, expected in (([place, journal], "J. of Tests"), ([place], None), ([], None)):
        work = {
            "id": "https://openalex.org/W1",
            "title": "T",
            "primary_location": {"source": None},
            "locations": places,
        }
        (source,) = openalex.parse(json.dumps({"results": [work]}).encode())
        assert source.venue == expected


def test_the_venue_of_a_preprint_is_its_server() -> None:
    work = {
        "DOI": "10.1101/2024.04.01",
        "type": "posted-content",
        "institution": [{"name": "bioRxiv"}],
        "title": ["T"],
    }
    (source,) = crossref.parse(json.dumps({"status": "ok", "message": {"items": [work]}}).encode())
    assert source.venue == "bioRxiv"
    (article,) = crossref.parse(
        json.dumps({"status": "ok", "message": {**work, "type": "book-chapter"}}).encode()
    )
    assert article.venue is None, "an institution is a venue of preprints alone"
    assert {source.venue for source in parsed("arxiv_search.xml")} >= {"arXiv"}


@pytest.mark.parametrize(
    ("parse", "answer"),
    [
        (openalex.parse, {"results": [{"changed": 1}]}),
        (crossref.parse, {"status": "ok", "message": {"items": [{"changed": 1}]}}),
        (newsroom.parse, {"articles": [{"changed": 1}]}),
    ],
)
def test_a_service_that_changed_its_form_does_not_look_as_if_it_found_nothing(
    parse: Callable[[bytes], list[Source]], answer: dict[str, Any]
) -> None:
    with pytest.raises(SourceError, match="records in an unknown form"):
        parse(json.dumps(answer).encode())


def test_openalex_gives_all_that_a_work_says() -> None:
    work, bare = parsed("openalex_search.json")
    assert (work.title, work.url) == (
        "Effects of CO2 & Homo sapiens on x < 3",
        "https://doi.org/10.1234/abc.1",
    )
    assert (work.doi, work.arxiv_id, work.pmid, work.pmcid) == (
        "10.1234/abc.1",
        "2401.00001",
        "9500320",
        "PMC3458472",
    )
    assert work.authors == ("Ana Łódź", "B. Raw")
    assert work.fields["author_ids"] == ["orcid:0000-0002-2952-6642", "openalex:A6"]
    assert (work.published, work.venue, work.issn, work.publisher) == (
        "2021-04-01", "Annals of Tests", "0925-2312", "Elsevier BV",
    )  # fmt: skip
    assert (work.language, work.cited_by_count, work.references) == (
        "en",
        0,
        ("openalex:W2", "openalex:W3"),
    )
    assert work.abstract == "We test it. Then test again."
    assert work.fulltext_url == "https://arxiv.org/pdf/2401.00001", "the closed copy is not open"
    assert work.marks == (Mark("retracted", "OpenAlex"),)
    assert work.ids == {"openalex": "W1", "mag": "314"}
    assert {k: work.fields[k] for k in ("type", "volume", "pages", "keywords", "affiliations",
        "open_access")} == {
        "type": "review", "volume": "452", "pages": "48-62", "keywords": ["Testing"],
        "affiliations": ["Ocean University"], "open_access": "green",
    }  # fmt: skip
    assert (bare.title, bare.url, bare.published) == ("", "https://openalex.org/W2", "1998")
    assert (bare.cited_by_count, bare.abstract, bare.marks) == (None, "", ())


def test_crossref_gives_all_that_a_work_says() -> None:
    work, bare = parsed("crossref_search.json")
    assert work.title == "RETRACTED: A study (13C): Of things"
    assert (work.doi, work.published) == ("10.1016/s0140-6736(97)11096-0", "1998-02")
    assert work.authors == ("AJ Wakefield", "The Staff", "Only")
    assert work.fields["author_ids"] == ["orcid:0000-0003-3902-2613", "", ""]
    assert work.abstract == "Background\nTwenty < thirty. Indeed.\nResults\nE = mc2."
    assert work.references == ("doi:10.1234/a",), "10.1/A is no DOI, and one work is named once"
    assert work.fulltext_url == "https://open.example/x.pdf"
    assert work.marks == (
        Mark("correction", "Retraction Watch", "2004-03-06", None, "10.1016/s0140-6736(04)15715-2"),
        Mark("retracted", "Retraction Watch", "2010-02-06", None, "10.1016/s0140-6736(10)60175-4"),
        Mark("concern", "Crossref", None, None, "10.5555/c"),
    )
    assert (work.cited_by_count, work.venue, work.issn, work.publisher) == (
        1992,
        "The Lancet",
        "0140-6736",
        "Elsevier BV",
    )
    assert work.fields["versions"] == ["10.1101/2024.04.01.587366"] and work.fields[
        "affiliations"
    ] == ["A & B"]
    assert (bare.title, bare.published, bare.cited_by_count, bare.marks) == ("", None, None, ())
    assert bare.fields["notice_on"] == [{"type": "correction", "doi": "10.5555/other"}]


def test_arxiv_gives_all_that_an_entry_says() -> None:
    entry, old = parsed("arxiv_search.xml")
    assert entry.title == "Déjà vu: a title over lines with $x < y$"
    assert (entry.arxiv_id, entry.doi, entry.url) == (
        "2002.00741", "10.1145/3397271.3401049", "https://arxiv.org/abs/2002.00741",
    )  # fmt: skip
    assert (entry.published, entry.venue) == ("2020-01-29", "Proc. of Things 4 (2020)")
    assert (entry.abstract, entry.fulltext_url) == (
        "First line second line.",
        "https://arxiv.org/pdf/2002.00741v12",
    )
    assert entry.authors == ("Jibang Wu", "Renqin Cai") and entry.fields["version"] == 12
    assert entry.fields["categories"] == ["cs.IR", "cs.CL"] and entry.fields["affiliations"] == [
        "Somewhere U"
    ]
    assert (old.arxiv_id, old.fulltext_url) == (
        "astro-ph/0601001",
        "https://arxiv.org/pdf/astro-ph/0601001",
    )
    assert [mark.kind for mark in old.marks] == ["withdrawn"]


def test_arxiv_reports_errors_that_come_as_entries() -> None:
    with pytest.raises(SourceError, match="incorrect id format for 1234"):
        arxiv.parse((DATA / "arxiv_error.xml").read_bytes())


BOMB = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><feed xmlns="http://www.w3.org/2005/Atom"><title>&c;</title></feed>"""  # noqa: E501
OUTSIDE = b"""<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2002.00741</id><title>&x;</title></entry></feed>"""


@each(
    "data", [BOMB, OUTSIDE, b"", b"<feed", b"<html><body>x</body></html>", b"\xff\xfe\x00", b"{}"]
)
def test_hostile_or_broken_xml_is_refused(data: bytes) -> None:
    with pytest.raises(SourceError):
        arxiv.parse(data)


def test_wikipedia_keeps_the_order_of_the_search() -> None:
    first, second = parsed("wikipedia_generator.json")
    assert (first.title, first.url) == (
        "AC/DC (band) & co?",
        "https://en.wikipedia.org/wiki/AC/DC_(band)_%26_co%3F",
    )
    assert (first.snippet, first.abstract) == ("AC/DC are a band.", ""), (
        "an introduction is no evidence yet"
    )
    assert (second.published, second.language, second.venue) == ("2025-08-12", "en", "Wikipedia")


def test_wikipedia_snippets_lose_their_marks_and_sister_projects_keep_their_address() -> None:
    hit, sister = parsed("wikipedia_search.json")
    assert (hit.snippet, hit.fields["words"]) == ('North America is a "continent"', 13696)
    assert (sister.url, sister.venue) == ("https://en.wikiquote.org/wiki/Python", None)


def test_wikipedia_errors_inside_status_200_are_problems() -> None:
    with pytest.raises(SourceError, match="too long"):
        wikipedia.parse(b'{"error": {"code": "x", "info": "Search request is too long."}}')


def test_duckduckgo_leaves_out_advertisements_and_opens_redirect_links() -> None:
    sleep, direct = parsed("duckduckgo_html.html")
    assert (sleep.url, sleep.title) == (
        "https://www.sleep.example/caffeine-and-sleep?a=1&b=2",
        "Caffeine & Sleep",
    )
    assert (sleep.snippet, sleep.published) == (
        "Drinking caffeine too close to bedtime.",
        "2025-07-16",
    )
    assert (direct.url, direct.snippet) == ("https://direct.example/page", "")


def test_duckduckgo_lite_pairs_links_with_the_rows_below() -> None:
    weather, bare = parsed("duckduckgo_lite.html")
    assert (weather.url, weather.snippet) == (
        "https://weather.example/San%20Francisco",
        "Be prepared with it",
    )
    assert (weather.published, bare.title, bare.snippet) == ("2026-01-02", "No text", "")


def test_duckduckgo_tells_a_block_from_nothing_found() -> None:
    with pytest.raises(SourceError, match="blocked"):
        duckduckgo.parse((DATA / "duckduckgo_block.html").read_bytes())
    assert duckduckgo.parse((DATA / "duckduckgo_empty.html").read_bytes()) == []
    for page in (b"", b"<html></html>", b"<html><body>Welcome</body></html>", b"\0\1\2"):
        with pytest.raises(SourceError, match="without results"):
            duckduckgo.parse(page)


def test_newsroom_keeps_tags_and_leaves_out_what_cannot_be_read() -> None:
    article, odd = parsed("newsroom.json")
    assert (article.title, article.published, article.venue) == (
        "Grid & batteries",
        "2026-05-01",
        "The Daily",
    )
    assert article.fields == {
        "type": "news", "outlet": "The Daily", "topic_tags": ["energy"],
        "geography_tags": ["Africa", "Europe"], "country_tags": ["ZA"],
    }  # fmt: skip
    assert (article.source_type, odd.published) == ("newsroom", None)


@each("parse", [openalex.parse, crossref.parse, wikipedia.parse, newsroom.parse])
@each(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b'"x"',
        b"12",
        b"<html>no</html>",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a": 1',
        b"true",
    ],
)
def test_anything_but_an_object_is_a_problem(
    parse: Callable[[bytes], list[Source]], data: bytes
) -> None:
    with pytest.raises(SourceError):
        parse(data)


@each(
    ("value", "expected"),
    [
        ("a &amp;lt;b&amp;gt; c", "a c"),
        ("p < 0.05 and q > 3", "p < 0.05 and q > 3"),
        ("a <b and c> d", "a <b and c> d"),
        ("H<sub>2</sub>O<br/>and", "H2O and"),
        ('<a href="x" title=\'y\'>link</a>ed', "linked"),
        ("List<String> of <unknown-tag>", "List<String> of <unknown-tag>"),
        ("Dirk WÃ¼bben and DâÂ\x80Â\x99", "Dirk WÃ¼bben and DâÂÂ"),
        ("Dirk WÃ¼bben", "Dirk Wübben"),
        ("3.2 Å±0.1 « É»", "3.2 Å±0.1 « É»"),
        ("zero\x00 \x1b[31m bell\x07", "zero [31m bell"),
        ("&#0; &#55296; &nbsp;x", "� � x"),
        ("<" * 5000 + "b " * 5000, "<" * 5000 + "b " * 4999 + "b"),
        (None, ""), (12, "12"), (True, ""), ({}, ""),
    ],
)  # fmt: skip
def test_text_loses_markup_and_nothing_else(value: Any, expected: str) -> None:
    assert clean(value) == expected


@each(
    ("value", "expected"),
    [
        ("2024-05-17T10:00:00Z", "2024-05-17"), ("2024-05", "2024-05"), ("2024", "2024"),
        ("2024-13-01", "2024"),
        ("2024-02-99", "2024-02"), ("0000-01-01", None), ("May 2024", None), ("", None),
        (None, None), (2024, "2024"),
    ],
)  # fmt: skip
def test_dates_stay_as_exact_as_they_are(value: Any, expected: str | None) -> None:
    assert iso_date(value) == expected


STRANGE: tuple[Any, ...] = (
    None,
    [],
    {},
    "",
    0,
    -1,
    True,
    1e308,
    "<b>x</b>",
    [None],
    [[]],
    {"a": None},
    "\ud800\0",
    10**30,
)


def mutated(value: Any, chance: random.Random) -> Any:
    """The value with something in it replaced by something strange."""
    if chance.random() < 0.06:
        return chance.choice(STRANGE)
    if isinstance(value, dict):
        return {key: mutated(item, chance) for key, item in value.items() if chance.random() > 0.03}
    if isinstance(value, list):
        return [mutated(item, chance) for item in value]
    return value


@pytest.mark.lab
@each("name", [name for name in PARSERS if name.endswith(".json")])
def test_values_of_wrong_kinds_are_skipped_and_never_a_fault(name: str) -> None:
    whole = json.loads((DATA / name).read_text())
    for seed in range(300):
        data = json.dumps(mutated(whole, random.Random(seed))).encode()
        try:
            for source in PARSERS[name](data):
                assert isinstance(source.title, str) and source.url.startswith("http")
                hash(source.source_id)
        except SourceError:
            pass


@pytest.mark.lab
@each("name", PARSERS)
def test_bytes_cut_or_flipped_are_never_a_fault(name: str) -> None:
    whole = (DATA / name).read_bytes()
    for seed in range(120):
        chance = random.Random(seed)
        data = bytearray(whole[: chance.randrange(len(whole))] if seed % 2 else whole)
        for _ in range(seed % 7):
            if data:
                data[chance.randrange(len(data))] = chance.randrange(256)
        with suppress(SourceError):
            PARSERS[name](bytes(data))
