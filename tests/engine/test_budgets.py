"""Every request that a client makes for a research counts, whatever it is for; and what stays unasked is said."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.standin import Standin, serve
from benchmarks.standin_texts import QUESTION
from engine.answers import RunOptions
from engine.sources import client_settings, full_texts
from tests.engine.test_failing_sources import KINDS, every_source, opened
from tools.research.registry import SOURCES

BY_NAME = {client.name: client for client in SOURCES}


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


@pytest.mark.lab
@pytest.mark.parametrize(("depth", "allowed"), [(1, 3), (2, 6), (3, 10)])
def test_no_client_makes_more_requests_than_its_depth_allows(
    home: Path, server: Standin, depth: int, allowed: int
) -> None:
    settings = {**every_source(server), "http.contact": "me@example.org", "research.enough_coverage": 1.0}
    with opened(home, settings) as engine:
        state = engine.run(QUESTION, RunOptions(depth=depth, clarify=False, sources=KINDS))
        made = Counter(asked.path.split("/")[1] for asked in server.asked)
        counted = {name: made[name] for name in BY_NAME if made[name]}
        assert set(counted) >= {"openalex", "semantic_scholar", "pubmed", "pmc", "core", "brave", "feeds"}
        assert depth == 1 or counted["unpaywall"]
        assert {name: count for name, count in counted.items() if count > allowed} == {}
        few = client_settings(BY_NAME["google_scholar"], engine.config)
        assert counted["google_scholar"] <= BY_NAME["google_scholar"].requests_allowed(depth, few)
        unasked = {end.client for end in state.dead_ends if end.reason == "budget"}
        assert {"openalex", "pubmed", "arxiv"} <= unasked
        follows = [end for end in state.dead_ends if "questions about citations" in end.message]
        assert bool(follows) == (depth > 1)
        reports = {report.client: report for report in state.clients}
        assert all(report.requests <= allowed for report in reports.values())
        assert depth == 1 or reports["opencitations"].requests
        ids = {source.source_id for source in state.sources}
        pages = [asked.path for asked in server.asked if asked.path.startswith("/page")]
        assert len(ids) == len(state.sources) and len(pages) == len(set(pages))


def test_a_slow_minimum_interval_lowers_the_budget_and_several_feeds_raise_it() -> None:
    arxiv, feeds = BY_NAME["arxiv"], BY_NAME["feeds"]
    assert arxiv.requests_allowed(3, arxiv.settings(deadline=10.0)) == 3
    assert arxiv.requests_allowed(3, arxiv.settings(deadline=1.0)) == 1
    listed = tuple(f"https://{n}.example/feed" for n in range(4))
    settings = feeds.settings(base_url=listed[0], options={"addresses": listed})
    assert (settings.services, feeds.requests_allowed(1, settings)) == (4, 12)


def test_whole_texts_are_had_where_the_settings_say(home: Path) -> None:
    with opened(home, {"sources.arxiv.base_url": "https://mirror.example/api/"}) as engine:
        places = full_texts(engine.config)
    assert places.arxiv == "https://mirror.example/pdf/" and places.own == ("https://mirror.example/pdf/",)
    assert places.europepmc == "https://www.ebi.ac.uk/europepmc/webservices/rest/"
