"""Conformance of the scholarly and support services: every recorded answer, against values read
from it by hand."""

import html
import json
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from tools.errors import SourceError
from tools.sources.scholarly import (
    core,
    doaj,
    google_scholar,
    opencitations,
    semantic_scholar,
    unpaywall,
)
from tools.sources.source import Source

pytestmark = pytest.mark.shared
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {
    "semanticscholar": semantic_scholar.parse,
    "core": core.parse,
    "google_scholar": google_scholar.parse,
    "unpaywall": unpaywall.parse,
    "opencitations": opencitations.parse,
    "doaj": doaj.parse,
}
COPPER, PRIME = (
    "Effect of native oxide layers on copper thin-film",
    "High-throughput screening of human genetic",
)

# file -> number of records, then of the first: what its title or address starts with, date, times
# cited (a string instead of all that: what the problem says)
EXPECTED: dict[str, Any] = {
    "semanticscholar/csed_relevance_search.json": (5, "Attention is All you Need", "2017-06-12",
        170735),
    "semanticscholar/fastpaper_references.json": (3, "Timekeeping with electron spin states",
        "2013-03-28", 67),
    "semanticscholar/fastpaper_search.json": (3, "A review on the attention mechanism", "2021",
        2865),
    "semanticscholar/lumen_recommendations_empty.json": (0,),
    "semanticscholar/pqa_test_bad_dois.json": (0,),
    "semanticscholar/pqa_test_bad_titles_2.json": (1, COPPER, "2015-12-21", 8),
    "semanticscholar/pqa_test_bulk_doi_search_2.json": (1, COPPER, "2015-12-21", 9),
    "semanticscholar/pqa_test_bulk_doi_search_3.json": (0,),
    "semanticscholar/pqa_test_bulk_doi_search_5.json": (1, "An essential role of active site arg",
        "2001-02-01", 7),
    "semanticscholar/pqa_test_bulk_title_search_12.json": (1, "An essential role of active site "
                                                              "arg", "2001-02-01", 7),
    "semanticscholar/pqa_test_bulk_title_search_2.json": (1, COPPER, "2015-12-21", 9),
    "semanticscholar/pqa_test_bulk_title_search_8.json": (1, PRIME, "2024-04-01", 5),
    "semanticscholar/pqa_test_docs_lifecycle_3.json": (1, "Explanation of Gravity Hill of "
                                                          "Mainpat", "2025-06-15", 0),
    "semanticscholar/pqa_test_doi_search_paper_attributes0_.json": (1, PRIME, "2024-04-01", 5),
    "semanticscholar/pqa_test_doi_search_paper_attributes4_.json": (1, "Developing functional",
        "2014-10-27", 136),
    "semanticscholar/pqa_test_ensure_sequential_run_5.json": (1, COPPER, "2015-12-21", 8),
    "semanticscholar/pqa_test_get_reasoning_deepseek-reasoner_.json": (1, "A Perspective on",
        "2023-03-27", 63),
    "semanticscholar/pqa_test_image_enrichment_normal_use.json": (1, "A Perspective on Expl",
        "2023-03-27", 49),
    "semanticscholar/pqa_test_s2_title_search_empty_data.json": (0,),
    "semanticscholar/rate_limited_429.json": "rate limited; a key of your own raises the limit",
    "semanticscholar/s2py_test_bad_query_parameters.json": "Unrecognized or unsupported fields: "
                                                           "[unknown]",
    "semanticscholar/s2py_test_empty_paginated_results.json": (0,),
    "semanticscholar/s2py_test_get_paper_authors.json": "answered with records in an unknown form",
    "semanticscholar/s2py_test_get_papers.json": (3, "https://www.semanticscholar.org/paper/"
                                                     "c31c87", None, None),
    "semanticscholar/s2py_test_get_recommended_papers.json": (100, "Report shows slight "
                                                                   "improvement", None, None),
    "semanticscholar/"
    "s2py_test_get_recommended_papers_from_lists_negative_only.json": "No positive paper examples",
    "semanticscholar/s2py_test_not_found.json": (0,),
    "semanticscholar/s2py_test_not_found_1.json": (0,),
    "semanticscholar/s2py_test_search_author.json": "answered with records in an unknown form",
    "semanticscholar/s2py_test_search_paper_match_title.json": (1, "Mining association rules "
                                                                   "between", None, None),
    "semanticscholar/s2py_test_search_paper_next_page.json": (100, "Using DeepSpeed and Megatron",
        None, None),
    "semanticscholar/s2py_test_search_paper_next_page_1.json": (100, "How to Run Turing Machines",
        None, None),
    "semanticscholar/s2py_test_search_paper_open_access_pdf.json": (
        100, "https://www.semanticscholar.org/paper/f1328e67", None, None,
    ),
    "semanticscholar/s2py_test_search_paper_publication_types_1.json": (
        100, "https://www.semanticscholar.org/paper/682918c9", None, None,
    ),
    "semanticscholar/s2py_test_search_paper_traversing_results.json": (89, "Near-optimal sublinear "
                                                                           "time", None, None),
    "semanticscholar/s2py_test_search_paper_venue.json": (
        100, "https://www.semanticscholar.org/paper/7cbc2a78", None, None,
    ),
    "semanticscholar/s2py_test_search_snippet.json": (2, "Computing Machinery and Intelligence",
        None, None),
    "core/fastpaper_v3_search.json": (1, "Speech Emotion Recognition Using Multi-hop", "2019-05-09",
        0),
    "core/v2_advanced_1.json": (10, "Psychology Psychology", "2009", None),
    "core/v2_article.json": (1, "https://core.ac.uk/works/21132995", "2010-02-17", None),
    "core/v2_article_history.json": "answered with records in an unknown form",
    "core/v2_search_2.json": (10, "Dispatch", "2015-08-22", None),
    "google_scholar/fastpaper_search.html": (10, "A review on the attention mechanism of deep",
        "2021", 3863),
    "google_scholar/flora_live_3.html": (10, "Attention is all you need", "2017", 255203),
    "google_scholar/flora_live_4.html": (10, "The PRISMA 2020 statement: an updated", "2021",
        156661),
    "google_scholar/goscholar_2016_fetch_test.html": (1, "Deep learning", "2015", 409),
    "google_scholar/goscholar_2016_parse_test_case1.html": (1, "Learning deep architectures for "
                                                               "AI", "2009", 2441),
    "unpaywall/csed_closed.json": (1, "Dynamic buckling analysis of bi-directional", "2020-07-03",
        None),
    "unpaywall/csed_oa.json": (1, "Nanometre-scale thermometry in a living cell", "2013-07-30",
        None),
    "unpaywall/fastpaper_lookup.json": (1, "Nanometre-scale thermometry in a living cell",
        "2013-07-30", None),
    "unpaywall/pqa_test_doi_search_paper_attributes0__1.json": (1, PRIME, "2025-03-22", None),
    "unpaywall/pqa_test_doi_search_paper_attributes4__1.json": (1, "Developing functional "
                                                                   "musculo", "2014-10-27", None),
    "unpaywall/pqa_test_title_search_paper_attributes0__4.json": (1, COPPER, "2015-12-21", None),
    "unpaywall/pqa_test_title_search_paper_attributes1__3.json": (0,),
    "opencitations/oc_coci_citation_many_dois_1.json": (1, "https://doi.org/10.1001/"
                                                           "jama.295.1.90", None, None),
    "opencitations/oc_coci_cites.json": (20, "https://doi.org/10.1145/3197026.3197050", "2018",
        None),
    "opencitations/oc_coci_cites_many_dois_1.json": (18, "https://doi.org/10.1177/1933719",
        "2018-10-11", None),
    "opencitations/oc_coci_meta_many_dois.json": (2, "Setting Our Bibliographic References Free",
        "2015", 20),
    "opencitations/oc_coci_refs.json": (37, "https://doi.org/10.1001/jama.295.1.90", None, None),
    "doaj/fastpaper_search.json": (3, "Exploring the Relationship Between Visual", "2021-09", None),
    "doaj/jaod_jaod_article.json": (1, "Where in the brain are the genes expressed", "2008-04",
        None),
    "doaj/jaod_jaod_article_many_inputs.json": (1, "SISTEMA DE INFORMAÇÃO GEOGRÁFICA", "2015-04",
        None),
    "doaj/jaod_jaod_article_search.json": (10, "Brain insulin sensitivity is linked", "2020-04",
        None),
    "doaj/jaod_jaod_article_search_params.json": (2, "Brain insulin sensitivity is linked",
        "2020-04", None),
    "doaj/jaod_jaod_journal.json": (1, "PLoS Biology", None, None),
    "doaj/jaod_jaod_journal_search_params_1.json": (30, "New Classicists", None, None),
}  # fmt: skip


@cache
def parsed(shared: Path, name: str) -> list[Source]:
    parser = PARSERS[name.split("/")[0]]
    if "oc_coci_cites" in name:
        parser = partial(opencitations.parse, side="citing")
    return parser((shared / "recorded" / name).read_bytes())


def raw(shared: Path, name: str) -> Any:
    return json.loads((shared / "recorded" / name).read_text(encoding="utf-8"))


def one_line(text: str) -> str:
    return " ".join(html.unescape(text).split())


def test_every_recording_of_these_services_has_its_values(shared: Path) -> None:
    lines = (shared / "recorded" / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    files = [
        entry["file"] for entry in map(json.loads, lines) if entry["file"].split("/")[0] in PARSERS
    ]
    assert sorted(files) == sorted(EXPECTED)


@each("name", EXPECTED)
def test_a_recording_gives_what_stands_in_it(shared: Path, name: str) -> None:
    expected = EXPECTED[name]
    if isinstance(expected, str):
        with pytest.raises(SourceError, match=re.escape(expected)):
            parsed(shared, name)
        return
    works = parsed(shared, name)
    assert len(works) == expected[0]
    for source in works:
        for text in (source.title, source.snippet, source.venue or "", *source.authors):
            assert not re.search(
                r"</?(?:i|b|sub|sup|span|p|br)\b|&(?:amp|lt|gt|quot|#\d+);|\n", text
            ), text
        assert (
            source.url.startswith(("https://", "http://")) and source.providers and source.source_id
        )
    if works:
        first = works[0]
        assert (first.title or first.url).startswith(expected[1])
        assert (first.published, first.cited_by_count) == expected[2:]


@each("name", [name for name in EXPECTED if name.startswith("semanticscholar/")])
def test_nothing_of_a_semantic_scholar_paper_is_lost_or_invented(shared: Path, name: str) -> None:
    answer = raw(shared, name)
    items = (
        answer
        if isinstance(answer, list)
        else answer.get("data", answer.get("recommendedPapers", [answer]))
    )
    papers = [
        item.get("citedPaper", item)
        for item in items
        if item.get("citedPaper", item).get("paperId")
    ]
    works = parsed(shared, name) if papers else []
    assert len(works) == len(papers)
    for paper, work in zip(papers, works, strict=True):
        ids, copy = paper.get("externalIds") or {}, paper.get("openAccessPdf") or {}
        assert work.ids["semantic_scholar"] == paper["paperId"]
        assert work.doi == (ids["DOI"].lower() if "DOI" in ids else None)
        assert (work.arxiv_id, work.pmid) == (ids.get("ArXiv"), ids.get("PubMed"))
        assert work.pmcid == (f"PMC{ids['PubMedCentral']}" if "PubMedCentral" in ids else None)
        assert work.authors == tuple(
            one_line(author["name"]) for author in paper.get("authors", ())
        )
        assert work.cited_by_count == paper.get("citationCount")
        assert bool(work.abstract) == bool(paper.get("abstract"))
        assert work.fulltext_url == (copy.get("url") or None)
        year = paper.get("publicationDate") or paper.get("year")
        assert work.published == (str(year) if year else None)
        assert work.references == () and work.marks == () and work.language is None


@each("name", [name for name in EXPECTED if name.startswith("doaj/")])
def test_nothing_of_a_directory_record_is_lost_or_invented(shared: Path, name: str) -> None:
    answer = raw(shared, name)
    for record, work in zip(answer.get("results", [answer]), parsed(shared, name), strict=True):
        about = record["bibjson"]
        assert work.title == one_line(about["title"]) and work.ids == {"doaj": record["id"]}
        assert len(work.authors) == len(about.get("author", ()))
        assert bool(work.abstract) == bool(about.get("abstract"))
        listed = {
            identifier["type"].lower(): identifier["id"]
            for identifier in about.get("identifier", ())
        }
        assert work.doi == (listed["doi"].lower() if "doi" in listed else None)
        assert work.issn in (about.get("eissn"), about.get("pissn"), *listed.values(),
                             *about.get("journal", {}).get("issns", ()))  # fmt: skip


def test_a_core_work_is_read_whole(shared: Path) -> None:
    (work,) = parsed(shared, "core/fastpaper_v3_search.json")
    assert work.authors == ("Seokhyun Byun", "Subhadeep Dey", "Kyomin Jung", "Seunghyun Yoon")
    assert (work.doi, work.arxiv_id, work.language) == (
        "10.1109/icassp.2019.8683483",
        "1904.10788",
        "en",
    )
    assert work.publisher == "Institute of Electrical and Electronics Engineers (IEEE)"
    assert work.fulltext_url == "http://arxiv.org/abs/1904.10788" and work.ids == {
        "core": "58971691"
    }
    assert work.abstract.startswith(
        "In this paper, we are interested in exploiting textual and acoustic data of an "
    )
    assert work.abstract.endswith("improvement in terms of weighted accuracy.")


def test_scholar_pages_give_authors_venues_copies_and_counts(shared: Path) -> None:
    works = parsed(shared, "google_scholar/fastpaper_search.html")
    assert [work.cited_by_count for work in works] == [
        3863,
        2848,
        500,
        180,
        708,
        794,
        180,
        167,
        177,
        808,
    ]
    assert [
        work.published for work in works
    ] == "2021 2022 2022 2021 2019 2021 2020 2021 2020 2019".split()
    assert works[0].authors == ("Z Niu", "G Zhong", "H Yu")
    assert (works[0].venue, works[0].publisher) == ("Neurocomputing", "Elsevier")
    assert works[1].venue is None, "a venue that the page cuts is none"
    assert (
        works[2].doi == "10.1007/s00521-022-07366-3"
        and works[2].fulltext_url == "https://arxiv.org/pdf/2204.13154"
    )
    assert works[6].doi == "10.1088/1742-6596/1693/1/012173", (
        "without what the publisher puts behind it"
    )
    assert works[7].title == "Attention mechanisms and their applications to complex systems"
    live = parsed(shared, "google_scholar/flora_live_3.html")
    assert [work.cited_by_count for work in live] == [255203, 11, 1, 44, 41, None, None, 6, 1069, 8]
    assert [work.arxiv_id for work in live if work.arxiv_id] == [
        "2502.07864",
        "2501.09166",
        "2308.07661",
    ]
    assert parsed(shared, "google_scholar/flora_live_4.html")[2].pmcid == "PMC9798848"


def test_open_copies_are_listed_best_first(shared: Path) -> None:
    (closed,) = parsed(shared, "unpaywall/csed_closed.json")
    assert (
        closed.fulltext_url is None
        and "copies" not in closed.fields
        and closed.fields["open_access"] == "closed"
    )
    (work,) = parsed(shared, "unpaywall/csed_oa.json")
    assert [copy["url"] for copy in work.fields["copies"]] == [
        "https://www.nature.com/articles/nature12373.pdf",
        "https://arxiv.org/pdf/1304.1068",
        "http://nrs.harvard.edu/urn-3:HUL.InstRepos:12285462",
        "https://www.ncbi.nlm.nih.gov/pmc/articles/4221854",
    ]
    assert "license" not in work.fields, "the licence of another copy is not the best one's"
    (gold,) = parsed(shared, "unpaywall/pqa_test_doi_search_paper_attributes0__1.json")
    assert (gold.fields["license"], gold.fields["journal_in_doaj"], gold.issn) == (
        "cc-by",
        True,
        "2666-979X",
    )


def test_citations_are_pairs_of_works(shared: Path) -> None:
    answer = raw(shared, "opencitations/oc_coci_refs.json")
    assert [work.doi for work in parsed(shared, "opencitations/oc_coci_refs.json")] == [
        e["cited"] for e in answer
    ]
    answer = raw(shared, "opencitations/oc_coci_cites.json")
    works = parsed(shared, "opencitations/oc_coci_cites.json")
    assert [(work.doi, work.published) for work in works] == [
        (e["citing"], e["creation"]) for e in answer
    ]
    work = parsed(shared, "opencitations/oc_coci_meta_many_dois.json")[0]
    assert work.authors == ("Silvio Peroni", "Alexander Dutton", "Tanya Gray", "David Shotton")
    assert (work.venue, work.issn, work.cited_by_count) == (
        "Journal Of Documentation",
        "0022-0418",
        20,
    )
    assert len(work.references) == 37 and len(work.fields["cited_by"]) == 20
    assert "doi:10.1002/(sici)1097-4571(198909)40:5<342::aid-asi7>3.0.co;2-u" in work.references
