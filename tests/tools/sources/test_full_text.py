"""Open full texts of works in PMC: where they are looked for, and what reading one gives."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.standin import Reply, Standin
from tests.tools.sources.test_page import Desk
from tools.documents.parse_pool import ParsePool
from tools.http import Http
from tools.net.store import NetStore
from tools.sources.source import make_source
from tools.sources.text_locations import FullTexts

ARTICLE = (
    Path(__file__).resolve().parents[2] / "data" / "sources" / "pmc_articles.xml"
).read_bytes()
OURS = "https://www.ebi.ac.uk/europepmc/webservices/rest/PMC222/fullTextXML"
NCBI = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi?db=pmc&retmode=xml&id=222"


@pytest.fixture(scope="module")
def pool() -> Iterator[ParsePool]:
    pool = ParsePool(workers=1)
    yield pool
    pool.close()


def test_a_work_in_pmc_is_read_there_unless_it_is_open_elsewhere() -> None:
    work = make_source("https://doi.org/10.1234/x", "T", pmcid="PMC222")
    assert FullTexts().addresses(work) == [OURS, NCBI, "https://doi.org/10.1234/x"]
    page = "https://europepmc.org/articles/PMC222?pdf=render"
    assert FullTexts().addresses(make_source("https://doi.org/10.1234/x", "T", pmcid="PMC222",
        fulltext_url=page)) == [
        OURS, NCBI, page, "https://doi.org/10.1234/x",
    ]  # fmt: skip
    elsewhere = make_source(
        "https://doi.org/10.1/x", "T", pmcid="PMC222", fulltext_url="https://open.example/x.pdf"
    )
    assert FullTexts().addresses(elsewhere) == [
        "https://open.example/x.pdf",
        "https://doi.org/10.1/x",
    ]
    preprint = make_source("https://doi.org/10.1/x", "T", pmcid="PMC222", arxiv_id="2401.00001")
    assert FullTexts().addresses(preprint)[0] == "https://arxiv.org/pdf/2401.00001"
    assert FullTexts().addresses(make_source("https://a.example/", "T", pmcid="PMC2/../../x")) == [
        "https://a.example/"
    ]


def test_reading_jats_keeps_sections_and_references(
    http: Http, server: Standin, store: NetStore, pool: ParsePool
) -> None:
    desk = Desk(http, store, pool)
    source = make_source(
        server.on("/PMC222/fullTextXML", Reply(ARTICLE, media_type="application/xml")), "T"
    )
    for run_id, cached in (("run1", False), ("run1", True), ("run2", True)):
        page = desk.reader(run_id).read(source)
        assert page.problem is None and page.snapshot is not None and page.cached == cached
        assert page.references == ("doi:10.1234/ref.1", "arxiv:2401.00001")
        assert (page.title, page.doi, page.published) == (
            "Coffee & sleep: a trial",
            "10.1234/abc.1",
            "2021-09-13",
        )
        assert "Methods" in " ".join(section.title for section in page.snapshot.sections)


def test_an_article_whose_text_is_not_open_is_looked_for_elsewhere(
    http: Http, server: Standin, store: NetStore, pool: ParsePool
) -> None:
    bare = (
        b"<article><front><article-meta><abstract><p>Only "
        b"this.</p></abstract></article-meta></front></article>"
    )
    open_copy = server.on("/bare", Reply(bare, media_type="text/xml"))
    source = make_source(
        server.on("/page", Reply(b"<p>" + b"Long enough. " * 60 + b"</p>")),
        "T",
        fulltext_url=open_copy,
    )
    page = Desk(http, store, pool).reader().read(source)
    assert page.problem is None and page.url.endswith("/page")
    alone = make_source(open_copy, "T")
    page = Desk(http, store, pool).reader().read(alone)
    assert str(page.problem).endswith("only its abstract is open") and page.reason == "paywall"
