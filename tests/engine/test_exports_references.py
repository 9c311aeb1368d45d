"""References go into reference managers whole and right: written, and read back with libraries of
others."""

import html
import io
import json
import sys
import zipfile
from dataclasses import replace

import bibtexparser
import pytest
import rispy

from engine.exports import export
from engine.exports.form import line
from engine.exports.names import Name, parsed
from engine.exports.reference import date_parts, kind_of
from tests.tables import each
from tests.ui import fake_research
from tools.documents.model import Snapshot
from tools.errors import ConfigError
from tools.sources.source import Credibility, Mark, Source, make_source
from workflows.research.report.markdown import to_markdown
from workflows.research.state import ResearchState

ARTICLE = make_source(
    "https://doi.org/10.1000/xyz", "Sleep, DNA and mRNA in 50% of mice & men",
    source_type="academic",
    authors=("Jan van der Berg", "Smith JA", "O'Neil, Mary-Anne", "World Sleep Society"),
    published="2021-03-09",
    venue="Journal of Sleep", issn="1234-5679", pmid="999", pmcid="PMC1", language="en",
    publisher="Example Press",
    fields={"type": "journal-article", "volume": "12", "issue": "3", "pages": "101–119"},
)  # fmt: skip
PREPRINT = make_source("https://arxiv.org/abs/2401.00001", "A preprint", source_type="academic",
                       authors=("山田 太郎", "Müller"), published="2024-01")  # fmt: skip
CHAPTER = make_source("https://books.example/1", "A chapter", source_type="academic",
    authors=("Doe, J., Jr.",),
                      venue="The Book",
                      fields={"type": "book-chapter", "isbn": "978-3-16-148410-0"})  # fmt: skip
PAGE = make_source(
    "https://agency.example/page?a=1&b=2",
    "A page",
    authors=("Example Energy Agency",),
    published="2025",
)
NEWS = make_source(
    "https://news.example/x", "News", source_type="newsroom", fields={"outlet": "The Example Times"}
)
RETRACTED = make_source("https://doi.org/10.1000/bad", "Old", source_type="academic", venue="V",
                        marks=(Mark("concern", "Crossref", "2021-05-01"),))  # fmt: skip
ALL = (ARTICLE, PREPRINT, CHAPTER, PAGE, NEWS, RETRACTED)


@pytest.fixture(scope="module")
def state() -> ResearchState:
    sources = tuple(replace(source, tag=f"S{number}") for number, source in enumerate(ALL, 1))
    read = Snapshot(
        "0" * 64, PAGE.source_id, PAGE.url, "text/html", "2026-02-03T04:05:06Z", "x", "full", 3
    )
    return ResearchState(
        "Why?", "why_20260203_040506", as_of="2026-02-03", sources=sources, snapshots=(read,)
    )


def text_of(state: ResearchState, name: str) -> str:
    return export(state, name).data.decode()


@each(("text", "name"), [
    ("Jan van der Berg", Name("Berg", "Jan", "van der")),
    ("Smith JA", Name("Smith", "J. A.")),
    ("de la Cruz, María", Name("Cruz", "María", "de la")),
    ("Martin Luther King, Jr.", Name("King", "Martin Luther", "", "Jr.")),
    ("John Smith III", Name("Smith", "John", "", "III")),
    ("Doe, Jane, PhD", Name("Doe", "Jane")),
    ("山田 太郎", Name("山田", "太郎")),
    ("J. R. R. Tolkien", Name("Tolkien", "J. R. R.")),
    ("World Health Organization", Name("World Health Organization")),
    ("Bank of England", Name("Bank of England")),
    ("The Lancet Planetary Health", Name("The Lancet Planetary Health")),
    ("Müller", Name("Müller")),
    ("C40 Cities", Name("C40 Cities")),
    (",", Name(",")),
])  # fmt: skip
def test_a_name_is_taken_apart_only_where_it_is_surely_a_person(text: str, name: Name) -> None:
    assert parsed(text) == name


@each(("text", "parts"), [
    ("2024", (2024,)), ("2024-05", (2024, 5)), ("2024-05-31T10:00:00Z", (2024, 5, 31)),
    ("2024-13-01", (2024,)),
    ("2024-05-99", (2024, 5)), ("soon", ()), (None, ()),
])  # fmt: skip
def test_a_date_says_no_more_than_is_known(text: str | None, parts: tuple[int, ...]) -> None:
    assert date_parts(text) == parts


def test_kinds_follow_the_index_then_the_category_then_the_identifiers() -> None:
    assert [kind_of(source) for source in ALL] == [
        "article",
        "preprint",
        "chapter",
        "page",
        "news",
        "article",
    ]
    assert (
        kind_of(
            replace(RETRACTED, credibility=Credibility(0.5, "", 0.5, detail={"rule": "preprint"}))
        )
        == "preprint"
    )
    assert kind_of(replace(RETRACTED, fields={"type": "Dissertation"})) == "thesis"
    assert kind_of(replace(RETRACTED, fields={"type": 7})) == "article"
    assert kind_of(Source("x", "local://a", "t", source_type="local")) == "document"


def test_bibtex_read_back_holds_the_whole_reference(state: ResearchState) -> None:
    text = text_of(state, "bibtex")
    library = bibtexparser.parse_string(text)
    assert not library.failed_blocks and len(library.entries) == len(ALL)
    article, preprint, chapter, page = (
        {field.key: field.value for field in entry.fields} for entry in library.entries[:4]
    )
    assert [entry.entry_type for entry in library.entries] == [
        "article",
        "misc",
        "incollection",
        "misc",
        "misc",
        "article",
    ]
    assert (
        article["author"]
        == "van der Berg, Jan and Smith, J. A. and O'Neil, Mary-Anne and {World Sleep Society}"
    )
    assert article["title"] == r"Sleep, {DNA} and {mRNA} in 50\% of mice \& men"
    assert (article["volume"], article["number"], article["pages"]) == ("12", "3", "101--119")
    assert (article["journal"], article["year"], article["doi"]) == (
        "Journal of Sleep",
        "2021",
        "10.1000/xyz",
    )
    assert "month = mar\n" in text and (preprint["eprint"], preprint["archiveprefix"]) == (
        "2401.00001",
        "arXiv",
    )
    assert chapter["booktitle"] == "The Book" and chapter["author"] == "Doe, Jr., J."
    assert page["url"] == "https://agency.example/page?a=1&b=2" and page["urldate"] == "2026-02-03"


def test_the_people_of_bibtex_are_those_that_were_meant(state: ResearchState) -> None:
    from bibtexparser.middlewares import SeparateCoAuthors, SplitNameParts

    library = bibtexparser.parse_string(
        text_of(state, "bibtex"), append_middleware=[SeparateCoAuthors(), SplitNameParts()]
    )
    berg, *_, society = library.entries[0]["author"]
    assert (berg.first, berg.von, berg.last) == (["Jan"], ["van", "der"], ["Berg"])
    assert society.last == ["{World Sleep Society}"] and society.first == []
    assert library.entries[2]["author"][0].jr == ["Jr."]


def test_ris_read_back_holds_the_whole_reference(state: ResearchState) -> None:
    article, preprint, chapter, page, news, retracted = rispy.loads(text_of(state, "ris"))
    assert article["authors"] == [
        "van der Berg, Jan",
        "Smith, J. A.",
        "O'Neil, Mary-Anne",
        "World Sleep Society",
    ]
    assert (article["volume"], article["number"], article["start_page"], article["end_page"]) == (
        "12",
        "3",
        "101",
        "119",
    )
    assert (article["year"], article["date"], article["doi"]) == (
        "2021",
        "2021/03/09",
        "10.1000/xyz",
    )
    assert [record["type_of_reference"] for record in (article, preprint, chapter, page, news)] == \
        ["JOUR", "UNPB", "CHAP", "ELEC", "NEWS"]  # fmt: skip
    assert (
        page["access_date"] == "2026/02/03"
        and news["secondary_title" if "secondary_title" in news else "journal_name"]
    )
    assert "Expression of concern 2021-05-01" in retracted["notes"][0]


def test_csl_is_read_by_a_citation_processor(state: ResearchState) -> None:
    from citeproc.source.json import CiteProcJSON

    items = json.loads(text_of(state, "csl"))
    bibliography = CiteProcJSON(items)
    article = bibliography["s1"]
    assert (
        article.type == "article-journal"
        and "".join(article.volume) == "12"
        and str(article.issued.year) == "2021"
    )
    assert [str(name.family) for name in article.author[:2]] == ["Berg", "Smith"]
    assert items[0]["author"][0] == {
        "family": "Berg",
        "given": "Jan",
        "non-dropping-particle": "van der",
    }
    assert items[0]["author"][3] == {"literal": "World Sleep Society"}
    assert (
        items[3]["accessed"] == {"date-parts": [[2026, 2, 3]]}
        and items[4]["container-title"] == "The Example Times"
    )


@pytest.mark.lab
def test_graphml_is_read_by_a_graph_library() -> None:
    import networkx

    whole = fake_research.finished()
    graph = networkx.read_graphml(io.BytesIO(export(whole, "graphml").data))
    s1, s3 = fake_research.SOURCES["S1"].source_id, fake_research.SOURCES["S3"].source_id
    assert graph.is_directed() and set(graph.nodes) == {
        source.source_id for source in whole.sources
    }
    assert graph.has_edge(s1, s3) and graph.nodes[s3]["credibility"] == 0.95
    assert graph.nodes[s3]["in_degree"] == 4 and graph.nodes[s1]["label"] == "S1"


def test_a_word_processor_finds_title_table_and_a_footnote_with_every_quote() -> None:
    import docx
    from lxml import etree

    whole = fake_research.finished()
    data = export(whole, "docx").data
    assert export(whole, "docx").data == data, "the same report is the same file"
    document = docx.Document(io.BytesIO(data))
    assert (
        document.paragraphs[0].text == whole.original_query
        and document.paragraphs[0].style.name == "Title"
    )
    headings = [p.text for p in document.paragraphs if p.style.name == "Heading 1"]
    assert headings[-4:] == ["Sources", "Your note", "Set aside", "Quality"]
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        notes = "".join(etree.fromstring(file.read("word/footnotes.xml")).itertext())
    cited = (
        {c.evidence_id for s in whole.report.sentences() for c in s.citations}
        if whole.report
        else set()
    )
    for evidence in whole.evidence:
        assert evidence.evidence_id not in cited or evidence.quote in notes
    links = [rel for rel in document.part.rels.values() if rel.is_external]
    assert links and all(rel.target_ref.startswith(("http://", "https://")) for rel in links)


def test_text_from_right_to_left_is_set_so_in_word_and_page() -> None:
    state = replace(
        fake_research.finished(), original_query="هل تخفض البطاريات الأسعار؟", report=None
    )
    with zipfile.ZipFile(io.BytesIO(export(state, "docx").data)) as file:
        assert file.read("word/document.xml").count(b"<w:bidi/>") == 1
    assert '<h1 dir="auto">هل' in text_of(state, "html")


@pytest.mark.lab
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_pdf_holds_the_report_and_loads_nothing() -> None:
    import pypdfium2

    state = fake_research.finished()
    hostile = replace(
        state.sources[0],
        title='<img src="file:///etc/passwd"><link rel=stylesheet href="http://evil.example/a">',
    )
    document = pypdfium2.PdfDocument(
        export(replace(state, sources=(hostile, *state.sources[1:])), "pdf").data
    )
    text = " ".join(page.get_textpage().get_text_range() for page in document)
    assert "Winter remains the hard case" in text and "root:" not in text and "etc/passwd" in text


def test_without_its_library_a_pdf_is_refused_with_the_way_to_print(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(ConfigError, match=r"pip install 'zorora\[pdf\]'.*print it to a PDF"):
        export(fake_research.finished(), "pdf")


@pytest.mark.parametrize("name", ["md", "html", "docx"])
def test_what_people_read_names_what_was_set_aside_and_measured(name: str) -> None:
    import docx

    state = fake_research.finished()
    state = replace(state, synthesis=to_markdown(state))
    data = export(state, name).data
    if name == "docx":
        document = docx.Document(io.BytesIO(data))
        cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
        text = " ".join([*(p.text for p in document.paragraphs), *cells])
    else:
        text = data.decode()
    retracted = next(source for source in state.sources if source.rejected)
    for words in (
        "Set aside", line(retracted.title), line(retracted.rejected),
        "Most authoritative", "S3", "Quality",
    ):  # fmt: skip
        assert words in html.unescape(text), (name, words)
