"""Input made to hurt: every piece ends in a text or a sentence, well inside the time of one
file."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from tests.tables import each
from tools.documents.model import Extracted, Request
from tools.documents.parse_pool import ParsePool
from tools.documents.parsers.formats import PARSERS, parse, parser
from tools.errors import ParseError
from tools.text.normalise import snapshot_text

NAMES = (
    *(
        "a.txt",
        "a.md",
        "a.html",
        "a.csv",
        "a.json",
        "a.bib",
        "a.ris",
        "a.pdf",
        "a.docx",
        "a.epub",
        "a.xml",
        "",
    ),
    *(
        "a.rst",
        "a.org",
        "a.adoc",
        "a.tex",
        "a.rtf",
        "a.eml",
        "a.mbox",
        "a.ipynb",
        "a.odt",
        "a.pptx",
        "a.xlsx",
        "a.zip",
    ),
)


@pytest.fixture(scope="module")
def pool() -> Iterator[ParsePool]:
    """A pool as the product uses it."""
    with ParsePool() as pool:
        yield pool


def check(extracted: Extracted) -> None:
    """What every extraction promises."""
    text = extracted.text
    assert snapshot_text(text) == text
    assert text.encode("utf-8")
    assert all(0 <= s.start <= s.end <= len(text) for s in extracted.sections)
    assert len({s.section_id for s in extracted.sections}) == len(extracted.sections)
    assert all(
        a.end <= b.start for a, b in zip(extracted.sections, extracted.sections[1:], strict=False)
    )
    assert [p.start for p in extracted.pages] == sorted(p.start for p in extracted.pages)
    assert all(link.url.startswith(("http://", "https://")) for link in extracted.links)


# Sizes at which anything worse than linear would run into the 20 s of the pool.
HOSTILE = {
    "brackets.md": "[" * 150_000,
    "images.md": "![" * 80_000,
    "stars.md": "*a " * 80_000,
    "bold.md": ("**a* " * 18_000 + "\n\n") * 2,
    "mixed.md": "*a **b _c ~~d `e\n" * 20_000,
    "backticks.md": "`a``" * 24_000,
    "links.md": "[a](" * 100_000,
    "tags.md": "<a " * 80_000,
    "comments.md": "<!--" * 80_000,
    "quotes.md": "> " * 150_000,
    "headings.md": "# a\n" * 10_000,
    "table.md": "|a|b|\n|-|-|\n" + "|x|y|\n" * 50_000,
    "angle.html": "<" * 300_000,
    "open.html": "<a " * 100_000,
    "deep.html": "<b><i><span>" * 30_000 + "text",
    "tables.html": "<table><tr><td>" * 10_000 + "text",
    "links.html": "<p>text" + "<a href='/x'>link</a>" * 10_000,
    "attribute.html": "<p class='" + "x " * 300_000 + "'>text</p>",
    "comment.html": "<p>text</p>" + "<!--" * 100_000,
    "quote.csv": 'a,b\n"' + "x,y\n" * 150_000,
    "commas.csv": "," * 1_000_000,
    "deep.json": "[" * 1_000_000,
    "braces.bib": "@article{a, title={" + "{" * 150_000,
    "entries.bib": "@article{a,\n" * 100_000,
    "quotes.bib": '@article{a, title="' + '\\"' * 100_000,
    "fields.bib": "@article{a, " + "a={b}, " * 100_000 + "title={x}}",
    "entries.ris": "TY  - JOUR\n" * 80_000,
    "stars.rst": "*a " * 80_000,
    "roles.rst": ":a:`" * 80_000,
    "deep.rst": "".join(" " * n + "- a\n" for n in range(1500)),
    "titles.rst": "a\n=\n" * 60_000,
    "rules.rst": "=== ===\n" * 60_000,
    "grid.rst": "+-+-+\n" * 60_000,
    "stars.org": "*a " * 80_000,
    "links.org": "[[" * 100_000,
    "items.org": "- a\n" * 60_000,
    "stars.adoc": "*a _b `c #d +e " * 30_000,
    "macros.adoc": "link:a[" * 60_000,
    "notes.adoc": "footnote:[" * 50_000,
    "names.adoc": "a:" * 200_000,
    "pipes.adoc": "|===\n" + "|a" * 100_000 + "\n|===",
    "spans.adoc": "|===\n" + "|a " * 900 + "\n" + ".99+|a " * 30_000 + "\n|===",
    "lists.adoc": "".join(f"{'*' * (n % 6 + 1)} a\n+\n" for n in range(60_000)),
    "attached.adoc": "* a\n+\n" * 40_000,
    "marks.adoc": "".join("=" * n + "\na\n" for n in range(4, 700)),
    "entries.adoc": ":a: b \\\n" * 60_000,
    "options.adoc": "[a=b]\n" * 60_000 + "text",
    "titles.adoc": "abc\n---\n" * 40_000,
    "terms.adoc": "a::\n" * 60_000,
    "braces.tex": "{" * 100_000,
    "begins.tex": "\\begin{itemize}" * 3_000,
    "commands.tex": "\\a" * 100_000,
    "dollars.tex": "$" * 100_000,
    "braces.rtf": "{\\rtf1 " + "{" * 200_000,
    "words.rtf": "{\\rtf1 " + "\\b a" * 100_000,
    "bytes.rtf": "{\\rtf1 " + "\\'e9" * 200_000,
    "header.eml": "Subject: " + "=?utf-8?q?" * 30_000,
    "parts.eml": "Content-Type: multipart/mixed; boundary=x\n\n" + "--x\n\na\n" * 30_000,
    "nested.eml": "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(300)
    ),
    "from.mbox": "From a Mon Jan 1 00:00:00 2024\nA: b\n\nc\n" * 15_000,
    "underlines.txt": "=====\n" * 100_000,
    "items.txt": "- a\n" * 100_000,
    "columns.txt": "a  b  c\n" * 100_000,
    "line.txt": "word " * 400_000,
    "fake.pdf": "%PDF-1.7\n" + "1 0 obj << /A [" * 100_000,
}


@pytest.mark.lab
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_costs_linear_time(pool: ParsePool, name: str) -> None:
    try:
        check(pool.parse(HOSTILE[name].encode(), name=name))
    except ParseError as exc:
        assert "computing time" not in str(exc)
        assert "crashed" not in str(exc)


@pytest.mark.lab
@settings(max_examples=30)
@given(data=st.binary(max_size=300), name=st.sampled_from(NAMES))
def test_any_bytes_are_read_or_refused(data: bytes, name: str) -> None:
    try:
        check(parse(Request(data, name)))
    except ParseError as exc:
        assert str(exc).endswith(".")


PIECES = (
    "<p> </p> <table> <tr> <td> </table> <h1> </h2> <li> <pre> <br> word <a&href='x'> &amp; <!-- "
    "--> # ``` |a| |-| "
    "- ** ` [x](y) > \x00 é \ud800"
).split(" ")
MARKUP = st.lists(st.sampled_from([*PIECES, "\n", " "]), max_size=25)


@settings(max_examples=30)
@given(pieces=MARKUP, name=st.sampled_from(["a.md", "a.html"]))
def test_any_markup_is_read_or_refused(pieces: list[str], name: str) -> None:
    try:
        check(parse(Request("".join(pieces).encode("utf-8", "surrogatepass"), name)))
    except ParseError as exc:
        assert str(exc).endswith(".")


@each("kind", sorted(PARSERS))
def test_every_parser_refuses_noise_with_a_sentence(kind: str) -> None:
    noise = random.Random(5).randbytes(5000)
    try:
        check(parser(kind)(Request(noise, "noise")))
    except ParseError as exc:
        assert str(exc).endswith(".")
