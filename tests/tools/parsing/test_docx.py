"""Word documents: equations, tracked changes, notes at their place, numbered lists, merged cells,
large books."""

import resource
import time

import pytest

from tests.tables import each
from tests.tools.parsing.making import docx, packed, paragraph
from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.formats import parse
from tools.documents.parsers.office.equations import equation_text

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def read(data: bytes) -> Extracted:
    return parse(Request(data, "a.docx"))


def kinds(extracted: Extracted) -> list[tuple[str, str]]:
    return [(str(b.kind), extracted.text[b.start : b.end]) for b in extracted.blocks]


def part(body: str, root: str) -> str:
    return f'<w:{root} xmlns:w="{W}" xmlns:m="{M}">{body}</w:{root}>'


def document(body: str, **parts: str) -> bytes:
    """A Word document with further parts: numbering=..., footnotes=..., styles=..."""
    members = {f"word/{name}.xml": part(text, name) for name, text in parts.items()}
    return packed(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": part(f"<w:body>{body}</w:body>", "document"),
        }
        | members
    )


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def math(inner: str) -> str:
    return f"<w:p><m:oMath>{inner}</m:oMath></w:p>"


def t(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def power(base: str, exponent: str) -> str:
    return f"<m:sSup><m:e>{base}</m:e><m:sup>{exponent}</m:sup></m:sSup>"


@each(
    ("inner", "text"),
    [
        (
            power(t("a"), t("2")) + t("+") + power(t("b"), t("2")) + t("=") + power(t("c"), t("2")),
            "a^2 + b^2 = c^2",
        ),
        (f"<m:f><m:num>{t('x+1')}</m:num><m:den>{t('2a')}</m:den></m:f>", "(x + 1)/(2a)"),
        (power(f"<m:f><m:num>{t('a')}</m:num><m:den>{t('b')}</m:den></m:f>", t("2")), "(a/b)^2"),
        (
            f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>{t("x")}</m:e></m:rad>',
            "sqrt(x)",
        ),
        (f"<m:rad><m:deg>{t('3')}</m:deg><m:e>{t('x')}</m:e></m:rad>", "root(3, x)"),
        (
            "<m:nary><m:naryPr><m:chr "
            f'm:val="∑"/></m:naryPr><m:sub>{t("i=1")}</m:sub><m:sup>{t("n")}</m:sup>'
            f"<m:e>{t('x')}</m:e></m:nary>",
            "∑_(i = 1)^n x",
        ),
        (f"<m:d><m:e>{t('a')}</m:e><m:e>{t('b')}</m:e></m:d>", "(a | b)"),
        (f"<m:func><m:fName>{t('sin')}</m:fName><m:e>{t('x')}</m:e></m:func>", "sin x"),
        (f'<m:acc><m:accPr><m:chr m:val="̂"/></m:accPr><m:e>{t("x")}</m:e></m:acc>', "x\u0302"),
        (f"<m:m><m:mr><m:e>{t('1')}</m:e><m:e>{t('0')}</m:e></m:mr></m:m>", "[1, 0]"),
        ("", "[equation]"),
    ],
)
def test_equations_become_readable_text(inner: str, text: str) -> None:
    assert kinds(read(document(paragraph("Before.") + math(inner))))[1] == ("equation", text)


def test_mathml_reads_like_the_equations_of_word() -> None:
    from lxml import etree

    source = (
        "<math xmlns='http://www.w3.org/1998/Math/MathML'><semantics><mrow><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>=</mo>"
        "<msqrt><msup><mi>x</mi><mn>2</mn></msup></msqrt></mrow><annotation>\\frac</annotation></semantics></math>"
    )
    assert equation_text(etree.fromstring(source)) == "a/b = sqrt(x^2)"


def test_an_equation_inside_a_sentence_stays_in_it() -> None:
    body = (
        f"<w:p>{run('Where ')}<m:oMath>{power(t('x'), t('2'))}</m:oMath>{run(' is large.')}</w:p>"
    )
    assert read(document(body)).text == "Where x^2 is large."


def test_tracked_changes_are_resolved() -> None:
    body = (
        f"<w:p>{run('The fee is ')}<w:del><w:r><w:delText>10</w:delText></w:r></w:del>"
        f"<w:ins>{run('12')}</w:ins>{run(' euros.')}</w:p>"
        f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{run('Two paragraphs ')}</"
        f"w:p><w:p>{run('that became one.')}</w:p>"
        f"<w:p><w:moveFrom>{run('moved away')}</w:moveFrom><w:moveTo>{run('moved here')}</"
        "w:moveTo></w:p>"
        "<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>gone</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    )
    assert (
        read(document(body)).text
        == "The fee is 12 euros.\n\nTwo paragraphs that became one.\n\nmoved here"
    )


def test_hidden_text_and_instructions_are_left_out_and_superscripts_are_kept() -> None:
    raised = '<w:vertAlign w:val="superscript"/>'
    body = (
        f"<w:p>{run('seen')}{run(' hidden', '<w:vanish/>')}<w:r><w:instrText>PAGEREF "
        "x</w:instrText></w:r>"
        f"{run(' 10')}{run('-3', raised)}{run('nd', raised)}</w:p>"
    )
    assert read(document(body)).text == "seen 10⁻³nd"


def test_notes_stand_behind_the_paragraph_that_refers_to_them() -> None:
    body = (
        f"<w:p>{run('First claim.')}<w:r><w:footnoteReference "
        f'w:id="2"/></w:r></w:p><w:p>{run("Second claim.")}'
        '<w:r><w:footnoteReference w:id="3"/></w:r></w:p>'
    )
    notes = "".join(
        f'<w:footnote w:id="{n}"><w:p>{run(text)}</w:p></w:footnote>'
        for n, text in ((2, "Why."), (3, "How."))
    )
    assert kinds(read(document(body, footnotes=notes))) == [
        ("paragraph", "First claim.¹"), ("footnote", "¹ Why."), ("paragraph", "Second claim.²"),
        ("footnote", "² How.")
    ]  # fmt: skip


NUMBERING = """
<w:abstractNum w:abstractNumId="0">
 <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
 <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
 <w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="0"/>
 <w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
"""  # noqa: E501


def item(text: str, number: int, level: int = 0) -> str:
    numbered = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{numbered}</w:pPr>{run(text)}</w:p>"


def test_lists_have_their_numbers_and_levels() -> None:
    body = (
        paragraph("Do this:") + item("one", 1) + item("one a", 1, 1) + item("one b", 1,
            1) + item("two", 1)
        + paragraph("Again:") + item("first", 3) + item("dot", 2) + item("out of the list", 0)
    )  # fmt: skip
    extracted = read(document(body, numbering=NUMBERING))
    assert extracted.text == (
        "Do this:\n\n1. one\n  1.a) one a\n  1.b) one b\n2. two\n\nAgain:\n\n1. first\n- dot\n\n"
        "out of the list"
    )
    nested = next(b for b in extracted.blocks if extracted.text[b.start : b.end] == "one b")
    assert [extracted.text[start:end] for start, end in nested.context] == ["Do this:", "one"]


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def test_merged_cells_stand_in_every_row_and_column_they_span() -> None:
    wide, first, more = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    head = "<w:trPr><w:tblHeader/></w:trPr>"
    rows = (
        f"<w:tr>{head}{cell('Town')}{cell('Trees', wide)}</"
        f"w:tr><w:tr>{head}{cell('')}{cell('old')}{cell('new')}</w:tr>"
        f"<w:tr>{cell('Aville', first)}{cell('1')}{cell('2')}</"
        f"w:tr><w:tr>{cell('', more)}{cell('3')}{cell('4')}</w:tr>"
    )
    extracted = read(document(f"<w:tbl>{rows}</w:tbl>"))
    assert extracted.text == "Town | Trees | Trees\n| old | new\nAville | 1 | 2\nAville | 3 | 4"
    last = extracted.blocks[-1]
    assert [extracted.text[start:end] for start, end in last.context] == [
        "Town | Trees | Trees",
        "| old | new",
    ]


def test_a_frame_around_text_is_no_table() -> None:
    frame = (
        f"<w:tbl><w:tr><w:tc>{paragraph('Note well.')}{paragraph('It matters.')}</w:tc></"
        "w:tr></w:tbl>"
    )
    assert kinds(read(document(frame))) == [
        ("paragraph", "Note well."),
        ("paragraph", "It matters."),
    ]


def test_lines_in_the_style_of_code_are_one_block_and_captions_are_captions() -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{n}"><w:name w:val="{name}"/></w:style>'
        for n, name in enumerate(["Source Code", "caption", "Quote", "heading 2"])
    )
    body = paragraph("Scope", "s3") + paragraph("import sys", "s0") + paragraph("sys.exit()", "s0")
    body += paragraph("Table 1", "s1") + paragraph("Said so.", "s2")
    assert kinds(read(document(body, styles=styles))) == [
        ("heading", "Scope"), ("code", "import sys\nsys.exit()"), ("caption", "Table 1"),
        ("quotation", "Said so.")
    ]  # fmt: skip


def test_bold_lines_are_the_headings_of_a_document_without_styles() -> None:
    body = (
        f"<w:p>{run('Purpose', '<w:b/>')}</w:p>"
        + paragraph("It is this. " * 9)
        + f"<w:p>{run('THE FEES')}</w:p>"
    )
    body += paragraph("They are these. " * 9) * 3
    headings = [
        (b.kind, b.level) for b in read(document(body)).blocks if b.kind == BlockKind.HEADING
    ]
    assert headings == [(BlockKind.HEADING, 3), (BlockKind.HEADING, 2)]


def test_a_text_box_follows_the_paragraph_that_holds_it_and_is_read_once() -> None:
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    shape = (
        "<mc:AlternateContent "
        'xmlns:mc="x"><mc:Choice>{}</mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>'
    )
    both = shape.format(f"<w:drawing>{box}</w:drawing>", f"<w:pict>{box}</w:pict>")
    assert (
        read(document(f"<w:p>{run('Around it.')}<w:r>{both}</w:r></w:p>")).text
        == "Around it.\n\nIn the box."
    )


@pytest.mark.lab
def test_a_document_of_900_pages_costs_seconds_and_little_memory() -> None:
    text = (
        "The committee looked at the matter again and decided what had to be done about it in the "
        "end. " * 5
    )
    body = (paragraph("Part", "Heading1") + paragraph(text) * 5 + item("point", 1) * 3) * 900
    data = docx(body)
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    extracted = read(data)
    assert len(extracted.text) > 2_000_000 and len(extracted.blocks) == 900 * 9
    assert time.process_time() - started < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000
