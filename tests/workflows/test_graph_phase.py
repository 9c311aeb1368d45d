"""Phase 5: edges by every key of a work, in-degree, PageRank, authority; GraphML and DOT of hostile
names."""

import math
import time
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from plain_deps import World

from engine.exports.graph import write_dot, write_graphml
from tools.sources.graph_metrics import authority, in_degree, pagerank
from tools.sources.source import Credibility, Source, id_of, make_source
from workflows.research.state import ResearchState
from workflows.research.verify.graph import graph


def work(doi: str, score: float = 0.5, **more: Any) -> Source:
    return make_source(
        f"https://doi.org/{doi}", doi, credibility=Credibility(score, "t", score), **more
    )


def run(*sources: Source, **more: Any) -> ResearchState:
    return graph(ResearchState("q", sources=sources, **more), World({}).deps())


def test_sources_of_equal_authority_are_listed_by_tag() -> None:
    tags = ["S10", "S2", "S1", "S3x", None, "S11"]
    done = run(*(replace(work(f"10.1234/{n}"), tag=tag) for n, tag in enumerate(tags)))
    listed = [source.tag for source in done.get_authoritative_sources(9)]
    assert [tag for tag in listed if tag in ("S1", "S2", "S10", "S11")] == [
        "S1",
        "S2",
        "S10",
        "S11",
    ]


def test_references_become_edges_between_held_works_by_any_of_their_keys() -> None:
    cited = work("10.1234/cited", 0.8, ids={"openalex": "W7"}, pmid="42")
    work_a = work("10.1234/a", references=("doi:10.1234/cited", "doi:10.1234/gone"))
    two = work("10.1234/b", references=("openalex:W7",))
    three = work("10.1234/c", references=("pmid:42", "openalex:W7"))
    done = run(cited, work_a, two, three)
    assert done.citation_graph[work_a.source_id] == (cited.source_id, id_of("doi:10.1234/gone"))
    assert done.citation_graph[three.source_id] == (cited.source_id,)
    best = done.authority[0]
    assert (best.source_id, best.in_degree) == (cited.source_id, 3)
    assert best.authority == pytest.approx(0.8 * (1 + math.log(4)), abs=1e-6)
    assert best.pagerank == max(entry.pagerank for entry in done.authority)


def test_edges_found_on_the_way_are_kept_and_named_by_the_held_work() -> None:
    cited = work("10.1234/held", ids={"openalex": "W1"})
    other = work("10.1234/other")
    done = run(
        cited,
        other,
        citation_graph={other.source_id: (id_of("openalex:W1"), "unfetched", other.source_id)},
    )
    assert done.citation_graph == {other.source_id: (cited.source_id, "unfetched")}
    assert {entry.source_id: entry.in_degree for entry in done.authority} == {
        cited.source_id: 1,
        other.source_id: 0,
    }


def test_without_edges_authority_is_credibility() -> None:
    done = run(work("10.1234/a", 0.3), work("10.1234/b", 0.9))
    assert [entry.authority for entry in done.authority] == [0.9, 0.3]
    assert done.citation_graph == {}
    assert run().authority == ()


def test_a_retracted_work_has_no_authority_however_often_it_is_cited() -> None:
    bad = work("10.1234/bad", 0.0)
    citing = [work(f"10.1234/{n}", references=("doi:10.1234/bad",)) for n in range(5)]
    done = run(bad, *citing)
    assert (
        next(entry.authority for entry in done.authority if entry.source_id == bad.source_id) == 0.0
    )
    assert authority(0.0, 1000) == 0.0


def test_running_twice_and_in_another_order_gives_the_same() -> None:
    works = [work(f"10.1234/{n}", references=(f"doi:10.1234/{(n * 7 + 1) % 9}",)) for n in range(9)]
    once = run(*works)
    assert graph(once, World({}).deps()) == once
    assert run(*reversed(works)).authority == once.authority


def test_pagerank_agrees_with_values_known_by_hand() -> None:
    assert pagerank({"a": ["b"], "b": ["a"]}, ["a", "b"]) == {"a": 0.5, "b": 0.5}
    # One node cites another that cites nothing: r_a = (1 - d + d r_b) / 2, r_b = r_a + d r_a
    ranks = pagerank({"a": ["b"]}, ["a", "b"])
    assert ranks["b"] == pytest.approx(ranks["a"] * 1.85, abs=1e-5)
    assert sum(ranks.values()) == pytest.approx(1.0, abs=1e-5)
    assert pagerank({}, []) == {}


def test_only_edges_inside_count_once_and_never_to_oneself() -> None:
    assert in_degree({"a": ["b", "b", "a", "x"], "y": ["b"]}, ["a", "b"]) == {"a": 0, "b": 1}


def test_metrics_of_a_large_graph_take_a_moment() -> None:
    nodes = [f"n{i}" for i in range(1000)]
    edges = {
        node: [f"n{(i * 31 + k * k) % 1000}" for k in range(20)] for i, node in enumerate(nodes)
    }
    start = time.process_time()
    pagerank(edges, nodes)
    assert time.process_time() - start < 5


HOSTILE = 'a"b<c>&d\\N\x00\n]]>{}; ™\ud800'


def hostile_state() -> ResearchState:
    source = Source(HOSTILE, "https://a.example", HOSTILE, tag=HOSTILE)
    edges = {HOSTILE: ["missing", HOSTILE]}
    return replace(ResearchState("?"), sources=(source,), citation_graph=edges)


def test_graphml_of_hostile_names_is_well_formed() -> None:
    root = ElementTree.fromstring(write_graphml(hostile_state()).encode("utf-8"))
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    ids = [node.get("id") for node in root.findall(".//g:node", space)]
    assert len(ids) == 2 and "missing" in ids
    ends = {
        edge.get(end) for edge in root.findall(".//g:edge", space) for end in ("source", "target")
    }
    assert ends <= set(ids)
    kinds = {key.get("attr.name"): key.get("attr.type") for key in root.findall("g:key", space)}
    assert (kinds["title"], kinds["authority"], kinds["in_degree"]) == ("string", "double", "int")


def test_dot_of_hostile_names_stays_inside_its_quotes() -> None:
    lines = write_dot(hostile_state()).splitlines()
    assert lines[0] == "digraph citations {" and lines[-1] == "}" and len(lines) == 5
    for line in lines[1:-1]:
        unescaped = line.replace("\\\\", "").replace('\\"', "")
        assert unescaped.count('"') % 2 == 0


def test_empty_graphs() -> None:
    assert write_dot(ResearchState("?")) == "digraph citations {\n}\n"
    assert ElementTree.fromstring(write_graphml(ResearchState("?"))) is not None
