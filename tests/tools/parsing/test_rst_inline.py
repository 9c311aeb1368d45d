"""Inline markup, enumerations and examples of reStructuredText read as docutils shows them."""

from tests.tables import each
from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.formats import parse


def read(text: str) -> Extracted:
    return parse(Request(text.encode(), "manual.rst"))


@each(
    ("source", "shown"),
    [
        ("``__init__`` and `Task.__name__` stay", "__init__ and Task.__name__ stay"),
        ("remove __ne__ methods", "remove __ne__ methods"),
        ("see msgpack_ and other__.", "see msgpack and other."),
        ("in :file:`~/lock.*` and ``./**/*.py``", "in ~/lock.* and ./**/*.py"),
        ("*one* **two** \\*args a*b", "one two *args a*b"),
        ("a ``\\d+`` and \\\\d", "a \\d+ and \\d"),
        ("Emby_'s 'gapless_' a_-b, b_/[c_] {d_} <e_>", "Emby's 'gapless' a-b, b/[c] {d} <e>"),
        ("|Library| of |two words|_, a | b | c, x|y|z", "Library of two words, a | b | c, x|y|z"),
        ("``|a|`` in :doc:`/plugins/rewrite` and :doc:`it </a/b>`", "|a| in rewrite and it"),
        (":pep:`8`, :RFC:`2822`, :rfc:`mail <822>` :kbd:`a`", "PEP 8, RFC 2822, mail a"),
    ],
)
def test_inline_markup_becomes_the_words_it_shows(source: str, shown: str) -> None:
    assert read(f"Text: {source}").text == f"Text: {shown}"


def test_items_that_leave_their_number_to_be_counted_have_it() -> None:
    """https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#enumerated-lists"""
    extracted = read(
        "#. Open it.\n\n   #) Knock.\n   #) Wait.\n\n#. Go in.\n\nThen:\n\n#. Sit.\n\nOr:\n\n"
        "7. Stand.\n#. Bow.\n"
    )
    assert extracted.text.split("\n") == [
        "1. Open it.",
        *("  1) Knock.", "  2) Wait.", "2. Go in."),
        *("", "Then:", "", "1. Sit.", "", "Or:", "", "7. Stand.", "8. Bow."),
    ]


@each(
    ("source", "shown"),
    [
        ("a. Stand.\n#. Sit.\n#. Go.\n", "a. Stand.\nb. Sit.\nc. Go."),
        (">>> rules()\n#. Sit.\n", ">>> rules()\n#. Sit."),
        ("#. Sit.\n\n- Go.\n", "1. Sit.\n- Go."),
    ],
)
def test_items_are_counted_within_their_list(source: str, shown: str) -> None:
    assert read(source).text == shown


def test_a_line_that_begins_like_an_item_and_goes_on_at_the_margin_is_text() -> None:
    extracted = read(
        ".. _x:\n\nTerms\n=====\n\n3. You may copy\nand change it.\n\n1. one\n2. two\n\na) last\n  "
        " item\n"
    )
    blocks = [
        (block.kind, extracted.text[block.start : block.end]) for block in extracted.blocks[1:]
    ]
    assert blocks == [
        (BlockKind.PARAGRAPH, "3. You may copy and change it."),
        (BlockKind.LIST_ITEM, "one"),
        (BlockKind.LIST_ITEM, "two"),
        (BlockKind.LIST_ITEM, "last item"),
    ]


def test_an_interpreter_session_keeps_its_indented_lines() -> None:
    extracted = read(
        ".. _x:\n\nUse\n===\n\n>>> f({\n    'a': 1})\n{}\n\n.. parsed-literal::\n\n   :prompt:`>` "
        "*run*\n"
    )
    code = [extracted.text[b.start : b.end] for b in extracted.blocks if b.kind == BlockKind.CODE]
    assert code == [">>> f({\n    'a': 1})\n{}", "> run"]


def test_what_a_document_defines_stands_for_names_between_bars() -> None:
    text = read(
        ".. |tool| replace:: the *command*\n   line tool\n.. |badge| image:: a.png\n\n"
        "Use\n===\n\n"
        "|badge| Take |tool|.\n\n::\n\n  |tool|\n"
    ).text
    assert text == "Use\n\nTake the command line tool.\n\n|tool|"


def test_options_of_a_setting_are_text() -> None:
    extracted = read(
        "Use\n===\n\n.. conf:: overwrite\n    :default: ``no``\n    :type: bool\n\n    "
        "Write anew.\n\n.. confval:: name\n   :required:\n\n.. py:data:: LIMIT\n"
        "   :value: 3\n   :noindex:\n"
    )
    assert [extracted.text[b.start : b.end] for b in extracted.blocks] == [
        "Use",
        "overwrite (type: bool, default: no): Write anew.",
        "name (required)",
        "LIMIT (value: 3)",
    ]


def test_what_stands_in_pages_only_is_read() -> None:
    extracted = read(
        "Use\n===\n\n.. only:: html\n\n   Again\n   -----\n\n   Go.\n\n"
        ".. only:: man or latex\n\n   Both.\n\n"
        ".. only:: latex\n\n   C.\n\n.. only:: not html\n\n   D.\n\n"
        "- One\n\n  .. only:: html\n\n     Each.\n"
    )
    assert extracted.text == "Use\n\nAgain\n\nGo.\n\nBoth.\n\n- One\n\nEach."


def test_lists_and_fields_of_a_definition_stand_below_its_term() -> None:
    extracted = read(
        "Use\n===\n\nText.\n\nimport\n    :lib: the library\n\n"
        "export\n    It writes.\n\n    - one\n"
    )
    assert [
        (b.level, extracted.text[b.start : b.end])
        for b in extracted.blocks
        if b.kind == BlockKind.LIST_ITEM
    ] == [(1, "import"), (2, "lib: the library"), (1, "export: It writes."), (2, "one")]


def test_the_name_of_a_style_is_no_text() -> None:
    page = b"Mills\n=====\n\n.. rst-class:: compact\n\n* Rye\n\n.. container:: box\n\n   Oats\n"
    assert parse(Request(page, "a.rst")).text == "Mills\n\n- Rye\n\nOats"


def test_a_note_numbered_by_the_page_has_no_label() -> None:
    page = (
        b"Mills\n=====\n\nGrind [#rye]_ slowly [#]_. See [2]_ and [Lee]_.\n\n"
        b".. [#rye] Of Rye.\n.. [#] Very.\n.. [2] Oats.\n"
    )
    assert parse(Request(page, "a.rst")).text == (
        "Mills\n\nGrind slowly. See [2] and [Lee].\n\nOf Rye.\n\nVery.\n\n[2] Oats."
    )


def test_cells_of_a_drawn_table_that_span_rows_stand_in_each() -> None:
    page = b"""\
+-------+------------+----------+
| Old   | New        | Since    |
+=======+============+==========+
| sdist | build      | 3.1      |
+-------+ alone      +----------+
| wheel |            | 3.2      |
+-------+------------+----------+
| none  | Kept as it is         |
+-------+-----------------------+
"""
    assert parse(Request(page, "a.rst")).text.split("\n") == [
        "Old | New | Since",
        "sdist | build alone | 3.1",
        "wheel | build alone | 3.2",
        "none | Kept as it is |",
    ]


def test_a_label_stands_for_its_heading_or_caption() -> None:
    page = """\
.. _mills:

.. _Rye mills:

1. Mills
========

See :ref:`stones` and :numref:`fig_stones`, :ref:`mills`, :ref:`rye mills`, :ref:`elsewhere`.

.. _stones:

The *upper* stone
-----------------

.. _fig_stones:

.. figure::
   ../images/stones.*
   :alt: Two stones
      of a mill

   Stones of granite. They turn slowly.

   More of it.

.. todo:: Draw it again.
"""
    assert read(page).text.split("\n\n") == [
        "1. Mills",
        "See The upper stone and Stones of granite, 1. Mills, 1. Mills, elsewhere.",
        "The upper stone",
        "Stones of granite. They turn slowly. More of it.",
    ]


def test_a_note_behind_an_escaped_blank_leaves_the_words_apart() -> None:
    assert read("At mill.example\\ [#]_ or *rye*\\ s").text == "At mill.example or ryes"


def test_a_table_that_is_drawn_askew_stays_as_it_stands() -> None:
    wide = "+------+----+\n| 名前 | 値 |\n+------+----+\n| ✅ a | 1  |\n+------+----+\n"
    askew = "+------+-----+\n| Name | Val  |\n+------+-----+\n| rye  | long |\n+------+-----+\n"
    assert read(wide).text == "名前 | 値\n✅ a | 1"
    assert read(askew).text == "| Name | Val  |\n| rye  | long |"
    assert [block.kind for block in read(askew).blocks] == [BlockKind.CODE]


def test_fields_of_a_description_behind_an_empty_line_are_text() -> None:
    described = ".. function:: f(x)\n\n   :param x: the corn\n      of a year\n\n   It turns.\n"
    text = read(f"Mills\n=====\n\nSee:\n\n{described}").text
    assert "the corn of a year" in text and "It turns." in text


def test_several_terms_of_a_glossary_have_one_meaning() -> None:
    page = (
        ".. glossary::\n   :sorted:\n\n   mill\n   mills\n\n       It grinds.\n\n   stone\n"
        "       It turns.\n\n       Slowly.\n"
    )
    assert read(page).text == "- mill, mills: It grinds.\n- stone: It turns.\n\nSlowly."


def test_what_stands_in_an_item_is_no_context_of_the_next() -> None:
    """Directives below an item are parts of it."""
    page = (
        "Set:\n\n.. py:data:: RYE\n\n   How much.\n\n   .. versionchanged:: 2.3\n      No more.\n\n"
        ".. py:data:: OATS\n\n   How few.\n"
    )
    extracted = read(page)
    oats = extracted.blocks[-1]
    assert extracted.text[oats.start : oats.end] == "OATS: How few."
    assert [extracted.text[start:end] for start, end in oats.context] == ["Set:"]


@each(
    ("source", "shown"),
    [
        (
            ".. versionadded:: 2.1  ``rye`` is no longer\n   needed",
            "New in version 2.1: rye is no longer needed",
        ),
        (".. versionadded:: 3.1", "New in version 3.1"),
        (".. seealso::\n\n   :doc:`oats`", "See also: oats"),
        (".. note::\n   Mind it.\n\n   - a", "Note: Mind it.\n\n- a"),
        (".. change::\n      :tags: bug\n\n   It is mended.", "It is mended."),
        ("* Rye::\n\n      grind()\n* Oats", "- Rye:\n\ngrind()\n\n- Oats"),
        (":class:`.Mill` :class:`~a.Stone` :file:`./x` :meth:`!go`", "Mill Stone ./x go"),
        (".. unknown:: Words\n\n   More.", "Words\n\nMore."),
        (".. automodule:: mill\n   :members:\n\nText", "Text"),
        ("..  note::\n    Mind it.", "Note: Mind it."),
        (".. versionchanged:: 3.1\n\n   - list", "Changed in version 3.1\n\n- list"),
        (".. code-block::\n\n   :rye: bar\n   x", ":rye: bar\nx"),
        (".. option:: --rye_\n\n   Go.", "- --rye_: Go."),
        (".. py:function:: rye(class_, *oats)", "- rye(class_, *oats)"),
        (".. epigraph::\n\n   First.\n\n   Second.\n\n   -- Me", "First. Second. -- Me"),
        (
            ".. csv-table:: 1. Rye\n   :header: A. Smith, -\n\n   *.txt, 1.",
            "1. Rye\n\nA. Smith | -\n*.txt | 1.",
        ),
        (
            ".. list-table::\n\n   * - Rye.\n\n       Oats.\n     - .. code:: c\n\n          f()",
            "Rye. Oats. | f()",
        ),
        (":math:`\\frac{1}{2}` :file:`C:\\Temp` :ref:`a \\<b>`", "\\frac{1}{2} C:\\Temp a"),
        ("-f FILE, --file=FILE  read it", "- -f FILE, --file=FILE: read it"),
        (
            "A. one\nB. two\n\nText\n\niii) two\niv) three",
            "A. one\nB. two\n\nText\n\niii) two\niv) three",
        ),
        (
            "+-------+-------+\n| - rye | *.txt |\n| - oat |       |\n+-------+-------+",
            "rye oat | *.txt",
        ),
        (".. only:: html\n\n      Quote.\n\n   Then this.", "Quote.\n\nThen this."),
        ("|a| |b|\n\n.. |a| replace:: |b| c\n.. |b| replace:: |a|", "b c a"),
        (".. _oats:\n.. comment\n\nOats\n----\n\n:ref:`oats`", "Oats\n\nOats"),
        (".. [1]\n.. [2] *.txt", "[1]\n\n[2] *.txt"),
        ("Rye\n---\n\nMills\n++++\n\nOats\n----", "Rye\n\nMills\n\nOats"),
    ],
)
def test_directives_and_roles_of_extensions_are_shown(source: str, shown: str) -> None:
    assert read(f"Mills\n=====\n\n{source}\n").text == f"Mills\n\n{shown}"


def test_what_is_nested_too_deeply_is_read_as_plain_text() -> None:
    deep = "".join(f"{'  ' * n}- a\n\n" for n in range(300))
    for page in (deep, f"Mills\n=====\n\n{'rye ' * 3000}"):
        assert read(page).extractor.startswith("zorora-text")


def test_what_stands_in_an_inner_item_stays_in_it() -> None:
    extracted = read("1. Rye\n\n   - Oats\n\n     More.\n")
    assert [block.level for block in extracted.blocks] == [1, 2, 2]


def test_a_long_cell_stands_whole_where_it_is_not_repeated() -> None:
    long = "rye " * 400
    page = f"======  =======\nA       B\n======  =======\nc       {long}\n======  =======\n"
    assert read(page).text.count("rye") == 400
