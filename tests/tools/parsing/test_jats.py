"""JATS full texts: sections, tables and lists as text; references with their identifiers; nothing
from elsewhere."""

import re
from pathlib import Path

import pytest

from tools.documents.detect import HTML, JATS, XML, detect, family
from tools.documents.model import Extracted, Request
from tools.documents.parse_pool import ParsePool
from tools.documents.parsers.formats import parse
from tools.documents.parsers.scholarly.jats_front import key_of
from tools.errors import ParseError

DATA = Path(__file__).resolve().parents[2] / "data" / "sources" / "pmc_articles.xml"
TEXT = """Coffee & sleep: a trial

Abstract

Background

We asked whether coffee, at α, delays sleep.

Main text

Many people drink coffee at night [2].

1. Methods

People

We asked 20 people.

- Ten slept.
- Ten did not.

Table 1. Who slept.

Group | Hours
Coffee | 5.1

Results

Sleep was shorter.

Fig. 1. Hours of sleep.

Acknowledgements

We thank the people.

References

Roe R. Earlier work. Ann Tests. 2001. 3. 10.1234/REF.1. 903
Poe P. A preprint. arXiv, 2024.
A Book. 1999. 0"""


def read(data: bytes, media_type: str = "application/xml") -> Extracted:
    return parse(Request(data, "fullTextXML", media_type))


def test_an_article_becomes_text_with_its_sections() -> None:
    extracted = read(DATA.read_bytes())
    assert extracted.text == TEXT
    assert [(section.title, section.level, section.kind) for section in extracted.sections] == [
        ("Coffee & sleep: a trial", 1, "body"), ("Abstract", 2, "body"), ("Background", 3, "body"),
        ("Main text", 2, "body"), ("1. Methods", 2, "body"), ("People", 3, "body"),
        ("Results", 2, "body"),
        ("Acknowledgements", 2, "front_matter"), ("References", 2, "references"),
    ]  # fmt: skip
    assert extracted.metadata == {
        "title": "Coffee & sleep: a trial", "authors": ["Jane Doe", "The Group"],
        "published": "2021-09-13", "language": "en", "doi": "10.1234/abc.1", "pmid": "111",
        "pmcid": "PMC222", "site": "Annals of Tests", "title_from": "metadata",
        "published_from": "metadata",
    }  # fmt: skip


def test_references_keep_their_identifiers() -> None:
    journal, preprint, book = read(DATA.read_bytes()).references
    assert (journal.title, journal.url, key_of(journal)) == (
        "Earlier work", "https://doi.org/10.1234/ref.1", "doi:10.1234/ref.1",
    )  # fmt: skip
    assert (journal.fields["pmid"], journal.fields["authors"], journal.fields["published"]) == (
        "903",
        ("R Roe",),
        "2001",
    )
    assert (preprint.title, key_of(preprint)) == ("A preprint", "arxiv:2401.00001")
    assert (book.title, key_of(book)) == ("A Book", ""), "PubMed id 0 is none"


def test_the_bounded_readers_hand_references_on() -> None:
    pool = ParsePool(workers=1)
    try:
        extracted = pool.parse(DATA.read_bytes(), name="fullTextXML", media_type="application/xml")
    finally:
        pool.close()
    assert extracted == read(DATA.read_bytes())


def test_an_article_without_body_says_so() -> None:
    bare = (
        b"<article><front><article-meta><abstract><p>Only "
        b"this.</p></abstract></article-meta></front></article>"
    )
    extracted = read(bare)
    assert extracted.text == "Abstract\n\nOnly this." and extracted.metadata["full_text"] is False


def test_jats_is_told_from_other_markup() -> None:
    data = DATA.read_bytes()
    assert detect(data, "x", "text/html") == JATS and family(data) == "xml"
    assert detect(b"<article><h1>News</h1><p>Text.</p></article>", "x.html") == HTML
    assert detect(b"<?xml version='1.0'?><article><title>A DocBook</title></article>") == XML


@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/passwd">]><article><front><article-meta/></front>&x;</article>',
        b"<pmc-articleset><article-meta/><Reply error='not available'/></pmc-articleset>",
        b"<article><front><article-meta></article-meta></front><body></body></article>",
    ],
)
def test_hostile_and_empty_articles_are_refused(data: bytes) -> None:
    with pytest.raises(ParseError):
        read(data)


def test_deep_nesting_ends_in_a_sentence_or_a_text() -> None:
    depth = 5000
    data = b"<article><front><article-meta/></front><body>" + b"<sec><p>x" * depth
    try:
        assert "x" in read(data).text
    except ParseError as error:
        assert "damaged" in str(error)


# file -> characters of text at least, references, with DOI, with PubMed id, titles of some sections
RECORDED = {
    "europepmc_fulltext_PMC8118396.xml": (
        5_700,
        8,
        0,
        0,
        ("Abstract", "Disclosure statement", "References"),
    ),
    "europepmc_fulltext_PMC8164761.xml": (
        26_000,
        22,
        22,
        4,
        ("Results and discussion", "Methods", "References"),
    ),
    "jats_1471-2180-11-174.xml": (
        53_000,
        64,
        50,
        56,
        ("Background", "Discussion", "Appendix A", "References"),
    ),
    "jats_1472-6831-8-11.xml": (
        33_000,
        31,
        17,
        25,
        ("Study sample and procedure", "Conclusion", "References"),
    ),
    "jats_6605965a.xml": (24_000, 34, 0, 31, ("Materials and Methods", "Discussion", "References")),
}


@pytest.mark.shared
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_full_texts_keep_sections_and_references(shared: Path, name: str) -> None:
    extracted = read((shared / "recorded" / "pmc" / name).read_bytes())
    shortest, count, dois, pmids, titles = RECORDED[name]
    assert len(extracted.text) >= shortest and not re.search(r"</?\w+>|&\w+;", extracted.text)
    cited = extracted.references
    assert len(cited) == count
    assert sum("doi" in entry.fields for entry in cited) == dois
    assert sum("pmid" in entry.fields for entry in cited) == pmids
    assert set(titles) <= {section.title for section in extracted.sections}
    (listed,) = [section for section in extracted.sections if section.title == "References"]
    assert (
        listed.kind == "references"
        and extracted.text[listed.start : listed.end].count("\n") == count - 1
    )
