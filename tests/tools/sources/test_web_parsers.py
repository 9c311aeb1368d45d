"""The parsers of the web services and feeds on small answers that hold every oddity the real ones
have shown."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from tools.errors import SourceError
from tools.sources.source import Source
from tools.sources.web import brave, feeds, searxng, serper, tavily
from tools.sources.web.feed_xml import unwrapped
from tools.sources.web.web_dates import written_date

DATA = Path(__file__).resolve().parents[2] / "data" / "sources"
TODAY = "2026-03-05"
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {
    "brave_search.json": brave.parse,
    "brave_images.json": brave.parse_images,
    "searxng_search.json": searxng.parse,
    "tavily_search.json": tavily.parse,
    "serper_search.json": serper.parse,
    "feed_rss.xml": feeds.parse,
    "feed_atom.xml": feeds.parse,
    "feed_latin1.xml": feeds.parse,
}


def data(name: str) -> bytes:
    return (DATA / name).read_bytes()


def test_brave_gives_all_that_a_result_says() -> None:
    page, bare, worded, aged = brave.parse(data("brave_search.json"), TODAY)
    assert (page.title, page.url, page.published) == (
        "Caffeine & sleep",
        "https://a.example/caffeine",
        "2024-03-27",
    )
    assert page.snippet == "Caffeine delays sleep by x < 2 h. … More of it."
    assert (page.authors, page.language, page.abstract) == (("Ana Writer",), "en", "")
    assert page.fields == {
        "site": "A Site", "kind": "article", "thumbnail": "https://a.example/picture.jpg",
        "related": ["https://a.example/below"],
    }  # fmt: skip
    assert (bare.published, bare.snippet, bare.fields) == (None, "", {})
    assert (worded.published, aged.published) == ("2023-05-01", "2026-03-02")
    assert brave.parse(data("brave_search.json"))[3].published is None, (
        "an age says nothing without today"
    )


def test_brave_images_name_their_page_and_file() -> None:
    cup, bare = brave.parse_images(data("brave_images.json"))
    assert (cup.title, cup.url, cup.fields["image"]) == (
        "A cup", "https://a.example/cups", "https://a.example/cup.jpg",
    )  # fmt: skip
    assert cup.fields["thumbnail"] == "https://t.example/1" and cup.published is None
    assert bare.title == "https://b.example/b.png"


def test_brave_errors_say_why() -> None:
    with pytest.raises(
        SourceError,
        match=r"^answered with an error \(The provided subscription token is invalid\)$",
    ):
        brave.parse(data("brave_token.json"))
    with pytest.raises(SourceError, match=r"^rate limited \(no reason given\)$"):
        brave.parse(b'{"type": "ErrorResponse", "error": {"code": "RATE_LIMITED"}}')


def test_searxng_gives_all_that_a_result_says() -> None:
    page, bare = searxng.parse(data("searxng_search.json"))
    assert (page.title, page.snippet, page.published) == (
        "Caffeine & sleep",
        "It delays sleep.",
        "2024-05-17",
    )
    assert (page.doi, page.authors) == ("10.1234/abc", ("Ana Writer",))
    assert page.fields == {
        "engines": ["bing", "mojeek"], "category": "science", "thumbnail": "https://t.example/x",
    }  # fmt: skip
    assert (bare.published, bare.authors, bare.fields) == (None, (), {})


def test_searxng_names_five_silent_engines_and_counts_the_rest() -> None:
    engines = searxng.unresponsive(data("searxng_search.json"))
    assert (
        engines == "brave (Suspended: too many requests), google, qwant, e1 (t), e2 (t) and 1 more"
    )
    assert searxng.unresponsive(b'{"results": []}') == ""


def test_tavily_gives_all_that_a_result_says() -> None:
    page, news = tavily.parse(data("tavily_search.json"))
    assert (page.snippet, page.fields, page.published) == (
        "First line. [...] Second.",
        {"score": 0.93},
        None,
    )
    assert (news.published, news.fields) == ("2024-05-17", {})
    with pytest.raises(SourceError, match=r"\(Unauthorized: missing or invalid API key\)$"):
        tavily.parse(b'{"detail": {"error": "Unauthorized: missing or invalid API key."}}')


def test_serper_gives_all_that_a_result_says() -> None:
    page, recent, undated = serper.parse(data("serper_search.json"), TODAY)
    assert (page.published, page.snippet) == ("2023-01-29", "It delays sleep ...")
    assert page.fields == {
        "thumbnail": "https://i.example/1",
        "related": ["https://a.example/more"],
    }
    assert (recent.published, undated.published) == ("2026-03-03", None)
    assert undated.fields["related"] == ["https://c.example/x"]
    with pytest.raises(SourceError, match=r"^answered with an error \(Not enough credits\)$"):
        serper.parse(b'{"message": "Not enough credits", "statusCode": 400}')


def test_rss_is_read_with_markup_bare_ampersands_and_odd_dates() -> None:
    coffee, tea, untitled = feeds.parse(data("feed_rss.xml"))
    assert (coffee.title, coffee.url) == ("Coffee & sleep", "https://daily.example/coffee?a=1&b=2")
    assert (coffee.snippet, coffee.published) == ("It delays sleep. By much.", "2024-05-17")
    assert (coffee.authors, coffee.venue, coffee.language) == (("Ana Writer",), "The Wire", "en")
    assert (
        coffee.fields["topic_tags"] == ["Health"]
        and coffee.fields["image"] == "https://daily.example/t.jpg"
    )
    assert coffee.source_type == "newsroom" and coffee.abstract == ""
    assert (tea.url, tea.authors, tea.published) == (
        "https://daily.example/tea",
        ("Bo Reporter",),
        "2024-05-01",
    )
    assert (untitled.title, untitled.url) == (
        "Only a text about sleep, no title.", "https://daily.example/relative",
    )  # fmt: skip
    assert tea.venue == "The Daily — News"


def test_atom_is_read_with_relative_links_and_inherited_authors() -> None:
    first, two = feeds.parse(data("feed_atom.xml"))
    assert (first.title, first.url, first.published) == (
        "Schlaf & Kaffee",
        "https://blog.example/1",
        "2024-06-01",
    )
    assert (first.snippet, first.authors, first.language) == (
        "Koffein wirkt lange.",
        ("Chef",),
        "de",
    )
    assert first.fields["topic_tags"] == ["schlaf"]
    assert (two.url, two.authors, two.published) == (
        "https://blog.example/2",
        ("Gast",),
        "2024-06-03",
    )


def test_a_latin_1_feed_that_breaks_off_gives_what_is_whole() -> None:
    entries = feeds.parse(data("feed_latin1.xml"))
    assert (entries[0].title, entries[0].venue) == ("Simulações de café", "Notícias")
    assert (entries[0].url, entries[0].published) == ("https://n.example/1?x=1&y=2", "2018-09-24")


def test_a_feed_without_entries_is_empty_and_no_problem() -> None:
    assert feeds.parse(b"<rss><channel><title>x</title></channel></rss>") == []


BOMB = (
    b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c '
    b'"&a;&a;">]><rss><channel><title>&c;</title></channel></rss>'
)
OUTSIDE = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss><channel><item><title>&a;</title></item></channel></rss>'


@each(
    "content",
    [
        BOMB,
        OUTSIDE,
        b"",
        b"<",
        b"<html><body>x</body></html>",
        b"\xff\xfe\x00",
        b"{}",
        b"\x89PNG\r\n",
        b"\0" * 9,
    ],
)
def test_what_is_no_feed_or_a_trap_is_refused(content: bytes) -> None:
    with pytest.raises(SourceError):
        feeds.parse(content)


def test_deep_and_long_feeds_end() -> None:
    deep = (
        b"<rss><channel><item><title>x</title><link>https://a.example/</link><description>"
        + b"<div>" * 20_000
    )
    with suppress(SourceError):
        feeds.parse(deep)
    many = b"<item><title>x</title><link>https://a.example/</link></item>" * 1000
    assert len(feeds.parse(b"<rss><channel>" + many + b"</channel></rss>")) == 1000


def entry(title: str, text: str = "", published: str | None = None) -> Source:
    when = f"<pubDate>{published}</pubDate>" if published else ""
    item = f"<item><title>{title}</title><link>https://a.example/{title}</link><description>{text}</description>{when}"
    return feeds.parse(f"<rss><channel>{item}</item></channel></rss>".encode())[0]


ALERT = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Google Alert - caffeine</title><entry>
<title type="html">&lt;b&gt;Caffeine&lt;/b&gt; and sleep</title>
<link href="https://www.google.com/url?rct=j&amp;sa=t&amp;url=https://paper.example/a%3Fid%3D7&amp;ct=ga&amp;cd=X&amp;usg=Y"/>
<published>2026-01-02T03:04:05Z</published><content type="html">It keeps people awake.</content></entry></feed>"""  # noqa: E501


def test_addresses_of_google_alerts_lead_to_the_page_itself() -> None:
    (entry,) = feeds.parse(ALERT.encode())
    assert (entry.url, entry.title, entry.venue) == (
        "https://paper.example/a?id=7",
        "Caffeine and sleep",
        None,
    )
    assert entry.source_type == "web", "a search finds anybody's pages"


@each(
    ("url", "expected"),
    [
        ("https://www.google.co.uk/url?q=http://a.example/b&sa=U", "http://a.example/b"),
        (
            "https://www.google.com/url?url=javascript:alert(1)",
            "https://www.google.com/url?url=javascript:alert(1)",
        ),
        ("https://www.google.com/url", "https://www.google.com/url"),
        (
            "https://google.com.evil.example/url?url=https://a.example/",
            "https://google.com.evil.example/url?url=https://a.example/",
        ),
        (
            "https://news.example/url?url=https://a.example/",
            "https://news.example/url?url=https://a.example/",
        ),
        (
            "https://www.google.com/search?q=https://a.example/",
            "https://www.google.com/search?q=https://a.example/",
        ),
    ],
)
def test_other_addresses_stay_as_they_are(url: str, expected: str) -> None:
    assert unwrapped(url) == expected


def test_entries_are_matched_by_phrases_and_the_words_of_the_topic() -> None:
    sleep = entry("Caffeine and sleeping", "Satya Nadella drinks coffee.", "2024-05-01")
    later = entry("Caffeine, sleepless", "x", "2024-06-01")
    text = entry("Other", "About caffeine and sleep.")
    none = entry("Football", "Nothing of it.")
    titles = [
        source.title for source in feeds.matching([none, text, sleep, later], "caffeine sleep")
    ]
    assert titles == ["Caffeine and sleeping", "Other"]
    assert feeds.matching([sleep, later], '"Satya Nadella" coffee sugar')[0].title == sleep.title
    assert feeds.matching([sleep, later], '"Nadella Satya"') == []
    # Half of any words is not enough: what the question asks about must be there
    query = "What was measured on caffeine and its effects on the outcome of sleep?"
    study = entry(
        "Outcome measured", "What was measured and its effects on the outcome of the study."
    )
    assert [source.title for source in feeds.matching([study, sleep], query)] == [sleep.title]
    assert [s.published for s in feeds.matching([none, sleep, later], "")] == [
        "2024-06-01",
        "2024-05-01",
        None,
    ]
    assert all("body" not in source.fields for source in feeds.matching([sleep], "caffeine"))


@each(
    ("value", "expected"),
    [
        ("Mon, 16 Oct 2017 15:10:00 +0000", "2017-10-16"),
        ("Seg, 24 Set 2018 19:42:40 -0300", "2018-09-24"),
        ("2016-02-01T17:54:50+01:00", "2016-02-01"), ("Jan 29, 2023", "2023-01-29"),
        ("29 janv. 2023", "2023-01-29"),
        ("3. März 2024", "2024-03-03"), ("1st February 2020", "2020-02-01"),
        ("12 de abril de 2021", "2021-04-12"),
        ("Fri, 17 May 24 10:00:00 GMT", "2024-05-17"), ("1 day ago", "2026-03-04"),
        ("an hour ago", TODAY),
        ("3 months ago", "2025-12"), ("2 years ago", "2024"), ("1518478934", None),
        ("gestern", None), ("", None),
        ("31 Foo 2020", "2020"), ("99 May 2020", "2020-05"), (None, None), (5, None),
        ("x" * 9999, None),
    ],
)  # fmt: skip
def test_dates_are_read_as_they_are_written(value: Any, expected: str | None) -> None:
    assert written_date(value, TODAY) == expected


@each("parse", [brave.parse, brave.parse_images, searxng.parse, tavily.parse, serper.parse])
@each(
    "content",
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
        b"{}",
    ],
)
def test_anything_but_an_answer_is_a_problem(
    parse: Callable[[bytes], list[Source]], content: bytes
) -> None:
    with pytest.raises(SourceError):
        parse(content)


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
)


def mutated(value: Any, chance: random.Random) -> Any:
    if chance.random() < 0.06:
        return chance.choice(STRANGE)
    if isinstance(value, dict):
        return {key: mutated(item, chance) for key, item in value.items() if chance.random() > 0.03}
    return [mutated(item, chance) for item in value] if isinstance(value, list) else value


@each("name", [name for name in PARSERS if name.endswith(".json")])
def test_values_of_wrong_kinds_are_skipped_and_never_a_fault(name: str) -> None:
    whole = json.loads(data(name))
    for seed in range(60):
        with suppress(SourceError):
            for source in PARSERS[name](json.dumps(mutated(whole, random.Random(seed))).encode()):
                assert (
                    isinstance(source.title, str)
                    and source.url.startswith("http")
                    and source.source_id
                )


@each("name", PARSERS)
def test_bytes_cut_or_flipped_are_never_a_fault(name: str) -> None:
    whole = data(name)
    for seed in range(40):
        chance = random.Random(seed)
        changed = bytearray(whole[: chance.randrange(len(whole))] if seed % 2 else whole)
        for _ in range(seed % 7):
            if changed:
                changed[chance.randrange(len(changed))] = chance.randrange(256)
        with suppress(SourceError):
            PARSERS[name](bytes(changed))
