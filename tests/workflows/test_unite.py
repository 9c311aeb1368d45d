"""Two sources that turn out to be one work: everything that points at either points at the one that
stays."""

from dataclasses import replace

from plain_deps import World
from test_pipeline import research

from tools.documents.model import Snapshot
from tools.sources.merge import merge
from tools.sources.source import FetchedPage, Source, make_source
from workflows.research.gather.unite import unite
from workflows.research.model import Claim, Evidence, Finding
from workflows.research.state import ResearchState


def paper(name: str, tag: str, **fields: object) -> Source:
    source = make_source(
        f"https://{name}.example/", f"About {name}", source_type="academic", **fields
    )
    return replace(source, tag=tag, providers=(name,), snapshot_id=name * 8)


def text_of(source: Source, completeness: str = "full") -> Snapshot:
    return Snapshot(
        source.snapshot_id or "",
        source.source_id,
        source.url,
        "text/plain",
        "",
        "t",
        completeness,
        9,
    )


def passage(number: int, source: Source) -> Evidence:
    return Evidence(
        f"E{number}", source.source_id, source.snapshot_id or "", 0, 4, "text", "Q1", 0.5
    )


def test_evidence_claims_edges_and_fetches_go_to_the_one_that_came_first() -> None:
    first, second, third = (
        paper("a", "S1", pmid="77"),
        paper("b", "S2", doi="10.1000/b"),
        paper("c", "S3"),
    )
    second = replace(second, pmid="77", cited_by_count=5)
    state = ResearchState(
        "q",
        sources=(third, second, first),
        snapshots=(text_of(first, "abstract"), text_of(second), text_of(third)),
        evidence=tuple(passage(n, s) for n, s in enumerate((first, second, third), 1)),
        claims=(Claim("C1", "x",
            supporting_sources=(second.source_id, first.source_id, third.source_id),
                      voices=((second.source_id,), (first.source_id,), (third.source_id,)),
                      independent_sources=3),),
        findings=(Finding("C1", "x", (first.source_id, second.source_id), "high", 0.5),),
        citation_graph={second.source_id: (third.source_id, first.source_id),
            third.source_id: (second.source_id,)},
        read=(first.source_id, second.source_id),
    )  # fmt: skip
    moved: dict[str, str] = {}
    united = unite(state, replace(World({}).deps(), moved=moved.update))
    survivor, other = first.source_id, third.source_id
    assert moved == {second.source_id: survivor}
    assert [source.source_id for source in united.sources] == [other, survivor]
    joined = united.source(survivor)
    assert joined and (joined.doi, joined.pmid, joined.tag, joined.cited_by_count) == (
        "10.1000/b",
        "77",
        "S1",
        5,
    )
    assert joined.providers == ("a", "b") and joined.snapshot_id == second.snapshot_id, (
        "the whole text is named"
    )
    assert [e.source_id for e in united.evidence] == [survivor, survivor, other] and len(
        united.snapshots
    ) == 3
    assert {snapshot.source_id for snapshot in united.snapshots} == {survivor, other}
    assert united.claims[0].supporting_sources == (survivor, other) and united.claims[0].voices == (
        (survivor,),
        (other,),
    )
    assert united.claims[0].independent_sources == 2 and united.findings[0].sources == (survivor,)
    assert united.citation_graph == {survivor: (other,), other: (survivor,)} and united.read == (
        survivor,
    )
    assert unite(united, World({}).deps()) is united


def test_a_preprint_and_the_article_it_became_are_one_and_the_article_is_cited() -> None:
    preprint = paper(
        "p",
        "S1",
        doi="10.1101/2020.01.01",
        fields={"type": "preprint", "versions": ["10.1000/final"]},
    )
    article = paper("j", "S2", doi="10.1000/final", venue="Journal of Examples")
    united = unite(ResearchState("q", sources=(preprint, article)), World({}).deps())
    (source,) = united.sources
    assert (source.source_id, source.doi, source.venue) == (
        preprint.source_id,
        article.doi,
        "Journal of Examples",
    )
    assert source.fields["versions"] == ["10.1101/2020.01.01"]
    for order in ((preprint, article), (article, preprint)):
        (merged,) = merge((), [replace(source, tag=None) for source in order])
        assert (merged.doi, merged.source_id) == ("10.1000/final", article.source_id)


def test_pages_are_known_by_where_they_were_found_but_papers_may_share_a_login_page() -> None:
    shared = "https://end.example/page"
    pages = [replace(paper(n, f"S{i}"), source_type=kind) for i, (n, kind) in enumerate(
        [("a", "web"), ("b", "newsroom"), ("c", "academic"), ("d", "academic")], 1)]  # fmt: skip
    snapshots = tuple(replace(text_of(page), url=shared) for page in pages)
    united = unite(ResearchState("q", sources=tuple(pages), snapshots=snapshots), World({}).deps())
    assert [source.tag for source in united.sources] == ["S1", "S3", "S4"]


def test_copies_of_one_story_and_documents_stay_apart() -> None:
    story = [
        replace(paper(n, f"S{i}"), snapshot_id="same", source_type="web")
        for i, n in enumerate("abc", 1)
    ]
    document = replace(story[0], source_id="own", tag="S9", document_id="d1", source_type="local")
    state = ResearchState("q", sources=(*story, document), snapshots=tuple(map(text_of, story)))
    assert unite(state, World({}).deps()) is state


def test_an_identifier_that_a_page_states_joins_two_sources_of_a_research(world: World) -> None:
    study, press = world.sources["openalex"][0], world.sources["wikipedia"][0]
    fetch = world.fetch

    def stating(source: Source) -> FetchedPage:
        page = fetch(source)
        return (
            replace(page, doi="10.1000/one")
            if source.source_id in (study.source_id, press.source_id)
            else page
        )

    moved: dict[str, str] = {}
    state = research(world, deps=replace(world.deps(), fetch=stating, moved=moved.update))
    assert len(moved) == 1 and state.report is not None
    source_ids = {source.source_id for source in state.sources}
    assert not source_ids & set(moved)
    assert {piece.source_id for piece in state.evidence} <= source_ids
    assert {
        c.source_id for sentence in state.report.sentences() for c in sentence.citations
    } <= source_ids
    assert any(entry.data.get("joined") for entry in state.trajectory)
