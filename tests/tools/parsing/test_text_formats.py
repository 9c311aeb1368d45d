"""Plain text, Markdown, CSV, JSON and the two bibliography formats."""

import json

import pytest

from tests.tables import each
from tools.documents.model import Extracted, Request
from tools.documents.parsers.encoding import decode
from tools.documents.parsers.formats import parse
from tools.documents.parsers.scholarly.bibtex import plain
from tools.errors import ParseError
from tools.sources.source import make_source


def read(data: str | bytes, name: str) -> Extracted:
    return parse(Request(data.encode() if isinstance(data, str) else data, name))


# ---------------------------------------------------------------- encodings


@each(
    ("data", "media_type", "text"),
    [
        ("héllo".encode(), None, "héllo"),
        (b"\xef\xbb\xbfhello", None, "hello"),
        ("wörter".encode("utf-16"), None, "wörter"),
        (("plain words " * 9).encode("utf-16-be"), None, "plain words " * 9),
        ("Größe".encode("latin-1"), "text/plain; charset=ISO-8859-1", "Größe"),
        ("“quoted”".encode("cp1252"), 'text/plain; charset="iso-8859-1"', "“quoted”"),
        ("Größe".encode(), "text/plain; charset=latin-1", "Größe"),
        (
            "日本語のテキストです。".encode("cp932"),
            "text/plain; charset=Shift_JIS",
            "日本語のテキストです。",
        ),
        (
            ("Это обычный русский текст. " * 9).encode("cp1251"),
            None,
            "Это обычный русский текст. " * 9,
        ),
        (b"cut off here \xe2\x82", None, "cut off here \ufffd"),
        (b"half \xed\xa0\xbd pair", None, "half \ud83d pair"),
        (b"ab", "text/plain; charset=zlib_codec", "ab"),
        (b"ab", "text/plain; charset=unicode_escape", "ab"),
        (b"", None, ""),
    ],
)
def test_bytes_are_decoded(data: bytes, media_type: str | None, text: str) -> None:
    assert decode(data, media_type) == text


def test_a_page_says_its_own_encoding() -> None:
    page = '<meta charset="windows-1251"><p>Привет</p>'
    assert "Привет" in decode(page.encode("cp1251"), None, markup=True)


# ---------------------------------------------------------------- plain text


def test_plain_text_becomes_its_paragraphs() -> None:
    extracted = read(b"Title line\r\n\r\nBody\x00 text.\r\n", "a.txt")
    assert (extracted.text, extracted.title) == ("Title line\n\nBody text.", "Title line")


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\x00\x00"])
def test_a_file_without_text_is_refused(data: bytes) -> None:
    with pytest.raises(ParseError, match=r"empty|no text"):
        read(data, "a.txt")


# ---------------------------------------------------------------- Markdown

MARKDOWN = """---
title: "Wind power"
author: Ada Lee, Bo Chen
date: 2024-05-01
---
# Wind *power* in `numbers`

A paragraph with **bold**, _emphasis_, ***both***, ~~old~~ and `code_with_*stars*`
over two lines, a [link](https://example.org/a "t") and ![a picture](x.png), <https://example.org/b>.<br>
snake_case_word and 2 * 3 * 4 &amp; \\*kept\\*.

Second heading
--------------

- first
- [x] second **thing**
  goes on
1. one

> quoted
> text

| a | b |
|---|--:|
| 1 | `x` |

```python
x = [1](2)

# not a heading
```
<!-- a
comment --> after
***
[ref]: https://example.org/c
## Closed ##
"""


def test_markdown_loses_its_markup_and_keeps_its_words() -> None:
    extracted = read(MARKDOWN, "a.md")
    assert extracted.text == (
        "Wind power in numbers\n\n"
        "A paragraph with bold, emphasis, both, ~~old~~ and code_with_*stars* over two lines, a "
        "link and a picture, "
        "https://example.org/b.\nsnake_case_word and 2 * 3 * 4 & *kept*.\n\n"
        "Second heading\n\n- first\n- second thing goes on\n1. one\n\nquoted text\n\na | b\n1 | x\n"
        "\n"
        "x = [1](2)\n\n# not a heading\n\nafter\n\nClosed"
    )
    assert [(s.title, s.level) for s in extracted.sections] == [
        ("Wind power in numbers", 1), ("Second heading", 2), ("Closed", 2)
    ]  # fmt: skip
    assert extracted.title == "Wind power"
    assert extracted.metadata == {
        "title": "Wind power", "authors": ["Ada Lee", "Bo Chen"], "published": "2024-05-01",
        "title_from": "front_matter", "published_from": "front_matter",
    }  # fmt: skip
    assert [link.url for link in extracted.links] == [
        "https://example.org/a",
        "https://example.org/b",
    ]


@each(
    ("text", "plain_text"),
    [
        ("*a", "*a"),
        ("a ** b", "a ** b"),
        ("[x](", "[x]("),
        ("[a](b(c)d)", "a"),
        ("![](x.png) text", "text"),
        ("``a`b``", "a`b"),
        ("__init__ and __bold words__", "init and bold words"),
        ("a < b and c > d", "a < b and c > d"),
        ("<b>x</b> <script>y", "x y"),
        ("---\nno end", "no end"),
        ("#hashtag", "#hashtag"),
        ("```\nopen code", "open code"),
        ("a | b\nc | d", "a | b c | d"),
        ("`a` \x000\x00 and more words here", "a 0 and more words here"),
        ("\\[not a link](x)", "[not a link](x)"),
    ],
)
def test_odd_markdown_is_still_text(text: str, plain_text: str) -> None:
    assert read(text, "a.md").text == plain_text


# ---------------------------------------------------------------- CSV


@each(
    ("data", "text"),
    [
        ("name,city\nAda,Paris\n\nBo,\n", "name | city\nname: Ada; city: Paris\nname: Bo"),
        ("a;b\n1;2\n", "a | b\na: 1; b: 2"),
        ("a\tb\n1\t2\n", "a | b\na: 1; b: 2"),
        ('a,b\n"x, y","line\nbreak"\n', "a | b\na: x, y; b: line break"),
        ("1,2\n3,4\n", "1 | 2\n3 | 4"),
        ("a,b\n1,2,3\n", "a | b\n1 | 2 | 3"),
        ("just text", "just text"),
        ('a,b\n"never closed,1\n', "a | b\na: never closed,1"),
    ],
)
def test_each_row_of_a_table_says_its_columns(data: str, text: str) -> None:
    assert read(data, "a.csv").text == text


@pytest.mark.lab
def test_endless_lines_and_fields_are_taken_as_text() -> None:
    assert len(read("a,b\n" + "x" * 1_100_000, "a.csv").text) > 1_100_000
    assert read('a,b\n"' + "x,y\n" * 300_000, "a.csv").text.count("\n") == 300_000


# ---------------------------------------------------------------- JSON


def test_json_becomes_readable_lines() -> None:
    value = {
        "title": "Report",
        "year": 2024,
        "draft": False,
        "none": None,
        "tags": ["wind", "sun"],
        "body": "A long text. " * 30,
        "people": [{"name": "Ada", "role": "lead"}, {"name": "Bo"}],
    }
    extracted = read(json.dumps(value), "a.json")
    assert extracted.title == "Report"
    paragraphs = extracted.text.split("\n\n")
    assert paragraphs[0] == "title: Report; year: 2024; draft: no"
    assert paragraphs[1] == "tags: wind, sun"
    assert paragraphs[2].startswith("body: A long text.")
    assert paragraphs[3:] == ["people 1 — name: Ada; role: lead\npeople 2 — name: Bo"]


def test_json_lines_are_read_line_by_line() -> None:
    assert read('{"a": "x"}\n{"a": "y"}\n', "a.jsonl").text == "a: x\na: y"


def test_a_notebook_is_prose_and_code() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Head\n", "Some **text**."]},
        {"cell_type": "code", "source": "x = 1\n\ny = 2"},
        "broken",
    ]
    extracted = read(json.dumps({"cells": cells, "nbformat": 4}), "a.ipynb")
    assert extracted.text == "Head\n\nSome text.\n\nx = 1\n\ny = 2"
    assert [section.title for section in extracted.sections] == ["Head"]


@each(
    ("data", "reason"),
    [
        ('{"a": ', "not valid JSON: .* at line 1, column 7"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 300 + "1" + "}" * 300, "nested too deeply"),
        ('{"a": ' + "1" * 6000 + "}", "number that is too long"),
        ("{}", "no text"),
    ],
)
def test_bad_json_is_refused_with_a_reason(data: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        read(data, "a.json")


def test_lone_surrogates_in_json_do_no_harm() -> None:
    assert read('{"a": "x\\ud800y"}', "a.json").text == "a: x\ufffdy"


# ---------------------------------------------------------------- bibliographies

BIBTEX = r"""
@string{nat = "Nature"}
@comment{ignored, title = {No}}
@article{key1,
  title = {{\"O}zg\"ur's \emph{Study} of Wind --- \& {S}un},
  author = "G{\"o}del, Kurt and Donald E. Knuth and {The WHO Team} and others",
  journal = nat # " Energy", year = 2020, month = mar, doi = {https://doi.org/10.1000/XYZ\_1},
  issn = {1234-567x}, abstract = {Wind, and {nested} text = here.}
}
@misc{key2, title="A page", howpublished={\url{https://example.org/x_y}}, date={2021-05-06}}
@broken{key3, title={never closed, year=2000
@inproceedings(key4, title="Par {"}en", booktitle={Conf}, eprint={2401.00001}, archivePrefix={arXiv})
@article{key5, year=1999}
"""  # noqa: E501


def test_bibtex_entries_become_sources() -> None:
    extracted = read(BIBTEX, "a.bib")
    first, page, _, preprint = extracted.entries
    assert first.title == "Özgür's Study of Wind — & Sun"
    assert first.fields["authors"] == ("Kurt Gödel", "Donald E. Knuth", "The WHO Team")
    assert (first.fields["venue"], first.fields["published"]) == ("Nature Energy", "2020-03")
    assert (first.fields["doi"], first.fields["issn"]) == ("10.1000/xyz_1", "1234-567X")
    assert first.fields["abstract"] == "Wind, and nested text = here."
    assert (page.url, page.fields["source_type"], page.fields["published"]) == (
        "https://example.org/x_y", "web", "2021-05-06"
    )  # fmt: skip
    assert preprint.fields["arxiv_id"] == "2401.00001"
    assert extracted.text.startswith(
        "Kurt Gödel, Donald E. Knuth, The WHO Team (2020). Özgür's Study"
    )
    sources = [make_source(entry.url, entry.title, **entry.fields) for entry in extracted.entries]
    assert len({source.source_id for source in sources}) == 4


RIS = """TY  - JOUR
AU  - Curie, Marie
AU  - Smith, J., Jr.
TI  - On radium
 and more
PY  - 1903/05//
JO  - J. Phys.
DO  - 10.1234/abc
SN  - 1234-5678
N2  - We found it.
ER  -

TY  - BOOK
T1  - Second work
UR  - https://example.org/book
"""


def test_ris_entries_become_sources() -> None:
    extracted = read(RIS, "a.ris")
    first, second = extracted.entries
    assert first.title == "On radium and more"
    assert first.fields["authors"] == ("Marie Curie", "J. Smith Jr.")
    assert (first.url, first.fields["published"]) == ("https://doi.org/10.1234/abc", "1903-05")
    assert (second.url, second.fields) == ("https://example.org/book", {"source_type": "academic"})


def test_entries_without_any_address_stay_apart() -> None:
    extracted = read("@book{a, title={One}}\n@book{b, title={Two}}", "a.bib")
    assert len({entry.url for entry in extracted.entries}) == 2


@pytest.mark.parametrize("name", ["a.bib", "a.ris"])
def test_a_bibliography_without_entries_is_refused(name: str) -> None:
    with pytest.raises(ParseError, match="no entry"):
        read("nothing of the kind", name)


@each(
    ("source", "text"),
    [
        (r"\'{e}t\'e na\"{\i}ve \c{c}a \v{s} \o{} \ss{} \L", "été naïve ça š ø ß Ł"),
        (r"100\% \$5 a\_b \{x\}", "100% $5 a_b {x}"),
        (r"\textbf{bold} \emph{it} $x^2$ pages 1--5", "bold it x^2 pages 1–5"),
        ("\\", ""),
        (r"{\relax", ""),
    ],
)
def test_latex_becomes_plain_characters(source: str, text: str) -> None:
    assert plain(source) == text


def test_groups_of_latex_nested_too_deeply_are_refused() -> None:
    with pytest.raises(ParseError, match="nested too deeply"):
        parse(Request(b"Mills. " + b"{" * 5000, "mills.tex"))
