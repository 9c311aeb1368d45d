"""HTML to blocks: sentences as they stand on the page, lists, definitions, code, boxes, equations."""

# ruff: noqa: E501 -- example markup reads better on one line

from tests.tables import each
from tools.documents.model import BlockKind
from tools.documents.parsers.blocks import Composed, compose
from tools.documents.parsers.html.markup import blocks_of
from tools.documents.parsers.html.page import parse_tree


def composed(markup: str) -> Composed:
    return compose(blocks_of(parse_tree(f"<html><body>{markup}</body></html>").find("body")))


def texts(markup: str, kind: BlockKind | None = None) -> list[str]:
    page = composed(markup)
    return [page.text[b.start : b.end] for b in page.blocks if kind is None or b.kind == kind]


def contexts(markup: str, quote: str) -> list[str]:
    page = composed(markup)
    block = next(b for b in page.blocks if page.text[b.start : b.end] == quote)
    return [page.text[start:end] for start, end in block.context]


# The shapes of inline markup on manual pages, news pages and encyclopedias: markup, and the sentence that people see.
SENTENCES = [
    ("The <code>PRAGMA cache_size</code> setting is per connection.", "The PRAGMA cache_size setting is per connection."),
    ("Use <a href='x'>sqlite3_step()</a>, then check.", "Use sqlite3_step(), then check."),
    ("It is <em>never</em> safe.", "It is never safe."),
    ("It is <b>always</b><i>ish</i> safe.", "It is alwaysish safe."),
    ("An <a href='lang_insert.html'>INSERT</a>\n fails with an <a>SQLITE_FULL</a> error.", "An INSERT fails with an SQLITE_FULL error."),
    ("Set <code>a</code>/<code>b</code> to <code>1</code>.", "Set a/b to 1."),
    ("The option (<tt>-x</tt>) is <strong>required</strong>.", "The option (-x) is required."),
    ("Press <kbd>Ctrl</kbd>+<kbd>C</kbd> to stop.", "Press Ctrl+C to stop."),
    ("The <abbr title='World Health Organization'>WHO</abbr> agreed.", "The WHO agreed."),
    ("<mark>Only</mark> this is marked.", "Only this is marked."),
    ("She said <q>no</q> twice.", "She said “no” twice."),
    ("Line one<br>goes <br/>\n <i>on</i>", "Line one\ngoes\non"),
    ("A database may hold 2<sup>48</sup> bytes.", "A database may hold 2^48 bytes."),
    ("At most 2<sup><small>64</small></sup> rows.", "At most 2^64 rows."),
    ("Limited to 2<small><sup>31</sup></small>-1 bytes.", "Limited to 2^31-1 bytes."),
    ("The factor is 10<sup>-9</sup>.", "The factor is 10^-9."),
    ("It takes O(n<sup>2</sup>) steps.", "It takes O(n^2) steps."),
    ("It takes O(2<sup>n+1</sup>) steps.", "It takes O(2^(n+1)) steps."),
    ("An area of 5 km<sup>2</sup> burned.", "An area of 5 km^2 burned."),
    ("Water is H<sub>2</sub>O.", "Water is H2O."),
    ("Take x<sub>i</sub> from X.", "Take x_i from X."),
    ("In base 2 it is 101<sub>2</sub>.", "In base 2 it is 101_2."),
    ("On the 21<sup>st</sup> of May.", "On the 21st of May."),
    ("Le 1<sup>er</sup> mai.", "Le 1er mai."),
    ("Acme<sup>TM</sup> sells it.", "AcmeTM sells it."),
    ("It grew by 4%.<sup><a href='#cite_note-1'>[1]</a></sup> Then it fell.", "It grew by 4%.[1] Then it fell."),
    ("It grew.<sup><a href='#fn2'>2</a></sup>", "It grew.[2]"),
    ("The rule<sup><a href='#n'>a</a></sup> holds.", "The rule[a] holds."),
    ("Listed in precedence<sup>1</sup> order.", "Listed in precedence[1] order."),
    ("As noted.<sup>3</sup>", "As noted.[3]"),
    ("See note<sup>*</sup> below.", "See note* below."),
    ("It fell<sup class='reference'><a href='#c'><span>[</span>12<span>]</span></a></sup>.", "It fell[12]."),
    ("Sources differ<sup>1,2</sup> here.", "Sources differ[1,2] here."),
    ("A <span>word</span> in <span>spans</span>.", "A word in spans."),
    ("<span>Half</span>word", "Halfword"),
    ("An <u>under</u>lined word.", "An underlined word."),
    ("The <font color=red>old</font> way.", "The old way."),
    ("A <small>small</small> and <big>big</big> word.", "A small and big word."),
    ("Struck: <s>old price</s> new price.", "Struck: ~~old price~~ new price."),
    ("Deleted <del>not </del>shown.", "Deleted shown."),
    ("Added <ins>later</ins>.", "Added later."),
    ("The value <var>N</var> counts.", "The value N counts."),
    ("It prints <samp>done</samp>.", "It prints done."),
    ("A comment<!-- hidden --> inside.", "A comment inside."),
    ("A <!-- x -->split<!-- y --> word.", "A split word."),
    ("Zero\u200bwidth and soft\u00adhyphen.", "Zerowidth and softhyphen."),
    ("Non\u00a0breaking&nbsp;space.", "Non breaking space."),
    ("A long<wbr>word.", "A longword."),
    ("Entities: &lt;b&gt; &amp; &quot;q&quot;.", "Entities: <b> & \"q\"."),
    ("<cite>The Paper</cite> reported it.", "The Paper reported it."),
    ("The <dfn>term</dfn> is defined.", "The term is defined."),
    ("On <time datetime='2024-05-01'>1 May</time> it began.", "On 1 May it began."),
    ("Emoji <img class='emoji' alt='🙂'> stays.", "Emoji 🙂 stays."),
    ("A picture <img src='x.png' alt='a cat'> does not.", "A picture does not."),
    ("The <bdi>name</bdi> is <bdo dir=ltr>plain</bdo>.", "The name is plain."),
    ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> is read.", "漢kan is read."),
    ("Tags: <a>one</a><a>two</a>", "Tags: one two"),
    ("Run <code>a <b>bold</b> word</code> now.", "Run a bold word now."),
    ("The <a href='x'><code>open()</code></a> call<a href='y'>s</a>.", "The open() calls."),
    ("<svg><text>drawn</text></svg>Not drawn.", "Not drawn."),
]  # fmt: skip


@each(("markup", "sentence"), SENTENCES)
def test_a_sentence_reads_as_it_stands_on_the_page(markup: str, sentence: str) -> None:
    assert texts(f"<p>{markup}</p>") == [sentence]
    assert texts(f"<div>{markup}</div><div>Next.</div>") == [sentence, "Next."]
    assert texts(f"<ul><li>{markup}<ul><li>Inner.</li></ul></li></ul>") == [sentence, "Inner."]


def test_there_are_sixty_sentences() -> None:
    assert len(SENTENCES) == 60


def test_nested_lists_keep_their_levels_numbers_and_parents() -> None:
    markup = (
        "<p>To apply:</p><ol start=3><li>Fill in<ul><li>name<li>date</ul>and sign.</li><li value=7>Send</ol>"
        "<ol type=a><li>first</ol>"
    )
    page = composed(markup)
    assert (
        page.text == "To apply:\n\n3. Fill in\n  - name\n  - date\n\nand sign.\n\n7. Send\na. first"
    )
    assert contexts(markup, "name") == ["To apply:", "Fill in"]
    assert contexts(markup, "and sign.") == ["Fill in"]
    assert contexts(markup, "Send") == ["To apply:"]


def test_lists_that_skip_a_level_keep_the_right_parents() -> None:
    markup = "<ul><li>Italy<ul><li><ul><li>Piedmont<li>Liguria</ul></ul></ul>"
    assert contexts(markup, "Liguria") == ["Italy"]


def test_a_definition_is_read_with_its_term() -> None:
    markup = (
        "<p>Options:</p><dl><dt><b>-a</b></dt><dt><b>--all</b></dt><dd><p>Show all.</p><p>Also hidden ones.</p></dd>"
        "<dt>-x:</dt><dd>Exit.</dd><dt>-c</dt><dd><pre>cmd\n  -c</pre></dd><dt>alone</dt></dl>"
    )
    assert texts(markup)[1:] == [
        "-a, --all: Show all.",
        "Also hidden ones.",
        "-x: Exit.",
        "-c",
        "cmd\n  -c",
        "alone",
    ]
    assert contexts(markup, "-x: Exit.") == ["Options:"]
    assert contexts(markup, "Also hidden ones.") == ["-a, --all: Show all."]
    assert contexts(markup, "cmd\n  -c") == ["-c"]


def test_terms_of_nested_definitions_stay_apart() -> None:
    markup = "<dl><dt>Outer</dt><dd><dl><dt>Inner</dt><dd>Text.</dd></dl></dd></dl>"
    assert texts(markup) == ["Outer", "Inner: Text."]
    assert contexts(markup, "Inner: Text.") == ["Outer"]


def test_code_keeps_its_lines_and_has_its_introduction() -> None:
    markup = "<p>Run:</p><div><pre><code>a = 1\n\n  b = <b>2</b>\n</code></pre></div><p>Done.</p>"
    assert texts(markup) == ["Run:", "a = 1\n\n  b = 2", "Done."]
    assert texts(markup, BlockKind.CODE) == ["a = 1\n\n  b = 2"]
    assert contexts(markup, "a = 1\n\n  b = 2") == ["Run:"]


@each(
    "markup",
    [
        "<pre>a<br>b</pre>",
        "<code>a<br>b</code>",
        "<pre><div>a</div><div>b</div></pre>",
        "<pre><span class=line>a</span>\n<span class=line>b</span></pre>",
        "<pre class='line-numbers'>a\nb</pre>",
        "<table class=highlight><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre>a\nb</pre></td></tr></table>",
        "<pre><span class='lineno'>1 </span>a\n<span class='lineno'>2 </span>b</pre>",
    ],
)
def test_code_is_a_block_however_its_lines_are_marked(markup: str) -> None:
    assert texts(markup, BlockKind.CODE) == ["a\nb"] and texts(markup) == ["a\nb"]


def test_quotations_captions_and_footnotes_have_their_kind() -> None:
    assert texts("<blockquote><p>Ask early.</p></blockquote>", BlockKind.QUOTATION) == [
        "Ask early."
    ]
    assert texts(
        "<figure><img><figcaption>A <i>map</i>.</figcaption></figure>", BlockKind.CAPTION
    ) == ["A map."]
    notes = "<section class=footnotes><ol><li id=fn1><p>First note. <a href='#r'>↩</a></p><li>Second.</ol></section>"
    assert texts(notes, BlockKind.FOOTNOTE) == ["[1] First note. ↩", "[2] Second."]


def test_the_title_of_a_box_stands_before_its_text() -> None:
    box = "<div class='admonition warning'><p class='admonition-title'>Warning</p><p>It is <code>deleted</code>.</p></div>"
    assert texts(box) == ["Warning: It is deleted."]
    assert texts(
        "<div class='markdown-alert'><p class='markdown-alert-title'>Note</p><ul><li>a</ul></div>"
    ) == [
        "Note",
        "a",
    ]


def test_what_is_folded_away_is_read_with_its_summary() -> None:
    folded = "<details><summary>How do I <b>apply</b>?</summary><p>Write to us.</p><p>Or call.</p></details><p>After.</p>"
    assert texts(folded) == ["How do I apply? Write to us.", "Or call.", "After."]
    assert contexts(folded, "Or call.") == ["How do I apply? Write to us."]


@each(
    ("markup", "text"),
    [
        ("<math alttext='{\\displaystyle a^{2}+b^{2}=c^{2}}'><mi>x</mi></math>", "a^2+b^2=c^2"),
        ("<math><msup><mi>a</mi><mn>2</mn></msup><mo>+</mo><mfrac><mi>b</mi><mi>c</mi></mfrac></math>", "a^2 + b/c"),
        ("<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\frac{1}{2}\\pi r</annotation></semantics></math>", "1/2π r"),
        ("<img class='mwe-math-fallback-image-inline' alt='{\\displaystyle x\\leq y}' src='m.svg'>", "x≤ y"),
        ("<img src='https://example.org/latex.php?x' >", "[equation]"),
        ("<math></math>", "[equation]"),
        ("<span class=katex><span class='katex-mathml'><math alttext='x'></math></span><span class='katex-html' aria-hidden='true'>xx</span></span>", "x"),
        ("<script type='math/tex'>E = mc^2</script>", "E = mc^2"),
    ],
)  # fmt: skip
def test_an_equation_is_text_or_a_visible_mark(markup: str, text: str) -> None:
    assert texts(f"<p>{markup}</p>", BlockKind.EQUATION) == [text]
    assert texts(f"<p>It follows that {markup} holds.</p>", BlockKind.PARAGRAPH) == [
        f"It follows that {text} holds."
    ]


def test_two_line_breaks_part_paragraphs() -> None:
    assert texts("<div>One<br>line.<br><br>Two.<br> <br/>Three.</div>") == [
        "One\nline.",
        "Two.",
        "Three.",
    ]


BOLD = "<h2>Minutes</h2><p>Held online.</p><p><b>096/18 Elections</b></p><p>Two ran.</p>"


@each(
    ("markup", "headings"),
    [
        (BOLD, ["Minutes", "096/18 Elections"]),
        ("<p><b><i>Why</i> now?</b></p><p>Two ran.</p>", ["Why now?"]),
        (BOLD.replace("Elections", "Elections were held."), ["Minutes"]),
        (BOLD.replace("<b>", "On <b>"), ["Minutes"]),
        (BOLD.replace("</b>", "<br>later</b>"), ["Minutes"]),
        (BOLD.replace("<p>Two ran.</p>", "<h3>Two ran</h3>"), ["Minutes", "Two ran"]),
        (BOLD.replace("<p>Two ran.</p>", ""), ["Minutes"]),
        (
            BOLD.replace("<p>Two ran.</p>", "<table><tr><th>a<th>b<tr><td>1<td>2</table>"),
            ["Minutes"],
        ),
        ("<ul><li><p><b>One</b></p><p>Two ran.</p></ul>", []),
        ("<p><b>A</b></p><p>of</p><p><b>B</b></p><p>or</p><p><b>C</b></p><hr>", ["A", "B"]),
        ("<p><b>A</b></p><p><b>B</b></p><p><b>C</b></p><p>or</p>", []),
    ],
)
def test_a_bold_line_by_itself_is_a_heading_below_the_one_above(
    markup: str, headings: list[str]
) -> None:
    assert texts(markup, BlockKind.HEADING) == headings


def test_a_bold_line_above_a_table_is_its_caption() -> None:
    table = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    assert texts(BOLD.replace("<p>Two ran.</p>", table), BlockKind.CAPTION) == ["096/18 Elections"]


def test_a_bold_line_is_a_level_below_its_heading() -> None:
    assert [block.level for block in composed(BOLD).blocks] == [2, 0, 3, 0]
    above = "<p><b>For all</b></p><p>One ran.</p><h2>Two</h2><p>Two ran.</p>"
    assert composed(above).blocks[-1].heading_path == ("For all", "Two")
    assert composed(f"<p>For some.</p>{above}").blocks[-1].heading_path == ("Two",)


def test_a_heading_keeps_to_one_line_and_ends_even_when_it_is_not_closed() -> None:
    assert texts(
        "<h2><span>1. </span>Get <code>it</code><br>now<a class=headerlink href='#x'>¶</a></h2>"
    ) == ["1. Get it now"]
    assert texts("<h2><div>A</div><div>B</div></h2>", BlockKind.HEADING) == ["A B"]
    page = "<h3>Title<p>Text of a page.<p>More."
    assert texts(page, BlockKind.HEADING) == ["Title"] and texts(page, BlockKind.PARAGRAPH) == [
        "Text of a page.",
        "More.",
    ]


@each(
    "markup",
    ["<p>a<p>b<p>c", "<div>a<p>b</p>c</div>", "<ul>a<li>b</ul>c", "<section>a<hr>b<hr>c", "a<p>b</p>c", "<p>a</div></p><div>b</b></div>c"],
)  # fmt: skip
def test_broken_markup_loses_no_text_and_joins_nothing(markup: str) -> None:
    assert texts(markup) == ["a", "b", "c"]


def test_the_heading_of_a_docbook_note_labels_the_note_alone() -> None:
    note = "<div class='note'><h3 class='title'>Note</h3><p>Slowly.</p></div>"
    page = f"<h2>Rye</h2><p>It is ground.</p>{note}<p>Then sold.</p>"
    assert texts(page) == ["Rye", "It is ground.", "Note: Slowly.", "Then sold."]
