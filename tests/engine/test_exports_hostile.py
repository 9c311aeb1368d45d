"""Exports of a research whose every text is hostile: readable by the programs they are for, and
harmless."""

import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser

import bibtexparser
import pytest
import rispy
from markdown_it import MarkdownIt

from engine.answers import Exported
from engine.exports import FORMATS, export
from tests.tables import each
from tools.documents.model import Snapshot
from tools.errors import NotFound
from tools.sources.source import Credibility, Source, make_source
from workflows.research.answer.model import AnswerVerdict
from workflows.research.model import Authority, Evidence
from workflows.research.report.model import (
    Citation,
    Disagreement,
    Report,
    ReportSection,
    Sentence,
    Table,
)
from workflows.research.state import ResearchState

TITLES = (
    '<script>alert("x")</script><img src=x onerror=alert(1)>',
    "}, author = {Mallory}, note = {\\input{/etc/passwd}",
    "A title\nER  - \n\nTY  - JOUR\nTI  - Forged",
    "a\u202etxt.exe \x00\x1b[31m red \ud800 “quotes” & 100% of $5 #1 _x_ ~ ^ {braces}",
    '"]; evil -> node; n1 [label="',
    '=HYPERLINK("http://evil.example") ]]> &lt; <![CDATA[',
)
URLS = (
    "javascript:alert(1)",
    'https://ok.example/a b"><script>',
    "https://[broken",
    "http://x.example/\r\nSet-Cookie: a",
)


def sources() -> list[Source]:
    sources = []
    for number, title in enumerate(TITLES, 1):
        source = make_source(
            URLS[number % len(URLS)], title, authors=(title, "Doe, Jane", "Müller"), venue=title
        )
        sources.append(
            replace(
                source,
                source_id=f"id{number}",
                tag=f"S{number}",
                published="2024-05-01",
                source_type="academic",
                credibility=Credibility(0.7, "journal", 0.7),
                doi=f"10.1234/a{number}" if number % 2 else None,
            )
        )
    return sources


@pytest.fixture(scope="module")
def state() -> ResearchState:
    works = sources()
    evidence = tuple(
        Evidence(f"E{i}", s.source_id, "0" * 64, 0, 5, s.title, "Q1", 0.5)
        for i, s in enumerate(works)
    )
    sentences = tuple(
        Sentence(
            f"s{i}",
            "quote",
            s.title,
            citations=(Citation(f"S{i}", s.source_id, f"E{i}"),),
            indicator="●",
        )
        for i, s in enumerate(works)
    )
    report = Report(
        TITLES[0],
        sentences,
        verdict=AnswerVerdict(TITLES[0], 1, 1, sentences),
        tables=(Table(TITLES[0], (TITLES[0],), ((sentences,),)),),
        sections=(ReportSection(TITLES[0], sentences),),
        disagreements=(Disagreement("X1", sentences),),
        open=TITLES,
        notes=TITLES,
    )
    return ResearchState(
        TITLES[0],
        "a_research_20250115_143022",
        status="complete",
        sources=tuple(works),
        evidence=evidence,
        report=report,
        citation_graph={"id1": ("id2", 'unknown"<'), "id2": ("id1",)},
        authority=(Authority("id1", 1, 0.5, 0.9),),
        synthesis="# Written by the pipeline\n",
    )


def text_of(state: ResearchState, name: str) -> str:
    return export(state, name).data.decode("utf-8")


@each("name", [form.name for form in FORMATS if form.name != "pdf"])
def test_every_format_of_an_empty_research_is_written(name: str) -> None:
    file = export(ResearchState("Why?", "why_20250115_143022"), name)
    assert isinstance(file, Exported) and file.file_name.startswith("why_20250115_143022.")


def test_a_format_there_is_not_is_named(state: ResearchState) -> None:
    with pytest.raises(NotFound, match="no format 'exe'; choose one of md, html, pdf"):
        export(state, "exe")


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


def test_the_page_holds_no_script_no_image_and_no_odd_address(state: ResearchState) -> None:
    page = text_of(state, "html")
    seen = Tags()
    seen.feed(page)
    assert not seen.tags & {"script", "img", "iframe", "link", "object", "form", "base", "svg"}
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name == "style"]
    hrefs = [value for name, value in seen.attributes if name == "href" and value]
    assert hrefs and all(re.match(r"#[nr]\d+$|https?://", value) for value in hrefs)
    assert "default-src 'none'" in page.replace("&#x27;", "'")
    assert "\u202e" not in page and "\x00" not in page and "\x1b" not in page


def test_every_citation_of_the_page_leads_to_a_note_with_the_quote(state: ResearchState) -> None:
    page = text_of(state, "html")
    targets = set(re.findall(r'href="#(n\d+)"', page))
    assert targets == set(re.findall(r'<li id="(n\d+)">', page)) and len(targets) == len(TITLES)


def test_bibtex_is_read_back_with_every_title_in_its_own_entry(state: ResearchState) -> None:
    library = bibtexparser.parse_string(text_of(state, "bibtex"))
    assert not library.failed_blocks
    assert len(library.entries) == len(TITLES)
    assert len({entry.key for entry in library.entries}) == len(TITLES)
    assert all("note" not in entry.fields_dict for entry in library.entries)
    assert all("\\input" not in entry["title"] for entry in library.entries)


def test_ris_is_read_back_with_every_title_in_its_own_entry(state: ResearchState) -> None:
    entries = rispy.loads(text_of(state, "ris"))
    assert len(entries) == len(TITLES)
    assert all(entry["title"] != "Forged" for entry in entries)
    assert entries[0]["authors"][1:] == ["Doe, Jane", "Müller"]


def test_csl_is_json_with_one_item_per_source(state: ResearchState) -> None:
    items = json.loads(text_of(state, "csl"))
    assert [item["id"] for item in items] == [f"S{i}" for i in range(1, len(TITLES) + 1)]
    assert items[0]["issued"] == {"date-parts": [[2024, 5, 1]]}
    assert items[0]["DOI"] == "10.1234/a1"


def test_graphml_is_well_formed_and_keeps_the_edges(state: ResearchState) -> None:
    root = ElementTree.fromstring(text_of(state, "graphml"))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert len(root.findall(f".//{space}edge")) == 3


def test_dot_keeps_every_hostile_title_inside_its_quotes(state: ResearchState) -> None:
    text = text_of(state, "dot")
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    assert "evil" not in outside and outside.count("->") == 3


def test_markdown_ends_with_the_sources_and_no_html(state: ResearchState) -> None:
    text = text_of(state, "md")
    assert text.startswith("# Written by the pipeline")
    # Rendered by a reader that lets HTML through
    page = Tags()
    page.feed(MarkdownIt("commonmark", {"html": True}).render(text))
    assert page.tags <= {"h1", "h2", "ul", "li", "strong", "a", "p", "em"}
    assert all(
        (value or "").startswith("https://") for name, value in page.attributes if name == "href"
    )
    assert "**S1**" in text and "<https://doi.org/10.1234/a1>" in text


def test_a_document_of_the_user_is_named_by_its_file(state: ResearchState) -> None:
    minutes = make_source("file:///minutes/2024-03-01.md", "Minutes", source_type="local", tag="S1")
    for format_name in ("md", "html"):
        text = text_of(replace(state, sources=(minutes,)), format_name)
        assert "Minutes, 2024-03-01.md" in text.replace("\\", "")


def test_the_record_holds_texts_only_on_request_and_null_for_a_lost_one() -> None:
    snapshots = tuple(
        Snapshot(c * 64, "s", "https://a.example/", "text/plain", "t", "x", "full", 3) for c in "ab"
    )
    state = ResearchState("Why?", "why_20250115_143022", snapshots=snapshots)

    def texts(snapshot_id: str) -> str:
        if snapshot_id.startswith("b"):
            raise NotFound("gone")
        return "abc"

    assert "text" not in json.loads(export(state, "json").data)["snapshots"][0]
    record = json.loads(export(state, "json", texts).data)
    assert [snapshot["text"] for snapshot in record["snapshots"]] == ["abc", None]
    assert ResearchState.from_dict(record) == state
