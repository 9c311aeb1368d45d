"""What stands before a Markdown text, between two lines of dashes."""

import pytest

from tools.corpus.parsers.formats import parse
from tools.corpus.parsers.request import Request

HEAD = '---\ntitle: "Long-term teams, not handoffs, are what we plan for."\ntags: a, b, c, d, e, f, g\n'
SUMMARY = 'summary: "Plan for *one* team, not for a handoff."\n'


def read(head: str, body: str = "") -> str:
    return parse(Request(f"{head}---\n{body}".encode(), "page.md")).text


def test_a_page_may_have_nothing_but_a_summary() -> None:
    assert read(HEAD + SUMMARY) == "Plan for one team, not for a handoff."


def test_sentences_stand_before_the_text_once() -> None:
    deck = SUMMARY.replace("summary", "deck")
    assert read(HEAD + SUMMARY + deck, "The team stays.") == "Plan for one team, not for a handoff.\n\nThe team stays."
    assert read(HEAD + SUMMARY, "We said: Plan for *one* team, not for a handoff.").count("handoff") == 1


@pytest.mark.parametrize(
    "value", ["Five words and no more.", "six words or more without end", "https://a.example/b.c."]
)
def test_labels_are_no_text(value: str) -> None:
    assert read(f"{HEAD}note: {value}\n", "The team stays.") == "The team stays."
