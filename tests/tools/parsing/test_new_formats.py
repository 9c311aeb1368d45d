"""RTF, OpenDocument, PowerPoint, Excel, e-mail, mailboxes, notebooks, RST, Org, LaTeX and archives
of these."""

import json

import pytest

from tests.tables import each
from tests.tools.parsing.making import CORE, docx, packed, paragraph, pdf
from tools.documents.model import Extracted, Request
from tools.documents.parsers.formats import parse
from tools.errors import ParseError


def read(data: str | bytes, name: str) -> Extracted:
    return parse(Request(data.encode() if isinstance(data, str) else data, name))


def kinds(extracted: Extracted) -> list[tuple[str, str]]:
    return [(str(b.kind), extracted.text[b.start : b.end]) for b in extracted.blocks]


# ---------------------------------------------------------------- Rich Text

RTF = r"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fnil\fcharset204 Arial Cyr;}}
{\stylesheet{\s0 Normal;}{\s1\sb240\b\fs32 heading 1;}}
{\info{\title Cats \'e9t\'e9}{\author Ada Lee}{\creatim\yr2021\mo3\dy4}}
{\header Running head}
\pard\s1 Introduction\par
\pard Cats sleep \b a lot\b0 , caf\'e9 \u8364? and {\f1\'cf\'f0\'e8}.{\super\chftn{\footnote \chftn  A note.}}
 End {\deleted gone }of it.\par
\pard{\listtext\tab \bullet\tab}\ls1 First\par
{\listtext 2.\tab}Second\par
\pard\trowd\cellx100\cellx200\intbl Colour\cell Count\cell\row
\intbl Black\cell 10\cell\row
\intbl White\cell 20\cell\row
\pard Last \emdash  one.{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt  A link}}{\*\unknown no}\par}"""  # noqa: E501


def test_rich_text_keeps_its_structure() -> None:
    extracted = read(RTF, "a.rtf")
    assert kinds(extracted) == [
        ("heading", "Introduction"), ("paragraph", "Cats sleep a lot, café € and При.¹ End of it."),
        ("footnote", "¹ A note."), ("list_item", "First"), ("list_item", "Second"),
        ("table_row", "Colour | Count"), ("table_row", "Black | 10"),
        ("table_row", "White | 20"), ("paragraph", "Last — one. A link"),
    ]  # fmt: skip
    assert (
        extracted.metadata["title"] == "Cats été" and extracted.metadata["created"] == "2021-03-04"
    )


@pytest.mark.parametrize("data", [r"{\rtf1 }", r"{\rtf1{\pict 0102}}"])
def test_rich_text_without_text_is_refused(data: str) -> None:
    with pytest.raises(ParseError, match="no text"):
        read(data, "a.rtf")


# ---------------------------------------------------------------- OpenDocument

ODF = """<o:document-content xmlns:o="urn:office" xmlns:text="urn:text" xmlns:table="urn:table" xmlns:style="urn:style">
<o:automatic-styles><style:style style:name="P1" style:parent-style-name="Title"/></o:automatic-styles><o:body><o:text>
<text:tracked-changes><text:p>deleted words</text:p></text:tracked-changes>
<text:p text:style-name="P1">Cats</text:p><text:h text:outline-level="2">Sleep</text:h>
<text:p>They<text:s text:c="2"/>sleep<text:note><text:note-citation>1</text:note-citation><text:note-body>
<text:p>A lot.</text:p></text:note-body></text:note> all day:</text:p>
<text:list><text:list-item><text:p>here</text:p>
<text:list><text:list-item><text:p>inside</text:p></text:list-item></text:list></text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Colour</text:p></table:table-cell>
<table:table-cell><text:p>Count</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell><text:p>Black</text:p></table:table-cell><table:table-cell><text:p>10</text:p>
</table:table-cell></table:table-row></table:table></o:text></o:body></o:document-content>"""  # noqa: E501


def odf(content: str, meta: str = "") -> bytes:
    return packed(
        {"mimetype": "", "content.xml": content, "META-INF/manifest.xml": "<m/>"}
        | ({"meta.xml": meta} if meta else {})
    )


def test_an_open_document_keeps_its_structure() -> None:
    meta = (
        '<m xmlns:dc="urn:dc"><dc:title>All '
        "cats</dc:title><creation-date>2022-02-03T01:02:03</creation-date></m>"
    )
    extracted = read(odf(ODF, meta), "a.odt")
    assert kinds(extracted) == [
        ("heading", "Cats"), ("heading", "Sleep"), ("paragraph", "They sleep¹ all day:"),
        ("footnote", "¹ A lot."),
        ("list_item", "here"), ("list_item", "inside"), ("table_row", "Colour | Count"),
        ("table_row", "Black | 10"),
    ]  # fmt: skip
    assert (extracted.title, extracted.metadata["published"]) == ("All cats", "2022-02-03")
    assert [b.level for b in extracted.blocks if b.kind == "list_item"] == [1, 2]


# ---------------------------------------------------------------- PowerPoint and Excel

A, P, R = "urn:a", "urn:p", "urn:r"


def shape(kind: str, body: str) -> str:
    return (
        "<p:sp><p:nvSpPr><p:nvPr><p:ph "
        f"{kind}/></p:nvPr></p:nvSpPr><p:txBody>{body}</p:txBody></p:sp>"
    )


def line(text: str, properties: str = "") -> str:
    return f"<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"


def slide(title: str, body: str, more: str = "") -> str:
    shapes = (
        shape('type="sldNum"', line("7"))
        + shape("", body)
        + shape('type="title"', line(title))
        + more
    )
    return (
        f'<p:sld xmlns:p="{P}" xmlns:a="{A}"><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>'
    )


def relations(**targets: str) -> str:
    inside = "".join(
        f'<Relationship Id="{name}" Target="{target}"/>' for name, target in targets.items()
    )
    return f"<R>{inside}</R>"


def test_a_presentation_is_read_slide_by_slide_with_its_notes() -> None:
    points = "".join(line(f"point {n}", f'<a:pPr lvl="{n}"/>') for n in (0, 1))
    rows = "".join(
        f"<a:tr>{''.join(f'<a:tc>{line(text)}</a:tc>' for text in row)}</a:tr>"
        for row in ("AB", "12")
    )
    table = f"<p:graphicFrame><a:tbl><a:tblPr firstRow='1'/>{rows}</a:tbl></p:graphicFrame>"
    order = '<p:sldIdLst><p:sldId r:id="b"/><p:sldId r:id="a"/></p:sldIdLst>'
    parts = {
        "[Content_Types].xml": "<Types/>",
        "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" '
        f'xmlns:r="{R}">{order}</p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(a="slides/slide1.xml", b="slides/slide2.xml"),
        "ppt/slides/slide1.xml": slide("Second", line("Only this."), table),
        "ppt/slides/slide2.xml": slide("First", points),
        "ppt/slides/_rels/slide2.xml.rels": relations(n="../notesSlides/notesSlide1.xml"),
        "ppt/notesSlides/notesSlide1.xml": slide("", line("Say hello.")),
        "docProps/core.xml": CORE.replace("Wind", "PowerPoint Presentation"),
    }
    extracted = read(packed(parts), "our-plan.pptx")
    assert kinds(extracted) == [
        ("heading", "First"), ("list_item", "point 0"), ("list_item", "point 1"),
        ("paragraph", "Notes: Say hello."),
        ("heading", "Second"), ("paragraph", "Only this."), ("table_row", "A | B"),
        ("table_row", "1 | 2"),
    ]  # fmt: skip
    assert extracted.text[extracted.pages[1].start :].startswith("Second")


def text_box(text: str, x: int) -> str:
    place = f'<p:spPr><a:xfrm><a:off x="{x}" y="9"/></a:xfrm></p:spPr>'
    return f"<p:sp>{place}<p:txBody>{line(text)}</p:txBody></p:sp>"


@pytest.mark.parametrize(("slides", "copies", "left"), [(4, 3, 1), (3, 3, 1), (6, 3, 3), (2, 2, 2)])
def test_a_text_box_that_most_slides_have_at_one_place_is_read_once(
    slides: int, copies: int, left: int
) -> None:
    parts = {"[Content_Types].xml": "<Types/>"}
    for number in range(1, slides + 1):
        boxes = text_box("Copyright 2022", 5) if number <= copies else ""
        more = boxes + text_box("Draft", number)
        parts[f"ppt/slides/slide{number}.xml"] = slide(f"Part {number}", line("Plan."), more)
    texts = [text for _, text in kinds(read(packed(parts), "plan.pptx"))]
    assert texts.count("Copyright 2022") == left and texts[:3] == [
        "Part 1",
        "Plan.",
        "Copyright 2022",
    ]
    assert texts.count("Draft") == texts.count("Plan.") == slides


def workbook(rows: str, styles: str = "") -> bytes:
    sheets = '<sheet name="Trees" r:id="a"/><sheet name="Old" state="hidden" r:id="a"/>'
    parts = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": f'<workbook xmlns:r="{R}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(a="worksheets/sheet1.xml"),
        "xl/sharedStrings.xml": "<sst><si><t>Town</t></si><si><r><t>Planted</t></r></"
        "si><si><t>Share</t></si></sst>",
        "xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{rows}</sheetData></worksheet>",
    }
    return packed(parts | ({"xl/styles.xml": styles} if styles else {}))


def test_a_workbook_is_read_row_by_row_with_dates_and_shares() -> None:
    styles = (
        '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf '
        'numFmtId="9"/></cellXfs></styleSheet>'
    )
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" '
        't="s"><v>2</v></c></row>'
    )
    for n, (name, day, share) in enumerate([("Aville", 44256, 0.25), ("Beton", 44257.5, 0.5)], 2):
        rows += (
            f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>{name}</t></is></c><c r="B{n}" '
            f's="1"><v>{day}</v></c>'
            f'<c r="C{n}" s="2"><v>{share}</v></c></row>'
        )
    rows += '<row r="9"><c r="B9"><v>12.50</v></c></row>'
    extracted = read(workbook(rows, styles), "trees.xlsx")
    assert extracted.text == (
        "Trees\n\nTown | Planted | Share\nTown: Aville; Planted: 2021-03-01; Share: 25%\n"
        "Town: Beton; Planted: 2021-03-02 12:00; Share: 50%\n\n12.5"
    )


# ---------------------------------------------------------------- e-mail

MAIL = b"""From: Ada Lee <ada@example.org>\r
To: bo@example.org\r
Subject: =?utf-8?q?Caf=C3=A9_on_Monday?=\r
Date: Tue, 02 Mar 2021 10:00:00 +0100\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary=x\r
\r
--x\r
Content-Type: multipart/alternative; boundary=y\r
\r
--y\r
Content-Type: text/plain; charset=utf-8\r
\r
Bring these:\r
\r
- tea\r
- cake\r
\r
> What shall I bring?\r
--y\r
Content-Type: text/html\r
\r
<p>Bring <b>these</b></p>\r
--y--\r
--x\r
Content-Type: text/plain\r
Content-Disposition: attachment; filename="list.txt"\r
\r
The list itself has one line.\r
--x\r
Content-Type: image/png\r
Content-Disposition: attachment; filename="photo.png"\r
Content-Transfer-Encoding: base64\r
\r
iVBORw0KGgo=\r
--x--\r
"""


def test_a_message_says_who_wrote_what_when_and_its_attachments_are_read() -> None:
    extracted = read(MAIL, "a.eml")
    assert (extracted.title, extracted.metadata["published"], extracted.metadata["authors"]) == (
        "Café on Monday", "2021-03-02", ["Ada Lee"]
    )  # fmt: skip
    assert ("list_item", "cake") in kinds(extracted) and (
        "quotation",
        "What shall I bring?",
    ) in kinds(extracted)
    assert "Bring these</b>" not in extracted.text and extracted.text.count("Bring these") == 1
    assert ("list_item", "Attachment: photo.png") in kinds(extracted)
    last = extracted.blocks[-1]
    assert (
        extracted.text[last.start : last.end] == "The list itself has one line."
        and "list.txt" in last.heading_path
    )


def test_a_mailbox_is_read_message_by_message() -> None:
    mail = (
        "From ada@example.org Mon Mar  1 10:00:00 2021\nFrom: ada@example.org\nSubject: {}\n\n"
        "{}\n\n"
    )
    extracted = read(
        mail.format("First", "Hello there.") + mail.format("Second", "From here on it rains."),
        "inbox",
    )
    assert [text for kind, text in kinds(extracted) if kind == "heading"] == ["First", "Second"]
    assert ("paragraph", "From here on it rains.") in kinds(extracted)


@each(
    "field",
    ["Date: nonsense", "Date: Mon, 99 Foo 2021", "From: <", "Subject: =?x?q?=?=", "To: ,,;<>@"],
)
def test_broken_headers_do_no_harm(field: str) -> None:
    assert (
        "body text here"
        in read(f"{field}\nX-A: b\nMessage-ID: <>\n\nThe body text here.", "a.eml").text
    )


# ---------------------------------------------------------------- text with light markup

RST = """
=======
Cooling
=======

:Author: Ada Lee
:Date: 2021-03-02

Use :func:`~cool.start` with ``--now`` [1]_, see `the guide <https://example.org>`_.
It *really* helps::

    $ cool --now

.. note:: Mind the cat.
   It sleeps.

Options
-------

``fast``
    Be quick.

#. first

   more of it

   - inner
#. second

.. list-table:: Towns
   :header-rows: 1

   * - Town
     - Trees
   * - Aville
     - 12

=====  =====
Month  Rain
=====  =====
May    3
=====  =====

+------+-----+
| Day  | Sun |
+======+=====+
| Mon  | yes |
+------+-----+

.. code-block:: python

   print(1)

.. figure:: a.png

   A picture of it.

.. option:: --slow

   Take time.

.. [1] A note.
.. _target:
.. a comment
"""


def test_restructured_text_keeps_its_structure() -> None:
    extracted = read(RST, "a.rst")
    assert kinds(extracted) == [
        ("heading", "Cooling"), ("paragraph", "Use start with --now [1], see the guide. It really "
                                              "helps:"),
        ("code", "$ cool --now"), ("paragraph", "Note: Mind the cat. It sleeps."),
        ("heading", "Options"),
        ("list_item", "fast: Be quick."), ("list_item", "first"), ("paragraph", "more of it"),
        ("list_item", "inner"),
        ("list_item", "second"), ("caption", "Towns"), ("table_row", "Town | Trees"),
        ("table_row", "Aville | 12"),
        ("table_row", "Month | Rain"), ("table_row", "May | 3"), ("table_row", "Day | Sun"),
        ("table_row", "Mon | yes"),
        ("code", "print(1)"), ("caption", "A picture of it."), ("list_item", "--slow: Take time."),
        ("footnote", "[1] A note."),
    ]  # fmt: skip
    assert (extracted.metadata["authors"], extracted.metadata["published"]) == (
        ["Ada Lee"],
        "2021-03-02",
    )
    assert [s.title for s in extracted.sections] == ["Cooling", "Options"]


ORG = """#+TITLE: Cooling
#+DATE: <2021-03-02 Tue>
* TODO Start :urgent:
:PROPERTIES:
:ID: x
:END:
SCHEDULED: <2021-01-01>
It *really* helps, see [[https://example.org][the guide]].
- tea
  - green
- [X] cake
1. one
#+CAPTION: Towns
| Town | Trees |
|------+-------|
| A    | 12    |
#+BEGIN_SRC python
print(1)
#+END_SRC
#+BEGIN_QUOTE
Said so.
#+END_QUOTE
# a comment
[fn:1] A note.
"""


def test_an_org_file_keeps_its_structure() -> None:
    extracted = read(ORG, "a.org")
    assert kinds(extracted) == [
        ("heading", "Start"), ("paragraph", "It really helps, see the guide."),
        ("list_item", "tea"),
        ("list_item", "green"), ("list_item", "cake"), ("list_item", "one"), ("caption", "Towns"),
        ("table_row", "Town | Trees"), ("table_row", "A | 12"), ("code", "print(1)"),
        ("quotation", "Said so."), ("footnote", "[1] A note."),
    ]  # fmt: skip
    assert (extracted.title, extracted.metadata["published"]) == ("Cooling", "2021-03-02")


TEX = r"""\documentclass{article}
\title{On {\"O}zg\"ur's Cats} \author{Ada Lee \and Bo Chen} \date{March 3, 2021} % said
\begin{document} \maketitle
\begin{abstract} We study cats. \end{abstract}
\section{Introduction}\label{s}
Cats \emph{sleep} 50\% of it~\cite{smith}, about $a^2 \leq \frac{1}{2}$ ``a day''.\footnote{Some more.}
\href{http://x}{A link}.

\begin{itemize} \item One \begin{enumerate} \item inner \end{enumerate} \end{itemize}
\begin{equation} E = mc^2 \label{e} \end{equation}
\begin{table} \caption{By colour}
\begin{tabular}{lr} \hline Colour & Count & Share \\ Black & 10 & 5\% \\ White & 20 & 6\% \\ \end{tabular} \end{table}
\begin{verbatim}
x = {1: 2} % kept
\end{verbatim}
\unknown{The end.}
\end{document}"""  # noqa: E501


def test_a_latex_file_keeps_its_structure() -> None:
    extracted = read(TEX, "a.tex")
    assert kinds(extracted) == [
        ("heading", "Abstract"), ("paragraph", "We study cats."), ("heading", "Introduction"),
        ("paragraph", "Cats sleep 50% of it [smith], about a^2 ≤1/2 “a day”.¹ A link."),
        ("footnote", "¹ Some more."),
        ("list_item", "One"), ("list_item", "inner"), ("equation", "E = mc^2"),
        ("caption", "By colour"),
        ("table_row", "Colour | Count | Share"), ("table_row", "Black | 10 | 5%"),
        ("table_row", "White | 20 | 6%"),
        ("code", "x = {1: 2} % kept"), ("paragraph", "The end."),
    ]  # fmt: skip
    assert (extracted.title, extracted.metadata["authors"], extracted.metadata["published"]) == (
        "On Özgür's Cats", ["Ada Lee", "Bo Chen"], "2021-03-03"
    )  # fmt: skip


def test_a_notebook_shows_what_its_code_printed() -> None:
    cells = [
        {"cell_type": "markdown", "source": "# Head"},
        {
            "cell_type": "code",
            "source": "print(1)",
            "outputs": [{"text": ["1\n"]}, {"data": {"text/plain": "<Figure>"}}, {}],
        },
    ]
    extracted = read(
        json.dumps({"cells": cells, "nbformat": 4, "metadata": {"title": "Runs"}}), "a.ipynb"
    )
    assert (
        kinds(extracted) == [("heading", "Head"), ("code", "print(1)"), ("code", "1")]
        and extracted.title == "Runs"
    )


# ---------------------------------------------------------------- archives


def test_an_archive_is_read_document_by_document_and_says_what_it_left_out() -> None:
    inner = packed({"deep.txt": "Deep words."})
    parts: dict[str, str | bytes] = {
        "a/one.txt": "One line of text.", "two.docx": docx(paragraph("Two.")),
        "photo.png": b"\x89PNG\r\n\x1a\n",
        "__MACOSX/x.txt": "no", ".hidden": "no", "more.zip": inner, "fake.pdf": "not a pdf",
    }  # fmt: skip
    extracted = read(packed(parts), "all.zip")
    assert extracted.text == "a/one.txt\n\nOne line of text.\n\ntwo.docx\n\nTwo."
    assert [b.heading_path for b in extracted.blocks if b.kind == "paragraph"] == [
        ("a/one.txt",),
        ("two.docx",),
    ]
    assert extracted.metadata["parts"] == 2
    unread = extracted.metadata["unread"]
    names = [str(part).split(":")[0] for part in unread]  # type: ignore[attr-defined]
    assert names == ["photo.png", "more.zip", "fake.pdf"]
    assert len({s.section_id for s in extracted.sections}) == len(extracted.sections)


def test_an_archive_has_its_own_name_and_date_not_those_of_its_first_document() -> None:
    parts: dict[str, str | bytes] = {
        "old.md": "---\ndate: 2016-07-08\n---\n\n# Old\n\nText.",
        "new.txt": "2 May 2021\n\nOther text.",
    }
    extracted = read(packed(parts), "council_papers.zip")
    assert extracted.title == "Council Papers" and "published" not in extracted.metadata
    assert read(packed(parts), "papers_2022-03-01.zip").metadata["published"] == "2022-03-01"


@each(
    ("parts", "reason"),
    [
        ({"a.png": b"\x89PNG\r\n\x1a\n"}, "contains no document that can be read; a.png"),
        ({}, "contains no document"),
        ({f"{n}.txt": "x" for n in range(1001)}, "limit is 1,000"),
        ({"bomb.txt": b" " * 80_000_000}, "beyond the limits"),
    ],
)
def test_an_archive_without_documents_is_refused(
    parts: dict[str, str | bytes], reason: str
) -> None:
    with pytest.raises(ParseError, match=reason):
        read(packed(parts), "a.zip")


def test_a_text_that_is_named_like_a_pdf_is_refused() -> None:
    with pytest.raises(ParseError, match=r"named \.pdf but is not in the PDF format"):
        read("not a pdf", "broken.pdf")
    assert read(pdf([[(72, 700, 10, "Words of a page.")]]), "no-name").text == "Words of a page."


def test_org_shows_what_emphasis_blocks_and_notes_hold() -> None:
    page = (
        "* Mills\nSee https://mill.example/ and /rye/ (*oats*), =*a* b= ~<<x_y>>~ <<here>> "
        "d/e/f. \\\\\nGo on.\n: key   meaning\n: a     grind\n"
        "#+begin_src org\n,* Mill\n,,* a\n#+end_src\n[fn:1] A note\ngoes on.\n"
    )
    assert kinds(read(page, "a.org")) == [
        ("heading", "Mills"),
        ("paragraph", "See https://mill.example/ and rye (oats), *a* b <<x_y>> d/e/f. Go on."),
        ("code", "key   meaning\na     grind"),
        ("code", "* Mill\n,* a"),
        ("footnote", "[1] A note goes on."),
    ]
