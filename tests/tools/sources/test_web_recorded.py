"""Conformance of the web services and feeds: every recorded answer, against values read from it by
hand."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from tools.errors import SourceError
from tools.sources.source import Source
from tools.sources.web import brave, duckduckgo, feeds, searxng, serper, tavily

pytestmark = pytest.mark.shared
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {
    "brave": brave.parse,
    "duckduckgo": duckduckgo.parse,
    "news_feeds": feeds.parse,
    "searxng": searxng.parse,
    "serper": serper.parse,
    "tavily": tavily.parse,
}
REDDIT = "reddit: the front page of the internet"

MARKUP = re.compile(
    r"</?(?:strong|b|i|p|a|div|img|br|span)\b[^<]*>|&(?:amp|lt|quot|#\d+);|\n|\ufffd"
)

# file -> (number of hits, how many have a date), the head of the first hit's address, title and
# date, and of the last one's (a string instead of all that: what the problem says)
EXPECTED: dict[str, Any] = {
    "brave/larallama_news_query.json": (
        (18, 7), ("https://laravel-news.com/", "Laravel News", "2023-09-04"),
        ("https://podcasts.apple.com/us/podcast/laravel-news-podcast/", "\u200eLaravel News "
                                                                        "Podcast on", "2024-01-18"),
    ),
    "brave/larallama_search.json": (
        (17, 13),
        ("https://laravel.com/", "Laravel - The PHP Framework For Web Artisans", "2023-05-01"),
        ("https://builtin.com/software-engineering-perspectives/laravel", "What Is Laravel? (Def",
            "2022-12-21"),
    ),
    "brave/rate_limited_429.json": "rate limited (Request rate limit exceeded for plan)",
    "duckduckgo/celina_html.html": (
        (9, 6),
        ("https://www.sleepfoundation.org/nutrition/caffeine-and-sleep", "Caffeine and Sleep",
            "2025-07-16"),
        ("https://sleep.me/post/caffeine-and-sleep", "How Caffeine Affects Sleep: When to Cut "
                                                     "Off", "2025-07-24"),
    ),
    "duckduckgo/celina_lite_BLOCKED.html": "blocked: it asks for proof of being human",
    "duckduckgo/langchaingo_html.html": (
        (10, 0), ("https://go.dev/", "The Go Programming Language", None),
        ("https://www.codecademy.com/resources/blog/what-is-go", "What is Go (programming "
                                                                 "language)?", None),
    ),
    "duckduckgo/meka_html_results.html": (
        (10, 4), ("https://rust-lang.org/", "Rust Programming Language", None),
        ("https://developers.slashdot.org/story/26/04/12/2329229/has-the-rust", "Has the Rust",
            "2026-04-12"),
    ),
    "duckduckgo/simpleai_lite.html": (
        (10, 3),
        ("https://weather.com/weather/tenday/l/San%20Francisco%20CA", "10 Day Weather - Downtown",
            None),
        ("https://www.kron4.com/weather-san-francisco/", "San Francisco Bay Area Weather | KRON4",
            None),
    ),
    "news_feeds/feedjira_HuffPostCanada.xml": (
        (2, 2), ("http://www.huffingtonpost.ca/2017/10/17/winnipeg-high-", "Winnipeg High School "
                                                                           "Orders", "2017-10-17"),
        ("http://www.huffingtonpost.ca/adrian-sutherland/the-once", "The Once-In-A-Lifetime "
                                                                    "Thrill", "2017-10-17"),
    ),
    "news_feeds/feedjira_InvalidDateFormat.xml": (
        (2, 2), ("http://example.com/item0", "Item 0 with an invalid date", "2017-10-16"),
        ("http://example.com/item1", "Item 1 with all valid dates", "2017-10-17"),
    ),
    "news_feeds/feedjira_SamRuby.xml": (
        (20, 20), ("http://intertwingly.net/blog/2013/01/30/Plex", "Plex", "2013-01-30"),
        ("http://intertwingly.net/blog/2012/03/28/Keeping-it-on-the-Rails",
            "Keeping it on the Rails", "2012-03-28"),
    ),
    "news_feeds/google_news_rss.xml": (
        (100, 100), ("https://news.google.com/rss/articles/CBMib0FV", "Caffeine reversed memory "
                                                                      "prob", "2026-05-30"),
        ("https://news.google.com/rss/articles/CBMilAFB", "Nutrition Tips - the relationship "
                                                          "between", "2021-06-30"),
    ),
    "news_feeds/rssparser_craigslist_rss.xml": (
        (25, 25), ("http://sfbay.craigslist.org/eby/apa/6186664607.html", "Bright, Spacious "
                                                                          "Beautiful",
                                                                          "2017-06-21"),
        ("http://sfbay.craigslist.org/eby/apa/6170845890.html", "1BD/1BA, Top floor,Private Bal",
            "2017-06-21"),
    ),
    "news_feeds/rssparser_encoding_rss.xml": (
        (40, 40), ("https://www.jn.pt/nacional/interior/sonia-laig-e-a-", "Mãe de utente é a "
                                                                          "nova", "2018-01-03"),
        ("https://www.jn.pt/economia/interior/lisboa-quer-passes", "Lisboa quer passes sociais "
                                                                   "com", "2018-01-03"),
    ),
    "news_feeds/rssparser_feedburner_atom.xml": (
        (25, 25),
        ("http://googleadsdeveloper.blogspot.com/2016/06/adwords-and", "AdWords and DFP Java",
            "2016-06-03"),
        ("http://googleadsdeveloper.blogspot.com/2015/10/using-google-my", "Using the Google My",
            "2015-10-15"),
    ),
    "news_feeds/rssparser_guardian_rss.xml": (
        (55, 55),
        ("https://www.theguardian.com/us-news/2018/jan/31/donald", "Trump State of the Union",
            "2018-01-31"),
        ("https://www.theguardian.com/artanddesign/gallery/2018/jan/31", "Earth's ultimate yogis",
            "2018-01-31"),
    ),
    "news_feeds/rssparser_gulp-atom_atom.xml": (
        (10, 10), ("https://github.com/gulpjs/gulp/releases/tag/v3.9.0", "v3.9.0", "2015-06-01"),
        ("https://github.com/gulpjs/gulp/releases/tag/v3.8.3", "v3.8.3", "2014-06-26"),
    ),
    "news_feeds/rssparser_heise_atom.xml": (
        (15, 15),
        ("http://www.heise.de/developer/meldung/Java-Anwendungs", "Java-Anwendungsserver: Red",
            "2016-02-01"),
        ("http://www.heise.de/developer/meldung/Apache-Software-", "Apache Software Foundation "
                                                                   "be", "2016-01-28"),
    ),
    "news_feeds/rssparser_reddit-atom_rss.xml": (
        (24, 24),
        ("https://www.reddit.com/r/space/comments/42babr/", "The Difficulties in Space",
            "2016-01-23"),
        ("https://www.reddit.com/r/explainlikeimfive/comments/42bh58/", "ELI5: Why does a "
                                                                        "computer", "2016-01-23"),
    ),
    "news_feeds/rssparser_reddit_rss.xml": (
        (24, 24),
        ("https://www.reddit.com/r/funny/comments/3skxqc/", "The water is too deep, so",
            "2015-11-12"),
        ("https://www.reddit.com/r/GetMotivated/comments/3sjgv1/", '"The best years of your life',
            "2015-11-12"),
    ),
    "news_feeds/rssparser_unrecognized_rss.xml": "no RSS or Atom feed",
    "news_feeds/rssparser_uolNoticias_rss.xml": (
        (15, 15), ("https://noticias.uol.com.br/politica/eleicoes/2018/", "Ibope: Bolsonaro perde "
                                                                          "de", "2018-09-24"),
        ("https://tnonline.uol.com.br/noticias/apucarana/45,470926,", 'Fama "A" é campeã da',
            "2018-09-24"),
    ),
    "searxng/shortlist_search.json": (
        (6, 0),
        ("https://www.reddit.com/r/SeveranceAppleTVPlus/comments/1idlrtq/",
            "What other shows do you", None),
        ("https://www.tatlerasia.com/lifestyle/entertainment/shows-like-severance",
            "20 mindbending TV shows", None),
    ),
    "serper/haystack_example_serperdev_response.json": (
        (9, 8),
        ("https://pagesix.com/2023/01/29/olivia-wilde-hugs-it-out", "Olivia Wilde embraces",
            "2023-01-29"),
        ("https://www.the-sun.com/entertainment/5221040/", "Olivia Wilde's dating history: Who",
            "2022-11-19"),
    ),
    "serper/haystack_searchapi_example_searchapi_response.json": (
        (9, 0), ("https://news.microsoft.com/exec/satya-nadella/", "Satya Nadella - Stories", None),
        ("https://www.wsj.com/video/microsoft-ceo-satya-nadella-qa/", "Microsoft CEO Satya "
                                                                      "Nadella: Q&A", None),
    ),
    "tavily/otel_test_agents_13.json": (
        (2, 0),
        ("https://www.traceloop.com/docs/openllmetry/introduction", "What is OpenLLMetry?", None),
        ("https://arize.com/docs/ax/integrations/opentelemetry/openllmetry",
            "OpenLLMetry | Arize Docs", None),
    ),
    "tavily/otel_test_agents_18.json": (
        (2, 0),
        ("https://www.traceloop.com/docs/openllmetry/introduction", "What is OpenLLMetry?", None),
        ("https://arize.com/docs/ax/integrations/opentelemetry/openllmetry",
            "OpenLLMetry | Arize Docs", None),
    ),
    "tavily/pai_test_basic_search.json": (
        (5, 0), ("https://medium.com/ai-agent-insider/pydantic-ai-agent-", "Pydantic AI: Agent "
                                                                           "Framework", None),
        ("https://www.reddit.com/r/LLMDevs/comments/1iih8az/pydantic_ai/", "Pydantic AI : "
                                                                           "r/LLMDevs", None),
    ),
    "tavily/pai_test_factory_with_bound_params.json": (
        (2, 0), ("https://arxiv.org/abs/2601.03329", "[2601.03329] Attention mechanisms in "
                                                     "neural", None),
        ("https://arxiv.org/abs/2203.14263", "A General Survey on Attention Mechanisms in Deep",
            None),
    ),
    "tavily/pai_test_search_with_include_domains.json": (
        (5, 0),
        ("https://arxiv.org/abs/2507.13043", "Deep Dive into Transformer Architectures", None),
        ("https://arxiv.org/abs/2505.21057", "Study of Lightweight Transformer", None),
    ),
}  # fmt: skip

# file -> authors and outlet of the first entry, language of the feed, the first tags
FEEDS: dict[str, tuple[tuple[str, ...], str, str | None, list[str]]] = {
    "feedjira_HuffPostCanada.xml": (
        ("Canadian Press",), "HuffPost Canada - Athena2 - All Posts", "en",
        ["Dakota Collegiate", "hijab"],
    ),
    "feedjira_SamRuby.xml": (("Sam Ruby",), "Sam Ruby", None, []),
    "google_news_rss.xml": ((), "ScienceDaily", "en", []),
    "rssparser_craigslist_rss.xml": ((), "craigslist SF bay area | apts/housing for rent search",
        "en", []),
    "rssparser_encoding_rss.xml": ((), "Jornal de Notícias - Últimas Notícias", "pt", ["Nacional"]),
    "rssparser_feedburner_atom.xml": (
        ("Google Ads Developer Advisor",), "Google Ads Developer Blog", None,
        ["adwords_api", "client_libraries"],
    ),
    "rssparser_guardian_rss.xml": (
        ("David Smith in Washington",), "The Guardian", "en",
        ["Donald Trump", "State of the Union address"],
    ),
    "rssparser_gulp-atom_atom.xml": (("contra",), "Release notes from gulp", "en", []),
    "rssparser_heise_atom.xml": (("heise online",), "heise developer neueste Meldungen", None, []),
    "rssparser_reddit-atom_rss.xml": ((), REDDIT, None, ["space"]),
    "rssparser_reddit_rss.xml": ((), REDDIT, None, ["funny"]),
    "rssparser_uolNoticias_rss.xml": ((), "UOL Noticias", None, []),
}  # fmt: skip


@cache
def parsed(shared: Path, name: str) -> list[Source]:
    return PARSERS[name.split("/")[0]]((shared / "recorded" / name).read_bytes())


def test_every_recording_has_its_values(shared: Path) -> None:
    lines = (shared / "recorded" / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    files = [entry["file"] for entry in map(json.loads, lines)]
    assert sorted(file for file in files if file.split("/")[0] in PARSERS) == sorted(EXPECTED)


@each("name", EXPECTED)
def test_a_recording_gives_what_it_says(shared: Path, name: str) -> None:
    expected = EXPECTED[name]
    if isinstance(expected, str):
        with pytest.raises(SourceError, match=f"^{re.escape(expected)}$"):
            parsed(shared, name)
        return
    works = parsed(shared, name)
    assert (len(works), sum(1 for source in works if source.published)) == expected[0]
    for source, (url, title, published) in ((works[0], expected[1]), (works[-1], expected[2])):
        assert source.url.startswith(url) and source.title.startswith(title)
        assert source.published == published


@each("name", [name for name, expected in EXPECTED.items() if not isinstance(expected, str)])
def test_hits_are_plain_text_with_an_address_and_never_evidence(shared: Path, name: str) -> None:
    for source in parsed(shared, name):
        for text in (source.title, source.snippet, source.venue or "", *source.authors):
            assert not re.search(
                r"</?(?:strong|b|i|p|a|div|img|br|span)\b[^<]*>|&(?:amp|lt|quot|#\d+);|\n|\ufffd",
                text,
            )
        assert source.url.startswith(("https://", "http://")) and not source.abstract
        assert "uddg=" not in source.url and "duckduckgo.com/y.js" not in source.url


@each("name", FEEDS)
def test_feeds_keep_authors_outlet_language_and_tags(shared: Path, name: str) -> None:
    authors, outlet, language, tags = FEEDS[name]
    first = parsed(shared, f"news_feeds/{name}")[0]
    assert (first.authors, first.venue, first.language) == (authors, outlet, language)
    assert first.fields.get("topic_tags", [])[: len(tags) or None] == tags


def test_letters_of_latin_1_feeds_are_what_was_meant(shared: Path) -> None:
    uol = parsed(shared, "news_feeds/rssparser_uolNoticias_rss.xml")
    assert (
        uol[0].title == "Ibope: Bolsonaro perde de Haddad, Ciro e Alckmin em simulações de 2º turno"
    )
    assert uol[0].snippet.startswith("Líder na pesquisa Ibope de intenção de voto")
    assert "Nações" not in uol[1].snippet and uol[1].snippet == ""


@each("name", [name for name in EXPECTED if name.split("/")[0] in ("brave", "searxng", "tavily")])
def test_nothing_of_a_web_answer_is_lost_or_invented(shared: Path, name: str) -> None:
    if isinstance(EXPECTED[name], str):
        return
    answer = json.loads((shared / "recorded" / name).read_text(encoding="utf-8"))
    results = answer.get("web", answer)["results"]
    for raw, hit in zip(results, parsed(shared, name), strict=True):
        assert hit.url == raw["url"]
        assert hit.published == (raw["page_age"][:10] if raw.get("page_age") else None)
        assert hit.language == raw.get("language")
        extract = raw.get("description", raw.get("content"))
        assert set(re.findall(r"[A-Za-z]{5,}", hit.snippet)) <= set(
            re.findall(r"[A-Za-z]{5,}", extract)
        )
        assert bool(hit.snippet) == bool(extract)


def test_engines_that_did_not_answer_searxng_are_named_with_their_reasons(shared: Path) -> None:
    data = (shared / "recorded" / "searxng" / "shortlist_search.json").read_bytes()
    assert searxng.unresponsive(data) == (
        "brave (Suspended: too many requests), duckduckgo (CAPTCHA), startpage (Suspended: CAPTCHA)"
    )


def test_links_below_a_hit_are_kept(shared: Path) -> None:
    laravel = parsed(shared, "brave/larallama_search.json")[0]
    assert laravel.fields["related"][:2] == [
        "https://laravel.com/docs/4.2",
        "https://laravel.com/docs/5.1/validation",
    ]
    nadella = parsed(shared, "serper/haystack_searchapi_example_searchapi_response.json")[1]
    assert len(nadella.fields["related"]) == 3 and nadella.fields["site"] == "Wikipedia"
