"""The reference values of the specification, look-alikes, order of rules, modifiers, overrides,
sentences."""

import re
import subprocess
import sys
import time

import pytest

from tests.tables import each
from tools.credibility.user_rules import Rules
from tools.research.credibility_scorer import (
    assess,
    factors_in_words,
    score_source_credibility,
)
from tools.sources.source import Mark, Source, make_source

LANCET = "https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(97)11096-0/fulltext"
WAKEFIELD = "10.1016/S0140-6736(97)11096-0"


def score(url: str, *args: object, **more: object) -> float:
    return score_source_credibility(url, *args, **more)["score"]  # type: ignore[arg-type]


@pytest.mark.parametrize("citations", [500, 523])
def test_a_much_cited_nature_article_is_capped(citations: int) -> None:
    assert score("https://www.nature.com/articles/s41586-019-0001-1", citations, 4) == 0.95


def test_a_preprint_cited_twice_that_nobody_confirms() -> None:
    assert score("https://arxiv.org/abs/2312.12345", 2, 1) == 0.405


@each(
    "url",
    [
        LANCET,
        "https://www.thelancet.com/journals/lancet/article/PIIS0140-6736%2897%2911096-0/abstract",
        "https://www.sciencedirect.com/science/article/pii/S0140673697110960",
        "https://doi.org/10.1016/s0140-6736(97)11096-0",
        "https://DOI.org/10.1016/S0140-6736(97)11096-0",
        "https://pubmed.ncbi.nlm.nih.gov/9500320/",
        "https://mirror.example.org/10.1016/S0140-6736(97)11096-0.pdf",
    ],
)
def test_the_retracted_mmr_paper_is_found_wherever_it_is_read(url: str) -> None:
    result = score_source_credibility(url)
    assert (result["score"], result["category"], result["modifiers"]) == (0.0, "retracted", {})
    assert result["breakdown"] == "RETRACTED - Wakefield MMR-autism paper (retracted 2010)"


def test_a_retracted_doi_is_found_whatever_the_address_and_case() -> None:
    assert score("https://example.org/paper", doi=WAKEFIELD.upper()) == 0.0
    assert score("https://www.nature.com/articles/nature12968") == 0.0
    assert score("https://www.nejm.org/doi/full/10.1056/NEJMoa2007621") == 0.0
    assert score("https://www.nejm.org/doi/pdf/10.1056/NEJMoa2007621/epdf") == 0.0
    assert score("https://europepmc.org/x", pmid="24476887") == 0.0


PREDATORY = (
    "scirp.org waset.org omicsonline.org hilarispublisher.com austinpublishinggroup.com "
    "crimsonpublishers.com"
)


@each("host", [*PREDATORY.split(), "lupinepublishers.com"])
def test_predatory_publishers(host: str) -> None:
    for url in (
        f"https://{host}",
        f"https://www.{host}/journal/paper.aspx?id=1",
        f"http://sub.{host}:80/x",
    ):
        result = score_source_credibility(url, 500, 7)
        assert (result["score"], result["category"], result["modifiers"]) == (
            0.20,
            "predatory_publisher",
            {},
        )
        assert result["breakdown"].startswith("PREDATORY PUBLISHER - ")
        assert result["detail"]["list"] in result["breakdown"]


@each(
    ("url", "expected"),
    [
        ("https://www.eia.gov/data", 0.85),
        ("https://www.gov.uk/guidance", 0.85),
        ("https://www.data.gouv.fr/x", 0.85),
        ("https://www.inegi.gob.mx/x", 0.85),
        ("https://www.meti.go.jp/x", 0.85),
        ("https://www.treasury.gov.za/x", 0.85),
        ("https://ec.europa.eu/x", 0.80),
        ("https://www.un.org/x", 0.80),
        ("https://data.worldbank.org/x", 0.80),
        ("https://www.who.int/x", 0.80),
        ("https://web.mit.edu/x", 0.75),
        ("https://www.ox.ac.uk/x", 0.75),
        ("https://www.science.org/doi/10.1126/science.abc0001", 0.85),
        ("https://www.nejm.org/doi/full/10.1056/x", 0.85),
        ("https://www.thelancet.com/x", 0.85),
        ("https://www.cell.com/x", 0.80),
        ("https://pubmed.ncbi.nlm.nih.gov/123/", 0.70),
        ("https://doi.org/10.9999/unheard-of", 0.65),
        ("https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2", 0.50),
        ("https://www.medrxiv.org/x", 0.50),
        ("https://www.reuters.com/x", 0.70),
        ("https://apnews.com/x", 0.70),
        ("https://www.bloomberg.com/x", 0.70),
        ("https://www.bbc.co.uk/x", 0.65),
        ("https://www.wsj.com/x", 0.65),
        ("https://www.nytimes.com/x", 0.65),
        ("https://www.ft.com/x", 0.65),
        ("https://www.economist.com/x", 0.65),
        ("https://de.wikipedia.org/wiki/X", 0.60),
        ("https://someone.medium.com/x", 0.40),
        ("https://someone.substack.com/p/x", 0.40),
        ("https://someone.blogspot.com/x", 0.30),
        ("https://someone.wordpress.com/x", 0.30),
        ("https://old.reddit.com/r/x", 0.25),
        ("https://www.quora.com/x", 0.25),
        ("https://www.pinterest.com/x", 0.20),
        ("https://random-blog.xyz/post", 0.50),
    ],
)
def test_bases_by_address(url: str, expected: float) -> None:
    assert score(url) == expected


@each(
    "url",
    [
        "https://signature-reviews.com/a",
        "https://example.org/human-nature?ref=nature.com",
        "https://fun.org/x",
        "https://excell.com/x",
        "https://x.gov.example.com",
        "https://notarxiv.org/abs/1",
        "https://nature.com.evil.net/articles/x",
        "https://nature.com@evil.net/",
        "https://evil.net\\@nature.com/",
        "https://evil.net/https://www.reuters.com/world",
        "https://evil.net/#reuters.com",
        "https://xnature.com/",
        "https://gov/",
        "https://mygov.uk/",
        "https://evil.net/10.1038/nature99999",
        "javascript:alert('nature.com')",
        "nonsense",
        "",
        "https://[::1]/nature.com",
        "https://203.0.113.5/gov.uk",
        "https://" + "a." * 5000 + "evil.net/",
        "https://evil.net/" + "10.1/" * 20000,
    ],
)
def test_look_alikes_match_nothing(url: str) -> None:
    result = score_source_credibility(url)
    assert (result["score"], result["category"]) == (0.50, "Unknown source")


@each(
    ("url", "base", "category"),
    [
        (
            "https://www.tu-chemnitz.de/x",
            0.75,
            "Academic institution, by the University Domains and Names Data List",
        ),
        (
            "https://library.tu-chemnitz.de/x",
            0.75,
            "Academic institution, by the University Domains and Names Data List",
        ),
        (
            "https://www.parlament.ch/x",
            0.85,
            "Government source, by the Research Organization Registry",
        ),
        (
            "https://www.readingeagle.com/x",
            0.60,
            "Newspaper or television station, by the Local News Dataset 2018",
        ),
        ("https://www.gov.bw/x", 0.85, "Government source"),
        ("https://mod.gov.ee/x", 0.85, "Government source"),
        ("https://uok.edu.sd/x", 0.75, "Academic institution"),
    ],
)
def test_a_host_of_a_licensed_list_takes_the_base_of_its_kind_and_names_the_list(
    url: str, base: float, category: str
) -> None:
    result = score_source_credibility(url)
    assert (result["base_score"], result["category"]) == (base, category)


def test_a_list_counts_only_where_no_rule_for_the_host_does() -> None:
    assert (
        score_source_credibility("https://tu-chemnitz.de/", rules={"tu-chemnitz.de": 0.3})[
            "base_score"
        ]
        == 0.3
    )
    assert score_source_credibility("https://nottu-chemnitz.de/")["category"] == "Unknown source"
    assert (
        score_source_credibility("https://tu-chemnitz.de.example.com/")["category"]
        == "Unknown source"
    )


def test_the_sentence_of_an_unknown_outlet_says_that_it_is_not_rated() -> None:
    result = score_source_credibility("https://unheard-of.example/a")
    assert (result["score"], result["breakdown"]) == (
        0.50,
        "Not rated (unknown source) -> counts as 0.50",
    )
    agreed = score_source_credibility("https://unheard-of.example/a", cross_reference_count=4)
    assert agreed["breakdown"] == (
        "Not rated (unknown source) | Cross-refs: 1.1x (4 sources agree) -> counts as 0.55"
    )
    concern = score_source_credibility(
        "https://unheard-of.example/a", marks=[Mark("concern", "Crossref")]
    )
    assert (
        concern["breakdown"].startswith("Base: 0.50 (Unknown source)") and concern["score"] == 0.25
    )


def test_the_sentence_has_the_stated_form() -> None:
    result = score_source_credibility("https://www.nature.com/articles/x9", 523, 4)
    assert result["breakdown"] == (
        "Base: 0.85 (Nature journal (high impact)) | Citations: 1.1x (523 cites)"
        " | Cross-refs: 1.1x (4 sources agree) -> Final: 0.95"
    )
    assert (
        score_source_credibility("https://www.eia.gov/x")["breakdown"]
        == "Base: 0.85 (Government source) -> Final: 0.85"
    )
    arxiv = score_source_credibility("https://arxiv.org/abs/2312.12345")
    assert arxiv["category"] == "ArXiv preprint (NOT peer-reviewed)"


@each(
    ("citations", "factor"),
    [(0, 0.8), (1, 0.9), (9, 0.9), (10, 1.0), (99, 1.0), (100, 1.1), (999, 1.1), (1000, 1.2)],
)
def test_citation_modifier(citations: int, factor: float) -> None:
    result = score_source_credibility(
        "https://doi.org/10.9999/x", citations, publication_year=1999, as_of="2026-11-01"
    )
    assert result["modifiers"]["citation"] == factor
    assert result["score"] == pytest.approx(0.65 * factor)


@each(
    ("voices", "factor"),
    [
        (None, 1.0),
        (0, 0.9),
        (1, 0.9),
        (2, 1.0),
        (3, 1.0),
        (4, 1.1),
        (6, 1.1),
        (7, 1.15),
        (99, 1.15),
    ],
)
def test_cross_reference_modifier(voices: int | None, factor: float) -> None:
    assert (
        score_source_credibility("https://x.example/", None, voices)["modifiers"]["cross_reference"]
        == factor
    )


def test_the_factors_in_words_are_those_that_are_applied() -> None:
    steps = dict(factors_in_words())["Citations of a scholarly work"].partition(";")[0]
    assert steps.startswith("none × 0.8, 1 to 9 × 0.9, ") and steps.endswith("from 1000 × 1.2")
    voices = dict(factors_in_words())["Independent sources for its best statement"]
    assert voices.startswith("up to 1 × 0.9, ")
    for step in steps.split(", ")[1:]:
        count, factor = step.split(" × ")
        for citations in re.findall(r"\d+", count):
            result = score_source_credibility("https://doi.org/10.9999/x", int(citations))
            assert result["modifiers"]["citation"] == float(factor)


def test_unknown_and_unscholarly_citations_change_nothing() -> None:
    assert score("https://doi.org/10.9999/x", None) == 0.65
    assert score("https://random-blog.xyz/post", 0) == 0.50
    assert score("https://www.reuters.com/x", 5000) == 0.70


def test_young_works_are_not_punished_for_few_citations() -> None:
    young = {"citation_count": 0, "published": "2026-03-01", "as_of": "2026-11-01"}
    assert score("https://doi.org/10.9999/x", **young) == 0.65
    assert score("https://doi.org/10.9999/x", **{**young, "as_of": "2027-03-02"}) == pytest.approx(
        0.52
    )
    assert score(
        "https://doi.org/10.9999/x", 1000, publication_year=2026, as_of="2026-11-01"
    ) == pytest.approx(0.78)


def test_a_listed_venue_decides_before_the_address_and_gets_the_journal_modifier() -> None:
    result = score_source_credibility(
        "https://arxiv.org/abs/1706.03762", doi="10.1038/x", venue="NATURE", issn="0028-0836"
    )
    assert result["base_score"] == 0.85
    assert result["score"] == pytest.approx(0.85 * 1.05)
    assert "Journal: 1.05x (Nature)" in result["breakdown"]
    assert {row["rule"] for row in result["detail"]["also"]} >= {"published", "preprint"}
    assert score("https://example.org/x", issn="1476-4687, 0000-0000") == pytest.approx(0.85 * 1.05)
    assert score("https://example.org/x", venue="The  Lancet.") == pytest.approx(0.85 * 1.05)


@each("venue", ["Nature and Nurture", "Human Nature", "Science of Nothing", "Lancet Blog", "Cells"])
def test_a_venue_matches_only_as_a_whole(venue: str) -> None:
    assert score("https://example.org/x", venue=venue) == 0.50


def test_the_venue_a_web_page_claims_is_not_believed() -> None:
    assert score("https://evil.example/x", venue="Nature", source_type="web") == 0.50
    assert score("https://evil.example/x", venue="Nature", source_type="newsroom") == 0.75


def test_preprints_come_before_having_a_doi_and_journals_on_the_same_prefix_stay_journals() -> None:
    assert score("https://doi.org/10.48550/arXiv.2401.00001") == 0.50
    assert score("https://doi.org/10.1101/2020.01.01.123456") == 0.50
    assert score("https://doi.org/10.1101/gr.275638.121") == 0.65
    assert score("https://example.org/x", venue="bioRxiv", doi="10.1101/2020.01.01.123456") == 0.50


def test_a_preprint_with_a_published_version_inherits() -> None:
    unknown = score_source_credibility("https://arxiv.org/abs/2001.00001", doi="10.9999/journal.1")
    assert (unknown["score"], unknown["detail"]["rule"]) == (0.65, "published")
    assert score(
        "https://arxiv.org/abs/2001.00001", doi="10.1103/x", venue="Physical Review Letters"
    ) == pytest.approx(0.84)


def test_newsroom_articles_take_their_outlets_rule_even_a_lower_one() -> None:
    assert score("https://www.reuters.com/business/x", source_type="newsroom") == 0.70
    assert score("https://asoba.co/newsroom/x", source_type="newsroom") == 0.75
    assert score("https://asoba.co/newsroom/x", source_type="newsroom", outlet="Reuters") == 0.70
    assert (
        score("https://asoba.co/newsroom/x", source_type="newsroom", outlet="Outlet Nobody Knows")
        == 0.75
    )


def test_local_documents_are_your_document_unless_their_doi_or_venue_says_more() -> None:
    local_score = score_source_credibility("local://ab12/notes.txt", source_type="local")
    assert (local_score["score"], local_score["category"]) == (0.50, "Your document")
    assert score("local://nature.com/notes.txt", source_type="local") == 0.50
    assert score("local://x/p.pdf", source_type="local", doi="10.9999/x") == 0.65
    assert score("local://x/p.pdf", source_type="local", venue="Nature") == pytest.approx(0.8925)
    assert score("local://x/p.pdf", source_type="local", doi=WAKEFIELD) == 0.0


def test_marks_of_the_apis_are_honoured() -> None:
    nature = "https://www.nature.com/articles/x9"
    retracted = score_source_credibility(
        nature, title="A study", marks=[Mark("retracted", "OpenAlex")]
    )
    assert (retracted["score"], retracted["breakdown"]) == (0.0, "RETRACTED - A study (retracted)")
    concern = score_source_credibility(
        nature, 523, 4, marks=[Mark("concern", "Crossref", "2024-05-01")]
    )
    assert concern["score"] == pytest.approx(0.475)
    assert "Expression of concern: 0.5x (2024)" in concern["breakdown"]
    correction = score_source_credibility(
        nature, marks=[Mark("correction", "Crossref", "2024-05-01")]
    )
    assert correction["score"] == 0.85
    assert correction["detail"]["notices"][0]["kind"] == "correction"


def test_a_reinstated_work_is_not_retracted() -> None:
    marks = [Mark("reinstated", "RW", "2023-02-21"), Mark("retracted", "RW", "2022-01-01")]
    assert score("https://doi.org/10.9999/x", marks=marks) == 0.65
    assert (
        score("https://doi.org/10.9999/x", marks=[*marks, Mark("retracted", "RW", "2024-01-01")])
        == 0.0
    )


def test_own_rules_by_host_venue_and_issn() -> None:
    rules = {
        "random-blog.xyz": 0.7,
        "Journal of Us": {"base": 0.8, "category": "Ours"},
        "1234-567X": 0.6,
    }
    assert score("https://www.random-blog.xyz/post", rules=rules) == 0.7
    assert score("https://notrandom-blog.xyz/post", rules=rules) == 0.5
    assert (
        score_source_credibility("https://x.example/", venue="journal of us", rules=rules)[
            "category"
        ]
        == "Ours"
    )
    assert score("https://x.example/", issn="1234567x", rules=rules) == 0.6
    assert score(LANCET, rules={"thelancet.com": 0.9}) == 0.0
    for nonsense in (
        {"x.example": "high"},
        {"x.example": 7},
        {"x.example": True},
        {"": 0.3},
        {"x.example": None},
    ):
        assert score("https://x.example/", rules=nonsense) == 0.50


def test_weights_and_switches() -> None:
    still = Rules(citation_weight=0.0, cross_reference_weight=0.0)
    assert score("https://arxiv.org/abs/2312.12345", 2, 1, rules=still) == 0.50
    assert score(LANCET, rules=Rules(retraction_check=False)) == 0.85
    assert score("https://scirp.org/", rules=Rules(predatory_check=False)) == 0.50
    assert score("https://www.nature.com/articles/x9", rules=Rules(max_score=0.6)) == 0.6


def test_frontiers_is_no_look_alike_of_a_predatory_prefix() -> None:
    assert score("https://doi.org/10.4236/jep.2020.1") == 0.20
    assert score("https://doi.org/10.42360/x") == 0.65
    assert score("https://x.example/", publisher="Scientific Research Publishing") == 0.20
    assert (
        score("https://x.example/", publisher="Scientific Research Publishing House of Cards")
        == 0.50
    )


def test_assess_keeps_score_facets_and_notes() -> None:
    source = make_source(
        "https://doi.org/10.9999/x", "Treatment of patients: a clinical trial", published="2005",
        cited_by_count=50,
        source_type="academic", authors=("A. Nyman",),
    )  # fmt: skip
    assessment = assess(
        source, voices=3, as_of="2026-11-01", rules=Rules(outdated_years={"medicine": 15})
    )
    assert assessment.score == 0.65
    assert set(assessment.eeat) == {"domain_trust", "freshness", "authority", "quality", "overall"}
    assert (
        assessment.detail["outdated"]
        == "May be outdated: published 2005, more than 15 years ago in medicine."
    )
    assert (
        "outdated"
        not in assess(
            source, as_of="2012-01-01", rules=Rules(outdated_years={"medicine": 15})
        ).detail
    )
    other = Source("s", "https://doi.org/10.9999/y", "Songs of birds", published="2005")
    assert (
        "outdated"
        not in assess(
            other, as_of="2026-11-01", rules=Rules(outdated_years={"medicine": 15})
        ).detail
    )


def test_assess_needs_only_a_source_and_survives_odd_ones() -> None:
    odd = Source(
        "s",
        "http://[",
        "\x00",
        published="20x4-99-99",
        cited_by_count=-5,
        venue="",
        issn=";;,",
        doi="10.",
    )
    assert assess(odd, as_of="nonsense").score == 0.50
    assert assess(Source("s", "", ""), as_of="2026-02-31").score == 0.50


def test_a_score_costs_little() -> None:
    score("https://www.nature.com/articles/x9")
    start = time.process_time()
    for number in range(500):
        score(f"https://www.nature.com/articles/x{number}", 5, 3, venue="Nature")
    assert (time.process_time() - start) / 500 < 0.005  # a wide bound; the benchmark holds the bar


def test_importing_the_scorer_reads_no_table_and_no_heavy_package() -> None:
    code = (
        "import sys; import tools.research.credibility_scorer as c;"
        "from tools.credibility import credibility_tables as t;"
        "assert t.tables.cache_info().currsize == 0;"
        "assert not {'lxml', 'requests', 'numpy'} & set(sys.modules), sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
