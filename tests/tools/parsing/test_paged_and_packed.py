"""PDF, DOCX and EPUB: structure, metadata, and every way in which they are broken or hostile."""

from collections.abc import Callable

import pytest

from tests.tables import each
from tests.tools.parsing.making import CORE, Placed, docx, epub, lines, packed, paragraph, pdf
from tools.documents.model import Extracted, Request
from tools.documents.parsers.formats import parse
from tools.errors import ParseError

FIRST = [
    "The quick brown fox jumps over the lazy dog near the river bank and it runs",
    "far away through the state-of-the-art forest until it reaches the moun-",
    "tain where nobody lives. Then it rests for a while and sleeps in the night",
    "and dreams.",
]
SECOND = [
    "Another paragraph stands here with many words so that the column is full",
    "of them, and ends on the next line.",
]
CUT = [
    "We looked at foxes for years in a state-of-the-art way, which nobody has done",
    "before, and counted them while they",
]
PAPER = [
    [
        (72, 740, 9, "Running head 1"),
        (72, 700, 18, "A Study of Foxes"),
        *lines(72, 660, FIRST),
        *lines(72, 590, SECOND),
        (72, 550, -14, "2 Methods"),
        *lines(72, 530, CUT),
        (300, 40, 9, "1"),
    ],
    [
        (72, 740, 9, "Running head 2"),
        *lines(
            72, 700, ["slept in the sun on the second page of this fine document, which is long."]
        ),
        (72, 660, -14, "References"),
        *lines(72, 640, ["[1] A. Fox. On foxes. 2001.", "[2] B. Wolf. On wolves. 2002."]),
        (300, 40, 9, "2"),
    ],
    [(72, 740, 9, "Running head 3"), *lines(72, 700, ["Last page text."]), (300, 40, 9, "3")],
]


def read(data: bytes, name: str = "") -> Extracted:
    return parse(Request(data, name))


# ---------------------------------------------------------------- PDF


def test_lines_of_a_pdf_become_paragraphs_across_hyphens_and_pages() -> None:
    paragraphs = read(pdf(PAPER)).text.split("\n\n")
    assert paragraphs[1].startswith("The quick brown fox") and paragraphs[1].endswith(
        "sleeps in the night and dreams."
    )
    assert "reaches the mountain where" in paragraphs[1]
    assert paragraphs[2] == " ".join(SECOND)
    assert "while they slept in the sun" in paragraphs[4]
    assert paragraphs[-1] == "Last page text."


def test_running_heads_and_page_numbers_disappear() -> None:
    text = read(pdf(PAPER)).text
    assert "Running head" not in text
    assert not any(line.strip() in ("1", "2", "3") for line in text.split("\n"))


def test_pages_say_where_they_begin() -> None:
    extracted = read(pdf(PAPER))
    starts = [extracted.text[page.start :][:5] for page in extracted.pages]
    assert [page.page for page in extracted.pages] == [1, 2, 3]
    assert starts == ["A Stu", "slept", "Last "]


def test_headings_come_from_size_weight_and_usual_names() -> None:
    sections = read(pdf(PAPER)).sections
    assert [(s.title, s.kind) for s in sections] == [
        ("A Study of Foxes", "body"), ("2 Methods", "body"), ("References", "references")
    ]  # fmt: skip


def test_the_outline_of_a_pdf_wins_over_its_layout() -> None:
    data = pdf(PAPER, outline=[("A Study of Foxes", 1), ("Methods", 1), ("References", 2)])
    assert [(s.title, s.level) for s in read(data).sections] == [
        ("A Study of Foxes", 1), ("2 Methods", 1), ("References", 1)
    ]  # fmt: skip


def test_a_pdf_says_its_title_authors_and_doi() -> None:
    info = "/Title (A study of foxes) /Author (Ann Lee, Bo Chen) /CreationDate (D:20240102)"
    pages = [[*PAPER[0], (72, 100, 10, "https://doi.org/10.1234/FOX.7")]]
    metadata = read(pdf(pages, info)).metadata
    assert metadata == {
        "title": "A study of foxes", "title_from": "metadata", "authors": ["Ann Lee", "Bo Chen"],
        "doi": "10.1234/fox.7", "created": "2024-01-02", "published": "2024-01-02",
        "published_from": "created",
    }  # fmt: skip


@each("title", ["", "Microsoft Word - a.doc", "untitled", "paper-final_2.tex", "x"])
def test_a_meaningless_title_is_replaced_by_the_largest_line(title: str) -> None:
    assert read(pdf(PAPER, f"/Title ({title})")).title == "A Study of Foxes"


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [f"left column line {n} with enough words" for n in range(8)]
    right = [f"right column line {n} with enough words" for n in range(8)]
    text = read(pdf([[*lines(72, 700, left), *lines(330, 700, right)]])).text
    assert text.index("left column line 7") < text.index("right column line 0")


def test_rows_of_numbers_stay_rows() -> None:
    rows = ["1990 10.5 20.1 30", "1991 11.5 21.1 31", "1992 12.5 22.1 32"]
    assert (
        "\n".join(rows)
        in read(
            pdf([[(72, 720, 10, "Some words before the table stand here."), *lines(72, 700, rows)]])
        ).text
    )


def scans(pages: int, *others: list[Placed]) -> bytes:
    """A PDF of pages that are images, then of pages of text."""
    filler = "X" * 90
    text = f"BT /F 10 Tf 0 0 Td ({filler}) Tj ET".encode()
    image = b"q 612 0 0 792 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q".ljust(len(text))
    return pdf([*[[(0, 0, 10, filler)]] * pages, *others]).replace(text, image)


def test_pages_of_a_scan_among_others_are_named() -> None:
    page = lines(72, 700, ["This page has words that can be read by everybody who looks at it."])
    (left_out,) = read(scans(2, page), "a.pdf").metadata["unread"]  # type: ignore[misc,attr-defined]
    assert "Pages 1, 2 are images" in left_out


@each(
    ("data", "reason"),
    [
        (pdf([[]]), "no text layer; its page is empty"),
        (scans(12), "no text layer; 12 pages are images: run text recognition"),
        (scans(1), "no text layer; 1 page is an image"),
        (pdf([[], []]), "its 2 pages"),
        (b"%PDF-1.7\n" + b"1 0 obj <<" * 5000, "damaged"),
        (pdf(PAPER)[:400], "damaged"),
        (b"%PDF-1.4", "damaged"),
    ],
)
def test_a_pdf_that_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        read(data, "a.pdf")


def test_a_pdf_cut_off_anywhere_is_read_or_refused() -> None:
    data = pdf(PAPER, outline=[("A Study of Foxes", 1)])
    for length in range(10, len(data), max(1, len(data) // 40)):
        try:
            assert read(data[:length]).text
        except ParseError as exc:
            assert str(exc).endswith(".")


# ---------------------------------------------------------------- DOCX

BODY = (
    paragraph("Wind", "Title")
    + paragraph("1. Growth", "Heading1")
    + paragraph("It grew &amp; grew.")
    + "<w:tbl><w:tr><w:tc>"
    + paragraph("Country")
    + "</w:tc><w:tc>"
    + paragraph("GW")
    + "</w:tc></w:tr></w:tbl>"
)


def test_a_word_document_has_headings_tables_and_metadata() -> None:
    extracted = read(docx(BODY, core=CORE))
    assert "It grew & grew." in extracted.text
    assert "Country | GW" in extracted.text
    assert "1. Growth" in [section.title for section in extracted.sections]
    assert extracted.metadata == {
        "title": "Wind", "title_from": "metadata", "authors": ["Ada Lee", "Bo Chen"],
        "created": "2024-05-01", "published": "2024-05-01", "published_from": "created",
    }  # fmt: skip


def test_a_word_document_cut_off_in_its_markup_gives_what_is_there() -> None:
    whole = docx(BODY)
    document = (
        '<w:document xmlns:w="x"><w:body>'
        + paragraph("Still here, sir.")
        + "<w:p><w:r><w:t>and cut"
    )
    broken = packed({"[Content_Types].xml": "<Types/>", "word/document.xml": document})
    assert "Still here, sir." in read(broken).text
    with pytest.raises(ParseError, match="damaged"):
        read(whole[: len(whole) // 2], "a.docx")


def test_a_strict_document_is_read_by_its_local_names() -> None:
    document = (
        '<x:document xmlns:x="urn:other"><x:body>'
        + paragraph("Strict words.").replace("w:", "x:")
        + "</x:body></x:document>"
    )
    data = packed({"[Content_Types].xml": "<Types/>", "word/document.xml": document})
    assert read(data).text == "Strict words."


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@each(
    ("data", "reason"),
    [
        (docx(""), "no text"),
        (
            packed({"[Content_Types].xml": "", "word/document.xml": ENTITIES + "<a>&b;</a>"}),
            "entities",
        ),
        (
            packed(
                {
                    "[Content_Types].xml": "",
                    "word/document.xml": (ENTITIES + "<a/>").encode("utf-16"),
                }
            ),
            "entities",
        ),
        (
            lambda: packed({"[Content_Types].xml": "", "word/document.xml": b" " * 80_000_000}),
            "beyond the limits",
        ),
        (packed({"[Content_Types].xml": "", "word/other.xml": "<a/>"}), "missing"),
        (packed({"[Content_Types].xml": "", "word/document.xml": ""}), "cannot be read|empty"),
        (
            lambda: packed({f"word/{n}": "" for n in range(10_001)} | {"[Content_Types].xml": ""}),
            "limit is 10,000",
        ),
    ],
)
def test_a_bad_word_document_says_why(data: bytes | Callable[[], bytes], reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        read(data() if callable(data) else data, "a.docx")


# ---------------------------------------------------------------- EPUB

CHAPTERS = {"one.xhtml": "<h1>One</h1><p>First words.</p>", "two%20b.xhtml": "<p>Second words.</p>"}
NCX = (
    "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap><navPoint><navLabel><text>Chapter "
    "the second</text>"
    "</navLabel><content src='two%20b.xhtml#x'/></navPoint></navMap></ncx>"
)


def book(**more: str) -> bytes:
    metadata = "<dc:title>Foxes</dc:title><dc:creator>Ada Lee</dc:creator>"
    metadata += "<dc:language>en-US</dc:language><dc:date>1999</dc:date>"
    files = {
        "OPS/two b.xhtml": "<html><body><p>Second words.</p></body></html>",
        "OPS/toc.ncx": NCX,
    }
    return epub(CHAPTERS, metadata, files | more)


def test_a_book_is_read_in_the_order_of_its_spine() -> None:
    extracted = read(book())
    assert extracted.text == "One\n\nFirst words.\n\nChapter the second\n\nSecond words."
    assert [section.title for section in extracted.sections] == ["One", "Chapter the second"]
    assert extracted.metadata == {
        "title": "Foxes", "title_from": "metadata", "authors": ["Ada Lee"], "published": "1999",
        "published_from": "metadata", "language": "en",
    }  # fmt: skip


def test_a_chapter_named_a_thousand_times_is_read_once() -> None:
    data = epub({"a.xhtml": "<p>Only once.</p>"})
    assert read(data).text == "Only once."
    manifest = (
        '<manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
    )
    opf = f"<package>{manifest}<spine>" + '<itemref idref="a"/>' * 1000 + "</spine></package>"
    again = packed(
        {
            "META-INF/container.xml": '<container><rootfile full-path="b.opf"/></container>',
            "b.opf": opf,
            "a.xhtml": "<html><body><p>Only once.</p></body></html>",
        }
    )
    assert read(again).text == "Only once."


LOCKED = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><e:EncryptedData '
    'xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:CipherData><e:CipherReference '
    'URI="OPS/one.xhtml"/>'
    "</e:CipherData></e:EncryptedData></encryption>"
)


@each(
    ("data", "reason"),
    [
        (epub({}), "no text"),
        (epub({"a.xhtml": "<p></p>"}), "no text"),
        (book(**{"META-INF/encryption.xml": LOCKED}), "DRM"),
        (epub({"../../etc/passwd": ""}), "no text"),
        (packed({"META-INF/container.xml": "<container/>"}), "which documents"),
        (packed({"META-INF/container.xml": ENTITIES + "<container/>"}), "entities"),
        (
            packed({"META-INF/container.xml": "<x/>", "a.opf": "not markup"}),
            "a part of it is empty",
        ),
        (book()[:300], "damaged"),
    ],
)
def test_a_bad_book_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        read(data, "a.epub")
