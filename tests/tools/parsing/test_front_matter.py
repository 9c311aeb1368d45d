"""What stands before a Markdown text, between two lines of dashes."""

import pytest

from tests.tables import each
from tools.documents.model import Request
from tools.documents.parsers.formats import parse
from tools.errors import ParseError

HEAD = (
    '---\ntitle: "Long-term teams, not handoffs, are what we plan for."\ntags: a, b, c, d, e, '
    "f, g\n"
)
SUMMARY = 'summary: "Plan for *one* team, not for a handoff."\n'


def read(head: str, body: str = "") -> str:
    """What may be shown of a page: without the labels, which are only searched."""
    page = parse(Request(f"{head}---\n{body}".encode(), "page.md"))
    return "\n\n".join(page.text[b.start : b.end] for b in page.blocks if not b.header)


def test_front_matter_of_toml_is_read_with_its_tables() -> None:
    head = (
        '\n+++\ntitle = "Mills"\ndate = 2024-05-01T10:00:00Z\n[taxonomies]\n'
        'tags = ["corn", "wind"]\n'
        '[extra]\ntitle = "Other"\nauthors = ["Ada May", "Bo Li"]\n+++\n'
    )
    page = parse(Request(f"{head}They grind.".encode(), "a.md"))
    assert (page.title, page.metadata["published"]) == ("Mills", "2024-05-01")
    assert page.metadata["authors"] == ["Ada May", "Bo Li"]
    assert page.text == "Tags: corn, wind\n\nThey grind."


@pytest.mark.parametrize(
    ("text", "name", "shown"),
    [
        ("+++\n\nThe first cell.\n\n+++\n\nTwo.", "a.md", "The first cell.\n\nTwo."),
        ("+++ one\n\nTwo.", "a.md", "+++ one\n\nTwo."),
        ("+++\nFAQ\n+++\n\nAsk.", "a.rst", "FAQ\n\nAsk."),
        (f"+++\na = {'9' * 5000}\n+++\n\nThey grind.", "a.md", "They grind."),
        (f"+++\na = {'[' * 3000}\n+++\n\nThey grind.", "a.md", "They grind."),
        ("+++\ntags = [{name = 'a'}, 'corn']\n+++\nThey.", "a.md", "Tags: corn\n\nThey."),
    ],
)
def test_only_what_is_toml_is_taken_from_between_plus_signs(
    text: str, name: str, shown: str
) -> None:
    assert parse(Request(text.encode(), name)).text.endswith(shown)


@each(
    ("lines", "labels"),
    [
        ("tags: [swiss, 'main course'] # two\n", ["Tags: swiss, main course"]),
        ("tags: [machine_learning, C#, women's]\n", ["Tags: machine_learning, C#, women's"]),
        ("tags: ~\nkeywords: null\naliases: '{{ x }}'\n", []),
        ("aliases:\n  - Local vault\n- Folder\n", ["Aliases: Local vault, Folder"]),
        ('keywords: <b>\ntags: "#a"\n', ["Tags: a", "Keywords: <b>"]),
        ("tags: []\naliases:\nauthor: Ada Berg\n", []),
    ],
)
def test_a_text_is_found_by_its_labels(lines: str, labels: list[str]) -> None:
    page = parse(Request(f"---\n{lines}---\nStir.".encode(), "page.md"))
    assert [page.text[b.start : b.end] for b in page.blocks if b.header] == labels
    assert page.text.endswith("Stir.")


def test_labels_alone_are_no_text() -> None:
    with pytest.raises(ParseError):
        parse(Request(b"---\ntags: [a, b]\n---\n", "page.md"))


def test_a_page_may_have_nothing_but_a_summary() -> None:
    assert read(HEAD + SUMMARY) == "Plan for one team, not for a handoff."


def test_sentences_are_searched_and_shown_where_the_text_has_none() -> None:
    deck = SUMMARY.replace("summary", "deck")
    page = parse(Request(f"{HEAD}{SUMMARY}{deck}---\nThe team stays as it is.".encode(), "a.md"))
    assert page.text.count("Plan for one team, not for a handoff.\n\nThe team stays") == 1
    assert read(HEAD + SUMMARY, "The team stays as it is.") == "The team stays as it is."
    assert read(HEAD + SUMMARY, "- [x](y)") == "Plan for one team, not for a handoff.\n\nx"
    repeated = parse(
        Request(
            f"{HEAD}{SUMMARY}---\nWe said: Plan for one team, not for a handoff.".encode(), "a.md"
        )
    )
    assert repeated.text.count("handoff") == 1


@pytest.mark.parametrize(
    "value", ["Five words and no more.", "six words or more without end", "https://a.example/b.c."]
)
def test_other_fields_are_no_text(value: str) -> None:
    assert read(f"{HEAD}note: {value}\n", "The team stays.") == "The team stays."


def test_what_an_author_is_called_is_no_text() -> None:
    assert (
        read(f"{HEAD}author: This is a whole sentence of seven words.\n", "The team stays.")
        == "The team stays."
    )


@each(
    ("fields", "date"),
    [
        ("last_reviewed_on: 2024-07-29\nreview_in: 6 months\n", "2024-07-29"),
        ("created: 2020-01-02\nlast_updated: 2021-03-04\n", "2021-03-04"),
        ("updated: 2021-03-04\ndate: 2019-05-06\n", "2019-05-06"),
        ("next_review: 2030-01-01\nexpires: 2031-01-01\n", None),
        ("candidate: 2021-03-04\n", None),
    ],
)
def test_the_best_date_is_when_it_was_published_then_changed_then_reviewed(
    fields: str, date: str | None
) -> None:
    page = parse(Request(f"---\ntitle: A page\n{fields}---\nThe team stays.".encode(), "page.md"))
    assert page.metadata.get("published") == date


HEADER = (
    "Number: 3103\nTitle: A Switch Statement\nAuthor: Ada Berg <ada at example.org>,\n    Ole "
    "Dahl\nCreated: 25-Jun-2006"
)


@pytest.mark.parametrize("name", ["page.md", "page.rst", "page.txt"])
def test_a_header_of_names_and_values_names_a_text_and_can_be_quoted(name: str) -> None:
    page = parse(Request(f"{HEADER}\n\nIt was rejected.\n".encode(), name))
    assert (page.title, page.metadata["published"]) == ("A Switch Statement", "2006-06-25")
    assert page.metadata["authors"] == ["Ada Berg", "Ole Dahl"]
    items = [page.text[block.start : block.end] for block in page.blocks]
    assert (
        items[0] == "Number: 3103"
        and items[1].endswith("Ole Dahl")
        and items[-1] == "It was rejected."
    )


@pytest.mark.parametrize("name", ["page.md", "page.rst", "page.txt"])
@pytest.mark.parametrize(
    "top", ["Note: this is old.\nTitle and all", "Title: Only one line", "Note: one.\nDate: 2020"]
)
def test_a_paragraph_with_colons_is_no_header(name: str, top: str) -> None:
    page = parse(Request(f"{top}\n\nIt was rejected.\n".encode(), name))
    assert page.metadata.get("title_from") != "front_matter" and None not in page.metadata.values()
    assert " ".join(top.split()) in " ".join(page.text.split())


def test_of_a_long_run_of_names_and_values_nothing_is_lost() -> None:
    lines = ["title: Log"] + [
        f"key-{letter}: {number}" for number in range(2000) for letter in "ab"
    ]
    page = parse(Request("\n".join(lines).encode(), "page.txt"))
    assert "key-b: 1999" in page.text and "title: Log" in page.text


@each(
    ("lines", "title"),
    [
        ("title: Soup &amp; bread\n  of the\n    north  \n", "Soup & bread of the north"),
        ('title: "Soup and\n  bread"\n', "Soup and bread"),
        ("title: >-\n  Soup and\n  bread\n", "Soup and bread"),
        ("title: |+\n  Soup\n", "Soup"),
        ("title: Soup\nauthor:\n  title: Cook\n  name: Ada\n", "Soup"),
        ("tags:\n  - a\n  - b\ntitle: Soup\n", "Soup"),
    ],
)
def test_a_title_has_all_its_lines(lines: str, title: str) -> None:
    for name, body in (("a.md", "Stir."), ("a.html", "<p>Stir.</p>")):
        extracted = parse(Request(f"---\n{lines}---\n{body}".encode(), name))
        assert (extracted.title, extracted.text[-5:]) == (title, "Stir.")
        assert extracted.metadata["title_from"] == "front_matter"


def test_a_page_with_front_matter_is_read_without_the_tags_of_its_template() -> None:
    page = (
        "---\r\ntitle: Events\r\ndate: 2024-05-01\r\n---\r\n{% for post in posts %}"
        "<h1>{{ post.title }}</h1>\n<p>Read on {{ post.day }} by all, with <code>{{ raw }}</code>."
        "</p></code>{% endfor %}"
        "<pre>{% if x %}</pre>"
    )
    extracted = parse(Request(page.encode(), "events.html"))
    assert extracted.text == "Read on by all, with {{ raw }}.\n\n{% if x %}"
    assert (extracted.title, extracted.metadata["published"]) == ("Events", "2024-05-01")
    empty = parse(Request(b"---\n---\n<h1>{{ page.title }}</h1><p>Soup.</p>", "pea-soup.html"))
    assert (empty.title, empty.text) == ("Pea Soup", "Soup.")


def test_a_file_that_a_template_language_fills_in_is_read_without_its_tags() -> None:
    page = b'{% extends "a.njk" %}<h1>Mills</h1><p>They grind{{ mark }} corn.</p><pre>{{ x }}</pre>'
    assert parse(Request(page, "mills.njk")).text == "Mills\n\nThey grind corn.\n\n{{ x }}"
    assert "grind{{ mark }} corn" in parse(Request(page, "mills.html")).text


def test_tags_of_a_template_alone_are_no_text_and_what_is_said_of_them_is() -> None:
    page = (
        "<h1>{{ page.title }}</h1><div>{% if a %}{{ b }}</div><p>Write {{ name }} there.</p>"
        "<ul><li><code>{{ b }}</code></li></ul>"
    )
    extracted = parse(Request(page.encode(), "pea-soup.html"))
    assert extracted.text == "Write {{ name }} there.\n\n- {{ b }}"
    assert extracted.title == "Pea Soup"
    with pytest.raises(ParseError):
        parse(Request(b"<div>{% for a in b %}<p>{{ a }}</p>{% endfor %}</div>", "a.html"))


def test_labels_stand_in_the_first_section() -> None:
    page = parse(Request(b"---\ntags: a\n---\n# Rosti\n\n- Grate them.", "page.md"))
    assert page.text == "Rosti\n\nTags: a\n\n- Grate them."
    assert [block.context for block in page.blocks] == [(), (), ()]
    lists = "features:\n  - title: Fast and without words that anyone reads.\n    x: y\n"
    assert parse(Request(f"---\n{lists}---\nStir.".encode(), "a.md")).text == "Stir."
    header = parse(Request(b"Title: Guide\nTags: mills\n\nProse.", "a.md"))
    assert header.text == "- Tags: mills\n\nProse."


def test_the_dashes_may_have_blanks_behind_them() -> None:
    page = parse(Request(b"---  \nteaser: Of bees.\ntitle: Hives\n--- \n\nBees build.", "a.md"))
    assert page.text == "Bees build." and page.metadata["title"] == "Hives"
    assert parse(Request(b"--- \n--- \nBees build.", "a.md")).text == "Bees build."
