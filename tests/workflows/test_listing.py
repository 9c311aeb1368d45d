"""Lists that are no list of one text: a passage of each text that is about one of the things."""

from collections.abc import Mapping

import pytest
from plain_deps import FakeCollection, World

from tests.tables import each
from workflows.research.answer.draft import Draft
from workflows.research.answer.forms.listing import MOST_TEXTS
from workflows.research.answer.phase import answer_part
from workflows.research.answer.windows import LEAD_WORDS
from workflows.research.model import RunConfig
from workflows.research.state import ResearchState
from workflows.research.understand.parts import parts_of

QUESTION = "Which mills grind rye?"
_FILLER = "abcdefghijklmnopqrst"


def words_of(town: int, count: int) -> str:
    """Words that no other town has."""
    return " ".join(f"{_FILLER[town]}{letter * 4}" for letter in _FILLER[:count])


TEXTS = {
    f"Town {n}": f"The mill is old. Rye of {words_of(n, 9)} is what they grind. "
    f"We saw {words_of(n, 20)} and {words_of(n, 20)}."
    for n in range(15)
} | {"Harbour": f"The mill of the harbour has {words_of(15, 9)}. It saws wood."}


def draft_of(question: str, texts: Mapping[str, str]) -> tuple[Draft, FakeCollection]:
    world = World({title: ("local", text) for title, text in texts.items()})
    collection = FakeCollection(world, ResearchState("?", config=RunConfig()))
    (part,) = parts_of(question)
    return answer_part(part, collection).draft, collection


def titles(draft: Draft, collection: FakeCollection) -> list[str]:
    return [collection.info(passage.snapshot_id).title for passage in draft.passages]


def test_each_further_text_that_says_as_much_has_a_short_passage() -> None:
    draft, collection = draft_of(QUESTION, TEXTS)
    towns = titles(draft, collection)
    assert len(towns) == len(set(towns)) == 3 + MOST_TEXTS == 12
    assert "Harbour" not in towns
    for passage in draft.passages[3:]:
        window = passage.window
        text = collection.text(passage.snapshot_id)[window.start : window.end]
        assert "is what they grind" in text and len(text.split()) <= LEAD_WORDS
    shown = {(passage.snapshot_id, passage.lead) for passage in draft.passages}
    assert not shown & {(passage.snapshot_id, passage.lead) for passage in draft.further}


@pytest.mark.parametrize(
    "question",
    [
        "Which mills do they have for rye?",
        "What are the mills for rye?",
        "Which mills are old and grind rye?",
        "Which mills can be used to grind rye?",
    ],
)
def test_what_one_text_may_list_is_not_gathered_from_many(question: str) -> None:
    draft, _ = draft_of(question, TEXTS)
    assert len(draft.passages) == 3


def test_what_the_first_passage_does_not_say_is_asked_of_no_further_text() -> None:
    draft, _ = draft_of("Which mills grind barley?", TEXTS)
    assert len(draft.passages) <= 3


# All words weigh the same: a text without one of five covers 0.8 of what the first does, without
# one of four 0.75
@pytest.mark.parametrize(
    ("work", "gathered"), [("grind rye oats spelt", True), ("grind rye oats", False)]
)
def test_a_further_text_covers_four_fifths_of_what_the_first_does(
    work: str, gathered: bool
) -> None:
    texts = {f"Town {n}": f"Mills {work} {words_of(n, 9)}." for n in range(4)}
    texts["Farm"] = f"We {work} {words_of(5, 9)}."
    draft, collection = draft_of(f"Which mills {work}?", texts)
    assert set(titles(draft, collection)[:4]) == {"Town 0", "Town 1", "Town 2", "Town 3"}
    assert ("Farm" in titles(draft, collection)) == gathered


@each(("title", "listed"), [("Mills that grind rye", True), ("Things that we saw", False)])
def test_a_list_answers_where_what_stands_above_says_as_much_as_its_item(
    title: str, listed: bool
) -> None:
    items = "\n".join(f"- {words_of(n, 20)} {words_of(n, 20)} {words_of(n, 20)}" for n in range(3))
    text = f"We found:\n\n- Rye which {words_of(4, 20)} grind\n{items}"
    draft, _ = draft_of(QUESTION, {title: text})
    assert bool(draft.items) == listed
