"""Tags of template languages in Markdown are no text."""

import pytest

from tests.tables import each
from tools.documents.model import Request
from tools.documents.parsers.formats import parse


def test_tags_of_templates_are_left_out() -> None:
    page = (
        b'Use it.\n\n{{ example({ group: "a", item: "b" }) }}\n\n{% include "a.md" %}\n\nEnd {{ '
        b"here }}."
    )
    text = parse(Request(page, "page.md")).text
    assert text == "Use it.\n\nEnd ."


def test_code_keeps_braces_and_comments() -> None:
    page = (
        b"Run `docker inspect -f '{{ .State }}' x` {{ here }}.\n\n"
        b"1. Then:\n\n   ```yaml\n   key: ${{ secrets.KEY }} <!-- kept -->\n   ```\n\n<!-- not "
        b"this -->\n\nEnd."
    )
    text = parse(Request(page, "a.md")).text
    assert "docker inspect -f '{{ .State }}' x ." in text
    assert "key: ${{ secrets.KEY }} <!-- kept -->" in text
    assert "here" not in text and "not this" not in text


def test_a_heading_of_a_template_gives_way_to_the_title() -> None:
    page = parse(
        Request(b"---\ntitle: Alerts\n---\n# <%= page.data.title %>\n\n## Who\n\nYou.", "a.md")
    )
    assert (page.title, page.text) == ("Alerts", "Who\n\nYou.")
    assert "Do not ask" in parse(Request(b"<%= warning('Do not ask') %> Now.", "a.md")).text


def test_boxes_and_attributes_of_pandoc_are_no_text() -> None:
    page = (
        "# Using rm {#rm .unnumbered}\n\n:::::::: challenge\n\n[pipe]{#pipe} joins.\n\n"
        "![A tree](tree.png){alt='Like other\ndirectories'}\n\nUse {braces} and `code {#x}`.\n\n"
        ':::note Mind the gap\nIt is wide.\n:::\n\n::: {.callout-tip collapse="true"}\nA tip.\n'
        ":::\n\n"
        '[link](a.md){target="_blank"} ends.\n\n::::::::\n\nstd ::: odd\n\n```\n::: kept {#here}\n'
        "```\n"
    )
    assert parse(Request(page.encode(), "a.md")).text == (
        "Using rm\n\npipe joins.\n\nA tree\n\nUse {braces} and code {#x}.\n\nMind the gap:\n\nIt "
        "is wide.\n\n"
        "A tip.\n\nlink ends.\n\nstd ::: odd\n\n::: kept {#here}"
    )


def test_attributes_of_kramdown_are_no_text_and_markdown_within_elements_is_read() -> None:
    page = (
        'A vein{: data-type="term"} carries blood. Write `{: .class}`.\n{: .lead}\n\n'
        '<div class="note" markdown="1">\n### Terms\n\nvein\n: It leads to the heart.\n^\n</div>\n'
        "\n"
        "![It&#x2019;s a heart](heart.png){: #figure}\n"
    )
    extracted = parse(Request(page.encode(), "a.md"))
    assert extracted.text == (
        "A vein carries blood. Write {: .class}.\n\nTerms\n\n- vein: It leads to the heart.\n\n"
        "It’s a heart"
    )
    assert [block.kind for block in extracted.blocks] == [
        "paragraph",
        "heading",
        "list_item",
        "caption",
    ]


@pytest.mark.parametrize(
    "mark",
    ["* Table of Contents\n{:toc}", "1. TOC\n{: toc levels=1..2 }", "[TOC]", "[[_TOC_]]"],
)
def test_the_place_of_a_table_of_contents_is_no_text(mark: str) -> None:
    page = f"Before.\n\n{mark}\n\nBehind, as the [toc] of `{{:toc}}` says."
    extracted = parse(Request(page.encode(), "a.md"))
    assert extracted.text == "Before.\n\nBehind, as the [toc] of {:toc} says."


def test_a_picture_is_a_caption_where_it_stands_alone_and_words_elsewhere() -> None:
    page = (
        b"![Bean soup in a bowl](soup.jpg)\n[![A blue bowl](a.png)](b.html)\n\n"
        b"Stir ![a wooden spoon](s.png) well.\n\n![](x.png) ![soup](soup.jpg)\n"
    )
    extracted = parse(Request(page, "a.md"))
    assert [(b.kind, extracted.text[b.start : b.end]) for b in extracted.blocks] == [
        ("caption", "Bean soup in a bowl"),
        ("caption", "A blue bowl"),
        ("paragraph", "Stir a wooden spoon well."),
    ]


def test_a_tag_may_go_on_in_the_next_line() -> None:
    page = (
        b'Come to the [series]({{ site.baseurl\n  }}/series.html) {% include "a.md"\n  b: 1 %}soon.'
    )
    assert parse(Request(page, "a.md")).text == "Come to the series soon."


def test_components_of_mdx_are_no_text_and_what_they_hold_is_read() -> None:
    page = (
        "---\ntitle: Fonts\ndescription: >-\n  Add a typeface\n  to a page of yours.\n---\n"
        "import { Steps } from '@site/parts';\nexport const size = 3\n\n{/* for translators */}\n"
        '<Tabs\n  syncKey="os"\n>\n  <TabItem label="One">\n    Take **one**.\n  </TabItem>\n'
        "</Tabs>\n\n"
        ":::tip[Cheap]\nUse `<Font />`.\n:::\n\n<Steps>\n1. Open it.\n2. Add `import a from "
        "'b';`.\n</Steps>\n"
    )
    extracted = parse(Request(page.encode(), "fonts.mdx"))
    assert extracted.text == (
        "Add a typeface to a page of yours.\n\nTake one.\n\nCheap:\n\nUse <Font />.\n\n"
        "1. Open it.\n2. Add import a from 'b';."
    )
    assert (extracted.title, extracted.metadata["description"]) == (
        "Fonts",
        "Add a typeface to a page of yours.",
    )


def test_a_summary_that_the_text_begins_with_is_read_once() -> None:
    summary = "description: Add one of the typefaces to a page of yours.\n"
    page = f"---\n{summary}---\nAdd one of the\n[typefaces](a.md) to a page of yours. Then look."
    assert parse(Request(page.encode(), "a.md")).text == (
        "Add one of the typefaces to a page of yours. Then look."
    )


def test_the_kind_of_an_alert_begins_its_text() -> None:
    page = (
        "> [!WARNING]\n> Mind the gap.\n\n> [!note]- Trains\n> They pass.\n\n"
        "> [!faq] Is it so?\n> Yes.\n\n> [!tip] Stand back.\n\nIn [!NOTE] text."
    )
    assert parse(Request(page.encode(), "a.md")).text == (
        "Warning: Mind the gap.\n\nTrains: They pass.\n\nIs it so? Yes.\n\nStand back.\n\n"
        "In [!NOTE] text."
    )


def test_links_and_marks_of_notes_are_shown_as_their_program_shows_them() -> None:
    page = (
        "See [[Import from Notion|Notion]], [[Sync#Plans]] and [[#Costs]]. ![[Cat.png|100]]\n\n"
        "This is ==very important== where a == b and c == d. %% not yet %% End. ^a1b2c3\n\n"
        "^sync-regions\n\n"
        "Cited [[1]](a.md), [[2]]. Write `[[x]]` or `==x==`, %%time or %%timeit, 10 ^6\n\n"
        "| A |\n|---|\n| [[Page\\|words]] 2^10 |\n\n```\n[[package]]\n```\n"
    )
    assert parse(Request(page.encode(), "a.md")).text == (
        "See Notion, Sync > Plans and Costs.\n\n"
        "This is very important where a == b and c == d. End.\n\n"
        "Cited [1], [[2]]. Write [[x]] or ==x==, %%time or %%timeit, 10 ^6\n\n"
        "A\nwords 2^10\n\n[[package]]"
    )


def test_indented_boxes_and_tabs_are_text_under_their_titles() -> None:
    page = (
        '!!! warning "Mind the gap"\n    It is **wide**.\n\n    ```sh\n    step --over\n    ```\n\n'
        "1. Wait.\n\n    ???+ note\n\n        Trains pass.\n\n"
        '=== "Linux"\n    Take the bus.\n\n    ??? "More"\n        Line 7.\n=== "Windows"\n    '
        "Walk.\n\n"
        "Wow!\n\n!!! Important news\n\nStay.\n\n```\n!!! note\n    kept\n```\n"
    )
    extracted = parse(Request(page.encode(), "a.md"))
    assert extracted.text == (
        "Mind the gap:\n\nIt is wide.\n\nstep --over\n\n1. Wait.\n\nTrains pass.\n\nLinux:\n\nTake "
        "the bus.\n\n"
        "More:\n\nLine 7.\n\nWindows:\n\nWalk.\n\nWow!\n\n!!! Important news\n\nStay.\n\n!!! note\n"
        "    kept"
    )
    kinds = [block.kind for block in extracted.blocks]
    assert (
        kinds[:5] == ["paragraph", "paragraph", "code", "list_item", "paragraph"]
        and kinds[-1] == "code"
    )


def test_each_abbreviation_is_an_item_with_its_meaning() -> None:
    extracted = parse(
        Request(
            b"Ask the CPU.\n\n*[CPU]: Central processing unit\n*[OS]: Operating system\n", "a.md"
        )
    )
    assert (
        extracted.text == "Ask the CPU.\n\n- CPU: Central processing unit\n- OS: Operating system"
    )


def test_directives_of_myst_leave_what_they_hold() -> None:
    text = (
        "(start-here)=\n# Start\n\nRead {ref}`the guide <guide>` and press {kbd}`Ctrl`; `{name}` "
        "and `b` are code.\n\n"
        ":::{note} Keep\n:class: wide\na copy.\n:::\n\n"
        "````{tab-set}\n```{tab-item} Linux\n:sync: one\nRun this:\n```\n````\n\n"
        "```{code-block} python\n:caption: Sum\nprint(1)\n:not: an option\n```\n\n"
        "```{toctree}\n:hidden:\nother-page\n```\n\n"
        "```{figure} road.png\n---\nname: road\nalt: A road\n---\nThe road {cite:ps}`Doe2020`.\n"
        "```\n\n"
        "```{glossary}\nABI\nInterface\n    What it means.\n\nTerm\n: Another.\n```\n\n"
        "```\n:plain: code\n(kept)=\n```\n"
    )
    assert parse(Request(text.encode(), "a.md")).text == (
        "Start\n\nRead the guide and press Ctrl; {name} and b are code.\n\nKeep\n\na copy.\n\n"
        "Linux:\n\nRun this:\n\n"
        "print(1)\n:not: an option\n\nThe road.\n\n"
        "- ABI, Interface: What it means.\n- Term: Another.\n\n:plain: code\n(kept)="
    )


def test_breaks_of_myst_are_no_text() -> None:
    page = b'One.\n\n+++ {"part": "end"}\n\nTwo.\n+++\nThree, +++ kept.\n\n```\n+++\n```\n'
    shown = "One.\n\nTwo.\n\nThree, +++ kept.\n\n+++"
    assert parse(Request(page, "a.md")).text == shown


def test_markdown_within_elements_of_mdx_is_read() -> None:
    page = (
        b'<section id="a">\n  ## Mills\n</section>\n\nThey <span>\ngrind.\n\n'
        b"```\n<div>\n## Kept\n```\n"
    )
    blocks = parse(Request(page, "a.mdx")).blocks
    assert [block.kind for block in blocks][:2] == ["heading", "paragraph"]
    assert parse(Request(page, "a.mdx")).text.endswith("<div>\n## Kept")
    table = b"<table><tr><td>\n<div>\nA1\n</div>\n</td><td>B1</td></tr></table>\n"
    assert [block.kind for block in parse(Request(table, "a.mdx")).blocks] == ["table_row"]
    assert parse(Request(page, "a.md")).blocks[0].kind == "paragraph"


def test_chunks_of_knitr_and_quarto_are_prose_or_code_that_is_shown() -> None:
    text = (
        '```{block, type="box"}\nAsk [us](a.md).\n```\n\n'
        "```{r set-up, include=FALSE}\nhide()\n```\n\n"
        "```{r}\n#| label: fig\n#| echo: FALSE\nplot(hidden)\n```\n\n"
        "```{mermaid}\n%%| include: false\nhidden\n```\n\n```{asis, echo = F}\nHidden.\n```\n\n"
        "```{python, eval=F}\nshow()\n```\n\n"
        "```{r}\n#| fig-cap: Set echo: false\n1 + 1  #| kept\n```\n\n"
        "```{r, fig.cap='no include=FALSE'}\n2 + 2\n```\n\n"
        "```{code-block} python\n#| echo: false\n```\n"
    )
    assert parse(Request(text.encode(), "a.Rmd")).text == (
        "Ask us.\n\nshow()\n\n1 + 1  #| kept\n\n2 + 2\n\n#| echo: false"
    )


def test_buttons_drawings_and_grids_of_material_for_mkdocs_are_read_as_the_page_shows_them() -> (
    None
):
    page = (
        '## :material-lock: Locks { #locks data-toc-label="L" }\n\n'
        "[:octicons-home-16: Home](https://x.example){ .md-button }\n\n"
        '<div class="grid cards" markdown>\n\n'
        "- :material-check:{ .green } [Mail](a.md){ .pg-teal }\n\n"
        "</div>\n\n<div markdown class='x'>\n[Keys](keys.md)\n</div>\n\n"
        "At 10:30: see :materials: and `:material-lock:`.\n"
    )
    text = parse(Request(page.encode(), "a.md")).text
    end = "At 10:30: see :materials: and :material-lock:."
    assert text == f"Locks\n\nHome\n\n- Mail\n\nKeys\n\n{end}"


def test_a_paragraph_that_is_the_name_of_another_file_is_no_text() -> None:
    page = (
        '# Mills\n\n{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}\n\n[.](./)\n\n'
        "Read [b.md](b.md) and [the rest](c.md).\n\n[d.md](d.md) [e](e.md)\n\n"
        "[https://mill.example](https://mill.example)\n"
    )
    assert parse(Request(page.encode(), "a.md")).text == (
        "Mills\n\nRead b.md and the rest.\n\nd.md e\n\nhttps://mill.example"
    )


def test_the_contents_of_a_book_are_found_and_not_shown() -> None:
    page = b"# All\n\n* [Mills](m.md)\n  * [Rye](r.md)\n* [Shop](https://a.example)\n* Oats\n"
    for name, texts in (
        ("SUMMARY.md", ["Shop", "Oats"]),
        ("index.md", ["Mills", "Rye", "Shop", "Oats"]),
    ):
        extracted = parse(Request(page, name))
        items = [b for b in extracted.blocks if b.kind == "list_item" and not b.header]
        assert [extracted.text[b.start : b.end] for b in items] == texts


def test_a_tag_with_a_title_is_a_heading_a_level_below_the_one_above_it() -> None:
    page = (
        "## Mediation\n\n{% details 1. How can I ask for it? expandable %}\nYes.\n\n"
        "### Forms\n\nOne.\n{% enddetails %}\n\n{% details How long is it? %}A week.\n"
        "{% enddetails %}\n"
        "{% if a == b %}\nTwo\n{% endif %}\n{% figure A park in May %}\nThree\n{% endfigure %}\n"
        "```\n{% details One two three %}\n```\n{% include a b c %}\n"
    )
    extracted = parse(Request(page.encode(), "a.md"))
    headings = [
        (b.level, extracted.text[b.start : b.end]) for b in extracted.blocks if b.kind == "heading"
    ]
    assert headings == [
        (2, "Mediation"), (3, "1. How can I ask for it?"), (3, "Forms"), (3, "How long is it?")
    ]  # fmt: skip
    assert extracted.text.endswith(
        "One.\n\nHow long is it?\n\nA week.\n\nTwo\n\nThree\n\n{% details One two three %}"
    )


def test_items_of_template_tags_stand_in_a_list() -> None:
    page = (
        "{% list check %}\n{% list_item %}At least 96 *inches*{% endlist_item %}\n"
        "{% list_item x %}\n\nAn aisle\nbeside it\n{% endlist_item %}\n{% endlist %}\nThen {% box "
        "%}go{% endbox %}\non {% box %}a{% endbox %} way.\n"
    )
    extracted = parse(Request(page.encode(), "a.md"))
    assert extracted.text == "- At least 96 inches\n- An aisle beside it\n\nThen go\n\non a way."


def test_markup_of_a_page_behind_an_empty_line_is_no_code_though_it_stands_in() -> None:
    page = (
        "<table>\n  <tr>\n    <td>Seats</td>\n    <td>{% x %}\n\n    </td>\n  </tr>\n  <tr>\n"
        "    <td>Region</td>\n    <td>North</td>\n  </tr>\n</table>\n\nAn example:\n\n"
        "    <div>\n    </div>\n\n<div>\n{% for a in b %}\n\n    <p>Go on.</p>\n\n      </ul>\n"
        "    </div>\n"
    )
    extracted = parse(Request(page.encode(), "a.md"))
    assert [(b.kind, extracted.text[b.start : b.end]) for b in extracted.blocks] == [
        ("table_row", "Seats"),
        ("table_row", "Region | North"),
        ("paragraph", "An example:"),
        ("code", "<div>\n</div>"),
        ("paragraph", "Go on."),
    ]


def test_a_rule_of_a_table_without_a_header_is_no_text() -> None:
    page = (
        "One.\n\n| :--- | :----: |\n| Two | 2 |\n\n|---|---| |**To:**|Ann|\n\n"
        "```\n\n|---|---|\n| a | b |\n```\n"
    )
    extracted = parse(Request(page.encode(), "a.md"))
    assert extracted.text == "One.\n\nTwo | 2\n\n|To:|Ann|\n\n|---|---|\n| a | b |"


def test_tags_that_set_words_are_no_part_of_a_title() -> None:
    page = b"---\ntitle: \"<em class='x'>Olmstead</em> and List<String>\"\n---\nText.\n"
    assert parse(Request(page, "a.md")).title == "Olmstead and List<String>"


def test_queries_of_obsidian_are_no_text() -> None:
    query = b"```dataview\nLIST FROM #trees\n```\n\n```dataviewjs\ndv.list()\n```"
    page = b"Our trees.\n\n" + query + b"\n\n```js\nconst dataview = 1\n```\n\n    dataview\n"
    assert parse(Request(page, "a.md")).text == "Our trees.\n\nconst dataview = 1\n\ndataview"
    assert "Oaks" in parse(Request(b"Trees.\n\n```dataview\nLIST\n\nOaks.\n", "a.md")).text


@each(
    ("line", "shown"),
    [
        ("The title is <call name>, <call date>.", "The title is <call name>, <call date>."),
        ("Save <your-file>.md here.", "Save <your-file>.md here."),
        ("It is <b>bold</b> and <span class='x'>plain</span>.", "It is bold and plain."),
        ("See <Badge type='tip' /> and <my-box a='1'>in a box</my-box>.", "See and in a box."),
        ("This <note>was</note> said.", "This was said."),
    ],
)
def test_a_name_in_angle_brackets_that_is_no_element_is_text(line: str, shown: str) -> None:
    assert parse(Request(line.encode(), "a.md")).text == shown
