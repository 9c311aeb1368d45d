"""The parsers of the biomedical clients on small answers that hold every oddity the real ones have
shown."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tables import each
from tools.errors import SourceError
from tools.sources.biomedical import biorxiv, europepmc, eutils, pmc, pubmed
from tools.sources.biomedical.common import (
    date_of,
    language,
    language_code,
    title_of,
    unglued,
    written_date,
)
from tools.sources.source import Mark, Source

DATA = Path(__file__).resolve().parents[2] / "data" / "sources"
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {
    "europepmc": europepmc.parse,
    "pubmed": pubmed.parse,
    "pmc": pmc.parse,
}


def parsed(name: str) -> list[Source]:
    return PARSERS[name.split("_")[0]]((DATA / name).read_bytes())


def test_europe_pmc_gives_all_that_a_work_says() -> None:
    work, bare = parsed("europepmc_search.json")
    assert (work.title, work.url) == ("Sleep & Coffea arabica", "https://doi.org/10.1234/abc.1")
    assert (work.doi, work.pmid, work.pmcid, work.ids) == (
        "10.1234/abc.1",
        "111",
        "PMC222",
        {"europepmc": "MED/111"},
    )
    assert work.authors == ("Jane Doe", "Ray Roe", "The Group")
    assert (work.published, work.venue, work.issn) == ("2020-10-05", "Annals of Tests", "0003-987X")
    assert (work.language, work.cited_by_count) == ("de", 0)
    assert work.abstract == "Background\nWe asked.\nResults\nWe found p<0.05 in CO2."
    assert work.fulltext_url == "https://open.example/x.pdf", "neither the closed PDF nor the page"
    assert work.marks == (
        Mark("retracted", "Europe PMC", "2021-02-06", notice="10.1234/abc.9"),
        Mark("correction", "Europe PMC", "2020-12", notice="pmid:334"),
    )
    assert work.fields["author_ids"] == ["orcid:0000-0001-0000-0001", "", ""]
    assert {key: work.fields[key] for key in ("volume", "issue", "pages", "license", "mesh",
        "keywords")} == {
        "volume": "7", "issue": "2", "pages": "1-9", "license": "cc by", "mesh": ["Caffeine"],
        "keywords": ["Sleep", "Coffee"],
    }  # fmt: skip
    assert (bare.url, bare.fields) == (
        "https://europepmc.org/article/PPR/PPR9",
        {"type": "preprint"},
    )
    assert (bare.cited_by_count, bare.abstract, bare.marks, bare.published, bare.authors) == (
        None,
        "",
        (),
        None,
        (),
    )


def test_europe_pmc_reference_lists_keep_what_can_be_identified() -> None:
    matched, by_doi = parsed("europepmc_references.json")
    assert (matched.pmid, matched.authors, matched.published) == ("444", ("Doe J", "Roe R"), "2001")
    assert (matched.venue, matched.fields["type"]) == ("Ann Tests", "JOURNAL ARTICLE")
    assert by_doi.doi == "10.1234/abc.7"


@each(
    ("data", "says"),
    [
        (b"", "other than JSON"),
        (b"<html>", "other than JSON"),
        (b"[]", "unknown form"),
        (b"{}", "unknown form"),
        (
            b'{"version": "6.9", "errCode": 400, "errMsg": "Invalid query"}',
            "did not accept the request .Invalid query",
        ),
    ],
)
def test_europe_pmc_answers_of_another_kind_are_problems(data: bytes, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        europepmc.parse(data)


def test_europe_pmc_finds_nothing() -> None:
    assert europepmc.parse(b'{"hitCount": 0, "resultList": {"result": []}}') == []
    assert europepmc.parse(b'{"hitCount": 0, "request": {}}') == []
    odd = (
        b'{"resultList": {"result": [1, null, {"id": [], "source": {}}, {"doi": 5}, {"doi": '
        b'"10.1/x"}]}}'
    )
    with pytest.raises(SourceError, match="records in an unknown form"):
        europepmc.parse(odd)
    assert (
        europepmc.parse(b'{"referenceList": {"reference": [{"title": "Known by its wording"}]}}')
        == []
    )


@each(
    ("text", "date"),
    [
        ("1998 Feb 28", "1998-02-28"), ("2000 Nov-Dec", "2000-11"), ("2014 Spring", "2014"),
        ("2018-05", "2018-05"),
        ("1976-1977", "1976"), ("2018-05-17", "2018-05-17"),
        ("Lancet. 2010 Feb 6;375", "2010-02-06"), ("", None),
        ("2020 Dec;7(3):1", "2020-12"), ("no year", None), (2021, "2021"),
        ("1998 Dec 28-1999 Jan 3", "1998-12"),
    ],
)  # fmt: skip
def test_dates_in_words_are_as_exact_as_they_are(text: object, date: str | None) -> None:
    assert written_date(text) == date


def test_dates_languages_and_titles_as_these_indexes_write_them() -> None:
    assert (date_of("1976", "Sep", "28"), date_of("2018", "05", None)) == ("1976-09-28", "2018-05")
    assert (date_of("2018", "Winter", ""), date_of(None, "5", "1")) == ("2018", None)
    assert [language(code) for code in ("eng", "ger", "deu", "en", "und", "", None)] == [
        "en", "de", "de", "en", None, None, None,
    ]  # fmt: skip
    assert [language_code(code) for code in ("en", "de", "fr-CA", "xx")] == [
        "eng",
        "ger",
        "fre",
        "xx",
    ]
    assert title_of("Sleep in <i>E. coli</i>.") == "Sleep in E. coli"
    assert title_of("Health in the U.S.") == "Health in the U.S."
    assert title_of("Why not?") == "Why not?"


def test_pubmed_gives_all_that_a_record_says() -> None:
    work, bare, chapter = parsed("pubmed_efetch.xml")
    assert (work.title, work.url) == (
        "Coffee, CO2 and Homo sapiens",
        "https://doi.org/10.1234/abc.1",
    )
    assert (work.doi, work.pmid, work.pmcid) == ("10.1234/abc.1", "111", "PMC222")
    assert work.authors == ("John Pierce Wise Sr", "R Roe", "The Test Group")
    assert (work.published, work.fields["issue_date"]) == ("2020-10-05", "2020-11")
    assert (work.venue, work.issn, work.language) == ("Annals of tests & trials", "1939-1544", "de")
    assert work.abstract == "BACKGROUND\nWe asked whether p < 0.05.\nIt was."
    assert work.references == ("doi:10.1234/ref.1", "pmcid:pmc77", "pmid:901")
    assert work.cited_by_count is None, "PubMed does not count"
    assert work.marks == (
        Mark("retracted", "PubMed", "2021-02-06", notice="10.1234/notice.1"),
        Mark("concern", "PubMed", "2021"),
    )  # fmt: skip
    assert work.fields["author_ids"] == ["orcid:0000-0002-3879-6054", "", ""]
    assert {name: work.fields[name] for name in ("volume", "issue", "pages", "mesh", "keywords",
        "original_title")} == {
        "volume": "66", "issue": "2", "pages": "170-82", "mesh": ["Caffeine"],
        "keywords": ["sleep"], "original_title": "Kaffee.",
    }  # fmt: skip
    assert (bare.title, bare.published, bare.fields) == ("", "1990", {"season": "Spring"})
    assert (bare.url, bare.authors, bare.abstract) == (
        "https://pubmed.ncbi.nlm.nih.gov/112/",
        (),
        "",
    )
    assert (chapter.title, chapter.venue, chapter.publisher, chapter.published) == (
        "A Chapter", "The Book", "The House", "2009",
    )  # fmt: skip


@each(
    ("data", "says"),
    [
        (b'{"error": "API rate limit exceeded", "count": "11"}', "rate limited"),
        (
            b'{"esearchresult": {"ERROR": "Search Backend failed:\n too much"}}',
            "Search Backend failed: too much",
        ),
        (b"<eFetchResult><ERROR>ID list is empty!</ERROR></eFetchResult>", "ID list is empty"),
        (b"<?xml version='1.0'?><ERROR>unknown db</ERROR>", "unknown db"),
        (b"ID list is empty! Possibly it has no correct IDs.", "other than JSON"),
        (b"<html><head><title>Error 414</title></head></html>", "answered with a page .Error 414"),
        (b"<PubmedArticleSet><PubmedArt", "broken XML"),
        (b"<feed/>", "unknown form"),
        (b"[]", "unknown form"),
        (b"{}", "unknown form"),
        (b"", "other than JSON"),
        (
            b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><PubmedArticleSet>&x;</PubmedArticleSet>',
            "entities",
        ),
    ],
)
@each("read", [pubmed.parse, eutils.ids])
def test_errors_of_ncbi_inside_status_200_are_problems(
    read: Callable[[bytes], object], data: bytes, says: str
) -> None:
    with pytest.raises(SourceError, match=says):
        read(data)


def test_pubmed_finds_nothing() -> None:
    assert pubmed.parse(b"<?xml version='1.0'?><PubmedArticleSet></PubmedArticleSet>") == []
    assert (
        pubmed.parse(
            b'{"result": {"uids": ["5"], "5": {"uid": "5", "error": "cannot get document '
            b'summary"}}}'
        )
        == []
    )
    assert eutils.ids(b'{"esearchresult": {"count": "0", "idlist": []}}') == []
    assert (
        eutils.ids(b"<eLinkResult><LinkSet><DbFrom>pubmed</DbFrom></LinkSet></eLinkResult>") == []
    )
    links = (
        b'{"linksets": [{"linksetdbs": [{"linkname": "pubmed_pubmed_refs", "links": ["7", 8, '
        b'"7"]}]}]}'
    )
    assert eutils.ids(links) == ["7", "8"]


def test_pmc_gives_all_that_an_article_says_about_itself() -> None:
    work, bare = parsed("pmc_articles.xml")
    assert (work.title, work.url) == ("Coffee & sleep: a trial", "https://doi.org/10.1234/abc.1")
    assert (work.doi, work.pmid, work.pmcid) == ("10.1234/abc.1", "111", "PMC222")
    assert (work.authors, work.published) == (("Jane Doe", "The Group"), "2021-09-13")
    assert (work.venue, work.issn, work.publisher, work.language) == (
        "Annals of Tests", "2312-0541", "The Society", "en",
    )  # fmt: skip
    assert work.abstract == "Background\nWe asked whether coffee, at α, delays sleep."
    assert work.references == ("doi:10.1234/ref.1", "arxiv:2401.00001")
    assert {name: work.fields[name] for name in ("volume", "pages", "license", "keywords",
        "affiliations")} == {
        "volume": "7", "pages": "1-9", "license": "https://creativecommons.org/licenses/by/4.0/",
        "keywords": ["sleep"], "affiliations": ["A University, Town"],
    }  # fmt: skip
    assert (bare.url, bare.pmcid) == ("https://pmc.ncbi.nlm.nih.gov/articles/PMC333/", "PMC333")
    assert (bare.marks, bare.published, bare.authors) == ((Mark("retracted", "PMC"),), None, ())


def test_pmc_says_what_went_wrong() -> None:
    with pytest.raises(SourceError, match="unknown form"):
        pmc.parse(b"<PubmedArticleSet/>")
    with pytest.raises(SourceError, match="mismatch for 'x'"):
        pmc.parse_ids(b'{"status": "error", "message": "ID%20type%20mismatch%20for%20%27x%27"}')
    with pytest.raises(SourceError, match="unknown form"):
        pmc.parse_ids(b"{}")
    assert (
        pmc.parse(b"<pmc-articleset><Reply id='1' error='not available'/></pmc-articleset>") == []
    )
    records = b'{"records": [{"pmcid": "PMC1", "pmid": 2, "doi": "10.1/x"}, {"status": "error"}]}'
    assert pmc.parse_ids(records) == [{"pmcid": "PMC1", "pmid": "2", "doi": "10.1/x"}]


def test_preprints_are_one_work_with_all_their_versions() -> None:
    (work,) = biorxiv.parse((DATA / "biorxiv_details.json").read_bytes())
    assert (work.title, work.doi, work.published) == (
        "WITHDRAWN: Coffee",
        "10.1101/2020.01.01.111111",
        "2020-01-02",
    )
    assert work.authors == ("K. M. van Wright", "Consortium", "A. Oe")
    assert work.marks == (Mark("withdrawn", "bioRxiv", "2020-03-01"),)
    assert {name: work.fields[name] for name in ("version", "updated", "versions", "keywords",
        "kind")} == {
        "version": 10, "updated": "2020-03-01", "versions": ["10.1234/abc.1"],
        "keywords": ["neuroscience"],
        "kind": "withdrawn",
    }  # fmt: skip
    assert (
        work.fulltext_url
        == "https://www.biorxiv.org/content/early/2020/01/02/2020.01.01.111111.source.xml"
    )
    assert "license" not in work.fields and "funders" not in work.fields, '"NA" and "" say nothing'
    (became,) = biorxiv.parse((DATA / "biorxiv_pubs.json").read_bytes())
    assert (became.doi, became.published, became.fields["versions"]) == (
        "10.1101/2020.01.01.111111", "2020-01-02", ["10.1234/abc.1"],
    )  # fmt: skip
    assert (became.fields["published_in"], became.fields["published_on"]) == (
        "Annals of Tests",
        "2020-06-01",
    )


def test_preprint_servers_find_nothing_or_say_what_went_wrong() -> None:
    assert biorxiv.parse(b'{"messages": [{"status": "no posts found"}], "collection": []}') == []
    assert biorxiv.parse(b'{"messages": [], "collection": [{"doi": "NA", "title": "x"}, 5]}') == []
    for data, says in ((b'{"messages": [{"status": "error: bad date"}], "collection": []}',
        "bad date"),
                       (b"{}", "unknown form"), (b"[]", "unknown form"),
                       (b"<html>", "other than JSON")):  # fmt: skip
        with pytest.raises(SourceError, match=says):
            biorxiv.parse(data)


def test_a_drug_withdrawn_is_not_a_paper_withdrawn() -> None:
    row = (
        '{"doi": "10.1101/1", "title": "T", "abstract": "%s", "server": "medRxiv", "version": "1"}'
    )
    for text, marked in (("The drug was withdrawn from the market.", False), ("NA", False),
                         ("This manuscript has been withdrawn by the authors.", True),
                         ("The authors have withdrawn their manuscript.", True)):  # fmt: skip
        (work,) = biorxiv.parse(('{"collection": [' + row.replace("%s", text) + "]}").encode())
        assert bool(work.marks) == marked and work.abstract == ("" if text == "NA" else text)


@each(
    ("glued", "lines"),
    [
        ("BackgroundSleep. MethodsWe saw. Results102 slept.", "Background|Sleep.|Methods|We "
                                                              "saw.|Results|102 slept."),
        ("OBJECTIVETo test. RESULTSA total of 3.", "OBJECTIVE|To test.|RESULTS|A total of 3."),
        ("Genes matter.\nAuthor SummaryCul4 is one.", "Genes matter.|Author Summary|Cul4 is one."),
        ("It works (now). Conclusions and RelevanceIt does.", "It works (now).|Conclusions and "
                                                              "Relevance|It does."),
        ("MethodsX is a journal. The ResultsWe saw.", "MethodsX is a journal. The ResultsWe saw."),
        ("Fine. O_LIOne.C_LIO_LITwo.C_LI O_ST_ABSWhyC_ST_ABSAn O_SCPLOWLC_SCPLOW.",
            "Fine.|One.|Two.|Why|An L."),
        ("See. O_FIG O_LINKSMALLFIG W=2\nView larger version (2K):\norg.x@1 M_FIG C_FIG ET, t",
            "See.|ET, t"),
        ("Background: Sleep. Methods: x. Results\nGood.", "Background: Sleep. Methods: x. "
                                                          "Results|Good."),
        ("", ""),
    ],
)  # fmt: skip
def test_headings_glued_to_the_text_of_an_abstract_stand_alone(glued: str, lines: str) -> None:
    assert unglued(glued) == lines.replace("|", "\n")
    assert unglued(unglued(glued)) == unglued(glued)
