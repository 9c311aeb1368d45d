"""Release notes among the passages that answer."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from plain_deps import FakeCollection, World

from tests.tables import each
from tools.documents.blocks import blocks_of_text
from tools.documents.model import Block
from tools.reading.change_logs import asks_for_changes, tells_of_release
from tools.reading.reader import Candidate, Reader, Reading
from workflows.research.answer.phase import answer_part
from workflows.research.state import ResearchState
from workflows.research.understand.parts import parts_of


@each(
    ("heading", "expected"),
    [
        ("Version 1.1.11 (2020-03-08)", True),
        ("Version 2.0.0b23 (not released yet)", True),
        ("Release 0.29", True),
        ("v1.2", True),
        ("[1.2.0] - 2020-01-01", True),
        ("4.3.0 RC1", True),
        ("2023-11-01 (3.44.0)", True),
        ("2.1. Overview", False),
        ("5.2.1 Leave in lieu", False),
        ("2023", False),
        ("Upgrading an old pump to 2.0 or later", False),
    ],
)
def test_a_section_of_a_release_is_headed_by_its_version(heading: str, expected: bool) -> None:
    assert tells_of_release((heading, "Fixes")) is expected


@each(
    ("question", "expected"),
    [
        ("Which version mended the valve?", True),
        ("When was the valve mended?", True),
        ("What is new in 2.1?", True),
        ("What does the valve do?", False),
    ],
)
def test_changes_are_asked_for_by_time_or_version(question: str, expected: bool) -> None:
    assert asks_for_changes(question) is expected


NOTES = "The valve of the pump closes without a noise."
GUIDE = "The valve of the pump closes at night."


class Preferring:
    """The features, and a model that likes release notes better by so much."""

    name = "preferring"

    def __init__(self, reader: Reader, much: float) -> None:
        self._reader, self._much = reader, much

    def read(
        self, question: str, candidates: Sequence[Candidate], *, units: bool = False
    ) -> list[Reading]:
        readings = self._reader.read(question, candidates, units=units)
        return [
            replace(reading, score=0.5, by_model=self._much * (candidate.text == NOTES))
            for candidate, reading in zip(candidates, readings, strict=True)
        ]


@pytest.mark.parametrize(
    ("question", "preference", "first"),
    [
        ("Does the valve of the pump close?", 0.45, GUIDE),
        ("Does the valve of the pump close?", 0.55, NOTES),
        ("Does the valve of the new pump close?", 0.45, NOTES),
    ],
)
def test_release_notes_stand_behind_where_no_change_is_asked_for(
    question: str, preference: float, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def under_version(text: str) -> list[Block]:
        path = ("Changes", "Version 2.1") if text == NOTES else ("Guide",)
        return [block._replace(heading_path=path) for block in blocks_of_text(text)]

    monkeypatch.setattr("plain_deps.blocks_of_text", under_version)
    world = World({"A": ("local", NOTES), "B": ("local", GUIDE)})
    collection = FakeCollection(world, ResearchState("?"))
    collection.reader = Preferring(collection.reader, preference)
    (part,) = parts_of(question)
    passage = answer_part(part, collection).draft.passages[0]
    assert collection.text(passage.snapshot_id) == first
