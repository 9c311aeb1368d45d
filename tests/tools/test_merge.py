"""One work, one source."""

from dataclasses import replace

from tools.sources.merge import merge
from tools.sources.source import make_source

PREPRINT = make_source(
    "https://arxiv.org/abs/2401.00001v2", "Storage and the evening price in Norland",
    authors=("Ada Okafor", "B. Lind"), published="2024-01-03", source_type="academic",
    providers=("arxiv",),
)  # fmt: skip
PUBLISHED = make_source(
    "https://doi.org/10.1000/abc", "Storage and the Evening Price in Norland",
    authors=("Ada Okafor",), published="2024", source_type="academic", providers=("crossref",),
    cited_by_count=12, venue="Journal of Examples",
)  # fmt: skip


def test_title_year_and_first_author_join_preprint_and_article() -> None:
    (work,) = merge((), [PREPRINT, PUBLISHED])
    assert (work.arxiv_id, work.doi) == ("2401.00001", "10.1000/abc")
    assert work.providers == ("arxiv", "crossref")
    assert work.published == "2024-01-03"
    assert work.cited_by_count == 12
    assert work.source_id == PUBLISHED.source_id


def test_the_doi_of_arxiv_is_kept_and_names_the_same_preprint() -> None:
    registered = make_source(
        "https://doi.org/10.48550/arXiv.2401.00001", PREPRINT.title, providers=("datacite",)
    )
    assert (registered.doi, registered.arxiv_id) == ("10.48550/arxiv.2401.00001", "2401.00001")
    assert registered.source_id == PREPRINT.source_id
    (work,) = merge((), [PREPRINT, registered])
    assert (work.doi, work.source_id) == ("10.48550/arxiv.2401.00001", PREPRINT.source_id)


def test_of_a_preprint_and_its_article_the_article_lends_its_doi() -> None:
    registered = replace(PREPRINT, doi="10.48550/arxiv.2401.00001", providers=("openalex",))
    for order in ([registered, PUBLISHED], [PUBLISHED, registered]):
        (work,) = merge((), order)
        assert work.doi == "10.1000/abc" and work.fields["versions"] == [
            "10.48550/arxiv.2401.00001"
        ]


def test_a_known_source_keeps_its_id_and_tag() -> None:
    tagged_preprint = replace(PREPRINT, tag="S1")
    (work,) = merge([tagged_preprint], [PUBLISHED])
    assert (work.source_id, work.tag, work.doi) == (PREPRINT.source_id, "S1", "10.1000/abc")


def test_the_same_address_with_tracking_is_one_page() -> None:
    pages = [
        make_source(url, "Page")
        for url in ("https://Ex.org/a?utm_source=x", "https://ex.org/a#top")
    ]
    assert len(merge((), pages)) == 1


def test_unlike_works_stay_apart() -> None:
    other = make_source(
        "https://doi.org/10.1000/xyz", "Another thing altogether in Norland", published="2024"
    )
    assert len(merge((), [PUBLISHED, other])) == 2


def test_no_count_stays_unknown() -> None:
    (work,) = merge((), [PREPRINT])
    assert work.cited_by_count is None


def test_two_known_sources_stay_two_when_a_new_record_joins_them() -> None:
    page = replace(
        make_source("https://a.example/x", "A title of a page", doi="10.1000/abc"), tag="S1"
    )
    two = replace(make_source("https://b.example/y", "Another title", doi="10.1000/abd"), tag="S2")
    two = replace(two, pmid="77")
    bridge = make_source(
        "https://c.example/z", "Both", doi="10.1000/abc", pmid="77", cited_by_count=3
    )
    merged = merge([page, two], [bridge])
    assert [(source.source_id, source.tag) for source in merged] == [
        (page.source_id, "S1"),
        (two.source_id, "S2"),
    ]
    assert (merged[0].cited_by_count, merged[0].pmid, merged[1].doi) == (3, "77", "10.1000/abd")
    assert [source.source_id for source in merge(merged, [bridge])] == [
        page.source_id,
        two.source_id,
    ]
