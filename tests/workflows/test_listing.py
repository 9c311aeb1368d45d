"""Lists that are no list of one text: a passage of each text that is about one of the things."""

from collections.abc import Mapping

from plain_deps import FakeCollection, World

from tests.tables import each
from workflows.research.answer.draft import Draft
from workflows.research.answer.phase import answer_part
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


@each(("title", "listed"), [("Mills that grind rye", True), ("Things that we saw", False)])
def test_a_list_answers_where_what_stands_above_says_as_much_as_its_item(
    title: str, listed: bool
) -> None:
    items = "\n".join(f"- {words_of(n, 20)} {words_of(n, 20)} {words_of(n, 20)}" for n in range(3))
    text = f"We found:\n\n- Rye which {words_of(4, 20)} grind\n{items}"
    draft, _ = draft_of(QUESTION, {title: text})
    assert bool(draft.items) == listed
