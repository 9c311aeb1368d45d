"""Tags of template languages in Markdown are no text."""

from tools.corpus.parsers.formats import parse
from tools.corpus.parsers.request import Request


def test_tags_of_templates_are_left_out() -> None:
    page = b'Use it.\n\n{{ example({ group: "a", item: "b" }) }}\n\n{% include "a.md" %}\n\nEnd {{ here }}.'
    text = parse(Request(page, "page.md")).text
    assert text == "Use it.\n\nEnd ."
