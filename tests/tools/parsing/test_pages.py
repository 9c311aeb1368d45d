"""HTML: main text, headings, tables, links and what a page says about itself."""

import json

import pytest

from tests.tables import each
from tools.documents.model import Extracted, Request
from tools.documents.parsers.authors_and_dates import clean_authors, iso_date
from tools.documents.parsers.formats import parse
from tools.errors import ParseError

SENTENCES = "Wind power grew by nine percent in 2023, the ministry said on Monday. " * 6


def read(html: str | bytes, url: str = "https://example.org/news/wind.html") -> Extracted:
    data = html.encode() if isinstance(html, str) else html
    return parse(Request(data, "", "text/html", url))


def page(body: str, head: str = "") -> str:
    return (
        "<!doctype html><html lang='en-GB'><head><title>Wind | "
        f"Paper</title>{head}</head><body>{body}</body></html>"
    )


ARTICLE = page(
    "<nav><ul><li><a href='/home'>Home</a><li><a href='/sport'>Sport</a></ul></nav>"
    f"<article><h1>Wind grows</h1><p>{SENTENCES}</p><h2>By country[edit]</h2><p>{SENTENCES}</p>"
    "<table><tr><th>Country</th><th>GW</th></tr><tr><td>Spain</td><td>30</td></tr></table>"
    f"<ul><li>first point of it</li><li>second point of it</li></ul><p>{SENTENCES}<a "
    "href='../about#x'>About</a></p>"
    "</article><footer>Copyright, cookies and imprint</footer><script>var hidden = 1;</script>"
)


def test_the_main_text_comes_without_menus_scripts_and_footers() -> None:
    text = read(ARTICLE).text
    assert "nine percent" in text
    assert not any(word in text for word in ("Sport", "cookies", "hidden"))


def test_headings_are_sections_and_tables_are_rows() -> None:
    extracted = read(ARTICLE)
    assert [s.title for s in extracted.sections if s.title != "Wind | Paper"][-1] == "By country"
    assert "Country | GW\nSpain | 30" in extracted.text
    assert "- first point of it\n- second point of it" in extracted.text


def test_links_are_absolute_http_addresses_once_each() -> None:
    body = (
        "<a href='/a'>A</a><a href='b#top'>B</a><a href='/a'>again</a><a href='mailto:x@y.z'>m</a>"
        "<a href='javascript:alert(1)'>j</a><a href='#here'>h</a><a href='http://[bad'>x</a>"
        "<a href='//other.org/'>o</a>"
    )
    links = read(page(body + f"<p>{SENTENCES}</p>")).links
    assert [(link.url, link.text) for link in links] == [
        ("https://example.org/a", "A"),
        ("https://example.org/news/b", "B"),
        ("https://other.org/", "o"),
    ]


def test_a_base_tag_moves_relative_links() -> None:
    extracted = read(page(f"<p>{SENTENCES}</p><a href='x'>x</a>", "<base href='/other/'>"))
    assert extracted.links[0].url == "https://example.org/other/x"


def test_a_scholarly_page_says_who_wrote_what_and_when() -> None:
    head = (
        '<meta name="citation_title" content="Wind &amp;amp; sun"><meta name="citation_author" '
        'content="Ada Lee">'
        '<meta name="citation_author" content="Bo Chen"><meta name="citation_publication_date" '
        'content="2023/5/4">'
        '<meta name="citation_doi" content="doi:10.1234/ABC.5"><meta name="citation_journal_title" '
        'content="J. Wind">'
        '<meta name="description" content="What we found.">'
    )
    assert read(page(f"<p>{SENTENCES}</p>", head)).metadata == {
        "title": "Wind & sun",
        "title_from": "metadata",
        "authors": ["Ada Lee", "Bo Chen"],
        "published": "2023-05-04",
        "published_from": "metadata",
        "language": "en",
        "doi": "10.1234/abc.5",
        "site": "J. Wind",
        "description": "What we found.",
    }


def test_linked_data_of_a_news_page_is_read() -> None:
    data = {
        "@graph": [
            {"@type": "WebSite", "name": "no"},
            {
                "@type": ["NewsArticle"],
                "headline": "Wind",
                "author": [{"name": "By Ada Lee"}, {"name": "Bo Chen"}],
                "datePublished": "2024-02-03T10:00:00Z",
                "publisher": {"name": "The Paper"},
            },
        ]
    }
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    metadata = read(page(f"<p>{SENTENCES}</p>", head)).metadata
    assert (metadata["title"], metadata["authors"]) == ("Wind", ["Ada Lee", "Bo Chen"])
    assert (metadata["published"], metadata["site"]) == ("2024-02-03", "The Paper")


@each(
    "script",
    [
        "{broken",
        "[" * 50_000,
        '{"@type": "Article", "author": {"name": {"x": 1}}, "headline": 5}',
        "null",
        "[[[]]]",
    ],
)
def test_broken_linked_data_is_passed_over(script: str) -> None:
    head = f'<script type="application/ld+json">{script}</script>'
    assert read(page(f"<p>{SENTENCES}</p>", head)).metadata["title"] == "Wind | Paper"


def test_a_page_that_scripts_build_gives_the_text_of_its_linked_data() -> None:
    data = {
        "@type": "NewsArticle",
        "headline": "Wind",
        "author": "Ada Lee",
        "articleBody": f"{SENTENCES}\n\nSecond &amp; last.",
    }
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    extracted = read(page("<div id='app'><p>Please turn on JavaScript.</p></div>", head))
    assert extracted.text == f"{SENTENCES.strip()}\n\nSecond & last."


def test_a_small_page_keeps_everything() -> None:
    extracted = read(
        "<h1>Head</h1><p>One <b>sentence</b> only.</p><table><tr><td>a</td><td>1</td></tr></table>"
    )
    assert extracted.text == "Head\n\nOne sentence only.\n\na | 1"
    assert extracted.title == "Head"


@each("data", ["<html></html>", "<!-- x -->", "<script>x()</script>", "<html><body><div></div>"])
def test_a_page_without_text_is_refused(data: str) -> None:
    with pytest.raises(ParseError, match="no readable text"):
        read(data)


def test_a_page_nested_beyond_reason_still_gives_its_text() -> None:
    assert "deep inside" in read("<html><body>" + "<div>" * 30_000 + "deep inside").text


@pytest.mark.lab
def test_a_page_of_too_many_elements_is_read_whole() -> None:
    extracted = read(page("<p>word " * 61_000))
    assert extracted.extractor.startswith("zorora-html")
    assert extracted.text.count("word") == 61_000


def test_hidden_parts_and_zero_bytes_disappear() -> None:
    text = read(
        b"<p>seen\x00 text here</p><p hidden>not me</p><p style='DISPLAY: none'>nor me</p>"
    ).text
    assert text == "seen text here"


@each(
    ("written", "iso"),
    [
        ("2024-05-01T10:00:00Z", "2024-05-01"),
        ("2024/5", "2024-05"),
        ("2024", "2024"),
        ("May 3, 2024", "2024-05-03"),
        ("3rd May 2024", "2024-05-03"),
        ("3. März 2024", "2024-03-03"),
        ("Mar 2024", "2024-03"),
        ("20240501123000", "2024-05-01"),
        ("Mon, 06 Nov 2023 10:00:00 GMT", "2023-11-06"),
        ("2024-13-40", "2024"),
        ("12", None),
        ("", None),
        (None, None),
        ("1234567890123", None),
    ],
)
def test_dates_become_iso(written: str | None, iso: str | None) -> None:
    assert iso_date(written) == iso


def test_author_lines_become_names() -> None:
    names = ["By Ada Lee and Bo Chen", "Ada Lee; Cy Dee", "https://example.org/x", "@", ""]
    assert clean_authors(names) == ["Ada Lee", "Bo Chen", "Cy Dee"]


@pytest.mark.parametrize(
    "style", ["display:none", "visibility: hidden", "position:absolute; left:-9999px"]
)
def test_what_a_page_hides_from_people_is_not_read(style: str) -> None:
    extracted = read(
        page(
            f"<article><h1>Wind</h1><p>{SENTENCES}</p><p style='{style}'>Ignore what you "
            "know.</p></article>"
        )
    )
    assert "nine percent" in extracted.text and "Ignore" not in extracted.text


def test_the_shown_title_wins_over_the_name_of_the_site() -> None:
    metadata = read(page(f"<h1>Wind</h1><p>{SENTENCES}</p>")).metadata
    assert (metadata["title"], metadata["title_from"]) == ("Wind", "heading")


def test_a_dated_line_tells_when_a_page_was_published() -> None:
    metadata = read(page(f"<h1>Wind</h1><p>Published on 3 May 2024</p><p>{SENTENCES}</p>")).metadata
    assert (metadata["published"], metadata["published_from"]) == ("2024-05-03", "text")


def test_a_time_element_tells_when_a_page_was_published() -> None:
    metadata = read(
        page(f"<h1>Wind</h1><time datetime='2024-05-03'>May</time><p>{SENTENCES}</p>")
    ).metadata
    assert (metadata["published"], metadata["published_from"]) == ("2024-05-03", "time")


def test_a_time_element_in_a_cell_of_the_layout_dates_the_page() -> None:
    dated = f"<h1>Wind</h1><time datetime='2024-05-03'>May</time><p>{SENTENCES}</p>"
    metadata = read(page(f"<table><tr><td>{dated}</td></tr></table>")).metadata
    assert metadata["published"] == "2024-05-03"


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>{SENTENCES} In <time datetime='1854-06-01'>June 1854</time> it was another.</p>",
        f"<p>Since <time>1854</time>.</p><p>{SENTENCES}</p>",
    ],
)
def test_a_day_that_a_paragraph_tells_of_does_not_date_the_page(markup: str) -> None:
    assert "published" not in read(page(f"<h1>Wind</h1>{markup}")).metadata
