"""Every request that a client makes for a research counts, whatever it is for; and what stays
unasked is said."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.standin import Reply, Standin, serve
from benchmarks.standin_services import mount
from benchmarks.standin_texts import QUESTION
from engine.answers import RunOptions
from engine.wiring.request_budget import Spending
from engine.wiring.source_settings import client_settings, full_texts
from tests.engine.test_failing_sources import KINDS, every_source, opened
from tools.errors import SourceError
from tools.sources.registry import SOURCES
from workflows.research import pipeline
from workflows.research.deps import Deps
from workflows.research.pipeline import Save
from workflows.research.state import ResearchState

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
    settings = {
        **every_source(server),
        "http.contact": "me@example.org",
        "research.enough_coverage": 1.0,
    }
    with opened(home, settings) as engine:
        state = engine.run(QUESTION, RunOptions(depth=depth, clarify=False, sources=KINDS))
        counts = Counter(request.path.split("/")[1] for request in server.requests)
        counted = {name: counts[name] for name in BY_NAME if counts[name]}
        assert set(counted) >= {
            "openalex",
            "semantic_scholar",
            "pubmed",
            "pmc",
            "core",
            "brave",
            "feeds",
        }
        assert {name: count for name, count in counted.items() if count > allowed} == {}
        few = client_settings(BY_NAME["google_scholar"], engine.config)
        assert counted["google_scholar"] <= BY_NAME["google_scholar"].requests_allowed(depth, few)
        reports = {report.client: report for report in state.clients}
        assert all(end.reason != "budget" and end.client != "local" for end in state.dead_ends)
        assert all(report.requests <= allowed for report in reports.values())
        assert depth == 1 or reports["opencitations"].requests
        ids = {source.source_id for source in state.sources}
        pages = [request.path for request in server.requests if request.path.startswith("/page")]
        assert len(ids) == len(state.sources) and len(pages) == len(set(pages))


class Breaking:
    """The pipeline, until it has saved a step for the given time; then it breaks off."""

    def __init__(self, step: str, times: int) -> None:
        self.step, self.left = step, times

    def run(
        self, state: ResearchState, deps: Deps, *, step: str | None = None, save: Save
    ) -> ResearchState:
        def saved(following: str, state: ResearchState) -> None:
            save(following, state)
            self.left -= following == self.step
            if not self.left:
                raise SystemError("as if the process were gone")

        return pipeline.run(state, deps, step=step, save=saved)

    def finish_partial(
        self, state: ResearchState, deps: Deps, ended_by: str = "user"
    ) -> ResearchState:
        return state


@pytest.mark.lab
def test_what_was_asked_before_a_crash_counts_after_it(
    home: Path, tmp_path: Path, server: Standin
) -> None:
    settings = {**mount(server, characters=2000).settings, "embeddings.enabled": False}
    settings |= {
        "research.enough_coverage": 1.0,
        "research.rounds": [2, 2, 2],
        "sources.openalex.budget": [4, 4, 4],
    }
    options = RunOptions(depth=1, clarify=False, sources=("academic",))
    # Each question is asked again, and that costs too
    server.on("/openalex/works", Reply(b"<h1>Oops</h1>", 500))
    server.on("/openalex/works/", Reply(b"<h1>Oops</h1>", 500))
    request_counts, searches = [], []
    for name, breaking in (("undisturbed", None), ("broken", Breaking("follow", 1))):
        with opened(tmp_path / name, settings, breaking) as engine:
            research_id = engine.run(QUESTION, options).research_id
        with opened(tmp_path / name, settings) as engine:
            state = (
                engine.load_research(research_id)
                if breaking is None
                else engine.resume_here(research_id)
            )
        assert state is not None and state.status == "complete"
        request_counts.append(
            Counter(
                request.path.split("/")[1]
                for request in server.requests
                if not request.path.startswith("/page")
            )
        )
        searches.append(state.asked)
        server.requests.clear()
    assert request_counts[0] == request_counts[1] and searches[0] == searches[1]
    assert 2 <= request_counts[1]["openalex"] <= 4 and request_counts[1]["crossref"] >= 1


def test_what_is_kept_of_spending_is_read_back_whatever_a_checkpoint_holds() -> None:
    first = Spending()
    purse = first.purse("arxiv", 3)
    purse.take()
    first.about_works("openalex", 2)
    first.hops += 1
    again = Spending(first.plain())
    assert (
        again.plain()
        == first.plain()
        == {"asked": {"arxiv": 1}, "works": {"openalex": 2}, "hops": 1}
    )
    purse = again.purse("arxiv", 3)
    assert purse.requests_left == 2
    purse.take()
    purse.take()
    with pytest.raises(SourceError, match="the 3 requests"):
        purse.take()
    assert again.purse("crossref", None).requests_left > 100
    for damaged in (
        None,
        {},
        {"asked": 3, "works": [1], "hops": "x"},
        {"asked": {"arxiv": -4}},
        "text",
    ):
        assert Spending(damaged).purse("arxiv", 3).requests_left == 3  # type: ignore[arg-type]


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
    assert places.arxiv == "https://mirror.example/pdf/" and places.private_bases == (
        "https://mirror.example/pdf/",
    )
    assert places.europepmc == "https://www.ebi.ac.uk/europepmc/webservices/rest/"
