"""What a run is limited to (dates, sites, language) reaches every service that knows of it; image
search."""

from typing import Any

import pytest

from benchmarks.standin import Reply, Standin
from tests.tables import each
from tests.tools.sources.test_web_asked import access_to
from tools.http import Http
from tools.sources import boundary
from tools.sources.client import Filters
from tools.sources.queries import spoken
from tools.sources.registry import IMAGES, SOURCES

BY_NAME = {client.name: client for client in SOURCES}
DATED = Filters(since="2019-05", until="2021")
# client -> what the question for these years must hold
YEARS = {
    "openalex": ["from_publication_date:2019-05-01", "to_publication_date:2021-12-31"],
    "crossref": ["from-pub-date:2019-05", "until-pub-date:2021"],
    "arxiv": ["submittedDate:[201905010000 TO 202112312359]"],
    "europepmc": ["FIRST_PDATE:[2019-05-01 TO 2021-12-31]"],
    "pubmed": ["2019/05/01:2021/12/31[pdat]"],
    "pmc": ["2019/05/01:2021/12/31[pdat]"],
    "biorxiv": ["FIRST_PDATE:[2019-05-01 TO 2021-12-31]", 'PUBLISHER:"bioRxiv"'],
    "medrxiv": ["FIRST_PDATE:[2019-05-01 TO 2021-12-31]", 'PUBLISHER:"medRxiv"'],
    "semantic_scholar": ["2019-05:2021"],
    "core": ["2019", "2021"],
    "google_scholar": ["2019", "2021"],
    "brave": ["2019-05-01to2021-12-31"],
    "serper": ["cdr:1,cd_min:5/1/2019,cd_max:12/31/2021"],
    "tavily": ["2019-05-01", "2021-12-31"],
    "newsroom": ["2019-05-01", "2021-12-31"],
}
# client -> language of the filter -> parameter and value
SPOKEN: list[tuple[str, str, dict[str, str]]] = [
    ("brave", "de", {"search_lang": "de"}),
    ("brave", "pt-BR", {"search_lang": "pt-br", "country": "BR"}),
    ("brave", "ja", {"search_lang": "jp"}),
    ("brave", "en_GB", {"search_lang": "en-gb", "country": "GB"}),
    ("brave", "tlh", {}),
    ("serper", "de-CH", {"hl": "de", "gl": "ch"}),
    ("searxng", "de-CH", {"language": "de-CH"}),
    ("duckduckgo", "en", {"kl": "us-en"}),
    ("duckduckgo", "de-AT", {"kl": "at-de"}),
    ("duckduckgo", "la", {}),
    ("openalex", "de-AT", {"filter": "language:de"}),
]
SITES = ["brave", "serper", "searxng", "duckduckgo"]


def sent_queries(name: str, server: Standin, http: Http, limits: Filters) -> list[str]:
    """The values of the first request that one search makes."""
    boundary.ask(BY_NAME[name], "caffeine sleep", 5, access_to(BY_NAME[name], http, server), limits)
    return list(server.requests[0].query.values())


def test_every_scholarly_service_is_asked_for_dates() -> None:
    assert {client.name for client in SOURCES if client.kind == "academic"} <= set(YEARS)


@pytest.mark.parametrize("name", YEARS)
def test_dates_are_asked_for(name: str, http: Http, server: Standin) -> None:
    values = " ".join(sent_queries(name, server, http, DATED))
    assert [part for part in YEARS[name] if part not in values] == []


@pytest.mark.parametrize(("name", "lang", "params"), SPOKEN)
def test_the_language_is_asked_for(
    name: str, lang: str, params: dict[str, str], http: Http, server: Standin
) -> None:
    sent_queries(name, server, http, Filters(lang=lang))
    query = server.requests[0].query
    names = ("search_lang", "country", "hl", "gl", "language", "kl", "filter")
    assert {key: query[key] for key in names if key in query} == params


@pytest.mark.parametrize("name", SITES)
def test_sites_are_asked_for(name: str, http: Http, server: Standin) -> None:
    values = " ".join(
        sent_queries(
            name, server, http, Filters(sites=("nih.gov",), exclude_sites=("blog.example",))
        )
    )
    assert "site:nih.gov" in values and "-site:blog.example" in values


@pytest.mark.parametrize(
    "name", [client.name for client in SOURCES if client.kind in ("academic", "web")]
)
def test_what_a_service_gives_beside_the_limits_is_left_out(
    name: str, http: Http, server: Standin
) -> None:
    access = access_to(BY_NAME[name], http, server)
    outside = Filters(
        since="2999", exclude_sites=("127.0.0.1", "doi.org"), sites=("nowhere.example",)
    )
    assert boundary.ask(BY_NAME[name], "caffeine sleep", 5, access, outside).sources == ()


@each(
    ("language", "read"),
    [("de", ("de", "")), ("PT-br", ("pt", "br")), ("zh-Hans-CN", ("zh", "cn")), ("", ("", "")),
                        (None, ("", "")), ("../x", ("", "")), ("german", ("", ""))],
)  # fmt: skip
def test_languages_are_read_with_their_country(language: str | None, read: tuple[str, str]) -> None:
    assert spoken(language) == read


IMAGE_ANSWERS: dict[str, tuple[str, bytes]] = {
    "serper": ("/serper/images", b'{"images": [{"title": "A bean", "imageUrl": '
                                 b'"https://i.example/b.png", '
               b'"thumbnailUrl": "https://t.example/b.png", "source": "Beans", "link": '
               b'"https://p.example/beans"}, '
               b'{"title": "no address"}]}'),
    "searxng": ("/searxng/search", b'{"results": [{"title": "A bean", "url": '
                                   b'"https://p.example/beans", '
                b'"img_src": "https://i.example/b.png", "thumbnail_src": "x", "category": '
                b'"images"}, '
                b'{"title": "A page", "url": "https://p.example/page"}]}'),
    "brave": ("/brave/res/v1/images/search", b'{"type": "images", "results": [{"title": "A bean", '
                                             b'"source": "Beans", '
              b'"url": "https://p.example/beans", "properties": {"url": "https://i.example/b.png"}}]}'),
}  # fmt: skip


@pytest.mark.parametrize("client", IMAGES, ids=lambda client: client.name)
def test_images_come_with_the_page_that_shows_them(
    client: Any, http: Http, server: Standin
) -> None:
    access = access_to(client, http, server)
    path, body = IMAGE_ANSWERS[client.name]
    server.on(path, Reply(body, media_type="application/json"))
    outcome = boundary.ask(client, "coffee bean", 3, access)
    (image,) = outcome.sources
    assert (image.title, image.url) == (
        "A bean",
        "https://p.example/beans",
    ) and outcome.problem is None
    assert image.fields["image"] == "https://i.example/b.png" and image.providers == (client.name,)
    assert server.requests[-1].path == path
    server.on(
        path,
        Reply(
            b'{"images": 7, "results": 7, "type": "images", "message": ""}',
            media_type="application/json",
        ),
    )
    assert boundary.ask(client, "other", 3, access).sources == ()
