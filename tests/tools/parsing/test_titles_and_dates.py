"""What a document is called and when it is from, and how that was found."""

from tests.tables import each
from tests.tools.parsing.making import docx, lines, paragraph, pdf
from tools.documents.model import Extracted, Request
from tools.documents.parsers.authors_and_dates import dates_in, iso_date
from tools.documents.parsers.formats import parse
from tools.documents.parsers.titles_and_dates import readable_name

TEXT = "The members met and spoke about the trees for two hours, and then they went home again."


def read(data: str | bytes, name: str, url: str = "") -> Extracted:
    return parse(Request(data.encode() if isinstance(data, str) else data, name, url=url))


def title_and_date(data: str | bytes, name: str) -> tuple[object, object]:
    about = read(data, name).metadata
    return about.get("title"), about.get("title_from")


def dated(data: str | bytes, name: str) -> tuple[object, object]:
    about = read(data, name).metadata
    return about.get("published"), about.get("published_from")


@each(
    ("data", "name", "title", "place"),
    [
        (f"---\ntitle: Trees\n---\n# Other\n\n{TEXT}", "a.md", "Trees", "front_matter"),
        (f"# Trees\n\n{TEXT}", "a.md", "Trees", "heading"),
        (f"# Introduction\n\n{TEXT}", "old_trees.md", "Old Trees", "file_name"),
        (f"# 3.1 Results\n\n{TEXT}", "old_trees.md", "Old Trees", "file_name"),
        (f"## 5 Trees and Shrubs\n\n{TEXT}\n\n### 5.1 Oaks\n\n{TEXT}", "sec5.md",
            "5 Trees and Shrubs", "heading"),
        (f"## 1 Trees\n\n{TEXT}\n\n## 2 Shrubs\n\n{TEXT}", "sec5.md", "sec5", "file_name"),
        (f"{TEXT}\n\n{TEXT}\n\n{TEXT}\n\n{TEXT}\n\n# Late", "old_trees.md", "Old Trees",
            "file_name"),
        (f"# Background\n\n{TEXT}\n\n## Oaks and elms\n\n{TEXT}", "Background.md", "Background",
            "file_name"),
        (f"# Trees\n\n## Oaks\n\n{TEXT}", "a.md", "Trees", "heading"),
        (f"{TEXT}\n\n## Links\n\n{TEXT}", "2019-07-10.md", "2019-07-10", "file_name"),
        (f"### Old trees\n\n{TEXT}\n\n## Oaks\n\n{TEXT}", "a.md", "Old trees", "heading"),
        (f"{TEXT}\n\n# Trees\n\n{TEXT}", "a.md", "Trees", "heading"),
        (f"## Trees\n\n{TEXT}", "a.md", "Trees", "heading"),
        (f"Trees of the town\n\n{TEXT}", "a.txt", "Trees of the town", "heading"),
        (f"TREES OF THE TOWN\n\n{TEXT}", "a.txt", "TREES OF THE TOWN", "heading"),
        (f"Dear friends,\n\n{TEXT}", "speech-1789.txt", "Speech 1789", "file_name"),
        (
            "橋は1931年に建設されました。\n\n橋の長さは四十メートルです。",
            "bridge.txt",
            "bridge",
            "file_name",
        ),
        ("橋の歴史\n\n橋の長さは四十メートルです。", "bridge.txt", "橋の歴史", "first_line"),
        (f"[Delivered in the garden]\n\n{TEXT}", "speech-1789.txt", "Speech 1789", "file_name"),
        ("a,b\n1,2\n", "bad-drivers.csv", "Bad Drivers", "file_name"),
        (docx(paragraph("CHAPTER 1", "Heading1") + paragraph(TEXT)), "our trees.docx", "our trees",
            "file_name"),
        (pdf([lines(72, 700, [TEXT])], "/Title (Microsoft Word - draft.doc)"), "trees.pdf", "trees",
            "file_name"),
    ],
)  # fmt: skip
def test_a_title_is_the_best_that_a_document_or_its_name_says(
    data: str | bytes, name: str, title: str, place: str
) -> None:
    assert title_and_date(data, name) == (title, place)


@each(
    ("name", "title"),
    [
        ("minutes_March_1_2022.md", "Minutes March 1 2022"), ("2022-03-01.md", "2022-03-01"),
        ("a1b2c3d4e5f6a7b8.pdf", ""), ("10.21105.jose.00012.pdf", "10.21105.jose.00012"),
        ("dir\\Z_report.PDF", "Z report"),
        ("two words.txt", "two words"),
        ("1881-james-a-garfield.txt", "1881 James A Garfield"),
        ("state-of-the-art.txt", "State of the Art"), ("", ""),
        ("a%20b_c.txt", "a b_c"),
    ],
)  # fmt: skip
def test_a_file_name_becomes_readable(name: str, title: str) -> None:
    assert readable_name(name) == title


@each(
    ("data", "name", "date", "place"),
    [
        (f"---\ndate: 2020-01-02\n---\n{TEXT}", "2022-03-01.md", "2020-01-02", "front_matter"),
        (TEXT, "2022-03-01.md", "2022-03-01", "file_name"),
        (TEXT, "minutes_March_1_2022.md", "2022-03-01", "file_name"),
        (TEXT, "minutes-20220301.txt", "2022-03-01", "file_name"),
        (TEXT, "2022-03.md", "2022-03", "file_name"),
        (TEXT, "1789-george-washington.txt", "1789", "file_name"),
        (TEXT, "10.21105.jose.00012.txt", None, None),
        (TEXT, "rfc-1984.txt", None, None),
        (TEXT, "10-2023-2024.txt", None, None),
        (f"# Minutes of 1 March 2022\n\n{TEXT}", "a.md", "2022-03-01", "heading"),
        (f"# Protokoll vom 3. März 2021\n\n{TEXT}", "notes-2019.md", "2021-03-03", "heading"),
        (f"# Trees\n\nPublished: 12 November 2018\n\n{TEXT}", "a.md", "2018-11-12", "text"),
        (f"# Trees\n\nSubmitted: 1 July 2018\nPublished: 12 November 2018\n\n{TEXT}", "a.md",
            "2018-11-12", "text"),
        (f"# Trees\n\nBerlin, 3 March 2021\n\n{TEXT}", "a.md", "2021-03-03", "text"),
        (f"# Trees\n\n披露日期：2012 年 3 月 27 日\n\n{TEXT}", "a.md", "2012-03-27", "text"),
        (f"# Trees\n\nDate of incident: 01 March 2015\n\n{TEXT}", "a.md", None, None),
        (f"# Trees\n\nThey were planted on 3 March 2021, {TEXT} {TEXT}", "a.md", None, None),
        ("# Trees\n\nThe data are grim: from December 2007 on, more", "a.md", None, None),
        (f"# Trees\n\nData di stampa: 3.3.2021\n\n{TEXT}", "a.md", "2021-03-03", "text"),
        (f"# Trees\n\n{TEXT} {TEXT} Published: May 8, 2018", "a.md", "2018-05-08", "text"),
        (f"# Trees\n\nRepair order RO-20221108\n\n{TEXT}", "a.md", None, None),
        (pdf([lines(72, 700, [TEXT])], "/CreationDate (D:20240102)"), "a.pdf", "2024-01-02",
            "created"),
    ],
)  # fmt: skip
def test_a_date_is_the_best_that_a_document_or_its_name_says(
    data: str | bytes, name: str, date: str | None, place: str | None
) -> None:
    assert dated(data, name) == (date, place)


def test_the_date_that_heads_every_page_of_a_pdf_is_found() -> None:
    pages = [
        [(400, 740, 8, "Effective as at 9 April 2019"), *lines(72, 690, [TEXT, TEXT])]
        for _ in range(3)
    ]
    assert dated(pdf(pages), "rates.pdf") == ("2019-04-09", "text")


def test_a_page_of_the_web_takes_no_title_or_date_from_its_address() -> None:
    about = read(
        f"<html><body><p>{TEXT}</p></body></html>",
        "2022-03-01.html",
        "https://example.org/2022-03-01.html",
    )
    assert "published" not in about.metadata and about.title == ""


@each(
    ("text", "iso"),
    [
        ("3 March 2021", "2021-03-03"), ("March 3rd, 2021", "2021-03-03"),
        ("3. März 2021", "2021-03-03"),
        ("3 de marzo de 2021", "2021-03-03"), ("le 1er mars 2021", "2021-03-01"),
        ("12-Mar-2021", "2021-03-12"),
        ("13/02/2021", "2021-02-13"), ("02/13/2021", "2021-02-13"), ("05/06/2021", "2021"),
        ("5.6.2021", "2021-06-05"),
        ("2021-03-03T10:00:00Z", "2021-03-03"), ("20210303", "2021-03-03"),
        ("2012年3月27日", "2012-03-27"),
        ("March 2021", "2021-03"), ("2021", "2021"), ("12345", None), ("99/99/2021", "2021"),
        ("Foo 3, 2021", "2021"),
    ],
)  # fmt: skip
def test_dates_as_people_write_them(text: str, iso: str | None) -> None:
    assert iso_date(text) == iso


def test_several_dates_are_found_in_their_order_and_years_alone_are_not() -> None:
    text = "In 1999, from 3 March 2021 to 2021-04-05 (v20210101x)."
    assert [date.iso for date in dates_in(text)] == ["2021-03-03", "2021-04-05"]
