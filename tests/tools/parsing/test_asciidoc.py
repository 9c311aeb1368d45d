"""AsciiDoc keeps its structure, shows no markup, and loses no text where it is broken."""

import pytest

from tests.tables import each
from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.formats import parse
from tools.documents.parsers.text.asciidoc_words import Words
from tools.errors import ParseError


def read(text: str) -> Extracted:
    return parse(Request(text.encode(), "manual.adoc"))


def blocks(text: str) -> list[tuple[str, int, str]]:
    extracted = read(text)
    return [(str(b.kind), b.level, extracted.text[b.start : b.end]) for b in extracted.blocks]


PAGE = """= Cooling {place}
Ada Lee <ada@example.org>; Bo Chen
v1.2, 2021-03-02: first
:place: Towns
:url-guide: https://example.org/guide
:lang: en
:!unused:

// a comment
ifdef::env[]
The {place} *really* cool, see {url-guide}[the guide^], <<why,why>>
and xref:b.adoc#c[`start`].footnote:[As link:x[they] say.]
endif::[]
include::more.adoc[]

[[why]]
== Why _it_ helps ==

Setext form
~~~~~~~~~~~

NOTE: Mind the `cat --all`.

* tea
** green
+
Attached **para**.
+
[source,ruby]
----
puts "*x*" # <1>
----
<1> says it
* [x] cake
  goes on

. one
.. inner
. two

Terms:

fast:: Be quick.
-a::
--all::
	Everything
+
--
More of it.

- deep
--
slow::

Take time.

Literal:

  $ cool --now
    # done

[WARNING]
====
Hot.

Very.
====

[quote,Ada,"Book"]
____
Said _so_.
____

.Rain by month
[cols="1,2a",options="header"]
|===
|Month |Rain
|May
|3 +
wet

* very
.2+|June | 4
| `5 \\| 6` +\nor
|===

.Set
|====
|A |B

2+|both
2*|x
|====

[format=csv]
|===
a,"b, c"
|===

image::a.png[A picture of it]
image::b.png[pic]

////
hidden
////

....
literal *x*
....

'''
<<<
[stem]
++++
a^2
++++

[verse]
cool [--all]
cool <x>

The end.
"""


def test_a_page_keeps_its_structure() -> None:
    assert blocks(PAGE) == [
        ("heading", 1, "Cooling Towns"),
        ("paragraph", 0, "The Towns really cool, see the guide, why and start.[1]"),
        ("footnote", 0, "[1] As they say."),
        ("heading", 2, "Why it helps"), ("heading", 3, "Setext form"),
        ("paragraph", 0, "Note: Mind the cat --all."),
        ("list_item", 1, "tea"), ("list_item", 2, "green"), ("paragraph", 2, "Attached para."),
        ("code", 2, 'puts "*x*" # <1>'), ("list_item", 3, "says it"),
        ("list_item", 1, "cake goes on"),
        ("list_item", 2, "one"), ("list_item", 3, "inner"), ("list_item", 2, "two"),
        ("paragraph", 0, "Terms:"),
        ("list_item", 1, "fast: Be quick."), ("list_item", 1, "-a, --all: Everything"),
        ("paragraph", 1, "More of it."),
        ("list_item", 2, "deep"), ("list_item", 1, "slow: Take time."),
        ("paragraph", 0, "Literal:"),
        ("code", 0, "$ cool --now\n  # done"), ("paragraph", 0, "Warning: Hot."),
        ("paragraph", 0, "Very."),
        ("quotation", 0, "Said so."), ("quotation", 0, "— Ada, Book"),
        ("caption", 0, "Rain by month"),
        ("table_row", 0, "Month | Rain"), ("table_row", 0, "May | 3 wet very"),
        ("table_row", 0, "June | 4"),
        ("table_row", 0, "June | 5 ¦ 6 or"), ("caption", 0, "Set"), ("table_row", 0, "A | B"),
        ("table_row", 0, "both"),
        ("table_row", 0, "x | x"), ("table_row", 0, "a | b, c"), ("caption", 0, "A picture of it"),
        ("code", 0, "literal *x*"), ("equation", 0, "a^2"),
        ("paragraph", 0, "cool [--all]\ncool <x>"),
        ("paragraph", 0, "The end."),
    ]  # fmt: skip


def test_the_header_says_title_authors_date_and_language() -> None:
    extracted = read(PAGE)
    assert extracted.title == "Cooling Towns" and extracted.media_type == "text/asciidoc"
    assert {name: extracted.metadata.get(name) for name in ("authors", "published",
        "language")} == {
        "authors": ["Ada Lee", "Bo Chen"], "published": "2021-03-02", "language": "en",
    }  # fmt: skip
    with_author = read("= T\n:author: Cy Day\n:revdate: May 2020\n\nText.")
    assert (with_author.metadata["authors"], with_author.metadata["published"]) == (
        ["Cy Day"],
        "2020-05",
    )


def test_header_rows_and_markers_are_kept() -> None:
    extracted = read(PAGE)
    rows = [extracted.text[b.start : b.end] for b in extracted.blocks if b.header]
    assert rows == ["Month | Rain", "A | B"]
    assert "1. one\n    1. inner\n  2. two" in extracted.text and "<1> says it" in extracted.text


@each(
    ("source", "shown"),
    [
        (
            "*bold* _it_ **un**bound `*code*` #mark# [.role]#word# *_both_*",
            "bold it unbound *code* mark word both",
        ),
        (
            "a*b*c snake_case_name 2 * 3 * 4 C++ and C++",
            "a*b*c snake_case_name 2 * 3 * 4 C++ and C++",
        ),
        ("+*x*+ ++__y__++ `+a_b+` pass:[*z*] stem:[x^2]", "*x* __y__ a_b *z* x^2"),
        (
            "https://x.y/_a_[site^] https://x.y/_a_/b <https://z.y>",
            "site https://x.y/_a_/b https://z.y",
        ),
        (
            "link:a.html[b,window=_blank] xref:p.adoc#some_part[] mailto:a@b.c[Ann]",
            "b some part Ann",
        ),
        (
            "<<x>> <<_some_part>> <<y,the \nplace>> [[id]]text [[[B1]]]",
            "x some part the place text [B1]",
        ),
        (
            "kbd:[Ctrl+T] btn:[OK] menu:File[Save > As] linkgit:git-add[1]",
            "Ctrl+T OK File > Save > As git-add(1)",
        ),
        ("image:x.png[an icon of it] image:x.png[icon] icon:heart[]", "an icon of it"),
        ("\"`quoted`\" '`single`' it`'s ``old''", "“quoted” ‘single’ it’s “old”"),
        ("E=mc^2^ H~2~O 1^st^ HEAD^ HEAD~1", "E=mc^2 H2O 1st HEAD^ HEAD~1"),
        ("the `&#95;default` of a", "the _default of a"),
        ("{plus} {unknown} \\{name} ${HOME} a &amp; b", "+ {unknown} {name} ${HOME} a & b"),
        ("\\*star* \\link:a[b] ((term)) (((a,b)))x $((1+1))", "*star* link:a[b] term x $((1+1))"),
        (
            "use `+=` or `a+b` and `+`; xref::a/b.adoc[C] link:{x}/{y}/z[w] {u}/v[t]",
            "use += or a+b and +; C w t",
        ),
        ("xref:a.adoc[see link:b[c] d] `x +->+ /++*++`", "see c d x -> /*"),
        ("custom:target[words] custom:target[] foo:bar", "custom:target[words] target foo:bar"),
        ("\ue0007\ue001 `x`", "7\ue001 x"),
    ],
)
def test_inline_markup_becomes_the_words_it_shows(source: str, shown: str) -> None:
    assert Words().plain(source) == shown


def test_a_note_that_is_named_again_keeps_its_number() -> None:
    assert blocks("Afootnote:n[One `+*x*+`.] B.footnote:[Two.] C.footnote:n[]") == [
        ("paragraph", 0, "A[1] B.[2] C.[1]"), ("footnote", 0, "[1] One *x*."),
        ("footnote", 0, "[2] Two."),
    ]  # fmt: skip


@each(
    ("text", "expected"),
    [
        ("----\nnever ended\n", ["paragraph never ended"]),
        ("====\n* a\n+\n----\nopen", ["list_item a", "paragraph open"]),
        ("////\nno comment\n", ["paragraph no comment"]),
        ("|===\nno table", ["paragraph no table"]),
        ("|===\nbefore\n|a |b\n|c\n|===", ["paragraph before", "table_row a | b", "table_row c"]),
        ("term::\n", ["list_item term"]),
        ("[A sentence in brackets.]\n[source]\n", ["paragraph [A sentence in brackets.]"]),
        (
            "= A\nA long line of text, of 2020-01-01.\n",
            ["heading A", "paragraph A long line of text, of 2020-01-01."],
        ),
        ("text\n- no item\n= no heading", ["paragraph text - no item = no heading"]),
        ("1. Old heading\n--------------\ntext", ["heading 1. Old heading", "paragraph text"]),
        ("/// no comment\n", ["paragraph /// no comment"]),
    ],
)
def test_what_is_broken_or_not_understood_stays_as_text(text: str, expected: list[str]) -> None:
    assert [f"{kind} {shown}" for kind, _, shown in blocks(text)] == expected


def test_attributes_that_hold_each_other_stay_small() -> None:
    doubling = "".join(f":a{n}: {{a{n - 1}}}{{a{n - 1}}}\n" for n in range(1, 60))
    assert len(read(f":a0: word\n{doubling}\n{{a59}} end").text) < 5_000_000


def test_a_file_of_comments_alone_has_no_text() -> None:
    with pytest.raises(ParseError, match="no text"):
        read("// only\n:a: b\n")


def test_tables_within_cells_are_read_once() -> None:
    depth = 30
    opened = "".join(
        f"[separator={chr(0x4E00 + n)}]\n|{'=' * (3 + n)}\n{chr(0x4E00 + n)}a\n"
        for n in range(depth)
    )
    closed = "".join(f"|{'=' * (3 + n)}\n" for n in reversed(range(depth)))
    assert BlockKind.TABLE_ROW in {
        block.kind for block in read(f"[cols=a]\n{opened}{closed}").blocks
    }
