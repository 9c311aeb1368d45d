"""Asking about works: look-ups, edges, open copies; how these services refuse; a page whose copy
lies elsewhere."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Reply, Standin
from benchmarks.standin_texts import title
from engine.wiring import works
from engine.wiring.works import Works
from tests.engine.pretend import wait_for
from tests.tools.sources.test_boundary import BY_NAME, access_to
from tests.tools.sources.test_page import TEXT, Desk
from tools.errors import Cancelled
from tools.http import Http
from tools.net.store import NetStore
from tools.sources import boundary
from tools.sources.client import Access, Purse
from tools.sources.source import Source, make_source

Open = Callable[..., Http]
DATA = Path(__file__).resolve().parents[2] / "data" / "sources"
SEVEN = make_source("https://doi.org/10.5555/standin.7", "Work 7", source_type="academic")


def doi(number: int) -> str:
    return f"10.5555/standin.{number}"


def open_works(
    http: Http, server: Standin, names: tuple[str, ...], depth: int = 2, **changes: Any
) -> Works:
    changes.setdefault("budget", (40, 40, 40))
    accesses = [access_to(name, http, server, **changes) for name in names]
    return Works(accesses, depth, 1, 0, lambda: None)


def all_about(works: Works, *sources: Source) -> Works:
    """The same, told that everything about these works will be asked."""
    works.allot([(source, what) for source in sources for what in ("references", "citing")])
    return works


@pytest.mark.parametrize("name", ["semantic_scholar", "core", "unpaywall", "opencitations"])
def test_a_work_is_looked_up_by_its_doi(name: str, open_http: Open, server: Standin) -> None:
    http = open_http(contact="me@example.org")
    client, access = BY_NAME[name], access_to(name, http, server)
    (work,) = boundary.lookup(client, "https://doi.org/10.5555/standin.7", access).sources
    assert (work.title, work.doi) == (title(7), doi(7)) and work.providers == (name,)
    missing = boundary.lookup(client, "10.5555/standin.999", access)
    assert (missing.sources, missing.problem, missing.reason) == ((), None, "no_results")
    assert boundary.lookup(client, "no such thing", access).sources == ()


def test_a_journal_is_looked_up_by_its_issn(http: Http, server: Standin) -> None:
    access = access_to("doaj", http, server)
    server.on("/doaj/search/", Reply((DATA / "doaj_journal.json").read_bytes()))
    (journal,) = boundary.lookup(BY_NAME["doaj"], "issn 0925-2312", access).sources
    assert (
        journal.title == "Annals of Tests"
        and server.requests[-1].path == "/doaj/search/journals/issn:0925-2312"
    )
    assert (
        boundary.lookup(BY_NAME["doaj"], "the years 2020-2021", access).sources == ()
        and len(server.requests) == 1
    )
    assert boundary.lookup(BY_NAME["doaj"], "10.1234/other", access).sources == ()
    assert server.requests[-1].path == '/doaj/search/articles/doi:"10.1234/other"'


@pytest.mark.parametrize("name", ["semantic_scholar", "opencitations"])
def test_edges_of_a_work_are_found_on_both_sides(name: str, http: Http, server: Standin) -> None:
    client, access = BY_NAME[name], access_to(name, http, server)
    cited = boundary.related(client, "references", SEVEN, 10, access).sources
    assert {work.doi: work.title for work in cited} == {doi(n): title(n) for n in (8, 9, 12)}
    citing = boundary.related(client, "citing", SEVEN, 10, access).sources
    assert {work.doi for work in citing} == {doi(n) for n in (2, 5, 6)}
    assert (
        boundary.related(
            client, "references", make_source("https://a.example/", "x"), 5, access
        ).sources
        == ()
    )


def test_works_that_many_cite_are_described_as_far_as_one_request_goes(
    http: Http, server: Standin
) -> None:
    access = access_to("opencitations", http, server)
    pairs = ",".join(
        f'{{"oci": "{n}", "citing": "doi:10.5555/standin.{n}", "creation": "2020"}}'
        for n in range(30)
    )
    server.on("/opencitations/index/v2/", Reply(f"[{pairs}]".encode()))
    sources = boundary.related(BY_NAME["opencitations"], "citing", SEVEN, 25, access).sources
    assert (
        len(sources) == 30 and [bool(work.title) for work in sources] == [True] * 20 + [False] * 10
    )
    assert len(server.requests) == 2


def test_the_edges_of_all_services_are_one_list_of_works(http: Http, server: Standin) -> None:
    all_of_them = open_works(
        http, server, ("openalex", "crossref", "arxiv", "semantic_scholar", "opencitations")
    )
    outcome = all_about(all_of_them, SEVEN).references(SEVEN, 10)
    assert outcome.problem is None
    assert sorted(work.doi or "" for work in outcome.sources) == sorted(
        doi(n) for n in (8, 9, 12, 49)
    )
    (eight,) = [work for work in outcome.sources if work.doi == doi(8)]
    assert eight.providers == ("openalex", "crossref", "semantic_scholar", "opencitations")
    assert {work.doi for work in all_of_them.citing(SEVEN, 20).sources} >= {
        doi(n) for n in (1, 2, 5, 6)
    }


def test_a_service_that_fails_costs_only_its_own_edges(open_http: Open, server: Standin) -> None:
    works = open_works(open_http(retries=0), server, ("openalex", "semantic_scholar"))
    server.on("/semantic_scholar/paper/", Reply(b"oops", 500))
    outcome = all_about(works, SEVEN).references(SEVEN, 10)
    assert {work.doi for work in outcome.sources} == {
        doi(n) for n in (8, 12, 49)
    } and outcome.reason is None
    assert str(outcome.problem).startswith("Semantic Scholar: ")
    server._routes.clear()
    lost = works.citing(SEVEN, 10)
    assert lost.sources == () and lost.reason == "error" and lost.problem


def test_nobody_waits_for_a_slow_service(
    http: Http, server: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(works, "_PATIENCE", 0.4)
    services = open_works(http, server, ("openalex", "semantic_scholar"))
    server.on("/semantic_scholar/paper/", Reply(b"{}", delay=600.0))
    started = http.clock()
    all_about(services, SEVEN)
    assert services.references(SEVEN, 10).sources and http.clock() - started < 30
    wait_for(lambda: not [thread for thread in threading.enumerate() if "loop" in thread.name])


def test_every_work_has_somebody_before_any_has_two(http: Http, server: Standin) -> None:
    works = open_works(
        http, server, ("semantic_scholar", "openalex", "crossref"), depth=2, budget=(6, 6, 10)
    )
    papers = [make_source(f"https://doi.org/{doi(number)}", "x") for number in (7, 8, 9, 10)]
    refused = works.allot([(paper, "references") for paper in papers])
    assert [len(works.references(paper, 5).parts) for paper in papers] == [1, 2, 1, 1]
    assert [outcome.problem for outcome in refused] == [
        f"{name}: {number} of 4 questions about citations were not asked, the budget of this depth "
        "is used up."
        for name, number in (("Semantic Scholar", 1), ("OpenAlex", 3), ("Crossref", 3))
    ]
    assert all(outcome.reason == "budget" and outcome.requests == 0 for outcome in refused)


def test_works_known_by_their_ids_alone_are_completed_in_one_request_a_service(
    http: Http, server: Standin
) -> None:
    works = open_works(http, server, ("openalex", "crossref", "semantic_scholar"))
    bare = [
        make_source(f"https://doi.org/{doi(n)}", "", providers=("opencitations",)) for n in (5, 6)
    ]
    bare = [replace(work, hop=2) for work in bare]
    unknown = make_source(
        "https://doi.org/10.9999/nobody-knows-it", "", providers=("opencitations",)
    )
    done, outcomes = works.complete([*bare, unknown])
    assert [outcome.client for outcome in outcomes] == ["openalex", "crossref", "semantic_scholar"]
    assert [work.source_id for work in done] == [work.source_id for work in (*bare, unknown)]
    assert [(work.title, work.doi) for work in done[:2]] == [(title(5), doi(5)), (title(6), doi(6))]
    assert all(
        work.authors and work.published and work.venue and work.cited_by_count is not None
        for work in done[:2]
    )
    assert [work.hop for work in done] == [2, 2, 0], (
        "a record found by its id was not found by a search"
    )
    assert "openalex" in done[0].providers and done[2] == unknown
    paths = [request.path for request in server.requests]
    assert paths == ["/openalex/works", "/crossref/works", "/semantic_scholar/paper/batch"]
    assert (
        server.requests[0].query["filter"].count("|") == 2
        and server.requests[1].query["filter"] == f"doi:{unknown.doi}"
    )


def test_a_retraction_is_learnt_when_a_work_is_completed(http: Http, server: Standin) -> None:
    works = open_works(http, server, ("openalex",))
    work = {
        "id": "https://openalex.org/W1",
        "doi": f"https://doi.org/{doi(5)}",
        "title": "T",
        "is_retracted": True,
    }
    server.on(
        "/openalex/works", Reply(json.dumps({"meta": {"count": 1}, "results": [work]}).encode())
    )
    described = make_source(
        f"https://doi.org/{doi(5)}", "T", providers=("semantic_scholar",), authors=("A. B",),
        published="2020",
        venue="V", cited_by_count=3,
    )  # fmt: skip
    ((done,), _) = works.complete([described])
    assert [mark.kind for mark in done.marks] == [
        "retracted"
    ] and done.source_id == described.source_id


def test_what_is_complete_is_not_asked_about(http: Http, server: Standin) -> None:
    works = open_works(http, server, ("openalex", "crossref"))
    ((done,), _) = works.complete(
        [make_source(f"https://doi.org/{doi(5)}", "", providers=("opencitations",))]
    )
    before = len(server.requests)
    assert works.complete([done]) == ((done,), ()) and len(server.requests) == before


@pytest.mark.parametrize(
    "reply", [Reply(b"<h1>Oops</h1>", 500), Reply(b"{}", 404), Reply(b"[]"), Reply(b"nonsense")]
)
def test_whoever_cannot_complete_a_work_changes_nothing(
    http: Http, server: Standin, reply: Reply
) -> None:
    works = open_works(http, server, ("openalex",))
    server.on("/openalex/works", reply)
    bare = make_source(f"https://doi.org/{doi(5)}", "", providers=("opencitations",))
    assert works.complete([bare])[0] == (bare,)


def test_completing_records_keeps_a_request_of_each_hop(http: Http, server: Standin) -> None:
    works = Works([access_to("openalex", http, server, budget=(3, 6, 6))], 2, 1, 0, lambda: None)
    cited = [
        replace(make_source(f"https://doi.org/{doi(n)}", "x"), ids={"openalex": f"W9{n}"})
        for n in range(6)
    ]
    works.allot([(work, "citing") for work in cited])
    assert sum(len(works.citing(work, 5).parts) for work in cited) == 2
    works.complete([make_source(f"https://doi.org/{doi(7)}", "")])
    assert len(server.requests) == 3, "half of the six are for works"


def test_a_second_hop_has_its_part_of_the_budget(http: Http, server: Standin) -> None:
    accesses = [access_to("semantic_scholar", http, server, budget=(3, 6, 10))]
    works = Works(accesses, 3, 2, 0, lambda: None)
    papers = [make_source(f"https://doi.org/{doi(number)}", "x") for number in range(1, 9)]
    for part in (papers[:4], papers[4:]):
        (refused,) = works.allot([(paper, "citing") for paper in part])
        assert "2 of 4 questions" in str(refused.problem)
        assert [len(works.citing(paper, 5).parts) for paper in part] == [1, 1, 0, 0]
    assert len(server.requests) == 4


def test_what_nobody_settled_is_not_asked(http: Http, server: Standin) -> None:
    outcome = open_works(http, server, ("semantic_scholar",)).references(SEVEN, 5)
    assert (outcome.sources, outcome.reason) == ((), "no_results") and not server.requests


def test_no_client_makes_more_requests_than_it_may(open_http: Open, server: Standin) -> None:
    access = access_to("semantic_scholar", open_http(retries=5), server)
    access = Access(access.http, access.client, access.settings, purse=Purse(3))
    path = server.on("/semantic_scholar/paper/search", Reply(b"busy", 503)).removeprefix(server.url)
    outcome = boundary.ask(BY_NAME["semantic_scholar"], "coffee", 5, access)
    assert server.count(path) == 3 == outcome.requests, "repeated attempts count as well"
    assert (
        outcome.problem
        == "Semantic Scholar: the 3 requests it has in a research are used up; skipped"
    )
    assert (
        boundary.ask(BY_NAME["semantic_scholar"], "tea", 5, access).reason == "budget"
        and server.count(path) == 3
    )


def test_a_stop_comes_through_while_edges_are_asked(http: Http, server: Standin) -> None:
    def stop() -> None:
        raise Cancelled("stopped")

    accesses = [access_to(name, http, server) for name in ("openalex", "semantic_scholar")]
    works = all_about(Works(accesses, 2, 1, 1, stop), SEVEN)
    with pytest.raises(Cancelled):
        works.references(SEVEN, 5)
    assert not server.requests


def test_copies_are_asked_for_one_service_after_the_other(open_http: Open, server: Standin) -> None:
    http = open_http(contact="me@example.org")
    works = open_works(http, server, ("core", "unpaywall"))
    (copies,) = works.copies([SEVEN])
    assert copies == (f"{server.url}/page/7",) and [
        request.path for request in server.requests
    ] == [f"/unpaywall/{doi(7)}"]
    assert server.requests[0].query["email"] == "me@example.org"
    elsewhere = replace(SEVEN, fulltext_url=f"{server.url}/page/7")
    assert works.copies([elsewhere]) == ((),), "what was read already is no other copy"
    assert server.requests[-1].path == "/core/search/works/"
    web, bare = (
        replace(SEVEN, source_type="web"),
        make_source("https://a.example/", "x", source_type="academic"),
    )
    assert works.copies([web, bare, SEVEN]) == ((), (), copies)


def test_copies_are_asked_for_in_the_order_of_rank(open_http: Open, server: Standin) -> None:
    works = open_works(
        open_http(contact="me@example.org"), server, ("unpaywall",), budget=(1, 2, 3)
    )
    papers = [
        make_source(f"https://doi.org/{doi(n)}", "x", source_type="academic") for n in (7, 8, 9)
    ]
    assert [bool(copies) for copies in works.copies(papers)] == [True, True, False] and len(
        server.requests
    ) == 2


def test_open_journals_have_their_copies_in_the_directory(http: Http, server: Standin) -> None:
    works = open_works(http, server, ("doaj",))
    server.on(
        "/doaj/search/", Reply(b'{"results": [' + (DATA / "doaj_article.json").read_bytes() + b"]}")
    )
    paper = make_source("https://doi.org/10.1234/abc.1", "x", source_type="academic")
    assert works.copies([paper]) == (("https://annals.example/a1",),)
    assert works.copies([SEVEN]) == ((),), "the article of another DOI is no copy"


def test_without_a_mail_address_unpaywall_is_not_asked(http: Http, server: Standin) -> None:
    assert open_works(http, server, ("unpaywall",)).copies([SEVEN]) == ((),) and not server.requests
    outcome = boundary.lookup(BY_NAME["unpaywall"], doi(7), access_to("unpaywall", http, server))
    assert (
        outcome.problem == "Unpaywall: needs your mail address; set http.contact; skipped"
        and outcome.reason == "budget"
    )


def test_a_paywalled_paper_is_read_where_it_is_open(
    http: Http, store: NetStore, server: Standin
) -> None:
    reader = Desk(http, store).reader()
    closed, gone = server.on("/closed", Reply(b"no", 403)), server.on("/gone", Reply(b"no", 404))
    open_ = server.on("/open", Reply(TEXT.encode(), media_type="text/html"))
    paper = make_source(closed, "A paper", source_type="academic")
    assert reader.read(paper).reason == "paywall"
    page = reader.read(paper, [closed, gone, open_])
    assert page.snapshot is not None and page.url == open_
    assert server.count("/closed") == 1, "what was tried is not tried again"
    assert reader.read(paper) == replace(page, cached=True, raw_sha256=None)
    shut = make_source(server.on("/shut", Reply(b"no", 403)), "Shut", source_type="academic")
    assert not reader.read(shut).exhausted and reader.read(shut, [gone]).exhausted
    request_count = len(server.requests)
    assert reader.read(shut, [gone]).exhausted and len(server.requests) == request_count


@pytest.mark.parametrize("how", ["page", "redirect", "status"])
def test_a_block_of_the_scholar_page_is_reported_and_left_alone(
    how: str, open_http: Open, server: Standin
) -> None:
    http = open_http(retries=0)
    access = access_to("google_scholar", http, server)
    block = (DATA / "google_scholar_block.html").read_bytes()
    answers = {
        "page": Reply(block, media_type="text/html"),
        "redirect": Reply(
            status=302, headers={"Location": server.on("/sorry/index", Reply(block))}
        ),
        "status": Reply(block, 403),
    }
    server.on("/google_scholar/scholar", answers[how])
    outcome = boundary.ask(BY_NAME["google_scholar"], "caffeine", 5, access)
    assert outcome.sources == () and outcome.problem
    assert ("blocked" in outcome.problem) or ("refused (status 403)" in outcome.problem)
    assert server.count("/google_scholar/scholar") == 1


def test_google_scholar_is_off_until_the_user_turns_it_on(http: Http, server: Standin) -> None:
    assert not BY_NAME["google_scholar"].settings().enabled
    off = access_to("google_scholar", http, server, enabled=False)
    outcome = boundary.ask(BY_NAME["google_scholar"], "caffeine", 5, off)
    assert "switched off in the settings" in str(outcome.problem) and not server.requests


def test_core_without_a_key_says_which_one_and_where(http: Http, server: Standin) -> None:
    outcome = boundary.ask(
        BY_NAME["core"], "caffeine", 5, access_to("core", http, server, key=None)
    )
    assert "needs a key" in str(outcome.problem) and not server.requests
    boundary.ask(BY_NAME["core"], "caffeine", 5, access_to("core", http, server, key="abc"))
    assert server.requests[-1].headers["authorization"] == "Bearer abc"


def test_a_rate_limit_of_semantic_scholar_speaks_of_the_key(
    open_http: Open, server: Standin
) -> None:
    access = access_to("semantic_scholar", open_http(retries=0), server)
    body = b'{"message": "Too Many Requests. Please wait and try again.", "code": "429"}'
    server.on("/semantic_scholar/paper/search", Reply(body, 429))
    outcome = boundary.ask(BY_NAME["semantic_scholar"], "caffeine", 5, access)
    assert outcome.problem and outcome.problem.startswith("Semantic Scholar: rate limited")
    assert "a key of your own raises the limit" in outcome.problem


def test_an_empty_search_of_semantic_scholar_is_no_problem(http: Http, server: Standin) -> None:
    access = access_to("semantic_scholar", http, server)
    server.on("/semantic_scholar/paper/search", Reply(b'{"total": 0, "offset": 0}'))
    outcome = boundary.ask(BY_NAME["semantic_scholar"], "caffeine-free", 5, access)
    assert (outcome.problem, outcome.reason) == (None, "no_results")
    assert server.requests[0].query["query"] == "caffeine free", (
        "a hyphenated word finds nothing there"
    )
