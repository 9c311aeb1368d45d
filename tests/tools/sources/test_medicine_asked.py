"""The biomedical clients asked for single works, references and citing works, and what they send,
at the stand-in."""

import pytest

from benchmarks.standin import Reply, Standin
from benchmarks.standin_services import mount
from benchmarks.standin_texts import doi, title
from tools.http import Http
from tools.sources import boundary
from tools.sources.biomedical import biorxiv
from tools.sources.client import Access, Client, Filters
from tools.sources.registry import SOURCES
from tools.sources.source import make_source

BY_NAME = {client.name: client for client in SOURCES}
WITH_CITATIONS = ("europepmc", "pubmed")


def access_to(name: str, http: Http, server: Standin, key: str | None = None) -> Access:
    client: Client = BY_NAME[name]
    base = str(mount(server, characters=500).settings[f"sources.{name}.base_url"])
    return Access(http, client, client.settings(base_url=base, min_interval=0.0, key=key))


@pytest.mark.parametrize("name", WITH_CITATIONS)
def test_a_work_is_found_by_its_doi(name: str, http: Http, server: Standin) -> None:
    access = access_to(name, http, server)
    (work,) = boundary.lookup(BY_NAME[name], f"https://doi.org/{doi(7)}", access).sources
    assert (work.title, work.doi) == (title(7), doi(7))
    assert boundary.lookup(BY_NAME[name], "10.5555/standin.999", access).reason == "no_results"
    assert boundary.lookup(BY_NAME[name], "no such thing", access).sources == ()


@pytest.mark.parametrize("name", WITH_CITATIONS)
def test_references_and_citing_works_are_found(name: str, http: Http, server: Standin) -> None:
    access = access_to(name, http, server)
    work = make_source(f"https://doi.org/{doi(20)}", title(20), pmid="1020")
    bare = make_source(f"https://doi.org/{doi(20)}", title(20))
    for source in (work, bare):
        cited = boundary.related(BY_NAME[name], "references", source, 10, access)
        assert cited.problem is None and {source.doi for source in cited.sources} == {
            doi(21),
            doi(25),
        }
        citing = boundary.related(BY_NAME[name], "citing", source, 10, access)
        assert citing.problem is None and {source.doi for source in citing.sources} == {
            doi(19),
            doi(15),
        }
    nothing = make_source("https://a.example/", "No identifier")
    assert boundary.related(BY_NAME[name], "references", nothing, 10, access).reason == "no_results"


def test_europe_pmc_is_asked_in_its_grammar(http: Http, server: Standin) -> None:
    access = access_to("europepmc", http, server)
    limits = Filters(since="2020", until="2021-02", lang="de")
    boundary.ask(BY_NAME["europepmc"], '"deep sleep" coffee', 5, access, limits)
    sent = server.requests[-1].query
    assert (
        sent["query"]
        == '("deep sleep" AND coffee) AND FIRST_PDATE:[2020-01-01 TO 2021-02-28] AND LANG:ger'
    )
    assert (sent["resultType"], sent["pageSize"], sent["format"]) == ("core", "5", "json")
    assert (
        boundary.ask(BY_NAME["europepmc"], "???", 5, access).reason == "no_results"
        and len(server.requests) == 1
    )


def test_pubmed_is_asked_in_its_grammar_with_the_key(http: Http, server: Standin) -> None:
    access = access_to("pubmed", http, server, key="k3y")
    boundary.ask(BY_NAME["pubmed"], "coffee", 3, access, Filters(since="2020-05", lang="en"))
    search, fetch = server.requests
    assert search.query["term"] == "(coffee) AND 2020/05/01:3000/12/31[pdat] AND eng[la]"
    assert fetch.query["id"] == "1014,1015,1016"
    assert all(
        request.query["api_key"] == "k3y" and request.query["tool"] == "zorora"
        for request in server.requests
    )


def test_a_rate_limit_inside_an_answer_is_told(http: Http, server: Standin) -> None:
    access = access_to("pubmed", http, server)
    server.on(
        "/pubmed/esearch.fcgi",
        Reply(b'{"error":"API rate limit exceeded","count":"4","limit":"3"}'),
    )
    problem = boundary.ask(BY_NAME["pubmed"], "coffee", 3, access).problem
    assert problem == "PubMed: rate limited; a key of your own raises the limit; skipped"


@pytest.mark.parametrize(("name", "label"), [("biorxiv", "bioRxiv"), ("medrxiv", "medRxiv")])
def test_preprints_are_searched_in_europe_pmc_and_looked_up_at_their_server(
    name: str, label: str, http: Http, server: Standin
) -> None:
    access = access_to(name, http, server)
    outcome = boundary.ask(BY_NAME[name], "coffee", 3, access, Filters(since="2008"))
    assert outcome.problem is None and len(outcome.sources) == 3
    assert server.requests[-1].query["query"] == (
        f'(coffee) AND SRC:PPR AND PUBLISHER:"{label}" AND FIRST_PDATE:[2008-01-01 TO 2999-12-31]'
    )
    assert all(source.providers == (name,) and source.venue == label for source in outcome.sources)
    (work,) = boundary.lookup(BY_NAME[name], doi(33), access).sources
    assert (work.title, work.doi) == (title(33), doi(33)) and "/details/" in server.requests[
        -1
    ].path
    assert boundary.lookup(BY_NAME[name], "10.5555/standin.999", access).reason == "no_results"
    assert boundary.lookup(BY_NAME[name], "no such thing", access).sources == ()


def test_where_preprints_are_searched_unless_the_user_moved_it(http: Http) -> None:
    client = BY_NAME["medrxiv"]
    assert biorxiv.search_address(Access(http, client, client.settings())) == (
        "https://www.ebi.ac.uk/europepmc/webservices/rest/search"
    )
    moved = client.settings(base_url="https://proxy.example/medrxiv/")
    assert biorxiv.search_address(Access(http, client, moved)) == "search"


def test_pmc_gives_open_articles_and_finds_one_by_any_id(http: Http, server: Standin) -> None:
    access = access_to("pmc", http, server)
    outcome = boundary.ask(BY_NAME["pmc"], "coffee", 2, access)
    assert server.requests[0].query["term"] == '(coffee) AND "open access"[filter]'
    assert [source.pmcid for source in outcome.sources] == ["PMC1020", "PMC1021"]
    (work,) = boundary.lookup(BY_NAME["pmc"], "PMC1020", access).sources
    assert (work.doi, work.title) == (doi(20), title(20))
    server.on(
        "/pmc/idconv/", Reply(b'{"records": [{"pmcid": "PMC1021", "doi": "10.5555/standin.21"}]}')
    )
    (work,) = boundary.lookup(BY_NAME["pmc"], doi(21), access).sources
    assert work.title == title(21)
    assert boundary.lookup(BY_NAME["pmc"], "no such thing", access).sources == ()
