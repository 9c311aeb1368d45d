"""The parsers of the biomedical clients on small answers that hold every oddity the real ones have shown."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.errors import SourceError
from tools.research import europepmc
from tools.research.biomedical import date_of, language, language_code, title_of, written_date
from tools.research.source import Mark, Source

DATA = Path(__file__).resolve().parents[2] / "data" / "sources"
PARSERS: dict[str, Callable[[bytes], list[Source]]] = {"europepmc": europepmc.parse}


def parsed(name: str) -> list[Source]:
    return PARSERS[name.split("_")[0]]((DATA / name).read_bytes())


def test_europe_pmc_gives_all_that_a_work_says() -> None:
    work, bare = parsed("europepmc_search.json")
    assert (work.title, work.url) == ("Sleep & Coffea arabica", "https://doi.org/10.1234/abc.1")
    assert (work.doi, work.pmid, work.pmcid, work.ids) == ("10.1234/abc.1", "111", "PMC222", {"europepmc": "MED/111"})
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
    assert {key: work.fields[key] for key in ("volume", "issue", "pages", "license", "mesh", "keywords")} == {
        "volume": "7", "issue": "2", "pages": "1-9", "license": "cc by", "mesh": ["Caffeine"],
        "keywords": ["Sleep", "Coffee"],
    }  # fmt: skip
    assert (bare.url, bare.fields) == ("https://europepmc.org/article/PPR/PPR9", {"type": "preprint"})
    assert (bare.cited_by_count, bare.abstract, bare.marks, bare.published, bare.authors) == (None, "", (), None, ())


def test_europe_pmc_reference_lists_keep_what_can_be_identified() -> None:
    matched, by_doi = parsed("europepmc_references.json")
    assert (matched.pmid, matched.authors, matched.published) == ("444", ("Doe J", "Roe R"), "2001")
    assert (matched.venue, matched.fields["type"]) == ("Ann Tests", "JOURNAL ARTICLE")
    assert by_doi.doi == "10.1234/abc.7"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "other than JSON"),
        (b"<html>", "other than JSON"),
        (b"[]", "unknown form"),
        (b"{}", "unknown form"),
        (b'{"version": "6.9", "errCode": 400, "errMsg": "Invalid query"}', "did not accept the request .Invalid query"),
    ],
)
def test_europe_pmc_answers_of_another_kind_are_problems(data: bytes, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        europepmc.parse(data)


def test_europe_pmc_finds_nothing() -> None:
    assert europepmc.parse(b'{"hitCount": 0, "resultList": {"result": []}}') == []
    assert europepmc.parse(b'{"hitCount": 0, "request": {}}') == []
    odd = b'{"resultList": {"result": [1, null, {"id": [], "source": {}}, {"doi": 5}, {"doi": "10.1/x"}]}}'
    assert [source.doi for source in europepmc.parse(odd)] == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1998 Feb 28", "1998-02-28"), ("2000 Nov-Dec", "2000-11"), ("2014 Spring", "2014"), ("2018-05", "2018-05"),
        ("1976-1977", "1976"), ("2018-05-17", "2018-05-17"), ("Lancet. 2010 Feb 6;375", "2010-02-06"), ("", None),
        ("2020 Dec;7(3):1", "2020-12"), ("no year", None), (2021, "2021"), ("1998 Dec 28-1999 Jan 3", "1998-12"),
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
    assert [language_code(code) for code in ("en", "de", "fr-CA", "xx")] == ["eng", "ger", "fre", "xx"]
    assert title_of("Sleep in <i>E. coli</i>.") == "Sleep in E. coli"
    assert title_of("Health in the U.S.") == "Health in the U.S."
    assert title_of("Why not?") == "Why not?"
