"""Conformance: every recorded answer of these services, against values read from the recordings by
hand."""

import html
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from tools.errors import SourceError
from tools.sources.scholarly import arxiv, crossref, openalex
from tools.sources.source import Source
from tools.sources.web import duckduckgo, wikipedia

pytestmark = pytest.mark.shared
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {
    "openalex": openalex.parse,
    "crossref": crossref.parse,
    "arxiv": arxiv.parse,
    "wikipedia": wikipedia.parse,
    "duckduckgo": duckduckgo.parse,
}
SERVICES = tuple(PARSERS)

# file -> number of records, then of the first: what its title or address starts with, date, times
# cited (a string instead of all that: what the problem says)
EXPECTED: dict[str, Any] = {
    "openalex/choxos_is_retracted_true.json": (1, "RETRACTED: Ileal-lymphoid-nodular", "1998",
        None),
    "openalex/csed_topics.json": "answered with records in an unknown form",
    "openalex/fastpaper_search.json": (3, "A review on the attention mechanism", "2021-04-01",
        3087),
    "openalex/pqa_test_does_openalex_work_oa-in-openalex2_.json": (1, "https://doi.org/10.1093/nar/"
                                                                      "g", None, None),
    "openalex/pqa_test_doi_search_0__2.json": (1, "High-throughput screening of human",
        "2025-03-01", 3),
    "openalex/pqa_test_doi_search_1__2.json": (1, "An essential role of active site arg",
        "2001-01-01", 7),
    "openalex/pqa_test_doi_search_4__2.json": (1, "Developing functional musculoskeletal",
        "2014-10-27", 138),
    "openalex/pqa_test_title_search_0__3.json": (1, "Effect of native oxide layers on copper",
        "2015-12-21", 9),
    "openalex/pqa_test_title_search_2__3.json": (2, "Augmenting large language models",
        "2024-05-08", 236),
    "openalex/pygetpapers_cursor_page.json": (20, "A Deep Ensemble Dynamic Learning", "2024-03-01",
        6),
    "openalex/pygetpapers_work_10.1038_s41467-023-44678-x.json": (1, "A uniform data processing",
        "2024-01-06", 4),
    "crossref/choxos_retracted_updated_by.json": (1, "RETRACTED: Ileal-lymphoid-nodular", "1998-02",
        1992),
    "crossref/fastpaper_search.json": (3, "Face Attention Tracker", "2021-07-08", 0),
    "crossref/hab_prefix_update_to_updated_by.json": (20, "Artificial Water Point for Livestock",
        "2016-01-22", 14),
    "crossref/hab_test_cursor_fails_cursor_value.json": "Cursor specified but it is invalid",
    "crossref/hab_test_random_dois_sample_param_1.json": (5, "Rémission tardive", "2003-12", 0),
    "crossref/hab_test_works_mixed_ids_warn.json": (1, "Methylphenidate Exposure Induces",
        "2012-03-21", 72),
    "crossref/hab_test_works_query_filters_not_allowed_with_dois.json": "does not support field "
                                                                        "query parameters",
    "crossref/hab_test_works_with_many_ids.json": (1, "Human umbilical cord blood-derived",
        "2012-03", 242),
    "crossref/hab_test_works_with_many_ids_1.json": (1, "Growth hormone secretagogue", "1997-07",
        19),
    "crossref/hab_test_works_with_many_ids_3.json": (1, "Accurate and explicit differentiation",
        None, 4),
    "crossref/hab_test_works_with_many_ids_4.json": (1, "Human bladder cancer cells", "2009-06-26",
        4),
    "crossref/hab_test_works_with_select_param.json": (20, "Communicating Ecology", None, None),
    "crossref/hab_test_workscontainer_failure_behavior.json": "answered with records in an unknown "
                                                              "form",
    "crossref/hab_test_workscontainer_failure_behavior_1.json": "answered with records in an "
                                                                "unknown form",
    "crossref/hab_test_workscontainer_with_cursor.json": (5, "Retroperitoneal Inflammatory",
        "2010-12-05", 2),
    "crossref/hab_test_workscontainer_with_many.json": (5, "Retroperitoneal Inflammatory",
        "2010-12-05", 2),
    "crossref/hab_test_workscontainer_with_two_ids.json": (
        1, "Construction of a reference material panel for detecting KRAS / NRAS / EGFR / BRAF / "
           "MET", "2020-08-17", 10,
    ),
    "crossref/hab_test_worksquery_same_as_wrapped_method_real_requests.json": (
        3, "Retroperitoneal Inflammatory", None, None,
    ),
    "crossref/pqa_test_bad_dois_1.json": (0,),
    "crossref/pqa_test_bad_titles_3.json": (1, "Effect of native oxide layers on copper",
        "2015-12-21", 9),
    "crossref/pqa_test_bulk_doi_search_6.json": (1, "High-throughput screening of human",
        "2024-04-01", 2),
    "crossref/pqa_test_bulk_doi_search_7.json": (1, "Effect of native oxide layers on copper",
        "2015-12-21", 10),
    "crossref/pqa_test_bulk_doi_search_9.json": (1, "An essential role of active site arg",
        "2001-02", 7),
    "crossref/pqa_test_crossref_retraction_status.json": (1, "The Dilemma and Countermeasures",
        None, None),
    "crossref/pqa_test_doi_search_paper_attributes0__3.json": (1, "High-throughput screening",
        "2025-04", 2),
    "crossref/pqa_test_doi_search_paper_attributes4__3.json": (1, "Developing functional",
        "2014-10-27", 129),
    "crossref/pqa_test_ensure_sequential_run_3.json": (1, "Effect of native oxide layers",
        "2015-12-21", 9),
    "crossref/pqa_test_title_search_paper_attributes0_.json": (1, "Effect of native oxide",
        "2015-12-21", 10),
    "crossref/pqa_test_tricky_journal_quality_results_10.1016-j.bbcan.2023.188947-1_.json": (
        1, "Structural and mechanistic insights", "2023-09", 2,
    ),
    "crossref/pqa_test_tricky_journal_quality_results_10.1016-j.semcdb.2016.08.024-1_.json": (
        1, "The impact of heterogeneity", "2017-04", 7,
    ),
    "crossref/pqa_test_tricky_journal_quality_results_10.1038-s41598-018-27044-6-1_.json": (
        1, "Insights into the mechanism of the PIK3CA", "2018-10-19", 55,
    ),
    "crossref/pqa_test_tricky_journal_quality_results_10.1073-pnas.1205508109-3_.json": (
        1, "Oncogenic mutations mimic and enhance dynamic events in the natural activation of "
           "phosphoinositide "
        "3-kinase p110α (PIK3CA)", "2012-09-04", 261,
    ),
    "crossref/rcr_cr_works__parses_funders_1.json": (1, "CapaCiTY Study 2", "2015-11-11", 0),
    "crossref/rcr_cr_works_fails_well.json": (0,),
    "crossref/rcr_cr_works_with_cursor_fails_well.json": "Response Exception",
    "crossref/rcr_plos_cursor_0.json": (30, "Characteristics, experiences and actions",
        "2022-03-11", 0),
    "crossref/rcr_plos_cursor_2.json": (30, "Efficient Production of sTNFRII-gAD", "2014-10-23", 3),
    "crossref/rcr_types_cursor_2.json": (30, "A multi-wavelength survey of AGN", "2008-12-22", 7),
    "crossref/rcr_works_1.json": (20, "Strategic Reading, Ontologies, and the", "2009-08-14", 95),
    "crossref/rcr_works_2.json": (3, "Mapping the global state of invasive", "2016-09-25", 172),
    "arxiv/fastpaper_search.xml": (3, "Déjà vu: A Contextualized Temporal", "2020-01-29", None),
    "arxiv/id_0000.0000_s0_m100_8b51d9633a68.xml": (0,),
    "arxiv/id_0808.05394_s0_m100_7b0c7d0a7cdd.xml": (0,),
    "arxiv/id_1707.08567_s0_m100_6a1afebfc6a3.xml": (1, "Proceedings of Workshop AEW10",
        "2017-07-27", None),
    "arxiv/id_2104.12255v1_s0_m100_6ae69987ffe1.xml": (1, "0", "2021-04-20", None),
    "arxiv/id_quant-ph_0201082v1_s0_m100_86989fe779ef.xml": (1, "Quantum Computers and Quantum",
        "2002-01-18", None),
    "arxiv/lumen_search.xml": (3, "PyramidTNT: Improved", "2022-01-04", None),
    "arxiv/q_testing_s0_m100_cfe7536492ca.xml": (100, "Testing Deep Learning Models", "2022-02-24",
        None),
    "arxiv/q_testing_s0_m10_bc5a6c384fe9.xml": (10, "Testing Deep Learning Models", "2022-02-24",
        None),
    "arxiv/q_testing_s50_m10_7f488ab8598c.xml": (10, "Fairness Testing: Testing Software",
        "2017-09-11", None),
    "wikipedia/langchaingo_0.json": (2, "North America", "2025-08-12", None),
    "wikipedia/langchaingo_2.json": (1, "United States", None, None),
    "wikipedia/wapi_search_test_default.json": (10, "Python (programming language)", "2026-03-25",
        None),
    "wikipedia/wapi_search_test_interwiki.json": (13, "Python (programming language)", "2026-03-25",
        None),
    "wikipedia/wapi_search_test_namespace_file_.json": (10, "File:Python Programming.pdf",
        "2022-05-21", None),
    "wikipedia/wapi_search_test_sort_relevance_.json": (10, "Python (programming language)",
        "2026-03-25", None),
    "wikipedia/wapi_search_test_what_near_match_.json": (1, "Python programming", "2007-07-22",
        None),
    "wikipedia/wapi_search_test_what_text_.json": (10, "Python (programming language)",
        "2026-03-25", None),
    "wikipedia/wapi_search_test_what_title_.json": '"title" search is disabled',
    "wikipedia/wapi_test_categories.json": (1, "Python (programming language)", None, None),
    "wikipedia/wapi_test_exists_false.json": (0,),
    "wikipedia/wapi_test_exists_true.json": (1, "Python (programming language)", None, None),
    "wikipedia/wapi_test_summary.json": (1, "Python (programming language)", None, None),
    "duckduckgo/celina_html.html": (9, "Caffeine and Sleep Problems", "2025-07-16", None),
    "duckduckgo/celina_lite_BLOCKED.html": "blocked: it asks for proof of being human",
    "duckduckgo/langchaingo_html.html": (10, "The Go Programming Language", None, None),
    "duckduckgo/meka_html_results.html": (10, "Rust Programming Language", None, None),
    "duckduckgo/simpleai_lite.html": (10, "10 Day Weather - Downtown, San Francisco", None, None),
}  # fmt: skip


def recordings(shared: Path) -> list[str]:
    lines = (shared / "recorded" / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        entry["file"] for entry in map(json.loads, lines) if entry["file"].split("/")[0] in SERVICES
    ]


@cache
def parsed(shared: Path, name: str) -> list[Source]:
    return PARSERS[name.split("/")[0]]((shared / "recorded" / name).read_bytes())


def test_every_recording_has_its_values(shared: Path) -> None:
    assert sorted(recordings(shared)) == sorted(EXPECTED)


@each("name", EXPECTED)
def test_a_recording_gives_what_it_says(shared: Path, name: str) -> None:
    expected = EXPECTED[name]
    if isinstance(expected, str):
        with pytest.raises(SourceError, match=re.escape(expected)):
            parsed(shared, name)
        return
    works = parsed(shared, name)
    assert len(works) == expected[0]
    if works:
        first = works[0]
        assert (first.title or first.url).startswith(expected[1])
        assert (first.published, first.cited_by_count) == expected[2:]


@each("name", EXPECTED)
def test_no_record_keeps_markup_entities_or_line_breaks(shared: Path, name: str) -> None:
    if isinstance(EXPECTED[name], str):
        return
    for source in parsed(shared, name):
        for text in (source.title, source.snippet, source.venue or "", *source.authors):
            assert not re.search(
                r"</?(?:i|b|sub|sup|span|p|jats:\w+|mml:\w+)\b|&(?:amp|lt|gt|quot|#\d+);|\n", text
            ), text
        assert not re.search(r"</?(?:jats|mml):|&(?:amp|lt|gt);", source.abstract)
        assert (
            source.url.startswith(("https://", "http://")) and source.providers and source.source_id
        )


def as_meant(text: str) -> str:
    """One line; these recordings hold some texts encoded twice."""
    line = " ".join(html.unescape(text).split())
    try:
        return line.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return line


def works_of(shared: Path, name: str) -> list[dict[str, Any]]:
    answer = json.loads((shared / "recorded" / name).read_text(encoding="utf-8"))
    message = answer.get("message", answer)
    if not isinstance(message, dict):
        return []
    works = message.get("items", message.get("results", [message]))
    return [
        work for work in works if work.get("DOI") or "/W" in str(work.get("id")) or work.get("doi")
    ]


@each("name", [name for name in EXPECTED if name.startswith("crossref/")])
def test_nothing_of_a_crossref_work_is_lost_or_invented(shared: Path, name: str) -> None:
    if isinstance(EXPECTED[name], str):
        return
    for raw, work in zip(works_of(shared, name), parsed(shared, name), strict=True):
        assert work.doi == raw["DOI"].lower()
        people = raw.get("author") or raw.get("editor") or []
        assert len(work.authors) == len(people)
        assert all(as_meant(person.get("family", person.get("name", ""))) in author
                   for person, author in zip(people, work.authors, strict=True))  # fmt: skip
        cited = {entry["DOI"].lower() for entry in raw.get("reference", ()) if entry.get("DOI")}
        assert len(work.references) <= len(cited) and len(cited) - len(work.references) <= 2, (
            "malformed DOIs only"
        )
        assert bool(work.abstract) == bool(raw.get("abstract"))
        assert work.cited_by_count == raw.get("is-referenced-by-count")
        assert work.issn == (raw.get("ISSN") or [None])[0] and work.language == raw.get("language")
        assert work.publisher == (html.unescape(raw["publisher"]) if raw.get("publisher") else None)
        kinds = {entry["type"] for entry in raw.get("updated-by", ())} - {"new_version"}
        assert {"correction": "correction", "retraction": "retracted"}.keys() >= kinds
        assert len({mark.kind for mark in work.marks}) == len(kinds)


@each("name", [name for name in EXPECTED if name.startswith("openalex/")])
def test_nothing_of_an_openalex_work_is_lost_or_invented(shared: Path, name: str) -> None:
    if isinstance(EXPECTED[name], str):
        return
    for raw, work in zip(works_of(shared, name), parsed(shared, name), strict=True):
        doi = raw["doi"].removeprefix("https://doi.org/").lower() if raw.get("doi") else None
        assert (work.doi or f"10.48550/arxiv.{work.arxiv_id}") == (doi or "10.48550/arxiv.None")
        assert work.authors == tuple(
            a["author"]["display_name"] for a in raw.get("authorships", ())
        )
        assert len(work.references) == len(raw.get("referenced_works", ()))
        index = raw.get("abstract_inverted_index")
        assert bool(work.abstract) == bool(index)
        if index:
            longest = max(index, key=len)
            assert html.unescape(longest).strip() in work.abstract or "<" in longest
        assert work.cited_by_count == raw.get("cited_by_count")
        assert bool(work.marks) == bool(raw.get("is_retracted"))
        open_access = raw.get("open_access") or {}
        assert bool(work.fulltext_url) == bool(open_access.get("oa_url"))


@each("name", [name for name in EXPECTED if name.startswith("arxiv/")])
def test_nothing_of_an_arxiv_entry_is_lost_or_invented(shared: Path, name: str) -> None:
    text = (shared / "recorded" / name).read_text(encoding="utf-8")
    entries = re.findall(r"<entry>(.*?)</entry>", text, re.S)
    for raw, work in zip(entries, parsed(shared, name), strict=True):
        assert list(work.authors) == [
            as_meant(name) for name in re.findall(r"<name>(.*?)</name>", raw)
        ]
        assert work.abstract == as_meant(re.findall(r"<summary>(.*?)</summary>", raw, re.S)[0])
        doi = re.findall(r"<arxiv:doi>(.*?)</arxiv:doi>", raw)
        assert bool(work.doi) == bool(doi)
        assert f"abs/{work.arxiv_id}v" in raw


def test_duckduckgo_results_are_those_of_the_page(shared: Path) -> None:
    hosts = [
        source.url.split("/")[2] for source in parsed(shared, "duckduckgo/langchaingo_html.html")
    ]
    page = (shared / "recorded" / "duckduckgo/langchaingo_html.html").read_text(encoding="utf-8")
    assert all(host in page for host in hosts) and not any(
        "duckduckgo.com" in host for host in hosts
    )
    for name in (
        "celina_html.html",
        "langchaingo_html.html",
        "meka_html_results.html",
        "simpleai_lite.html",
    ):
        assert all(source.snippet for source in parsed(shared, f"duckduckgo/{name}"))


def test_retractions_are_marked(shared: Path) -> None:
    (lancet,) = parsed(shared, "crossref/choxos_retracted_updated_by.json")
    assert [(m.kind, m.by, m.date) for m in lancet.marks] == [
        ("correction", "Retraction Watch", "2004-03-06"),
        ("retracted", "Retraction Watch", "2010-02-06"),
    ]  # fmt: skip
    (same,) = parsed(shared, "openalex/choxos_is_retracted_true.json")
    assert (
        same.source_id == lancet.source_id
        and same.marks[0].kind == "retracted"
        and same.pmid == "9500320"
    )
